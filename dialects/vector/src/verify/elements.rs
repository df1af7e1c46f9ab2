//! Operations that move elements about.

use dl_ir::{DYNAMIC, Diagnostic, OpRef, TypeRef};

use super::{Verified, extents, same_scalable};
use crate::types::is_scalable;
use crate::{
    BitCastOp, BroadcastOp, ConstantMaskOp, CreateMaskOp, ExtractOp, InsertOp, ShapeCastOp, ShuffleOp, TransposeOp,
};

/// The index that stands for a poisoned position.
const POISON: i64 = -1;

/// The positions that are constants lie in their dimensions.
fn positions_inside(op: OpRef<'_>, positions: &[i64], shape: &[i64], what: &str) -> Verified {
    for (i, (&position, &extent)) in positions.iter().zip(shape).enumerate() {
        if position != DYNAMIC && position != POISON && !(0..extent).contains(&position) {
            let number = i + 1;
            return Err(op.error(format_args!("expected position attribute #{number} to be a non-negative integer smaller than the corresponding {what}")));
        }
    }
    Ok(())
}

/// As many dynamic positions as operands.
fn positions_have_operands(op: OpRef<'_>, positions: &[i64], operands: usize) -> Verified {
    let dynamic = positions.iter().filter(|&&position| position == DYNAMIC).count();
    if dynamic == operands {
        return Ok(());
    }
    Err(op.error("mismatch between dynamic and static positions (kDynamic marker but no corresponding dynamic position) -- this can only happen due to an incorrect fold/rewrite"))
}

/// Whether `ty` is a vector without dimensions.
fn is_0d(ty: TypeRef<'_>) -> bool {
    ty.is_vector() && extents(ty).is_empty()
}

pub(crate) fn extract(op: OpRef<'_>) -> Verified {
    let extract = ExtractOp(op);
    let positions: Vec<i64> = extract.static_position().dense_ints().collect();
    positions_have_operands(op, &positions, extract.dynamic_position().len())?;
    let (source, result) = (extract.source().ty(), extract.result().ty());
    if is_0d(result) {
        return Err(op.error("expected a scalar instead of a 0-d vector as the result type"));
    }
    let shape = extents(source);
    if positions.len() > shape.len() {
        return Err(op.error("expected position attribute of rank no greater than vector rank"));
    }
    let scalar = source.element_type();
    let inferred_scalar = positions.len() == shape.len();
    // One element may also be taken as a vector of one.
    let single = result.is_vector() && result.num_elements() == Some(1) && result.element_type() == scalar;
    let expected_matches = if inferred_scalar {
        Some(result) == scalar || single
    } else {
        result.is_vector() && extents(result) == &shape[positions.len()..]
    };
    if !expected_matches {
        return Err(op.error(format_args!(
            "inferred type(s) '{}' are incompatible with return type(s) of operation '{result}'",
            inferred_text(source, positions.len())
        )));
    }
    positions_inside(op, &positions, shape, "vector dimension or poison (-1)")
}

/// The text of the type at a position of `source` that gives `count` indices.
fn inferred_text(source: TypeRef<'_>, count: usize) -> String {
    let (shape, scalable) = crate::types::kept_dims(source, |i| i >= count);
    let element = source.element_or_self();
    if shape.is_empty() {
        return element.to_string();
    }
    let cx = source.cx();
    cx.ty(crate::types::vector_type(cx, &shape, &scalable, element.id())).to_string()
}

