//! What definitions do not say about valid operations.

use dl_ir::attributes::AttrData;
use dl_ir::{Diagnostic, OpRef, TypeRef};

/// A value that the result type can hold: a signless integer, a float, or elements.
pub(crate) fn constant(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let Some(value) = op.constant_value() else { return Ok(()) };
    let ty = op.result(0).ty();
    if ty.is_integer() && !ty.is_signless_integer() {
        return Err(op.error("integer return type must be signless"));
    }
    let strings = matches!(value.data(), AttrData::DenseStrings { .. });
    if !(value.is_integer() || value.is_float() || value.is_elements() || strings) {
        return Err(op.error("value must be an integer, float, or elements attribute"));
    }
    if ty.is_scalable_vector() && !value.is_splat() {
        return Err(op.error(
            "intializing scalable vectors with elements attribute is not supported unless it's a vector splat",
        ));
    }
    Ok(())
}

/// A vector or tensor is chosen from element by element or as a whole.
pub(crate) fn select(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (condition, result) = (op.operand(0).ty(), op.result(0).ty());
    if condition.is_signless_integer_of(1) {
        return Ok(());
    }
    if !(result.is_tensor() || result.is_vector()) {
        return Err(op.error(format_args!("expected condition to be a signless i1, but got {condition}")));
    }
    let shaped = condition.with_element(result.element_or_self().id());
    if shaped != result.id() {
        let expected = result.with_element(op.cx().i1_type());
        return Err(op.error(format_args!(
            "expected condition type to have the same shape as the result type, expected '{}', but got '{condition}'",
            op.cx().ty(expected)
        )));
    }
    Ok(())
}

/// Whether a value of type `from` converts to `to` by an operation of a kind that `allows` their element types.
fn cast(op: OpRef<'_>, allows: impl Fn(TypeRef<'_>, TypeRef<'_>) -> bool) -> Result<(), Diagnostic> {
    let (from, to) = (op.operand(0).ty(), op.result(0).ty());
    if from.encoding() == to.encoding() && allows(from.element_or_self(), to.element_or_self()) {
        return Ok(());
    }
    Err(op.error(format_args!("operand type '{from}' and result type '{to}' are cast incompatible")))
}

pub(crate) fn wider_int(op: OpRef<'_>) -> Result<(), Diagnostic> {
    cast(op, |from, to| from.int_width().zip(to.int_width()).is_some_and(|(from, to)| from < to))
}

pub(crate) fn narrower_int(op: OpRef<'_>) -> Result<(), Diagnostic> {
    cast(op, |from, to| from.int_width().zip(to.int_width()).is_some_and(|(from, to)| from > to))
}

fn float_width(ty: TypeRef<'_>) -> Option<u32> {
    ty.float_kind().map(dl_ir::FloatKind::width)
}

pub(crate) fn wider_float(op: OpRef<'_>) -> Result<(), Diagnostic> {
    cast(op, |from, to| float_width(from).zip(float_width(to)).is_some_and(|(from, to)| from < to))
}

pub(crate) fn narrower_float(op: OpRef<'_>) -> Result<(), Diagnostic> {
    cast(op, |from, to| float_width(from).zip(float_width(to)).is_some_and(|(from, to)| from > to))
}

pub(crate) fn int_to_float(op: OpRef<'_>) -> Result<(), Diagnostic> {
    cast(op, |from, to| from.is_integer() && to.is_float())
}

pub(crate) fn float_to_int(op: OpRef<'_>) -> Result<(), Diagnostic> {
    cast(op, |from, to| from.is_float() && to.is_integer())
}

/// One side is `index`, the other an integer type.
pub(crate) fn index_cast(op: OpRef<'_>) -> Result<(), Diagnostic> {
    cast(op, |from, to| (from.is_index() && to.is_signless_integer()) || (from.is_signless_integer() && to.is_index()))
}

/// Both sides have one number of bits.
pub(crate) fn bitcast(op: OpRef<'_>) -> Result<(), Diagnostic> {
    cast(op, |from, to| from.int_or_float_width().is_some() && from.int_or_float_width() == to.int_or_float_width())
}

/// Operand and scale convert to a wider float.
pub(crate) fn scaling_wider(op: OpRef<'_>) -> Result<(), Diagnostic> {
    scaling(op, |from, to| from < to)
}

/// Operand and scale convert to a narrower float.
pub(crate) fn scaling_narrower(op: OpRef<'_>) -> Result<(), Diagnostic> {
    scaling(op, |from, to| from > to)
}

fn scaling(op: OpRef<'_>, allows: impl Fn(u32, u32) -> bool) -> Result<(), Diagnostic> {
    let (from, scale, to) = (op.operand(0).ty(), op.operand(1).ty(), op.result(0).ty());
    let widths = float_width(from.element_or_self()).zip(float_width(to.element_or_self()));
    if widths.is_some_and(|(from, to)| allows(from, to)) {
        return Ok(());
    }
    Err(op.error(format_args!("operand types '{from}', '{scale}' and result type '{to}' are cast incompatible")))
}
