//! Pretty forms that are no declarative formats.

use dl_ir::interfaces::function::{parse_signature, print_signature};
use dl_ir::opdef::EnumDef;
use dl_ir::text::{AsmPrinter, Delimiter, OpParser, Parsed};
use dl_ir::{Attr, AttrRef, Context, OpRef, OpState, OpView, Type};

use crate::types::{func_parts, func_type, void_type};
use crate::{
    AllocaOp, C_CONV, CallOp, F_CMP_PREDICATE, GlobalOp, I_CMP_PREDICATE, LINKAGE, TAIL_CALL_KIND, UNNAMED_ADDR,
    VISIBILITY,
};

/// The attribute `#llvm.name<value>` that holds one enumeration value.
fn enum_attr(cx: &Context, name: &str, value: u64) -> Attr {
    cx.dialect_attr(name, &[cx.i64_attr(value.cast_signed())])
}

/// A keyword of `def`, if there is one.
fn parse_optional_enum(p: &mut OpParser<'_>, def: &EnumDef) -> Parsed<Option<u64>> {
    match p.token_word().and_then(|word| def.value(word)) {
        Some(value) => p.parse_any_keyword().map(|_| Some(value)),
        None => Ok(None),
    }
}

/// The keyword of attribute `name` and a space, unless it is absent or at its default.
fn print_enum(op: OpRef<'_>, p: &mut AsmPrinter<'_>, name: &str, def: &EnumDef) {
    if let Some(attr) = op.attr(name) {
        p.enumeration(def, attr);
        p.text(" ");
    }
}

// Functions.

const FUNC_SHOWN: [&str; 10] = [
    "sym_name", "function_type", "linkage", "CConv", "arg_attrs", "res_attrs", "visibility_", "unnamed_addr", "comdat",
    "vscale_range",
];

/// `linkage visibility unnamed_addr cconv @name(signature) attributes {...} {body}`.
pub(crate) fn parse_func(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    if let Some(value) = parse_optional_enum(p, &LINKAGE)? {
        state.set_attr(cx.ident("linkage"), enum_attr(cx, "llvm.linkage", value));
    }
    parse_visibility_and_address(p, state)?;
    if let Some(value) = parse_optional_enum(p, &C_CONV)? {
        state.set_attr(cx.ident("CConv"), enum_attr(cx, "llvm.cconv", value));
    }
    let name = p.parse_symbol_name()?;
    state.set_attr(cx.ident("sym_name"), cx.string_attr(&name));
    let loc = p.loc();
    let signature = parse_signature(p, state, true)?;
    let result = match signature.results[..] {
        [] => void_type(cx),
        [one] => one,
        _ => return Err(p.error_at(loc, "failed to construct function type: expected zero or one function result")),
    };
    let ty = func_type(cx, result, &signature.inputs, signature.variadic);
    state.set_attr(cx.ident("function_type"), cx.type_attr(ty));
    if p.parse_optional_keyword("vscale_range") {
        return Err(p.error("unsupported: 'vscale_range' in the pretty form; write it among the attributes"));
    }
    if p.parse_optional_keyword("comdat") {
        p.parse_l_paren()?;
        let comdat = p.parse_symbol_ref()?;
        state.set_attr(cx.ident("comdat"), comdat);
        p.parse_r_paren()?;
    }
    p.parse_optional_attr_dict_with_keyword(state)?;
    signature.set_attrs(cx, state);
    if p.parse_optional_region(state, &signature.args)?.is_none() {
        p.empty_region(state);
    }
    Ok(())
}

fn parse_visibility_and_address(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    if let Some(value) = parse_optional_enum(p, &VISIBILITY)? {
        state.set_attr(cx.ident("visibility_"), cx.i64_attr(value.cast_signed()));
    }
    let unnamed = parse_optional_enum(p, &UNNAMED_ADDR)?.unwrap_or(0);
    state.set_attr(cx.ident("unnamed_addr"), cx.i64_attr(unnamed.cast_signed()));
    Ok(())
}

/// The address is significant unless the keyword says otherwise: 0 is not written.
fn print_visibility_and_address(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    print_enum(op, p, "visibility_", &VISIBILITY);
    if op.attr("unnamed_addr").and_then(AttrRef::as_int).is_some_and(|n| n != 0) {
        print_enum(op, p, "unnamed_addr", &UNNAMED_ADDR);
    }
}

