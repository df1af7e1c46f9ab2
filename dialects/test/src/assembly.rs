//! Pretty forms that a format cannot say.

use dl_ir::text::{AsmPrinter, Delimiter, OpParser, Parsed};
use dl_ir::{OpRef, OpState};

/// `(name)`.
pub(crate) fn parse_operation_name(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    p.parse_l_paren()?;
    let name = p.parse_custom_operation_name()?;
    p.parse_r_paren()?;
    state.set_attr(cx.ident("name"), cx.string_attr(&cx.op_info(name).name));
    p.parse_optional_attr_dict(state)
}

/// Prints what [`parse_operation_name`] reads.
pub(crate) fn print_operation_name(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    p.text("(");
    p.text(op.attr("name").and_then(|name| name.as_str()).unwrap_or_default());
    p.text(")");
    p.attr_dict(op, &["name"]);
}

/// The words before the regions.
const WORDS: [&str; 3] = ["then", "else", "join"];

/// `%x: i32 -> i32 then {...} else {...} join {...}`.
pub(crate) fn parse_region_if(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let operands = p.parse_operand_list(Delimiter::None)?;
    let types = p.parse_colon_type_list()?;
    p.resolve_operands_with(&operands, &types, state.loc, state)?;
    state.results.extend(p.parse_optional_arrow_type_list()?);
    for word in WORDS {
        p.parse_keyword(word)?;
        p.parse_region(state, &[])?;
    }
    p.parse_optional_attr_dict(state)
}

/// Prints what [`parse_region_if`] reads.
pub(crate) fn print_region_if(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    p.text(" ");
    p.operands(op.operands().iter());
    p.text(": ");
    p.types(op.operands().types());
    p.optional_arrow_types(&op.results().types());
    for (word, region) in WORDS.into_iter().zip(op.regions()) {
        p.text(" ");
        p.text(word);
        p.text(" ");
        p.region(region, true, true);
    }
    p.attr_dict(op, &[]);
}