pub(crate) fn insert(op: OpRef<'_>) -> Verified {
    let insert = InsertOp(op);
    let positions: Vec<i64> = insert.static_position().dense_ints().collect();
    positions_have_operands(op, &positions, insert.dynamic_position().len())?;
    let (value, dest) = (insert.value_to_store().ty(), insert.dest().ty());
    if is_0d(value) {
        return Err(op.error("expected a scalar instead of a 0-d vector as the source operand"));
    }
    let shape = extents(dest);
    if positions.len() > shape.len() {
        return Err(op.error("expected position attribute of rank no greater than dest vector rank"));
    }
    if value.is_vector() {
        if positions.len() + extents(value).len() != shape.len() {
            return Err(op.error("expected position attribute rank + source rank to match dest vector rank"));
        }
    } else if positions.len() != shape.len() {
        return Err(op.error("expected position attribute rank to match the dest vector rank"));
    }
    positions_inside(op, &positions, shape, "dest vector dimension")
}

pub(crate) fn broadcast(op: OpRef<'_>) -> Verified {
    let broadcast = BroadcastOp(op);
    let (source, dest) = (broadcast.source().ty(), broadcast.vector().ty());
    if dest.element_type() == Some(source) {
        return Ok(());
    }
    if !source.is_vector() {
        return Err(op.error("source type is not a vector"));
    }
    let (from, to) = (extents(source), extents(dest));
    let Some(leading) = to.len().checked_sub(from.len()) else {
        return Err(op.error("source rank higher than destination rank"));
    };
    for (i, &extent) in from.iter().enumerate() {
        let j = leading + i;
        let (from, to) = ((extent, is_scalable(source, i)), (to[j], is_scalable(dest, j)));
        if from != to && from != (1, false) {
            let dim = |(extent, scalable): (i64, bool)| {
                if scalable { format!("[{extent}]") } else { extent.to_string() }
            };
            let (a, b) = (dim(from), dim(to));
            return Err(op.error(format_args!("dimension mismatch ({a} vs. {b})")));
        }
    }
    Ok(())
}

pub(crate) fn shuffle(op: OpRef<'_>) -> Verified {
    let shuffle = ShuffleOp(op);
    let (a, b) = (extents(shuffle.v1().ty()), extents(shuffle.v2().ty()));
    let result = extents(shuffle.vector().ty());
    let rank = result.len();
    let well_formed_0d = rank == 1 && a.is_empty() && b.is_empty();
    if !well_formed_0d && (rank != a.len() || rank != b.len()) {
        return Err(op.error("rank mismatch"));
    }
    if !well_formed_0d && (1..rank).any(|i| result[i] != a[i] || result[i] != b[i]) {
        return Err(op.error("dimension mismatch"));
    }
    let mask: Vec<i64> = shuffle.mask().dense_ints().collect();
    if mask.is_empty() {
        return Err(op.error("invalid mask length"));
    }
    if result.first() != i64::try_from(mask.len()).ok().as_ref() {
        return Err(op.error("mask length mismatch"));
    }
    let size = |shape: &[i64]| shape.first().copied().unwrap_or(1);
    let limit = size(a).saturating_add(size(b));
    match mask.iter().position(|&index| index != POISON && !(0..limit).contains(&index)) {
        Some(at) => Err(op.error(format_args!("mask index #{} out of range", at + 1))),
        None => Ok(()),
    }
}

pub(crate) fn transpose(op: OpRef<'_>) -> Verified {
    let transpose = TransposeOp(op);
    let (source, result) = (transpose.vector().ty(), transpose.result().ty());
    let (from, to) = (extents(source), extents(result));
    if from.len() != to.len() {
        return Err(op.error(format_args!("vector result rank mismatch: {}", to.len())));
    }
    let permutation: Vec<i64> = transpose.permutation().dense_ints().collect();
    if permutation.len() != from.len() {
        return Err(op.error(format_args!("transposition length mismatch: {}", permutation.len())));
    }
    let mut seen = vec![false; from.len()];
    for (i, &position) in permutation.iter().enumerate() {
        let Some(at) = usize::try_from(position).ok().filter(|&at| at < from.len()) else {
            return Err(op.error(format_args!("transposition index out of range: {position}")));
        };
        if std::mem::replace(&mut seen[at], true) {
            return Err(op.error(format_args!("duplicate position index: {position}")));
        }
        if to[i] != from[at] {
            return Err(op.error(format_args!("dimension size mismatch at: {position}")));
        }
    }
    Ok(())
}

