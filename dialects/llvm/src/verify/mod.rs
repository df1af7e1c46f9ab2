//! Verifiers.

mod atomic;
mod blocks;
mod call;
mod cast;
mod constant;
mod data_layout;
mod initializer;
mod parameter_attrs;
mod structors;

pub(crate) use atomic::{verify_cmpxchg, verify_fence, verify_load, verify_rmw, verify_store};
pub(crate) use blocks::{BlockAddress, verify_blocktag, verify_func_body, verify_module_flags};
pub(crate) use call::{verify_bundles, verify_call, verify_call_intrinsic, verify_invoke};
pub(crate) use cast::{verify_bitcast, verify_extension};
pub(crate) use constant::verify_constant;
pub(crate) use initializer::{
    Comdat, LocalEquivalent, Resolver, verify_alias, verify_alias_initializer, verify_comdat, verify_global,
    verify_global_initializer, verify_ifunc,
};
pub use parameter_attrs::may_have_parameter_attr;
pub(crate) use parameter_attrs::verify_signature_attr;
pub(crate) use structors::{Structors, verify_ctors, verify_dtors};

use dl_ir::interfaces::function::verify_function;
use dl_ir::interfaces::verify_branch;
use dl_ir::{AttrRef, Diagnostic, OpRef, OpView, TypeRef};

use crate::{
    AllocaOp, ExtractValueOp, GEP_DYNAMIC_INDEX, GEPNoWrapFlags, GEPOp, InlineAsmOp, InsertValueOp, LLVMFuncOp,
    Linkage, ShuffleVectorOp, SwitchOp, TailCallKind, types,
};

type Verified = Result<(), Diagnostic>;

/// Declarations are external or weak; the rest is that of all functions.
pub(crate) fn verify_func(op: OpRef<'_>) -> Verified {
    let view = LLVMFuncOp::wrap(op);
    let linkage = Linkage::from_attr(view.linkage());
    if linkage == Some(Linkage::Common) {
        return Err(op.error("functions cannot have 'common' linkage"));
    }
    if view.is_declaration() && !matches!(linkage, Some(Linkage::External | Linkage::ExternWeak)) {
        return Err(op.error("external functions must have 'external' or 'extern_weak' linkage"));
    }
    if view.no_inline().is_some() && view.always_inline().is_some() {
        return Err(Diagnostic::error(op.loc(), "no_inline and always_inline attributes are incompatible"));
    }
    if view.optimize_none().is_some() && view.no_inline().is_none() {
        return Err(op.error("with optimize_none must also be no_inline"));
    }
    verify_function(op)
}

/// What a linker is told concerns a whole module.
pub(crate) fn verify_linker_options(op: OpRef<'_>) -> Verified {
    let is_in_module = op.parent().is_some_and(|parent| parent.name() == "builtin.module");
    if is_in_module { Ok(()) } else { Err(op.error("must appear at the module level")) }
}

/// Attributes of this dialect on operations of any dialect.
pub(crate) fn verify_attr(op: OpRef<'_>, name: &str, attr: AttrRef<'_>) -> Verified {
    if name != "llvm.data_layout" {
        return Ok(());
    }
    let Some(text) = attr.as_str() else {
        return Err(op.error("expected 'llvm.data_layout' to be a string attributes"));
    };
    data_layout::check(text).map_err(|why| op.error(format_args!("invalid data layout descriptor: {why}")))
}