/// Prints what [`parse_func`] reads.
pub(crate) fn print_func(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let cx = op.cx();
    p.text(" ");
    print_enum(op, p, "linkage", &LINKAGE);
    print_visibility_and_address(op, p);
    print_enum(op, p, "CConv", &C_CONV);
    p.symbol_name(op.symbol_name().unwrap_or_default());
    let parts = op.attr("function_type").and_then(AttrRef::as_type).and_then(func_parts);
    let (result, params, variadic) = parts.unwrap_or_else(|| (void_type(cx), Vec::new(), false));
    let results: &[Type] = if cx.ty(result).is_dialect_type("llvm.void") { &[] } else { &[result] };
    print_signature(op, p, &params, variadic, results);
    if let Some(comdat) = op.attr("comdat") {
        p.text(" comdat(");
        p.attr(comdat.id());
        p.text(")");
    }
    p.attr_dict_with_keyword(op, &FUNC_SHOWN);
    if !op.region(0).is_empty() {
        p.text(" ");
        p.region(op.region(0), false, true);
    }
}

// Globals.

const GLOBAL_SHOWN: [&str; 8] =
    ["sym_name", "global_type", "constant", "value", "linkage", "unnamed_addr", "thread_local_", "visibility_"];

/// `linkage visibility thread_local unnamed_addr constant @name(value) {...} : type {initializer}`.
pub(crate) fn parse_global(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    let linkage = parse_optional_enum(p, &LINKAGE)?.or_else(|| LINKAGE.value("external")).unwrap_or(0);
    state.set_attr(cx.ident("linkage"), enum_attr(cx, "llvm.linkage", linkage));
    if let Some(value) = parse_optional_enum(p, &VISIBILITY)? {
        state.set_attr(cx.ident("visibility_"), cx.i64_attr(value.cast_signed()));
    }
    if p.parse_optional_keyword("thread_local") {
        state.set_attr(cx.ident("thread_local_"), cx.unit_attr());
    }
    let unnamed = parse_optional_enum(p, &UNNAMED_ADDR)?.unwrap_or(0);
    state.set_attr(cx.ident("unnamed_addr"), cx.i64_attr(unnamed.cast_signed()));
    if p.parse_optional_keyword("constant") {
        state.set_attr(cx.ident("constant"), cx.unit_attr());
    }
    let name = p.parse_symbol_name()?;
    state.set_attr(cx.ident("sym_name"), cx.string_attr(&name));
    p.parse_l_paren()?;
    let mut value = None;
    if !p.parse_optional_r_paren() {
        value = Some(p.parse_attribute(None)?);
        p.parse_r_paren()?;
    }
    if p.parse_optional_keyword("comdat") {
        p.parse_l_paren()?;
        let comdat = p.parse_symbol_ref()?;
        state.set_attr(cx.ident("comdat"), comdat);
        p.parse_r_paren()?;
    }
    p.parse_optional_attr_dict(state)?;
    let ty = if p.parse_optional_colon() {
        p.parse_type()?
    } else {
        // A string may stand without a type: an array of its bytes.
        let Some(text) = value.and_then(|v| cx.attr(v).string_bytes()) else {
            return Err(p.error("type can only be omitted for string globals"));
        };
        crate::types::array_type(cx, cx.int_type(8), text.len() as u64)
    };
    state.set_attr(cx.ident("global_type"), cx.type_attr(ty));
    if let Some(value) = value {
        state.set_attr(cx.ident("value"), value);
    }
    if p.parse_optional_region(state, &[])?.is_none() {
        p.empty_region(state);
    }
    Ok(())
}

