//! Pretty forms.

use dl_ir::text::{AsmPrinter, Delimiter, DirectiveArgs, DirectiveView, OpParser, Parsed};
use dl_ir::{Attr, OpRef, OpState, OpView, Type};
use smallvec::SmallVec;

use crate::ExecuteOp;
use crate::types::{awaited, token_type, value_type};

/// `<type>`.
pub(crate) fn parse_value(p: &mut OpParser<'_>) -> Parsed<Type> {
    p.parse_less()?;
    let inside = p.parse_type()?;
    p.parse_greater()?;
    Ok(value_type(p.cx(), inside))
}

/// Prints what [`parse_value`] reads.
pub(crate) fn print_value(params: &[Attr], p: &mut AsmPrinter<'_>) {
    p.text("<");
    if let Some(inside) = params.first().and_then(|&param| p.cx().attr(param).as_type()) {
        p.ty(inside.id());
    }
    p.text(">");
}

/// `type`: what is awaited. The result follows from it.
pub(crate) fn parse_awaited(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let ty = p.parse_type()?;
    args.set_types(0, [ty]);
    args.set_types(1, awaited(p.cx().ty(ty)));
    Ok(())
}

/// Prints what [`parse_awaited`] reads.
pub(crate) fn print_awaited(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    p.types(args.types(0));
}

/// The first result is a token, the others are values.
pub(crate) fn result_names(op: OpRef<'_>, name: &mut dyn FnMut(usize, &str)) {
    name(0, "token");
    if op.num_results() > 1 {
        name(1, "bodyResults");
    }
}

/// `[%token, %token] (%value as %arg: type, ...) -> types attributes {...} {...}`.
pub(crate) fn parse_execute(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    let tokens = p.parse_operand_list(Delimiter::OptionalSquare)?;
    p.resolve_operands(&tokens, token_type(cx), state)?;

    let (mut values, mut args) = (SmallVec::<[_; 4]>::new(), SmallVec::<[_; 4]>::new());
    let loc = p.loc();
    p.parse_comma_separated(Delimiter::OptionalParen, |p| {
        values.push(p.parse_operand()?);
        p.parse_keyword("as")?;
        args.push(p.parse_argument(true)?);
        Ok(())
    })?;
    let types: SmallVec<[Type; 4]> = args.iter().map(|arg| arg.ty).collect();
    p.resolve_operands_with(&values, &types, loc, state)?;
    for arg in &mut args {
        arg.ty = awaited(cx.ty(arg.ty)).unwrap_or(arg.ty);
    }
    let sizes = [tokens.len(), values.len()].map(|n| i32::try_from(n).unwrap_or(i32::MAX));
    state.set_attr(cx.ident("operandSegmentSizes"), cx.dense_i32_array(&sizes));

    state.results.push(token_type(cx));
    state.results.extend(p.parse_optional_arrow_type_list()?);
    p.parse_optional_attr_dict_with_keyword(state)?;
    p.parse_region(state, &args)?;
    Ok(())
}

/// Prints what [`parse_execute`] reads.
pub(crate) fn print_execute(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = ExecuteOp::wrap(op);
    let (tokens, values) = (view.dependencies(), view.body_operands());
    if !tokens.is_empty() {
        p.text(" [");
        p.operands(tokens.iter());
        p.text("]");
    }
    let args = view.body_region().entry().into_iter().flat_map(dl_ir::BlockRef::args);
    if !values.is_empty() {
        p.text(" (");
        p.comma_separated(values.iter().zip(args), |p, (value, arg)| {
            p.operand(value);
            p.text(" as ");
            p.operand(arg);
            p.text(": ");
            p.ty(value.ty().id());
        });
        p.text(")");
    }
    p.optional_arrow_types(&view.body_results().types());
    p.attr_dict_with_keyword(op, &["operandSegmentSizes"]);
    p.text(" ");
    p.region(view.body_region(), false, true);
}