pub(crate) fn verify_return(op: OpRef<'_>) -> Verified {
    let Some(parent) = op.parent().and_then(OpRef::cast::<LLVMFuncOp<'_>>) else { return Ok(()) };
    let Some(expected) =
        parent.function_type().as_type().and_then(types::func_parts).map(|(result, ..)| op.cx().ty(result))
    else {
        return Ok(());
    };
    let at = |error: Diagnostic| error.note(parent.0.loc(), "when returning from function");
    if types::is_void(expected) {
        return if op.num_operands() == 0 { Ok(()) } else { Err(at(op.error("expected no operands"))) };
    }
    if op.num_operands() == 0 {
        return Err(at(op.error("expected 1 operand")));
    }
    if op.operand(0).ty() != expected {
        return Err(at(op.error("mismatching result types")));
    }
    Ok(())
}

/// What is allocated can be in memory.
pub(crate) fn verify_alloca(op: OpRef<'_>) -> Verified {
    let stored = AllocaOp::wrap(op).elem_type().as_type();
    if stored.is_none_or(types::is_storable_target) {
        return Ok(());
    }
    Err(op.error("this target extension type cannot be used in alloca"))
}

/// The result holds the sine and the cosine, each of the type of the angle.
pub(crate) fn verify_sincos(op: OpRef<'_>) -> Verified {
    let (angle, result) = (op.operand(0).ty(), op.result(0).ty());
    if types::struct_members(result).is_some_and(|members| members[..] == [angle.id(); 2]) {
        return Ok(());
    }
    Err(op.error(format_args!(
        "expected result type to be an homogeneous struct with two elements matching the operand type, but got '{result}'"
    )))
}

/// The type at `position`, or why there is none.
fn member<'c>(op: OpRef<'_>, container: TypeRef<'c>, position: &[i64]) -> Result<TypeRef<'c>, Diagnostic> {
    let cx = container.cx();
    position.iter().try_fold(container, |ty, &index| match types::element_at(cx, ty.id(), &[index]) {
        Some(inner) => Ok(cx.ty(inner)),
        None if types::is_array(ty) || types::is_struct(ty) => {
            Err(op.error(format_args!("position out of bounds: {index}")))
        }
        None => Err(op.error(format_args!("expected LLVM IR structure/array type, got: '{ty}'"))),
    })
}

/// There is a mode, and it is a valid one.
pub(crate) fn verify_rounding(op: OpRef<'_>) -> Verified {
    if op.attr("roundingmode").and_then(AttrRef::as_int).is_some_and(|mode| mode >= 0) {
        return Ok(());
    }
    Err(op.error("attribute 'roundingmode' failed to satisfy constraint: LLVM Rounding Mode whose minimum value is 0"))
}

pub(crate) fn verify_insert_value(op: OpRef<'_>) -> Verified {
    let view = InsertValueOp::wrap(op);
    let position: Vec<i64> = view.position().dense_ints().collect();
    let (expected, given) = (member(op, view.container().ty(), &position)?, view.value().ty());
    if expected != given {
        return Err(op.error(format_args!("Type mismatch: cannot insert '{given}' into '{}'", view.container().ty())));
    }
    Ok(())
}

pub(crate) fn verify_extract_value(op: OpRef<'_>) -> Verified {
    let view = ExtractValueOp::wrap(op);
    let position: Vec<i64> = view.position().dense_ints().collect();
    let (expected, given) = (member(op, view.container().ty(), &position)?, view.res().ty());
    if expected != given {
        return Err(op.error(format_args!(
            "Type mismatch: extracting from '{}' should produce '{expected}' but this op returns '{given}'",
            view.container().ty()
        )));
    }
    Ok(())
}

/// One element of the result for each of the mask. The pretty form leaves the type of the result out.
pub(crate) fn verify_shuffle(op: OpRef<'_>) -> Verified {
    let view = ShuffleVectorOp::wrap(op);
    let (source, result) = (view.v1().ty(), view.res().ty());
    let is_scalable = source.scalable_dims().contains(&true);
    if is_scalable && view.mask().dense_ints().any(|index| index != 0) {
        return Err(op.error("expected a splat operation for scalable vectors"));
    }
    let expected = i64::try_from(view.mask().dense_ints().count()).ok().and_then(|len| source.with_shape(&[len]));
    match expected {
        Some(expected) if expected != result.id() => {
            let expected = op.cx().ty(expected);
            Err(op.error(format_args!("expected a result of type '{expected}' for this mask, but got '{result}'")))
        }
        _ => Ok(()),
    }
}

/// Indices of structs are constants and in range.
pub(crate) fn verify_gep(op: OpRef<'_>) -> Verified {
    let view = GEPOp::wrap(op);
    let indices: Vec<i64> = view.raw_constant_indices().dense_ints().collect();
    let dynamic = indices.iter().filter(|&&n| n == i64::from(GEP_DYNAMIC_INDEX)).count();
    if dynamic != view.dynamic_indices().len() {
        return Err(op.error(format_args!(
            "expected as many dynamic indices as specified in 'rawConstantIndices': {dynamic}, got {}",
            view.dynamic_indices().len()
        )));
    }
    if GEPNoWrapFlags::from_attr(view.no_wrap_flags()) == Some(GEPNoWrapFlags::INBOUNDS_FLAG) {
        return Err(op.error("'inbounds_flag' cannot be used directly."));
    }
    let Some(mut ty) = view.elem_type().as_type() else { return Ok(()) };
    for (i, &index) in indices.iter().enumerate().skip(1) {
        if let Some(members) = types::struct_members(ty) {
            if index == i64::from(GEP_DYNAMIC_INDEX) {
                return Err(op.error(format_args!("expected index {i} indexing a struct to be constant")));
            }
            let member = usize::try_from(index).ok().and_then(|index| members.get(index).copied());
            let Some(member) = member else {
                return Err(op.error(format_args!("index {i} indexing a struct is out of bounds")));
            };
            ty = op.cx().ty(member);
        } else if let Some((element, _)) = types::array_parts(ty) {
            ty = op.cx().ty(element);
        } else if let Some(element) = ty.element_type().filter(|_| ty.is_vector()) {
            ty = element;
        } else {
            return Err(op.error(format_args!("type '{ty}' cannot be indexed (index #{i})")));
        }
    }
    Ok(())
}

pub(crate) fn verify_switch(op: OpRef<'_>) -> Verified {
    let view = SwitchOp::wrap(op);
    let cases = op.num_successors() - 1;
    let element = view.case_values().and_then(|values| values.ty()?.element_type());
    if element.is_some_and(|element| element != view.value().ty()) {
        return Err(Diagnostic::error(op.loc(), "expects case value type to match condition value type"));
    }
    let values = view.case_values().and_then(|v| v.ty()?.num_elements()).unwrap_or(0);
    if values != cases as u64 {
        return Err(op.error("expects number of case values to match number of case destinations"));
    }
    verify_groups(op, cases, "case_operand_segments")?;
    verify_branch(op)
}

pub(crate) fn verify_indirectbr(op: OpRef<'_>) -> Verified {
    verify_groups(op, op.num_successors(), "indbr_operand_segments")?;
    verify_branch(op)
}

/// The attribute `sizes` divides operands among so many `successors`; that they are as many as it says is verified for all attributes of this kind.
fn verify_groups(op: OpRef<'_>, successors: usize, sizes: &str) -> Verified {
    let groups = op.attr(sizes).into_iter().flat_map(AttrRef::dense_ints).count();
    if groups != successors {
        return Err(op.error(format_args!(
            "expects a size in attribute '{sizes}' for each of {successors} successors, but there are {groups}"
        )));
    }
    Ok(())
}

/// In a function with a personality, with clauses that are constants, or for clean-up.
pub(crate) fn verify_landingpad(op: OpRef<'_>) -> Verified {
    let fail = |message: String| Err(Diagnostic::error(op.loc(), message));
    if let Some(function) = op.parent().and_then(OpRef::cast::<LLVMFuncOp<'_>>)
        && function.personality().is_none()
    {
        return fail("llvm.landingpad needs to be in a function with a personality".to_owned());
    }
    if op.attr("cleanup").is_none() && op.num_operands() == 0 {
        return fail("landingpad instruction expects at least one clause or cleanup attribute".to_owned());
    }
    (0..op.num_operands()).try_for_each(|index| blocks::verify_landingpad_clause(op, index))
}

/// There is no function whose frame could be reused.
pub(crate) fn verify_inline_asm(op: OpRef<'_>) -> Verified {
    match TailCallKind::from_attr(InlineAsmOp::wrap(op).tail_call_kind()) {
        Some(TailCallKind::MustTail) => Err(op.error("tail call kind 'musttail' is not supported by this operation")),
        _ => Ok(()),
    }
}

/// The type has a value whose bits are all zero.
pub(crate) fn verify_zero(op: OpRef<'_>) -> Verified {
    let ty = op.result(0).ty();
    if ty.is_dialect_type("llvm.target") && !types::has_zero(ty) {
        return Err(op.error("target extension type does not support zero-initializer"));
    }
    Ok(())
}

/// A load or conversion that promises something of the memory behind its result has a pointer for one.
pub(crate) fn verify_dereferenceable(op: OpRef<'_>) -> Verified {
    let promises = op.attr("dereferenceable").is_some();
    if promises && !op.results().get(0).is_some_and(|result| types::is_ptr(result.ty())) {
        return Err(op.error("expected op to return a single LLVM pointer type"));
    }
    Ok(())
}

/// One pointer for each element of what is read or written.
fn verify_pointers(op: OpRef<'_>, pointers: usize, data: TypeRef<'_>) -> Verified {
    let given = op.operand(pointers).ty();
    let Some(element) = given.element_type() else { return Ok(()) };
    let expected = data.with_element(element.id());
    if expected == given.id() {
        return Ok(());
    }
    Err(op.error(format_args!("expected operand #{} type to be '{}'", pointers + 1, op.cx().ty(expected))))
}

pub(crate) fn verify_gather(op: OpRef<'_>) -> Verified {
    verify_pointers(op, 0, op.result(0).ty())
}

pub(crate) fn verify_scatter(op: OpRef<'_>) -> Verified {
    verify_pointers(op, 1, op.operand(0).ty())
}
