//! `%base[%i, %j], %padding, %mask {permutation_map, in_bounds} : shaped, vector`, and the same with a vector to write in front.

use dl_ir::affine::AffineMap;
use dl_ir::text::{AsmPrinter, Delimiter, OpParser, Parsed, UnresolvedOperand};
use dl_ir::{Context, Loc, OpRef, OpState, Type, TypeRef};
use smallvec::SmallVec;

use crate::types::{is_scalable, vector_type};
use crate::{TransferReadOp, TransferWriteOp};

/// What both transfers read after their operands.
struct Parts {
    base: UnresolvedOperand,
    indices: SmallVec<[UnresolvedOperand; 4]>,
    mask: Option<UnresolvedOperand>,
    types_loc: Loc,
    shaped: Type,
    vector: Type,
}

/// How many dimensions of the vector go over dimensions of the memory, whose elements may be vectors themselves.
fn outer_rank(shaped: TypeRef<'_>, vector: TypeRef<'_>) -> Option<usize> {
    let inner = shaped.element_type().filter(|element| element.is_vector()).and_then(TypeRef::rank).unwrap_or(0);
    vector.rank()?.checked_sub(inner)
}

/// The map of a transfer that has none in its text: the innermost dimensions in order.
fn default_map(cx: &Context, shaped: TypeRef<'_>, vector: TypeRef<'_>) -> Option<AffineMap> {
    let (rank, outer) = (shaped.rank()?, outer_rank(shaped, vector)?);
    if rank == 0 && vector.shape() == Some(&[1]) {
        return Some(cx.affine().constant_map(0));
    }
    if rank < outer {
        return None;
    }
    Some(cx.affine().minor_identity_map(u32::try_from(rank).ok()?, u32::try_from(outer).ok()?))
}

/// The type of the mask of a transfer: the dimensions of the vector in the order of the memory's, those alone that the map uses.
pub(crate) fn mask_type(cx: &Context, vector: TypeRef<'_>, map: AffineMap) -> Option<Type> {
    let affine = cx.affine();
    let data = affine.map(map);
    let (mut shape, mut scalable) = (Vec::new(), Vec::new());
    for dim in 0..data.num_dims {
        let Some(at) = data.results.iter().position(|&result| affine.dim_position(result) == Some(dim)) else {
            continue;
        };
        shape.push(*vector.shape()?.get(at)?);
        scalable.push(is_scalable(vector, at));
    }
    if shape.is_empty() {
        shape.push(1);
        scalable.push(false);
    }
    Some(vector_type(cx, &shape, &scalable, cx.i1_type()))
}

/// Checks the types, fills in the map and the bounds that the text leaves out, and answers the type of the mask.
fn complete(p: &mut OpParser<'_>, state: &mut OpState, parts: &Parts) -> Parsed<Option<Type>> {
    let cx = p.cx();
    let (shaped, vector) = (cx.ty(parts.shaped), cx.ty(parts.vector));
    let at = parts.types_loc;
    if !vector.is_vector() {
        return Err(p.error_at(at, "requires vector type"));
    }
    if !(shaped.is_ranked_memref() || shaped.is_ranked_tensor()) {
        return Err(p.error_at(at, "requires memref or ranked tensor type"));
    }
    let map = match state.get_attr(cx, "permutation_map") {
        Some(given) => cx.attr(given).as_affine_map(),
        None => default_map(cx, shaped, vector),
    };
    let Some(map) = map else {
        let message = "expected a custom permutation_map when rank(source) != rank(destination)";
        return Err(p.error_at(at, message));
    };
    state.set_attr(cx.ident("permutation_map"), cx.affine_map_attr(map));
    let results = cx.affine().map(map).results.len();
    if state.get_attr(cx, "in_bounds").is_none() {
        state.set_attr(cx.ident("in_bounds"), cx.array_attr(&vec![cx.bool_attr(false); results]));
    }
    let Some(mask) = parts.mask else { return Ok(None) };
    if shaped.element_type().is_some_and(TypeRef::is_vector) {
        return Err(p.error_at(mask.loc, "does not support masks with vector element type"));
    }
    if vector.rank() != Some(results) {
        let message = "expected the same rank for the vector and the results of the permutation map";
        return Err(p.error_at(at, message));
    }
    Ok(mask_type(cx, vector, map))
}

