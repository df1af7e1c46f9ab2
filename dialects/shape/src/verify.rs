//! Verifiers.

use dl_ir::{Diagnostic, OpRef, OpView, TypeRef, ValueRef};

use crate::{AssumingAllOp, CstrBroadcastableOp, ReduceOp, YieldOp};

type Verified = Result<(), Diagnostic>;

pub(crate) fn is_shape(ty: TypeRef<'_>) -> bool {
    ty.is_dialect_type("shape.shape")
}

pub(crate) fn is_size(ty: TypeRef<'_>) -> bool {
    ty.is_dialect_type("shape.size")
}

/// Whether an operand may hold an error.
fn may_hold_errors(op: OpRef<'_>) -> bool {
    op.operands()
        .iter()
        .map(ValueRef::ty)
        .any(|ty| is_size(ty) || is_shape(ty) || ty.is_dialect_type("shape.value_shape"))
}

/// An operation that gives a size or an index.
pub(crate) fn verify_size_or_index(op: OpRef<'_>) -> Verified {
    if may_hold_errors(op) && !is_size(op.result(0).ty()) {
        return Err(op.error(
            "if at least one of the operands can hold error values then the result must be of type `size` to propagate them",
        ));
    }
    Ok(())
}

/// An operation that gives a shape or a tensor of extents.
pub(crate) fn verify_shape_or_tensor(op: OpRef<'_>) -> Verified {
    if may_hold_errors(op) && !is_shape(op.result(0).ty()) {
        return Err(op.error(
            "if at least one of the operands can hold error values then the result must be of type `shape` to propagate them",
        ));
    }
    Ok(())
}

pub(crate) fn verify_assuming_all(op: OpRef<'_>) -> Verified {
    if AssumingAllOp::wrap(op).inputs().is_empty() {
        return Err(op.error("no operands specified"));
    }
    Ok(())
}

pub(crate) fn verify_broadcastable(op: OpRef<'_>) -> Verified {
    if CstrBroadcastableOp::wrap(op).shapes().len() < 2 {
        return Err(op.error("required at least 2 input shapes"));
    }
    Ok(())
}

/// The body takes the number of an extent, the extent, and what was computed so far.
pub(crate) fn verify_reduce(op: OpRef<'_>) -> Verified {
    let view = ReduceOp::wrap(op);
    let Some(body) = view.region().entry() else { return Ok(()) };
    let initial = view.init_vals();
    let count = initial.len() + 2;
    if body.num_args() != count {
        return Err(op.error(format_args!("ReduceOp body is expected to have {count} arguments")));
    }
    if !body.arg(0).ty().is_index() {
        return Err(op.error("argument 0 of ReduceOp body is expected to be of IndexType"));
    }
    let extent = body.arg(1).ty();
    if is_shape(view.shape().ty()) {
        if !is_size(extent) {
            return Err(op.error(
                "argument 1 of ReduceOp body is expected to be of SizeType if the ReduceOp operates on a ShapeType",
            ));
        }
    } else if !extent.is_index() {
        return Err(op.error(
            "argument 1 of ReduceOp body is expected to be of IndexType if the ReduceOp operates on an extent tensor",
        ));
    }
    for (i, (argument, value)) in body.args().skip(2).zip(initial.iter()).enumerate() {
        if argument.ty() != value.ty() {
            let at = i + 2;
            return Err(
                op.error(format_args!("type mismatch between argument {at} of ReduceOp body and initial value {i}"))
            );
        }
    }
    Ok(())
}

pub(crate) fn verify_yield(op: OpRef<'_>) -> Verified {
    let operands = YieldOp::wrap(op).operands();
    let Some(parent) = op.parent() else { return Ok(()) };
    if parent.num_results() != operands.len() {
        return Err(op.error("number of operands does not match number of results of its parent"));
    }
    if parent.results().iter().zip(operands.iter()).any(|(result, operand)| result.ty() != operand.ty()) {
        return Err(op.error("types mismatch between yield op and its parent"));
    }
    Ok(())
}
