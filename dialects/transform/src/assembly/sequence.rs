//! Directives of operations that hold transformations.

use dl_ir::text::{AsmPrinter, Delimiter, DirectiveArgs, DirectiveView, OpParser, Parsed};
use dl_ir::{AttrRef, OpRef, OpState};

/// `%root : type`, or `%root, %more : (type, type)`, or nothing.
pub(super) fn parse_operands(p: &mut OpParser<'_>, state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    args.set_types(1, []);
    args.set_types(3, []);
    let Some(root) = p.parse_optional_operand()? else { return Ok(()) };
    args.set_operands(0, [root]);
    let more = if p.parse_optional_comma() { p.parse_operand_list(Delimiter::None)? } else { Default::default() };
    p.parse_colon()?;
    let in_parens = p.parse_optional_l_paren();
    let mut types = p.parse_type_list()?;
    if types.len() != more.len() + 1 {
        return Err(p.error_at(state.loc, "expected types to be provided for all operands"));
    }
    if in_parens {
        p.parse_r_paren()?;
    }
    args.set_types(1, [types.remove(0)]);
    args.set_operands(2, more);
    args.set_types(3, types);
    Ok(())
}

/// Prints what [`parse_operands`] reads.
pub(super) fn print_operands(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    let (root, more) = (args.operands(0), args.operands(2));
    if root.is_empty() {
        return;
    }
    p.operands(root.iter().chain(more.iter()));
    p.text(if more.is_empty() { " : " } else { " : (" });
    p.types(args.types(1).into_iter().chain(args.types(3)));
    p.text(if more.is_empty() { "" } else { ")" });
}

/// `@matcher -> @action, @matcher -> @action`.
pub(super) fn parse_symbols(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let (mut matchers, mut actions) = (Vec::new(), Vec::new());
    p.parse_comma_separated(Delimiter::None, |p| {
        matchers.push(p.parse_symbol_ref()?);
        p.parse_arrow()?;
        actions.push(p.parse_symbol_ref()?);
        Ok(())
    })?;
    args.set_attr(0, p.cx().array_attr(&matchers));
    args.set_attr(1, p.cx().array_attr(&actions));
    Ok(())
}

/// Prints what [`parse_symbols`] reads, each pair on its own line.
pub(super) fn print_symbols(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    let elements = |at: usize| args.attr(at).into_iter().flat_map(AttrRef::elements);
    p.indented(|p| {
        p.indented(|p| {
            for (i, (matcher, action)) in elements(0).zip(elements(1)).enumerate() {
                p.text(if i > 0 { ", " } else { "" });
                p.newline();
                p.indent();
                p.attr(matcher.id());
                p.text(" -> ");
                p.attr(action.id());
            }
        });
    });
}

/// The root is updated, and what actions yield follows.
pub(crate) fn foreach_match_names(op: OpRef<'_>, name: &mut dyn FnMut(usize, &str)) {
    name(0, "updated_root");
    for at in 1..op.num_results() {
        name(at, "yielded");
    }
}

/// `0` or `%param`.
pub(super) fn parse_selected_region(
    p: &mut OpParser<'_>,
    _state: &mut OpState,
    args: &mut DirectiveArgs,
) -> Parsed<()> {
    if let Some(param) = p.parse_optional_operand()? {
        args.set_operands(1, [param]);
    } else {
        let region = p.parse_integer()?;
        args.set_attr(0, p.cx().index_attr(region));
    }
    Ok(())
}

/// Prints what [`parse_selected_region`] reads.
pub(super) fn print_selected_region(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    match (args.attr(0), args.operands(1).get(0)) {
        (Some(region), _) => p.attr_without_type(region.id()),
        (None, Some(param)) => p.operand(param),
        (None, None) => {}
    }
}
