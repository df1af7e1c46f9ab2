//! The text of types: inside a type of this dialect others are written without `!llvm.`.

use dl_ir::dialect::TypeSyntax;
use dl_ir::text::{AsmPrinter, Delimiter, OpParser, ParamHook, Parsed};
use dl_ir::{Attr, AttrRef, DialectBuilder, Type, TypeData};

pub(crate) fn register(builder: &mut DialectBuilder) {
    builder
        .type_syntax("llvm.struct", TypeSyntax { parse: parse_struct, print: print_struct })
        .param_hook("PrettyLLVMType", ParamHook { parse: parse_pretty_param, print: print_pretty_param })
        .param_hook("FunctionTypes", ParamHook { parse: parse_function_params, print: print_function_params })
        .param_hook("ExtTypeParams", ParamHook { parse: parse_ext_params, print: print_ext_params });
}

/// A type, without `!llvm.` where it is one of this dialect.
pub(crate) fn parse_pretty(p: &mut OpParser<'_>) -> Parsed<Type> {
    let cx = p.cx();
    if let Some(word) = p.token_word()
        && let Some(definition) = cx.find_ident(&format!("llvm.{word}")).and_then(|name| cx.type_definition(name))
    {
        p.parse_any_keyword()?;
        return definition.parse(p);
    }
    p.parse_type()
}

/// Prints what [`parse_pretty`] reads.
pub(crate) fn print_pretty(ty: Type, p: &mut AsmPrinter<'_>) {
    let cx = p.cx();
    if let TypeData::Dialect { name, params } = cx.type_data(ty)
        && let Some(mnemonic) = cx.str(*name).strip_prefix("llvm.")
        && let Some(definition) = cx.type_definition(*name)
    {
        p.text(mnemonic);
        definition.print(params, p);
        return;
    }
    p.ty(ty);
}

fn parse_pretty_param(p: &mut OpParser<'_>, values: &mut [Option<Attr>]) -> Parsed<()> {
    let ty = parse_pretty(p)?;
    values[0] = Some(p.cx().type_attr(ty));
    Ok(())
}

fn print_pretty_param(values: &[Attr], p: &mut AsmPrinter<'_>) {
    if let Some(ty) = p.cx().attr(values[0]).as_type() {
        print_pretty(ty.id(), p);
    }
}

/// `types, ...)` of a function type.
fn parse_function_params(p: &mut OpParser<'_>, values: &mut [Option<Attr>]) -> Parsed<()> {
    let cx = p.cx();
    let mut types = Vec::new();
    let mut variadic = false;
    if !p.parse_optional_r_paren() {
        loop {
            if p.parse_optional_ellipsis() {
                variadic = true;
                break;
            }
            types.push(cx.type_attr(parse_pretty(p)?));
            if !p.parse_optional_comma() {
                break;
            }
        }
        p.parse_r_paren()?;
    }
    values[0] = Some(cx.array_attr(&types));
    values[1] = Some(cx.bool_attr(variadic));
    Ok(())
}

fn print_function_params(values: &[Attr], p: &mut AsmPrinter<'_>) {
    let cx = p.cx();
    let types = cx.attr(values[0]).elements().filter_map(AttrRef::as_type);
    let mut first = true;
    for ty in types {
        if !std::mem::take(&mut first) {
            p.text(", ");
        }
        print_pretty(ty.id(), p);
    }
    if cx.attr(values[1]).as_bool() == Some(true) {
        p.text(if first { "..." } else { ", ..." });
    }
    p.text(")");
}

/// Types, then numbers, of a target's type.
fn parse_ext_params(p: &mut OpParser<'_>, values: &mut [Option<Attr>]) -> Parsed<()> {
    let cx = p.cx();
    let (mut types, mut ints) = (Vec::new(), Vec::new());
    p.parse_comma_separated(Delimiter::None, |p| {
        match p.parse_optional_integer()? {
            Some(n) => ints.push(cx.int_attr(cx.int_type(32), n)),
            None if ints.is_empty() => types.push(cx.type_attr(parse_pretty(p)?)),
            None => return Err(p.error("expected an integer: types come before integers")),
        }
        Ok(())
    })?;
    values[0] = Some(cx.array_attr(&types));
    values[1] = Some(cx.array_attr(&ints));
    Ok(())
}

fn print_ext_params(values: &[Attr], p: &mut AsmPrinter<'_>) {
    let cx = p.cx();
    let all: Vec<AttrRef<'_>> = values.iter().flat_map(|&list| cx.attr(list).elements()).collect();
    p.comma_separated(all, |p, each| match each.as_type() {
        Some(ty) => print_pretty(ty.id(), p),
        None => p.attr_without_type(each.id()),
    });
}

/// `<(members)>`, `<packed (members)>`, `<"name", (members)>`, `<"name", opaque>`.
fn parse_struct(p: &mut OpParser<'_>) -> Parsed<Type> {
    let cx = p.cx();
    p.parse_less()?;
    let mut name = String::new();
    if let Some(given) = p.parse_optional_string()? {
        name = given;
        if !p.parse_optional_comma() {
            return Err(p.error("unsupported: a struct that refers to itself by name"));
        }
        if p.parse_optional_keyword("opaque") {
            p.parse_greater()?;
            return Ok(cx.dialect_type("llvm.struct", &[cx.string_attr(&name), cx.unit_attr(), cx.bool_attr(false)]));
        }
    }
    let packed = p.parse_optional_keyword("packed");
    let mut members = Vec::new();
    p.parse_comma_separated(Delimiter::Paren, |p| {
        let loc = p.loc();
        let ty = parse_pretty(p)?;
        if !crate::types::is_loadable(cx.ty(ty)) {
            return Err(p.error_at(loc, format!("invalid LLVM structure element type: {}", cx.ty(ty))));
        }
        members.push(cx.type_attr(ty));
        Ok(())
    })?;
    p.parse_greater()?;
    Ok(cx.dialect_type("llvm.struct", &[cx.string_attr(&name), cx.array_attr(&members), cx.bool_attr(packed)]))
}

fn print_struct(params: &[Attr], p: &mut AsmPrinter<'_>) {
    let cx = p.cx();
    let [name, body, packed] = [cx.attr(params[0]), cx.attr(params[1]), cx.attr(params[2])];
    p.text("<");
    if let Some(name) = name.as_str().filter(|name| !name.is_empty()) {
        p.string(name.as_bytes());
        p.text(", ");
    }
    if body.is_unit() {
        p.text("opaque>");
        return;
    }
    if packed.as_bool() == Some(true) {
        p.text("packed ");
    }
    p.text("(");
    p.comma_separated(body.elements().filter_map(AttrRef::as_type), |p, ty| print_pretty(ty.id(), p));
    p.text(")>");
}
