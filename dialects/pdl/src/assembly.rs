//! Pretty forms of types and directives, those too that `pdl_interp` shares.

use dl_ir::dialect::CustomDirective;
use dl_ir::text::{AsmPrinter, Delimiter, DirectiveArgs, DirectiveView, OpParser, Parsed};
use dl_ir::{Attr, AttrRef, OpRef, OpState, Type, TypeData};

use crate::types::{element_or_self, range_type, value_type};

/// `{"name" = %attribute, ...}`, if it is there: attributes and their names.
pub const NAMED_ATTRIBUTES: CustomDirective =
    CustomDirective { parse: parse_named_attributes, print: print_named_attributes };

/// `: type` of a list without elements. That of others follows from the first element.
pub const TYPE_OF_LIST: CustomDirective = CustomDirective { parse: parse_type_of_list, print: print_type_of_list };

/// `<element>`, without `!pdl.` in front of the element.
pub(crate) fn parse_range(p: &mut OpParser<'_>) -> Parsed<Type> {
    p.parse_less()?;
    let (cx, loc) = (p.cx(), p.loc());
    let element = match p.parse_optional_keyword_of(&["attribute", "operation", "type", "value", "range"]) {
        Some("range") => {
            let element = cx.ty(parse_range(p)?);
            return Err(p.error_at(loc, format!("element of pdl.range cannot be another range, but got'{element}'")));
        }
        Some(name) => cx.dialect_type(&format!("pdl.{name}"), &[]),
        None => return Err(p.error_at(loc, "expected the name of a type of the dialect 'pdl'")),
    };
    p.parse_greater()?;
    Ok(range_type(cx, element))
}

/// Prints what [`parse_range`] reads.
pub(crate) fn print_range(params: &[Attr], p: &mut AsmPrinter<'_>) {
    let cx = p.cx();
    let element = params.first().and_then(|&param| cx.attr(param).as_type());
    p.text("<");
    if let Some(TypeData::Dialect { name, .. }) = element.map(dl_ir::TypeRef::data) {
        p.text(cx.str(*name).trim_start_matches("pdl."));
    }
    p.text(">");
}

fn parse_named_attributes(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let (mut values, mut names) = (Vec::new(), Vec::new());
    if p.parse_optional_l_brace() {
        p.parse_comma_separated(Delimiter::None, |p| {
            names.push(p.parse_string_attr()?);
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

fn print_named_attributes(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    let names = args.attr(1).into_iter().flat_map(AttrRef::elements);
    if names.clone().next().is_none() {
        return;
    }
    p.text(" {");
    p.comma_separated(names.zip(args.operands(0).iter()), |p, (name, value)| {
        p.attr(name.id());
        p.text(" = ");
        p.operand(value);
    });
    p.text("}");
}

fn parse_type_of_list(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let first = args.types(0).first().copied();
    let ty = match first {
        Some(first) => range_type(p.cx(), element_or_self(p.cx().ty(first)).id()),
        None => p.parse_colon_type()?,
    };
    args.set_types(1, [ty]);
    Ok(())
}

fn print_type_of_list(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    if args.types(0).is_empty() {
        p.text(": ");
        p.types(args.types(1));
    }
}

/// `-> type` where one group of results is meant. All results are a list of values.
pub(crate) fn parse_results_type(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let ty = if args.attr(0).is_some() {
        p.parse_arrow()?;
        p.parse_type()?
    } else {
        range_type(p.cx(), value_type(p.cx()))
    };
    args.set_types(1, [ty]);
    Ok(())
}

/// Prints what [`parse_results_type`] reads.
pub(crate) fn print_results_type(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    if args.attr(0).is_some() {
        p.text(" -> ");
        p.types(args.types(1));
    }
}
