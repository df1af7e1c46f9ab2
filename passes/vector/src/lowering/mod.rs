//! Lowering of `vector` operations to simpler ones, as sets of patterns.
//!
//! What is left has a counterpart in LLVM: vectors of one dimension, and the ways into and out of those of more.

mod bitcast;
mod broadcast;
mod choices;
mod contract;
mod contract_layouts;
mod elements;
mod fma;
mod gather;
mod interleave;
mod lanes;
mod masks;
mod materialize;
mod outer_product;
mod scan;
mod shape_cast;
mod slices;
mod step;
mod transfer;
mod transfer_maps;
mod transpose;
mod transpose_16x16;
mod unroll;

pub use bitcast::{bitcast, break_down_bitcast};
pub use broadcast::broadcast;
pub use contract::{ContractLowering, contract, contractions};
pub use elements::{from_elements, to_elements};
pub use fma::fma;
pub use gather::{gather, gather_in_a_row};
pub use interleave::interleave;
pub use lanes::masked_lanes;
pub use masks::masks;
pub use materialize::materialize_masks;
pub use outer_product::outer_products;
pub use scan::scan;
pub use shape_cast::shape_cast;
pub use slices::{decompose_slices, slice_elements, slices};
pub use step::step;
pub use transfer::transfers;
pub use transfer_maps::transfer_maps;
pub use transpose::{TransposeLowering, transpose};

use dl_ir::rewrite::Patterns;
use dl_ir::{Context, OpDefinition};

/// The canonicalizations that lowering relies on: those of constant masks and of parts of parts.
pub fn canonicalizations(cx: &Context, patterns: &mut Patterns) {
    use dl_vector as v;
    for name in [
        v::CreateMaskOp::NAME,
        v::MaskedLoadOp::NAME,
        v::MaskedStoreOp::NAME,
        v::GatherOp::NAME,
        v::ScatterOp::NAME,
        v::ExpandLoadOp::NAME,
        v::CompressStoreOp::NAME,
    ] {
        patterns.add_canonicalization(cx, name);
    }
    dl_vector::constant_mask_patterns(patterns);
}
