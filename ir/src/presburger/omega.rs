//! The Omega test: whether a system has an integer point.
//!
//! Equations are solved by changes of variables with determinant 1, as Euclid's algorithm finds them (the generalized GCD test: U.
//! Banerjee, "Loop Transformations for Restructuring Compilers", 1993). Inequalities are left with fewer and fewer unknowns by
//! Fourier-Motzkin elimination. Where that is not exact over the integers, the *dark shadow*, which has only points above which there is an integer
//! for sure, and *splinters*, which are cuts close to the lower bounds, decide.

use num_bigint::{BigInt, Sign};
use rustc_hash::FxHashMap;

use super::system::{Linear, System, is_zero};

/// How many constraints may be made on the way to an answer.
const MOST_WORK: usize = 50_000;
/// With more unknowns than these, no answer is attempted.
const MOST_UNKNOWNS: usize = 64;

impl System {
    /// Whether there is no integer point in it. `None` when that takes too much work to find out.
    pub fn is_empty(&self) -> Option<bool> {
        if self.unknowns > MOST_UNKNOWNS {
            return None;
        }
        let mut work = MOST_WORK;
        Some(!has_point(self.clone(), &mut work)?)
    }
}

/// What became of a system that was brought into normal form.
enum Normal {
    /// It has no point.
    Empty,
    /// It has one.
    NotEmpty,
    /// Inequalities with two-sided bounds on each unknown that is in them.
    Open(System),
}

/// Recursion is as deep as there are unknowns: each step has one less.
fn has_point(system: System, work: &mut usize) -> Option<bool> {
    let mut system = system;
    loop {
        system = match normalize(system, work)? {
            Normal::Empty => return Some(false),
            Normal::NotEmpty => return Some(true),
            Normal::Open(system) => system,
        };
        let unknown = cheapest(&system);
        let bounds = Bounds::of(&system, unknown);
        if bounds.is_exact() {
            system = bounds.shadow(&system, false, work)?;
            continue;
        }
        if !has_point(bounds.shadow(&system, false, work)?, work)? {
            return Some(false);
        }
        if has_point(bounds.shadow(&system, true, work)?, work)? {
            return Some(true);
        }
        return splinters(&system, &bounds, work);
    }
}

/// The inequalities that bound one unknown.
pub(super) struct Bounds<'s> {
    pub(super) unknown: usize,
    pub(super) lower: Vec<&'s Linear>,
    pub(super) upper: Vec<&'s Linear>,
}

impl<'s> Bounds<'s> {
    pub(super) fn of(system: &'s System, unknown: usize) -> Self {
        let with = |sign| move |row: &&Linear| row.coefficients[unknown].sign() == sign;
        Self {
            unknown,
            lower: system.inequalities.iter().filter(with(Sign::Plus)).collect(),
            upper: system.inequalities.iter().filter(with(Sign::Minus)).collect(),
        }
    }

    /// Whether between each lower and upper bound that a rational number satisfies there is an integer.
    pub(super) fn is_exact(&self) -> bool {
        let all_one =
            |rows: &[&Linear]| rows.iter().all(|row| row.coefficients[self.unknown].magnitude() == &1_u32.into());
        all_one(&self.lower) || all_one(&self.upper)
    }

    /// The constraints on the other unknowns: each lower bound is at most each upper bound; if `dark`, by so much less that there is
    /// an integer between them.
    pub(super) fn shadow(&self, system: &System, dark: bool, work: &mut usize) -> Option<System> {
        let mut result = System::new(system.unknowns);
        let free = |row: &&Linear| is_zero(&row.coefficients[self.unknown]);
        result.inequalities.extend(system.inequalities.iter().filter(free).cloned());
        *work = work.checked_sub(self.lower.len() * self.upper.len() + result.inequalities.len())?;
        for lower in &self.lower {
            for upper in &self.upper {
                let a = &lower.coefficients[self.unknown];
                let b = -&upper.coefficients[self.unknown];
                let mut row = upper.combined(a, lower, &b);
                if dark {
                    row.constant -= (a - 1_u32) * (&b - 1_u32);
                }
                result.inequalities.push(row);
            }
        }
        Some(result)
    }
}

/// Points that are in the shadow but not in the dark one lie close above a lower bound: each such cut is looked at.
fn splinters(system: &System, bounds: &Bounds<'_>, work: &mut usize) -> Option<bool> {
    let largest = bounds.upper.iter().map(|row| -&row.coefficients[bounds.unknown]).max().unwrap_or_default();
    for lower in &bounds.lower {
        let a = &lower.coefficients[bounds.unknown];
        let last = floor_div(&(a * &largest - a - &largest), &largest);
        let mut distance = BigInt::ZERO;
        while distance <= last {
            *work = work.checked_sub(system.inequalities.len() + 1)?;
            let mut cut = system.clone();
            let mut row = (*lower).clone();
            row.constant -= &distance;
            cut.equalities.push(row);
            if has_point(cut, work)? {
                return Some(true);
            }
            distance += 1;
        }
    }
    Some(false)
}

/// The unknown whose elimination makes the fewest constraints; one that is exact, if there is any.
fn cheapest(system: &System) -> usize {
    let cost = |&unknown: &usize| {
        let bounds = Bounds::of(system, unknown);
        (!bounds.is_exact(), bounds.lower.len() * bounds.upper.len())
    };
    let used = |&unknown: &usize| system.inequalities.iter().any(|row| !is_zero(&row.coefficients[unknown]));
    (0..system.unknowns).filter(used).min_by_key(cost).unwrap_or(0)
}

