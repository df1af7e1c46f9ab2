//! The part of a buffer that operations touch: a box, with bounds in terms of values that are known before them.

use dl_affine::constraints::{ValueSystem, widened};
use dl_affine::{AffineForOp, AffineIfOp};
use dl_ir::affine::{AffineExpr, AffineStore};
use dl_ir::presburger::{Linear, System};
use dl_ir::{DYNAMIC, OpRef, ValueId, ValueRef};

use crate::access::{Access, loops_around};
use crate::loops::{self, ValueMap};

/// A sum of multiples of values, and a constant, divided by a positive number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Quotient {
    /// Values and factors, in the order in which the values were met.
    pub(super) terms: Vec<(ValueId, i64)>,
    pub(super) constant: i64,
    pub(super) divisor: i64,
}

impl Quotient {
    pub(super) fn constant(constant: i64) -> Self {
        Self { terms: Vec::new(), constant, divisor: 1 }
    }

    /// The number, if it is one.
    pub(super) fn as_constant(&self) -> Option<i64> {
        (self.terms.is_empty() && self.divisor == 1).then_some(self.constant)
    }

    /// The formula, rounded down, in which `place` stands for a value.
    pub(super) fn expr(&self, affine: &AffineStore, place: impl Fn(ValueId) -> AffineExpr) -> AffineExpr {
        let terms = self.terms.iter().map(|&(value, factor)| affine.mul(place(value), affine.constant(factor)));
        let sum = terms.reduce(|a, b| affine.add(a, b));
        let sum = sum.map_or_else(|| affine.constant(self.constant), |sum| affine.add_constant(sum, self.constant));
        affine.floordiv(sum, affine.constant(self.divisor))
    }

    /// How much more it is, where that is a number and neither is rounded.
    fn minus(&self, other: &Self) -> Option<i64> {
        let comparable = self.terms == other.terms && self.divisor == 1 && other.divisor == 1;
        comparable.then(|| self.constant.checked_sub(other.constant)).flatten()
    }
}

/// The part of one dimension.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Side {
    /// No index is less than any of these.
    pub(super) lower: Vec<Quotient>,
    /// No index is greater than any of these, rounded down.
    pub(super) upper: Vec<Quotient>,
    /// The first index, or one below it.
    pub(super) first: Quotient,
    /// From there on, so many.
    pub(super) size: i64,
}

impl Side {
    fn between(first: Quotient, size: i64) -> Option<Self> {
        let last = Quotient { constant: first.constant.checked_add(size)?.checked_sub(1)?, ..first.clone() };
        Some(Self { lower: vec![first.clone()], upper: vec![last], first, size })
    }

    /// The least range around both, or the whole dimension. `None` where neither is known.
    fn union(self, other: &Self, extent: i64) -> Option<Self> {
        if self == *other {
            return Some(self);
        }
        if let Some(ahead) = other.first.minus(&self.first) {
            let end = self.size.max(ahead.checked_add(other.size)?);
            let first = if ahead < 0 { other.first.clone() } else { self.first };
            return Self::between(first, end - ahead.min(0));
        }
        (extent != DYNAMIC).then(|| Self::between(Quotient::constant(0), extent)).flatten()
    }
}

/// The part of a buffer that is touched between two operations.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) sides: Vec<Side>,
    /// Whether it is read.
    pub(super) read: bool,
    /// Whether it is written.
    pub(super) written: bool,
    /// Whether every element of it is written wherever anything is, before it is read.
    pub(super) covered: bool,
}

