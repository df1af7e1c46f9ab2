//! Pretty forms of `scf.if` and `scf.execute_region`, and the cases of `scf.index_switch`.

use dl_ir::text::{AsmPrinter, DirectiveArgs, DirectiveView, OpParser, Parsed};
use dl_ir::{OpRef, OpState, OpView};

use super::{ensure_terminator, print_results_in_parens};
use crate::{ExecuteRegionOp, IfOp, IndexSwitchOp, YieldOp};

/// `%c -> (types) {...} else {...} attributes`.
pub(crate) fn parse_if(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    let condition = p.parse_operand()?;
    p.resolve_operand(condition, cx.i1_type(), state)?;
    state.results.extend(p.parse_optional_arrow_type_list()?);
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
    state.results.extend(p.parse_optional_arrow_type_list()?);
    if p.parse_optional_keyword("no_inline") {
        state.set_attr(cx.ident("no_inline"), cx.unit_attr());
    }
    p.parse_region(state, &[])?;
    p.parse_optional_attr_dict(state)
}

/// Prints what [`parse_execute_region`] reads.
pub(crate) fn print_execute_region(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = ExecuteRegionOp::wrap(op);
    p.optional_arrow_types(&op.results().types());
    p.text(" ");
    if view.no_inline().is_some() {
        p.text("no_inline ");
    }
    p.region(view.region(), false, true);
    p.attr_dict(op, &["no_inline"]);
}

/// `case 2 {...} case 3 {...}`: `custom<SwitchCases>($cases, $caseRegions)`.
pub(crate) fn parse_switch_cases(p: &mut OpParser<'_>, state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let (mut cases, mut regions) = (Vec::new(), Vec::new());
    while p.parse_optional_keyword("case") {
        cases.push(p.parse_integer()?);
        regions.push(p.parse_region(state, &[])?);
    }
    args.set_attr(0, p.cx().dense_i64_array(&cases));
    args.set_regions(1, regions);
    Ok(())
}

/// Prints what [`parse_switch_cases`] reads, each case on its own line.
pub(crate) fn print_switch_cases(op: OpRef<'_>, p: &mut AsmPrinter<'_>, _args: &DirectiveView<'_>) {
    let view = IndexSwitchOp::wrap(op);
    for (case, region) in view.cases().dense_ints().zip(view.case_regions()) {
        p.newline();
        p.indent();
        p.text(&format!("case {case} "));
        p.region(region, false, true);
    }
}
