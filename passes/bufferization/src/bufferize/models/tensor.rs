//! `tensor`: the operations that look at tensors, or see them as another type.

use dl_ir::{Diagnostic, DialectBuilder, OpId, OpState, Type, TypeData, ValueId, ValueRef};
use dl_tensor::{CastOp, DimOp, EmptyOp, ExtractOp, InsertOp, RankOp};
use smallvec::SmallVec;

use super::linalg::{is_init, tied};
use super::{Done, access, model};
use crate::bufferize::Bufferizable;
use crate::bufferize::analysis::Analysis;
use crate::bufferize::bufferizer::{Bufferizer, TypeQuery};
use crate::bufferize::layout::dynamic_layout_type;
use crate::bufferize::operand::{AliasingValues, equivalent};
use crate::bufferize::resolve::allocate_like;

pub(super) fn attach(builder: &mut DialectBuilder) {
    model::<EmptyOp<'_>>(builder, Empty);
    model::<DimOp<'_>>(builder, Dim);
    model::<RankOp<'_>>(builder, Rank);
    model::<CastOp<'_>>(builder, Cast);
    model::<ExtractOp<'_>>(builder, Extract);
    model::<InsertOp<'_>>(builder, Insert);
}

/// A new tensor of the type of the result of `op`, its contents unspecified, before `op`.
pub(super) fn new_tensor(op: OpId, bz: &mut Bufferizer<'_>) -> Result<ValueId, Diagnostic> {
    let view = bz.rw.op(op);
    let (cx, options, loc, result) = (bz.cx(), bz.options(), view.loc(), view.result(0).id());
    bz.rw.set_insertion_before(op);
    let functions = bz.functions().clone();
    let state = Analysis::without_facts(cx, options, &functions);
    allocate_like(&mut bz.rw, &state, result, loc, false)
}

/// A tensor without contents.
struct Empty;

impl Bufferizable for Empty {
    access!(|operand, state| reads: false, writes: false, aliases: AliasingValues::new());

    fn result_writes(&self, _: ValueRef<'_>, _: &Analysis<'_>) -> bool {
        false
    }

    fn allocates(&self, _: ValueRef<'_>) -> bool {
        true
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        if !bz.rw.op(op).result(0).has_uses() {
            bz.rw.erase(op);
            return Ok(());
        }
        let new = new_tensor(op, bz)?;
        bz.rw.replace(op, &[new]);
        Ok(())
    }
}

/// An extent: nothing is read of the contents.
struct Dim;

impl Bufferizable for Dim {
    access!(|operand, state| reads: false, writes: false, aliases: AliasingValues::new());

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let view = bz.rw.op(op);
        let (loc, tensor, index, ty) =
            (view.loc(), view.operand(0).id(), view.operand(1).id(), view.result(0).ty().id());
        let buffer = bz.buffer(tensor)?;
        bz.replace_with(op, OpState::of::<dl_memref::DimOp<'_>>(loc).operands([buffer, index]).results([ty]));
        Ok(())
    }
}

/// The number of dimensions: nothing is read of the contents.
struct Rank;

impl Bufferizable for Rank {
    access!(|operand, state| reads: false, writes: false, aliases: AliasingValues::new());

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let view = bz.rw.op(op);
        let (loc, tensor, ty) = (view.loc(), view.operand(0).id(), view.result(0).ty().id());
        let buffer = bz.buffer(tensor)?;
        bz.replace_with(op, OpState::of::<dl_memref::RankOp<'_>>(loc).operands([buffer]).results([ty]));
        Ok(())
    }
}

/// The same buffer with more or less known of its shape.
struct Cast;

impl Bufferizable for Cast {
    access!(|operand, state| reads: false, writes: false, aliases: equivalent(operand.op.result(0)));

    fn buffer_type(&self, value: ValueRef<'_>, query: &mut TypeQuery<'_>) -> Result<Type, Diagnostic> {
        let cx = value.cx();
        let Some(op) = value.defining_op() else { return query.unknown_type(value) };
        let source = query.operand_type(op.operand(0))?;
        let space = cx.ty(source).memory_space().map(|space| space.id());
        match (cx.type_data(source), value.ty().shape(), value.ty().element_type()) {
            (TypeData::MemRef { layout, .. }, Some(shape), Some(element)) => {
                Ok(cx.memref_type_with(shape, element.id(), *layout, space))
            }
            _ => Ok(dynamic_layout_type(cx, value.ty().id(), space)),
        }
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let view = bz.rw.op(op);
        let (loc, source, result) = (view.loc(), view.operand(0).id(), view.result(0).id());
        let buffer = bz.buffer(source)?;
        let ty = bz.buffer_type(result)?;
        if bz.rw.value_type(buffer) == ty {
            bz.replace(op, &[buffer]);
        } else {
            bz.replace_with(op, OpState::of::<dl_memref::CastOp<'_>>(loc).operands([buffer]).results([ty]));
        }
        Ok(())
    }
}

/// One element is loaded.
struct Extract;

impl Bufferizable for Extract {
    access!(|operand, state| reads: true, writes: false, aliases: AliasingValues::new());

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let view = bz.rw.op(op);
        let (loc, ty, operands) = (view.loc(), view.result(0).ty().id(), view.operands().ids());
        let buffer = bz.buffer(operands[0])?;
        let state =
            OpState::of::<dl_memref::LoadOp<'_>>(loc).operands([buffer]).operands(operands[1..].iter().copied());
        bz.replace_with(op, state.results([ty]));
        Ok(())
    }
}

/// One element is stored.
struct Insert;

impl Bufferizable for Insert {
    access!(|operand, state| reads: true, writes: is_init(operand), aliases: tied(operand));

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let view = bz.rw.op(op);
        let (loc, operands) = (view.loc(), view.operands().ids());
        let buffer = bz.buffer(operands[1])?;
        let indices: SmallVec<[ValueId; 4]> = operands[2..].into();
        bz.rw.set_insertion_before(op);
        bz.rw.create(OpState::of::<dl_memref::StoreOp<'_>>(loc).operands([operands[0], buffer]).operands(indices));
        bz.replace(op, &[buffer]);
        Ok(())
    }
}
