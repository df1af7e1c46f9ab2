//! What definitions do not say about valid operations.

mod reshape;
mod slice;

pub(crate) use reshape::{collapse_shape, expand_shape, reshape};
pub use slice::dropped_dims;
pub(crate) use slice::{extract_slice, gather, insert_slice, pad, pad_region, parallel_insert_slice, scatter};

use dl_ir::{DYNAMIC, Diagnostic, OpRef, TypeRef};

/// An error without the name of the operation, where upstream has it so.
pub(crate) fn fault(op: OpRef<'_>, message: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::error(op.loc(), message.to_string())
}

/// Whether two extents may be the same.
fn compatible(a: i64, b: i64) -> bool {
    a == DYNAMIC || b == DYNAMIC || a == b
}

/// Whether `tensor.cast` may go from one type to the other: the element types are one, and no extent that both know differs.
pub fn are_cast_compatible(from: TypeRef<'_>, to: TypeRef<'_>) -> bool {
    if !from.is_tensor() || !to.is_tensor() || from.element_type() != to.element_type() {
        return false;
    }
    match (from.shape(), to.shape()) {
        (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| compatible(a, b)),
        _ => true,
    }
}

fn cast_error(op: OpRef<'_>) -> Diagnostic {
    op.error(format_args!(
        "operand type '{}' and result type '{}' are cast incompatible",
        op.operand(0).ty(),
        op.result(0).ty()
    ))
}

pub(crate) fn cast(op: OpRef<'_>) -> Result<(), Diagnostic> {
    if are_cast_compatible(op.operand(0).ty(), op.result(0).ty()) { Ok(()) } else { Err(cast_error(op)) }
}

/// One shape, and elements of as many bits.
pub(crate) fn bitcast(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (from, to) = (op.operand(0).ty(), op.result(0).ty());
    let bits = |ty: TypeRef<'_>| ty.element_or_self().int_or_float_width();
    let shapes = match (from.shape(), to.shape()) {
        (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| compatible(a, b)),
        _ => true,
    };
    if shapes && bits(from) == bits(to) { Ok(()) } else { Err(cast_error(op)) }
}

/// As many operands in `group` as `ty` has dynamic extents.
fn dynamic_sizes(op: OpRef<'_>, group: usize, ty: TypeRef<'_>) -> Result<(), Diagnostic> {
    let (given, expected) = (op.operand_group(group).len(), ty.num_dynamic_dims());
    if given == expected {
        return Ok(());
    }
    Err(op.error(format_args!("incorrect number of dynamic sizes, has {given}, expected {expected}")))
}

pub(crate) fn empty(op: OpRef<'_>) -> Result<(), Diagnostic> {
    dynamic_sizes(op, 0, op.result(0).ty())
}

pub(crate) fn splat(op: OpRef<'_>) -> Result<(), Diagnostic> {
    dynamic_sizes(op, 1, op.result(0).ty())
}

pub(crate) fn generate(op: OpRef<'_>) -> Result<(), Diagnostic> {
    dynamic_sizes(op, 0, op.result(0).ty())
}

/// One index a dimension, and one element handed over.
pub(crate) fn generate_region(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let result = op.result(0).ty();
    let Some(body) = op.region(0).entry() else { return Ok(()) };
    if !body.args().all(|arg| arg.ty().is_index()) {
        return Err(fault(op, "all body arguments must be index"));
    }
    if body.num_args() != result.rank().unwrap_or(0) {
        return Err(fault(op, "must have one body argument per input dimension"));
    }
    let yielded = body.last_op().filter(|last| last.name() == "tensor.yield");
    if yielded.is_none_or(|last| last.operand(0).ty() != result.element_or_self()) {
        return Err(op.error("body must be terminated with a `yield` operation of the tensor element type"));
    }
    Ok(())
}

pub(crate) fn extract(op: OpRef<'_>) -> Result<(), Diagnostic> {
    if op.operand(0).ty().rank() == Some(op.num_operands() - 1) {
        return Ok(());
    }
    Err(op.error("incorrect number of indices for extract_element"))
}

pub(crate) fn insert(op: OpRef<'_>) -> Result<(), Diagnostic> {
    if op.operand(1).ty().rank() == Some(op.num_operands() - 2) {
        return Ok(());
    }
    Err(op.error("incorrect number of indices"))
}

/// Inputs of one rank that agree but in the dimension they are joined along.
pub(crate) fn concat(op: OpRef<'_>) -> Result<(), Diagnostic> {
    if op.num_operands() == 0 {
        return Err(op.error("requires at least one input"));
    }
    let result = op.result(0).ty();
    let Some(rank) = result.rank() else { return Ok(()) };
    if op.operands().iter().any(|input| input.ty().rank() != Some(rank)) {
        return Err(op.error("rank of concatenated inputs must match result rank"));
    }
    if op.operands().iter().any(|input| input.ty().element_type() != result.element_type()) {
        return Err(op.error("inputs and result element type must match"));
    }
    let dim = op.attr("dim").and_then(|attr| attr.as_int()).and_then(|dim| usize::try_from(dim).ok());
    let Some(dim) = dim.filter(|&dim| dim < rank) else {
        return Err(op.error("concatenation dim must be less than the tensor rank"));
    };
    let extents = |i: usize| op.operands().iter().filter_map(move |v| v.ty().shape()?.get(i).copied());
    for i in (0..rank).filter(|&i| i != dim) {
        let mut known = extents(i).filter(|&e| e != DYNAMIC);
        let first = known.next();
        if known.any(|e| Some(e) != first) {
            return Err(
                op.error(format_args!("static concatenation size mismatch along non-concatenated dimension {i}"))
            );
        }
    }
    let inferred = concatenated(op, dim, rank);
    let shape = result.shape().unwrap_or(&[]);
    if inferred.iter().zip(shape).all(|(&a, &b)| compatible(a, b)) {
        return Ok(());
    }
    let expected = op.cx().tensor_type(&inferred, result.element_or_self().id());
    Err(op.error(format_args!(
        "result type '{result}'does not match inferred shape '{}' static sizes",
        op.cx().ty(expected)
    )))
}

/// The shape of inputs joined along `dim`.
fn concatenated(op: OpRef<'_>, dim: usize, rank: usize) -> Vec<i64> {
    let extents = |i: usize| op.operands().iter().filter_map(move |v| v.ty().shape()?.get(i).copied());
    let sum = |i: usize| {
        extents(i).try_fold(0_i64, |sum, e| if e == DYNAMIC { None } else { sum.checked_add(e) }).unwrap_or(DYNAMIC)
    };
    (0..rank).map(|i| if i == dim { sum(i) } else { extents(i).find(|&e| e != DYNAMIC).unwrap_or(DYNAMIC) }).collect()
}
