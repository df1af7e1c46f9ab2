//! Sums of terms with constant factors.

use std::cmp::Ordering;

/// What a factor belongs to, in the order in which sums are written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Term {
    Dim(u32),
    Symbol(u32),
    Local(u32),
}

/// A sum of distinct terms, sorted, with factors that are not zero, and a constant.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    pub(super) terms: Vec<(Term, i64)>,
    pub(super) constant: i64,
}

impl Flat {
    pub(super) fn term(term: Term) -> Self {
        Self { terms: vec![(term, 1)], constant: 0 }
    }

    pub(super) fn constant(constant: i64) -> Self {
        Self { terms: Vec::new(), constant }
    }

    /// `self + other`, unless a factor overflows.
    pub(super) fn plus(self, other: &Self) -> Option<Self> {
        let constant = self.constant.checked_add(other.constant)?;
        if self.terms.is_empty() {
            return Some(Self { terms: other.terms.clone(), constant });
        }
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.into_iter().peekable(), other.terms.iter().copied().peekable());
        while let (Some(&(a, x)), Some(&(b, y))) = (left.peek(), right.peek()) {
            let sum = match a.cmp(&b) {
                Ordering::Less => left.next().map(|(_, factor)| factor),
                Ordering::Greater => right.next().map(|(_, factor)| factor),
                Ordering::Equal => {
                    left.next();
                    right.next();
                    x.checked_add(y)
                }
            }?;
            if sum != 0 {
                terms.push((a.min(b), sum));
            }
        }
        terms.extend(left);
        terms.extend(right);
        Some(Self { terms, constant })
    }

    /// `self * factor`, unless a factor overflows.
    pub(super) fn times(mut self, factor: i64) -> Option<Self> {
        if factor == 0 {
            return Some(Self::constant(0));
        }
        for (_, own) in &mut self.terms {
            *own = own.checked_mul(factor)?;
        }
        self.constant = self.constant.checked_mul(factor)?;
        Some(self)
    }

    /// `self / divisor`, which must divide every factor.
    pub(super) fn divided_by(&self, divisor: i64) -> Self {
        let terms = self.terms.iter().map(|(term, factor)| (*term, factor / divisor)).collect();
        Self { terms, constant: self.constant / divisor }
    }

    /// Whether every factor and the constant are multiples of `divisor`, which is positive.
    pub(super) fn is_multiple_of(&self, divisor: i64) -> bool {
        self.factors().all(|factor| factor % divisor == 0)
    }

    /// The greatest common divisor of all factors, the constant and `number`, which is positive.
    pub(super) fn common_divisor(&self, number: i64) -> i64 {
        self.factors().fold(number, |mut a, factor| {
            // The remainder makes the magnitude fit even for the smallest factor.
            let mut b = (factor % a).abs();
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        })
    }

    fn factors(&self) -> impl Iterator<Item = i64> {
        self.terms.iter().map(|(_, factor)| *factor).chain([self.constant])
    }
}
