//! `scf-parallel-loop-tiling`: a loop over tiles around a loop over what is in a tile.

use dl_affine::AffineMinOp;
use dl_arith::{AddIOp, AndIOp, CmpIPredicate, MulIOp};
use dl_ir::interfaces::Bound;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::{
    BlockId, Diagnostic, InsertPoint, Loc, OpId, OpRef, OpState, OpView, RegionId, Rewriter, Type, ValueId, ValueRef,
};
use dl_scf::{IfOp, ParallelOp, ReduceOp, YieldOp};
use smallvec::SmallVec;

dl_ir::pass_options! {
    /// Options of [`ParallelLoopTiling`].
    pub struct ParallelLoopTilingOptions {
        /// Tiles of a fixed size, with a condition in the body instead of a minimum as the bound
        no_min_max_bounds "no-min-max-bounds": bool = false,
        /// Iterations of each dimension in a tile; 1 for dimensions without one
        parallel_loop_tile_sizes "parallel-loop-tile-sizes": Vec<i64> = Vec::new(),
    }
}

type Values = SmallVec<[ValueId; 4]>;

/// Tiles the innermost parallel loops that do not reduce.
#[derive(Clone, Default)]
pub struct ParallelLoopTiling {
    /// The options.
    pub options: ParallelLoopTilingOptions,
}

impl Pass for ParallelLoopTiling {
    const INFO: PassInfo =
        PassInfo::new("scf-parallel-loop-tiling", "Tile parallel loops").title("SCFParallelLoopTiling");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let sizes = self.options.parallel_loop_tile_sizes.clone();
        if sizes.contains(&0) {
            return Err(Diagnostic::error(Loc::UNKNOWN, "tile size cannot be 0").into());
        }
        if let Some(negative) = sizes.iter().find(|&&size| size < 0) {
            return Err(Diagnostic::error(Loc::UNKNOWN, format!("unsupported: tile size {negative}")).into());
        }
        let fixed = self.options.no_min_max_bounds;
        crate::rewrite_each::<ParallelOp<'_>>(cx, &mut |rw, op| {
            if is_innermost(rw.op(op)) && rw.op(op).num_results() == 0 {
                tile(rw, op, &sizes, fixed);
            }
            Ok(())
        })
    }
}

