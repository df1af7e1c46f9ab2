//! Custom directives of declarative formats.

use dl_ir::dialect::CustomDirective;
use dl_ir::text::{AsmPrinter, Delimiter, DirectiveArgs, DirectiveView, OpParser, Parsed, UnresolvedOperand};
use dl_ir::{AttrRef, BlockId, DialectBuilder, OpRef, OpState, OpView, Type};

use super::calls::{Bundles, print_bundles};
use super::{enum_attr, parse_optional_case, print_case};
use crate::{GEP_DYNAMIC_INDEX, IndirectBrOp, LINKAGE, Linkage, SwitchOp, types};

/// Registers the directives.
pub(crate) fn register(builder: &mut DialectBuilder) {
    let nothing = |_: OpRef<'_>, _: &mut AsmPrinter<'_>, _: &DirectiveView<'_>| {};
    builder
        .directive("InsertExtractValueElementType", CustomDirective { parse: parse_value_type, print: nothing })
        .directive("ShuffleType", CustomDirective { parse: parse_shuffle_type, print: nothing })
        .directive("GEPIndices", CustomDirective { parse: parse_gep_indices, print: print_gep_indices })
        .directive("SwitchOpCases", CustomDirective { parse: parse_switch_cases, print: print_switch_cases })
        .directive("IndirectBrOpSucessors", CustomDirective { parse: parse_targets, print: print_targets })
        .directive("OpBundles", CustomDirective { parse: parse_bundles, print: print_op_bundles })
        .directive("LLVMLinkage", CustomDirective { parse: parse_linkage, print: print_linkage });
}

/// The type at a position of a struct or array: follows from both, so there is nothing to read.
fn parse_value_type(p: &mut OpParser<'_>, _: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let cx = p.cx();
    let position: Vec<i64> = args.attr(2).map(|position| cx.attr(position).dense_ints().collect()).unwrap_or_default();
    let Some(&container) = args.types(1).first() else { return Ok(()) };
    let mut ty = cx.ty(container);
    for &index in &position {
        ty = match types::element_at(cx, ty.id(), &[index]) {
            Some(next) => cx.ty(next),
            None if types::is_array(ty) || types::is_struct(ty) => {
                let (loc, message) = (p.loc(), format!("position out of bounds: {index}"));
                return Err(p.error_at(loc, message));
            }
            None => {
                let loc = p.loc();
                let message = if types::is_compatible(ty) {
                    format!("expected LLVM IR structure/array type, got: '{ty}'")
                } else {
                    format!("expected LLVM IR Dialect type, got '{ty}'")
                };
                return Err(p.error_at(loc, message));
            }
        };
    }
    args.set_types(0, [ty.id()]);
    Ok(())
}

/// The vector that a mask makes of two: as long as the mask.
fn parse_shuffle_type(p: &mut OpParser<'_>, state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let cx = p.cx();
    let len = args.attr(2).map_or(0, |mask| cx.attr(mask).dense_ints().count() as i64);
    let Some(ty) = args.types(0).first().and_then(|&ty| cx.ty(ty).with_shape(&[len])) else {
        return Err(p.error_at(state.loc, "expected an LLVM compatible vector type"));
    };
    args.set_types(1, [ty]);
    Ok(())
}

/// `0, %i, 2`: constants, and values whose places hold [`GEP_DYNAMIC_INDEX`].
fn parse_gep_indices(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let (mut values, mut constants): (Vec<UnresolvedOperand>, Vec<i32>) = (Vec::new(), Vec::new());
    p.parse_comma_separated(Delimiter::None, |p| {
        let loc = p.loc();
        if let Some(value) = p.parse_optional_operand()? {
            values.push(value);
            constants.push(GEP_DYNAMIC_INDEX);
            return Ok(());
        }
        match i32::try_from(p.parse_integer()?) {
            Ok(index) if index != GEP_DYNAMIC_INDEX => constants.push(index),
            _ => return Err(p.error_at(loc, "integer value too large")),
        }
        Ok(())
    })?;
    args.set_operands(0, values);
    args.set_attr(1, p.cx().dense_i32_array(&constants));
    Ok(())
}

fn print_gep_indices(_op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    let mut values = args.operands(0).iter();
    let constants = args.attr(1).into_iter().flat_map(AttrRef::dense_ints);
    p.comma_separated(constants, |p, index| {
        let value = if index == i64::from(GEP_DYNAMIC_INDEX) { values.next() } else { None };
        match value {
            Some(value) => p.operand(value),
            None => p.int(index),
        }
    });
}

/// Block, and how many operands it is given, which are added to `operands` and `types`.
fn parse_destination(
    p: &mut OpParser<'_>,
    operands: &mut Vec<UnresolvedOperand>,
    types: &mut Vec<Type>,
) -> Parsed<(BlockId, i32)> {
    let block = p.parse_successor()?;
    if !p.parse_optional_l_paren() {
        return Ok((block, 0));
    }
    let loc = p.loc();
    let names = p.parse_operand_list(Delimiter::None)?;
    p.parse_colon()?;
    let list = p.parse_type_list()?;
    p.parse_r_paren()?;
    if names.len() != list.len() {
        return Err(p.error_at(loc, "expected one type for each operand of the successor"));
    }
    let count = i32::try_from(names.len()).unwrap_or(i32::MAX);
    operands.extend(names);
    types.extend(list);
    Ok((block, count))
}

