//! `func`: arguments, results and calls, callees first.

use dl_func::{CallOp, FuncOp, ReturnOp};
use dl_ir::{Arena, Diagnostic, DialectBuilder, OpId, OpRef, OpState, Type, ValueId, ValueRef};
use smallvec::SmallVec;

use super::cf::{block_aliasing_operands, block_argument_type, bufferize_block_signature};
use super::{Done, access, model};
use crate::bufferize::Bufferizable;
use crate::bufferize::analysis::{Analysis, unknown_aliasing_values};
use crate::bufferize::bufferizer::{Bufferizer, TypeQuery};
use crate::bufferize::functions::{argument_type, returns};
use crate::bufferize::operand::{AliasingOperands, AliasingValue, AliasingValues, Relation};

pub(super) fn attach(builder: &mut DialectBuilder) {
    model::<FuncOp<'_>>(builder, Func);
    model::<CallOp<'_>>(builder, Call);
    model::<ReturnOp<'_>>(builder, Return);
}

/// A function: its arguments and results become buffers.
struct Func;

impl Bufferizable for Func {
    access!(|operand, state| reads: false, writes: false, aliases: AliasingValues::new());

    fn aliasing_operands(&self, value: ValueRef<'_>, _: &Analysis<'_>) -> AliasingOperands {
        block_aliasing_operands(value)
    }

    fn is_writable(&self, value: ValueRef<'_>, _: &Analysis<'_>) -> bool {
        let Some(block) = value.owner_block().filter(|block| block.is_entry()) else { return true };
        let dicts = block.parent_op().and_then(|op| op.attr("arg_attrs"));
        let dict = dicts.and_then(|all| all.elements().nth(value.index()));
        dict.and_then(|d| d.get("bufferization.writable")).and_then(|w| w.as_bool()).unwrap_or(true)
    }

    fn supports_many_blocks(&self) -> bool {
        true
    }

    fn has_tensors(&self, op: OpRef<'_>) -> bool {
        let Some(ty) = op.attr("function_type").and_then(|a| a.as_type()) else { return false };
        let in_signature = ty.inputs().iter().chain(ty.results()).any(|&t| op.cx().ty(t).is_tensor());
        in_signature || op.regions().any(|r| r.blocks().any(|b| b.args().any(|a| a.ty().is_tensor())))
    }

    fn buffer_type(&self, value: ValueRef<'_>, query: &mut TypeQuery<'_>) -> Result<Type, Diagnostic> {
        let Some(block) = value.owner_block() else { return query.unknown_type(value) };
        let Some(func) = block.parent_op() else { return query.unknown_type(value) };
        if !block.is_entry() {
            return block_argument_type(value, query);
        }
        let Some(ty) = func.attr("function_type").and_then(|a| a.as_type()) else { return query.unknown_type(value) };
        let layouts = layouts(func);
        argument_type(value.cx(), query.options(), ty.id(), &layouts, value.index()).map_err(|e| func.error(e))
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let (cx, options, view) = (bz.cx(), bz.options(), bz.rw.op(op));
        let name = view.symbol_name().map(str::to_owned);
        let Some(ty) = view.attr("function_type").and_then(|a| a.as_type()) else { return Ok(()) };
        let ty = cx.ty(ty.id());
        let layouts = layouts(view);
        let is_tensor = |ty: Type| cx.ty(ty).is_tensor();
        let mut inputs: SmallVec<[Type; 4]> = ty.inputs().into();
        for (i, input) in inputs.iter_mut().enumerate().filter(|(_, ty)| is_tensor(**ty)) {
            *input = argument_type(cx, options, ty.id(), &layouts, i).map_err(|e| view.error(e))?;
        }
        let mut results: SmallVec<[Type; 4]> = ty.results().into();
        for result in results.iter_mut().filter(|ty| is_tensor(**ty)) {
            let space = options.memory_space(cx, *result);
            let space = space.ok_or_else(|| view.error("could not infer memory space"))?;
            *result = options.function_type(cx, *result, space);
        }
        for &ty in inputs.iter().chain(&results) {
            cx.check_type(cx.type_data(ty)).map_err(|why| view.error(why))?;
        }
        let blocks: Vec<_> = view.regions().flat_map(|r| r.blocks()).map(|block| block.id()).collect();
        let returns: Vec<OpId> = returns(cx, bz.rw.ir()).into_iter().map(OpRef::id).collect();
        for block in blocks {
            bufferize_block_signature(block, bz)?;
        }
        for op in returns {
            bz.rw.set_insertion_before(op);
            let view = bz.rw.op(op);
            let (loc, values) = (view.loc(), view.operands().ids());
            for (i, (value, &ty)) in values.into_iter().zip(&results).enumerate() {
                if bz.rw.value_type(value).is_tensor() {
                    let buffer = bz.to_buffer(loc, value, ty);
                    bz.rw.set_operand(op, i, buffer);
                }
            }
        }
        let new = cx.function_type(&inputs, &results);
        bz.rw.set_attr(Arena::ROOT, cx.ident("function_type"), cx.type_attr(new));
        if let Some(name) = name {
            bz.set_function_type(&name, new);
        }
        Ok(())
    }
}