impl Region {
    /// The part of one access in one of `range`, operations in a row. `Ok(None)` where it is never executed.
    ///
    /// # Errors
    /// Where the part is not known, or may not lie in the buffer when nothing is accessed.
    pub(super) fn of(access: &Access<'_>, range: &[OpRef<'_>]) -> Result<Option<Self>, ()> {
        let shape = access.memref.ty().shape().ok_or(())?;
        let first = *range.first().ok_or(())?;
        let around = loops_around(access.op).ok_or(())?;
        let inside = |each: &&OpRef<'_>| range.iter().any(|op| op == *each || op.is_ancestor_of(each.id()));
        let (mut inner, mut conditional) = (Vec::new(), false);
        for each in around.iter().filter(inside) {
            match each.cast::<AffineForOp<'_>>() {
                Some(each) => inner.push(each),
                None => conditional = true,
            }
        }
        conditional |= std::iter::successors(access.op.parent(), |op| op.parent())
            .take_while(|op| first.parent() != Some(*op))
            .any(|op| op.is::<AffineIfOp<'_>>());
        let always = !conditional && inner.iter().all(|&each| loops::runs_at_least_once(each));
        // The box has just the elements that are accessed, and none where none are.
        let is_exact = !conditional && is_onto(access, &inner);
        let (affine, arena) = (access.op.cx().affine(), access.op.arena());
        let mut sides = Vec::with_capacity(shape.len());
        for (dim, &extent) in shape.iter().enumerate() {
            if extent == DYNAMIC && !always {
                return Err(());
            }
            let mut known = ValueSystem::new();
            known.add_around(access.op);
            let row = known.results(affine, access.map, access.operands.iter().copied()).swap_remove(dim).ok_or(())?;
            let index = known.system_mut().add_unknown();
            let count = known.system().unknowns();
            let position = Linear::unknown(count, index);
            known.system_mut().add_equality(position.combined(&1.into(), &widened(&row, count), &(-1).into()));
            let own = known.system().clone();
            if extent != DYNAMIC {
                let last = position.combined(&(-1).into(), &Linear::constant(count, extent - 1), &1.into());
                known.system_mut().add_inequality(position.clone()).add_inequality(last);
            }
            if known.system().is_empty() == Some(true) {
                return Ok(None);
            }
            let kept = |value: ValueId| {
                let value = ValueRef::new(access.op.cx(), arena, value);
                !range.iter().any(|op| value.is_defined_in(*op))
                    && !value.defining_op().is_some_and(|op| range.contains(&op))
            };
            let mut names: Vec<Option<ValueId>> = vec![None; count];
            known.values().filter(|&(value, _)| kept(value)).for_each(|(value, at)| names[at] = Some(value));
            let rows = rows_of(known.system().clone(), names.clone(), index).ok_or(())?;
            let Some((start, size)) = best(&rows)? else { return Ok(None) };
            // What is accessed lies in the buffer; only where more is copied that must be said.
            let exact = if is_exact { rows_of(own, names, index) } else { None };
            let rows = exact.filter(|rows| !rows.lower.is_empty() && !rows.upper.is_empty()).unwrap_or(rows);
            let rows = needed(&rows, first);
            sides.push(Side { lower: rows.lower, upper: rows.upper, first: start, size });
        }
        let covered = access.is_write && is_exact;
        Ok(Some(Self { sides, read: !access.is_write, written: access.is_write, covered }))
    }

    /// The part that is touched by both.
    pub(super) fn union(self, other: &Self, shape: &[i64]) -> Option<Self> {
        let pairs = self.sides.iter().cloned().zip(&other.sides).zip(shape);
        let sides: Vec<Side> = pairs.map(|((a, b), &extent)| a.union(b, extent)).collect::<Option<_>>()?;
        // What one access writes is enough where it comes first and the box is its own.
        let covered = self.covered && sides == self.sides && !self.read;
        Some(Self { sides, read: self.read || other.read, written: self.written || other.written, covered })
    }

    /// The values that bounds consist of.
    pub(super) fn values(&self) -> impl Iterator<Item = ValueId> + '_ {
        let all = self.sides.iter().flat_map(|side| side.lower.iter().chain(&side.upper).chain([&side.first]));
        all.flat_map(|bound| bound.terms.iter().map(|&(value, _)| value))
    }

    /// Elements of the box.
    pub(super) fn count(&self) -> Option<i64> {
        self.sides.iter().try_fold(1_i64, |count, side| count.checked_mul(side.size))
    }
}

