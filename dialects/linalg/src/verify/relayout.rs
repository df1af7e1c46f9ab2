//! `pack` and `unpack`: tensors and their tiled layouts.

use dl_ir::{DYNAMIC, Diagnostic, OpRef, TypeRef};

fn ints(op: OpRef<'_>, name: &str) -> Vec<i64> {
    op.attr(name).into_iter().flat_map(|attr| attr.dense_ints()).collect()
}

pub(crate) fn pack(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (source, dest) = (op.operand(0).ty(), op.operand(1).ty());
    let padding = op.operand_group(2).get(0);
    if let Some(padding) = padding
        && Some(padding.ty()) != source.element_type()
    {
        return Err(op.error(format_args!(
            "expected padding_value has '{}' but got: '{}'",
            source.element_or_self(),
            padding.ty()
        )));
    }
    relayout(op, source, dest, padding.is_some(), true)
}

pub(crate) fn unpack(op: OpRef<'_>) -> Result<(), Diagnostic> {
    relayout(op, op.operand(1).ty(), op.operand(0).ty(), false, false)
}

/// Checks the tiles and permutations, and that the packed shape follows from the plain one.
fn relayout(
    op: OpRef<'_>,
    plain: TypeRef<'_>,
    packed: TypeRef<'_>,
    padded: bool,
    is_pack: bool,
) -> Result<(), Diagnostic> {
    let (Some(shape), Some(packed_shape)) = (plain.shape(), packed.shape()) else { return Ok(()) };
    let (tiles, positions, outer) =
        (ints(op, "static_inner_tiles"), ints(op, "inner_dims_pos"), ints(op, "outer_dims_perm"));
    if tiles.contains(&0) {
        return Err(op.error("invalid zero tile factor"));
    }
    let in_range = |&dim: &i64| usize::try_from(dim).is_ok_and(|dim| dim < shape.len());
    let distinct = |list: &[i64]| list.iter().enumerate().all(|(i, dim)| !list[..i].contains(dim));
    if positions.len() > shape.len() || !positions.iter().all(in_range) || !distinct(&positions) {
        return Err(op.error("invalid inner_dims_pos vector"));
    }
    if outer.len() > shape.len() || !outer.iter().all(in_range) || !distinct(&outer) {
        return Err(op.error("invalid outer_dims_perm vector"));
    }
    if !outer.is_empty() && outer.len() != shape.len() {
        return Err(op.error("outer_dims_perm must be a permutation or empty"));
    }
    if tiles.len() != positions.len() {
        return Err(op.error("tiling factors must equal the number of dimensions to tile"));
    }
    let (unknown, given) =
        (tiles.iter().filter(|&&tile| tile == DYNAMIC).count(), op.operand_group(2 + usize::from(is_pack)).len());
    if unknown != given {
        return Err(op.error(format_args!("expected {unknown} dynamic tile sizes, got {given}")));
    }
    if packed_shape.len() != shape.len() + positions.len() {
        return Err(op.error(format_args!(
            "packed rank != (unpacked rank + num tiling factors), got {} != {}",
            packed_shape.len(),
            shape.len() + positions.len()
        )));
    }
    let leaves_rest = |(&dim, &tile): (&i64, &i64)| {
        let extent = shape[dim as usize];
        // With a tile size that is not known the number of tiles tells whether they can be full.
        let outer_dim = outer.iter().position(|&from| from == dim).unwrap_or(dim as usize);
        let divisor = if tile == DYNAMIC { packed_shape[outer_dim] } else { tile };
        extent != DYNAMIC && divisor != DYNAMIC && divisor > 0 && extent % divisor != 0
    };
    if is_pack && !padded && positions.iter().zip(&tiles).any(leaves_rest) {
        return Err(op.error(
            "invalid tile factor or output size provided. Only full tiles are supported when padding_value is not set",
        ));
    }
    let mut expected = shape.to_vec();
    for (&dim, &tile) in positions.iter().zip(&tiles) {
        let extent = &mut expected[dim as usize];
        let known = *extent != DYNAMIC && tile > 0;
        *extent = if known { *extent / tile + i64::from(*extent % tile != 0) } else { DYNAMIC };
    }
    if !outer.is_empty() {
        expected = outer.iter().map(|&dim| expected[dim as usize]).collect();
    }
    let fits = |(&a, &b): (&i64, &i64)| a == DYNAMIC || b == DYNAMIC || a == b;
    let tail = &packed_shape[shape.len()..];
    if !expected.iter().zip(packed_shape).all(fits) {
        expected.extend(&tiles);
        let element = plain.element_or_self().id();
        let inferred = op.cx().tensor_type(&expected, element);
        return Err(
            op.error(format_args!("expected '{}' for the packed domain value, got '{packed}'", op.cx().ty(inferred)))
        );
    }
    if tiles != tail {
        return Err(op.error("mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type"));
    }
    Ok(())
}
