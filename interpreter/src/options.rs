//! Limits on a run, and what is known only when it begins.

use dl_ir::interp::Memory;

/// Limits on a run: a program that exceeds one ends with an error. And what programs leave to the machine that they run on.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The most operations to run; `None` for no limit.
    pub steps: Option<u64>,
    /// The most elements of tensors and vectors to compute, those of all operations together; `None` for no limit.
    pub elements: Option<u64>,
    /// The most elements of all buffers together at any time.
    pub memory: usize,
    /// The deepest nesting of calls and regions. The host's stack grows with it.
    pub depth: usize,
    /// How often a scalable dimension of a vector has the extent that its type says.
    pub vscale: i64,
}

impl Default for Options {
    fn default() -> Self {
        Self { steps: None, elements: None, memory: Memory::MAX_LIVE, depth: 10_000, vscale: 1 }
    }
}
