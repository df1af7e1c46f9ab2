//! Calls of functions that take parameters for their results.

use dl_func::CallOp;
use dl_ir::{Arena, Context, Diagnostic, Diagnostics, OpId, OpState, OpView, Rewriter, Type, ValueId};
use dl_memref::{AllocOp, CastOp};
use rustc_hash::FxHashMap;

use super::{Changed, all};

/// Changes the calls of one arena. Of functions in `known` the changed ones have what callers need to know.
pub(super) fn change(
    cx: &Context,
    ir: &mut Arena,
    known: &FxHashMap<String, Option<Changed>>,
    errors: &mut Diagnostics,
) {
    for op in all::<CallOp<'_>>(cx, ir) {
        let mut rw = Rewriter::new(cx, ir);
        if let Err(error) = change_call(&mut rw, op, known) {
            errors.push(error);
        }
    }
}

fn change_call(rw: &mut Rewriter<'_>, op: OpId, known: &FxHashMap<String, Option<Changed>>) -> Result<(), Diagnostic> {
    let (cx, call) = (rw.cx(), CallOp::wrap(rw.op(op)));
    let (loc, callee) = (call.0.loc(), call.callee());
    let name = callee.as_flat_symbol().unwrap_or_default();
    let Some(function) = known.get(name) else {
        return Err(Diagnostic::error(loc, format!("cannot find callee '@{name}' in symbol table")));
    };
    let Some(changed) = function else { return Ok(()) };
    let (callee, mut operands) = (callee.id(), call.0.operands().ids());
    let args = operands.clone();
    let results = call.0.results();
    let results: Vec<ValueId> = results.iter().map(|result| result.id()).collect();
    let (memrefs, kept): (Vec<ValueId>, Vec<ValueId>) =
        results.iter().partition(|&&result| rw.value_type(result).is_ranked_memref());
    rw.set_insertion_before(op);
    for (i, &memref) in memrefs.iter().enumerate() {
        let ty = rw.value_type(memref);
        let sizes = changed.sizes.get(i).and_then(Option::as_ref);
        if !ty.has_static_shape() && sizes.is_none() {
            return Err(Diagnostic::error(loc, "cannot create out param for dynamically shaped result"));
        }
        let sizes: Vec<ValueId> = sizes.into_iter().flatten().filter_map(|&at| args.get(at).copied()).collect();
        let (shape, element) = (ty.shape().unwrap_or(&[]), ty.element_or_self().id());
        let space = ty.memory_space().map(|space| space.id());
        let plain = cx.memref_type_with(shape, element, None, space);
        let state = OpState::of::<AllocOp<'_>>(loc).operand_segments(cx, &[sizes.len(), 0]).operands(sizes);
        let mut param = rw.create_value(state.results([plain]));
        if plain != ty.id() {
            param = rw.create_value(OpState::of::<CastOp<'_>>(loc).operands([param]).results([ty.id()]));
        }
        rw.replace_all_uses(memref, param);
        operands.push(param);
    }
    let types: Vec<Type> = kept.iter().map(|&result| rw.ir().value_type(result)).collect();
    let state = OpState::of::<CallOp<'_>>(loc).operands(operands).results(types).attr(cx, "callee", callee);
    let new = rw.create(state);
    let new: Vec<ValueId> = rw.ir().results(new).collect();
    for (old, new) in kept.into_iter().zip(new) {
        rw.replace_all_uses(old, new);
    }
    rw.erase(op);
    Ok(())
}
