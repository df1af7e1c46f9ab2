//! What the operations mean when run. Lanes that a mask turns off touch no memory.

mod lanes;
mod masks;
mod memory;
mod reduce;
mod transfer;

use dl_ir::DialectBuilder;
use dl_ir::interp::leave;

use crate::YieldOp;

/// Attaches the meaning of the operations on vectors of fixed length.
pub(crate) fn register(b: &mut DialectBuilder) {
    b.on::<YieldOp<'_>>().interpret(leave);
    lanes::register(b);
    masks::register(b);
    memory::register(b);
    reduce::register(b);
    transfer::register(b);
}
