//! Panics as values.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// How many calls of [`caught`] this thread is in.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Runs `work`.
///
/// # Errors
/// What a panic said. What `work` was changing must not be relied on then.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    DEPTH.set(DEPTH.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(work));
    DEPTH.set(DEPTH.get() - 1);
    result.map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "unknown cause".to_owned())
    })
}

/// Whether a panic of this thread would end in [`caught`]: for a panic hook of code that must not unwind into its callers.
pub fn is_caught() -> bool {
    DEPTH.get() > 0
}
