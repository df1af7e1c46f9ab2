//! `vector`: transfers between tensors and vectors, and masks around them.

use dl_ir::{AttrRef, Diagnostic, DialectBuilder, OpId, OpRef, OpState, Rewriter, Type, ValueId, ValueRef};
use dl_vector::{GatherOp, MaskOp, ScatterOp, TransferReadOp, TransferWriteOp, YieldOp};
use smallvec::SmallVec;

use super::linalg::{is_init, tied};
use super::{Done, access, model};
use crate::bufferize::Bufferizable;
use crate::bufferize::analysis::Analysis;
use crate::bufferize::bufferizer::{Bufferizer, TypeQuery};
use crate::bufferize::operand::{AliasingOperand, AliasingOperands, AliasingValues, Operand, Relation, equivalent};
use crate::bufferize::resolve::resolve_operands;

pub(super) fn attach(builder: &mut DialectBuilder) {
    model::<TransferReadOp<'_>>(builder, Read);
    model::<GatherOp<'_>>(builder, Read);
    model::<ScatterOp<'_>>(builder, Scatter);
    model::<TransferWriteOp<'_>>(builder, TransferWrite);
    model::<MaskOp<'_>>(builder, Mask);
    model::<YieldOp<'_>>(builder, Yield);
}

/// Operation `op` with its tensor operand replaced by `buffer` and no tensor results.
fn on_buffer(op: OpRef<'_>, at: usize, buffer: ValueId) -> OpState {
    let mut operands = op.operands().ids();
    operands[at] = buffer;
    let attrs: Vec<_> = op.attrs().map(|(name, attr)| (name, attr.id())).collect();
    let results = op.results().iter().filter(|r| !r.ty().is_tensor()).map(|r| r.ty().id());
    OpState::new(op.name_id(), op.loc()).operands(operands).attrs(attrs).results(results.collect::<Vec<_>>())
}

/// Elements are read, of a slice or one by one.
struct Read;

const READ_BASE: usize = 0;

impl Bufferizable for Read {
    access!(|operand, state| reads: true, writes: false, aliases: AliasingValues::new());

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let buffer = bz.buffer(bz.rw.op(op).operand(READ_BASE).id())?;
        let state = on_buffer(bz.rw.op(op), READ_BASE, buffer);
        bz.replace_with(op, state);
        Ok(())
    }
}

/// A slice is written.
struct TransferWrite;

const WRITE_BASE: usize = 1;

/// Whether something of the tensor is left as it was: not when the vector covers all of it.
fn leaves_something(op: OpRef<'_>) -> bool {
    let Some(write) = op.cast::<TransferWriteOp<'_>>() else { return true };
    let is_masked = write.mask().is_some() || op.parent().is_some_and(|parent| parent.is::<MaskOp<'_>>());
    let at_start = write.indices().iter().all(|index| index.constant().and_then(AttrRef::as_int) == Some(0));
    let affine = op.cx().affine();
    let in_order = write.permutation_map().as_affine_map().is_some_and(|map| affine.is_identity(map));
    let (Some(shape), Some(sizes)) = (write.base().ty().shape(), write.value_to_store().ty().shape()) else {
        return true;
    };
    let covered =
        shape.len() == sizes.len() && shape.iter().zip(sizes).all(|(&extent, &size)| extent >= 0 && extent <= size);
    is_masked || !at_start || !in_order || !covered
}

impl Bufferizable for TransferWrite {
    access!(|operand, state|
        reads: operand.index != WRITE_BASE || leaves_something(operand.op),
        writes: is_init(operand),
        aliases: tied(operand),
    );

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let buffer = bz.buffer(bz.rw.op(op).operand(WRITE_BASE).id())?;
        bz.rw.set_insertion_before(op);
        let state = on_buffer(bz.rw.op(op), WRITE_BASE, buffer);
        bz.rw.create(state);
        bz.replace(op, &[buffer]);
        Ok(())
    }
}

/// Elements are written one by one.
struct Scatter;

const SCATTER_BASE: usize = 0;

impl Bufferizable for Scatter {
    access!(|operand, state| reads: true, writes: true, aliases: equivalent(operand.op.result(0)));

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let buffer = bz.buffer(bz.rw.op(op).operand(SCATTER_BASE).id())?;
        bz.rw.set_insertion_before(op);
        let state = on_buffer(bz.rw.op(op), SCATTER_BASE, buffer);
        bz.rw.create(state);
        bz.replace(op, &[buffer]);
        Ok(())
    }
}

