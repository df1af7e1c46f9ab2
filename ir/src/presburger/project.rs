//! Projections: what a system says of some of its unknowns.

use super::omega::{Bounds, reduced_equality, tighten};
use super::system::{Linear, System, is_zero};

/// How many constraints a projection may make.
const MOST_WORK: usize = 50_000;

/// The shadow of a system on fewer unknowns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Projection {
    /// The constraints on the unknowns that are left.
    pub system: System,
    /// Whether above each of its points there is one of the projected system. Otherwise it may have more.
    pub is_exact: bool,
}

impl System {
    /// What the system says of the other unknowns: the constraints that hold wherever there is a value of `unknown` for which all of this
    /// system holds. The indices of later unknowns are one less. `None` when that takes too many constraints.
    ///
    /// # Panics
    /// When there is no such unknown.
    pub fn without(&self, unknown: usize) -> Option<Projection> {
        assert!(unknown < self.unknowns, "unknown {unknown} of {}", self.unknowns);
        let mut system = self.clone();
        // An equation that has the unknown once says what it is, and the others follow from the rest.
        let solved = system.equalities.iter().position(|row| {
            reduced_equality(row.clone()).is_some_and(|row| row.coefficients[unknown].magnitude() == &1_u32.into())
        });
        let mut is_exact = true;
        if let Some(row) = solved.and_then(|at| reduced_equality(system.equalities.remove(at))) {
            let sign = row.coefficients[unknown].clone();
            for other in system.equalities.iter_mut().chain(&mut system.inequalities) {
                let factor = -(&other.coefficients[unknown] * &sign);
                *other = other.combined(&1.into(), &row, &factor);
            }
        } else {
            let (with, without): (Vec<Linear>, Vec<Linear>) =
                system.equalities.into_iter().partition(|row| !is_zero(&row.coefficients[unknown]));
            system.equalities = without;
            for row in with {
                let negated = row.complement();
                let negated = Linear { constant: negated.constant + 1, ..negated };
                system.inequalities.extend([row, negated]);
            }
            let bounds = Bounds::of(&system, unknown);
            is_exact = bounds.is_exact();
            let mut work = MOST_WORK;
            let shadow = bounds.shadow(&system, false, &mut work)?;
            system.inequalities = shadow.inequalities;
        }
        if !tighten(&mut system) {
            system.equalities = Vec::new();
            system.inequalities = vec![Linear::constant(self.unknowns, -1)];
        }
        for row in system.equalities.iter_mut().chain(&mut system.inequalities) {
            row.coefficients.remove(unknown);
        }
        system.unknowns -= 1;
        Some(Projection { system, is_exact })
    }
}
