//! What a tool can do with whole programs: write them in some form, run them.

use dl_ir::interp::{Memory, Value, Values};
use dl_ir::{Diagnostics, OpRef};

/// A form that `dl-translate --emit=NAME` writes programs in: the binary of an accelerator, a graph to look at.
#[derive(Clone, Copy, Debug)]
pub struct Translation {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    /// The pipeline that lowers programs for it, such as `builtin.module(...)`; empty where it takes them as they are.
    pub pipeline: &'static str,
    /// Writes a module that the pipeline has lowered.
    pub write: fn(OpRef<'_>) -> Result<Vec<u8>, Diagnostics>,
}

/// A back end that runs programs, for `dl-run --backend=NAME`: a simulator, a driver of a device.
#[derive(Clone, Copy, Debug)]
pub struct Runner {
    /// Its name on the command line.
    pub name: &'static str,
    /// The pipeline that lowers programs for it, such as `builtin.module(...)`; empty where it takes them as they are.
    pub pipeline: &'static str,
    /// Calls a function.
    pub call: CallFunction,
}

/// Calls a function of a module that the pipeline has lowered: the module, the function, its arguments and the memory that they are in. Memrefs may be written to.
type CallFunction = fn(OpRef<'_>, OpRef<'_>, &[Value], &mut Memory) -> Result<Values, Diagnostics>;
