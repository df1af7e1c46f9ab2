//! Pretty forms of `scf.parallel`, `scf.forall` and `scf.forall.in_parallel`.

use dl_ir::text::{Argument, AsmPrinter, Delimiter, OpParser, Parsed, UnresolvedOperand};
use dl_ir::{AttrRef, DYNAMIC, OpRef, OpState, OpView, Operands};
use smallvec::SmallVec;

use super::{ensure_terminator, print_assignments, print_results_in_parens, resolve_inits, set_types};
use crate::{ForallOp, InParallelOp, ParallelOp, ReduceOp};

type OperandList = SmallVec<[UnresolvedOperand; 4]>;

/// `(%i, %j)`: induction variables, all of type `index`.
fn parse_variables(p: &mut OpParser<'_>) -> Parsed<SmallVec<[Argument; 4]>> {
    let index = p.cx().index_type();
    let mut variables = p.parse_argument_list(Delimiter::Paren, false)?;
    set_types(&mut variables, std::iter::repeat(index));
    Ok(variables)
}

/// `(%a, %b)`, as many as there are loops.
fn parse_bounds(p: &mut OpParser<'_>, loops: usize) -> Parsed<OperandList> {
    let loc = p.loc();
    let bounds = p.parse_operand_list(Delimiter::Paren)?;
    if bounds.len() != loops {
        return Err(p.error_at(loc, format!("expected {loops} operands")));
    }
    Ok(bounds)
}

/// `(%i) = (%lb) to (%ub) step (%s) init (%v) -> types {...} attributes`.
pub(crate) fn parse_parallel(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    let variables = parse_variables(p)?;
    let loops = variables.len();
    p.parse_equal()?;
    let lower = parse_bounds(p, loops)?;
    p.parse_keyword("to")?;
    let upper = parse_bounds(p, loops)?;
    p.parse_keyword("step")?;
    let step = parse_bounds(p, loops)?;
    let inits =
        if p.parse_optional_keyword("init") { p.parse_operand_list(Delimiter::Paren)? } else { OperandList::new() };
    state.results.extend(p.parse_optional_arrow_type_list()?);
    for bounds in [&lower, &upper, &step] {
        p.resolve_operands(bounds, cx.index_type(), state)?;
    }
    if inits.len() != state.results.len() {
        let (operands, types) = (inits.len(), state.results.len());
        let message = format!("number of operands and types do not match: got {operands} operands and {types} types");
        return Err(p.error_at(state.loc, message));
    }
    let types = state.results.clone();
    resolve_inits(p, &inits, &types, state)?;
    set_segments(p, state, [loops, loops, loops, inits.len()]);
    let body = p.parse_region(state, &variables)?;
    ensure_terminator::<ReduceOp<'_>>(p, state, body);
    p.parse_optional_attr_dict(state)
}

fn set_segments(p: &OpParser<'_>, state: &mut OpState, sizes: [usize; 4]) {
    let cx = p.cx();
    let sizes = sizes.map(|n| i32::try_from(n).unwrap_or(i32::MAX));
    state.set_attr(cx.ident("operandSegmentSizes"), cx.dense_i32_array(&sizes));
}

/// Prints what [`parse_parallel`] reads.
pub(crate) fn print_parallel(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = ParallelOp::wrap(op);
    p.text(" (");
    p.operands(view.region().entry().into_iter().flat_map(dl_ir::BlockRef::args));
    p.text(") = (");
    p.operands(view.lower_bound().iter());
    p.text(") to (");
    p.operands(view.upper_bound().iter());
    p.text(") step (");
    p.operands(view.step().iter());
    p.text(")");
    if !view.init_vals().is_empty() {
        p.text(" init (");
        p.operands(view.init_vals().iter());
        p.text(")");
    }
    p.optional_arrow_types(&op.results().types());
    p.text(" ");
    p.region(view.region(), false, true);
    p.attr_dict(op, &["operandSegmentSizes"]);
}

/// A bound list of which some are constants: the values, and the constants with [`DYNAMIC`] for each value.
#[derive(Default)]
struct MixedBounds {
    values: OperandList,
    constants: Vec<i64>,
}

impl MixedBounds {
    /// `(%a, 4, ...)`.
    fn parse(p: &mut OpParser<'_>) -> Parsed<Self> {
        let mut bounds = Self::default();
        p.parse_comma_separated(Delimiter::Paren, |p| {
            if let Some(value) = p.parse_optional_operand()? {
                bounds.values.push(value);
                bounds.constants.push(DYNAMIC);
            } else if let Some(constant) = p.parse_optional_integer()? {
                bounds.constants.push(constant);
            } else {
                return Err(p.error("expected SSA value or integer"));
            }
            Ok(())
        })?;
        Ok(bounds)
    }

