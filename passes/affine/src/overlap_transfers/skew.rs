//! Starting some operations of a loop one iteration ahead.

use dl_affine::compose::compose;
use dl_affine::{AffineForOp, ForBound, dma_parts};
use dl_ir::affine::AffineMap;
use dl_ir::walk::ops_in_arena;
use dl_ir::{InsertPoint, Mapping, OpId, Rewriter, ValueId, clone_op};

use crate::loops::{self, ValueMap};

/// More operations than this are not copied: loops in loops double them each time.
const MOST_OPS: usize = 1 << 12;

/// The lower bound, and how far the last iteration is from the first.
pub(super) struct Ends {
    lower: ForBound,
    distance: i64,
}

impl Ends {
    /// Those of a loop that is known to run more than once, and that is small enough to be copied in part.
    pub(super) fn of(each: AffineForOp<'_>) -> Option<Self> {
        let count = i64::try_from(loops::constant_trip_count(each)?).ok().filter(|&count| count > 1)?;
        let lower = ValueMap::lower_bound(each)?.to_bound();
        let is_single = each.0.cx().affine().map(lower.map).results.len() == 1;
        let is_small = ops_in_arena(each.0.arena(), each.0.id()).len() <= MOST_OPS;
        let distance = (count - 1).checked_mul(loops::step(each))?;
        (is_single && is_small).then_some(Self { lower, distance })
    }
}

/// Does `starts`, transfers whose places follow from the induction variable alone, for the first iteration before the loop, and for the others in
/// the iteration before. The rest of the last iteration then stands after the loop.
pub(super) fn start_early(rw: &mut Rewriter<'_>, op: OpId, starts: &[OpId], ends: &Ends) {
    let (variable, step, loc) = (loops::variable(rw, op), loops::step(loops::view(rw, op)), rw.op(op).loc());
    let (block, end) = (loops::body(rw, op), loops::terminator(rw, op));
    for &start in starts {
        compose_indices(rw, start);
    }
    rw.set_insertion_before(op);
    let first = at_distance(rw, &ends.lower, 0, op);
    let mut mapping = Mapping::new();
    mapping.map(variable, first);
    for &start in starts {
        clone_op(rw, start, &mut mapping);
    }
    let rest: Vec<OpId> = rw.ir().block_ops(block).filter(|each| *each != end && !starts.contains(each)).collect();
    rw.set_insertion_after(op);
    let last = at_distance(rw, &ends.lower, ends.distance, op);
    let mut mapping = Mapping::new();
    mapping.map(variable, last);
    for &each in &rest {
        clone_op(rw, each, &mut mapping);
    }
    let affine = rw.cx().affine();
    for &start in starts {
        let before = rest.first().copied().or(Some(end));
        rw.move_to(start, InsertPoint { block, before });
    }
    rw.set_insertion_point(Some(InsertPoint { block, before: rest.first().copied().or(Some(end)) }));
    let previous = loops::apply(rw, loops::shift_map(affine, -step), &[variable], loc);
    let maker = rw.ir().defining_op(previous);
    rw.replace_uses_if(variable, previous, |user, _| {
        let id = Some(user.id());
        id != maker && !starts.iter().any(|&start| Some(start) == id)
    });
    let lower = ForBound { map: moved(rw, ends.lower.map, step), operands: ends.lower.operands.clone() };
    loops::set_lower_bound(rw, op, &lower);
    loops::promote_single_iteration(rw, op);
}

/// `bound` plus `distance`, as a value at the insertion point, before or after `op`.
fn at_distance(rw: &mut Rewriter<'_>, bound: &ForBound, distance: i64, op: OpId) -> ValueId {
    let loc = rw.op(op).loc();
    let map = moved(rw, bound.map, distance);
    let affine = rw.cx().affine();
    match affine.constant_results(map).as_deref() {
        Some(&[constant]) => dl_arith::constant_index(rw, constant, loc),
        _ if map == affine.identity_map(1) => bound.operands[0],
        _ => loops::apply(rw, map, &bound.operands, loc),
    }
}

/// `map` plus `by`.
fn moved(rw: &Rewriter<'_>, map: AffineMap, by: i64) -> AffineMap {
    let affine = rw.cx().affine();
    affine.with_results(
        map,
        affine.map(map).results.iter().map(|&each| affine.add_constant(each, by)).collect::<Vec<_>>(),
    )
}

/// Makes the places of a transfer depend on no `affine.apply`.
fn compose_indices(rw: &mut Rewriter<'_>, op: OpId) {
    let cx = rw.cx();
    let view = rw.op(op);
    let Some((positions, numbers)) = dma_parts(view) else { return };
    let (mut operands, mut maps) = (Vec::new(), Vec::new());
    for position in positions {
        let (map, indices) = compose(view, position.map, position.indices.iter());
        operands.push(position.memref.id());
        operands.extend(indices.iter().map(|value| value.id()));
        maps.push((position.map_name, map));
    }
    operands.extend(numbers.iter().map(|value| value.id()));
    rw.set_operands(op, &operands);
    for (name, map) in maps {
        rw.set_attr(op, cx.ident(name), cx.affine_map_attr(map));
    }
}
