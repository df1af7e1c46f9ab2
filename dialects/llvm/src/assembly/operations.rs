//! Pretty forms of comparisons, `llvm.alloca`, `llvm.landingpad` and `llvm.intr.invariant.start`.

use dl_ir::opdef::EnumDef;
use dl_ir::text::{AsmPrinter, OpParser, Parsed};
use dl_ir::{OpRef, OpState, OpView, Type};

use crate::{AllocaOp, F_CMP_PREDICATE, I_CMP_PREDICATE, InvariantStartOp};

pub(crate) fn parse_icmp(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    parse_comparison(p, state, &I_CMP_PREDICATE)
}

pub(crate) fn parse_fcmp(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    parse_comparison(p, state, &F_CMP_PREDICATE)
}

pub(crate) fn print_icmp(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    print_comparison(op, p, &I_CMP_PREDICATE);
}

pub(crate) fn print_fcmp(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    print_comparison(op, p, &F_CMP_PREDICATE);
}

/// `"predicate" %a, %b {...} : type`.
fn parse_comparison(p: &mut OpParser<'_>, state: &mut OpState, def: &'static EnumDef) -> Parsed<()> {
    let cx = p.cx();
    let loc = p.loc();
    let Some(keyword) = p.parse_optional_string()? else {
        return Err(p.error_at(loc, "invalid kind of attribute specified"));
    };
    let Some(predicate) = def.value(&keyword) else {
        let message = format!("'{keyword}' is an incorrect value of the 'predicate' attribute");
        return Err(p.error_at(loc, message));
    };
    state.set_attr(cx.ident("predicate"), cx.i64_attr(predicate as i64));
    let lhs = p.parse_operand()?;
    p.parse_comma()?;
    let rhs = p.parse_operand()?;
    p.parse_optional_attr_dict(state)?;
    p.parse_colon()?;
    let ty = p.parse_type()?;
    p.resolve_operands(&[lhs, rhs], ty, state)?;
    state.results.push(i1_like(p, ty));
    Ok(())
}

/// `i1`, or the vector of `i1` with the shape of `ty`.
fn i1_like(p: &OpParser<'_>, ty: Type) -> Type {
    let cx = p.cx();
    cx.ty(ty).with_element(cx.i1_type())
}

fn print_comparison(op: OpRef<'_>, p: &mut AsmPrinter<'_>, def: &'static EnumDef) {
    let predicate = op.attr("predicate").and_then(|attr| def.keyword(attr.enum_value()?)).unwrap_or_default();
    p.text(&format!(" \"{predicate}\" "));
    p.operands(op.operands().iter());
    p.attr_dict(op, &["predicate"]);
    p.text(" : ");
    p.ty(op.operand(0).ty().id());
}

/// `inalloca %count x type {...} : (i64) -> !llvm.ptr`.
pub(crate) fn parse_alloca(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    if p.parse_optional_keyword("inalloca") {
        state.set_attr(cx.ident("inalloca"), cx.unit_attr());
    }
    let count = p.parse_operand()?;
    p.parse_keyword("x")?;
    let element = p.parse_type()?;
    p.parse_optional_attr_dict(state)?;
    p.parse_colon()?;
    let loc = p.loc();
    let (inputs, results) = p.parse_function_type_parts()?;
    let ([input], [result]) = (&inputs[..], &results[..]) else {
        return Err(p.error_at(loc, "expected trailing function type with one argument and one result"));
    };
    state.set_attr(cx.ident("elem_type"), cx.type_attr(element));
    p.resolve_operand(count, *input, state)?;
    state.results.push(*result);
    // An alignment of zero is as good as none.
    let alignment = cx.ident("alignment");
    state.attrs.retain(|&mut (name, value)| name != alignment || cx.attr(value).as_int() != Some(0));
    Ok(())
}

/// Prints what [`parse_alloca`] reads.
pub(crate) fn print_alloca(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = AllocaOp::wrap(op);
    if view.inalloca().is_some() {
        p.text(" inalloca");
    }
    p.text(" ");
    p.operand(view.array_size());
    p.text(" x ");
    p.attr(view.elem_type().id());
    let unaligned = view.alignment().is_none_or(|n| n.as_int() == Some(0));
    p.attr_dict(op, if unaligned { &["alignment", "elem_type", "inalloca"] } else { &["elem_type", "inalloca"] });
    p.text(" : ");
    p.functional_type(&op.operands().types(), &op.results().types());
}

/// `cleanup (catch %a : type) (filter %b : type) : type`.
pub(crate) fn parse_landingpad(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    if p.parse_optional_keyword("cleanup") {
        state.set_attr(cx.ident("cleanup"), cx.unit_attr());
    }
    while p.parse_optional_l_paren() {
        if p.parse_optional_keyword_of(&["filter", "catch"]).is_none() {
            return Err(p.error("expected 'filter' or 'catch'"));
        }
        let clause = p.parse_operand()?;
        p.parse_colon()?;
        let ty = p.parse_type()?;
        p.resolve_operand(clause, ty, state)?;
        p.parse_r_paren()?;
    }
    p.parse_colon()?;
    state.results.push(p.parse_type()?);
    Ok(())
}

/// Prints what [`parse_landingpad`] reads: an array is a filter, anything else is caught.
pub(crate) fn print_landingpad(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    p.text(if op.attr("cleanup").is_some() { " cleanup " } else { " " });
    for clause in op.operands().iter() {
        p.text(if crate::types::is_array(clause.ty()) { "(filter " } else { "(catch " });
        p.operand(clause);
        p.text(" : ");
        p.ty(clause.ty().id());
        p.text(") ");
    }
    p.text(": ");
    p.ty(op.result(0).ty().id());
}

/// `size, %pointer {...} : type`; the result is an `!llvm.ptr`.
pub(crate) fn parse_invariant_start(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    let size = p.parse_integer()?;
    state.set_attr(cx.ident("size"), cx.i64_attr(size));
    p.parse_comma()?;
    let pointer = p.parse_operand()?;
    p.parse_optional_attr_dict(state)?;
    p.parse_colon()?;
    let ty = p.parse_type()?;
    p.resolve_operand(pointer, ty, state)?;
    state.results.push(crate::ptr_type(cx));
    Ok(())
}

/// Prints what [`parse_invariant_start`] reads.
pub(crate) fn print_invariant_start(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = InvariantStartOp::wrap(op);
    p.text(" ");
    p.attr_without_type(view.size().id());
    p.text(", ");
    p.operand(view.ptr());
    p.attr_dict(op, &["size"]);
    p.text(" : ");
    p.ty(view.ptr().ty().id());
}
