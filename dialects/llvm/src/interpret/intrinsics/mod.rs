//! Intrinsic functions.

mod constrained;
mod float;
mod float_parts;
mod hints;
mod int;
mod lanes;
mod mask;
mod matrix;
mod memory;
mod predicated;
mod reduce;
mod stack;

use dl_ir::DialectBuilder;

pub(super) fn register(b: &mut DialectBuilder) {
    constrained::register(b);
    float::register(b);
    float_parts::register(b);
    hints::register(b);
    int::register(b);
    lanes::register(b);
    matrix::register(b);
    memory::register(b);
    predicated::register(b);
    reduce::register(b);
    stack::register(b);
}
