//! Directives of the pretty forms.

use dl_ir::text::{AsmPrinter, Delimiter, DirectiveArgs, DirectiveView, OpParser, Parsed};
use dl_ir::{AttrRef, OpRef, OpState};

use crate::{VARIADICITY, Variadicity};

/// A region of one block, which may be left out where it is empty.
pub(crate) fn parse_single_block(p: &mut OpParser<'_>, state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let region = match p.parse_optional_region(state, &[])? {
        Some(region) => region,
        None => p.empty_region(state),
    };
    p.ensure_block(state, region);
    args.set_regions(0, [region]);
    Ok(())
}

pub(crate) fn print_single_block(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    let region = args.region(0);
    if region.entry().is_some_and(|block| !block.is_empty()) {
        p.region(region, true, true);
    }
}

/// `(name: %value, name: %value)`.
pub(crate) fn parse_named_values(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let (mut values, mut names) = (Vec::new(), Vec::new());
    p.parse_comma_separated(Delimiter::Paren, |p| {
        names.push(p.cx().string_attr(p.parse_any_keyword()?));
        p.parse_colon()?;
        values.push(p.parse_operand()?);
        Ok(())
    })?;
    args.set_operands(0, values);
    args.set_attr(1, p.cx().array_attr(&names));
    Ok(())
}

pub(crate) fn print_named_values(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    let names = args.attr(1).into_iter().flat_map(AttrRef::elements).filter_map(AttrRef::as_str);
    p.text("(");
    p.comma_separated(names.zip(args.operands(0).iter()), |p, (name, value)| {
        p.text(name);
        p.text(": ");
        p.operand(value);
    });
    p.text(")");
}

/// `(name: %value, name: optional %value)`.
pub(crate) fn parse_counted_values(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let (mut values, mut names, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    p.parse_comma_separated(Delimiter::Paren, |p| {
        let cx = p.cx();
        names.push(cx.string_attr(p.parse_any_keyword()?));
        p.parse_colon()?;
        let keyword = p.parse_optional_keyword_of(&["single", "optional", "variadic"]);
        let count = keyword.and_then(|word| VARIADICITY.value(word)).unwrap_or(Variadicity::Single.value());
        counts.push(cx.dialect_attr("irdl.variadicity", &[cx.i64_attr(count.cast_signed())]));
        values.push(p.parse_operand()?);
        Ok(())
    })?;
    let cx = p.cx();
    args.set_operands(0, values);
    args.set_attr(1, cx.array_attr(&names));
    // Without values, the parameter is as the text `[]` gives it.
    let counts = if counts.is_empty() { cx.unit_attr() } else { cx.array_attr(&counts) };
    args.set_attr(2, cx.dialect_attr("irdl.variadicity_array", &[counts]));
    Ok(())
}

pub(crate) fn print_counted_values(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    let names = args.attr(1).into_iter().flat_map(AttrRef::elements).filter_map(AttrRef::as_str);
    let counts = args.attr(2).into_iter().flat_map(crate::variadicities);
    p.text("(");
    p.comma_separated(names.zip(counts).zip(args.operands(0).iter()), |p, ((name, count), value)| {
        p.text(name);
        p.text(": ");
        if let Some(keyword) = VARIADICITY.keyword(count).filter(|_| count != Variadicity::Single.value()) {
            p.text(keyword);
            p.text(" ");
        }
        p.operand(value);
    });
    p.text(")");
}

/// `{"name" = %value, "name" = %value}`, if it is there.
pub(crate) fn parse_attributes(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let (mut values, mut names) = (Vec::new(), Vec::new());
    if p.parse_optional_l_brace() {
        p.parse_comma_separated(Delimiter::None, |p| {
            names.push(p.parse_attribute(None)?);
            p.parse_equal()?;
            values.push(p.parse_operand()?);
            Ok(())
        })?;
        p.parse_r_brace()?;
    }
    args.set_operands(0, values);
    args.set_attr(1, p.cx().array_attr(&names));
    Ok(())
}

pub(crate) fn print_attributes(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    let names = args.attr(1).into_iter().flat_map(AttrRef::elements);
    if names.clone().next().is_none() {
        return;
    }
    p.text("{");
    p.comma_separated(names.zip(args.operands(0).iter()), |p, (name, value)| {
        p.attr(name.id());
        p.text(" = ");
        p.operand(value);
    });
    p.text("}");
}
