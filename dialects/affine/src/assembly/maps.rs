//! Pretty form of `affine.apply`, `affine.min` and `affine.max`.

use dl_ir::text::{AsmPrinter, OpParser, Parsed};
use dl_ir::{AttrRef, OpRef, OpState};

use super::{parse_dims_and_symbols, print_with_operands};

/// `map(%dims)[%symbols] {...}`, the operands as many as the map says.
pub(crate) fn parse_apply(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    if parse_map(p, state)? {
        return Ok(());
    }
    let message = "dimension or symbol index mismatch";
    Err(p.error_at(state.loc, message))
}

/// The same; the verifier sees to the number of operands.
pub(crate) fn parse_min_max(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    parse_map(p, state).map(|_| ())
}

/// Answers whether the operands are as many as the map says.
fn parse_map(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<bool> {
    let cx = p.cx();
    let map = p.parse_affine_map()?;
    state.set_attr(cx.ident("map"), cx.affine_map_attr(map));
    let counts = parse_dims_and_symbols(p, state)?;
    p.parse_optional_attr_dict(state)?;
    state.results.push(cx.index_type());
    let data = cx.affine().map(map);
    Ok(counts == (data.num_dims as usize, data.num_symbols as usize))
}

/// Prints what [`parse_apply`] reads.
pub(crate) fn print_apply(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let Some(attr) = op.attr("map") else { return };
    let dims = AttrRef::as_affine_map(attr).map_or(0, |map| op.cx().affine().map(map).num_dims);
    p.text(" ");
    print_with_operands(p, attr.id(), dims, op.operands());
    p.attr_dict(op, &["map"]);
}
