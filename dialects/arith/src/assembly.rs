//! Pretty forms that no format describes, and names of results.

use dl_ir::opdef::name_hash;
use dl_ir::text::{AsmPrinter, OpParser, Parsed, type_text};
use dl_ir::{OpRef, OpState};

/// Names constants after their value: `%true`, `%c42`, `%c-1_i32`, and `%cst` where it is not one integer.
pub(crate) fn constant_name(op: OpRef<'_>, name: &mut dyn FnMut(usize, &str)) {
    let integer = op.constant_value().and_then(|value| Some((value.as_ap_int()?, value.ty()?)));
    let Some((value, ty)) = integer else { return name(0, "cst") };
    if ty.is_integer_of(1) {
        return name(0, if value.is_zero() { "false" } else { "true" });
    }
    let mut text = String::with_capacity(24);
    text.push('c');
    value.write_signed(&mut text);
    if ty.is_integer() {
        text.push('_');
        text.push_str(&type_text(op.cx(), ty.id()));
    }
    name(0, &text);
}

/// The operation that `arith` does not know, by the hash of its name.
const SCALE: u64 = name_hash("vector.vscale");

/// `%c8_vscale` for the product of a constant and `vector.vscale`.
pub(crate) fn product_names(op: OpRef<'_>, name: &mut dyn FnMut(usize, &str)) {
    let is_scale = |index: usize| op.operand(index).defining_op().is_some_and(|op| op.info().hash() == SCALE);
    let constant = match (is_scale(0), is_scale(1)) {
        (true, false) => op.operand(1),
        (false, true) => op.operand(0),
        _ => return,
    };
    let value = constant.constant().and_then(|value| value.as_ap_int());
    if let Some(value) = value {
        let mut text = "c".to_owned();
        value.write_signed(&mut text);
        text.push_str("_vscale");
        name(0, &text);
    }
}

/// `%sum, %overflow`.
pub(crate) fn sum_names(_: OpRef<'_>, name: &mut dyn FnMut(usize, &str)) {
    name(0, "sum");
    name(1, "overflow");
}

/// `%low, %high`.
pub(crate) fn half_names(_: OpRef<'_>, name: &mut dyn FnMut(usize, &str)) {
    name(0, "low");
    name(1, "high");
}

/// `%condition, %true, %false : type`, and the type of the condition before it where that is not `i1`.
pub(crate) fn parse_select(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let condition = p.parse_operand()?;
    p.parse_comma()?;
    let yes = p.parse_operand()?;
    p.parse_comma()?;
    let no = p.parse_operand()?;
    p.parse_optional_attr_dict(state)?;
    let mut ty = p.parse_colon_type()?;
    let mut condition_ty = p.cx().i1_type();
    if p.parse_optional_comma() {
        condition_ty = ty;
        ty = p.parse_type()?;
    }
    p.resolve_operand(condition, condition_ty, state)?;
    p.resolve_operands(&[yes, no], ty, state)?;
    state.results.push(ty);
    Ok(())
}

pub(crate) fn print_select(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    p.text(" ");
    p.operands(op.operands().iter());
    p.attr_dict(op, &[]);
    p.text(" : ");
    let condition = op.operand(0).ty();
    if condition.is_shaped() {
        p.ty(condition.id());
        p.text(", ");
    }
    p.ty(op.result(0).ty().id());
}
