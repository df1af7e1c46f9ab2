//! What the operations mean when run.
//!
//! A number is its two parts. What the parts are when infinities, NaN or signed zeros take part in a product or quotient is as the
//! schoolbook formulas have it; nobody says that it must be.

mod elementary;
mod functions;
mod parts;

use dl_ir::DialectBuilder;

/// Attaches the meaning of every operation.
pub(crate) fn register(b: &mut DialectBuilder) {
    parts::register(b);
    elementary::register(b);
}