/// Whether no parallel loop stands in `op`.
fn is_innermost(op: OpRef<'_>) -> bool {
    let all = dl_ir::walk::ops_in_arena(op.arena(), op.id());
    all.into_iter().skip(1).all(|inner| !OpRef::new(op.cx(), op.arena(), inner).is::<ParallelOp<'_>>())
}

/// A dimension of the loop that is tiled.
struct Dim {
    lower: ValueId,
    upper: ValueId,
    step: ValueId,
    /// The step of the loop over tiles.
    outer_step: ValueId,
    /// Whether the number of iterations is known to be a multiple of those in a tile.
    is_even: bool,
}

/// Makes the loop over tiles, and in it one over a tile, which counts from zero; the body adds both.
fn tile(rw: &mut Rewriter<'_>, op: OpId, sizes: &[i64], fixed: bool) {
    let loc = rw.op(op).loc();
    rw.set_insertion_before(op);
    let zero = dl_arith::constant_index(rw, 0, loc);
    let dims = tiled_dims(rw, op, sizes, loc);
    let (outer, outer_body) = parallel(
        rw,
        &dims.iter().map(|dim| dim.lower).collect::<Values>(),
        &dims.iter().map(|dim| dim.upper).collect::<Values>(),
        &dims.iter().map(|dim| dim.outer_step).collect::<Values>(),
        loc,
    );
    let outer_variables: Values = rw.block(outer_body).args().map(ValueRef::id).collect();
    rw.set_insertion_before(rw.ir().last_op(outer_body).expect("a terminator was made"));
    let mut ends = Values::new();
    for (dim, &variable) in dims.iter().zip(&outer_variables) {
        let end = if dim.is_even || fixed { dim.outer_step } else { tile_end(rw, dim, variable, loc) };
        ends.push(end);
    }
    let needs_check = fixed && dims.iter().any(|dim| !dim.is_even);
    let zeros: Values = dims.iter().map(|_| zero).collect();
    let steps: Values = dims.iter().map(|dim| dim.step).collect();
    let (_, inner_body) = parallel(rw, &zeros, &ends, &steps, loc);
    let inner_variables: Values = rw.block(inner_body).args().map(ValueRef::id).collect();
    let end = rw.ir().last_op(inner_body).expect("a terminator was made");
    rw.set_insertion_before(end);
    let sums: Values = (inner_variables.iter().zip(&outer_variables))
        .map(|(&inner, &outer)| dl_arith::build::binary::<AddIOp<'_>>(rw, inner, outer, loc))
        .collect();
    let condition = needs_check.then(|| is_in_bounds(rw, &dims, &inner_variables, &outer_variables, &sums, loc));
    let body = rw.op(op).region(0).entry().map(dl_ir::BlockRef::id);
    if let Some(body) = body {
        let target = match condition {
            Some(condition) => guarded(rw, condition, loc),
            None => InsertPoint { block: inner_body, before: Some(end) },
        };
        if let Some(reduce) = rw.ir().last_op(body) {
            rw.erase(reduce);
        }
        rw.inline_block(body, target, &sums);
    }
    debug_assert!(rw.ir().is_live(outer), "the loop over tiles takes the place of the old one");
    rw.erase(op);
}

fn tiled_dims(rw: &mut Rewriter<'_>, op: OpId, sizes: &[i64], loc: Loc) -> Vec<Dim> {
    let view = ParallelOp::wrap(rw.op(op));
    let [lower, upper, step] = [view.lower_bound(), view.upper_bound(), view.step()].map(|group| group.ids());
    let sizes: Vec<i64> = (0..lower.len()).map(|at| sizes.get(at).copied().unwrap_or(1)).collect();
    let is_even: Vec<bool> = (0..lower.len())
        .map(|at| {
            let known = [lower[at], upper[at], step[at]].map(|value| Bound::of(rw.value(value)).constant());
            let [Some(lower), Some(upper), Some(step)] = known else { return false };
            let distance = i128::from(upper) - i128::from(lower);
            step > 0 && ((distance + i128::from(step) - 1).div_euclid(i128::from(step))) % i128::from(sizes[at]) == 0
        })
        .collect();
    let constants: Values = sizes.iter().map(|&size| dl_arith::constant_index(rw, size, loc)).collect();
    (0..lower.len())
        .map(|at| {
            let outer_step = dl_arith::build::binary::<MulIOp<'_>>(rw, step[at], constants[at], loc);
            Dim { lower: lower[at], upper: upper[at], step: step[at], outer_step, is_even: is_even[at] }
        })
        .collect()
}

/// Where the tile that starts at `variable` ends, from its start.
fn tile_end(rw: &mut Rewriter<'_>, dim: &Dim, variable: ValueId, loc: Loc) -> ValueId {
    let (cx, affine) = (rw.cx(), rw.cx().affine());
    let [size, upper, start] = [0, 1, 2].map(|at| affine.dim(at));
    let map = affine.intern_map(3, 0, [size, affine.sub(upper, start)]);
    let state = OpState::of::<AffineMinOp<'_>>(loc).operands([dim.outer_step, dim.upper, variable]);
    rw.create_value(state.attr(cx, "map", cx.affine_map_attr(map)).results([cx.index_type()]))
}

/// Whether the iteration of the loops over tiles and in a tile is one of the old loop. As upstream has it, a step that is not known is taken to
/// be one, and bounds that are not known not to be negative.
fn is_in_bounds(
    rw: &mut Rewriter<'_>,
    dims: &[Dim],
    inner: &[ValueId],
    outer: &[ValueId],
    sums: &[ValueId],
    loc: Loc,
) -> ValueId {
    let yes = rw.cx().bool_attr(true);
    let mut inside = dl_arith::constant(rw, yes, loc);
    for (at, dim) in dims.iter().enumerate() {
        let [lower, upper, step] = [dim.lower, dim.upper, dim.step].map(|value| Bound::of(rw.value(value)).constant());
        let index = if step.is_some() {
            sums[at]
        } else {
            let offset = dl_arith::build::binary::<MulIOp<'_>>(rw, inner[at], dim.step, loc);
            dl_arith::build::binary::<AddIOp<'_>>(rw, offset, outer[at], loc)
        };
        let is_negative = [lower, upper].into_iter().flatten().any(|bound| bound < 0);
        let predicate = if is_negative { CmpIPredicate::Slt } else { CmpIPredicate::Ult };
        let below = dl_arith::build::compare(rw, predicate, index, dim.upper, loc);
        inside = dl_arith::build::binary::<AndIOp<'_>>(rw, inside, below, loc);
    }
    inside
}

/// An `scf.if` at the insertion point; answers where its body goes on.
fn guarded(rw: &mut Rewriter<'_>, condition: ValueId, loc: Loc) -> InsertPoint {
    let point = rw.insertion_point();
    let then_region = rw.new_region();
    let block = rw.append_block(then_region, &[]);
    rw.set_insertion_to_end(block);
    let end = rw.create(OpState::of::<YieldOp<'_>>(loc));
    let else_region: RegionId = rw.new_region();
    rw.set_insertion_point(point);
    rw.create(OpState::of::<IfOp<'_>>(loc).operands([condition]).region(then_region).region(else_region));
    InsertPoint { block, before: Some(end) }
}

/// A parallel loop without results at the insertion point, with an empty body; answers it and its block.
fn parallel(
    rw: &mut Rewriter<'_>,
    lower: &[ValueId],
    upper: &[ValueId],
    step: &[ValueId],
    loc: Loc,
) -> (OpId, BlockId) {
    let point = rw.insertion_point();
    let region = rw.new_region();
    let index = rw.cx().index_type();
    let types: SmallVec<[Type; 4]> = lower.iter().map(|_| index).collect();
    let block = rw.append_block(region, &types);
    rw.set_insertion_to_end(block);
    rw.create(OpState::of::<ReduceOp<'_>>(loc));
    rw.set_insertion_point(point);
    let rank = lower.len();
    let state = OpState::of::<ParallelOp<'_>>(loc)
        .operands(lower.iter().chain(upper).chain(step).copied())
        .operand_segments(rw.cx(), &[rank, rank, rank, 0])
        .region(region);
    (rw.create(state), block)
}
