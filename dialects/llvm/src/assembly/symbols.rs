//! Pretty forms of `llvm.func`, `llvm.mlir.global` and `llvm.mlir.alias`.

use dl_ir::interfaces::function::{ARG_ATTRS, FUNCTION_TYPE, RES_ATTRS, parse_signature, print_signature};
use dl_ir::text::{AsmPrinter, OpParser, Parsed};
use dl_ir::{AttrRef, OpDefinition, OpRef, OpState, OpView, Type};

use super::{enum_attr, parse_optional_case, print_case};
use crate::{AliasOp, C_CONV, CConv, GlobalOp, LINKAGE, Linkage, ReturnOp, UNNAMED_ADDR, VISIBILITY, types};

/// Linkage, `external` where none is written.
fn parse_linkage(p: &mut OpParser<'_>, state: &mut OpState) {
    let cx = p.cx();
    let linkage = parse_optional_case(p, &LINKAGE).unwrap_or(Linkage::External.value());
    state.set_attr(cx.ident("linkage"), enum_attr(cx, "llvm.linkage", linkage));
}

fn parse_visibility(p: &mut OpParser<'_>, state: &mut OpState) {
    let cx = p.cx();
    let visibility = parse_optional_case(p, &VISIBILITY).unwrap_or(0);
    state.set_attr(cx.ident("visibility_"), cx.i64_attr(visibility as i64));
}

fn parse_unnamed_addr(p: &mut OpParser<'_>, state: &mut OpState) {
    let cx = p.cx();
    let value = parse_optional_case(p, &UNNAMED_ADDR).unwrap_or(0);
    state.set_attr(cx.ident("unnamed_addr"), cx.i64_attr(value as i64));
}

fn parse_flag(p: &mut OpParser<'_>, state: &mut OpState, keyword: &str, attr: &str) {
    let cx = p.cx();
    if p.parse_optional_keyword(keyword) {
        state.set_attr(cx.ident(attr), cx.unit_attr());
    }
}

/// `comdat(@name)`, if it is there.
fn parse_comdat(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    if p.parse_optional_keyword("comdat") {
        p.parse_l_paren()?;
        let comdat = p.parse_attribute(None)?;
        state.set_attr(cx.ident("comdat"), comdat);
        p.parse_r_paren()?;
    }
    Ok(())
}

fn print_comdat(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    if let Some(comdat) = op.attr("comdat") {
        p.text(" comdat(");
        p.attr(comdat.id());
        p.text(")");
    }
}

/// `linkage visibility unnamed_addr cconv @name(signature) vscale_range(1, 2) comdat(@c) attributes {...} {body}`.
pub(crate) fn parse_func(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    parse_linkage(p, state);
    parse_visibility(p, state);
    parse_unnamed_addr(p, state);
    let convention = parse_optional_case(p, &C_CONV).unwrap_or(CConv::C.value());
    state.set_attr(cx.ident("CConv"), enum_attr(cx, "llvm.cconv", convention));
    let name = p.parse_symbol_name()?;
    state.set_attr(cx.ident("sym_name"), cx.string_attr(&name));
    let signature = parse_signature(p, true)?;
    let ty = function_type(p, state, &signature.inputs, &signature.results, signature.variadic)?;
    state.set_attr(cx.ident(FUNCTION_TYPE), cx.type_attr(ty));
    if p.parse_optional_keyword("vscale_range") {
        p.parse_l_paren()?;
        let min = p.parse_integer()?;
        p.parse_comma()?;
        let max = p.parse_integer()?;
        p.parse_r_paren()?;
        let bound = |n| cx.int_attr(cx.i32_type(), n);
        state.set_attr(cx.ident("vscale_range"), cx.dialect_attr("llvm.vscale_range", &[bound(min), bound(max)]));
    }
    parse_comdat(p, state)?;
    p.parse_optional_attr_dict_with_keyword(state)?;
    signature.set_attrs(cx, state);
    if p.parse_optional_region(state, &signature.args)?.is_none() {
        p.empty_region(state);
    }
    Ok(())
}

