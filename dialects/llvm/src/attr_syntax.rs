//! Text forms that formats do not describe: `#llvm.constant_range<i32, 0, 12>`, and the members of `#llvm.tbaa_type_desc`.

use dl_ir::dialect::AttrSyntax;
use dl_ir::text::{AsmPrinter, Delimiter, OpParser, ParamHook, Parsed};
use dl_ir::{Attr, DialectBuilder};

/// Registers the text forms.
pub(crate) fn register(builder: &mut DialectBuilder) {
    builder.attr_syntax("llvm.constant_range", AttrSyntax { parse, print });
    builder.param_hook("llvm.tbaa_members", ParamHook { parse: parse_members, print: print_members });
}

const MEMBER: &str = "llvm.tbaa_member";

/// `{<#type, 0>, <#type, 4>}`.
fn parse_members(p: &mut OpParser<'_>, values: &mut [Option<Attr>]) -> Parsed<()> {
    let mut members = Vec::new();
    p.parse_comma_separated(Delimiter::Braces, |p| {
        members.push(p.parse_stripped_attribute(MEMBER)?);
        Ok(())
    })?;
    values[0] = Some(p.cx().array_attr(&members));
    Ok(())
}

fn print_members(values: &[Attr], p: &mut AsmPrinter<'_>) {
    let cx = p.cx();
    p.text("{");
    p.comma_separated(cx.attr(values[0]).elements(), |p, member| p.stripped_attr(member.id()));
    p.text("}");
}

/// `<type, lower, upper>`: both bounds are integers of the type.
fn parse(p: &mut OpParser<'_>) -> Parsed<Attr> {
    let cx = p.cx();
    p.parse_less()?;
    let loc = p.loc();
    let ty = p.parse_type()?;
    let Some(width) = cx.ty(ty).int_width() else {
        return Err(p.error_at(loc, "expected integer type"));
    };
    p.parse_comma()?;
    let lower = p.parse_ap_int()?;
    p.parse_comma()?;
    let upper = p.parse_ap_int()?;
    p.parse_greater()?;
    let bounds = [lower, upper].map(|bound| cx.ap_int_attr(ty, bound.sext_or_trunc(width)));
    Ok(cx.dialect_attr("llvm.constant_range", &bounds))
}

fn print(params: &[Attr], p: &mut AsmPrinter<'_>) {
    let cx = p.cx();
    p.text("<");
    if let Some(ty) = params.first().and_then(|&lower| cx.attr(lower).ty()) {
        p.ty(ty.id());
    }
    for &bound in params {
        p.text(", ");
        p.attr_without_type(bound);
    }
    p.text(">");
}