/// Whether the access touches each element of its box wherever the box is not empty, and nothing otherwise: the indices are variables of different
/// loops with step 1, maybe of one in a window that another one moves, and values from outside, and the other loops run.
fn is_onto(access: &Access<'_>, inner: &[AffineForOp<'_>]) -> bool {
    let affine = access.op.cx().affine();
    let data = affine.map(access.map);
    let mut used = Vec::new();
    let is_box = data.results.iter().all(|&expr| {
        let Some(form) = affine.linear_form(expr, data.num_dims, data.num_symbols) else { return false };
        let factors = form.dims.iter().chain(&form.symbols).zip(&access.operands).filter(|(factor, _)| **factor != 0);
        let of_loops = factors.filter_map(|(&factor, value)| {
            let own = |each: &&AffineForOp<'_>| each.region().entry().is_some_and(|body| body.arg(0) == *value);
            inner.iter().find(own).map(|each| (factor, each))
        });
        let of_loops: Vec<_> = of_loops.collect();
        match of_loops[..] {
            [] => true,
            [(1, each)] => {
                let fresh = !used.contains(&each.0.id());
                used.push(each.0.id());
                // Bounds of another loop inside would make a triangle.
                let is_straight = has_outer_bounds(*each, inner) || {
                    let moving = mover(*each, inner).filter(|by| !used.contains(&by.0.id()));
                    used.extend(moving.map(|by| by.0.id()));
                    moving.is_some()
                };
                fresh && loops::step(*each) == 1 && is_straight
            }
            _ => false,
        }
    });
    is_box && inner.iter().all(|each| used.contains(&each.0.id()) || loops::runs_at_least_once(*each))
}

/// The one of these loops that moves the range of the loop by one from iteration to iteration, without changing how long it is.
fn mover<'a>(of: AffineForOp<'_>, inner: &[AffineForOp<'a>]) -> Option<AffineForOp<'a>> {
    let (affine, lower) = (of.0.cx().affine(), ValueMap::lower_bound(of)?);
    let data = affine.map(lower.map);
    let &[start] = &*data.results else { return None };
    let form = affine.linear_form(start, data.num_dims, data.num_symbols)?;
    let factors = lower.operands.iter().zip(form.dims.iter().chain(&form.symbols));
    let mut found = None;
    for each in inner {
        let variable = each.region().entry()?.arg(0);
        let factor: i64 = factors.clone().filter(|(value, _)| **value == variable).map(|(_, factor)| factor).sum();
        if factor != 0 && (factor.abs() != 1 || found.replace(*each).is_some()) {
            return None;
        }
    }
    let always_runs = loops::constant_trip_count(of).is_some_and(|count| count > 0);
    found.filter(|by| always_runs && loops::step(*by) == 1 && has_outer_bounds(*by, inner))
}

/// Whether the bounds of the loop do not depend on other ones of these loops.
fn has_outer_bounds(of: AffineForOp<'_>, inner: &[AffineForOp<'_>]) -> bool {
    let operands = of.lower_bound_operands().iter().chain(of.upper_bound_operands().iter());
    operands
        .into_iter()
        .all(|value| inner.iter().all(|each| each.region().entry().is_none_or(|body| body.arg(0) != value)))
}

/// What the system says of `index` and of the unknowns that have names.
fn project(
    mut system: System,
    mut names: Vec<Option<ValueId>>,
    mut index: usize,
) -> Option<(System, Vec<Option<ValueId>>, usize)> {
    for at in (0..names.len()).rev() {
        if at != index && names[at].is_none() {
            system = system.without(at)?.system;
            names.remove(at);
            index -= usize::from(at < index);
        }
    }
    Some((system, names, index))
}

/// Bounds of an index from below and above.
struct Rows {
    lower: Vec<Quotient>,
    upper: Vec<Quotient>,
}

