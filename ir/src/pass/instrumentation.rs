//! Hooks around passes.

use super::traits::PassInfo;
use crate::view::OpRef;

/// Is told of what happens while a pipeline runs, from any thread and for several operations at a time. Hooks before a pass are
/// called in the order of registration, those after it in the opposite one.
pub trait Instrumentation: Send + Sync {
    /// `pass` is about to run on `op`.
    fn before_pass(&self, pass: &PassInfo, op: OpRef<'_>) {
        let _ = (pass, op);
    }

    /// `pass` has run on `op`, the verifier included. Not called for a pass that has panicked.
    fn after_pass(&self, pass: &PassInfo, op: OpRef<'_>, succeeded: bool) {
        let _ = (pass, op, succeeded);
    }

    /// A pass on `op` has had an analysis computed, of `op` or of an operation nested in it.
    fn after_analysis(&self, analysis: &'static str, op: OpRef<'_>) {
        let _ = (analysis, op);
    }
}