/// The type of a function; no result is `!llvm.void`.
fn function_type(
    p: &mut OpParser<'_>,
    state: &OpState,
    inputs: &[Type],
    results: &[Type],
    variadic: bool,
) -> Parsed<Type> {
    let cx = p.cx();
    let result = match results {
        [] => types::void_type(cx),
        [result] => *result,
        _ => {
            return Err(
                p.error_at(state.loc, "failed to construct function type: expected zero or one function result")
            );
        }
    };
    for &input in inputs {
        if !types::is_compatible_throughout(cx.ty(input)) {
            let message = format!(
                "failed to construct function type: expected LLVM type for function arguments, got '{}'",
                cx.ty(input)
            );
            return Err(p.error_at(state.loc, message));
        }
    }
    if !types::is_compatible_throughout(cx.ty(result)) {
        return Err(p.error_at(state.loc, "failed to construct function type: expected LLVM type for function results"));
    }
    Ok(types::func_type(cx, result, inputs, variadic))
}

/// Prints what [`parse_func`] reads.
pub(crate) fn print_func(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    p.text(" ");
    print_case(p, op, "linkage", &LINKAGE, Some(Linkage::External.value()));
    print_case(p, op, "visibility_", &VISIBILITY, None);
    print_case(p, op, "unnamed_addr", &UNNAMED_ADDR, None);
    print_case(p, op, "CConv", &C_CONV, Some(CConv::C.value()));
    p.symbol_name(op.symbol_name().unwrap_or_default());
    let ty = op.attr(FUNCTION_TYPE).and_then(AttrRef::as_type);
    if let Some((result, inputs, variadic)) = ty.and_then(types::func_parts) {
        let results: &[Type] = if types::is_void(op.cx().ty(result)) { &[] } else { &[result] };
        print_signature(op, p, &inputs, variadic, results);
    }
    if let Some(range) = op.attr("vscale_range") {
        let bound = |i: usize| range.params().get(i).and_then(|&n| op.cx().attr(n).as_int()).unwrap_or(0);
        p.text(&format!(" vscale_range({}, {})", bound(0), bound(1)));
    }
    print_comdat(op, p);
    let shown = [
        "sym_name",
        FUNCTION_TYPE,
        ARG_ATTRS,
        RES_ATTRS,
        "linkage",
        "CConv",
        "visibility_",
        "comdat",
        "unnamed_addr",
        "vscale_range",
    ];
    p.attr_dict_with_keyword(op, &shown);
    if !op.region(0).is_empty() {
        p.text(" ");
        p.region(op.region(0), false, true);
    }
}

/// `linkage visibility thread_local unnamed_addr constant @name(value) comdat(@c) {...} : type {initializer}`.
pub(crate) fn parse_global(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    parse_linkage(p, state);
    parse_visibility(p, state);
    parse_flag(p, state, "thread_local", "thread_local_");
    parse_unnamed_addr(p, state);
    parse_flag(p, state, "constant", "constant");
    let name = p.parse_symbol_name()?;
    state.set_attr(cx.ident("sym_name"), cx.string_attr(&name));
    p.parse_l_paren()?;
    let mut value = None;
    if !p.parse_optional_r_paren() {
        let attr = p.parse_attribute(None)?;
        value = Some(attr);
        state.set_attr(cx.ident("value"), attr);
        p.parse_r_paren()?;
    }
    parse_comdat(p, state)?;
    p.parse_optional_attr_dict(state)?;
    let ty = parse_global_type(p, state, value)?;
    state.set_attr(cx.ident("global_type"), cx.type_attr(ty));
    if p.parse_optional_region(state, &[])?.is_none() {
        p.empty_region(state);
    }
    Ok(())
}

