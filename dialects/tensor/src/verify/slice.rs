//! Slices, borders, gathering and scattering.

use dl_ir::interfaces::offset_size_stride::{Slice, verify_in_bounds, verify_offset_size_stride};
use dl_ir::{DYNAMIC, Diagnostic, OpRef, TypeRef};

use super::fault;

/// `reduced` is `shape`, perhaps without dimensions of size 1.
pub(crate) fn is_rank_reduced(shape: &[i64], reduced: &[i64]) -> bool {
    dropped_dims(shape, reduced).is_some()
}

/// Which dimensions of size 1 of `shape` are left out of `reduced`, the first ones that fit. `None` when it is no reduced shape.
pub fn dropped_dims(shape: &[i64], reduced: &[i64]) -> Option<Vec<bool>> {
    let mut dropped = vec![false; shape.len()];
    let mut next = 0;
    for (i, &extent) in shape.iter().enumerate() {
        if next < reduced.len() && reduced[next] == extent {
            next += 1;
        } else if extent == 1 {
            dropped[i] = true;
        } else {
            return None;
        }
    }
    (next == reduced.len()).then_some(dropped)
}

/// The slice of `whole` has the type of `part`, perhaps without dimensions of size 1.
fn slice_type(op: OpRef<'_>, whole: TypeRef<'_>, part: TypeRef<'_>) -> Result<(), Diagnostic> {
    verify_offset_size_stride(op, whole.rank().unwrap_or(0))?;
    let Some(slice) = Slice::of(op) else { return Ok(()) };
    let shape: Vec<i64> = slice.sizes.iter().map(|size| size.extent()).collect();
    let expected = op.cx().tensor_type(&shape, whole.element_or_self().id());
    let found = part.shape().unwrap_or(&[]);
    if found.len() > shape.len() {
        return Err(fault(op, "expected rank to be smaller or equal to the other rank. "));
    }
    if !is_rank_reduced(&shape, found) {
        return Err(fault(
            op,
            format_args!("expected type to be '{}' or a rank-reduced version. (size mismatch) ", op.cx().ty(expected)),
        ));
    }
    if whole.element_type() != part.element_type() {
        return Err(fault(op, format_args!("expected element type to be '{}'", whole.element_or_self())));
    }
    verify_in_bounds(op, whole.shape().unwrap_or(&[]))
}

pub(crate) fn extract_slice(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let source = op.operand(0).ty();
    verify_offset_size_stride(op, source.rank().unwrap_or(0))?;
    verify_in_bounds(op, source.shape().unwrap_or(&[]))?;
    slice_type(op, source, op.result(0).ty())
}

pub(crate) fn insert_slice(op: OpRef<'_>) -> Result<(), Diagnostic> {
    slice_type(op, op.operand(1).ty(), op.operand(0).ty())
}

/// Into what the loop around shares among its threads.
pub(crate) fn parallel_insert_slice(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let threads = op.parent().and_then(OpRef::block);
    if threads.is_some_and(|block| !block.args().any(|arg| arg == op.operand(1))) {
        return Err(op.error("may only insert into an output block argument"));
    }
    slice_type(op, op.operand(1).ty(), op.operand(0).ty())
}

/// Low and high borders for each dimension, and a result as large as source and borders together.
pub(crate) fn pad(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (source, result) = (op.operand(0).ty(), op.result(0).ty());
    let Some(shape) = source.shape() else { return Ok(()) };
    let border = |name: &str| op.attr(name).and_then(|attr| attr.as_i64_array()).unwrap_or_default();
    let (low, high) = (border("static_low"), border("static_high"));
    for (list, values) in [(&low, op.operand_group(1)), (&high, op.operand_group(2))] {
        if list.iter().filter(|&&c| c == DYNAMIC).count() != values.len() {
            return Err(op.error("expected as many dynamic border sizes as operands"));
        }
    }
    if low.len() != shape.len() || high.len() != shape.len() {
        return Err(op.error(format_args!("expected {} border sizes on each side", shape.len())));
    }
    let sum = |i: usize| {
        let parts = [shape[i], low[i], high[i]];
        if parts.contains(&DYNAMIC) {
            return DYNAMIC;
        }
        parts.iter().try_fold(0_i64, |sum, &part| sum.checked_add(part)).unwrap_or(DYNAMIC)
    };
    let inferred: Vec<i64> = (0..shape.len()).map(sum).collect();
    let found = result.shape().unwrap_or(&[]);
    if found.len() != shape.len() {
        return Err(fault(op, format_args!("rank mismatch: source has {}, result has {}", shape.len(), found.len())));
    }
    // What both know must agree; a result may know more than follows.
    if !inferred.iter().zip(found).all(|(&a, &b)| a == b || a == DYNAMIC) {
        let expected = op.cx().tensor_type(&inferred, source.element_or_self().id());
        return Err(fault(
            op,
            format_args!("specified type '{result}' does not match the inferred type '{}'", op.cx().ty(expected)),
        ));
    }
    Ok(())
}

