//! Verifiers of operations whose result type follows from the operands, up to what may stand for it.

use dl_ir::{DYNAMIC, Diagnostic, OpRef, OpView, Type, TypeRef};

use crate::verify::{is_shape, is_size, verify_shape_or_tensor};
use crate::{ConstShapeOp, MeetOp, ShapeOfOp};

type Verified = Result<(), Diagnostic>;

fn mismatch(op: OpRef<'_>, inferred: Type) -> Diagnostic {
    let (inferred, given) = (op.cx().ty(inferred), op.result(0).ty());
    op.error(format_args!("inferred type(s) '{inferred}' are incompatible with return type(s) of operation '{given}'"))
}

/// A constant is a shape, or the tensor of its extents.
pub(crate) fn verify_const_shape(op: OpRef<'_>) -> Verified {
    let view = ConstShapeOp::wrap(op);
    let extents = view.shape().ty().and_then(TypeRef::num_elements).and_then(|n| i64::try_from(n).ok()).unwrap_or(0);
    let inferred = op.cx().tensor_type(&[extents], op.cx().index_type());
    let result = view.result().ty();
    if is_shape(result) || result.id() == inferred { Ok(()) } else { Err(mismatch(op, inferred)) }
}

/// The smaller or larger of two shapes is a shape, that of two sizes a size.
pub(crate) fn verify_min_max(op: OpRef<'_>) -> Verified {
    let [lhs, rhs, result] = [op.operand(0).ty(), op.operand(1).ty(), op.result(0).ty()];
    let inferred = if lhs == rhs { lhs.id() } else { op.cx().dialect_type("shape.size", &[]) };
    let fits = is_shape(op.cx().ty(inferred)) == is_shape(result);
    if fits { Ok(()) } else { Err(mismatch(op, inferred)) }
}

/// The shape of a value is a shape, or a tensor with as many extents as the value has dimensions.
pub(crate) fn verify_shape_of(op: OpRef<'_>) -> Verified {
    let view = ShapeOfOp::wrap(op);
    let (arg, result) = (view.arg().ty(), view.result().ty());
    if arg.is_shaped() && !is_shape(result) {
        let count = arg.rank().map_or(DYNAMIC, |rank| rank as i64);
        let given = result.shape().and_then(|shape| shape.first().copied()).unwrap_or(DYNAMIC);
        if count != DYNAMIC && given != DYNAMIC && count != given {
            return Err(mismatch(op, op.cx().tensor_type(&[count], op.cx().index_type())));
        }
    }
    verify_shape_or_tensor(op)
}

/// Both are sizes, both shapes, or both tensors with as many extents; the result is as special as they are.
pub(crate) fn verify_meet(op: OpRef<'_>) -> Verified {
    let view = MeetOp::wrap(op);
    let [first, second, result] = [view.arg0(), view.arg1(), view.result()].map(dl_ir::ValueRef::ty);
    let inferred = match meet(first, second) {
        Ok(inferred) => op.cx().ty(inferred),
        Err(message) => return Err(Diagnostic::error(op.loc(), message)),
    };
    let (general, special) =
        if is_shape(inferred) || is_size(inferred) { (inferred, result) } else { (result, inferred) };
    let fits = inferred == result
        || is_size(general) && (is_size(special) || special.is_index())
        || is_shape(general) && (is_shape(special) || special.is_tensor())
        || general.is_tensor() && special.is_tensor() && extents_agree(general, special);
    if fits { Ok(()) } else { Err(mismatch(op, inferred.id())) }
}

/// The type of what two types say together.
fn meet(first: TypeRef<'_>, second: TypeRef<'_>) -> Result<Type, &'static str> {
    let may_be_error = |ty: TypeRef<'_>| is_shape(ty) || is_size(ty);
    let (l, r) = if may_be_error(first) { (first, second) } else { (second, first) };
    let kinds_agree =
        if is_size(l) || l.is_index() { is_size(r) || r.is_index() } else { is_shape(r) || r.is_tensor() };
    if !kinds_agree {
        return Err("requires all sizes or shapes");
    }
    if !l.is_tensor() {
        return Ok(l.id());
    }
    let extents = |ty: TypeRef<'_>| ty.shape().and_then(|shape| shape.first().copied()).unwrap_or(DYNAMIC);
    match (extents(l), extents(r)) {
        (DYNAMIC, _) => Ok(l.id()),
        (_, DYNAMIC) => Ok(r.id()),
        (a, b) if a != b => Err("unequal shape cardinality"),
        _ => Ok(l.id()),
    }
}

fn extents_agree(a: TypeRef<'_>, b: TypeRef<'_>) -> bool {
    let (Some(a), Some(b)) = (a.shape(), b.shape()) else { return true };
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b || *a == DYNAMIC || *b == DYNAMIC)
}
