//! Panics of passes as values.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `work`; a panic becomes what it said. What `work` was changing must not be relied on then.
pub(super) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "unknown cause".to_owned())
    })
}
