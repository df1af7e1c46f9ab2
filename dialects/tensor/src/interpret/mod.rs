//! What the operations mean when run. A tensor is a value; elements that were never given one are poison.

mod elements;
mod gather;
mod pad;
mod shapes;
mod slices;

use dl_ir::DialectBuilder;

/// Attaches the meaning of every operation.
pub(crate) fn register(b: &mut DialectBuilder) {
    elements::register(b);
    shapes::register(b);
    slices::register(b);
    gather::register(b);
    pad::register(b);
}