fn set_segments(p: &OpParser<'_>, state: &mut OpState, segments: [usize; 4]) {
    let cx = p.cx();
    let segments = segments.map(|size| i32::try_from(size).unwrap_or(i32::MAX));
    state.set_attr(cx.ident("operandSegmentSizes"), cx.dense_i32_array(&segments));
}

pub(crate) fn parse_transfer_read(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let base = p.parse_operand()?;
    let indices = p.parse_operand_list(Delimiter::Square)?;
    p.parse_comma()?;
    let padding = p.parse_operand()?;
    let (mask, types_loc, [shaped, vector]) = parse_rest(p, state)?;
    let parts = Parts { base, indices, mask, types_loc, shaped, vector };
    let mask_type = complete(p, state, &parts)?;
    let (cx, count) = (p.cx(), parts.indices.len());
    p.resolve_operand(parts.base, shaped, state)?;
    p.resolve_operands(&parts.indices, cx.index_type(), state)?;
    p.resolve_operand(padding, cx.ty(shaped).element_or_self().id(), state)?;
    if let (Some(mask), Some(ty)) = (parts.mask, mask_type) {
        p.resolve_operand(mask, ty, state)?;
    }
    set_segments(p, state, [1, count, 1, usize::from(parts.mask.is_some())]);
    state.results.push(vector);
    Ok(())
}

pub(crate) fn parse_transfer_write(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let value = p.parse_operand()?;
    p.parse_comma()?;
    let base = p.parse_operand()?;
    let indices = p.parse_operand_list(Delimiter::Square)?;
    let (mask, types_loc, [vector, shaped]) = parse_rest(p, state)?;
    let parts = Parts { base, indices, mask, types_loc, shaped, vector };
    let mask_type = complete(p, state, &parts)?;
    let (cx, count) = (p.cx(), parts.indices.len());
    p.resolve_operand(value, vector, state)?;
    p.resolve_operand(parts.base, shaped, state)?;
    p.resolve_operands(&parts.indices, cx.index_type(), state)?;
    if let (Some(mask), Some(ty)) = (parts.mask, mask_type) {
        p.resolve_operand(mask, ty, state)?;
    }
    set_segments(p, state, [1, 1, count, usize::from(parts.mask.is_some())]);
    if cx.ty(shaped).is_ranked_tensor() {
        state.results.push(shaped);
    }
    Ok(())
}

/// `, %mask {attributes} : type, type`.
fn parse_rest(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<(Option<UnresolvedOperand>, Loc, [Type; 2])> {
    let mask = if p.parse_optional_comma() { Some(p.parse_operand()?) } else { None };
    p.parse_optional_attr_dict(state)?;
    let types_loc = p.loc();
    let types = p.parse_colon_type_list()?;
    match types[..] {
        [first, second] => Ok((mask, types_loc, [first, second])),
        _ => Err(p.error_at(types_loc, "requires two types")),
    }
}

fn print_attrs(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let map = op.attr("permutation_map").and_then(|map| map.as_affine_map());
    let plain = map.is_some_and(|map| op.cx().affine().is_minor_identity(map));
    let inside = op.attr("in_bounds").is_some_and(|bounds| bounds.elements().any(|b| b.as_bool() == Some(true)));
    let mut elided: SmallVec<[&str; 3]> = smallvec::smallvec!["operandSegmentSizes"];
    if plain {
        elided.push("permutation_map");
    }
    if !inside {
        elided.push("in_bounds");
    }
    p.attr_dict(op, &elided);
}

pub(crate) fn print_transfer_read(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let read = TransferReadOp(op);
    p.text(" ");
    p.operand(read.base());
    p.text("[");
    p.operands(read.indices().iter());
    p.text("], ");
    p.operand(read.padding());
    if let Some(mask) = read.mask() {
        p.text(", ");
        p.operand(mask);
    }
    print_attrs(op, p);
    p.text(" : ");
    p.types([read.base().ty().id(), read.vector().ty().id()]);
}

pub(crate) fn print_transfer_write(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let write = TransferWriteOp(op);
    p.text(" ");
    p.operand(write.value_to_store());
    p.text(", ");
    p.operand(write.base());
    p.text("[");
    p.operands(write.indices().iter());
    p.text("]");
    if let Some(mask) = write.mask() {
        p.text(", ");
        p.operand(mask);
    }
    print_attrs(op, p);
    p.text(" : ");
    p.types([write.value_to_store().ty().id(), write.base().ty().id()]);
}
