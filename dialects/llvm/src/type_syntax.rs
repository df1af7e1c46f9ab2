//! Text form of the dialect types: `!llvm.struct<(ptr, array<4 x i8>)>`. Inside, types of the dialect stand without `!llvm.`.
//!
//! Types nest as deep as the text does, which the parser's own guard bounds by memory.

use dl_ir::dialect::TypeSyntax;
use dl_ir::text::{AsmPrinter, Delimiter, OpParser, Parsed};
use dl_ir::{Attr, AttrRef, Context, DialectBuilder, Loc, Type, TypeData, TypeRef};

use crate::types;

/// Types whose name is all of their text. `ppc_fp128` is read without `!llvm.`, but not printed so.
const PLAIN: [&str; 6] = ["void", "token", "label", "metadata", "ppc_fp128", "x86_amx"];
/// Nesting that is handled on one stack segment before the next is allocated.
const RED_ZONE: usize = 64 * 1024;
const SEGMENT: usize = 1024 * 1024;

/// Registers the text forms.
pub(crate) fn register(builder: &mut DialectBuilder) {
    builder
        .type_syntax("llvm.ptr", TypeSyntax { parse: parse_ptr, print: print_ptr })
        .type_syntax("llvm.array", TypeSyntax { parse: parse_array, print: print_array })
        .type_syntax("llvm.struct", TypeSyntax { parse: parse_struct, print: print_struct })
        .type_syntax("llvm.func", TypeSyntax { parse: parse_func, print: print_func })
        .type_syntax("llvm.target", TypeSyntax { parse: parse_target, print: print_target });
}

/// A type inside another: of the dialect without `!llvm.`, or any other.
pub(crate) fn parse_inner(p: &mut OpParser<'_>) -> Parsed<Type> {
    stacker::maybe_grow(RED_ZONE, SEGMENT, || parse_inner_here(p))
}

fn parse_inner_here(p: &mut OpParser<'_>) -> Parsed<Type> {
    let cx = p.cx();
    if let Some(plain) = p.parse_optional_keyword_of(&PLAIN) {
        return Ok(cx.dialect_type(&format!("llvm.{plain}"), &[]));
    }
    match p.parse_optional_keyword_of(&["ptr", "array", "struct", "func", "target"]) {
        Some("ptr") => parse_ptr(p),
        Some("array") => parse_array(p),
        Some("struct") => parse_struct(p),
        Some("func") => parse_func(p),
        Some(_) => parse_target(p),
        None => p.parse_type(),
    }
}

/// Prints what [`parse_inner`] reads.
pub(crate) fn print_inner(ty: TypeRef<'_>, p: &mut AsmPrinter<'_>) {
    let cx = ty.cx();
    let TypeData::Dialect { name, params } = ty.data() else {
        p.ty(ty.id());
        return;
    };
    let Some(mnemonic) = cx.str(*name).strip_prefix("llvm.").filter(|&name| name != "ppc_fp128") else {
        p.ty(ty.id());
        return;
    };
    p.text(mnemonic);
    stacker::maybe_grow(RED_ZONE, SEGMENT, || match mnemonic {
        "ptr" => print_ptr(params, p),
        "array" => print_array(params, p),
        "struct" => print_struct(params, p),
        "func" => print_func(params, p),
        "target" => print_target(params, p),
        _ => {}
    });
}

/// `<3>`, nothing for address space 0.
fn parse_ptr(p: &mut OpParser<'_>) -> Parsed<Type> {
    let cx = p.cx();
    if !p.parse_optional_less() {
        return Ok(types::ptr_type(cx));
    }
    let loc = p.loc();
    let Ok(space) = u32::try_from(p.parse_integer()?) else {
        return Err(p.error_at(loc, "expected an address space of 32 bits"));
    };
    p.parse_greater()?;
    Ok(types::ptr_type_in(cx, space))
}

fn print_ptr(params: &[Attr], p: &mut AsmPrinter<'_>) {
    let space = params.first().and_then(|&space| p.cx().attr(space).as_ap_int()?.to_u64());
    if let Some(space @ 1..) = space {
        p.text(&format!("<{space}>"));
    }
}