/// One operation under a mask. What it yields as a tensor is a buffer from outside.
struct Mask;

/// The terminator of a mask.
fn yielding(mask: OpRef<'_>) -> Option<OpRef<'_>> {
    mask.region(0).entry()?.last_op()
}

/// The operation under the mask, if it may be bufferized.
fn masked<'a>(mask: OpRef<'a>, bz: &Bufferizer<'_>) -> Option<OpRef<'a>> {
    let masked = mask.region(0).entry()?.first_op()?;
    bz.options().allows(masked).then_some(masked)
}

impl Bufferizable for Mask {
    access!(|operand, state| reads: false, writes: false, aliases: AliasingValues::new());

    fn aliasing_operands(&self, value: ValueRef<'_>, _: &Analysis<'_>) -> AliasingOperands {
        let end = value.defining_op().and_then(yielding);
        let alias = |end| AliasingOperand {
            operand: Operand::new(end, value.index()).id(),
            relation: Relation::Equivalent,
            definite: true,
        };
        end.map(alias).into_iter().collect()
    }

    fn resolve_conflicts(&self, op: OpId, rw: &mut Rewriter<'_>, state: &Analysis<'_>) -> Done {
        let inner = rw.op(op).region(0).entry().and_then(|block| block.first_op());
        let needs_copy = |inner| Operand::tensors(inner).any(|operand| !state.is_in_place(operand));
        if inner.is_some_and(needs_copy) {
            // A mask holds one operation: there is no room for a copy.
            return Err(rw.op(op).error("body must bufferize in-place"));
        }
        resolve_operands(op, rw, state)
    }

    fn buffer_type(&self, value: ValueRef<'_>, query: &mut TypeQuery<'_>) -> Result<Type, Diagnostic> {
        match value.defining_op().and_then(yielding) {
            Some(end) => query.operand_type(end.operand(value.index())),
            None => query.unknown_type(value),
        }
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let view = bz.rw.op(op);
        if masked(view, bz).is_none() {
            return Ok(());
        }
        let Some(end) = yielding(view) else { return Ok(()) };
        let (kept, moved): (Vec<ValueRef<'_>>, Vec<ValueRef<'_>>) =
            end.operands().iter().partition(|v| v.defining_op().is_some_and(|def| def.parent() == Some(view)));
        let types: Vec<Type> = kept.iter().map(|v| v.ty().id()).collect();
        let kept: Vec<ValueId> = kept.iter().map(|v| v.id()).collect();
        let moved: Vec<ValueId> = moved.iter().map(|v| v.id()).collect();
        let order: Vec<ValueId> = end.operands().iter().map(|v| v.id()).collect();
        let (end, loc, operands) = (end.id(), view.loc(), view.operands().ids());
        let attrs: Vec<_> = view.attrs().map(|(name, attr)| (name, attr.id())).collect();
        let from = view.region(0).id();
        bz.rw.set_operands(end, &kept);
        let region = bz.rw.new_region();
        bz.rw.move_blocks(from, region, None);
        bz.rw.set_insertion_before(op);
        let state = OpState::of::<MaskOp<'_>>(loc).operands(operands).attrs(attrs).results(types).region(region);
        let new = bz.rw.create(state);
        let mut results = bz.rw.ir().results(new).collect::<Vec<_>>().into_iter();
        let values: SmallVec<[ValueId; 2]> =
            order.into_iter().filter_map(|v| if moved.contains(&v) { Some(v) } else { results.next() }).collect();
        bz.replace(op, &values);
        Ok(())
    }
}

/// What the operation under a mask makes.
struct Yield;

impl Bufferizable for Yield {
    access!(|operand, state|
        reads: true,
        writes: false,
        aliases: match operand.op.parent() {
            Some(mask) if mask.is::<MaskOp<'_>>() => equivalent(mask.result(operand.index)),
            _ => AliasingValues::new(),
        },
    );

    fn must_be_in_place(&self, _: Operand<'_>, _: &Analysis<'_>) -> bool {
        true
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let view = bz.rw.op(op);
        let Some(mask) = view.parent().filter(|parent| parent.is::<MaskOp<'_>>()) else {
            return Err(Diagnostic::error(view.loc(), "unsupported vector.yield parent"));
        };
        if masked(mask, bz).is_none() {
            return Ok(());
        }
        for (index, value) in view.operands().ids().into_iter().enumerate() {
            if bz.rw.value_type(value).is_tensor() {
                let buffer = bz.buffer(value)?;
                bz.rw.set_operand(op, index, buffer);
            }
        }
        Ok(())
    }
}
