//! Limits on a run.

/// Limits on a run. A program that exceeds one ends with an error.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The most operations to run; `None` for no limit.
    pub steps: Option<u64>,
    /// The deepest nesting of calls and regions. The host's stack grows with it.
    pub depth: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { steps: None, depth: 10_000 }
    }
}