/// `<4 x element>`.
fn parse_array(p: &mut OpParser<'_>) -> Parsed<Type> {
    let cx = p.cx();
    let loc = p.loc();
    p.parse_less()?;
    let count = parse_count(p)?;
    p.parse_keyword("x")?;
    let element = parse_inner(p)?;
    if !types::is_element(cx.ty(element)) {
        return Err(p.error_at(loc, format!("invalid array element type: '{}'", cx.ty(element))));
    }
    p.parse_greater()?;
    Ok(types::array_type(cx, element, count))
}

/// A number of elements. One below zero is taken modulo 2^64, as upstream does.
fn parse_count(p: &mut OpParser<'_>) -> Parsed<u64> {
    let loc = p.loc();
    let count = p.parse_ap_int()?;
    let count = count.to_u64().or_else(|| count.to_i64().map(i64::cast_unsigned));
    count.ok_or_else(|| p.error_at(loc, "integer value too large"))
}

fn print_array(params: &[Attr], p: &mut AsmPrinter<'_>) {
    let &[element, count] = params else { return };
    let cx = p.cx();
    p.text("<");
    p.text(&cx.attr(count).as_ap_int().and_then(dl_ir::number::ApInt::to_u64).unwrap_or(0).to_string());
    p.text(" x ");
    print_type_attr(cx, element, p);
    p.text(">");
}

fn print_type_attr(cx: &Context, ty: Attr, p: &mut AsmPrinter<'_>) {
    if let Some(ty) = cx.attr(ty).as_type() {
        print_inner(ty, p);
    }
}

/// `<"name", packed (members)>`, `<"name", opaque>`, `<(members)>`, and in the body of a struct called so `<"name">`.
fn parse_struct(p: &mut OpParser<'_>) -> Parsed<Type> {
    let cx = p.cx();
    let loc = p.loc();
    p.parse_less()?;
    let name = p.parse_optional_string()?.unwrap_or_default();
    if name.is_empty() && p.parse_optional_keyword("opaque") {
        return Err(p.error_at(loc, "only identified structs can be opaque"));
    }
    if name.is_empty() {
        let (members, packed) = parse_members(p, loc)?;
        return Ok(types::struct_type_with(cx, "", Some(&members), packed));
    }
    let ident = cx.ident(&name);
    let is_around = p.named_types_around().contains(&ident);
    if !p.parse_optional_comma() {
        if !is_around {
            return Err(p.error("struct without a body only allowed in a recursive struct"));
        }
        if p.named_types_around().last() != Some(&ident) {
            return Err(p.error_at(loc, "unsupported: identified structs that contain each other"));
        }
        p.parse_greater()?;
        return Ok(types::struct_reference(cx, &name));
    }
    if is_around {
        return Err(p.error_at(loc, "identifier already used for an enclosing struct"));
    }
    if p.parse_optional_keyword("opaque") {
        p.parse_greater()?;
        return named_struct(p, loc, &name, types::struct_type_with(cx, &name, None, false));
    }
    let (members, packed) = p.within_named_type(ident, |p| parse_members(p, loc))?;
    named_struct(p, loc, &name, types::struct_type_with(cx, &name, Some(&members), packed))
}

/// `packed (members)>`. `loc` is that of the struct.
fn parse_members(p: &mut OpParser<'_>, loc: Loc) -> Parsed<(Vec<Type>, bool)> {
    let cx = p.cx();
    let packed = p.parse_optional_keyword("packed");
    let mut members = Vec::new();
    p.parse_comma_separated(Delimiter::Paren, |p| {
        let member = parse_inner(p)?;
        if !types::is_element(cx.ty(member)) {
            return Err(p.error_at(loc, format!("invalid LLVM structure element type: '{}'", cx.ty(member))));
        }
        members.push(member);
        Ok(())
    })?;
    p.parse_greater()?;
    Ok((members, packed))
}

/// `ty`, a struct called `name`, unless another one is.
fn named_struct(p: &mut OpParser<'_>, loc: Loc, name: &str, ty: Type) -> Parsed<Type> {
    let cx = p.cx();
    if cx.named_type(cx.ident(name), ty) == ty {
        return Ok(ty);
    }
    let is_opaque = types::is_opaque_struct(cx.ty(ty));
    let message = if is_opaque {
        "redeclaring defined struct as opaque"
    } else {
        "identified type already used with a different body"
    };
    Err(p.error_at(loc, message))
}