/// Prints what [`parse_global`] reads.
pub(crate) fn print_global(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let global = GlobalOp::wrap(op);
    p.text(" ");
    p.enumeration(&LINKAGE, global.linkage());
    p.text(" ");
    print_enum(op, p, "visibility_", &VISIBILITY);
    if global.thread_local_().is_some() {
        p.text("thread_local ");
    }
    if global.unnamed_addr().and_then(AttrRef::as_int).is_some_and(|n| n != 0) {
        print_enum(op, p, "unnamed_addr", &UNNAMED_ADDR);
    }
    if global.constant().is_some() {
        p.text("constant ");
    }
    p.symbol_name(op.symbol_name().unwrap_or_default());
    p.text("(");
    if let Some(value) = global.value() {
        p.attr(value.id());
    }
    p.text(")");
    if let Some(comdat) = global.comdat() {
        p.text(" comdat(");
        p.attr(comdat.id());
        p.text(")");
    }
    let mut attrs: Vec<_> = op.properties();
    attrs.extend(op.discardable_attrs().map(|(name, attr)| (name, attr.id())));
    let cx = op.cx();
    attrs.retain(|(name, _)| !GLOBAL_SHOWN.contains(&cx.str(*name)) && cx.str(*name) != "comdat");
    attrs.sort_by(|a, b| cx.str(a.0).cmp(cx.str(b.0)));
    if !attrs.is_empty() {
        p.text(" ");
        p.attr_entries(&attrs);
    }
    let ty = global.global_type().as_type();
    let string = global.value().is_some_and(AttrRef::is_string);
    if let Some(ty) = ty.filter(|_| !string) {
        p.text(" : ");
        p.ty(ty.id());
    }
    if !op.region(0).is_empty() {
        p.text(" ");
        p.region(op.region(0), false, true);
    }
}

// Calls.

const CALL_SHOWN: [&str; 9] = [
    "callee", "CConv", "TailCallKind", "var_callee_type", "operandSegmentSizes", "op_bundle_sizes", "op_bundle_tags",
    "arg_attrs", "res_attrs",
];

/// `cconv tail @callee(operands) vararg(type) {...} : (types) -> type`; without a symbol the first operand is the callee.
pub(crate) fn parse_call(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    if let Some(value) = parse_optional_enum(p, &C_CONV)? {
        state.set_attr(cx.ident("CConv"), enum_attr(cx, "llvm.cconv", value));
    }
    if let Some(value) = parse_optional_enum(p, &TAIL_CALL_KIND)? {
        state.set_attr(cx.ident("TailCallKind"), enum_attr(cx, "llvm.tailcallkind", value));
    }
    let mut pointer = None;
    match p.parse_optional_operand()? {
        Some(operand) => pointer = Some(operand),
        None => {
            let name = p.parse_symbol_name()?;
            state.set_attr(cx.ident("callee"), cx.symbol_ref_attr(&name));
        }
    }
    let operands = p.parse_operand_list(Delimiter::Paren)?;
    if p.parse_optional_keyword("vararg") {
        p.parse_l_paren()?;
        let ty = p.parse_type()?;
        state.set_attr(cx.ident("var_callee_type"), cx.type_attr(ty));
        p.parse_r_paren()?;
    }
    if p.parse_optional_l_square() {
        return Err(p.error("unsupported: operand bundles in the pretty form; use the generic form"));
    }
    p.parse_optional_attr_dict(state)?;
    p.parse_colon()?;
    if let Some(pointer) = pointer {
        let ty = p.parse_type()?;
        p.resolve_operand(pointer, ty, state)?;
        p.parse_comma()?;
    }
    let loc = p.loc();
    let ty = p.parse_type()?;
    if !cx.ty(ty).is_function() {
        return Err(p.error_at(loc, "expected trailing function type"));
    }
    p.resolve_operands_with(&operands, cx.ty(ty).inputs(), loc, state)?;
    match cx.ty(ty).results() {
        [] => {}
        [one] if cx.ty(*one).is_dialect_type("llvm.void") => {
            return Err(p.error_at(loc, "expected a non-void result type"));
        }
        [one] => state.results.push(*one),
        _ => return Err(p.error_at(loc, "expected function with 0 or 1 result")),
    }
    let count = state.operands.len() as i32;
    state.set_attr(cx.ident("operandSegmentSizes"), cx.dense_i32_array(&[count, 0]));
    state.set_attr(cx.ident("op_bundle_sizes"), cx.dense_i32_array(&[]));
    Ok(())
}

