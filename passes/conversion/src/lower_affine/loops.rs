//! Loops and conditions.

use dl_affine::expand::{Inputs, expand_expr, expand_map};
use dl_affine::{AffineForOp, AffineIfOp, AffineParallelOp, AffineYieldOp};
use dl_arith::{AndIOp, AtomicRMWKind, CmpIPredicate, MaxSIOp, MinSIOp};
use dl_ir::affine::AffineMap;
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{AttrRef, OpDefinition, OpId, OpState, RegionId, Rewriter, Type, ValueId};
use smallvec::SmallVec;

use super::access::{map_of, reduce, view};
use crate::reductions::{combine, identity};
use dl_arith::Build;

/// A new region that takes the blocks of `region`.
fn take_region(rw: &mut Rewriter<'_>, region: RegionId) -> RegionId {
    let new = rw.new_region();
    rw.move_blocks(region, new, None);
    new
}

/// The extremum of the results of `map`: a bound of a loop. `None` for a map without results.
fn bound<T: OpDefinition>(b: &mut Build<'_, '_>, map: AffineMap, operands: &[ValueId]) -> Option<ValueId> {
    let values = expand_map(b, map, operands);
    reduce::<T>(b, &values)
}

pub(super) fn lower_for(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let affine: AffineForOp<'_> = view(rw.op(op))?;
    let (lower, upper) = (map_of(affine.lower_bound_map())?, map_of(affine.upper_bound_map())?);
    let (lower_operands, upper_operands) = (affine.lower_bound_operands().ids(), affine.upper_bound_operands().ids());
    let step = affine.step().as_int().ok_or(NoMatch("the step is no integer"))?;
    let (inits, types, region) = (affine.inits().ids(), affine.0.results().types(), affine.region().id());
    let maps = rw.cx().affine();
    if maps.map(lower).results.is_empty() || maps.map(upper).results.is_empty() {
        return Err(NoMatch("a bound map without results"));
    }

    let loc = affine.0.loc();
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let lower = bound::<MaxSIOp<'_>>(&mut b, lower, &lower_operands);
    let upper = bound::<MinSIOp<'_>>(&mut b, upper, &upper_operands);
    let step = b.constant_index(step);
    let region = take_region(rw, region);
    let bounds = lower.into_iter().chain(upper).chain([step]);
    let state = OpState::of::<dl_scf::ForOp<'_>>(loc).operands(bounds).operands(inits).results(types).region(region);
    rw.replace_with(op, state);
    Ok(())
}

pub(super) fn lower_if(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let affine: AffineIfOp<'_> = view(rw.op(op))?;
    let set = affine.condition().as_integer_set().ok_or(NoMatch("the condition is no integer set"))?;
    let (operands, types, loc) = (affine.operands().ids(), affine.0.results().types(), affine.0.loc());
    let (then_region, else_region) = (affine.then_region().id(), affine.else_region().id());

    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let data = b.cx().affine().set(set);
    let inputs = Inputs::split(&operands, data.num_dims);
    let zero = b.constant_index(0);
    let mut condition = None;
    for constraint in &data.constraints {
        let value = expand_expr(&mut b, constraint.expr, inputs);
        let predicate = if constraint.is_equality { CmpIPredicate::Eq } else { CmpIPredicate::Sge };
        let holds = b.compare(predicate, value, zero);
        condition = Some(match condition {
            Some(others) => b.same::<AndIOp<'_>>(&[others, holds]),
            None => holds,
        });
    }
    let condition = condition.unwrap_or_else(|| b.constant(b.cx().bool_attr(true), b.cx().i1_type()));
    let (then_region, else_region) = (take_region(rw, then_region), take_region(rw, else_region));
    let state = OpState::of::<dl_scf::IfOp<'_>>(loc).operands([condition]).results(types);
    rw.replace_with(op, state.region(then_region).region(else_region));
    Ok(())
}

/// Ends `scf` operations with `scf.yield`, a parallel loop with an empty `scf.reduce`.
pub(super) fn lower_yield(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let affine: AffineYieldOp<'_> = view(rw.op(op))?;
    let parent = affine.0.parent().ok_or(NoMatch("a yield in no operation"))?;
    let state = if parent.is::<dl_scf::ParallelOp<'_>>() {
        OpState::of::<dl_scf::ReduceOp<'_>>(affine.0.loc())
    } else if parent.info().dialect() == "scf" {
        OpState::of::<dl_scf::YieldOp<'_>>(affine.0.loc()).operands(affine.operands().ids())
    } else {
        return Err(NoMatch("the operation around it has not been lowered"));
    };
    rw.replace_with(op, state);
    Ok(())
}

