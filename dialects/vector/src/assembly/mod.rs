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

use dl_ir::OpState;
use dl_ir::text::{OpParser, Parsed};

use crate::CombiningKind;

/// Checks that the attribute `kind`, where given, is a way to combine elements.
fn check_kind(p: &mut OpParser<'_>, state: &OpState) -> Parsed<()> {
    let cx = p.cx();
    match state.get_attr(cx, "kind") {
        Some(kind) if CombiningKind::from_attr(cx.attr(kind)).is_none() => {
            Err(p.error_at(state.loc, "expected 'kind' attribute of type CombiningKind (e.g. 'vector.kind<add>')"))
        }
        _ => Ok(()),
    }
}
