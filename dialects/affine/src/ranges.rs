//! What is known of the values of expressions whose operands are induction variables: bounds and divisors, and simplification by them.
//!
//! Expressions are taken to have the values that they would have without overflow, as everywhere in this dialect.

use dl_ir::ValueRef;
use dl_ir::affine::{AffineExpr, AffineExprData, AffineMap, AffineOp, AffineStore};
use rustc_hash::FxHashMap;

use crate::AffineForOp;

/// Bounds of each result of `map`, both included, where dimension i is at least 0 and less than `extents[i]`. The bounds may lie further apart
/// than the least and the greatest value do. `None` where there are none for some result, or some extent is zero.
pub fn bounds_within(affine: &AffineStore, map: AffineMap, extents: &[i64]) -> Option<Vec<(i64, i64)>> {
    if extents.iter().any(|&extent| extent <= 0) {
        return None;
    }
    let map = affine.map(map);
    let mut ranges = Ranges::within(affine, extents, map.num_symbols as usize);
    map.results.iter().map(|&expr| Some((ranges.range(expr).lower?, ranges.range(expr).upper?))).collect()
}

/// The values of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    /// The least one, where there is a known one.
    pub(crate) lower: Option<i64>,
    /// The greatest one, where there is a known one.
    pub(crate) upper: Option<i64>,
    /// A number that divides all of them; 0 for zero alone.
    divisor: u64,
}

impl Range {
    /// Any number.
    const ANY: Self = Self { lower: None, upper: None, divisor: 1 };

    fn constant(value: i64) -> Self {
        Self { lower: Some(value), upper: Some(value), divisor: value.unsigned_abs() }
    }

    /// Of an operand: the induction variable of an `affine.for` with bounds that are numbers, or anything.
    pub(crate) fn of_operand(value: ValueRef<'_>) -> Self {
        let around = value.owner_block().and_then(dl_ir::BlockRef::parent_op);
        let Some(around) = around.and_then(dl_ir::OpRef::cast::<AffineForOp<'_>>).filter(|_| value.index() == 0) else {
            return Self::ANY;
        };
        let step = around.step().as_int().filter(|&step| step > 0);
        let (Some(lower), Some(step)) = (around.constant_lower_bound(), step) else { return Self::ANY };
        let last = around.constant_upper_bound().and_then(|end| {
            let distance = end.checked_sub(1)?.checked_sub(lower).filter(|&distance| distance >= 0)?;
            lower.checked_add(distance / step * step)
        });
        Self { lower: Some(lower), upper: last, divisor: gcd(lower.unsigned_abs(), step.unsigned_abs()) }
    }

    /// The only value.
    pub(crate) fn only(self) -> Option<i64> {
        self.lower.filter(|_| self.lower == self.upper)
    }

    fn is_multiple_of(self, number: u64) -> bool {
        self.divisor == 0 || self.divisor.is_multiple_of(number)
    }

    /// Whether all values are at least zero and less than `end`.
    fn is_below(self, end: u64) -> bool {
        self.lower.is_some_and(|lower| lower >= 0) && self.upper.is_some_and(|upper| upper.unsigned_abs() < end)
    }

    fn plus(self, other: Self) -> Self {
        let sum = |a: Option<i64>, b: Option<i64>| a?.checked_add(b?);
        Self {
            lower: sum(self.lower, other.lower),
            upper: sum(self.upper, other.upper),
            divisor: gcd(self.divisor, other.divisor),
        }
    }

    fn times(self, other: Self) -> Self {
        let divisor = self.divisor.checked_mul(other.divisor).unwrap_or(1);
        let Some((range, factor)) = other.only().map(|f| (self, f)).or_else(|| self.only().map(|f| (other, f))) else {
            return Self { divisor, ..Self::ANY };
        };
        let product = |bound: Option<i64>| bound?.checked_mul(factor);
        let (a, b) = (product(range.lower), product(range.upper));
        let (lower, upper) = if factor < 0 { (b, a) } else { (a, b) };
        Self { lower, upper, divisor }
    }

    /// Divided by a positive number as `op` says, or the remainder.
    fn divided(self, op: AffineOp, by: i64) -> Self {
        if op == AffineOp::Mod {
            let inside = self.is_below(by.unsigned_abs());
            let (lower, upper) = if inside { (self.lower, self.upper) } else { (Some(0), Some(by - 1)) };
            return Self { lower, upper, divisor: gcd(self.divisor, by.unsigned_abs()) };
        }
        let quotient = |bound: Option<i64>| op.eval(bound?, by);
        let exact = self.is_multiple_of(by.unsigned_abs());
        let divisor = if exact { self.divisor / by.unsigned_abs() } else { 1 };
        Self { lower: quotient(self.lower), upper: quotient(self.upper), divisor }
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Expressions over operands with known ranges.
pub(crate) struct Ranges<'c> {
    affine: &'c AffineStore,
    dims: Vec<Range>,
    symbols: Vec<Range>,
    /// What parts have been found to be, and their ranges.
    known: FxHashMap<AffineExpr, (AffineExpr, Range)>,
}

impl<'c> Ranges<'c> {
    /// Of expressions whose first `num_dims` operands are dimensions and the others symbols.
    pub(crate) fn new<'a>(
        affine: &'c AffineStore,
        num_dims: usize,
        operands: impl IntoIterator<Item = ValueRef<'a>>,
    ) -> Self {
        let mut dims: Vec<Range> = operands.into_iter().map(Range::of_operand).collect();
        let symbols = dims.split_off(num_dims.min(dims.len()));
        Self { affine, dims, symbols, known: FxHashMap::default() }
    }

