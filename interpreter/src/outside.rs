//! What a program leaves to others.

use dl_ir::interp::{Machine, Outcome, Step, Value, Values};
use dl_ir::{Diagnostic, OpRef};

/// What stands in for the rest of the world: operations that have no meaning, and functions that have no body.
///
/// Without it, both end the program with an error. A test of rewrites uses it to see what a program shows to others, and to answer
/// the same every time.
pub trait Outside {
    /// Runs an operation that says no meaning.
    ///
    /// # Errors
    /// Why the program ends there.
    fn operation<'a>(&self, step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a>;

    /// Calls the function `name`, which has no body, for the operation `at`.
    ///
    /// # Errors
    /// Why the program ends there.
    fn function<'a>(
        &self,
        at: OpRef<'a>,
        name: &str,
        args: &[Value],
        machine: &mut dyn Machine<'a>,
    ) -> Result<Values, Diagnostic>;
}