/// Solves all equations, tightens inequalities, and leaves out unknowns that are bounded on one side at most.
fn normalize(mut system: System, work: &mut usize) -> Option<Normal> {
    loop {
        *work = work.checked_sub(system.equalities.len() + system.inequalities.len() + 1)?;
        while let Some(row) = system.equalities.pop() {
            let Some(row) = reduced_equality(row) else { return Some(Normal::Empty) };
            if !row.is_constant() {
                solve(&mut system, row, work)?;
            }
        }
        if !tighten(&mut system) {
            return Some(Normal::Empty);
        }
        if !system.equalities.is_empty() {
            continue;
        }
        let one_sided = (0..system.unknowns).find(|&unknown| {
            let bounds = Bounds::of(&system, unknown);
            bounds.lower.is_empty() != bounds.upper.is_empty()
        });
        let Some(unknown) = one_sided else { break };
        system.inequalities.retain(|row| is_zero(&row.coefficients[unknown]));
    }
    Some(if system.inequalities.is_empty() { Normal::NotEmpty } else { Normal::Open(system) })
}

/// Divided by what its coefficients have in common. `None` when it has no integer solution.
pub(super) fn reduced_equality(mut row: Linear) -> Option<Linear> {
    let common = common_divisor(&row.coefficients);
    if is_zero(&common) {
        return is_zero(&row.constant).then_some(row);
    }
    if !is_zero(&(&row.constant % &common)) {
        return None;
    }
    row.coefficients.iter_mut().for_each(|c| *c /= &common);
    row.constant /= &common;
    Some(row)
}

/// Uses the equation to do without one unknown. The coefficients have no divisor in common.
fn solve(system: &mut System, mut row: Linear, work: &mut usize) -> Option<()> {
    loop {
        let nonzero = (0..row.coefficients.len()).filter(|&i| !is_zero(&row.coefficients[i]));
        let pivot = nonzero.min_by_key(|&i| row.coefficients[i].magnitude().clone())?;
        let value = row.coefficients[pivot].clone();
        if value.magnitude() == &1_u32.into() {
            // x = -value * (the rest), since value is 1 or -1.
            for other in system.equalities.iter_mut().chain(&mut system.inequalities) {
                let factor = -(&other.coefficients[pivot] * &value);
                if !is_zero(&factor) {
                    *other = other.combined(&1.into(), &row, &factor);
                }
            }
            return Some(());
        }
        // In place of x stands x' = x + Σ q_i x_i, which is an integer whenever x is.
        *work = work.checked_sub(system.equalities.len() + system.inequalities.len() + 1)?;
        let quotients: Vec<BigInt> = row
            .coefficients
            .iter()
            .enumerate()
            .map(|(i, c)| if i == pivot { BigInt::ZERO } else { floor_div(c, &value) })
            .collect();
        let rows = system.equalities.iter_mut().chain(&mut system.inequalities).chain(std::iter::once(&mut row));
        for other in rows {
            let factor = other.coefficients[pivot].clone();
            if !is_zero(&factor) {
                other.coefficients.iter_mut().zip(&quotients).for_each(|(c, q)| *c -= q * &factor);
            }
        }
    }
}

/// Divides inequalities by what their coefficients have in common and rounds; keeps the tightest of those with one direction; makes
/// equations of those that touch. False when one cannot hold, or two exclude each other.
pub(super) fn tighten(system: &mut System) -> bool {
    let mut order: Vec<Vec<BigInt>> = Vec::new();
    let mut tightest: FxHashMap<Vec<BigInt>, BigInt> = FxHashMap::default();
    for mut row in std::mem::take(&mut system.inequalities) {
        let common = common_divisor(&row.coefficients);
        if is_zero(&common) {
            if row.constant < BigInt::ZERO {
                return false;
            }
            continue;
        }
        row.coefficients.iter_mut().for_each(|c| *c /= &common);
        let constant = floor_div(&row.constant, &common);
        match tightest.get_mut(&row.coefficients) {
            Some(known) if constant < *known => *known = constant,
            Some(_) => {}
            None => {
                order.push(row.coefficients.clone());
                tightest.insert(row.coefficients, constant);
            }
        }
    }
    for coefficients in order {
        let Some(constant) = tightest.get(&coefficients).cloned() else { continue };
        let opposite: Vec<BigInt> = coefficients.iter().map(|c| -c).collect();
        if let Some(other) = tightest.get(&opposite) {
            let room = &constant + other;
            if room < BigInt::ZERO {
                return false;
            }
            if is_zero(&room) {
                tightest.remove(&opposite);
                system.equalities.push(Linear { coefficients, constant });
                continue;
            }
        }
        system.inequalities.push(Linear { coefficients, constant });
    }
    true
}

/// The greatest common divisor, not negative; 0 where all are 0.
fn common_divisor(numbers: &[BigInt]) -> BigInt {
    let mut result = BigInt::ZERO;
    for number in numbers {
        let (mut a, mut b) = (result, BigInt::from(number.magnitude().clone()));
        while !is_zero(&b) {
            (a, b) = (b.clone(), a % b);
        }
        result = a;
    }
    result
}

/// The quotient rounded down.
pub(super) fn floor_div(a: &BigInt, b: &BigInt) -> BigInt {
    let (quotient, rest) = (a / b, a % b);
    if !is_zero(&rest) && (rest.sign() != b.sign()) { quotient - 1 } else { quotient }
}
