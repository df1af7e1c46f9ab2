//! What the operations mean when run. Lanes that a mask turns off touch no memory.

mod bits;
mod indexed;
mod lanes;
mod mask;
mod masks;
mod memory;
mod print;
mod reduce;
mod transfer;

use dl_ir::DialectBuilder;
use dl_ir::interp::leave;

use crate::YieldOp;

/// Attaches the meaning of every operation.
pub(crate) fn register(b: &mut DialectBuilder) {
    b.on::<YieldOp<'_>>().interpret(leave);
    bits::register(b);
    indexed::register(b);
    lanes::register(b);
    mask::register(b);
    masks::register(b);
    memory::register(b);
    print::register(b);
    reduce::register(b);
    transfer::register(b);
}
