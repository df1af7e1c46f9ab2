//! `bufferization`: allocations, conversions between tensors and buffers, and copies to a given place.

use dl_bufferization::{AllocTensorOp, DeallocTensorOp, MaterializeInDestinationOp, ToBufferOp, ToTensorOp};
use dl_ir::{Diagnostic, DialectBuilder, Loc, OpId, OpRef, OpState, Rewriter, Type, ValueId, ValueRef};
use smallvec::SmallVec;

use super::{Done, access, insertion, model};
use crate::bufferize::analysis::Analysis;
use crate::bufferize::bufferizer::{Bufferizer, TypeQuery};
use crate::bufferize::layout::identity_layout_type;
use crate::bufferize::operand::{AliasingValues, Operand, equivalent};
use crate::bufferize::{Bufferizable, SubsetInsertion};

pub(super) fn attach(builder: &mut DialectBuilder) {
    model::<AllocTensorOp<'_>>(builder, AllocTensor);
    model::<DeallocTensorOp<'_>>(builder, DeallocTensor);
    model::<ToTensorOp<'_>>(builder, ToTensor);
    model::<ToBufferOp<'_>>(builder, ToBuffer);
    model::<MaterializeInDestinationOp<'_>>(builder, Materialize);
    insertion::<MaterializeInDestinationOp<'_>>(builder, Materialize);
}

/// A new buffer, filled from another one when there is a `copy`.
struct AllocTensor;

impl Bufferizable for AllocTensor {
    access!(|operand, state| reads: true, writes: false, aliases: AliasingValues::new());

    fn result_writes(&self, result: ValueRef<'_>, _: &Analysis<'_>) -> bool {
        result.def::<AllocTensorOp<'_>>().is_some_and(|op| op.copy().is_some())
    }

    fn allocates(&self, _: ValueRef<'_>) -> bool {
        true
    }

    fn buffer_type(&self, value: ValueRef<'_>, query: &mut TypeQuery<'_>) -> Result<Type, Diagnostic> {
        let Some(op) = value.def::<AllocTensorOp<'_>>() else { return query.unknown_type(value) };
        let space = match (op.memory_space(), op.copy()) {
            (Some(space), _) => Some(space.id()),
            (None, Some(copy)) => {
                let ty = query.operand_type(copy)?;
                value.cx().ty(ty).memory_space().map(|space| space.id())
            }
            (None, None) => query.memory_space(value)?,
        };
        Ok(identity_layout_type(value.cx(), value.ty().id(), space))
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let view = bz.rw.op(op);
        let (loc, result) = (view.loc(), view.result(0).id());
        let Some(alloc) = view.cast::<AllocTensorOp<'_>>() else { return Ok(()) };
        if !view.result(0).has_uses() {
            bz.rw.erase(op);
            return Ok(());
        }
        let copy = alloc.copy().map(ValueRef::id);
        let mut sizes: SmallVec<[ValueId; 4]> = alloc.dynamic_sizes().ids();
        let source = copy.map(|copy| bz.buffer(copy)).transpose()?;
        let ty = bz.buffer_type(result)?;
        bz.rw.set_insertion_before(op);
        if let Some(source) = source {
            sizes = bz.dynamic_dims(loc, source, ty);
        }
        let new = bz.alloc(loc, ty, &sizes);
        if let Some(source) = source {
            bz.copy(loc, source, new);
        }
        bz.replace(op, &[new]);
        Ok(())
    }
}

/// Frees the buffer.
struct DeallocTensor;

impl Bufferizable for DeallocTensor {
    access!(|operand, state| reads: false, writes: false, aliases: AliasingValues::new());

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let view = bz.rw.op(op);
        let (loc, tensor) = (view.loc(), view.operand(0).id());
        let buffer = bz.buffer(tensor)?;
        bz.rw.set_insertion_before(op);
        bz.rw.create(OpState::of::<dl_memref::DeallocOp<'_>>(loc).operands([buffer]));
        bz.rw.erase(op);
        Ok(())
    }
}

/// Stays until its pair is found.
struct ToTensor;

