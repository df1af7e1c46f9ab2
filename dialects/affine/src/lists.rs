//! `custom<DynamicIndexList>` as this dialect writes it: in parentheses.

use dl_ir::dialect::CustomDirective;
use dl_ir::text::{AsmPrinter, Delimiter, DirectiveArgs, DirectiveView, OpParser, Parsed};
use dl_ir::{AttrRef, DYNAMIC, OpRef, OpState};

/// `(%a, 4, %b)`: values, and constants with [`DYNAMIC`] where a value stands.
pub(crate) const INDEX_LIST_IN_PARENS: CustomDirective = CustomDirective { parse, print };

fn parse(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let (mut values, mut constants) = (Vec::new(), Vec::new());
    p.parse_comma_separated(Delimiter::Paren, |p| {
        if let Some(value) = p.parse_optional_operand()? {
            values.push(value);
            constants.push(DYNAMIC);
        } else if let Some(constant) = p.parse_optional_integer()? {
            constants.push(constant);
        } else {
            return Err(p.error("expected SSA value or integer"));
        }
        Ok(())
    })?;
    args.set_operands(0, values);
    args.set_attr(1, p.cx().dense_i64_array(&constants));
    Ok(())
}

fn print(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    let mut values = args.operands(0).iter();
    p.text("(");
    p.comma_separated(args.attr(1).into_iter().flat_map(AttrRef::dense_ints), |p, constant| {
        match if constant == DYNAMIC { values.next() } else { None } {
            Some(value) => p.operand(value),
            None => p.int(constant),
        }
    });
    p.text(")");
}