/// One index a dimension, and one element handed over.
pub(crate) fn pad_region(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let rank = op.result(0).ty().rank().unwrap_or(0);
    let Some(block) = op.region(0).entry() else { return Ok(()) };
    if block.num_args() != rank {
        return Err(fault(op, format_args!("expected the block to have {rank} arguments")));
    }
    for (i, arg) in block.args().enumerate() {
        if !arg.ty().is_index() {
            return Err(op.error(format_args!("expected block argument {} to be an index", i + 1)));
        }
    }
    let yielded = block.last_op().filter(|last| last.name() == "tensor.yield" && last.num_operands() == 1);
    if yielded.is_none_or(|last| last.operand(0).ty() != op.result(0).ty().element_or_self()) {
        return Err(op.error("expected yield type to match shape element type"));
    }
    Ok(())
}

/// Distinct dimensions of a tensor of this rank, in order. `whose` says which tensor it is.
fn indexed_dims(op: OpRef<'_>, name: &str, whose: &str, rank: usize) -> Result<Vec<i64>, Diagnostic> {
    let dims: Vec<i64> = op.attr(name).into_iter().flat_map(|attr| attr.dense_ints()).collect();
    if dims.is_empty() {
        return Err(op.error(format_args!("{name} must be non-empty")));
    }
    if dims.len() > rank {
        return Err(op.error(format_args!("{name} overflow {whose} rank")));
    }
    for &dim in &dims {
        if dim < 0 {
            return Err(op.error(format_args!("{name} value must be non-negative")));
        }
        if dim >= rank as i64 {
            return Err(op.error(format_args!("{name} value must be smaller than {whose} rank")));
        }
    }
    if dims.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Err(op.error(format_args!("{name} values must be strictly increasing")));
    }
    Ok(dims)
}

/// The shape of slices of `shape` at positions that `indices` gives: with ones for the indexed dimensions, or without them.
fn gathered(shape: &[i64], indices: &[i64], dims: &[i64], reduced: bool) -> Vec<i64> {
    let mut result = indices[..indices.len().saturating_sub(1)].to_vec();
    for (i, &extent) in shape.iter().enumerate() {
        if !dims.contains(&(i as i64)) {
            result.push(extent);
        } else if !reduced {
            result.push(1);
        }
    }
    result
}

fn positions(
    op: OpRef<'_>,
    name: &str,
    whose: &str,
    whole: TypeRef<'_>,
    indices: TypeRef<'_>,
    part: TypeRef<'_>,
    what: &str,
) -> Result<(), Diagnostic> {
    let (Some(shape), Some(indices)) = (whole.shape(), indices.shape()) else { return Ok(()) };
    let dims = indexed_dims(op, name, whose, shape.len())?;
    // Without dimensions the indices are one number, which upstream does not take for one dimension either.
    if indices.last().is_none_or(|&last| last != dims.len() as i64) {
        return Err(op.error(format_args!("{name} length must match the size of last dimension of indices")));
    }
    let (full, reduced) = (gathered(shape, indices, &dims, false), gathered(shape, indices, &dims, true));
    let found = part.shape().unwrap_or(&[]);
    if found == full || found == reduced {
        return Ok(());
    }
    let element = whole.element_or_self().id();
    Err(op.error(format_args!(
        "{what} type mismatch: expected '{}' or its rank-reduced variant '{}' (got: '{part}')",
        op.cx().ty(op.cx().tensor_type(&full, element)),
        op.cx().ty(op.cx().tensor_type(&reduced, element))
    )))
}

pub(crate) fn gather(op: OpRef<'_>) -> Result<(), Diagnostic> {
    positions(op, "gather_dims", "source", op.operand(0).ty(), op.operand(1).ty(), op.result(0).ty(), "result")
}

pub(crate) fn scatter(op: OpRef<'_>) -> Result<(), Diagnostic> {
    if op.attr("unique").is_none() {
        return Err(op.error("requires 'unique' attribute to be set"));
    }
    positions(op, "scatter_dims", "dest", op.operand(1).ty(), op.operand(2).ty(), op.operand(0).ty(), "source")
}
