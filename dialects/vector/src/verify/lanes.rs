//! Accesses with a mask, lane by lane.

use dl_ir::{OpRef, TypeRef};

use super::{Verified, one_index_a_dimension};
use crate::{CompressStoreOp, ExpandLoadOp, GatherOp, MaskedLoadOp, MaskedStoreOp, ScatterOp};

/// The base holds elements of `vector`, which messages call `name`, and there is one index for each of its dimensions.
fn based(op: OpRef<'_>, base: TypeRef<'_>, vector: TypeRef<'_>, name: &str, indices: usize) -> Verified {
    if base.element_type() != vector.element_type() {
        return Err(op.error(format_args!("base and {name} element type should match")));
    }
    one_index_a_dimension(op, base, indices)
}

/// Both have the same shape.
fn alike(op: OpRef<'_>, a: TypeRef<'_>, b: TypeRef<'_>, names: &str) -> Verified {
    let same = a.shape() == b.shape() && a.scalable_dims() == b.scalable_dims();
    if same { Ok(()) } else { Err(op.error(format_args!("expected {names}"))) }
}

fn passed_through(op: OpRef<'_>, passed: TypeRef<'_>, result: TypeRef<'_>) -> Verified {
    if passed == result { Ok(()) } else { Err(op.error("expected pass_thru of same type as result type")) }
}

pub(crate) fn masked_load(op: OpRef<'_>) -> Verified {
    let view = MaskedLoadOp(op);
    let (mask, result) = (view.mask().ty(), view.result().ty());
    based(op, view.base().ty(), result, "result", view.indices().len())?;
    alike(op, result, mask, "result shape to match mask shape")?;
    passed_through(op, view.pass_thru().ty(), result)
}

pub(crate) fn masked_store(op: OpRef<'_>) -> Verified {
    let view = MaskedStoreOp(op);
    let (mask, value) = (view.mask().ty(), view.value_to_store().ty());
    based(op, view.base().ty(), value, "valueToStore", view.indices().len())?;
    alike(op, value, mask, "valueToStore shape to match mask shape")
}

pub(crate) fn expand_load(op: OpRef<'_>) -> Verified {
    let view = ExpandLoadOp(op);
    let (mask, result) = (view.mask().ty(), view.result().ty());
    based(op, view.base().ty(), result, "result", view.indices().len())?;
    alike(op, result, mask, "result dim to match mask dim")?;
    passed_through(op, view.pass_thru().ty(), result)
}

pub(crate) fn compress_store(op: OpRef<'_>) -> Verified {
    let view = CompressStoreOp(op);
    let (mask, value) = (view.mask().ty(), view.value_to_store().ty());
    based(op, view.base().ty(), value, "valueToStore", view.indices().len())?;
    alike(op, value, mask, "valueToStore dim to match mask dim")
}

pub(crate) fn gather(op: OpRef<'_>) -> Verified {
    let view = GatherOp(op);
    let (mask, result) = (view.mask().ty(), view.result().ty());
    based(op, view.base().ty(), result, "result", view.offsets().len())?;
    alike(op, result, view.indices().ty(), "result dim to match indices dim")?;
    alike(op, result, mask, "result dim to match mask dim")?;
    passed_through(op, view.pass_thru().ty(), result)
}

pub(crate) fn scatter(op: OpRef<'_>) -> Verified {
    let view = ScatterOp(op);
    let (mask, value) = (view.mask().ty(), view.value_to_store().ty());
    based(op, view.base().ty(), value, "valueToStore", view.offsets().len())?;
    alike(op, value, view.indices().ty(), "valueToStore dim to match indices dim")?;
    alike(op, value, mask, "valueToStore dim to match mask dim")
}