/// The layouts that arguments ask for.
fn layouts(func: OpRef<'_>) -> SmallVec<[Option<dl_ir::Attr>; 4]> {
    let dicts = func.attr("arg_attrs").into_iter().flat_map(|all| all.elements());
    dicts.map(|dict| dict.get("bufferization.buffer_layout").map(|layout| layout.id())).collect()
}

/// A call: what it does is what the callee does.
struct Call;

impl Bufferizable for Call {
    access!(|operand, state|
        reads: {
            let summary = state.functions().callee(operand.op).and_then(|f| f.summary.as_ref());
            summary.is_none_or(|s| s.reads.get(operand.index).copied().unwrap_or(true))
        },
        writes: {
            let summary = state.functions().callee(operand.op).and_then(|f| f.summary.as_ref());
            summary.is_none_or(|s| s.writes.get(operand.index).copied().unwrap_or(true))
        },
        aliases: {
            let Some(summary) = state.functions().callee(operand.op).and_then(|f| f.summary.as_ref()) else {
                return unknown_aliasing_values(operand.op);
            };
            let results = summary.aliasing_results.get(operand.index).map_or(&[][..], |results| results);
            let same = match results {
                [only] => summary.equivalent_arg.get(*only).copied().flatten() == Some(operand.index),
                _ => false,
            };
            let relation = if same { Relation::Equivalent } else { Relation::Unknown };
            let alias = |&i: &usize| AliasingValue { value: operand.op.result(i).id(), relation, definite: same };
            results.iter().map(alias).collect()
        },
    );

    fn buffer_type(&self, value: ValueRef<'_>, query: &mut TypeQuery<'_>) -> Result<Type, Diagnostic> {
        let Some(op) = value.defining_op() else { return query.unknown_type(value) };
        let Some(callee) = query.functions().callee(op) else {
            return Err(op.error("unsupported: the callee is not a function of the module"));
        };
        let ty = value.cx().ty(callee.ty).results()[value.index()];
        if value.cx().ty(ty).is_memref() {
            return Ok(ty);
        }
        let space = query.memory_space(value)?;
        Ok(query.options().function_type(value.cx(), ty, space))
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let (cx, view) = (bz.cx(), bz.rw.op(op));
        let Some(callee) = bz.functions().callee(view).cloned() else {
            return Err(view.error("unsupported: the callee is not a function of the module"));
        };
        let (loc, values) = (view.loc(), view.operands().ids());
        let attrs: Vec<_> = view.attrs().map(|(name, attr)| (name, attr.id())).collect();
        let mut results: SmallVec<[Type; 4]> = SmallVec::new();
        for result in view.results().iter() {
            results.push(bz.types().operand_type(result)?);
        }
        let mut operands: SmallVec<[ValueId; 4]> = SmallVec::new();
        for (i, value) in values.into_iter().enumerate() {
            if !bz.rw.value_type(value).is_tensor() {
                operands.push(value);
                continue;
            }
            let buffer = bz.buffer(value)?;
            let mut expected = cx.ty(callee.ty).inputs()[i];
            if !cx.ty(expected).is_memref() {
                let ty = argument_type(cx, bz.options(), callee.ty, &callee.layouts, i);
                expected = ty.map_err(|e| bz.rw.op(op).error(e))?;
            }
            bz.rw.set_insertion_before(op);
            operands.push(bz.cast_or_reallocate(buffer, expected));
        }
        bz.replace_with(op, OpState::of::<CallOp<'_>>(loc).operands(operands).results(results).attrs(attrs));
        Ok(())
    }
}

/// The function sees to the operands.
struct Return;

impl Bufferizable for Return {
    access!(|operand, state| reads: true, writes: false, aliases: AliasingValues::new());

    fn bufferize(&self, _: OpId, _: &mut Bufferizer<'_>) -> Done {
        Ok(())
    }
}
