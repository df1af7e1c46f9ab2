//! The `custom<...>` parts of this dialect's formats.

use dl_ir::dialect::CustomDirective;
use dl_ir::text::{AsmPrinter, Delimiter, DirectiveArgs, DirectiveView, OpParser, Parsed};
use dl_ir::{Arena, AttrRef, Context, DialectBuilder, OpRef, OpState, Type};
use smallvec::SmallVec;

use crate::types::element_at;

/// Stands for an index that is an operand in `rawConstantIndices`.
pub const DYNAMIC_INDEX: i32 = i32::MIN;

pub(crate) fn register(builder: &mut DialectBuilder) {
    builder
        .directive("GEPIndices", CustomDirective { parse: parse_indices, print: print_indices })
        .directive(
            "InsertExtractValueElementType",
            CustomDirective { parse: infer_element_type, print: |_, _, _| {} },
        )
        .directive("SwitchOpCases", CustomDirective { parse: parse_cases, print: print_cases });
}

/// `%i, 3, %j`: constants go to the attribute, values to the operands.
fn parse_indices(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let (mut values, mut constants) = (Vec::new(), Vec::new());
    p.parse_comma_separated(Delimiter::None, |p| {
        if let Some(operand) = p.parse_optional_operand()? {
            values.push(operand);
            constants.push(DYNAMIC_INDEX);
            return Ok(());
        }
        let loc = p.loc();
        match p.parse_optional_integer()?.map(i32::try_from) {
            Some(Ok(n)) => constants.push(n),
            Some(Err(_)) => return Err(p.error_at(loc, "expected an index that fits 32 bits")),
            None => return Err(p.error("expected an integer or an SSA value")),
        }
        Ok(())
    })?;
    args.set_operands(0, values);
    args.set_attr(1, p.cx().dense_i32_array(&constants));
    Ok(())
}

fn print_indices(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    let mut values = args.operands(0).iter();
    let constants: Vec<i64> = args.attr(1).map(|a| a.dense_ints().collect()).unwrap_or_default();
    p.comma_separated(constants, |p, index| match values.next() {
        Some(value) if index == i64::from(DYNAMIC_INDEX) => p.operand(value),
        _ => p.int(index),
    });
}

/// Writes nothing: the type follows from the container and the position.
fn infer_element_type(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let cx = p.cx();
    let container = args.types(1).first().copied();
    let position = args.attr(2).map(|attr| cx.attr(attr).dense_ints().collect::<Vec<_>>()).unwrap_or_default();
    match container.and_then(|container| element_at(cx, container, &position)) {
        Some(ty) => {
            args.set_types(0, [ty]);
            Ok(())
        }
        None => Err(p.error("position out of bounds or no aggregate type")),
    }
}

/// The type at the position of `llvm.extractvalue`, for operations that passes make.
pub(crate) fn infer_extract(cx: &Context, ir: &Arena, state: &OpState) -> Result<SmallVec<[Type; 2]>, String> {
    let container = state.operands.first().map(|&v| ir.value_type(v));
    let position = state.get_attr(cx, "position").map(|attr| cx.attr(attr).dense_ints().collect::<Vec<_>>());
    match container.zip(position).and_then(|(container, position)| element_at(cx, container, &position)) {
        Some(ty) => Ok(smallvec::smallvec![ty]),
        None => Err("position out of bounds or no aggregate type".to_owned()),
    }
}

/// `[ 1: ^bb1(%a : t), 2: ^bb2 ]`.
fn parse_cases(p: &mut OpParser<'_>, state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let cx = p.cx();
    p.parse_l_square()?;
    let (mut numbers, mut blocks, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    let (mut operands, mut types) = (Vec::new(), Vec::new());
    let value_type = args.types(0).first().copied().unwrap_or_else(|| cx.i32_type());
    if !p.parse_optional_r_square() {
        p.parse_comma_separated(Delimiter::None, |p| {
            let number = p.parse_integer()?;
            numbers.push(cx.int_attr(value_type, number));
            p.parse_colon()?;
            blocks.push(p.parse_successor()?);
            let before = operands.len();
            if p.parse_optional_l_paren() {
                operands.extend(p.parse_operand_list(Delimiter::None)?);
                p.parse_colon()?;
                types.extend(p.parse_type_list()?);
                p.parse_r_paren()?;
            }
            sizes.push((operands.len() - before) as i32);
            Ok(())
        })?;
        p.parse_r_square()?;
    }
    if !numbers.is_empty() {
        let ty = cx.vector_type(&[numbers.len() as i64], value_type);
        if let Some(values) = cx.dense_attr(ty, &numbers) {
            args.set_attr(1, values);
        }
    }
    args.set_successors(2, blocks);
    args.set_operands(3, operands);
    args.set_types(4, types);
    state.set_attr(cx.ident("case_operand_segments"), cx.dense_i32_array(&sizes));
    Ok(())
}

fn print_cases(op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    p.text("[");
    let blocks = args.successors(2);
    let numbers: Vec<AttrRef<'_>> = args.attr(1).and_then(AttrRef::dense_values).map(Iterator::collect).unwrap_or_default();
    let sizes: Vec<i64> = op.attr("case_operand_segments").map(|a| a.dense_ints().collect()).unwrap_or_default();
    let mut values = args.operands(3).iter();
    for (i, block) in blocks.iter().enumerate() {
        p.text(if i > 0 { "," } else { "" });
        p.newline();
        p.indented(AsmPrinter::indent);
        if let Some(number) = numbers.get(i) {
            p.attr_without_type(number.id());
        }
        p.text(": ");
        let count = sizes.get(i).and_then(|&n| usize::try_from(n).ok()).unwrap_or(0);
        let own: Vec<_> = values.by_ref().take(count).collect();
        p.successor_and_operands(*block, own);
    }
    p.newline();
    p.indent();
    p.text("]");
}
