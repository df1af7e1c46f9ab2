//! Custom directives.

use dl_ir::attributes::AttrRef;
use dl_ir::number::ApInt;
use dl_ir::text::{AsmPrinter, DirectiveArgs, DirectiveView, OpParser, Parsed, UnresolvedOperand};
use dl_ir::{BlockId, OpRef, OpState, OpView, Type};
use smallvec::SmallVec;

use crate::SwitchOp;
use crate::interfaces::passed_to_all;

/// Position of each argument of `custom<SwitchOpCases>`.
mod arg {
    pub(super) const FLAG_TYPE: usize = 0;
    pub(super) const DEFAULT: usize = 1;
    pub(super) const DEFAULT_OPERANDS: usize = 2;
    pub(super) const DEFAULT_TYPES: usize = 3;
    pub(super) const VALUES: usize = 4;
    pub(super) const CASES: usize = 5;
    pub(super) const CASE_OPERANDS: usize = 6;
    pub(super) const CASE_TYPES: usize = 7;
}

/// `^name(%a, %b : t, u)`: the block, and the operands added to `operands` and `types`. Answers how many.
fn parse_destination(
    p: &mut OpParser<'_>,
    operands: &mut Vec<UnresolvedOperand>,
    types: &mut Vec<Type>,
) -> Parsed<(BlockId, usize)> {
    let block = p.parse_successor()?;
    let mut count = 0;
    if p.parse_optional_l_paren() {
        let loc = p.loc();
        let list = p.parse_operand_list(dl_ir::text::Delimiter::None)?;
        p.parse_colon()?;
        let list_types = p.parse_type_list()?;
        if list.len() != list_types.len() {
            let (names, types) = (list.len(), list_types.len());
            let message = format!("number of operands and types do not match: got {names} operands and {types} types");
            return Err(p.error_at(loc, message));
        }
        p.parse_r_paren()?;
        count = list.len();
        operands.extend(list);
        types.extend(list_types);
    }
    Ok((block, count))
}

/// The value of a case. `true` and `false` are numbers of one bit, with a sign.
fn parse_case_value(p: &mut OpParser<'_>) -> Parsed<ApInt> {
    match p.parse_optional_keyword_of(&["false", "true"]) {
        Some(word) => Ok(ApInt::from_u64(1, u64::from(word == "true"))),
        None => p.parse_ap_int(),
    }
}

/// `default: ^bb(%a : t), 42: ^bb, ...`.
pub(crate) fn parse_switch_cases(p: &mut OpParser<'_>, state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let cx = p.cx();
    let loc = p.loc();
    if !p.parse_optional_keyword("default") {
        return Err(p.error_at(loc, "expected 'default'"));
    }
    p.parse_colon()?;
    let (mut operands, mut types) = (Vec::new(), Vec::new());
    let (default, _) = parse_destination(p, &mut operands, &mut types)?;
    args.set_successors(arg::DEFAULT, [default]);
    args.set_operands(arg::DEFAULT_OPERANDS, std::mem::take(&mut operands));
    args.set_types(arg::DEFAULT_TYPES, std::mem::take(&mut types));

    let flag = args.types(arg::FLAG_TYPE).first().copied().unwrap_or_else(|| cx.i32_type());
    let width = cx.ty(flag).int_width().unwrap_or(32);
    let (mut values, mut blocks, mut segments) = (Vec::new(), SmallVec::<[BlockId; 4]>::new(), Vec::new());
    while p.parse_optional_comma() {
        let value = parse_case_value(p)?;
        values.push(cx.ap_int_attr(flag, value.sext_or_trunc(width)));
        p.parse_colon()?;
        let (block, count) = parse_destination(p, &mut operands, &mut types)?;
        blocks.push(block);
        segments.push(i32::try_from(count).unwrap_or(i32::MAX));
    }
    if let Some(cases) = cx.dense_attr(cx.vector_type(&[values.len() as i64], flag), &values)
        && !values.is_empty()
    {
        args.set_attr(arg::VALUES, cases);
    }
    args.set_successors(arg::CASES, blocks);
    args.set_operands(arg::CASE_OPERANDS, operands);
    args.set_types(arg::CASE_TYPES, types);
    state.set_attr(cx.ident("case_operand_segments"), cx.dense_i32_array(&segments));
    Ok(())
}

/// Prints what [`parse_switch_cases`] reads, each case on its own line.
pub(crate) fn print_switch_cases(op: OpRef<'_>, p: &mut AsmPrinter<'_>, _args: &DirectiveView<'_>) {
    let view = SwitchOp::wrap(op);
    p.text("  default: ");
    p.successor_and_operands(view.default_destination(), view.default_operands().iter());
    let Some(values) = view.case_values().and_then(AttrRef::dense_values) else { return };
    let operands = passed_to_all(op);
    for ((block, operands), value) in view.case_destinations().zip(operands.iter().skip(1)).zip(values) {
        p.text(",");
        p.newline();
        p.indent();
        p.text("  ");
        if let Some(value) = value.as_ap_int() {
            let mut number = String::new();
            value.write_unsigned(&mut number);
            p.text(&number);
        }
        p.text(": ");
        p.successor_and_operands(block, operands.iter());
    }
    p.newline();
    p.indent();
}
