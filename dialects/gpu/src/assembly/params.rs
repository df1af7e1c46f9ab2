//! Text forms of types and of parameters of attributes.

use dl_ir::dialect::TypeSyntax;
use dl_ir::text::{AsmPrinter, OpParser, ParamHook, Parsed};
use dl_ir::{Attr, AttrRef, DialectBuilder, Type};

use crate::types::{MMA_MATRIX_DEF, is_matrix_element, matrix};
use crate::{COMPILATION_TARGET, CompilationTarget};

pub(super) fn register(builder: &mut DialectBuilder) {
    builder
        .type_syntax(&MMA_MATRIX_DEF.name, TypeSyntax { parse: parse_matrix, print: print_matrix })
        .param_hook("gpu.affine_map", ParamHook { parse: parse_map, print: print_map })
        .param_hook("Object", ParamHook { parse: parse_object, print: print_object });
}

/// `<16x8xf16, "AOp">`.
fn parse_matrix(p: &mut OpParser<'_>) -> Parsed<Type> {
    let start = p.loc();
    p.parse_less()?;
    let shape = p.parse_dimension_list(false, true)?;
    let element = p.parse_type()?;
    p.parse_comma()?;
    let operand = p.parse_string()?;
    p.parse_greater()?;
    let cx = p.cx();
    if !["AOp", "BOp", "COp"].contains(&&*operand) {
        return Err(p.error_at(start, "operand expected to be one of AOp, BOp or COp"));
    }
    if shape.len() != 2 {
        return Err(p.error_at(start, "MMAMatrixType must have exactly two dimensions"));
    }
    if !is_matrix_element(cx.ty(element)) {
        return Err(p.error_at(start, "MMAMatrixType elements must be SI8, UI8, I32, F16, F32, or F64"));
    }
    Ok(matrix(cx, &shape, element, &operand))
}

fn print_matrix(params: &[Attr], p: &mut AsmPrinter<'_>) {
    let &[shape, element, operand] = params else { return };
    let cx = p.cx();
    p.text("<");
    for size in cx.attr(shape).dense_ints() {
        p.int(size);
        p.text("x");
    }
    if let Some(element) = cx.attr(element).as_type() {
        p.ty(element.id());
    }
    p.text(", ");
    p.attr(operand);
    p.text(">");
}

/// An affine map without `affine_map<...>` around it.
fn parse_map(p: &mut OpParser<'_>, values: &mut [Option<Attr>]) -> Parsed<()> {
    let map = p.parse_affine_map_inline()?;
    values[0] = Some(p.cx().affine_map_attr(map));
    Ok(())
}

fn print_map(values: &[Attr], p: &mut AsmPrinter<'_>) {
    let text = p.cx().attr(values[0]).to_string();
    p.text(text.strip_prefix("affine_map<").and_then(|text| text.strip_suffix('>')).unwrap_or(&text));
}

/// `format = "object"`, or `"object"` for the usual format.
fn parse_object(p: &mut OpParser<'_>, values: &mut [Option<Attr>]) -> Parsed<()> {
    let loc = p.loc();
    let mut format = CompilationTarget::Fatbin.value();
    if let Some(keyword) = p.parse_optional_any_keyword() {
        format = match COMPILATION_TARGET.value(keyword) {
            Some(format) => format,
            None => return Err(p.error_at(loc, "expected keyword for GPU object format")),
        };
        p.parse_equal()?;
    }
    let object = p.parse_attribute(None)?;
    if !p.cx().attr(object).is_string() {
        return Err(p.error_at(loc, "failed to parse GPU_ObjectAttr parameter 'object' which is to be a `StringAttr`"));
    }
    values[0] = Some(p.cx().i64_attr(format.cast_signed()));
    values[1] = Some(object);
    Ok(())
}

fn print_object(values: &[Attr], p: &mut AsmPrinter<'_>) {
    let format = AttrRef::enum_value(p.cx().attr(values[0])).unwrap_or(0);
    if let Some(keyword) = COMPILATION_TARGET.keyword(format).filter(|_| format != CompilationTarget::Fatbin.value()) {
        p.text(keyword);
        p.text(" = ");
    }
    p.attr(values[1]);
}