    /// The same number for each of `loops` loops.
    fn all(loops: usize, constant: i64) -> Self {
        Self { values: OperandList::new(), constants: vec![constant; loops] }
    }

    /// Whether each is known to be `wanted`.
    fn are_all(wanted: i64, values: Operands<'_>, constants: &[i64]) -> bool {
        let known = values.iter().all(|value| value.constant().and_then(AttrRef::as_int) == Some(wanted));
        known && constants.iter().all(|&constant| constant == wanted || constant == DYNAMIC)
    }

    fn print(p: &mut AsmPrinter<'_>, values: Operands<'_>, constants: &[i64]) {
        let mut values = values.iter();
        p.text("(");
        for (i, &constant) in constants.iter().enumerate() {
            p.text(if i > 0 { ", " } else { "" });
            match if constant == DYNAMIC { values.next() } else { None } {
                Some(value) => p.operand(value),
                None => p.text(&constant.to_string()),
            }
        }
        p.text(")");
    }
}

/// `(%i) in (%ub)` or `(%i) = (%lb) to (%ub) step (%s)`, then `shared_outs(%o = %t) -> (types) {...} attributes`.
pub(crate) fn parse_forall(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    let mut args = parse_variables(p)?;
    let loops = args.len();
    let (lower, upper, step);
    if p.parse_optional_keyword("in") {
        upper = MixedBounds::parse(p)?;
        (lower, step) = (MixedBounds::all(loops, 0), MixedBounds::all(loops, 1));
    } else {
        p.parse_equal()?;
        lower = MixedBounds::parse(p)?;
        p.parse_keyword("to")?;
        upper = MixedBounds::parse(p)?;
        p.parse_keyword("step")?;
        step = MixedBounds::parse(p)?;
    }
    let (mut outs, mut inits) = (SmallVec::<[Argument; 4]>::new(), OperandList::new());
    let loc = p.loc();
    if p.parse_optional_keyword("shared_outs") {
        (outs, inits) = p.parse_assignment_list()?;
        state.results.extend(p.parse_arrow_type_list()?);
        if inits.len() != state.results.len() {
            let (operands, types) = (inits.len(), state.results.len());
            let message =
                format!("number of operands and types do not match: got {operands} operands and {types} types");
            return Err(p.error_at(loc, message));
        }
    }
    for (bounds, name) in [(&lower, "staticLowerBound"), (&upper, "staticUpperBound"), (&step, "staticStep")] {
        p.resolve_operands(&bounds.values, cx.index_type(), state)?;
        state.set_attr(cx.ident(name), cx.dense_i64_array(&bounds.constants));
    }
    let types = state.results.clone();
    resolve_inits(p, &inits, &types, state)?;
    let sizes = [lower.values.len(), upper.values.len(), step.values.len(), inits.len()];
    set_segments(p, state, sizes);
    set_types(&mut outs, types);
    args.extend(outs);
    let body = p.parse_region(state, &args)?;
    ensure_terminator::<InParallelOp<'_>>(p, state, body);
    p.parse_optional_attr_dict(state)
}

/// Prints what [`parse_forall`] reads.
pub(crate) fn print_forall(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = ForallOp::wrap(op);
    let [lower, upper, step] = crate::forall_bounds(view);
    let loops = upper.len();
    let args = || view.region().entry().into_iter().flat_map(dl_ir::BlockRef::args);
    p.text(" (");
    p.operands(args().take(loops));
    p.text(") ");
    let starts_at_0 = MixedBounds::are_all(0, view.dynamic_lower_bound(), &lower);
    if starts_at_0 && MixedBounds::are_all(1, view.dynamic_step(), &step) {
        p.text("in ");
        MixedBounds::print(p, view.dynamic_upper_bound(), &upper);
    } else {
        p.text("= ");
        MixedBounds::print(p, view.dynamic_lower_bound(), &lower);
        p.text(" to ");
        MixedBounds::print(p, view.dynamic_upper_bound(), &upper);
        p.text(" step ");
        MixedBounds::print(p, view.dynamic_step(), &step);
    }
    if !view.outputs().is_empty() {
        print_assignments(p, " shared_outs", args().skip(loops), view.outputs().iter());
        print_results_in_parens(p, op.results().types().into_iter());
    }
    p.text(" ");
    p.region(view.region(), false, op.num_results() != 0);
    p.attr_dict(op, &["operandSegmentSizes", "staticLowerBound", "staticUpperBound", "staticStep"]);
}

/// `{...} attributes`.
pub(crate) fn parse_in_parallel(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let region = p.parse_region(state, &[])?;
    p.ensure_block(state, region);
    p.parse_optional_attr_dict(state)
}

/// Prints what [`parse_in_parallel`] reads.
pub(crate) fn print_in_parallel(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    p.text(" ");
    p.region(op.region(0), false, false);
    p.attr_dict(op, &[]);
}