    /// Of expressions in which dimension i is at least 0 and less than `extents[i]`, and symbols may be anything.
    fn within(affine: &'c AffineStore, extents: &[i64], num_symbols: usize) -> Self {
        let below = |&end: &i64| Range { lower: Some(0), upper: Some(end.saturating_sub(1)), divisor: 1 };
        let dims = extents.iter().map(below).collect();
        Self { affine, dims, symbols: vec![Range::ANY; num_symbols], known: FxHashMap::default() }
    }

    /// The range of `expr`.
    pub(crate) fn range(&mut self, expr: AffineExpr) -> Range {
        self.resolve(expr).1
    }

    /// `expr` with quotients and remainders that are known left out. Cost O(parts), and for each division O(terms of what is divided).
    pub(crate) fn simplify(&mut self, expr: AffineExpr) -> AffineExpr {
        self.resolve(expr).0
    }

    fn resolve(&mut self, expr: AffineExpr) -> (AffineExpr, Range) {
        for part in self.affine.post_order(&[expr]) {
            if !self.known.contains_key(&part) {
                let found = self.part(part);
                self.known.insert(part, found);
                // What it has become is itself from now on.
                self.known.entry(found.0).or_insert(found);
            }
        }
        self.known[&expr]
    }

    fn part(&self, part: AffineExpr) -> (AffineExpr, Range) {
        let affine = self.affine;
        let operand = |all: &[Range], at: u32| all.get(at as usize).copied().unwrap_or(Range::ANY);
        match affine.expr(part) {
            AffineExprData::Constant(value) => (part, Range::constant(value)),
            AffineExprData::Dim(at) => (part, operand(&self.dims, at)),
            AffineExprData::Symbol(at) => (part, operand(&self.symbols, at)),
            AffineExprData::Binary { op, lhs, rhs } => {
                let ((lhs, left), (rhs, right)) = (self.known[&lhs], self.known[&rhs]);
                let made = affine.binary(op, lhs, rhs);
                match (op, affine.constant_value(rhs).filter(|&by| by > 0)) {
                    (AffineOp::Add, _) => (made, left.plus(right)),
                    (AffineOp::Mul, _) => (made, left.times(right)),
                    (_, Some(by)) => self.divide(op, lhs, left, by),
                    (_, None) => (made, Range::ANY),
                }
            }
        }
    }

    /// `lhs`, whose range is `left`, divided by a positive number.
    fn divide(&self, op: AffineOp, lhs: AffineExpr, left: Range, by: i64) -> (AffineExpr, Range) {
        let affine = self.affine;
        let range = left.divided(op, by);
        if op != AffineOp::Mod
            && let Some(quotient) = range.only()
        {
            return (affine.constant(quotient), range);
        }
        if op == AffineOp::Mod && left.is_below(by.unsigned_abs()) {
            return (lhs, left);
        }
        if op == AffineOp::Mod && left.is_multiple_of(by.unsigned_abs()) {
            return (affine.constant(0), Range::constant(0));
        }
        let terms = self.terms(lhs);
        let sum = |terms: &[(AffineExpr, Range)]| {
            let zero = (affine.constant(0), Range::constant(0));
            terms.iter().fold(zero, |(a, x), &(b, y)| (affine.add(a, b), x.plus(y)))
        };
        if op == AffineOp::Mod {
            let (whole, rest): (Vec<_>, Vec<_>) =
                terms.iter().copied().partition(|(_, range)| range.is_multiple_of(by.unsigned_abs()));
            if !whole.is_empty() && !rest.is_empty() {
                let (rest, of_rest) = sum(&rest);
                let inside = of_rest.is_below(by.unsigned_abs());
                let rest = if inside { rest } else { affine.modulo(rest, affine.constant(by)) };
                return (rest, range);
            }
        }
        if op == AffineOp::FloorDiv {
            // What does not reach from one multiple to the next does not count.
            let multiples: Vec<u64> = terms.iter().map(|(_, range)| range.divisor).filter(|&d| d > 1).collect();
            for multiple in multiples.into_iter().filter(|&d| by.unsigned_abs().is_multiple_of(d)) {
                let (whole, rest): (Vec<_>, Vec<_>) =
                    terms.iter().copied().partition(|(_, range)| range.is_multiple_of(multiple));
                if !rest.is_empty() && sum(&rest).1.is_below(multiple) {
                    return (affine.floordiv(sum(&whole).0, affine.constant(by)), range);
                }
            }
        }
        (affine.binary(op, lhs, affine.constant(by)), range)
    }

    /// The terms of a sum, with their ranges.
    fn terms(&self, expr: AffineExpr) -> Vec<(AffineExpr, Range)> {
        let (mut terms, mut pending) = (Vec::new(), vec![expr]);
        while let Some(expr) = pending.pop() {
            if let AffineExprData::Binary { op: AffineOp::Add, lhs, rhs } = self.affine.expr(expr) {
                pending.extend([rhs, lhs]);
            } else {
                let range = self.known.get(&expr).map_or(Range::ANY, |known| known.1);
                terms.push((expr, range));
            }
        }
        terms
    }
}