/// `: type`. For a string it may be left out: an array of `i8`.
fn parse_global_type(p: &mut OpParser<'_>, state: &OpState, value: Option<dl_ir::Attr>) -> Parsed<Type> {
    let cx = p.cx();
    if p.parse_optional_colon() {
        let types = p.parse_type_list()?;
        let [ty] = types[..] else { return Err(p.error_at(state.loc, "expected zero or one type")) };
        return Ok(ty);
    }
    match value.map(|value| cx.attr(value).data()) {
        Some(dl_ir::AttrData::String { value, .. }) => Ok(types::array_type(cx, cx.int_type(8), value.len() as u64)),
        _ => Err(p.error_at(state.loc, "type can only be omitted for string globals")),
    }
}

/// Prints what [`parse_global`] reads.
pub(crate) fn print_global(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = GlobalOp::wrap(op);
    p.text(" ");
    print_case(p, op, "linkage", &LINKAGE, None);
    print_case(p, op, "visibility_", &VISIBILITY, None);
    if view.thread_local_().is_some() {
        p.text("thread_local ");
    }
    print_case(p, op, "unnamed_addr", &UNNAMED_ADDR, None);
    if view.constant().is_some() {
        p.text("constant ");
    }
    p.symbol_name(op.symbol_name().unwrap_or_default());
    p.text("(");
    if let Some(value) = view.value() {
        p.attr(value.id());
    }
    p.text(")");
    print_comdat(op, p);
    let shown = [
        "sym_name",
        "global_type",
        "constant",
        "value",
        "linkage",
        "unnamed_addr",
        "thread_local_",
        "visibility_",
        "comdat",
    ];
    // The address space is always written.
    let addr_space = (op.cx().ident("addr_space"), view.addr_space().id());
    let others = op.attrs().filter(|(name, _)| *name != addr_space.0 && !shown.contains(&op.cx().str(*name)));
    let mut entries: Vec<_> = others.map(|(name, attr)| (name, attr.id())).chain([addr_space]).collect();
    entries.sort_by_key(|(name, _)| op.cx().str(*name));
    p.text(" ");
    p.attr_entries(&entries);
    if view.value().is_some_and(AttrRef::is_string) {
        return;
    }
    print_type_and_region(op, p, view.global_type());
}

fn print_type_and_region(op: OpRef<'_>, p: &mut AsmPrinter<'_>, ty: AttrRef<'_>) {
    p.text(" : ");
    p.attr(ty.id());
    if !op.region(0).is_empty() {
        p.text(" ");
        p.region(op.region(0), true, true);
    }
}

/// `linkage visibility thread_local unnamed_addr @name {...} : type {initializer}`.
pub(crate) fn parse_alias(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    parse_linkage(p, state);
    parse_visibility(p, state);
    parse_flag(p, state, "thread_local", "thread_local_");
    parse_unnamed_addr(p, state);
    let name = p.parse_symbol_name()?;
    state.set_attr(cx.ident("sym_name"), cx.string_attr(&name));
    p.parse_optional_attr_dict(state)?;
    p.parse_colon()?;
    let ty = p.parse_type()?;
    state.set_attr(cx.ident("alias_type"), cx.type_attr(ty));
    let region = p.parse_region(state, &[])?;
    p.ensure_terminator(state, region, cx.op_name(ReturnOp::NAME));
    Ok(())
}

/// Prints what [`parse_alias`] reads.
pub(crate) fn print_alias(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = AliasOp::wrap(op);
    p.text(" ");
    print_case(p, op, "linkage", &LINKAGE, None);
    print_case(p, op, "visibility_", &VISIBILITY, None);
    if view.thread_local_().is_some() {
        p.text("thread_local ");
    }
    print_case(p, op, "unnamed_addr", &UNNAMED_ADDR, None);
    p.symbol_name(op.symbol_name().unwrap_or_default());
    p.attr_dict(op, &["sym_name", "alias_type", "linkage", "unnamed_addr", "thread_local_", "visibility_"]);
    print_type_and_region(op, p, view.alias_type());
}
