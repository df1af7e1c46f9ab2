//! What the operations mean when run.

mod float;
mod int;

use dl_ir::DialectBuilder;

/// Attaches the meaning of every operation.
pub(crate) fn register(b: &mut DialectBuilder) {
    int::register(b);
    float::register(b);
}