/// The constraints on `index` in terms of the unknowns that have names.
fn rows_of(system: System, names: Vec<Option<ValueId>>, index: usize) -> Option<Rows> {
    let (system, names, index) = project(system, names, index)?;
    let mut rows = Rows { lower: Vec::new(), upper: Vec::new() };
    let mut add = |row: &Linear| {
        let Some(factor) = i64::try_from(&row.coefficients[index]).ok().filter(|&factor| factor != 0) else { return };
        // factor * index + rest >= 0
        let sign = if factor > 0 { -1 } else { 1 };
        let signed = |number: i64| number.checked_mul(sign);
        let Some(constant) = i64::try_from(&row.constant).ok().and_then(signed) else { return };
        let mut terms = Vec::new();
        for (at, coefficient) in row.coefficients.iter().enumerate().filter(|&(at, _)| at != index) {
            match (i64::try_from(coefficient).ok().and_then(signed), names.get(at).copied().flatten()) {
                (Some(0), _) => {}
                (Some(factor), Some(value)) => terms.push((value, factor)),
                _ => return,
            }
        }
        let divisor = factor.unsigned_abs().cast_signed();
        if factor > 0 {
            // Rounded up.
            let constant = if divisor == 1 { Some(constant) } else { constant.checked_add(divisor - 1) };
            rows.lower.extend(constant.map(|constant| Quotient { terms, constant, divisor }));
        } else {
            rows.upper.push(Quotient { terms, constant, divisor });
        }
    };
    for row in system.equalities() {
        add(row);
        let count = system.unknowns();
        add(&Linear::constant(count, 0).combined(&1.into(), row, &(-1).into()));
    }
    system.inequalities().iter().for_each(add);
    Some(rows)
}

/// The lower bound that is the closest to an upper one of the same values, and how many numbers there are between them at most. `Some(None)` where
/// there are none, an error where no two bounds can be compared.
fn best(rows: &Rows) -> Result<Option<(Quotient, i64)>, ()> {
    let mut found: Option<(Quotient, i64)> = None;
    for low in &rows.lower {
        for high in &rows.upper {
            if low.terms != high.terms || low.divisor != high.divisor {
                continue;
            }
            // The lower one is rounded up by what has been added.
            let distance =
                high.constant.checked_sub(low.constant).and_then(|n| n.checked_add(low.divisor - 1)).ok_or(())?;
            let size = distance.div_euclid(low.divisor).checked_add(1).ok_or(())?;
            if found.as_ref().is_none_or(|&(_, least)| size < least) {
                found = Some((low.clone(), size));
            }
        }
    }
    found.map(|(first, size)| (size > 0).then_some((first, size))).ok_or(())
}

/// Only bounds that do not follow from the others and from the loops and conditions around `op`.
fn needed(rows: &Rows, op: OpRef<'_>) -> Rows {
    let mut known = ValueSystem::new();
    known.add_around(op);
    let values: Vec<ValueId> =
        rows.lower.iter().chain(&rows.upper).flat_map(|row| row.terms.iter().map(|t| t.0)).collect();
    for &value in &values {
        known.unknown(ValueRef::new(op.cx(), op.arena(), value));
    }
    let index = known.system_mut().add_unknown();
    let count = known.system().unknowns();
    let linear = |row: &Quotient, is_lower: bool| {
        let sign = if is_lower { 1 } else { -1 };
        let rounding = if is_lower { row.divisor - 1 } else { 0 };
        let mut sum = Linear::constant(count, -sign * (row.constant - rounding));
        sum = sum.combined(&1.into(), &Linear::unknown(count, index), &(sign * row.divisor).into());
        for &(value, factor) in &row.terms {
            let at = known.get(value).unwrap_or(index);
            sum = sum.combined(&1.into(), &Linear::unknown(count, at), &(-sign * factor).into());
        }
        sum
    };
    let all = rows.lower.iter().map(|row| (row, true)).chain(rows.upper.iter().map(|row| (row, false)));
    let all: Vec<(&Quotient, bool, Linear)> = all.map(|(row, low)| (row, low, linear(row, low))).collect();
    let mut dropped = vec![false; all.len()];
    // Numbers are dropped before formulas.
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|&at| !all[at].0.terms.is_empty());
    for at in order {
        let mut others = known.system().clone();
        for (other, (_, _, row)) in all.iter().enumerate() {
            if other != at && !dropped[other] {
                others.add_inequality(row.clone());
            }
        }
        dropped[at] = others.implies(&all[at].2) == Some(true);
    }
    let mut left = Rows { lower: Vec::new(), upper: Vec::new() };
    for (_, (row, is_lower, _)) in all.iter().enumerate().filter(|&(at, _)| !dropped[at]) {
        if *is_lower { left.lower.push((*row).clone()) } else { left.upper.push((*row).clone()) }
    }
    for side in [&mut left.lower, &mut left.upper] {
        side.sort_by_key(|row| row.terms.is_empty());
        side.dedup();
    }
    left
}