/// `[1: ^bb1(%a : t), 2: ^bb2]`.
fn parse_switch_cases(p: &mut OpParser<'_>, state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let cx = p.cx();
    let flag = args.types(0).first().copied().unwrap_or_else(|| cx.i32_type());
    let width = cx.ty(flag).int_width().unwrap_or(32);
    let (mut values, mut blocks, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    let (mut operands, mut operand_types) = (Vec::new(), Vec::new());
    p.parse_comma_separated(Delimiter::Square, |p| {
        let value = p.parse_ap_int()?;
        values.push(cx.ap_int_attr(flag, value.sext_or_trunc(width)));
        p.parse_colon()?;
        let (block, count) = parse_destination(p, &mut operands, &mut operand_types)?;
        blocks.push(block);
        sizes.push(count);
        Ok(())
    })?;
    if !values.is_empty()
        && let Some(cases) = cx.dense_attr(cx.vector_type(&[values.len() as i64], flag), &values)
    {
        args.set_attr(1, cases);
    }
    args.set_successors(2, blocks);
    args.set_operands(3, operands);
    args.set_types(4, operand_types);
    state.set_attr(cx.ident("case_operand_segments"), cx.dense_i32_array(&sizes));
    Ok(())
}

fn print_switch_cases(op: OpRef<'_>, p: &mut AsmPrinter<'_>, _args: &DirectiveView<'_>) {
    let view = SwitchOp::wrap(op);
    p.text("[");
    p.newline();
    p.indent();
    if let Some(values) = view.case_values().and_then(AttrRef::dense_values) {
        let operands = crate::interfaces::passed_to_all(op);
        let cases = view.case_destinations().zip(operands.iter().skip(1)).enumerate();
        for ((i, (block, operands)), value) in cases.zip(values) {
            if i > 0 {
                p.text(",");
                p.newline();
                p.indent();
            }
            p.text("  ");
            p.attr_without_type(value.id());
            p.text(": ");
            p.successor_and_operands(block, operands.iter());
        }
        p.newline();
        p.indent();
    }
    p.text("]");
}

/// `[^bb1(%a : t), ^bb2]`.
fn parse_targets(p: &mut OpParser<'_>, state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let cx = p.cx();
    let (mut blocks, mut sizes) = (Vec::new(), Vec::new());
    let (mut operands, mut operand_types) = (Vec::new(), Vec::new());
    p.parse_comma_separated(Delimiter::Square, |p| {
        let (block, count) = parse_destination(p, &mut operands, &mut operand_types)?;
        blocks.push(block);
        sizes.push(count);
        Ok(())
    })?;
    args.set_successors(1, blocks);
    args.set_operands(2, operands);
    args.set_types(3, operand_types);
    state.set_attr(cx.ident("indbr_operand_segments"), cx.dense_i32_array(&sizes));
    Ok(())
}

fn print_targets(op: OpRef<'_>, p: &mut AsmPrinter<'_>, _args: &DirectiveView<'_>) {
    p.text("[");
    let operands = crate::interfaces::passed_to_all(op);
    if operands.is_empty() {
        p.text("]");
        return;
    }
    for (i, (block, operands)) in IndirectBrOp::wrap(op).successors().zip(&operands).enumerate() {
        p.text(if i > 0 { "," } else { "" });
        p.newline();
        p.indent();
        p.successor_and_operands(block, operands.iter());
    }
    p.newline();
    p.indent();
    p.text("]");
}

/// `["tag"(%a : t)]`.
fn parse_bundles(p: &mut OpParser<'_>, state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let bundles = Bundles::parse_optional(p)?;
    let (operands, operand_types) = bundles.operands();
    args.set_operands(0, operands);
    args.set_types(1, operand_types);
    if let Some(tags) = bundles.tags(p) {
        args.set_attr(2, tags);
    }
    bundles.set_attrs(p, state);
    Ok(())
}

fn print_op_bundles(op: OpRef<'_>, p: &mut AsmPrinter<'_>, args: &DirectiveView<'_>) {
    print_bundles(op, p, args.operands(0));
}

/// Linkage, `external` where none is written.
#[expect(clippy::unnecessary_wraps, reason = "has the type of all directives")]
fn parse_linkage(p: &mut OpParser<'_>, _state: &mut OpState, args: &mut DirectiveArgs) -> Parsed<()> {
    let linkage = parse_optional_case(p, &LINKAGE).unwrap_or(Linkage::External.value());
    args.set_attr(0, enum_attr(p.cx(), "llvm.linkage", linkage));
    Ok(())
}

fn print_linkage(op: OpRef<'_>, p: &mut AsmPrinter<'_>, _args: &DirectiveView<'_>) {
    print_case(p, op, "linkage", &LINKAGE, None);
}
