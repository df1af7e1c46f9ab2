//! Forward data-flow analysis of values: what is known of each, along the paths that can be taken.
//!
//! An analysis says what an operation makes of what is known of its operands. [`solve`] does the rest, as in Wegman and Zadeck,
//! "Constant propagation with conditional branches" (TOPLAS 1991): it starts with nothing being executed, follows branches, regions
//! and calls that can be taken with what is known so far, and joins what arrives at block arguments, results of operations with
//! regions, arguments of functions and results of calls, until nothing changes.
//!
//! Functions whose callers are all known get their arguments from the calls; the others may be called with anything.

mod callables;
mod facts;
mod solver;

use dl_ir::{Attr, OpRef, ValueId, ValueRef};
use smallvec::SmallVec;

pub(crate) use self::callables::Callables;
pub(crate) use self::facts::Arenas;
pub use self::facts::Facts;
pub use self::solver::solve;

/// What is known of a value. The default is that no value has arrived yet.
pub trait Lattice: Clone + PartialEq + Default {
    /// Takes in what else may arrive. What results must be no less than either; a value can change a bounded number of times
    /// only, or [`Analysis::changed`] sees to it.
    fn join(&mut self, other: &Self);

    /// The constant that the value is, if it is known to be one: it decides which way a branch goes.
    fn constant(&self) -> Option<Attr>;
}

/// What an analysis knows of operations.
pub trait Analysis {
    /// What it says of a value.
    type Fact: Lattice;

    /// What is known of a value that comes from somewhere unknown.
    fn unknown(&self, value: ValueRef<'_>) -> Self::Fact;

    /// What is known of `value`, an argument of a region of `op` that receives nothing from outside: the variable of a loop. `known` has
    /// what is known of other values.
    fn argument(&self, op: OpRef<'_>, value: ValueRef<'_>, known: &dyn Fn(ValueRef<'_>) -> Self::Fact) -> Self::Fact {
        let _ = (op, known);
        self.unknown(value)
    }

    /// What is known of the results of `op`, which has no regions and calls nothing, with these `operands`, all of which have arrived. `known`
    /// has what is known of other values; where it changes, the operation is looked at again.
    fn results(
        &self,
        op: OpRef<'_>,
        operands: &[Self::Fact],
        known: &mut dyn FnMut(ValueId) -> Self::Fact,
    ) -> SmallVec<[Self::Fact; 2]>;

    /// What to make of `fact`, where something had been known of the result `value` before, and it was not this. For analyses whose facts
    /// can change without bound: what a loop makes of its own values comes here again and again.
    fn changed(&self, value: ValueRef<'_>, fact: Self::Fact) -> Self::Fact {
        let _ = value;
        fact
    }
}
