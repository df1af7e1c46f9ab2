//! What is known of values, as linear constraints on integers: the bounds of loops, the conditions around an operation, equalities.
//!
//! Each value is an unknown of a [`System`], which answers exactly. What is not linear is left out, so that a system never says more than
//! what holds; [`ValueSystem::is_exact`] tells whether something was.

use dl_ir::affine::{AffineExpr, AffineMap, AffineStore};
use dl_ir::presburger::{Linear, System};
use dl_ir::{AttrRef, OpRef, ValueId, ValueRef};
use rustc_hash::FxHashMap;

use crate::AffineForOp;
use crate::compose::{compose, compose_set};

/// Constraints on values.
#[derive(Clone, Default, Debug)]
pub struct ValueSystem {
    system: System,
    unknowns: FxHashMap<ValueId, usize>,
    inexact: bool,
}

impl ValueSystem {
    /// Nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// The constraints.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The constraints, to add others.
    pub fn system_mut(&mut self) -> &mut System {
        &mut self.system
    }

    /// Whether all that was to be added is linear, and so is in the system.
    pub fn is_exact(&self) -> bool {
        !self.inexact
    }

    /// The unknown that stands for `value`; a constant is known to be equal to its number.
    pub fn unknown(&mut self, value: ValueRef<'_>) -> usize {
        if let Some(&unknown) = self.unknowns.get(&value.id()) {
            return unknown;
        }
        let unknown = self.fresh(value);
        self.unknowns.insert(value.id(), unknown);
        unknown
    }

    /// An unknown of its own, for another instance of `value`; a constant is known to be equal to its number.
    pub fn fresh(&mut self, value: ValueRef<'_>) -> usize {
        let unknown = self.system.add_unknown();
        if let Some(number) = value.constant().and_then(AttrRef::as_int) {
            self.equate(unknown, number);
        }
        unknown
    }

    /// `unknown` stands for `value` from now on.
    pub fn bind(&mut self, value: ValueId, unknown: usize) {
        self.unknowns.insert(value, unknown);
    }

    /// Values of which `keep` does not hold have no unknown any more: what is said of them next is said of others.
    pub fn forget(&mut self, keep: impl Fn(ValueId) -> bool) {
        self.unknowns.retain(|&value, _| keep(value));
    }

    /// The unknown that stands for `value`, if there is one.
    pub fn get(&self, value: ValueId) -> Option<usize> {
        self.unknowns.get(&value).copied()
    }

    /// The values with their unknowns, in the order of these.
    pub fn values(&self) -> impl Iterator<Item = (ValueId, usize)> {
        let mut all: Vec<(ValueId, usize)> = self.unknowns.iter().map(|(&value, &unknown)| (value, unknown)).collect();
        all.sort_unstable_by_key(|&(_, unknown)| unknown);
        all.into_iter()
    }

    /// `unknown` is `number`.
    pub fn equate(&mut self, unknown: usize, number: i64) {
        let mut row = Linear::unknown(self.system.unknowns(), unknown);
        row.constant -= number;
        self.system.add_equality(row);
    }

    /// The only number that `unknown` can be, where an equation or two inequalities that mention nothing else say so.
    pub fn only_value(&self, unknown: usize) -> Option<i64> {
        let alone =
            |row: &&Linear| row.coefficients.iter().enumerate().all(|(at, c)| (at == unknown) != (*c == 0.into()));
        let value = |row: &Linear| {
            let factor = &row.coefficients[unknown];
            let is_whole = &row.constant % factor == 0.into();
            is_whole.then(|| i64::try_from(-(&row.constant) / factor).ok()).flatten()
        };
        if let Some(row) = self.system.equalities().iter().find(alone) {
            return value(row);
        }
        let bounds: Vec<&Linear> = self.system.inequalities().iter().filter(alone).collect();
        let of = |positive: bool| {
            let rows = bounds.iter().filter(move |row| (row.coefficients[unknown] > 0.into()) == positive);
            rows.filter_map(|row| value(row))
        };
        let (least, most) = (of(true).max()?, of(false).min()?);
        (least == most).then_some(least)
    }

