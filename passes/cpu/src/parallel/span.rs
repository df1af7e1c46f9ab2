//! How far index values reach in one iteration of a loop, in terms of its induction variable.

use std::cell::Cell;

use dl_affine::{AffineApplyOp, AffineMaxOp, AffineMinOp};
use dl_arith::{AddIOp, MaxSIOp, MinSIOp, MulIOp, SubIOp};
use dl_ir::affine::{AffineExpr, AffineExprData, AffineOp};
use dl_ir::interfaces::Bound;
use dl_ir::{AttrRef, OpDefinition, OpRef, ValueRef};
use dl_passes_scf::bounds::dimension_of;
use smallvec::SmallVec;

/// Most operations and expressions that are looked at for one value.
const EFFORT: u32 = 200;
/// Most bounds that are kept of one value.
const MOST: usize = 4;

/// `factor * variable + constant`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Linear {
    /// How fast it grows with the variable.
    pub(super) factor: i64,
    /// What is added.
    pub(super) constant: i64,
}

/// Bounds, each of which holds.
type Bounds = SmallVec<[Linear; 2]>;

/// Bounds of a value from below and from above, both reached or not. Several where none is the best for all values of the variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Span {
    /// The value is at least each of these.
    pub(super) low: Bounds,
    /// The value is at most each of these.
    pub(super) high: Bounds,
}

impl Linear {
    fn plus(self, other: Self) -> Option<Self> {
        let factor = self.factor.checked_add(other.factor)?;
        Some(Self { factor, constant: self.constant.checked_add(other.constant)? })
    }

    fn times(self, by: i64) -> Option<Self> {
        Some(Self { factor: self.factor.checked_mul(by)?, constant: self.constant.checked_mul(by)? })
    }

    /// The largest whole number up to a `by`-th of it, by a positive number, where the variable does not get lost in rounding.
    fn divided(self, by: i64) -> Option<Self> {
        (self.factor % by == 0).then(|| Self { factor: self.factor / by, constant: self.constant.div_euclid(by) })
    }
}

/// Every pair of bounds, combined.
fn pairs(a: &Bounds, b: &Bounds, combine: impl Fn(Linear, Linear) -> Option<Linear>) -> Bounds {
    let all = a.iter().flat_map(|&x| b.iter().map(move |&y| (x, y)));
    let mut found: Bounds = all.filter_map(|(x, y)| combine(x, y)).take(MOST).collect();
    found.dedup();
    found
}

/// Bounds of the least of two values from below, and so, turned around, of the greatest from above: those that are bounds of both.
fn common(a: &Bounds, b: &Bounds, choose: impl Fn(i64, i64) -> i64) -> Bounds {
    pairs(a, b, |x, y| (x.factor == y.factor).then(|| Linear { constant: choose(x.constant, y.constant), ..x }))
}

impl Span {
    /// One number.
    pub(super) fn constant(value: i64) -> Self {
        Self::between(value, value)
    }

    /// From one number to another, both included.
    pub(super) fn between(low: i64, high: i64) -> Self {
        let bound = |constant| Bounds::from_slice(&[Linear { factor: 0, constant }]);
        Self { low: bound(low), high: bound(high) }
    }

    /// The sum of two values.
    pub(super) fn plus(&self, other: &Self) -> Self {
        Self { low: pairs(&self.low, &other.low, Linear::plus), high: pairs(&self.high, &other.high, Linear::plus) }
    }

    /// A multiple of the value.
    pub(super) fn times(&self, by: i64) -> Self {
        let scaled = |bounds: &Bounds| bounds.iter().filter_map(|bound| bound.times(by)).collect();
        let (low, high) = if by < 0 { (&self.high, &self.low) } else { (&self.low, &self.high) };
        Self { low: scaled(low), high: scaled(high) }
    }

    fn divided(&self, by: i64) -> Self {
        let divided = |bounds: &Bounds| bounds.iter().filter_map(|bound| bound.divided(by)).collect();
        Self { low: divided(&self.low), high: divided(&self.high) }
    }

    fn least(&self, other: &Self) -> Self {
        let high = self.high.iter().chain(&other.high).copied().take(MOST).collect();
        Self { low: common(&self.low, &other.low, i64::min), high }
    }

    fn greatest(&self, other: &Self) -> Self {
        let low = self.low.iter().chain(&other.low).copied().take(MOST).collect();
        Self { low, high: common(&self.high, &other.high, i64::max) }
    }

    /// The one number that it is, if it is known.
    fn as_constant(&self) -> Option<i64> {
        let (low, high) = (self.low.first()?, self.high.first()?);
        (low == high && low.factor == 0).then_some(low.constant)
    }
}

/// The span of a value in an iteration in which `variable` has one value. `None` where nothing is known.
pub(super) fn span(value: ValueRef<'_>, variable: ValueRef<'_>) -> Option<Span> {
    Search { variable, effort: Cell::new(EFFORT) }.value(value)
}

