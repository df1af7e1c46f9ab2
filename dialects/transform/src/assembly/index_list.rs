//! Lists of sizes of which some are constants and others operands.

use dl_ir::text::{AsmPrinter, Delimiter, DirectiveArgs, DirectiveView, OpParser, Parsed, UnresolvedOperand};
use dl_ir::{AttrRef, DYNAMIC, OpRef, OpState, ValueRef};
use smallvec::SmallVec;

/// Operands in order, constants with [`DYNAMIC`] where an operand stands, and which sizes are scalable.
#[derive(Default)]
struct Sizes {
    values: SmallVec<[UnresolvedOperand; 4]>,
    constants: SmallVec<[i64; 4]>,
    scalable: SmallVec<[bool; 4]>,
}

impl Sizes {
    /// `[%a, 4, [8]]`; a scalable size stands in brackets of its own.
    fn parse(p: &mut OpParser<'_>) -> Parsed<Self> {
        let mut sizes = Self::default();
        p.parse_comma_separated(Delimiter::Square, |p| {
            let scalable = p.parse_optional_l_square();
            if let Some(value) = p.parse_optional_operand()? {
                sizes.values.push(value);
                sizes.constants.push(DYNAMIC);
            } else if let Some(constant) = p.parse_optional_integer()? {
                sizes.constants.push(constant);
            } else {
                return Err(p.error("expected SSA value or integer"));
            }
            sizes.scalable.push(scalable);
            if scalable { p.parse_r_square() } else { Ok(()) }
        })?;
        Ok(sizes)
    }
}

fn print_sizes<'a>(
    p: &mut AsmPrinter<'_>,
    values: impl IntoIterator<Item = ValueRef<'a>>,
    constants: Option<AttrRef<'_>>,
    scalable: Option<AttrRef<'_>>,
) {
    let mut values = values.into_iter();
    let scalable: Vec<i64> = scalable.into_iter().flat_map(AttrRef::dense_ints).collect();
    p.text("[");
    let constants = constants.into_iter().flat_map(AttrRef::dense_ints).enumerate();
    p.comma_separated(constants, |p, (i, constant)| {
        let in_brackets = scalable.get(i).is_some_and(|&flag| flag != 0);
        p.text(if in_brackets { "[" } else { "" });
        match if constant == DYNAMIC { values.next() } else { None } {
            Some(value) => p.operand(value),
            None => p.int(constant),
        }
        p.text(if in_brackets { "]" } else { "" });
    });
    p.text("]");
}

/// `custom<DynamicIndexList>($values, $constants)`, perhaps with `$scalable`.
pub(super) fn parse(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let sizes = Sizes::parse(p)?;
    args.set_operands(0, sizes.values);
    args.set_attr(1, p.cx().dense_i64_array(&sizes.constants));
    if args.count() > 2 {
        args.set_attr(2, p.cx().dense_bool_array(&sizes.scalable));
    }
    Ok(())
}

/// Prints what [`parse`] reads.
pub(super) fn print(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    let scalable = if args.count() > 2 { args.attr(2) } else { None };
    print_sizes(p, args.operands(0).iter(), args.attr(1), scalable);
}

/// `custom<PackedOrDynamicIndexList>($packed, $values, $constants)`: `*(%all)`, or a list.
pub(super) fn parse_packed(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let mut sizes = Sizes::default();
    if p.parse_optional_star() {
        p.parse_l_paren()?;
        let packed = p.parse_operand()?;
        p.parse_r_paren()?;
        args.set_operands(0, [packed]);
    } else {
        sizes = Sizes::parse(p)?;
    }
    args.set_operands(1, sizes.values);
    args.set_attr(2, p.cx().dense_i64_array(&sizes.constants));
    Ok(())
}

/// Prints what [`parse_packed`] reads.
pub(super) fn print_packed(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    if let Some(packed) = args.operands(0).get(0) {
        p.text("*(");
        p.operand(packed);
        p.text(")");
    } else {
        print_sizes(p, args.operands(1).iter(), args.attr(2), None);
    }
}
