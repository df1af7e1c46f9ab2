//! Loops.

use smallvec::SmallVec;

use crate::attributes::AttrRef;
use crate::diagnostics::Diagnostic;
use crate::entity::ValueId;
use crate::view::{OpRef, Operands, RegionRef, Results, ValueRef};

/// A bound or step of a loop: a constant or a value.
#[derive(Clone, Copy, Debug)]
pub enum Bound<'a> {
    /// Known.
    Constant(i64),
    /// A value of the type of the induction variable.
    Value(ValueRef<'a>),
}

impl<'a> Bound<'a> {
    /// The bound that `value` is, constant where its definition is.
    pub fn of(value: ValueRef<'a>) -> Self {
        value.constant().and_then(AttrRef::as_int).map_or(Self::Value(value), Self::Constant)
    }

    /// The number, where it is known.
    pub fn constant(self) -> Option<i64> {
        match self {
            Self::Constant(n) => Some(n),
            Self::Value(_) => None,
        }
    }
}

/// One dimension of a loop: its induction variable runs from `lower` up to but without `upper`.
#[derive(Clone, Copy, Debug)]
pub struct LoopDim<'a> {
    /// The induction variable.
    pub variable: ValueRef<'a>,
    /// First value.
    pub lower: Bound<'a>,
    /// First value that is not taken.
    pub upper: Bound<'a>,
    /// From one value to the next.
    pub step: Bound<'a>,
}

/// An operation that executes a region repeatedly.
pub trait LoopLike: Send + Sync {
    /// The regions that are executed repeatedly.
    fn loop_regions<'a>(&self, op: OpRef<'a>) -> SmallVec<[RegionRef<'a>; 2]>;

    /// The dimensions, outermost first; `None` where the loop does not count (`while`) or its bounds are no plain values.
    fn dims<'a>(&self, op: OpRef<'a>) -> Option<SmallVec<[LoopDim<'a>; 2]>> {
        let _ = op;
        None
    }

    /// Whether the induction variable is compared with the upper bound as an unsigned number.
    fn is_unsigned(&self, op: OpRef<'_>) -> bool {
        let _ = op;
        false
    }

    /// The initial values of what the loop carries from one iteration to the next.
    fn inits<'a>(&self, op: OpRef<'a>) -> Operands<'a>;

    /// The region arguments that hold the carried values, one for each of [`inits`](Self::inits).
    fn region_iter_args<'a>(&self, op: OpRef<'a>) -> SmallVec<[ValueRef<'a>; 4]>;

    /// The operands of the terminator that become the carried values of the next iteration.
    fn yielded_values<'a>(&self, op: OpRef<'a>) -> Option<Operands<'a>>;

    /// The results that are the carried values after the last iteration.
    fn loop_results<'a>(&self, op: OpRef<'a>) -> Results<'a> {
        op.results()
    }
}

/// Out of how many of the loops around `op`, counted from the innermost, `value` could be moved: those that it is defined outside of. Cost O(depth^2).
pub fn invariant_loops(op: OpRef<'_>, value: ValueId) -> usize {
    let value = ValueRef::new(op.cx(), op.arena(), value);
    let around = std::iter::successors(op.parent(), |op| op.parent());
    let loops = around.filter(|op| op.interface::<dyn LoopLike>().is_some());
    loops.take_while(|op| !value.is_defined_in(*op)).count()
}

/// Checks that initial values, region arguments, yielded values and results of a loop are alike.
///
/// # Errors
/// Which two differ, in number or type.
pub fn verify_loop_like(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let Some(looping) = op.interface::<dyn LoopLike>() else { return Ok(()) };
    let inits = looping.inits(op);
    let (args, results) = (looping.region_iter_args(op), looping.loop_results(op));
    let yielded = looping.yielded_values(op).filter(|values| !values.is_empty());
    let count = |what: &str, a: usize, b: usize| {
        if a == b { Ok(()) } else { Err(op.error(format_args!("different number of {what}: {a} != {b}"))) }
    };
    count("inits and region iter_args", inits.len(), args.len())?;
    if let Some(yielded) = yielded {
        count("region iter_args and yielded values", args.len(), yielded.len())?;
    }
    count("loop results and region iter_args", results.len(), args.len())?;
    let same = |i: usize, a: (&str, ValueRef<'_>), b: (&str, ValueRef<'_>)| {
        let (left, right) = (a.1.ty(), b.1.ty());
        if left == right {
            return Ok(());
        }
        Err(op.error(format_args!("{i}-th {} and {i}-th {} have different type: '{left}' != '{right}'", a.0, b.0)))
    };
    for (i, (init, &arg)) in inits.iter().zip(&args).enumerate() {
        same(i, ("init", init), ("region iter_arg", arg))?;
    }
    for (i, (&arg, value)) in args.iter().zip(yielded.into_iter().flat_map(Operands::iter)).enumerate() {
        same(i, ("region iter_arg", arg), ("yielded value", value))?;
    }
    for (i, (&arg, result)) in args.iter().zip(results.iter()).enumerate() {
        same(i, ("region iter_arg", arg), ("loop result", result))?;
    }
    Ok(())
}
