//! Two buffers in the place of one.

use dl_affine::compose::canonical;
use dl_affine::dma_parts;
use dl_ir::affine::AffineMap;
use dl_ir::{AttrRef, OpId, OpState, Rewriter, ValueId};
use dl_memref::{AllocOp, DeallocOp};

use crate::access::is_store;
use crate::loops;

/// Puts a buffer of twice the size, around the loop, in the place of `old`, which only the loop uses. Iterations take its halves in turn.
pub(super) fn double(rw: &mut Rewriter<'_>, op: OpId, old: ValueId) {
    let (cx, loc, ty) = (rw.cx(), rw.op(op).loc(), rw.value_type(old));
    let shape: Vec<i64> = std::iter::once(2).chain(ty.shape().into_iter().flatten().copied()).collect();
    let made = cx.memref_type_with(&shape, ty.element_or_self().id(), None, ty.memory_space().map(AttrRef::id));
    rw.set_insertion_before(op);
    let new = rw.create_value(OpState::of::<AllocOp<'_>>(loc).operand_segments(cx, &[0, 0]).results([made]));
    rw.set_insertion_after(op);
    rw.create(OpState::of::<DeallocOp<'_>>(loc).operands([new]));
    let users: Vec<OpId> = rw.value(old).uses().map(|(user, _)| user.id()).collect();
    for user in users {
        if rw.op(user).is::<DeallocOp<'_>>() {
            rw.erase(user);
        } else {
            redirect(rw, op, user, old, new);
        }
    }
    if let Some(maker) = rw.ir().defining_op(old) {
        rw.erase(maker);
    }
}

/// Makes `user`, in the loop, use the half of `new` that belongs to the iteration where it used `old`.
fn redirect(rw: &mut Rewriter<'_>, of: OpId, user: OpId, old: ValueId, new: ValueId) {
    while let Some((at, name, map)) = position(rw, user, old) {
        let (cx, affine) = (rw.cx(), rw.cx().affine());
        let data = affine.map(map);
        let (dims, symbols) = (data.num_dims, data.num_symbols);
        let turn = affine.floordiv(affine.dim(0), affine.constant(loops::step(loops::view(rw, of))));
        let half = affine.modulo(turn, affine.constant(2));
        let indices = data.results.iter().map(|&index| affine.shift_dims_in_expr(index, 1, 0));
        let map = affine.intern_map(dims + 1, symbols, std::iter::once(half).chain(indices).collect::<Vec<_>>());
        let variable = loops::variable(rw, of);
        let operands: Vec<ValueId> = rw.ir().operands(user).collect();
        let (before, rest) = operands.split_at(at + 1);
        let (indices, after) = rest.split_at((dims + symbols) as usize);
        let all = std::iter::once(variable).chain(indices.iter().copied()).map(|value| rw.value(value));
        let (map, indices) = canonical(rw.op(user), map, all.collect::<Vec<_>>().into_iter());
        let mut operands = before.to_vec();
        operands[at] = new;
        operands.extend(indices.iter().map(|value| value.id()));
        operands.extend_from_slice(after);
        rw.set_operands(user, &operands);
        rw.set_attr(user, cx.ident(name), cx.affine_map_attr(map));
    }
}

/// Which operand of `op` is the buffer, and the map of its indices, with its name.
fn position(rw: &Rewriter<'_>, op: OpId, buffer: ValueId) -> Option<(usize, &'static str, AffineMap)> {
    let view = rw.op(op);
    if let Some((positions, _)) = dma_parts(view) {
        let found = positions.iter().find(|position| position.memref.id() == buffer)?;
        return Some((found.at, found.map_name, found.map));
    }
    let at = usize::from(is_store(view));
    let map = view.attr("map").and_then(AttrRef::as_affine_map)?;
    (view.operand(at).id() == buffer).then_some((at, "map", map))
}
