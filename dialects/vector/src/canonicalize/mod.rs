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
pub use extract::part_patterns;
pub(crate) use extract::{extract, insert};
pub use masks::constant_mask_patterns;
pub(crate) use masks::{create_mask, mask};
pub use reduce::combining;
pub(crate) use reduce::{contract, multi_reduction, reduction};
pub(crate) use shapes::{bitcast, broadcast, shape_cast, transpose};
pub(crate) use slices::extract_strided_slice;
pub(crate) use step::step;
pub use transfer::transfer_patterns;
pub(crate) use transfer::{transfer_read, transfer_write};
