//! What the operations mean when run.
//!
//! A memref is a view of a buffer. Every access is checked against the view's extents and against the buffer, which must be alive.

mod access;
mod allocate;
mod dma;
mod globals;
mod views;

use dl_ir::DialectBuilder;

/// Attaches the meaning of every operation that runs.
pub(crate) fn register(b: &mut DialectBuilder) {
    allocate::register(b);
    access::register(b);
    dma::register(b);
    globals::register(b);
    views::register(b);
}
