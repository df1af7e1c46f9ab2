//! What the definitions do not say.

mod contract;
mod elements;
mod mask;
mod memory;
mod scan;
mod slices;
mod transfer;

pub(crate) use contract::{contract, multi_reduction, outer_product, reduction};
pub(crate) use elements::{
    bitcast, broadcast, constant_mask, create_mask, extract, insert, shape_cast, shuffle, transpose,
};
pub(crate) use mask::mask;
pub use memory::is_contiguous;
pub(crate) use memory::{
    compress_store, expand_load, gather, load, masked_load, masked_store, scatter, store, type_cast,
};
pub(crate) use scan::scan;
pub(crate) use slices::{extract_strided_slice, insert_strided_slice};
pub(crate) use transfer::{transfer_read, transfer_write};

use dl_ir::{AttrRef, Diagnostic, OpRef, TypeRef};

type Verified = Result<(), Diagnostic>;

/// The extents of a vector type; none for any other.
fn extents(ty: TypeRef<'_>) -> &[i64] {
    ty.shape().unwrap_or(&[])
}

/// The integers of an array attribute.
fn array_ints(attr: Option<AttrRef<'_>>) -> Vec<i64> {
    attr.into_iter().flat_map(|attr| attr.elements()).filter_map(|element| element.as_int()).collect()
}

/// Whether two types of one rank are scalable in the same dimensions.
fn same_scalable(a: TypeRef<'_>, b: TypeRef<'_>) -> bool {
    let any = |ty: TypeRef<'_>| ty.scalable_dims().contains(&true);
    (!any(a) && !any(b)) || a.scalable_dims() == b.scalable_dims()
}

/// One index for each dimension of the memory.
fn one_index_a_dimension(op: OpRef<'_>, base: TypeRef<'_>, indices: usize) -> Verified {
    match base.rank() {
        Some(rank) if rank != indices => Err(op.error(format_args!("requires {rank} indices"))),
        _ => Ok(()),
    }
}
