//! Pretty forms.

use dl_ir::text::{AsmPrinter, Delimiter, OpParser, Parsed};
use dl_ir::{AttrRef, OpDefinition, OpRef, OpState, OpView};

use crate::{AssumingOp, AssumingYieldOp, ConstShapeOp, ConstSizeOp, FunctionLibraryOp, ReduceOp};

/// `c5` for a constant of 5.
pub(crate) fn constant_name(op: OpRef<'_>, name: &mut dyn FnMut(usize, &str)) {
    if let Some(value) = ConstSizeOp::wrap(op).value().as_int() {
        name(0, &format!("c{value}"));
    }
}

/// `{attributes} [1, 2] : type`.
pub(crate) fn parse_const_shape(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    p.parse_optional_attr_dict(state)?;
    let mut extents = Vec::new();
    p.parse_comma_separated(Delimiter::Square, |p| {
        extents.push(cx.index_attr(p.parse_integer()?));
        Ok(())
    })?;
    let ty = cx.tensor_type(&[extents.len() as i64], cx.index_type());
    let shape = cx.dense_attr(ty, &extents).ok_or_else(|| p.error("expected extents of type index"))?;
    state.set_attr(cx.ident("shape"), shape);
    let result = p.parse_colon_type()?;
    state.results.push(result);
    Ok(())
}

/// Prints what [`parse_const_shape`] reads.
pub(crate) fn print_const_shape(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = ConstShapeOp::wrap(op);
    p.text(" ");
    p.attr_dict(op, &["shape"]);
    p.text("[");
    let extents = view.shape().dense_values().into_iter().flatten();
    p.comma_separated(extents, |p, extent| p.int(extent.as_int().unwrap_or(0)));
    p.text("] : ");
    p.ty(view.result().ty().id());
}

/// `(%shape, %initial...) : type -> types {...} attributes`.
pub(crate) fn parse_reduce(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let loc = p.loc();
    let operands = p.parse_operand_list(Delimiter::Paren)?;
    let shape_type = p.parse_colon_type()?;
    let types = p.parse_optional_arrow_type_list()?;
    let Some((&shape, initial)) = operands.split_first() else {
        return Err(p.error_at(loc, "expected a shape and initial values"));
    };
    p.resolve_operand(shape, shape_type, state)?;
    p.resolve_operands_with(initial, &types, loc, state)?;
    state.results.extend(types);
    p.parse_region(state, &[])?;
    p.parse_optional_attr_dict(state)
}

/// Prints what [`parse_reduce`] reads.
pub(crate) fn print_reduce(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = ReduceOp::wrap(op);
    p.text("(");
    p.operand(view.shape());
    p.text(", ");
    p.operands(view.init_vals().iter());
    p.text(") : ");
    p.ty(view.shape().ty().id());
    p.optional_arrow_types(&op.results().types());
    p.text(" ");
    p.region(view.region(), true, true);
    p.attr_dict(op, &[]);
}

/// `%witness -> types {...} attributes`.
pub(crate) fn parse_assuming(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    let witness = p.parse_operand()?;
    p.resolve_operand(witness, cx.dialect_type("shape.witness", &[]), state)?;
    state.results.extend(p.parse_optional_arrow_type_list()?);
    let region = p.parse_region(state, &[])?;
    p.ensure_terminator(state, region, cx.op_name(AssumingYieldOp::NAME));
    p.parse_optional_attr_dict(state)
}

/// Prints what [`parse_assuming`] reads.
pub(crate) fn print_assuming(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = AssumingOp::wrap(op);
    let has_results = op.num_results() != 0;
    p.text(" ");
    p.operand(view.witness());
    if has_results {
        p.text(" -> (");
        p.types(op.results().types());
        p.text(")");
    }
    p.text(" ");
    p.region(view.do_region(), false, has_results);
    p.attr_dict(op, &[]);
}

/// `@name attributes {...} {...} mapping {op = @function}`.
pub(crate) fn parse_library(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    let name = p.parse_symbol_name()?;
    state.set_attr(cx.ident("sym_name"), cx.string_attr(&name));
    p.parse_optional_attr_dict_with_keyword(state)?;
    let region = p.parse_region(state, &[])?;
    p.ensure_block(state, region);
    p.parse_keyword("mapping")?;
    let loc = p.loc();
    let mapping = p.parse_attribute(None)?;
    if !cx.attr(mapping).is_dictionary() {
        return Err(p.error_at(loc, "invalid kind of attribute specified"));
    }
    state.set_attr(cx.ident("mapping"), mapping);
    Ok(())
}

/// Prints what [`parse_library`] reads.
pub(crate) fn print_library(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = FunctionLibraryOp::wrap(op);
    p.text(" ");
    p.symbol_name(view.sym_name().as_str().unwrap_or_default());
    p.attr_dict_with_keyword(op, &["sym_name", "mapping"]);
    p.text(" ");
    p.region(view.body(), false, false);
    p.text(" mapping ");
    p.attr_without_type(AttrRef::id(view.mapping()));
}
