//! Pretty forms of `scf.if` and `scf.execute_region`.

use dl_ir::text::{AsmPrinter, OpParser, Parsed};
use dl_ir::{OpRef, OpState, OpView};

use super::{ensure_terminator, parse_optional_results, print_results_in_parens};
use crate::{ExecuteRegionOp, IfOp, YieldOp};

/// `%c -> (types) {...} else {...} attributes`.
pub(crate) fn parse_if(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    let condition = p.parse_operand()?;
    p.resolve_operand(condition, cx.i1_type(), state)?;
    parse_optional_results(p, state)?;
    let then_region = p.parse_region(state, &[])?;
    ensure_terminator::<YieldOp<'_>>(p, state, then_region);
    if p.parse_optional_keyword("else") {
        let else_region = p.parse_region(state, &[])?;
        ensure_terminator::<YieldOp<'_>>(p, state, else_region);
    } else {
        p.empty_region(state);
    }
    p.parse_optional_attr_dict(state)
}

/// Prints what [`parse_if`] reads.
pub(crate) fn print_if(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = IfOp::wrap(op);
    let has_results = op.num_results() != 0;
    p.text(" ");
    p.operand(view.condition());
    if has_results {
        print_results_in_parens(p, op.results().types().into_iter());
    }
    p.text(" ");
    p.region(view.then_region(), false, has_results);
    if !view.else_region().is_empty() {
        p.text(" else ");
        p.region(view.else_region(), false, has_results);
    }
    p.attr_dict(op, &[]);
}

/// `-> types no_inline {...} attributes`.
pub(crate) fn parse_execute_region(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    parse_optional_results(p, state)?;
    if p.parse_optional_keyword("no_inline") {
        state.set_attr(cx.ident("no_inline"), cx.unit_attr());
    }
    p.parse_region(state, &[])?;
    p.parse_optional_attr_dict(state)
}

/// Prints what [`parse_execute_region`] reads.
pub(crate) fn print_execute_region(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = ExecuteRegionOp::wrap(op);
    p.optional_arrow_types(op.results().types().into_iter());
    p.text(" ");
    if view.no_inline().is_some() {
        p.text("no_inline ");
    }
    p.region(view.region(), false, true);
    p.attr_dict(op, &["no_inline"]);
}
