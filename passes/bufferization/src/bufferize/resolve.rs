//! Copies in the tensor world: an operand that cannot be in place becomes the result of a `bufferization.alloc_tensor`.

use dl_bufferization::AllocTensorOp;
use dl_ir::{DYNAMIC, Diagnostic, Loc, OpId, OpRef, OpState, Rewriter, ValueId};
use smallvec::SmallVec;

use super::analysis::Analysis;
use super::bufferizer::TypeQuery;
use super::operand::Operand;

/// Inserts copies for the operands of `op` that are not in place. Where the operation only makes one alias of the operand, the
/// alias is copied instead: it may be smaller.
pub fn resolve_operands(op: OpId, rw: &mut Rewriter<'_>, state: &Analysis<'_>) -> Result<(), Diagnostic> {
    let view = rw.op(op);
    let loc = view.loc();
    let mut operands = SmallVec::<[(usize, bool); 4]>::new();
    let mut values = SmallVec::<[(ValueId, bool); 4]>::new();
    for operand in Operand::tensors(view).filter(|&operand| !state.is_in_place(operand)) {
        if operand.value().ty().is_unranked_tensor() {
            return Err(view.error("copying of unranked tensors is not implemented"));
        }
        let copy = !state.can_omit_copy(operand);
        let aliases = state.aliasing_values(operand);
        let only_alias = match &aliases[..] {
            [alias] if rw.ir().defining_op(alias.value).is_some() && !state.writes(operand) => {
                let value = rw.value(alias.value);
                let alone = state.aliasing_operands(value).len() == 1 && !value.ty().is_unranked_tensor();
                alone.then_some(alias.value)
            }
            _ => None,
        };
        match only_alias {
            Some(value) => values.push((value, copy)),
            None => operands.push((operand.index, copy)),
        }
    }
    for (index, copy) in operands {
        rw.set_insertion_before(op);
        let value = rw.op(op).operand(index).id();
        let new = allocate_like(rw, state, value, loc, copy)?;
        rw.set_operand(op, index, new);
    }
    for (value, copy) in values {
        rw.set_insertion_after(op);
        let users: SmallVec<[(OpId, usize); 8]> = rw.ir().uses(value).collect();
        let new = allocate_like(rw, state, value, loc, copy)?;
        for (user, index) in users {
            rw.set_operand(user, index, new);
        }
    }
    Ok(())
}

/// A new tensor of the type of `value` at the insertion point, with its contents or without.
pub fn allocate_like(
    rw: &mut Rewriter<'_>,
    state: &Analysis<'_>,
    value: ValueId,
    loc: Loc,
    copy: bool,
) -> Result<ValueId, Diagnostic> {
    let cx = rw.cx();
    let ty = rw.value_type(value);
    if !ty.is_ranked_tensor() {
        return Err(Diagnostic::error(loc, "copying of unranked tensors is not implemented"));
    }
    let sizes = if copy { SmallVec::new() } else { dynamic_sizes(rw, value, loc) };
    let mut new = OpState::of::<AllocTensorOp<'_>>(loc).operands(sizes.iter().copied()).results([ty.id()]);
    let mut segments = [sizes.len(), 0, 0];
    if copy {
        new = new.operands([value]);
        segments[1] = 1;
    } else {
        let mut query = TypeQuery::new(cx, rw.ir(), state.options(), state.functions());
        let buffer = query.buffer_type(rw.value(value))?;
        new = new.maybe_attr(cx, "memory_space", cx.ty(buffer).memory_space().map(|space| space.id()));
    }
    Ok(rw.create_value(new.operand_segments(cx, &segments)))
}

/// The dynamic extents of the tensor `value` as values at the insertion point: those that its definition was given where it
/// says them, `tensor.dim` operations elsewhere.
pub fn dynamic_sizes(rw: &mut Rewriter<'_>, value: ValueId, loc: Loc) -> SmallVec<[ValueId; 4]> {
    let cx = rw.cx();
    let shape = rw.value_type(value).shape().unwrap_or_default();
    if !shape.contains(&DYNAMIC) {
        return SmallVec::new();
    }
    if let Some(sizes) = sizes_of_definition(rw.value(value).defining_op()) {
        return sizes;
    }
    let dynamic = shape.iter().enumerate().filter(|(_, extent)| **extent == DYNAMIC);
    dynamic
        .map(|(i, _)| {
            let index = dl_arith::constant_index(rw, i as i64, loc);
            let state = OpState::of::<dl_tensor::DimOp<'_>>(loc).operands([value, index]);
            rw.create_value(state.results([cx.index_type()]))
        })
        .collect()
}

/// The operands that give the dynamic extents of what `op` makes.
fn sizes_of_definition(op: Option<OpRef<'_>>) -> Option<SmallVec<[ValueId; 4]>> {
    let op = op?;
    if let Some(empty) = op.cast::<dl_tensor::EmptyOp<'_>>() {
        return Some(empty.dynamic_sizes().ids());
    }
    if let Some(slice) = op.cast::<dl_tensor::ExtractSliceOp<'_>>() {
        let same_rank = slice.source().ty().rank() == op.result(0).ty().rank();
        return same_rank.then(|| slice.sizes().ids());
    }
    let alloc = op.cast::<AllocTensorOp<'_>>()?;
    alloc.copy().is_none().then(|| alloc.dynamic_sizes().ids())
}