fn print_struct(params: &[Attr], p: &mut AsmPrinter<'_>) {
    let cx = p.cx();
    let &[name, members, packed] = params else {
        p.text("<");
        p.comma_separated(params.iter().copied(), |p, name| p.attr(name));
        p.text(">");
        return;
    };
    let (name, members) = (cx.attr(name), cx.attr(members));
    p.text("<");
    if name.as_str().is_some_and(|name| !name.is_empty()) {
        p.attr(name.id());
        p.text(", ");
    }
    if members.is_unit() {
        p.text("opaque>");
        return;
    }
    if cx.attr(packed).as_bool() == Some(true) {
        p.text("packed ");
    }
    p.text("(");
    // As upstream, a struct of types that LLVM does not have refers to itself by its full name.
    let members = || members.elements().filter_map(AttrRef::as_type);
    let in_full = members().any(|ty| !types::is_compatible(ty));
    p.comma_separated(members(), |p, ty| {
        if in_full && types::is_struct_reference(ty) { p.ty(ty.id()) } else { print_inner(ty, p) }
    });
    p.text(")>");
}

/// `<result (arguments, ...)>`.
fn parse_func(p: &mut OpParser<'_>) -> Parsed<Type> {
    let cx = p.cx();
    let loc = p.loc();
    p.parse_less()?;
    let result = parse_inner(p)?;
    if !types::is_func_result(cx.ty(result)) {
        return Err(p.error_at(loc, format!("invalid function result type: '{}'", cx.ty(result))));
    }
    let (mut args, mut variadic) = (Vec::new(), false);
    p.parse_comma_separated(Delimiter::Paren, |p| {
        if variadic {
            return Err(p.error("expected nothing after '...'"));
        }
        if p.parse_optional_ellipsis() {
            variadic = true;
            return Ok(());
        }
        let arg = parse_inner(p)?;
        if !types::is_func_arg(cx.ty(arg)) {
            return Err(p.error_at(loc, format!("invalid function argument type: '{}'", cx.ty(arg))));
        }
        args.push(arg);
        Ok(())
    })?;
    p.parse_greater()?;
    Ok(types::func_type(cx, result, &args, variadic))
}

fn print_func(params: &[Attr], p: &mut AsmPrinter<'_>) {
    let &[result, args, variadic] = params else { return };
    let cx = p.cx();
    p.text("<");
    print_type_attr(cx, result, p);
    p.text(" (");
    let args = cx.attr(args).elements();
    let any = args.len() > 0;
    p.comma_separated(args.filter_map(AttrRef::as_type), |p, ty| print_inner(ty, p));
    if cx.attr(variadic).as_bool() == Some(true) {
        p.text(if any { ", ..." } else { "..." });
    }
    p.text(")>");
}

/// `<"name", types, numbers>`.
fn parse_target(p: &mut OpParser<'_>) -> Parsed<Type> {
    let cx = p.cx();
    p.parse_less()?;
    let name = p.parse_string()?;
    let (mut inner, mut numbers) = (Vec::new(), Vec::new());
    while p.parse_optional_comma() {
        match p.parse_optional_integer()? {
            Some(number) => numbers.push(cx.int_attr(cx.i32_type(), number)),
            None if !numbers.is_empty() => {
                return Err(p.error("expected an integer: types come before numbers"));
            }
            None => inner.push(cx.type_attr(parse_inner(p)?)),
        }
    }
    p.parse_greater()?;
    Ok(cx.dialect_type("llvm.target", &[cx.string_attr(&name), cx.array_attr(&inner), cx.array_attr(&numbers)]))
}

fn print_target(params: &[Attr], p: &mut AsmPrinter<'_>) {
    let &[name, inner, numbers] = params else { return };
    let cx = p.cx();
    p.text("<");
    p.attr(name);
    for ty in cx.attr(inner).elements().filter_map(AttrRef::as_type) {
        p.text(", ");
        p.ty(ty.id());
    }
    for number in cx.attr(numbers).elements() {
        p.text(", ");
        p.text(&number.as_ap_int().and_then(dl_ir::number::ApInt::to_u64).unwrap_or(0).to_string());
    }
    p.text(">");
}
