//! What an operation means, and what the machine that runs it must be able to do.

use smallvec::SmallVec;

use super::memory::Memory;
use super::step::Step;
use super::value::Value;
use crate::attributes::AttrRef;
use crate::diagnostics::Diagnostic;
use crate::view::{BlockRef, OpRef, RegionRef, ValueRef};

/// Values in order: results, arguments.
pub type Values = SmallVec<[Value; 2]>;

/// Where control goes after an operation.
pub enum Flow<'a> {
    /// To the next operation; these are the results.
    Next(Values),
    /// To a block of the same region, whose arguments are these values.
    Branch(BlockRef<'a>, Values),
    /// Out of the region, to the operation around it, which is handed these values.
    Leave(Values),
}

impl Flow<'_> {
    /// To the next operation; there are no results.
    pub fn none() -> Self {
        Self::Next(Values::new())
    }
}

/// One result, then the next operation.
impl<T: Into<Value>> From<T> for Flow<'_> {
    fn from(value: T) -> Self {
        Self::Next(smallvec::smallvec![value.into()])
    }
}

/// What comes of running an operation: where control goes, or why the program ends here.
pub type Outcome<'a> = Result<Flow<'a>, Diagnostic>;

/// The run-time meaning of an operation.
pub trait Interpret: Send + Sync {
    /// Runs the operation once.
    ///
    /// # Errors
    /// Undefined behaviour, or what is not supported: the program ends there.
    fn interpret<'a>(&self, step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a>;
}

/// [`Interpret`] as a function.
pub type InterpretOp = for<'a> fn(Step<'a, '_>, &mut dyn Machine<'a>) -> Outcome<'a>;

impl<F> Interpret for F
where
    F: for<'a> Fn(Step<'a, '_>, &mut dyn Machine<'a>) -> Outcome<'a> + Send + Sync,
{
    fn interpret<'a>(&self, step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
        self(step, machine)
    }
}

/// The meaning of a terminator that hands its operands to the operation around it.
///
/// # Errors
/// None.
pub fn leave<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    Ok(Flow::Leave(step.operands.into()))
}

/// What runs operations. `'a` is the IR.
pub trait Machine<'a> {
    /// Runs `region` from its entry block, whose arguments are `args`, until control leaves it; the values it is left with.
    ///
    /// # Errors
    /// Why the program ends in it.
    fn run_region(&mut self, region: RegionRef<'a>, args: &[Value]) -> Result<Values, Diagnostic>;

    /// Calls the function that `callee`, a symbol reference in `at`, names.
    ///
    /// # Errors
    /// Why the program ends in it, or that there is no such function.
    fn call(&mut self, at: OpRef<'a>, callee: AttrRef<'a>, args: &[Value]) -> Result<Values, Diagnostic>;

    /// The operation that `symbol`, a symbol reference in the operation being run, names.
    fn symbol(&self, symbol: AttrRef<'a>) -> Option<OpRef<'a>>;

    /// What `value`, which is visible from the operation being run, holds.
    ///
    /// # Errors
    /// That nothing has defined it yet.
    fn value(&self, value: ValueRef<'a>) -> Result<Value, Diagnostic>;

    /// The value of a constant. What is large is made once.
    ///
    /// # Errors
    /// That the attribute is no number, or no array of numbers.
    fn constant(&mut self, attr: AttrRef<'a>) -> Result<Value, String>;

    /// The memory.
    fn memory(&mut self) -> &mut Memory;

    /// What was kept under `key`.
    fn kept(&self, key: &str) -> Option<Value>;

    /// Keeps `value` under `key` for as long as the program runs, such as the buffer of a global.
    fn keep(&mut self, key: &str, value: Value);

    /// Appends to what the program prints.
    fn print(&mut self, text: &str);
}
