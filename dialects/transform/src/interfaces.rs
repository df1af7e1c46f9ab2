//! Interfaces.

use dl_ir::interfaces::FunctionOp;

pub(crate) struct Function;

impl FunctionOp for Function {
    fn allows_public_declarations(&self) -> bool {
        true
    }
}
