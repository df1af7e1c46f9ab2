//! Verifiers.

use dl_ir::interfaces::function::verify_function;
use dl_ir::interfaces::verify_branch;
use dl_ir::{AttrRef, Diagnostic, OpRef, OpView, TypeRef};

use crate::{
    ConstantOp, ExtractValueOp, GEP_DYNAMIC_INDEX, GEPOp, GlobalOp, InsertValueOp, LLVMFuncOp, Linkage, SwitchOp, types,
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
    verify_function(op)
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

pub(crate) fn verify_global(op: OpRef<'_>) -> Verified {
    let view = GlobalOp::wrap(op);
    let ty = view.global_type().as_type();
    if ty.is_some_and(|ty| !types::is_element(ty)) {
        return Err(op.error("expects type to be a valid element type for an LLVM global"));
    }
    if view.value().is_some() && !view.initializer().is_empty() {
        return Err(op.error("cannot have both initializer value and region"));
    }
    if let Some(dl_ir::AttrData::String { value, .. }) = view.value().map(AttrRef::data) {
        let fits = ty.is_some_and(|ty| {
            types::array_parts(ty).is_some_and(|(element, len)| {
                op.cx().ty(element).is_signless_integer_of(8) && len == value.len() as u64
            })
        });
        if !fits {
            return Err(op.error("requires an i8 array type of the length equal to that of the string attribute"));
        }
    }
    if Linkage::from_attr(view.linkage()) == Some(Linkage::Common) && view.constant().is_some() {
        return Err(op.error("expected zero value for 'common' linkage"));
    }
    Ok(())
}

pub(crate) fn verify_constant(op: OpRef<'_>) -> Verified {
    let view = ConstantOp::wrap(op);
    let (value, ty) = (view.value(), view.res().ty());
    if value.is_string() {
        let bytes = types::array_parts(ty).is_some_and(|(e, _)| op.cx().ty(e).is_signless_integer_of(8));
        return if bytes {
            Ok(())
        } else {
            Err(op.error("expected array type of 8-bit integer elements for the string constant"))
        };
    }
    if value.is_integer()
        && !ty.is_signless_integer()
        && !ty.is_float()
        && !types::is_struct(ty)
        && !types::is_array(ty)
    {
        return Err(op.error("expected integer type"));
    }
    if value.is_integer() && ty.is_float() {
        return Err(op.error("expected integer type"));
    }
    if value.is_float() && !types::is_float(ty) && !ty.is_signless_integer() {
        return Err(op.error("expected float type"));
    }
    Ok(())
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
    let values = view.case_values().and_then(|v| v.ty()?.num_elements()).unwrap_or(0);
    if values != cases as u64 {
        return Err(op.error("expects number of case values to match number of case destinations"));
    }
    let weights = view.branch_weights().map(|weights| weights.dense_ints().count());
    if weights.is_some_and(|weights| weights != op.num_successors()) {
        let count = weights.unwrap_or(0);
        return Err(op.error(format_args!(
            "expects number of branch weights to match number of successors: {count} vs {}",
            op.num_successors()
        )));
    }
    verify_branch(op)
}
