//! `arith`: constants become globals, `select` selects a buffer.

use dl_arith::{ConstantOp, IndexCastOp, IndexCastUIOp, SelectOp};
use dl_ir::{DialectBuilder, OpId, OpState, Type, ValueRef};
use dl_memref::GetGlobalOp;

use super::{Done, access, model};
use crate::bufferize::analysis::Analysis;
use crate::bufferize::bufferizer::{Bufferizer, TypeQuery};
use crate::bufferize::layout::{dynamic_layout_type, identity_layout_type};
use crate::bufferize::operand::{AliasingValue, Relation, equivalent};
use crate::bufferize::{Bufferizable, operand::AliasingValues};

pub(super) fn attach(builder: &mut DialectBuilder) {
    model::<ConstantOp<'_>>(builder, Constant);
    model::<SelectOp<'_>>(builder, Select);
    model::<IndexCastOp<'_>>(builder, Cast);
    model::<IndexCastUIOp<'_>>(builder, Cast);
}

/// A constant tensor is a read-only global.
struct Constant;

impl Bufferizable for Constant {
    access!(|operand, state| reads: false, writes: false, aliases: AliasingValues::new());

    fn is_writable(&self, _: ValueRef<'_>, _: &Analysis<'_>) -> bool {
        false
    }

    fn buffer_type(&self, value: ValueRef<'_>, query: &mut TypeQuery<'_>) -> Result<Type, dl_ir::Diagnostic> {
        Ok(identity_layout_type(value.cx(), value.ty().id(), query.memory_space(value)?))
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let (cx, view) = (bz.cx(), bz.rw.op(op));
        let (loc, value) = (view.loc(), view.attr("value").map(|value| value.id()));
        if bz.types().memory_space(view.result(0))?.is_some() {
            return Err(view.error("memory space not implemented yet"));
        }
        let Some((name, ty)) = value.and_then(|value| bz.global(value, loc)) else {
            return Err(bz.rw.op(op).error("unsupported: only ranked tensor constants become globals"));
        };
        let state = OpState::of::<GetGlobalOp<'_>>(loc).attr(cx, "name", cx.symbol_ref_attr(&name)).results([ty]);
        bz.replace_with(op, state);
        Ok(())
    }
}

/// A choice of one of two buffers.
struct Select;

impl Bufferizable for Select {
    access!(|operand, state|
        reads: false,
        writes: false,
        aliases: {
            let value = operand.op.result(0).id();
            smallvec::smallvec![AliasingValue { value, relation: Relation::Equivalent, definite: false }]
        },
    );

    fn buffer_type(&self, value: ValueRef<'_>, query: &mut TypeQuery<'_>) -> Result<Type, dl_ir::Diagnostic> {
        let Some(op) = value.defining_op() else { return query.unknown_type(value) };
        let (a, b) = (query.operand_type(op.operand(1))?, query.operand_type(op.operand(2))?);
        if a == b {
            return Ok(a);
        }
        let space = value.cx().ty(a).memory_space();
        if space != value.cx().ty(b).memory_space() {
            return Err(op.error("inconsistent memory space on true/false operands"));
        }
        Ok(dynamic_layout_type(value.cx(), value.ty().id(), space.map(|space| space.id())))
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let view = bz.rw.op(op);
        let (loc, condition) = (view.loc(), view.operand(0));
        if !condition.ty().is_signless_integer_of(1) {
            return Err(view.error("only i1 condition values are supported"));
        }
        let (condition, a, b) = (condition.id(), view.operand(1).id(), view.operand(2).id());
        let result = view.result(0).id();
        let (mut a, mut b) = (bz.buffer(a)?, bz.buffer(b)?);
        let ty = bz.rw.value_type(a);
        if ty != bz.rw.value_type(b) {
            let ty = bz.buffer_type(result)?;
            bz.rw.set_insertion_before(op);
            for buffer in [&mut a, &mut b] {
                if bz.rw.value_type(*buffer) != ty {
                    *buffer = bz.cast(loc, *buffer, ty);
                }
            }
        }
        let ty = bz.rw.value_type(a).id();
        bz.replace_with(op, OpState::of::<SelectOp<'_>>(loc).operands([condition, a, b]).results([ty]));
        Ok(())
    }
}

/// A cast of each element between `index` and an integer type.
struct Cast;

impl Bufferizable for Cast {
    access!(|operand, state| reads: false, writes: false, aliases: equivalent(operand.op.result(0)));

    fn buffer_type(&self, value: ValueRef<'_>, query: &mut TypeQuery<'_>) -> Result<Type, dl_ir::Diagnostic> {
        let Some(op) = value.defining_op() else { return query.unknown_type(value) };
        let source = query.operand_type(op.operand(0))?;
        let element = value.ty().element_or_self().id();
        Ok(value.cx().ty(source).with_element(element))
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let view = bz.rw.op(op);
        let (loc, name, source) = (view.loc(), view.name_id(), view.operand(0).id());
        let element = view.result(0).ty().element_or_self().id();
        let buffer = bz.buffer(source)?;
        let ty = bz.rw.value_type(buffer).with_element(element);
        bz.replace_with(op, OpState::new(name, loc).operands([buffer]).results([ty]));
        Ok(())
    }
}