/// The bounds of a parallel loop: for each dimension the part of `map` that bounds it.
fn bound_groups(rw: &Rewriter<'_>, map: AttrRef<'_>, groups: AttrRef<'_>) -> Result<Vec<AffineMap>, NoMatch> {
    let affine = rw.cx().affine();
    let map = map_of(map)?;
    let sizes = groups.dense_values().ok_or(NoMatch("bound groups are no integers"))?;
    let mut maps = Vec::with_capacity(sizes.len());
    let mut start = 0_u32;
    for size in sizes {
        let size = size.as_int().and_then(|n| u32::try_from(n).ok()).filter(|&n| n > 0);
        let end = size.and_then(|n| start.checked_add(n)).ok_or(NoMatch("a bound group is empty"))?;
        let positions: Vec<u32> = (start..end).collect();
        maps.push(affine.sub_map(map, &positions).ok_or(NoMatch("bound groups do not fit the map"))?);
        start = end;
    }
    Ok(maps)
}

pub(super) fn lower_parallel(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let affine: AffineParallelOp<'_> = view(rw.op(op))?;
    let lower = bound_groups(rw, affine.lower_bounds_map(), affine.lower_bounds_groups())?;
    let upper = bound_groups(rw, affine.upper_bounds_map(), affine.upper_bounds_groups())?;
    let steps: SmallVec<[i64; 4]> = affine.steps().elements().filter_map(AttrRef::as_int).collect();
    if lower.len() != upper.len() || lower.len() != steps.len() {
        return Err(NoMatch("bounds and steps of different numbers"));
    }
    let kinds: Option<SmallVec<[AtomicRMWKind; 2]>> =
        affine.reductions().elements().map(AtomicRMWKind::from_attr).collect();
    let kinds = kinds.ok_or(NoMatch("an unknown reduction"))?;
    let (types, operands, loc) = (affine.0.results().types(), affine.map_operands().ids(), affine.0.loc());
    let identities: Option<SmallVec<[_; 2]>> =
        kinds.iter().zip(&types).map(|(&kind, &ty)| identity(rw.cx(), kind, ty)).collect();
    let identities = identities.ok_or(NoMatch("a reduction without an identity"))?;
    let num_lower = rw.cx().affine().map(map_of(affine.lower_bounds_map())?).num_inputs() as usize;
    let (region, yield_op) = (affine.region().id(), affine.region().entry().and_then(dl_ir::BlockRef::last_op));
    let yield_op = yield_op.ok_or(NoMatch("a loop without terminator"))?.id();
    let (lower_operands, upper_operands) = operands.split_at(num_lower);

    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let (mut starts, mut ends) = (SmallVec::<[ValueId; 4]>::new(), SmallVec::<[ValueId; 4]>::new());
    for (&lower, &upper) in lower.iter().zip(&upper) {
        starts.extend(bound::<MaxSIOp<'_>>(&mut b, lower, lower_operands));
        ends.extend(bound::<MinSIOp<'_>>(&mut b, upper, upper_operands));
    }
    let steps: SmallVec<[ValueId; 4]> = steps.iter().map(|&step| b.constant_index(step)).collect();
    let inits: SmallVec<[ValueId; 4]> =
        identities.iter().zip(&types).map(|(&value, &ty)| b.constant(value, ty)).collect();
    let cx = b.cx();
    let sizes = [starts.len(), ends.len(), steps.len(), inits.len()];
    if !kinds.is_empty() {
        reduce_yielded(rw, yield_op, &kinds, &types);
    }
    let region = take_region(rw, region);
    rw.set_insertion_before(op);
    let state = OpState::of::<dl_scf::ParallelOp<'_>>(loc)
        .operands(starts.into_iter().chain(ends).chain(steps).chain(inits))
        .operand_segments(cx, &sizes)
        .results(types)
        .region(region);
    rw.replace_with(op, state);
    Ok(())
}

/// Replaces a yield by the reduction of what it yields.
fn reduce_yielded(rw: &mut Rewriter<'_>, yield_op: OpId, kinds: &[AtomicRMWKind], types: &[Type]) {
    let (loc, values) = (rw.op(yield_op).loc(), rw.op(yield_op).operands().ids());
    let mut state = OpState::of::<dl_scf::ReduceOp<'_>>(loc).operands(values);
    let mut blocks = SmallVec::<[_; 2]>::new();
    for &ty in types {
        let region = rw.new_region();
        blocks.push(rw.append_block(region, &[ty, ty]));
        state = state.region(region);
    }
    for (block, &kind) in blocks.into_iter().zip(kinds) {
        rw.set_insertion_to_end(block);
        let args: SmallVec<[ValueId; 2]> = rw.block(block).args().map(dl_ir::ValueRef::id).collect();
        let combined = combine(&mut Build::new(rw, loc), kind, args[0], args[1]);
        rw.create(OpState::of::<dl_scf::ReduceReturnOp<'_>>(loc).operands([combined]));
    }
    rw.replace_with(yield_op, state);
}
