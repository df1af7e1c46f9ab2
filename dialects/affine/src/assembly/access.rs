//! Pretty forms of loads, stores and prefetches.

use dl_ir::text::{AsmPrinter, Delimiter, OpParser, Parsed, UnresolvedOperand};
use dl_ir::{AttrRef, OpRef, OpState, OpView, Operands, Type, ValueRef};

use crate::{AffineLoadOp, AffinePrefetchOp, AffineStoreOp, AffineVectorLoadOp, AffineVectorStoreOp};

/// What `%memref[expressions]` names.
struct Access {
    memref: UnresolvedOperand,
    indices: Vec<UnresolvedOperand>,
}

/// `%memref[expressions]`; sets the map.
fn parse_access(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<Access> {
    let cx = p.cx();
    let memref = p.parse_operand()?;
    let position = p.parse_affine_map_of_ssa_ids(Delimiter::Square)?;
    state.set_attr(cx.ident("map"), cx.affine_map_attr(position.map));
    let indices = position.dims.into_iter().chain(position.symbols).collect();
    Ok(Access { memref, indices })
}

fn resolve_access(p: &mut OpParser<'_>, access: &Access, memref: Type, state: &mut OpState) -> Parsed<()> {
    p.resolve_operand(access.memref, memref, state)?;
    p.resolve_operands(&access.indices, p.cx().index_type(), state)
}

/// `: memref`, and its element type.
fn parse_memref_type(p: &mut OpParser<'_>, _state: &OpState) -> Parsed<(Type, Type)> {
    let cx = p.cx();
    p.parse_colon()?;
    let loc = p.loc();
    let memref = p.parse_type()?;
    match cx.ty(memref).element_type().filter(|_| cx.ty(memref).is_memref()) {
        Some(element) => Ok((memref, element.id())),
        None => Err(p.error_at(
            loc,
            format!("invalid kind of type specified: expected builtin.memref, but found '{}'", cx.ty(memref)),
        )),
    }
}

fn print_access(op: OpRef<'_>, p: &mut AsmPrinter<'_>, memref: ValueRef<'_>, indices: Operands<'_>) {
    p.operand(memref);
    p.text("[");
    if let Some(map) = op.attr("map").and_then(AttrRef::as_affine_map) {
        let num_dims = op.cx().affine().map(map).num_dims as usize;
        let values: Vec<ValueRef<'_>> = indices.iter().collect();
        let (dims, symbols) = values.split_at(num_dims.min(values.len()));
        p.affine_map_of_ssa_ids(map, dims, symbols);
    }
    p.text("]");
}

/// `%memref[position] {...} : memref`.
pub(crate) fn parse_load(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let access = parse_access(p, state)?;
    p.parse_optional_attr_dict(state)?;
    let (memref, element) = parse_memref_type(p, state)?;
    resolve_access(p, &access, memref, state)?;
    state.results.push(element);
    Ok(())
}

/// Prints what [`parse_load`] reads.
pub(crate) fn print_load(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = AffineLoadOp::wrap(op);
    p.text(" ");
    print_access(op, p, view.memref(), view.indices());
    p.attr_dict(op, &["map"]);
    p.text(" : ");
    p.ty(view.memref().ty().id());
}

/// `%memref[position] {...} : memref, vector`.
pub(crate) fn parse_vector_load(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let access = parse_access(p, state)?;
    p.parse_optional_attr_dict(state)?;
    let (memref, _) = parse_memref_type(p, state)?;
    p.parse_comma()?;
    let vector = p.parse_type()?;
    resolve_access(p, &access, memref, state)?;
    state.results.push(vector);
    Ok(())
}

/// Prints what [`parse_vector_load`] reads.
pub(crate) fn print_vector_load(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = AffineVectorLoadOp::wrap(op);
    p.text(" ");
    print_access(op, p, view.memref(), view.indices());
    p.attr_dict(op, &["map"]);
    p.text(" : ");
    p.types([view.memref().ty().id(), view.result().ty().id()]);
}

/// `%value, %memref[position] {...} : memref`.
pub(crate) fn parse_store(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let value = p.parse_operand()?;
    p.parse_comma()?;
    let access = parse_access(p, state)?;
    p.parse_optional_attr_dict(state)?;
    let (memref, element) = parse_memref_type(p, state)?;
    p.resolve_operand(value, element, state)?;
    resolve_access(p, &access, memref, state)
}

/// Prints what [`parse_store`] reads.
pub(crate) fn print_store(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = AffineStoreOp::wrap(op);
    p.text(" ");
    p.operand(view.value());
    p.text(", ");
    print_access(op, p, view.memref(), view.indices());
    p.attr_dict(op, &["map"]);
    p.text(" : ");
    p.ty(view.memref().ty().id());
}

/// `%value, %memref[position] {...} : memref, vector`.
pub(crate) fn parse_vector_store(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let value = p.parse_operand()?;
    p.parse_comma()?;
    let access = parse_access(p, state)?;
    p.parse_optional_attr_dict(state)?;
    let (memref, _) = parse_memref_type(p, state)?;
    p.parse_comma()?;
    let vector = p.parse_type()?;
    p.resolve_operand(value, vector, state)?;
    resolve_access(p, &access, memref, state)
}

/// Prints what [`parse_vector_store`] reads.
pub(crate) fn print_vector_store(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = AffineVectorStoreOp::wrap(op);
    p.text(" ");
    p.operand(view.value());
    p.text(", ");
    print_access(op, p, view.memref(), view.indices());
    p.attr_dict(op, &["map"]);
    p.text(" : ");
    p.types([view.memref().ty().id(), view.value().ty().id()]);
}

/// `%memref[position], read, locality<3>, data {...} : memref`.
pub(crate) fn parse_prefetch(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    let access = parse_access(p, state)?;
    p.parse_comma()?;
    let Some(direction) = p.parse_optional_keyword_of(&["read", "write"]) else {
        return Err(p.error_at(state.loc, "rw specifier has to be 'read' or 'write'"));
    };
    p.parse_comma()?;
    p.parse_keyword("locality")?;
    p.parse_less()?;
    let locality = p.parse_integer()?;
    p.parse_greater()?;
    p.parse_comma()?;
    let Some(cache) = p.parse_optional_keyword_of(&["data", "instr"]) else {
        return Err(p.error_at(state.loc, "cache type has to be 'data' or 'instr'"));
    };
    p.parse_optional_attr_dict(state)?;
    let (memref, _) = parse_memref_type(p, state)?;
    state.set_attr(cx.ident("isWrite"), cx.bool_attr(direction == "write"));
    state.set_attr(cx.ident("localityHint"), cx.int_attr(cx.i32_type(), locality));
    state.set_attr(cx.ident("isDataCache"), cx.bool_attr(cache == "data"));
    resolve_access(p, &access, memref, state)
}

/// Prints what [`parse_prefetch`] reads.
pub(crate) fn print_prefetch(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let view = AffinePrefetchOp::wrap(op);
    p.text(" ");
    print_access(op, p, view.memref(), view.indices());
    p.text(if view.is_write().as_bool() == Some(true) { ", write, locality<" } else { ", read, locality<" });
    p.int(view.locality_hint().as_int().unwrap_or(0));
    p.text(if view.is_data_cache().as_bool() == Some(true) { ">, data" } else { ">, instr" });
    p.attr_dict(op, &["map", "isWrite", "localityHint", "isDataCache"]);
    p.text(" : ");
    p.ty(view.memref().ty().id());
}
