//! What formats do not say of attributes: the text form of `#llvm.constant_range<i32, 0, 12>` and of the members of
//! `#llvm.tbaa_type_desc`, and which parameters fit together.

use dl_ir::dialect::AttrSyntax;
use dl_ir::text::{AsmPrinter, Delimiter, OpParser, ParamHook, Parsed};
use dl_ir::{Attr, AttrRef, Context, DialectBuilder};

/// Registers the text forms.
pub(crate) fn register(builder: &mut DialectBuilder) {
    builder.attr_syntax("llvm.constant_range", AttrSyntax { parse, print });
    builder.param_hook("llvm.tbaa_members", ParamHook { parse: parse_members, print: print_members });
    builder.verify_attr("llvm.mlir.module_flag", verify_module_flag);
    builder.verify_attr("llvm.mlir.workgroup_attribution", verify_attribution);
    builder.verify_attr("llvm.tbaa_root", verify_root);
    builder.verify_attr(MEMBER, verify_member);
    builder.verify_attr("llvm.target_features", verify_features);
}

const MEMBER: &str = "llvm.tbaa_member";

/// `{<#type, 0>, <#type, 4>}`, at least one.
fn parse_members(p: &mut OpParser<'_>, values: &mut [Option<Attr>]) -> Parsed<()> {
    let mut members = Vec::new();
    p.parse_l_brace()?;
    p.parse_comma_separated(Delimiter::None, |p| {
        members.push(p.parse_stripped_attribute(MEMBER)?);
        Ok(())
    })?;
    p.parse_r_brace()?;
    values[0] = Some(p.cx().array_attr(&members));
    Ok(())
}

fn print_members(values: &[Attr], p: &mut AsmPrinter<'_>) {
    let cx = p.cx();
    p.text("{");
    p.comma_separated(cx.attr(values[0]).elements(), |p, member| p.stripped_attr(member.id()));
    p.text("}");
}

/// A member is of a type, which is a root or a description.
fn verify_member(cx: &Context, params: &[Attr]) -> Result<(), String> {
    let is_type =
        |&ty: &Attr| ["llvm.tbaa_root", "llvm.tbaa_type_desc"].iter().any(|name| cx.attr(ty).is_dialect_attr(name));
    of_kind(params.first().is_none_or(is_type))
}

/// An error unless a parameter is of the kind that is wanted.
fn of_kind(is_kind: bool) -> Result<(), String> {
    if is_kind { Ok(()) } else { Err("invalid kind of attribute specified".to_owned()) }
}

/// A number of elements and their type.
fn verify_attribution(cx: &Context, params: &[Attr]) -> Result<(), String> {
    let &[count, element] = params else { return Ok(()) };
    of_kind(cx.attr(count).is_integer() && cx.attr(element).is_type())
}

/// A root has a name or none.
fn verify_root(cx: &Context, params: &[Attr]) -> Result<(), String> {
    of_kind(params.iter().all(|&id| cx.attr(id).is_string() || cx.attr(id).is_unit()))
}

/// Features are switched on or off one by one.
fn verify_features(cx: &Context, params: &[Attr]) -> Result<(), String> {
    for feature in params.iter().flat_map(|&features| cx.attr(features).elements()) {
        match feature.as_str() {
            None | Some("") => return Err("target features can not be null or empty".to_owned()),
            Some(name) if !name.starts_with(['+', '-']) => {
                return Err("target features must start with '+' or '-'".to_owned());
            }
            Some(name) if name.contains(',') => return Err("target features can not contain ','".to_owned()),
            Some(_) => {}
        }
    }
    Ok(())
}

/// Two flags have values of a form of their own; others are numbers and strings.
fn verify_module_flag(cx: &Context, params: &[Attr]) -> Result<(), String> {
    let &[_, key, value] = params else { return Ok(()) };
    let (key, value) = (cx.attr(key), cx.attr(value));
    match key.as_str() {
        Some("CG Profile") => {
            let is_entry = |entry: AttrRef<'_>| entry.is_dialect_attr("llvm.cgprofile_entry");
            if value.is_array() && value.elements().all(is_entry) {
                return Ok(());
            }
            Err("'CG Profile' key expects an array of '#llvm.cgprofile_entry'".to_owned())
        }
        Some("ProfileSummary") if !value.is_dialect_attr("llvm.profile_summary") => {
            Err("'ProfileSummary' key expects a '#llvm.profile_summary' attribute".to_owned())
        }
        Some("ProfileSummary") => Ok(()),
        Some(_) if value.is_integer() || value.is_string() => Ok(()),
        Some(_) => Err(format!("only integer and string values are currently supported for unknown key '{key}'")),
        None => of_kind(false),
    }
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
