//! Pretty form of `transform.structured.split`.

use dl_ir::text::{AsmPrinter, OpParser, Parsed};
use dl_ir::{AttrRef, DYNAMIC, OpRef, OpState, OpView};

use crate::SplitOp;

/// `%target after 4 {...} : type`, or `%target after %sizes {...} : type, type`.
pub(crate) fn parse_split(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    let target = p.parse_operand()?;
    p.parse_keyword("after")?;
    let sizes = p.parse_optional_operand()?;
    let size = if sizes.is_some() { DYNAMIC } else { p.parse_integer()? };
    p.parse_optional_attr_dict(state)?;
    let target_type = p.parse_colon_type()?;
    p.resolve_operand(target, target_type, state)?;
    if let Some(sizes) = sizes {
        p.parse_comma()?;
        let ty = p.parse_type()?;
        p.resolve_operand(sizes, ty, state)?;
    }
    state.set_attr(cx.ident("static_chunk_sizes"), cx.i64_attr(size));
    state.results.push(target_type);
    Ok(())
}

/// Prints what [`parse_split`] reads.
pub(crate) fn print_split(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = SplitOp::wrap(op);
    p.text(" ");
    p.operand(view.target());
    p.text(" after ");
    match view.dynamic_chunk_sizes() {
        Some(sizes) => p.operand(sizes),
        None => p.int(AttrRef::as_int(view.static_chunk_sizes()).unwrap_or(0)),
    }
    p.text(" ");
    p.attr_dict(op, &["static_chunk_sizes"]);
    p.text(" : ");
    p.ty(view.target().ty().id());
    if let Some(sizes) = view.dynamic_chunk_sizes() {
        p.text(", ");
        p.ty(sizes.ty().id());
    }
}
