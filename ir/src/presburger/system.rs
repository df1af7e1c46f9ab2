//! Constraints and lists of them.

use num_bigint::BigInt;

/// `Σ coefficients[i] * x_i + constant`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Linear {
    /// One for each unknown.
    pub coefficients: Vec<BigInt>,
    /// What is added.
    pub constant: BigInt,
}

impl Linear {
    /// From small numbers.
    pub fn new(coefficients: &[i64], constant: i64) -> Self {
        Self { coefficients: coefficients.iter().map(|&c| c.into()).collect(), constant: constant.into() }
    }

    /// The number `constant`, as a sum over `count` unknowns.
    pub fn constant(count: usize, constant: impl Into<BigInt>) -> Self {
        Self { coefficients: vec![BigInt::ZERO; count], constant: constant.into() }
    }

    /// The unknown `index` of `count`.
    pub fn unknown(count: usize, index: usize) -> Self {
        let mut result = Self::constant(count, 0);
        result.coefficients[index] = 1.into();
        result
    }

    /// Its value where unknown i is `point[i]`.
    pub fn value(&self, point: &[BigInt]) -> BigInt {
        self.coefficients.iter().zip(point).map(|(c, x)| c * x).sum::<BigInt>() + &self.constant
    }

    /// `self * factor + other * times`.
    #[must_use]
    pub fn combined(&self, factor: &BigInt, other: &Self, times: &BigInt) -> Self {
        let pairs = self.coefficients.iter().zip(&other.coefficients);
        Self {
            coefficients: pairs.map(|(a, b)| a * factor + b * times).collect(),
            constant: &self.constant * factor + &other.constant * times,
        }
    }

    /// `-self - 1`: of the two inequalities `self >= 0` and this `>= 0`, exactly one holds at each point.
    #[must_use]
    pub fn complement(&self) -> Self {
        Self { coefficients: self.coefficients.iter().map(|c| -c).collect(), constant: -&self.constant - 1 }
    }

    /// Whether no unknown counts.
    pub(super) fn is_constant(&self) -> bool {
        self.coefficients.iter().all(is_zero)
    }

    /// The same with `count` unknowns; those that are new do not count.
    pub(super) fn widened(mut self, count: usize) -> Self {
        self.coefficients.resize(count, BigInt::ZERO);
        self
    }
}

/// Integer points that satisfy equations `e == 0` and inequalities `e >= 0`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct System {
    pub(super) unknowns: usize,
    pub(super) equalities: Vec<Linear>,
    pub(super) inequalities: Vec<Linear>,
}

impl System {
    /// All points with so many coordinates.
    pub fn new(unknowns: usize) -> Self {
        Self { unknowns, ..Self::default() }
    }

    /// How many unknowns there are.
    pub fn unknowns(&self) -> usize {
        self.unknowns
    }

    /// The left sides of the equations.
    pub fn equalities(&self) -> &[Linear] {
        &self.equalities
    }

    /// The left sides of the inequalities.
    pub fn inequalities(&self) -> &[Linear] {
        &self.inequalities
    }

    /// Adds an unknown, about which nothing is said yet, and answers its index.
    pub fn add_unknown(&mut self) -> usize {
        self.unknowns += 1;
        for row in self.equalities.iter_mut().chain(&mut self.inequalities) {
            row.coefficients.push(BigInt::ZERO);
        }
        self.unknowns - 1
    }

    /// Adds `expression == 0`. Unknowns that it does not mention do not count.
    pub fn add_equality(&mut self, expression: Linear) -> &mut Self {
        debug_assert!(expression.coefficients.len() <= self.unknowns, "an unknown that the system does not have");
        self.equalities.push(expression.widened(self.unknowns));
        self
    }

    /// Adds `expression >= 0`. Unknowns that it does not mention do not count.
    pub fn add_inequality(&mut self, expression: Linear) -> &mut Self {
        debug_assert!(expression.coefficients.len() <= self.unknowns, "an unknown that the system does not have");
        self.inequalities.push(expression.widened(self.unknowns));
        self
    }

    /// Whether the point satisfies everything.
    pub fn contains(&self, point: &[BigInt]) -> bool {
        self.equalities.iter().all(|row| is_zero(&row.value(point)))
            && self.inequalities.iter().all(|row| row.value(point) >= BigInt::ZERO)
    }

    /// Whether `expression >= 0` at every point of the system. `None` when that takes too much work to find out.
    pub fn implies(&self, expression: &Linear) -> Option<bool> {
        let mut counterexamples = self.clone();
        counterexamples.add_inequality(expression.complement());
        counterexamples.is_empty()
    }

    /// Whether `expression == 0` at every point of the system. `None` as for [`implies`](Self::implies).
    pub fn implies_equality(&self, expression: &Linear) -> Option<bool> {
        let negated = expression.complement().combined(&1.into(), &Linear::constant(self.unknowns, 1), &1.into());
        Some(self.implies(expression)? && self.implies(&negated)?)
    }
}

pub(super) fn is_zero(number: &BigInt) -> bool {
    *number == BigInt::ZERO
}
