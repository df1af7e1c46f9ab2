//! `affine-loop-coalescing`: nests of loops as one loop over all their iterations.
//!
//! `scf.for` is done by [`dl_passes_scf::coalesce_nest`].
//!
//! Legal for loops that are alone in each other, carry nothing, and have bounds that are known before the first of them. The order of iterations stays.

use dl_affine::{AffineForOp, AffineMaxOp, AffineMinOp, ForBound};
use dl_ir::affine::AffineExpr;
use dl_ir::interfaces::own_range;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, InsertPoint, Loc, OpId, OpRef, OpState, Rewriter, Trait, ValueId, ValueRef};
use dl_passes_scf::coalesce_nest;
use dl_scf::ForOp;

use crate::loops::{self, ValueMap, apply};
use crate::normalize::normalize_for;

/// Makes one loop of loops that stand alone in each other.
#[derive(Clone, Copy, Default)]
pub struct AffineLoopCoalescing;

impl Pass for AffineLoopCoalescing {
    const INFO: PassInfo =
        PassInfo::new("affine-loop-coalescing", "Make one loop of nested loops with independent bounds")
            .title("LoopCoalescing")
            .on("func.func");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut rw = Rewriter::new(cx.ctx, cx.ir);
        coalesce_scf(&mut rw);
        let all = ops_in_arena(rw.ir(), Arena::ROOT);
        let is_outermost = |op: &OpId| {
            let around = std::iter::successors(rw.op(*op).parent(), |op| op.parent());
            rw.op(*op).is::<AffineForOp<'_>>() && !around.into_iter().any(|op| op.is::<AffineForOp<'_>>())
        };
        let roots: Vec<OpId> = all.into_iter().filter(is_outermost).collect();
        for root in roots {
            coalesce_affine_nest(&mut rw, root);
        }
        Ok(())
    }
}

/// Makes one loop of each part of the nest of the loop `root` for which that is legal. Answers whether there is one.
pub(crate) fn coalesce_affine_nest(rw: &mut Rewriter<'_>, root: OpId) -> bool {
    let bands = bands(rw, root);
    bands.iter().filter(|band| coalesce(rw, band)).count() > 0
}

/// The same for `scf.for`.
fn coalesce_scf(rw: &mut Rewriter<'_>) {
    let is_loop = |op: OpRef<'_>| op.is::<ForOp<'_>>();
    let is_outermost = |op: &OpId| {
        let mut around = std::iter::successors(rw.op(*op).parent(), |op| op.parent());
        is_loop(rw.op(*op)) && !around.any(is_loop)
    };
    let roots: Vec<OpId> = ops_in_arena(rw.ir(), Arena::ROOT).into_iter().filter(is_outermost).collect();
    for root in roots {
        coalesce_nest(rw, root);
    }
}

/// The parts of the nest of `root` that become one loop each, inner ones first.
fn bands(rw: &Rewriter<'_>, root: OpId) -> Vec<Vec<OpId>> {
    let carries_nothing =
        |each: &AffineForOp<'_>| each.0.num_results() == 0 || each.0.id() != root && gives_back_what_it_is_given(*each);
    let nest: Vec<AffineForOp<'_>> =
        loops::perfect_nest(loops::view(rw, root)).into_iter().take_while(carries_nothing).collect();
    let mut bands = Vec::new();
    let mut end = nest.len();
    while end > 1 {
        // The outermost loop before which all bounds from there on are known.
        let is_known = |&start: &usize| {
            nest[start..end]
                .iter()
                .all(|each| each.0.operands().iter().all(|value| !value.is_defined_in(nest[start].0)))
        };
        let start = (0..end - 1).find(is_known);
        bands.extend(start.map(|start| nest[start..end].iter().map(|each| each.0.id()).collect()));
        end = start.unwrap_or(end - 1);
    }
    bands
}

/// Whether each iteration hands on what the loop carries as it is.
fn gives_back_what_it_is_given(of: AffineForOp<'_>) -> bool {
    let body = of.region().entry();
    let end = body.and_then(|body| Some((body, body.last_op()?)));
    end.is_some_and(|(body, end)| body.args().skip(1).eq(end.operands().iter()))
}

