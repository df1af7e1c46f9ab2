//! Directives of matchers.

use dl_ir::text::{AsmPrinter, Delimiter, DirectiveArgs, DirectiveView, OpParser, Parsed};
use dl_ir::{AttrRef, OpRef, OpState};

/// `type`, or `(type) -> type`, or `(type) -> (type, type)`: the type of an operand and those of results. With the argument
/// `"false"` there must be a result.
pub(super) fn parse_semi_function(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let needs_result = args.count() > 2 && args.text(2) == "false";
    let has_result = if needs_result {
        p.parse_l_paren()?;
        true
    } else {
        p.parse_optional_l_paren()
    };
    let argument = p.parse_type()?;
    args.set_types(0, [argument]);
    args.set_types(1, []);
    if has_result {
        p.parse_r_paren()?;
        let results = p.parse_arrow_type_list()?;
        args.set_types(1, results);
    }
    Ok(())
}

/// Prints what [`parse_semi_function`] reads.
pub(super) fn print_semi_function(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    let results = args.types(1);
    p.text(if results.is_empty() { "" } else { "(" });
    p.types(args.types(0));
    if results.is_empty() {
        return;
    }
    p.text(") -> ");
    p.text(if results.len() > 1 { "(" } else { "" });
    let several = results.len() > 1;
    p.types(results);
    p.text(if several { ")" } else { "" });
}

/// `all`, `0, 2` or `except(1)`: positions, whether they are those left out, and whether all are meant.
pub(super) fn parse_dims(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let cx = p.cx();
    let mut positions = Vec::new();
    if p.parse_optional_keyword("all") {
        args.set_attr(2, cx.unit_attr());
    } else {
        let inverted = p.parse_optional_keyword("except");
        if inverted {
            args.set_attr(1, cx.unit_attr());
        }
        let delimiter = if inverted { Delimiter::Paren } else { Delimiter::None };
        p.parse_comma_separated(delimiter, |p| {
            positions.push(p.parse_integer()?);
            Ok(())
        })?;
    }
    args.set_attr(0, cx.dense_i64_array(&positions));
    Ok(())
}

/// Prints what [`parse_dims`] reads.
pub(super) fn print_dims(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    if args.attr(2).is_some() {
        p.text("all");
        return;
    }
    let inverted = args.attr(1).is_some();
    p.text(if inverted { "except(" } else { "" });
    p.comma_separated(args.attr(0).into_iter().flat_map(AttrRef::dense_ints), |p, position| p.int(position));
    p.text(if inverted { ")" } else { "" });
}
