//! Loads and stores.

use dl_ir::{OpRef, Operands, TypeRef};

use super::{Verified, extents, one_index_a_dimension};
use crate::{
    CompressStoreOp, ExpandLoadOp, GatherOp, LoadOp, MaskedLoadOp, MaskedStoreOp, ScatterOp, StoreOp, TypeCastOp,
};

/// Whether the elements of `vector` lie next to each other in memory of the type `base`, as `vector.load` and `vector.store` ask for. A single one always does.
pub fn is_contiguous(base: TypeRef<'_>, vector: TypeRef<'_>) -> bool {
    let is_single = !vector.is_scalable_vector() && vector.num_elements() == Some(1);
    is_single || base.strided_layout().is_none_or(|layout| layout.strides.last().is_none_or(|&stride| stride == 1))
}

fn contiguous(op: OpRef<'_>, base: TypeRef<'_>, vector: TypeRef<'_>) -> Verified {
    if is_contiguous(base, vector) { Ok(()) } else { Err(op.error("most minor memref dim must have unit stride")) }
}

/// The element of the memory is that of the vector, or the vector itself. Messages speak of `elements` of `what`.
fn elements_match(op: OpRef<'_>, base: TypeRef<'_>, vector: TypeRef<'_>, what: &str, elements: &str) -> Verified {
    let element = base.element_type();
    if element == vector.element_type() || element == Some(vector) {
        return Ok(());
    }
    if element.is_some_and(|element| element.is_vector()) {
        return Err(op.error(format_args!("base memref and {what} vector types should match")));
    }
    Err(op.error(format_args!("base and {what} {elements} should match")))
}

pub(crate) fn load(op: OpRef<'_>) -> Verified {
    let load = LoadOp(op);
    let (base, result) = (load.base().ty(), load.result().ty());
    contiguous(op, base, result)?;
    if base.rank() < result.rank() {
        return Err(op.error("destination memref has lower rank than the result vector"));
    }
    elements_match(op, base, result, "result", "element types")?;
    one_index_a_dimension(op, base, load.indices().len())
}

pub(crate) fn store(op: OpRef<'_>) -> Verified {
    let store = StoreOp(op);
    let (base, value) = (store.base().ty(), store.value_to_store().ty());
    contiguous(op, base, value)?;
    if base.rank() < value.rank() {
        return Err(op.error("source memref has lower rank than the vector to store"));
    }
    elements_match(op, base, value, "valueToStore", "element type")?;
    one_index_a_dimension(op, base, store.indices().len())
}

pub(crate) fn type_cast(op: OpRef<'_>) -> Verified {
    let cast = TypeCastOp(op);
    let (source, result) = (cast.memref().ty(), cast.result().ty());
    for (ty, what) in [(source, "operand"), (result, "result")] {
        if !ty.has_identity_layout() {
            return Err(op.error(format_args!("expects {what} to be a memref with identity layout")));
        }
    }
    if source.memory_space() != result.memory_space() {
        return Err(op.error("expects result in same memory space"));
    }
    let element = |ty: TypeRef<'_>| ty.element_or_self().element_or_self().id();
    if element(source) != element(result) {
        let message = format_args!("expects result and operand with same underlying scalar type: '{result}'");
        return Err(op.error(message));
    }
    let shape = |ty: TypeRef<'_>| [extents(ty), extents(ty.element_or_self())].concat();
    if shape(source) != shape(result) {
        let message = format_args!("expects concatenated result and operand shapes to be equal: '{result}'");
        return Err(op.error(message));
    }
    Ok(())
}

/// An access to `base` by lanes.
struct ByLanes<'a> {
    op: OpRef<'a>,
    base: TypeRef<'a>,
    offsets: Operands<'a>,
    /// The vector that is read or written.
    vector: TypeRef<'a>,
    /// What messages call it.
    what: &'static str,
}

impl ByLanes<'_> {
    /// The vector has elements of the memory, and a lane for each of those of `others`, whose names follow their types. Messages speak
    /// of a `shape` or a `dim`.
    fn verify(&self, others: &[(TypeRef<'_>, &str)], extent: &str) -> Verified {
        let Self { op, what, .. } = self;
        if self.base.element_type() != self.vector.element_type() {
            return Err(op.error(format_args!("base and {what} element type should match")));
        }
        one_index_a_dimension(*op, self.base, self.offsets.len())?;
        match others.iter().find(|(ty, _)| ty.shape() != self.vector.shape()) {
            Some((_, name)) => Err(op.error(format_args!("expected {what} {extent} to match {name} {extent}"))),
            None => Ok(()),
        }
    }

    /// What lanes that are not set get is of the type of what is read.
    fn verify_pass_thru(&self, pass_thru: TypeRef<'_>) -> Verified {
        if pass_thru == self.vector {
            Ok(())
        } else {
            Err(self.op.error("expected pass_thru of same type as result type"))
        }
    }
}

pub(crate) fn masked_load(op: OpRef<'_>) -> Verified {
    let load = MaskedLoadOp(op);
    let (base, vector) = (load.base().ty(), load.result().ty());
    let access = ByLanes { op, base, offsets: load.indices(), vector, what: "result" };
    access.verify(&[(load.mask().ty(), "mask")], "shape")?;
    access.verify_pass_thru(load.pass_thru().ty())
}

pub(crate) fn masked_store(op: OpRef<'_>) -> Verified {
    let store = MaskedStoreOp(op);
    let (base, vector) = (store.base().ty(), store.value_to_store().ty());
    let access = ByLanes { op, base, offsets: store.indices(), vector, what: "valueToStore" };
    access.verify(&[(store.mask().ty(), "mask")], "shape")
}

pub(crate) fn expand_load(op: OpRef<'_>) -> Verified {
    let load = ExpandLoadOp(op);
    let (base, vector) = (load.base().ty(), load.result().ty());
    let access = ByLanes { op, base, offsets: load.indices(), vector, what: "result" };
    access.verify(&[(load.mask().ty(), "mask")], "dim")?;
    access.verify_pass_thru(load.pass_thru().ty())
}

pub(crate) fn compress_store(op: OpRef<'_>) -> Verified {
    let store = CompressStoreOp(op);
    let (base, vector) = (store.base().ty(), store.value_to_store().ty());
    let access = ByLanes { op, base, offsets: store.indices(), vector, what: "valueToStore" };
    access.verify(&[(store.mask().ty(), "mask")], "dim")
}

pub(crate) fn gather(op: OpRef<'_>) -> Verified {
    let gather = GatherOp(op);
    let (base, vector) = (gather.base().ty(), gather.result().ty());
    let access = ByLanes { op, base, offsets: gather.offsets(), vector, what: "result" };
    access.verify(&[(gather.indices().ty(), "indices"), (gather.mask().ty(), "mask")], "dim")?;
    access.verify_pass_thru(gather.pass_thru().ty())
}

pub(crate) fn scatter(op: OpRef<'_>) -> Verified {
    let scatter = ScatterOp(op);
    let (base, vector) = (scatter.base().ty(), scatter.value_to_store().ty());
    let access = ByLanes { op, base, offsets: scatter.offsets(), vector, what: "valueToStore" };
    access.verify(&[(scatter.indices().ty(), "indices"), (scatter.mask().ty(), "mask")], "dim")
}
