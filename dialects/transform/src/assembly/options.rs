//! The options of `transform.apply_registered_pass`: a dictionary in which operands may stand for values.
//!
//! In the attribute, `#transform.param_operand<index = n>` stands for the operand number `n`.

use dl_ir::text::{AsmPrinter, Delimiter, DirectiveArgs, DirectiveView, OpParser, Parsed, UnresolvedOperand};
use dl_ir::{Attr, AttrRef, OpRef, OpState, Operands};

const MARKER: &str = "transform.param_operand";
/// Nesting that is handled on one stack segment before the next is allocated.
const RED_ZONE: usize = 64 * 1024;
const SEGMENT: usize = 1024 * 1024;

/// `{key = value, "key" = %operand, key = [value, %operand]}`.
pub(super) fn parse_options(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let cx = p.cx();
    let (mut entries, mut operands) = (Vec::new(), Vec::new());
    p.parse_comma_separated(Delimiter::Braces, |p| {
        let loc = p.loc();
        let key = cx.ident(&p.parse_keyword_or_string()?);
        if entries.iter().any(|&(known, _)| known == key) {
            return Err(p.error_at(loc, "duplicate keys found in options dictionary"));
        }
        p.parse_equal()?;
        entries.push((key, parse_value(p, &mut operands)?));
        Ok(())
    })?;
    args.set_attr(0, cx.dictionary_attr(&entries));
    args.set_operands(1, operands);
    Ok(())
}

fn parse_value(p: &mut OpParser<'_>, operands: &mut Vec<UnresolvedOperand>) -> Parsed<Attr> {
    let cx = p.cx();
    if p.parse_optional_l_square() {
        let mut values = Vec::new();
        p.parse_comma_separated(Delimiter::None, |p| {
            values.push(stacker::maybe_grow(RED_ZONE, SEGMENT, || parse_value(p, operands))?);
            Ok(())
        })?;
        p.parse_r_square()?;
        return Ok(cx.array_attr(&values));
    }
    if let Some(operand) = p.parse_optional_operand()? {
        let at = cx.i64_attr(operands.len() as i64);
        operands.push(operand);
        return Ok(cx.dialect_attr(MARKER, &[at]));
    }
    let loc = p.loc();
    let value = p.parse_attribute(None)?;
    if cx.attr(value).is_dialect_attr(MARKER) {
        let message = "the param_operand attribute is a marker reserved for indicating a value will be passed via params and is only used in the generic print format";
        return Err(p.error_at(loc, message));
    }
    Ok(value)
}

/// Prints what [`parse_options`] reads.
pub(super) fn print_options(op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    let (options, operands) = (args.attr(0), args.operands(1));
    let entries = options.map_or(&[][..], AttrRef::entries);
    if entries.is_empty() {
        return;
    }
    p.text("{");
    p.comma_separated(entries, |p, &(key, value)| {
        p.string(op.cx().str(key).as_bytes());
        p.text(" = ");
        print_value(p, op.cx().attr(value), operands);
    });
    p.text("}");
}

fn print_value(p: &mut AsmPrinter<'_>, value: AttrRef<'_>, operands: Operands<'_>) {
    if value.is_array() {
        p.text("[");
        p.comma_separated(value.elements(), |p, value| {
            stacker::maybe_grow(RED_ZONE, SEGMENT, || print_value(p, value, operands));
        });
        p.text("]");
        return;
    }
    match operand_of(value).and_then(|at| operands.get(at)) {
        Some(operand) => p.operand(operand),
        None => p.attr(value.id()),
    }
}

/// The number of the operand that `value` stands for.
pub(crate) fn operand_of(value: AttrRef<'_>) -> Option<usize> {
    let index = *value.params().first().filter(|_| value.is_dialect_attr(MARKER))?;
    usize::try_from(value.cx().attr(index).as_int()?).ok()
}
