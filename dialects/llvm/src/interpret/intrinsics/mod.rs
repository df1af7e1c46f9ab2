//! Intrinsic functions.

mod float;
mod hints;
mod int;
mod reduce;

use dl_ir::DialectBuilder;

pub(super) fn register(b: &mut DialectBuilder) {
    float::register(b);
    hints::register(b);
    int::register(b);
    reduce::register(b);
}
