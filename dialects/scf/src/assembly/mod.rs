//! Pretty forms.

mod loops;
mod parallel;
mod regions;

pub(crate) use loops::{parse_for, parse_while, print_for, print_while};
pub(crate) use parallel::{
    parse_forall, parse_in_parallel, parse_parallel, print_forall, print_in_parallel, print_parallel,
};
pub(crate) use regions::{
    parse_execute_region, parse_if, parse_switch_cases, print_execute_region, print_if, print_switch_cases,
};

use dl_ir::text::{Argument, AsmPrinter, OpParser, Parsed, UnresolvedOperand};
use dl_ir::{OpDefinition, OpState, RegionId, Type, ValueRef};

/// Prints `prefix(%arg = %init, ...)`.
fn print_assignments<'a>(
    p: &mut AsmPrinter<'_>,
    prefix: &str,
    args: impl Iterator<Item = ValueRef<'a>>,
    inits: impl Iterator<Item = ValueRef<'a>>,
) {
    p.text(prefix);
    p.text("(");
    for (i, (arg, init)) in args.zip(inits).enumerate() {
        p.text(if i > 0 { ", " } else { "" });
        p.operand(arg);
        p.text(" = ");
        p.operand(init);
    }
    p.text(")");
}

/// Prints ` -> (types)`.
fn print_results_in_parens(p: &mut AsmPrinter<'_>, types: impl Iterator<Item = Type>) {
    p.text(" -> (");
    p.types(types);
    p.text(")");
}

/// Gives each argument its type.
fn set_types(args: &mut [Argument], types: impl IntoIterator<Item = Type>) {
    for (arg, ty) in args.iter_mut().zip(types) {
        arg.ty = ty;
    }
}

/// Resolves initial values of carried variables, one type each.
fn resolve_inits(p: &mut OpParser<'_>, inits: &[UnresolvedOperand], types: &[Type], state: &mut OpState) -> Parsed<()> {
    inits.iter().zip(types).try_for_each(|(&init, &ty)| p.resolve_operand(init, ty, state))
}

/// Adds the terminator that the pretty form leaves out.
fn ensure_terminator<T: OpDefinition>(p: &mut OpParser<'_>, state: &mut OpState, region: RegionId) {
    let name = p.cx().op_name(T::NAME);
    p.ensure_terminator(state, region, name);
}
