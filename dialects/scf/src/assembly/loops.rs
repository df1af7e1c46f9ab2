//! Pretty forms of `scf.for` and `scf.while`.

use dl_ir::text::{AsmPrinter, OpParser, Parsed};
use dl_ir::{OpRef, OpState, OpView};

use super::{ensure_terminator, print_assignments, print_results_in_parens, resolve_inits, set_types};
use crate::{ForOp, WhileOp, YieldOp};

/// `unsigned %i = %lb to %ub step %s iter_args(%a = %b) -> (types) : type {...} attributes`.
pub(crate) fn parse_for(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    if p.parse_optional_keyword("unsigned") {
        state.set_attr(cx.ident("unsignedCmp"), cx.unit_attr());
    }
    let mut variable = p.parse_argument(false)?;
    p.parse_equal()?;
    let lower = p.parse_operand()?;
    p.parse_keyword("to")?;
    let upper = p.parse_operand()?;
    p.parse_keyword("step")?;
    let step = p.parse_operand()?;

    let (mut args, mut inits) = (smallvec::SmallVec::<[_; 4]>::new(), smallvec::SmallVec::<[_; 4]>::new());
    if p.parse_optional_keyword("iter_args") {
        (args, inits) = p.parse_assignment_list()?;
        state.results.extend(p.parse_arrow_type_list()?);
    }
    if args.len() != state.results.len() {
        let loc = state.loc;
        let message = "mismatch in number of loop-carried values and defined values";
        return Err(p.error_at(loc, message));
    }
    let ty = if p.parse_optional_colon() { p.parse_type()? } else { cx.index_type() };
    variable.ty = ty;
    let types = state.results.clone();
    set_types(&mut args, types.clone());
    args.insert(0, variable);
    let body = p.parse_region(state, &args)?;
    // Only now: names that the body defines are none that the loop may use.
    p.resolve_operands(&[lower, upper, step], ty, state)?;
    resolve_inits(p, &inits, &types, state)?;
    ensure_terminator::<YieldOp<'_>>(p, state, body);
    p.parse_optional_attr_dict(state)
}

/// Prints what [`parse_for`] reads.
pub(crate) fn print_for(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = ForOp::wrap(op);
    if view.unsigned_cmp().is_some() {
        p.text(" unsigned");
    }
    let mut args = view.region().entry().into_iter().flat_map(dl_ir::BlockRef::args);
    let variable = args.next();
    p.text(" ");
    if let Some(variable) = variable {
        p.operand(variable);
    }
    p.text(" = ");
    p.operand(view.lower_bound());
    p.text(" to ");
    p.operand(view.upper_bound());
    p.text(" step ");
    p.operand(view.step());
    let inits = view.init_args();
    if !inits.is_empty() {
        print_assignments(p, " iter_args", args, inits.iter());
        print_results_in_parens(p, inits.types().into_iter());
    }
    p.text(" ");
    let ty = view.lower_bound().ty();
    if !ty.is_index() {
        p.text(" : ");
        p.ty(ty.id());
        p.text(" ");
    }
    p.region(view.region(), false, !inits.is_empty());
    p.attr_dict(op, &["unsignedCmp"]);
}

/// `(%a = %b) : (types) -> types {...} do {...} attributes {...}`.
pub(crate) fn parse_while(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let (mut args, mut inits) = (smallvec::SmallVec::<[_; 4]>::new(), smallvec::SmallVec::<[_; 4]>::new());
    if let Some(assignments) = p.parse_optional_assignment_list()? {
        (args, inits) = assignments;
    }
    let loc = p.loc();
    p.parse_colon()?;
    let (inputs, results) = p.parse_function_type_parts()?;
    if inputs.len() != inits.len() {
        let (expected, got) = (inits.len(), inputs.len());
        let message = format!("expected as many input types as operands (expected {expected} got {got})");
        return Err(p.error_at(loc, message));
    }
    resolve_inits(p, &inits, &inputs, state)?;
    state.results.extend(results);
    set_types(&mut args, inputs);
    p.parse_region(state, &args)?;
    p.parse_keyword("do")?;
    p.parse_region(state, &[])?;
    p.parse_optional_attr_dict_with_keyword(state)
}

/// Prints what [`parse_while`] reads.
pub(crate) fn print_while(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = WhileOp::wrap(op);
    let inits = view.inits();
    if !inits.is_empty() {
        let args = view.before().entry().into_iter().flat_map(dl_ir::BlockRef::args);
        print_assignments(p, " ", args, inits.iter());
    }
    p.text(" : ");
    p.functional_type(&inits.types(), &op.results().types());
    p.text(" ");
    p.region(view.before(), false, true);
    p.text(" do ");
    p.region(view.after(), true, true);
    p.attr_dict_with_keyword(op, &[]);
}