    /// `expr` with these operands, dimensions first, as a sum over the unknowns; `None` where it is not linear.
    pub fn linear<'a>(
        &mut self,
        affine: &AffineStore,
        expr: AffineExpr,
        num_dims: usize,
        operands: impl Iterator<Item = ValueRef<'a>>,
    ) -> Option<Linear> {
        let inputs: Vec<usize> = operands.map(|value| self.unknown(value)).collect();
        let (dims, symbols) = inputs.split_at(num_dims.min(inputs.len()));
        self.system.flatten(affine, expr, dims, symbols)
    }

    /// The results of `map` with these operands, each `None` where it is not linear.
    pub fn results<'a>(
        &mut self,
        affine: &AffineStore,
        map: AffineMap,
        operands: impl Iterator<Item = ValueRef<'a>>,
    ) -> Vec<Option<Linear>> {
        let data = affine.map(map);
        let inputs: Vec<usize> = operands.map(|value| self.unknown(value)).collect();
        let (dims, symbols) = inputs.split_at((data.num_dims as usize).min(inputs.len()));
        data.results.iter().map(|&expr| self.system.flatten(affine, expr, dims, symbols)).collect()
    }

    /// `left - right + plus >= 0`.
    pub fn add_difference(&mut self, left: &Linear, right: &Linear, plus: i64) {
        let count = self.system.unknowns();
        let mut row = widened(left, count).combined(&1.into(), &widened(right, count), &(-1).into());
        row.constant += plus;
        self.system.add_inequality(row);
    }

    /// The induction variable of `of` is one of the numbers that it takes: not less than any lower bound, less than every upper one, and so
    /// many steps from the lower bound where there is one of those.
    pub fn add_loop(&mut self, of: AffineForOp<'_>) {
        let Some(variable) = of.0.region(0).entry().and_then(|body| body.args().next()) else { return };
        let affine = of.0.cx().affine();
        let (Some(lower), Some(upper)) = (of.lower_bound_map().as_affine_map(), of.upper_bound_map().as_affine_map())
        else {
            self.inexact = true;
            return;
        };
        let unknown = self.unknown(variable);
        let (lower, lower_operands) = compose(of.0, lower, of.lower_bound_operands().iter());
        let (upper, upper_operands) = compose(of.0, upper, of.upper_bound_operands().iter());
        let lowers = self.results(affine, lower, lower_operands.into_iter());
        let uppers = self.results(affine, upper, upper_operands.into_iter());
        let step = of.step().as_int().unwrap_or(1);
        if let [Some(lower)] = &lowers[..]
            && step > 1
        {
            let steps = self.system.add_unknown();
            let count = self.system.unknowns();
            let row = widened(lower, count).combined(&1.into(), &Linear::unknown(count, steps), &step.into());
            let row = row.combined(&1.into(), &Linear::unknown(count, unknown), &(-1).into());
            self.system.add_equality(row);
        } else if step > 1 {
            self.inexact = true;
        }
        for bound in lowers {
            let Some(bound) = bound else {
                self.inexact = true;
                continue;
            };
            let variable = Linear::unknown(self.system.unknowns(), unknown);
            self.add_difference(&variable, &bound, 0);
        }
        for bound in uppers {
            let Some(bound) = bound else {
                self.inexact = true;
                continue;
            };
            let variable = Linear::unknown(self.system.unknowns(), unknown);
            self.add_difference(&bound, &variable, -1);
        }
    }

    /// What the loops and conditions of this dialect around `op` say of their operands.
    pub fn add_around(&mut self, op: OpRef<'_>) {
        let mut inner = op;
        while let Some(around) = inner.parent() {
            if let Some(of) = around.cast::<AffineForOp<'_>>() {
                self.add_loop(of);
            } else if let Some(of) = around.cast::<crate::AffineIfOp<'_>>() {
                let in_then = inner.block().and_then(|block| block.region()).is_some_and(|region| region.index() == 0);
                self.add_condition(of, in_then);
            }
            inner = around;
        }
    }

    /// The condition of `of` holds, or does not: a single inequality that does not hold is one, too.
    fn add_condition(&mut self, of: crate::AffineIfOp<'_>, holds: bool) {
        let affine = of.0.cx().affine();
        let Some(set) = of.condition().as_integer_set() else {
            self.inexact = true;
            return;
        };
        let (set, operands) = compose_set(of.0, set, of.0.operands().iter());
        let data = affine.set(set);
        let single = data.constraints.len() == 1 && !data.constraints[0].is_equality;
        if !holds && !single {
            self.inexact = true;
            return;
        }
        for constraint in &data.constraints {
            let row = self.linear(affine, constraint.expr, data.num_dims as usize, operands.iter().copied());
            match row {
                None => self.inexact = true,
                Some(row) if !holds => _ = self.system.add_inequality(row.complement()),
                Some(row) if constraint.is_equality => _ = self.system.add_equality(row),
                Some(row) => _ = self.system.add_inequality(row),
            }
        }
    }
}

/// The same sum over more unknowns, of which the new ones do not count.
pub fn widened(row: &Linear, count: usize) -> Linear {
    let mut row = row.clone();
    row.coefficients.resize(count.max(row.coefficients.len()), 0.into());
    row
}
