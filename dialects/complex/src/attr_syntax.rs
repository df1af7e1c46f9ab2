//! The text form of `#complex.number<:f64 1.0, 2.0> : complex<f64>`.

use dl_ir::dialect::AttrSyntax;
use dl_ir::text::{AsmPrinter, OpParser, Parsed};
use dl_ir::{Attr, DialectBuilder, TypeData, TypeRef};

/// Registers the text form.
pub(crate) fn register(builder: &mut DialectBuilder) {
    builder.attr_syntax("complex.number", AttrSyntax { parse, print });
}

/// `<:part real, imaginary> : complex<part>`; the type at the end may be left out.
fn parse(p: &mut OpParser<'_>) -> Parsed<Attr> {
    let cx = p.cx();
    p.parse_less()?;
    p.parse_colon()?;
    let loc = p.loc();
    let part = p.parse_type()?;
    if !cx.ty(part).is_float() {
        return Err(p.error_at(loc, "expected a float type"));
    }
    let real = p.parse_attribute(Some(part))?;
    p.parse_comma()?;
    let imaginary = p.parse_attribute(Some(part))?;
    p.parse_greater()?;
    if [real, imaginary].iter().any(|&number| cx.attr(number).ty().map(TypeRef::id) != Some(part)) {
        return Err(p.error_at(loc, format!("expected two numbers of type '{}'", cx.ty(part))));
    }
    let ty = cx.intern_type(TypeData::Complex(part));
    let loc = p.loc();
    if p.parse_optional_colon() && p.parse_type()? != ty {
        return Err(p.error_at(loc, format!("expected type '{}'", cx.ty(ty))));
    }
    Ok(cx.dialect_attr("complex.number", &[real, imaginary, cx.type_attr(ty)]))
}

fn print(params: &[Attr], p: &mut AsmPrinter<'_>) {
    let &[real, imaginary, ty] = params else { return };
    let cx = p.cx();
    p.text("<:");
    if let Some(part) = cx.attr(real).ty() {
        p.ty(part.id());
    }
    p.text(" ");
    p.attr_without_type(real);
    p.text(", ");
    p.attr_without_type(imaginary);
    p.text("> : ");
    if let Some(ty) = cx.attr(ty).as_type().map(TypeRef::id) {
        p.ty(ty);
    }
}