/// A walk from a value to what it is computed from.
struct Search<'a> {
    variable: ValueRef<'a>,
    /// Steps that are left. They bound the depth, too.
    effort: Cell<u32>,
}

impl<'a> Search<'a> {
    fn step(&self) -> Option<()> {
        self.effort.set(self.effort.get().checked_sub(1)?);
        Some(())
    }

    fn value(&self, value: ValueRef<'a>) -> Option<Span> {
        if value == self.variable {
            let itself = Bounds::from_slice(&[Linear { factor: 1, constant: 0 }]);
            return Some(Span { low: itself.clone(), high: itself });
        }
        if let Some(number) = value.constant().and_then(AttrRef::as_int) {
            return Some(Span::constant(number));
        }
        self.step()?;
        let Some(op) = value.defining_op() else { return self.variable_of_loop(value) };
        let operand = |at: usize| self.value(op.operand(at));
        if op.is::<AddIOp<'_>>() {
            return Some(operand(0)?.plus(&operand(1)?));
        }
        if op.is::<SubIOp<'_>>() {
            return Some(operand(0)?.plus(&operand(1)?.times(-1)));
        }
        if op.is::<MulIOp<'_>>() {
            let (a, b) = (operand(0)?, operand(1)?);
            return match (a.as_constant(), b.as_constant()) {
                (_, Some(by)) => Some(a.times(by)),
                (Some(by), None) => Some(b.times(by)),
                (None, None) => None,
            };
        }
        if op.is::<MinSIOp<'_>>() {
            return Some(operand(0)?.least(&operand(1)?));
        }
        if op.is::<MaxSIOp<'_>>() {
            return Some(operand(0)?.greatest(&operand(1)?));
        }
        self.affine(op)
    }

    /// An induction variable: from the lower bound of its loop to before the upper one.
    fn variable_of_loop(&self, value: ValueRef<'a>) -> Option<Span> {
        let (_, dim) = dimension_of(value)?;
        let bound = |bound: Bound<'a>| match bound {
            Bound::Constant(number) => Some(Span::constant(number)),
            Bound::Value(value) => self.value(value),
        };
        dim.step.constant().filter(|&step| step > 0)?;
        let (lower, upper) = (bound(dim.lower)?, bound(dim.upper)?.plus(&Span::constant(-1)));
        Some(Span { low: lower.low, high: upper.high })
    }

    /// The result of an affine operation on index values.
    fn affine(&self, op: OpRef<'a>) -> Option<Span> {
        let combine = match op.name() {
            AffineApplyOp::NAME | AffineMinOp::NAME => Span::least,
            AffineMaxOp::NAME => Span::greatest,
            _ => return None,
        };
        let map = op.cx().affine().map(op.attr("map")?.as_affine_map()?);
        let operands: Vec<Option<Span>> = op.operands().iter().map(|operand| self.value(operand)).collect();
        // A result of which nothing is known is no bound, but the others still are: of the least from above, of the greatest from below.
        let unknown = || Span { low: Bounds::new(), high: Bounds::new() };
        let mut results = map.results.iter();
        let mut next = || {
            let result = self.expr(op, *results.next()?, map.num_dims, &operands);
            Some(result.unwrap_or_else(unknown))
        };
        let first = next()?;
        Some(std::iter::from_fn(next).fold(first, |all, next| combine(&all, &next)))
    }

    /// The span of an expression. Dimensions come before symbols among the operands.
    fn expr(&self, op: OpRef<'a>, of: AffineExpr, dims: u32, operands: &[Option<Span>]) -> Option<Span> {
        self.step()?;
        let operand = |at: u32| operands.get(at as usize).cloned().flatten();
        match op.cx().affine().expr(of) {
            AffineExprData::Dim(at) => operand(at),
            AffineExprData::Symbol(at) => operand(dims.checked_add(at)?),
            AffineExprData::Constant(value) => Some(Span::constant(value)),
            AffineExprData::Binary { op: kind, lhs, rhs } => {
                let (a, b) = (self.expr(op, lhs, dims, operands), self.expr(op, rhs, dims, operands)?);
                let by = b.as_constant();
                let positive = by.filter(|&by| by > 0);
                match kind {
                    AffineOp::Add => Some(a?.plus(&b)),
                    AffineOp::Mul => match (a?, by) {
                        (a, Some(by)) => Some(a.times(by)),
                        (a, None) => Some(b.times(a.as_constant()?)),
                    },
                    AffineOp::FloorDiv => Some(a?.divided(positive?)),
                    AffineOp::CeilDiv => Some(a?.plus(&Span::constant(positive? - 1)).divided(positive?)),
                    AffineOp::Mod => Some(Span::between(0, positive? - 1)),
                }
            }
        }
    }
}
