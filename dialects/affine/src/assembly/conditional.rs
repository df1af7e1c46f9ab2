//! Pretty form of `affine.if`.

use dl_ir::text::{AsmPrinter, OpParser, Parsed};
use dl_ir::{AttrRef, OpRef, OpState, OpView};

use super::{ensure_yield, parse_dims_and_symbols, print_with_operands};
use crate::AffineIfOp;

/// `set(%dims)[%symbols] -> types {...} else {...} attributes`.
pub(crate) fn parse_if(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    let set = p.parse_integer_set()?;
    state.set_attr(cx.ident("condition"), cx.intern_attr(dl_ir::AttrData::IntegerSet(set)));
    let (dims, symbols) = parse_dims_and_symbols(p, state)?;
    let data = cx.affine().set(set);
    if dims != data.num_dims as usize {
        return Err(p.error_at(state.loc, "dim operand count and integer set dim count must match"));
    }
    if dims + symbols != (data.num_dims + data.num_symbols) as usize {
        return Err(p.error_at(state.loc, "symbol operand count and integer set symbol count must match"));
    }
    state.results.extend(p.parse_optional_arrow_type_list()?);
    let then_region = p.parse_region(state, &[])?;
    ensure_yield(p, state, then_region);
    if p.parse_optional_keyword("else") {
        let else_region = p.parse_region(state, &[])?;
        ensure_yield(p, state, else_region);
    } else {
        p.empty_region(state);
    }
    p.parse_optional_attr_dict(state)
}

/// Prints what [`parse_if`] reads.
pub(crate) fn print_if(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = AffineIfOp::wrap(op);
    let dims = AttrRef::as_integer_set(view.condition()).map_or(0, |set| op.cx().affine().set(set).num_dims);
    p.text(" ");
    print_with_operands(p, view.condition().id(), dims, op.operands());
    p.optional_arrow_types(&op.results().types());
    p.text(" ");
    p.region(view.then_region(), false, op.num_results() != 0);
    if !view.else_region().is_empty() {
        p.text(" else ");
        p.region(view.else_region(), false, op.num_results() != 0);
    }
    p.attr_dict(op, &["condition"]);
}
