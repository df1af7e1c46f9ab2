//! Pretty forms that no format describes, and names of results and block arguments.

mod generic;
pub(crate) mod named;
mod parts;
mod payload;

pub(crate) use generic::{parse_generic, print_generic};
pub(crate) use named::{
    parse_contract, parse_elementwise, parse_named, print_contract, print_elementwise, print_named,
};
pub(crate) use payload::{
    parse_broadcast, parse_map, parse_reduce, parse_transpose, print_broadcast, print_map, print_reduce,
    print_transpose,
};

use dl_ir::interfaces::inits;
use dl_ir::text::{AsmPrinter, OpParser, Parsed, UnresolvedOperand};
use dl_ir::{OpRef, OpState, RegionRef};
use smallvec::SmallVec;

/// `%a, %b : t, u`, or nothing.
pub(crate) fn parse_yield(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let loc = p.loc();
    let mut operands: SmallVec<[UnresolvedOperand; 4]> = p.parse_optional_operand()?.into_iter().collect();
    while !operands.is_empty() && p.parse_optional_comma() {
        operands.push(p.parse_operand()?);
    }
    p.parse_optional_attr_dict(state)?;
    if operands.is_empty() {
        return Ok(());
    }
    let types = p.parse_colon_type_list()?;
    p.resolve_operands_with(&operands, &types, loc, state)
}

pub(crate) fn print_yield(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    if op.num_operands() > 0 {
        p.text(" ");
        p.operands(op.operands().iter());
    }
    p.attr_dict(op, &[]);
    if op.num_operands() > 0 {
        p.text(" : ");
        p.types(op.operands().types());
    }
}

/// `%in` for the elements of inputs, and `init` for those of inits.
fn argument_names(op: OpRef<'_>, region: RegionRef<'_>, init: &str, name: &mut dyn FnMut(usize, &str)) {
    let num_inputs = inits(op).map_or(0, |inits| inits.start());
    let count = region.entry().map_or(0, |block| block.num_args());
    for i in 0..count {
        name(i, if i < num_inputs { "in" } else { init });
    }
}

pub(crate) fn generic_argument_names(op: OpRef<'_>, region: RegionRef<'_>, name: &mut dyn FnMut(usize, &str)) {
    argument_names(op, region, "out", name);
}

pub(crate) fn payload_argument_names(op: OpRef<'_>, region: RegionRef<'_>, name: &mut dyn FnMut(usize, &str)) {
    argument_names(op, region, "init", name);
}

macro_rules! result_name {
    ($($function:ident $name:literal)*) => {$(
        pub(crate) fn $function(op: OpRef<'_>, name: &mut dyn FnMut(usize, &str)) {
            if op.num_results() > 0 {
                name(0, $name);
            }
        }
    )*};
}

result_name! {
    mapped "mapped"
    reduced "reduced"
    transposed "transposed"
    broadcasted "broadcasted"
    packed "pack"
    unpacked "unpack"
}
