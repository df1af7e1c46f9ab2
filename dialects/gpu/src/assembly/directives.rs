//! Directives of declarative formats.

use dl_ir::dialect::CustomDirective;
use dl_ir::text::{AsmPrinter, Delimiter, DirectiveArgs, DirectiveView, OpParser, Parsed};
use dl_ir::{AttrRef, DialectBuilder, OpRef, OpState};

use crate::ALL_REDUCE_OPERATION;
use crate::types::async_token;

pub(super) fn register(builder: &mut DialectBuilder) {
    builder
        .directive("AsyncDependencies", CustomDirective { parse: parse_async, print: print_async })
        .directive("LaunchDimType", CustomDirective { parse: parse_dim_type, print: print_dim_type })
        .directive("LaunchFuncOperands", CustomDirective { parse: parse_args, print: print_args })
        .directive("AllReduceOperation", CustomDirective { parse: parse_reduction, print: print_reduction })
        .directive("OffloadingHandler", CustomDirective { parse: parse_handler, print: print_handler });
}

/// `async [%a, %b]`: whether there is a token as a result, and the tokens to wait for.
fn parse_async(p: &mut OpParser<'_>, _: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let is_async = parse_async_keyword(p)?;
    args.set_types(0, is_async.then(|| async_token(p.cx())));
    let dependencies = p.parse_operand_list(Delimiter::OptionalSquare)?;
    args.set_operands(1, dependencies);
    Ok(())
}

/// `async`, which an operation with a result says.
pub(super) fn parse_async_keyword(p: &mut OpParser<'_>) -> Parsed<bool> {
    let loc = p.loc();
    if !p.parse_optional_keyword("async") {
        return Ok(false);
    }
    if p.num_named_results() == 0 {
        return Err(p.error_at(loc, "needs to be named when marked 'async'"));
    }
    Ok(true)
}

fn print_async(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    let (is_async, dependencies) = (!args.types(0).is_empty(), args.operands(1));
    p.text(if is_async { "async" } else { "" });
    if dependencies.is_empty() {
        return;
    }
    p.text(if is_async { " [" } else { "[" });
    p.operands(dependencies.iter());
    p.text("]");
}

/// `: type` of all sizes of a launch, `index` where none is written.
fn parse_dim_type(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let ty = if p.parse_optional_colon() { p.parse_type()? } else { p.cx().index_type() };
    args.set_types(0, [ty]);
    let has_clusters = !args.operands(1).is_empty();
    for at in 2..5 {
        args.set_types(at, has_clusters.then_some(ty));
    }
    Ok(())
}

fn print_dim_type(op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    let ty = args.types(0).first().copied();
    if let Some(ty) = ty.filter(|&ty| !op.cx().ty(ty).is_index()) {
        p.text(": ");
        p.ty(ty);
    }
}

/// `args(%a : type, %b : type)`, if it is there.
fn parse_args(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let (mut values, mut types) = (Vec::new(), Vec::new());
    if p.parse_optional_keyword("args") {
        p.parse_comma_separated(Delimiter::Paren, |p| {
            values.push(p.parse_operand()?);
            types.push(p.parse_colon_type()?);
            Ok(())
        })?;
    }
    args.set_operands(0, values);
    args.set_types(1, types);
    Ok(())
}

fn print_args(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    let values = args.operands(0);
    if values.is_empty() {
        return;
    }
    p.text("args(");
    p.comma_separated(values.iter(), |p, value| {
        p.operand(value);
        p.text(" : ");
        p.ty(value.ty().id());
    });
    p.text(")");
}

/// The keyword of a reduction, if there is one.
fn parse_reduction(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let loc = p.loc();
    let Some(keyword) = p.parse_optional_any_keyword() else { return Ok(()) };
    let Some(reduction) = ALL_REDUCE_OPERATION.value(keyword) else {
        return Err(p.error_at(loc, "invalid op kind"));
    };
    args.set_attr(0, ALL_REDUCE_OPERATION.attr(p.cx(), reduction));
    Ok(())
}

fn print_reduction(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    if let Some(attr) = args.attr(0) {
        p.text(" ");
        p.enumeration(&ALL_REDUCE_OPERATION, attr);
    }
}

/// `<handler>`, the one that selects the first object where none is written.
fn parse_handler(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let cx = p.cx();
    if p.parse_optional_less() {
        let handler = p.parse_attribute(None)?;
        args.set_attr(0, handler);
        return p.parse_greater();
    }
    args.set_attr(0, cx.dialect_attr("gpu.select_object", &[cx.unit_attr()]));
    Ok(())
}

fn print_handler(op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    let cx = op.cx();
    let usual = cx.dialect_attr("gpu.select_object", &[cx.unit_attr()]);
    if let Some(handler) = args.attr(0).map(AttrRef::id).filter(|&handler| handler != usual) {
        p.text("<");
        p.attr(handler);
        p.text(">");
    }
}
