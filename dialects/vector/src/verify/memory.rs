//! Loads and stores of adjacent elements.

use dl_ir::{OpRef, TypeRef};

use super::{Verified, one_index_a_dimension};
use crate::{LoadOp, StoreOp};

/// The elements of `vector` lie next to each other. A single one always does.
fn contiguous(op: OpRef<'_>, base: TypeRef<'_>, vector: TypeRef<'_>) -> Verified {
    if !vector.is_scalable_vector() && vector.num_elements() == Some(1) {
        return Ok(());
    }
    let stride = base.strided_layout().and_then(|layout| layout.strides.last().copied());
    match stride {
        Some(stride) if stride != 1 => Err(op.error("most minor memref dim must have unit stride")),
        _ => Ok(()),
    }
}

/// The element of the memory is that of the vector, or the vector itself.
fn elements_match(base: TypeRef<'_>, vector: TypeRef<'_>) -> bool {
    let element = base.element_type();
    element == vector.element_type() || element == Some(vector)
}

pub(crate) fn load(op: OpRef<'_>) -> Verified {
    let load = LoadOp(op);
    let (base, result) = (load.base().ty(), load.result().ty());
    contiguous(op, base, result)?;
    if base.rank() < result.rank() {
        return Err(op.error("destination memref has lower rank than the result vector"));
    }
    if !elements_match(base, result) {
        return Err(op.error("base and result element types should match"));
    }
    one_index_a_dimension(op, base, load.indices().len())
}

pub(crate) fn store(op: OpRef<'_>) -> Verified {
    let store = StoreOp(op);
    let (base, value) = (store.base().ty(), store.value_to_store().ty());
    contiguous(op, base, value)?;
    if base.rank() < value.rank() {
        return Err(op.error("source memref has lower rank than the vector to store"));
    }
    if !elements_match(base, value) {
        return Err(op.error("base and valueToStore element type should match"));
    }
    one_index_a_dimension(op, base, store.indices().len())
}
