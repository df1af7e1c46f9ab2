//! Canonicalization patterns.

mod access;
mod elements;
mod extract;
mod masks;
mod reduce;
mod shapes;
mod slices;
mod step;
mod transfer;

pub(crate) use access::{compress_store, expand_load, gather, masked_load, masked_store, scatter};
pub(crate) use elements::{from_elements, shuffle, to_elements};
pub(crate) use extract::{constant_indices, extract, fold_extract, insert};
pub use masks::constant_mask_patterns;
pub(crate) use masks::{create_mask, mask};
pub use reduce::combining;
pub(crate) use reduce::{contract, multi_reduction, reduction};
pub(crate) use shapes::{bitcast, broadcast, shape_cast, transpose};
pub(crate) use slices::extract_strided_slice;
pub(crate) use step::step;
pub(crate) use transfer::{fold_transfer, transfer_read, transfer_write};