pub(crate) fn shape_cast(op: OpRef<'_>) -> Verified {
    let cast = ShapeCastOp(op);
    let (source, result) = (cast.source().ty(), cast.result().ty());
    if source.element_type() != result.element_type() {
        return Err(op.error("has different source and result element types"));
    }
    let (from, to) = (source.num_elements(), result.num_elements());
    if from != to {
        let (from, to) = (from.unwrap_or(0), to.unwrap_or(0));
        return Err(op.error(format_args!("has different number of elements at source ({from}) and result ({to})")));
    }
    let scalable = |ty: TypeRef<'_>| ty.scalable_dims().iter().filter(|&&scalable| scalable).count();
    let (from, to) = (scalable(source), scalable(result));
    if from != to {
        let message = format!("has different number of scalable dims at source ({from}) and result ({to})");
        return Err(op.error(message));
    }
    Ok(())
}

pub(crate) fn bitcast(op: OpRef<'_>) -> Verified {
    let cast = BitCastOp(op);
    let (source, result) = (cast.source().ty(), cast.result().ty());
    let (from, to) = (extents(source), extents(result));
    let last = from.len().saturating_sub(1);
    if let Some(at) = (0..last).find(|&i| from[i] != to[i]) {
        return Err(op.error(format_args!("dimension size mismatch at: {at}")));
    }
    let bits =
        |ty: TypeRef<'_>| ty.element_type().and_then(|e| e.storage_bits().or(e.int_or_float_width())).map(i64::from);
    let (Some(a), Some(b)) = (bits(source), bits(result)) else { return Ok(()) };
    if from.is_empty() {
        if a != b {
            return Err(op.error("source/result bitwidth of the 0-D vector element types must be equal"));
        }
    } else if a.checked_mul(from[last]) != b.checked_mul(to[last]) {
        return Err(op.error("source/result bitwidth of the minor 1-D vectors must be equal"));
    }
    if same_scalable(source, result) {
        Ok(())
    } else {
        Err(op.error("source and result scalable dimensions must match"))
    }
}

pub(crate) fn constant_mask(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let mask = ConstantMaskOp(op);
    let (sizes, ty) = (mask.mask_dim_sizes().dense_ints().collect::<Vec<_>>(), mask.result().ty());
    let shape = extents(ty);
    if shape.is_empty() {
        if sizes.len() != 1 {
            return Err(op.error("array attr must have length 1 for 0-D vectors"));
        }
        if !(0..=1).contains(&sizes[0]) {
            return Err(op.error("mask dim size must be either 0 or 1 for 0-D vectors"));
        }
        return Ok(());
    }
    if sizes.len() != shape.len() {
        return Err(op.error("must specify array attr of size equal vector result rank"));
    }
    for (i, (&size, &extent)) in sizes.iter().zip(shape).enumerate() {
        if !(0..=extent).contains(&size) {
            return Err(op.error("array attr of size out of bounds of vector result dimension size"));
        }
        if is_scalable(ty, i) && size != 0 && size != extent {
            return Err(op.error("only supports 'none set' or 'all set' scalable dimensions"));
        }
    }
    // The mask is the product of its dimensions: none set in one of them is none set at all.
    if sizes.contains(&0) && sizes.iter().any(|&size| size != 0) {
        return Err(op.error("expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim"));
    }
    Ok(())
}

pub(crate) fn create_mask(op: OpRef<'_>) -> Verified {
    let mask = CreateMaskOp(op);
    let (rank, operands) = (extents(mask.result().ty()).len(), op.num_operands());
    if rank == 0 {
        return if operands == 1 {
            Ok(())
        } else {
            Err(op.error("must specify exactly one operand for 0-D create_mask"))
        };
    }
    if rank == operands { Ok(()) } else { Err(op.error("must specify an operand for each result vector dimension")) }
}
