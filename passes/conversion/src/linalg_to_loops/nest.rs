//! Making loops: `scf.for`, `scf.parallel` or `affine.for`.

use dl_affine::scope::{is_valid_dim, is_valid_symbol};
use dl_affine::{AffineForOp, AffineYieldOp};
use dl_ir::affine::AffineMap;
use dl_ir::interfaces::Index;
use dl_ir::{BlockId, Loc, OpState, RegionId, Rewriter, ValueId};
use dl_linalg::IteratorType;
use dl_scf::{ForOp, ParallelOp, ReduceOp, YieldOp};

/// What loops are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LoopKind {
    /// `scf.for`.
    Scf,
    /// `affine.for`, with affine loads and stores.
    Affine,
    /// `scf.parallel` for each run of parallel iterators, `scf.for` for others.
    Parallel,
}

/// Makes a nest of loops from 0 to each of `extents` by 1 at the insertion point, and leaves the insertion point in the
/// innermost body. Answers the induction variables, outermost first.
pub(super) fn build_nest(
    rw: &mut Rewriter<'_>,
    kind: LoopKind,
    loc: Loc,
    extents: &[Index],
    iterators: &[IteratorType],
) -> Vec<ValueId> {
    let mut variables = Vec::new();
    let bounds = if kind == LoopKind::Affine { Bounds::default() } else { Bounds::make(rw, loc, extents) };
    let mut at = 0;
    while at < extents.len() {
        let run = iterators[at..].iter().take_while(|&&it| it == IteratorType::Parallel).count();
        let count = if kind == LoopKind::Parallel { run.max(1) } else { 1 };
        let body = match kind {
            LoopKind::Affine => affine_for(rw, loc, extents[at]),
            LoopKind::Parallel if run > 0 => parallel(rw, loc, &bounds, at..at + count),
            LoopKind::Scf | LoopKind::Parallel => scf_for(rw, loc, &bounds, at),
        };
        variables.extend_from_slice(rw.ir().block_args(body));
        at += count;
    }
    variables
}

/// Bounds as values, for `scf`.
#[derive(Default)]
struct Bounds {
    lower: Vec<ValueId>,
    upper: Vec<ValueId>,
    step: Vec<ValueId>,
}

impl Bounds {
    fn make(rw: &mut Rewriter<'_>, loc: Loc, extents: &[Index]) -> Self {
        let mut bounds = Self::default();
        for &extent in extents {
            bounds.lower.push(dl_arith::constant_index(rw, 0, loc));
            bounds.upper.push(match extent {
                Index::Static(extent) => dl_arith::constant_index(rw, extent, loc),
                Index::Value(value) => value,
            });
            bounds.step.push(dl_arith::constant_index(rw, 1, loc));
        }
        bounds
    }
}

/// Gives `region` a block with `args` indices and an empty terminator `end`; the insertion point is then before it.
fn body(rw: &mut Rewriter<'_>, region: RegionId, args: usize, end: OpState) -> BlockId {
    let index = rw.cx().index_type();
    let block = rw.append_block(region, &vec![index; args]);
    rw.set_insertion_to_end(block);
    let end = rw.create(end);
    rw.set_insertion_before(end);
    block
}

fn scf_for(rw: &mut Rewriter<'_>, loc: Loc, bounds: &Bounds, at: usize) -> BlockId {
    let region = rw.new_region();
    let operands = [bounds.lower[at], bounds.upper[at], bounds.step[at]];
    rw.create(OpState::of::<ForOp<'_>>(loc).operands(operands).region(region));
    body(rw, region, 1, OpState::of::<YieldOp<'_>>(loc))
}

fn parallel(rw: &mut Rewriter<'_>, loc: Loc, bounds: &Bounds, range: std::ops::Range<usize>) -> BlockId {
    let (cx, region, count) = (rw.cx(), rw.new_region(), range.len());
    let all = [&bounds.lower, &bounds.upper, &bounds.step];
    let operands = all.into_iter().flat_map(|list| list[range.clone()].iter().copied());
    let state = OpState::of::<ParallelOp<'_>>(loc).operands(operands).operand_segments(cx, &[count, count, count, 0]);
    rw.create(state.region(region));
    body(rw, region, count, OpState::of::<ReduceOp<'_>>(loc))
}

fn affine_for(rw: &mut Rewriter<'_>, loc: Loc, extent: Index) -> BlockId {
    let (cx, region) = (rw.cx(), rw.new_region());
    let (upper, operand) = match extent {
        Index::Static(extent) => (cx.affine().constant_map(extent), None),
        Index::Value(value) => (identity_of(rw, value), Some(value)),
    };
    let state = OpState::of::<AffineForOp<'_>>(loc)
        .operands(operand)
        .operand_segments(cx, &[0, usize::from(operand.is_some()), 0])
        .attr(cx, "lowerBoundMap", cx.affine_map_attr(cx.affine().constant_map(0)))
        .attr(cx, "upperBoundMap", cx.affine_map_attr(upper))
        .attr(cx, "step", cx.index_attr(1))
        .region(region);
    rw.create(state);
    body(rw, region, 1, OpState::of::<AffineYieldOp<'_>>(loc))
}

/// The identity of one input: a symbol where `value` may be one, else a dimension.
fn identity_of(rw: &Rewriter<'_>, value: ValueId) -> AffineMap {
    let affine = rw.cx().affine();
    if is_valid_symbol(rw.value(value), None) {
        affine.intern_map(0, 1, [affine.symbol(0)])
    } else {
        affine.identity_map(1)
    }
}

/// Whether an `affine.for` may end at `extent`.
pub(super) fn is_affine_bound(rw: &Rewriter<'_>, extent: Index) -> bool {
    match extent {
        Index::Static(_) => true,
        Index::Value(value) => is_valid_dim(rw.value(value), None),
    }
}
