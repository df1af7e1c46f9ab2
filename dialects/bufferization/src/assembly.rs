//! `bufferization.alloc_tensor(%size) copy(%tensor) size_hint=%n {attributes} : type`.

use dl_ir::text::{AsmPrinter, Delimiter, OpParser, Parsed};
use dl_ir::{OpRef, OpState};

use crate::AllocTensorOp;

pub(crate) fn parse_alloc_tensor(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    let sizes = p.parse_operand_list(Delimiter::Paren)?;
    let mut copy = None;
    if p.parse_optional_keyword("copy") {
        p.parse_l_paren()?;
        copy = Some(p.parse_operand()?);
        p.parse_r_paren()?;
    }
    let mut hint = None;
    if p.parse_optional_keyword("size_hint") {
        p.parse_equal()?;
        hint = Some(p.parse_operand()?);
    }
    p.parse_optional_attr_dict(state)?;
    let ty = p.parse_colon_type()?;
    state.results.push(ty);
    let index = cx.index_type();
    p.resolve_operands(&sizes, index, state)?;
    if let Some(copy) = copy {
        p.resolve_operand(copy, ty, state)?;
    }
    if let Some(hint) = hint {
        p.resolve_operand(hint, index, state)?;
    }
    let segments = [sizes.len() as i32, i32::from(copy.is_some()), i32::from(hint.is_some())];
    state.set_attr(cx.ident("operandSegmentSizes"), cx.dense_i32_array(&segments));
    Ok(())
}

pub(crate) fn print_alloc_tensor(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = AllocTensorOp(op);
    p.text("(");
    p.operands(view.dynamic_sizes().iter());
    p.text(")");
    if let Some(copy) = view.copy() {
        p.text(" copy(");
        p.operand(copy);
        p.text(")");
    }
    if let Some(hint) = view.size_hint() {
        p.text(" size_hint=");
        p.operand(hint);
    }
    p.attr_dict(op, &["operandSegmentSizes"]);
    p.text(" : ");
    p.ty(op.result(0).ty().id());
}
