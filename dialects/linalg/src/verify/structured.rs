//! What every loop nest must satisfy.

use dl_ir::affine::{AffineMap, AffineStore};
use dl_ir::interfaces::{has_pure_buffer_semantics, has_pure_tensor_semantics, verify_destination_style};
use dl_ir::{DYNAMIC, Diagnostic, OpRef, TypeRef};
use smallvec::{SmallVec, smallvec};

use crate::assembly::named::{elementwise_body, named_op};
use crate::named::Body;
use crate::structured::{LinalgOp, element, shape};
use crate::{ElementwiseKind, ElementwiseOp};

/// Checks operand types, maps, extents and the arguments of the body.
pub(crate) fn structured(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let Some(nest) = LinalgOp::of(op) else { return Ok(()) };
    verify_destination_style(op)?;
    let is_data = |ty: TypeRef<'_>| ty.is_tensor() || ty.is_memref();
    let is_pure = (has_pure_tensor_semantics(op) || has_pure_buffer_semantics(op))
        && op.operands().iter().any(|operand| is_data(operand.ty()));
    if op.num_operands() > 0 && !is_pure {
        return Err(op.error("expected to have pure tensor or buffer semantics"));
    }
    // Their pretty form leaves the body out, and with other operands there is none that it could stand for.
    let kind = || op.cast::<ElementwiseOp<'_>>().and_then(|op| ElementwiseKind::from_attr(op.kind()));
    let known = named_op(op.name()).map(|named| named.body).or_else(|| kind().map(elementwise_body));
    if let Some(expected) = known.map(Body::num_operands)
        && op.num_operands() != expected
    {
        return Err(op.error(format_args!("expected {expected} operands, but found {}", op.num_operands())));
    }
    let maps = nest.indexing_maps();
    if named_op(op.name()).is_some_and(|named| named.nest.has_windows()) {
        super::convolution::convolution(op, &maps)?;
    }
    ranks(op, &maps)?;
    let affine = op.cx().affine();
    extents(op, affine, &maps)?;
    let loops = nest.num_loops();
    for (i, &map) in maps.iter().enumerate() {
        if affine.map(map).num_dims as usize != loops {
            return Err(op.error(format_args!(
                "expected indexing_map #{i} to have {loops} dim(s) to match the number of loops"
            )));
        }
    }
    body(nest)?;
    if op.names_interface("ContractionOpInterface") { super::contraction::product(op) } else { Ok(()) }
}

/// One map without symbols for each operand, with a result for each of its dimensions.
fn ranks(op: OpRef<'_>, maps: &[AffineMap]) -> Result<(), Diagnostic> {
    if maps.len() != op.num_operands() {
        return Err(op.error(format_args!(
            "expected the number of indexing_map ({}) to be equal to the number of input/output operands ({})",
            maps.len(),
            op.num_operands()
        )));
    }
    for (i, (&map, operand)) in maps.iter().zip(op.operands().iter()).enumerate() {
        let data = op.cx().affine().map(map);
        if data.num_symbols != 0 {
            return Err(op.error(format_args!("unexpected symbols in indexing_map #{i}")));
        }
        let rank = shape(operand.ty()).len();
        if data.results.len() != rank {
            return Err(op.error(format_args!(
                "expected operand #{i} rank ({rank}) to match the result rank of indexing_map ({})",
                data.results.len()
            )));
        }
    }
    Ok(())
}

/// The extents of the loops, where all are known, reach exactly to the ends of the operands.
fn extents(op: OpRef<'_>, affine: &AffineStore, maps: &[AffineMap]) -> Result<(), Diagnostic> {
    if extents_are_equal(op, affine, maps) {
        return Ok(());
    }
    let concat = affine.concat(maps);
    let Some(inverse) = affine.inverse_permutation(concat) else {
        return Err(op.error(format_args!("invalid indexing maps are non-invertible: ({})", text(affine, concat))));
    };
    let shapes: Vec<i64> = op.operands().iter().flat_map(|v| shape(v.ty()).iter().copied()).collect();
    let picked =
        affine.map(inverse).results.iter().map(|&r| affine.dim_position(r).and_then(|p| shapes.get(p as usize)));
    let ranges: Option<Vec<i64>> = picked.map(|extent| extent.copied().filter(|&e| e != DYNAMIC)).collect();
    let Some(ranges) = ranges else { return Ok(()) };
    let (first, last) = (vec![0; ranges.len()], ranges.iter().map(|r| r - 1).collect::<Vec<_>>());
    for (i, (&map, operand)) in maps.iter().zip(op.operands().iter()).enumerate() {
        let shape = shape(operand.ty());
        let (Some(starts), Some(ends)) = (affine.eval_map(map, &first, &[]), affine.eval_map(map, &last, &[])) else {
            continue;
        };
        for (dim, &extent) in shape.iter().enumerate() {
            if extent == DYNAMIC || extent == 0 {
                continue;
            }
            let (low, high) = (starts[dim].min(ends[dim]), starts[dim].max(ends[dim]));
            if low < 0 {
                return Err(op.error(format_args!(
                    "unexpected result less than 0 at expression #{dim} in {}",
                    text(affine, map)
                )));
            }
            let reached = high.saturating_add(1);
            let exact = affine.dim_position(affine.map(map).results[dim]).is_some();
            let wanted = if exact { "" } else { "greater than or equal to " };
            if (exact && reached != extent) || reached > extent {
                return Err(op.error(format_args!(
                    "inferred input/output operand #{i} has shape's dimension #{dim} to be {wanted}{reached}, but found \
                     {extent}"
                )));
            }
        }
    }
    Ok(())
}

/// Whether each dimension of an operand is one loop, each loop is one of those, and the extents of a loop are known and the same everywhere. Then
/// they are right, at a fraction of what the general case costs.
fn extents_are_equal(op: OpRef<'_>, affine: &AffineStore, maps: &[AffineMap]) -> bool {
    let loops = maps.iter().map(|&map| affine.map(map).num_dims).max().unwrap_or(0);
    let mut extents: SmallVec<[Option<i64>; 8]> = smallvec![None; loops as usize];
    for (&map, operand) in maps.iter().zip(op.operands().iter()) {
        for (&result, &extent) in affine.map(map).results.iter().zip(shape(operand.ty())) {
            let Some(place) = affine.dim_position(result) else { return false };
            if extent == DYNAMIC || extent == 0 || *extents[place as usize].get_or_insert(extent) != extent {
                return false;
            }
        }
    }
    extents.iter().all(Option::is_some)
}

/// One block whose arguments are elements of the operands.
fn body(nest: LinalgOp<'_>) -> Result<(), Diagnostic> {
    let op = nest.op();
    let block = if op.num_regions() == 1 && op.region(0).has_one_block() { nest.body() } else { None };
    let Some(block) = block else { return Err(op.error("expects to have 1 region with 1 block")) };
    if block.num_args() != op.num_operands() {
        return Err(
            op.error("expected as many non-induction variable region arguments as the number of input/output operands")
        );
    }
    for (i, (arg, operand)) in block.args().zip(op.operands().iter()).enumerate() {
        let expected = element(operand.ty());
        if arg.ty() != expected {
            return Err(op.error(format_args!(
                "expected type of bb argument #{i} ('{}') to match element or self type of the corresponding operand \
                 ('{expected}')",
                arg.ty()
            )));
        }
    }
    Ok(())
}

fn text(affine: &AffineStore, map: AffineMap) -> String {
    let mut out = String::new();
    affine.print_map(map, &mut out);
    out
}
