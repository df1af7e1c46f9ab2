//! Pretty form of `gpu.func`.

use dl_ir::interfaces::function::{ARG_ATTRS, FUNCTION_TYPE, RES_ATTRS, parse_signature, print_signature};
use dl_ir::text::{Argument, AsmPrinter, OpParser, Parsed};
use dl_ir::{AttrRef, OpRef, OpState, TypeRef};

use super::attributions::{self, WORKGROUP_COUNT};

const WORKGROUP_ATTRS: &str = "workgroup_attrib_attrs";
const PRIVATE_ATTRS: &str = "private_attrib_attrs";
/// What the form shows in its own way.
const SHOWN: [&str; 8] =
    ["sym_name", FUNCTION_TYPE, ARG_ATTRS, RES_ATTRS, WORKGROUP_ATTRS, PRIVATE_ATTRS, WORKGROUP_COUNT, crate::KERNEL];

/// `@name(signature) workgroup(...) private(...) kernel attributes {...} {body}`.
pub(crate) fn parse_func(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    let name = p.parse_symbol_name()?;
    state.set_attr(cx.ident("sym_name"), cx.string_attr(&name));
    let loc = p.loc();
    let signature = parse_signature(p, false)?;
    if signature.args.len() != signature.inputs.len() {
        return Err(p.error_at(loc, "gpu.func requires named arguments"));
    }
    let ty = cx.function_type(&signature.inputs, &signature.results);
    state.set_attr(cx.ident(FUNCTION_TYPE), cx.type_attr(ty));
    signature.set_attrs(cx, state);

    let mut args: Vec<Argument> = signature.args.into_iter().collect();
    let inputs = args.len();
    attributions::parse(p, state, "workgroup", Some(WORKGROUP_ATTRS), &mut args)?;
    let shared = args.len() - inputs;
    state.set_attr(cx.ident(WORKGROUP_COUNT), cx.i64_attr(shared as i64));
    attributions::parse(p, state, "private", Some(PRIVATE_ATTRS), &mut args)?;
    if p.parse_optional_keyword("kernel") {
        state.set_attr(cx.ident(crate::KERNEL), cx.unit_attr());
    }
    p.parse_optional_attr_dict_with_keyword(state)?;
    p.parse_region(state, &args)?;
    Ok(())
}

/// Prints what [`parse_func`] reads.
pub(crate) fn print_func(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    p.text(" ");
    p.symbol_name(op.symbol_name().unwrap_or_default());
    let ty = op.attr(FUNCTION_TYPE).and_then(AttrRef::as_type);
    let (inputs, results) = ty.map_or((&[][..], &[][..]), |ty| (TypeRef::inputs(ty), TypeRef::results(ty)));
    print_signature(op, p, inputs, false, results);
    if let Some(entry) = op.region(0).entry() {
        let buffers: Vec<_> = entry.args().skip(inputs.len()).collect();
        let (shared, private) = buffers.split_at(crate::workgroup_count(op).min(buffers.len()));
        attributions::print(p, "workgroup", shared.iter().copied(), op.attr(WORKGROUP_ATTRS));
        attributions::print(p, "private", private.iter().copied(), op.attr(PRIVATE_ATTRS));
    }
    if op.attr(crate::KERNEL).is_some() {
        p.text(" kernel");
    }
    p.attr_dict_with_keyword(op, &SHOWN);
    p.text(" ");
    p.region(op.region(0), false, true);
}
