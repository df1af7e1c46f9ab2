//! Pretty forms.

mod access;
mod conditional;
mod loops;
mod maps;
mod parallel;

pub(crate) use access::{
    parse_load, parse_prefetch, parse_store, parse_vector_load, parse_vector_store, print_load, print_prefetch,
    print_store, print_vector_load, print_vector_store,
};
pub(crate) use conditional::{parse_if, print_if};
pub(crate) use loops::{parse_for, print_for};
pub(crate) use maps::{parse_apply, print_apply};
pub(crate) use parallel::{parse_parallel, print_parallel};

use dl_ir::text::{AsmPrinter, Delimiter, OpParser, Parsed};
use dl_ir::{Attr, OpDefinition, OpState, Operands, RegionId};

use crate::AffineYieldOp;

/// Adds the terminator that the pretty form leaves out.
fn ensure_yield(p: &mut OpParser<'_>, state: &mut OpState, region: RegionId) {
    let name = p.cx().op_name(AffineYieldOp::NAME);
    p.ensure_terminator(state, region, name);
}

/// `(%dims)[%symbols]`: adds the operands, all of type `index`. Answers how many dimensions and symbols there are.
fn parse_dims_and_symbols(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<(usize, usize)> {
    let index = p.cx().index_type();
    let dims = p.parse_operand_list(Delimiter::Paren)?;
    let symbols = p.parse_operand_list(Delimiter::OptionalSquare)?;
    p.resolve_operands(&dims, index, state)?;
    p.resolve_operands(&symbols, index, state)?;
    Ok((dims.len(), symbols.len()))
}

/// Prints `attr(%dims)[%symbols]`, where `attr` is a map or set with so many dimensions.
fn print_with_operands(p: &mut AsmPrinter<'_>, attr: Attr, num_dims: u32, operands: Operands<'_>) {
    let dims = (num_dims as usize).min(operands.len());
    p.attr(attr);
    p.text("(");
    p.operands(operands.iter().take(dims));
    p.text(")");
    if operands.len() > dims {
        p.text("[");
        p.operands(operands.iter().skip(dims));
        p.text("]");
    }
}
