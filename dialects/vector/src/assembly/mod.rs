//! Pretty forms that no format describes.

mod contract;
mod mask;
mod outer_product;
mod transfer;

pub(crate) use contract::{parse_contract, print_contract};
pub(crate) use mask::{parse_mask, print_mask};
pub(crate) use outer_product::{parse_outer_product, print_outer_product};
pub(crate) use transfer::{
    mask_type, parse_transfer_read, parse_transfer_write, print_transfer_read, print_transfer_write,
};