impl Bufferizable for ToTensor {
    access!(|operand, state| reads: false, writes: false, aliases: AliasingValues::new());

    fn is_writable(&self, value: ValueRef<'_>, _: &Analysis<'_>) -> bool {
        value.def::<ToTensorOp<'_>>().is_some_and(|op| op.writable().is_some())
    }

    fn buffer_type(&self, value: ValueRef<'_>, query: &mut TypeQuery<'_>) -> Result<Type, Diagnostic> {
        match value.def::<ToTensorOp<'_>>() {
            Some(op) => Ok(op.buffer().ty().id()),
            None => query.unknown_type(value),
        }
    }

    fn bufferize(&self, _: OpId, _: &mut Bufferizer<'_>) -> Done {
        Ok(())
    }
}

/// Stays until its pair is found. What happens to the buffer is not known.
struct ToBuffer;

impl Bufferizable for ToBuffer {
    access!(|operand, state|
        reads: true,
        writes: operand.op.cast::<ToBufferOp<'_>>().is_none_or(|op| op.read_only().is_none()),
        aliases: AliasingValues::new(),
    );

    fn bufferize(&self, _: OpId, _: &mut Bufferizer<'_>) -> Done {
        Ok(())
    }
}

/// A copy of the source to the destination.
struct Materialize;

const SOURCE: usize = 0;
const DEST: usize = 1;

impl Bufferizable for Materialize {
    access!(|operand, state|
        reads: operand.index == SOURCE,
        writes: operand.index == DEST,
        aliases: if operand.index == DEST && operand.op.num_results() == 1 {
            equivalent(operand.op.result(0))
        } else {
            AliasingValues::new()
        },
    );

    fn must_be_in_place(&self, _: Operand<'_>, _: &Analysis<'_>) -> bool {
        true
    }

    fn is_elementwise(&self, _: OpRef<'_>, _: [usize; 2]) -> bool {
        true
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let view = bz.rw.op(op);
        let (loc, source, dest) = (view.loc(), view.operand(SOURCE).id(), view.operand(DEST));
        let (dest, is_tensor) = (dest.id(), dest.ty().is_tensor());
        let dest = if is_tensor { bz.buffer(dest)? } else { dest };
        let source = bz.buffer(source)?;
        bz.rw.set_insertion_before(op);
        bz.copy(loc, source, dest);
        bz.replace(op, if is_tensor { std::slice::from_ref(&dest) } else { &[] });
        Ok(())
    }
}

impl SubsetInsertion for Materialize {
    fn source(&self, _: OpRef<'_>) -> usize {
        SOURCE
    }

    fn dest(&self, _: OpRef<'_>) -> usize {
        DEST
    }

    fn is_equivalent_subset(
        &self,
        op: OpRef<'_>,
        candidate: ValueRef<'_>,
        equivalent: &dyn Fn(ValueRef<'_>, ValueRef<'_>) -> bool,
    ) -> bool {
        equivalent(op.operand(DEST), candidate)
    }

    fn values_needed(&self, op: OpRef<'_>) -> Vec<ValueId> {
        vec![op.operand(DEST).id()]
    }

    /// A destination that is a buffer becomes a tensor there, once: only one value may be the only way to a buffer.
    fn extract(&self, op: OpId, rw: &mut Rewriter<'_>, loc: Loc) -> Option<ValueId> {
        let cx = rw.cx();
        let materialize = rw.op(op).cast::<MaterializeInDestinationOp<'_>>()?;
        let dest = materialize.dest();
        if dest.ty().is_tensor() {
            return Some(dest.id());
        }
        materialize.restrict()?;
        let (shape, element) = (dest.ty().shape()?, dest.ty().element_type()?);
        let (dest, ty) = (dest.id(), cx.tensor_type(shape, element.id()));
        let state = OpState::of::<ToTensorOp<'_>>(loc)
            .operands([dest])
            .results([ty])
            .attr(cx, "restrict", cx.unit_attr())
            .attr(cx, "writable", cx.unit_attr());
        rw.remove_attr(op, cx.ident("restrict"));
        Some(rw.create_value(state))
    }
}
