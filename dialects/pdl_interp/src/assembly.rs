//! Pretty forms.

use dl_ir::text::{AsmPrinter, Delimiter, DirectiveArgs, DirectiveView, OpParser, Parsed};
use dl_ir::{OpRef, OpState, OpView};
use dl_pdl::types::range_type;

use crate::ForEachOp;

/// `%variable : type in %values {...} {attributes} -> ^block`.
pub(crate) fn parse_foreach(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let variable = p.parse_argument(true)?;
    p.parse_keyword("in")?;
    let values = p.parse_operand()?;
    p.resolve_operand(values, range_type(p.cx(), variable.ty), state)?;
    p.parse_region(state, &[variable])?;
    p.parse_optional_attr_dict(state)?;
    p.parse_arrow()?;
    let successor = p.parse_successor()?;
    state.successors.push(successor);
    Ok(())
}

/// Prints what [`parse_foreach`] reads.
pub(crate) fn print_foreach(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = ForEachOp::wrap(op);
    p.text(" ");
    if let Some(variable) = view.region().entry().and_then(|block| block.args().next()) {
        p.operand(variable);
        p.text(" : ");
        p.ty(variable.ty().id());
    }
    p.text(" in ");
    p.operand(view.values());
    p.text(" ");
    p.region(view.region(), false, true);
    p.attr_dict(op, &[]);
    p.text(" -> ");
    p.successor(view.successor());
}

/// `-> <inferred>`, `-> (%type : type)`, or nothing.
pub(crate) fn parse_created_results(
    p: &mut OpParser<'_>,
    _state: &mut OpState,
    args: &mut DirectiveArgs,
) -> Parsed<()> {
    args.set_types(1, []);
    if !p.parse_optional_arrow() {
        return Ok(());
    }
    if p.parse_optional_less() {
        p.parse_keyword("inferred")?;
        p.parse_greater()?;
        args.set_attr(2, p.cx().unit_attr());
        return Ok(());
    }
    p.parse_l_paren()?;
    let operands = p.parse_operand_list(Delimiter::None)?;
    args.set_operands(0, operands);
    let types = p.parse_colon_type_list()?;
    args.set_types(1, types);
    p.parse_r_paren()
}

/// Prints what [`parse_created_results`] reads.
pub(crate) fn print_created_results(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    if args.attr(2).is_some() {
        p.text(" -> <inferred>");
        return;
    }
    let operands = args.operands(0);
    if !operands.is_empty() {
        p.text(" -> (");
        p.operands(operands.iter());
        p.text(" : ");
        p.types(args.types(1));
        p.text(")");
    }
}
