//! What the definitions do not say.

use dl_ir::{Diagnostic, OpRef, TypeRef};

/// Two numbers of the element type.
pub(crate) fn constant(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let parts: Vec<_> = op.attr("value").into_iter().flat_map(|value| value.elements()).collect();
    let [re, im] = parts[..] else {
        return Err(op.error("requires 'value' to be a complex constant, represented as array of two values"));
    };
    let is_number = |part: dl_ir::AttrRef<'_>| part.is_float() || part.is_integer();
    let (true, true, Some(re), Some(im)) = (is_number(re), is_number(im), re.ty(), im.ty()) else {
        return Err(op.error("requires attribute's elements to be float or integer attributes"));
    };
    match op.result(0).ty().element_type() {
        Some(element) if re != element || im != element => Err(op.error(format_args!(
            "requires attribute's element types ('{re}', '{im}') to match the element type of the op's return type ('{element}')"
        ))),
        _ => Ok(()),
    }
}

/// A complex number on one side at least, and the same number of bits on both.
pub(crate) fn bitcast(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (from, to) = (op.operand(0).ty(), op.result(0).ty());
    let is_scalar = |ty: TypeRef<'_>| ty.is_integer() || ty.is_float() || ty.is_complex();
    if !is_scalar(from) {
        return Err(op.error("operand must be int/float/complex"));
    }
    if !is_scalar(to) {
        return Err(op.error("result must be int/float/complex"));
    }
    if from == to {
        return Ok(());
    }
    if !from.is_complex() && !to.is_complex() {
        return Err(op.error("requires that either input or output has a complex type"));
    }
    if bits(from) == bits(to) { Ok(()) } else { Err(op.error("casting bitwidths do not match")) }
}

fn bits(ty: TypeRef<'_>) -> Option<u64> {
    let element = ty.element_type().filter(|_| ty.is_complex());
    let parts = if element.is_some() { 2 } else { 1 };
    Some(u64::from(element.unwrap_or(ty).int_or_float_width()?) * parts)
}