/// Prints what [`parse_call`] reads.
pub(crate) fn print_call(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let call = CallOp::wrap(op);
    if !call.op_bundle_operands().is_empty() || call.arg_attrs().is_some() || call.res_attrs().is_some() {
        // The pretty form has no place for these here; the generic form says all.
        p.text(" ");
        return p.generic(op);
    }
    p.text(" ");
    print_enum(op, p, "CConv", &C_CONV);
    print_enum(op, p, "TailCallKind", &TAIL_CALL_KIND);
    let mut operands: Vec<_> = call.callee_operands().iter().collect();
    let pointer = match call.callee() {
        Some(callee) => {
            p.attr(callee.id());
            None
        }
        None => (!operands.is_empty()).then(|| operands.remove(0)),
    };
    if let Some(pointer) = pointer {
        p.operand(pointer);
    }
    p.text("(");
    p.operands(operands.iter().copied());
    p.text(")");
    if let Some(ty) = call.var_callee_type() {
        p.text(" vararg(");
        p.attr(ty.id());
        p.text(")");
    }
    p.attr_dict(op, &CALL_SHOWN);
    p.text(" : ");
    if let Some(pointer) = pointer {
        p.ty(pointer.ty().id());
        p.text(", ");
    }
    let inputs: Vec<Type> = operands.iter().map(|v| v.ty().id()).collect();
    p.functional_type(&inputs, &op.results().types());
}

// Stack and comparisons.

/// `inalloca %size x type {...} : (size type) -> pointer type`.
pub(crate) fn parse_alloca(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    if p.parse_optional_keyword("inalloca") {
        state.set_attr(cx.ident("inalloca"), cx.unit_attr());
    }
    let size = p.parse_operand()?;
    p.parse_keyword("x")?;
    let element = p.parse_type()?;
    state.set_attr(cx.ident("elem_type"), cx.type_attr(element));
    p.parse_optional_attr_dict(state)?;
    p.parse_colon()?;
    let loc = p.loc();
    let ty = p.parse_type()?;
    let ([input], [result]) = (cx.ty(ty).inputs(), cx.ty(ty).results()) else {
        return Err(p.error_at(loc, "expected trailing function type with one argument and one result"));
    };
    state.results.push(*result);
    p.resolve_operand(size, *input, state)
}

/// Prints what [`parse_alloca`] reads.
pub(crate) fn print_alloca(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let alloca = AllocaOp::wrap(op);
    p.text(if alloca.inalloca().is_some() { " inalloca " } else { " " });
    p.operand(alloca.array_size());
    p.text(" x ");
    p.attr(alloca.elem_type().id());
    // An alignment of 0 means the same as none.
    let zero = alloca.alignment().and_then(AttrRef::as_int) == Some(0);
    let shown: &[&str] = if zero { &["elem_type", "inalloca", "alignment"] } else { &["elem_type", "inalloca"] };
    p.attr_dict(op, shown);
    p.text(" : ");
    p.functional_type(&op.operands().types(), &op.results().types());
}

/// `"slt" %a, %b : type`.
pub(crate) fn parse_icmp(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    parse_cmp(p, state, &I_CMP_PREDICATE)
}

/// `"olt" %a, %b {...} : type`.
pub(crate) fn parse_fcmp(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    parse_cmp(p, state, &F_CMP_PREDICATE)
}

fn parse_cmp(p: &mut OpParser<'_>, state: &mut OpState, predicates: &EnumDef) -> Parsed<()> {
    let cx = p.cx();
    let loc = p.loc();
    let word = p.parse_string()?;
    let Some(value) = predicates.value(&word) else {
        return Err(p.error_at(loc, format!("'{word}' is an incorrect value of the 'predicate' attribute")));
    };
    state.set_attr(cx.ident("predicate"), cx.i64_attr(value.cast_signed()));
    let lhs = p.parse_operand()?;
    p.parse_comma()?;
    let rhs = p.parse_operand()?;
    p.parse_optional_attr_dict(state)?;
    let ty = p.parse_colon_type()?;
    p.resolve_operands(&[lhs, rhs], ty, state)?;
    let bits = cx.i1_type();
    let view = cx.ty(ty);
    state.results.push(if view.is_vector() { view.with_element(bits) } else { bits });
    Ok(())
}

/// Prints comparisons of both kinds.
pub(crate) fn print_cmp(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let predicates = if op.name() == "llvm.icmp" { &I_CMP_PREDICATE } else { &F_CMP_PREDICATE };
    let word = op.attr("predicate").and_then(AttrRef::enum_value).and_then(|v| predicates.keyword(v));
    p.text(" ");
    p.string(word.unwrap_or_default().as_bytes());
    p.text(" ");
    p.operands(op.operands().iter());
    p.attr_dict(op, &["predicate"]);
    p.text(" : ");
    p.ty(op.operand(0).ty().id());
}
