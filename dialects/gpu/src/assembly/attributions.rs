//! Buffers that a kernel brings: `workgroup(%a : memref<4xf32, 3>) private(%b : memref<1xf32, 5>)`.

use dl_ir::text::{Argument, AsmPrinter, Delimiter, OpParser, Parsed};
use dl_ir::{AttrRef, OpState, ValueRef};

/// The number of those that the workgroup shares, which come first.
pub(crate) const WORKGROUP_COUNT: &str = "workgroup_attributions";

/// Parses `keyword(%name : type {attributes}, ...)`, if it is there, and sets `attrs` where some have attributes.
pub(super) fn parse(
    p: &mut OpParser<'_>,
    state: &mut OpState,
    keyword: &str,
    attrs: Option<&str>,
    args: &mut Vec<Argument>,
) -> Parsed<()> {
    let cx = p.cx();
    if !p.parse_optional_keyword(keyword) {
        return Ok(());
    }
    let mut dictionaries = Vec::new();
    p.parse_comma_separated(Delimiter::Paren, |p| {
        let arg = p.parse_argument(true)?;
        dictionaries.push(arg.attrs);
        args.push(arg);
        Ok(())
    })?;
    if let Some(name) = attrs.filter(|_| dictionaries.iter().any(Option::is_some)) {
        let all: Vec<_> = dictionaries.iter().map(|attrs| attrs.unwrap_or_else(|| cx.dictionary_attr(&[]))).collect();
        state.set_attr(cx.ident(name), cx.array_attr(&all));
    }
    Ok(())
}

/// Prints what [`parse`] reads.
pub(super) fn print<'a>(
    p: &mut AsmPrinter<'_>,
    keyword: &str,
    values: impl ExactSizeIterator<Item = ValueRef<'a>>,
    attrs: Option<AttrRef<'_>>,
) {
    if values.len() == 0 {
        return;
    }
    p.text(" ");
    p.text(keyword);
    p.text("(");
    p.comma_separated(values.enumerate(), |p, (i, value)| {
        p.operand(value);
        p.text(" : ");
        p.ty(value.ty().id());
        let dictionary = attrs.and_then(|all| all.elements().nth(i));
        if let Some(dictionary) = dictionary.filter(|dictionary| !dictionary.entries().is_empty()) {
            p.text(" ");
            p.attr(dictionary.id());
        }
    });
    p.text(")");
}