/// Makes one loop of those of `band`, outermost first. Answers whether that was possible.
fn coalesce(rw: &mut Rewriter<'_>, band: &[OpId]) -> bool {
    let Some(&outer) = band.first() else { return false };
    if !counts_are_symbols(rw, band) {
        return false;
    }
    let is_normal = |rw: &mut Rewriter<'_>, op: OpId| normalize_for(rw, op, false);
    if !band.iter().all(|&op| is_normal(rw, op)) {
        return false;
    }
    // Normalizing puts an `affine.apply` for the old induction variable into the body of each loop: they stay with it.
    let loc = rw.op(outer).loc();
    for &op in &band[1..] {
        let carried = loops::view(rw, op);
        let (inits, results) = (carried.inits().ids(), carried.0.results().ids());
        let args: Vec<ValueId> = rw.ir().block_args(loops::body(rw, op))[1..].to_vec();
        let pairs = inits.iter().zip(args).chain(inits.iter().zip(results));
        pairs.for_each(|(&init, carried)| rw.replace_all_uses(carried, init));
    }
    rw.set_insertion_before(outer);
    // The product of two numbers below zero is not: where there is one at most, no loop runs too often.
    let is_unsure = |&&op: &&OpId| !never_counts_below_zero(loops::view(rw, op));
    let clamped = band.iter().filter(is_unsure).count() > 1;
    let affine = rw.cx().affine();
    let product = affine.intern_map(1, 1, [affine.mul(affine.dim(0), affine.symbol(0))]);
    let (mut counts, mut total): (Vec<ValueId>, Option<ValueId>) = (Vec::new(), None);
    for &op in band {
        let Some(count) = count(rw, op, clamped, loc) else { return false };
        counts.push(count);
        total = Some(total.map_or(count, |total| apply(rw, product, &[total, count], loc)));
    }
    let Some(total) = total else { return false };
    let bound = ForBound { map: affine.intern_map(0, 1, [affine.symbol(0)]), operands: vec![total] };
    loops::set_upper_bound(rw, outer, &bound);

    // What stands in the loops between moves to the start of the innermost one, which becomes the only one.
    let body = loops::body(rw, outer);
    let Some(second) = rw.block(body).ops().find(|op| op.is::<AffineForOp<'_>>()).map(OpRef::id) else { return false };
    let variable = loops::variable(rw, outer);
    let first = rw.block(body).first_op().map(OpRef::id);
    rw.set_insertion_point(Some(InsertPoint { block: body, before: first }));
    let part = affine.intern_map(1, 1, [affine.modulo(affine.dim(0), affine.symbol(0))]);
    let rest = affine.intern_map(1, 1, [affine.floordiv(affine.dim(0), affine.symbol(0))]);
    let mut left = variable;
    let (mut indices, mut made): (Vec<ValueId>, Vec<OpId>) = (Vec::new(), Vec::new());
    for &count in counts[1..].iter().rev() {
        indices.push(apply(rw, part, &[left, count], loc));
        let quotient = apply(rw, rest, &[left, count], loc);
        made.extend(
            [indices.last().copied(), Some(quotient)].into_iter().flatten().filter_map(|v| rw.ir().defining_op(v)),
        );
        left = quotient;
    }
    rw.replace_uses_if(variable, left, |user, _| !made.contains(&user.id()));
    for (&op, &index) in band[1..].iter().rev().zip(&indices) {
        let old = loops::variable(rw, op);
        rw.replace_all_uses(old, index);
    }
    let mut moved: Vec<OpId> = Vec::new();
    for &op in &band[1..] {
        let (block, end) = (loops::body(rw, op), loops::terminator(rw, op));
        let is_kept = |inner: &OpId| *inner != end && (op == inner_most(band) || !band.contains(inner));
        moved.extend(rw.ir().block_ops(block).filter(is_kept));
    }
    for op in moved {
        rw.move_to(op, InsertPoint { block: body, before: Some(second) });
    }
    rw.erase(second);
    true
}

/// Whether how often the loops run can be a symbol of affine maps: it is a number, or computed where all that is known there is a symbol.
fn counts_are_symbols(rw: &Rewriter<'_>, band: &[OpId]) -> bool {
    let is_top =
        band.first().and_then(|&op| rw.op(op).parent()).is_some_and(|parent| parent.has_trait(&Trait::AffineScope));
    is_top || band.iter().all(|&op| loops::constant_trip_count(loops::view(rw, op)).is_some())
}

fn inner_most(band: &[OpId]) -> OpId {
    band[band.len() - 1]
}

/// Whether the end of a loop from zero is known not to be below that.
fn never_counts_below_zero(of: AffineForOp<'_>) -> bool {
    let affine = of.0.cx().affine();
    let is_size = |value: ValueRef<'_>| own_range(value).is_some_and(|range| !range.smin().is_negative());
    let upper = ValueMap::upper_bound(of);
    let ends_later = upper.is_some_and(|upper| {
        let data = affine.map(upper.map);
        data.results.iter().all(|&end| {
            let symbol = || affine.symbol_position(end).map(|at| at + data.num_dims);
            let input = affine.dim_position(end).or_else(symbol).and_then(|at| upper.operands.get(at as usize));
            affine.constant_value(end).map_or_else(|| input.is_some_and(|&value| is_size(value)), |end| end >= 0)
        })
    });
    ends_later || loops::runs_at_least_once(of)
}

/// How often a loop from zero by one runs, as a value; if not `clamped`, it may be below zero where it does not.
fn count(rw: &mut Rewriter<'_>, op: OpId, clamped: bool, loc: Loc) -> Option<ValueId> {
    let cx = rw.cx();
    let affine = cx.affine();
    let upper = ValueMap::upper_bound(loops::view(rw, op))?;
    let data = affine.map(upper.map);
    let operands: Vec<ValueId> = upper.operands.iter().map(|value| value.id()).collect();
    let (dims, symbols, results) = (data.num_dims, data.num_symbols, data.results.to_vec());
    let is_positive = !clamped || never_counts_below_zero(loops::view(rw, op));
    let least = if let [only] = results[..] {
        if is_positive {
            return Some(apply(rw, affine.intern_map(dims, symbols, [only]), &operands, loc));
        }
        let zero: [AffineExpr; 2] = [affine.constant(0), only];
        return Some(greatest(rw, affine.intern_map(dims, symbols, zero), &operands, loc));
    } else {
        let map = cx.affine_map_attr(affine.intern_map(dims, symbols, results));
        let state = OpState::of::<AffineMinOp<'_>>(loc).operands(operands).attr(cx, "map", map);
        rw.create_value(state.results([cx.index_type()]))
    };
    if is_positive {
        return Some(least);
    }
    let map = affine.intern_map(0, 1, [affine.constant(0), affine.symbol(0)]);
    Some(greatest(rw, map, &[least], loc))
}

fn greatest(rw: &mut Rewriter<'_>, map: dl_ir::affine::AffineMap, operands: &[ValueId], loc: Loc) -> ValueId {
    let cx = rw.cx();
    let state = OpState::of::<AffineMaxOp<'_>>(loc).operands(operands.iter().copied());
    rw.create_value(state.attr(cx, "map", cx.affine_map_attr(map)).results([cx.index_type()]))
}
