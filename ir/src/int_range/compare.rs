//! Comparisons.

use super::IntRange;

/// What two integers are compared for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less, read signed.
    Slt,
    /// Less or equal, read signed.
    Sle,
    /// Less, read unsigned.
    Ult,
    /// Less or equal, read unsigned.
    Ule,
}

impl Relation {
    fn always(self, lhs: &IntRange, rhs: &IntRange) -> bool {
        match self {
            Self::Eq => lhs.single().is_some_and(|value| Some(value) == rhs.single()),
            Self::Ne => {
                let apart_signed = lhs.smax.slt(&rhs.smin) || rhs.smax.slt(&lhs.smin);
                let apart_unsigned = lhs.umax.ult(&rhs.umin) || rhs.umax.ult(&lhs.umin);
                apart_signed && apart_unsigned
            }
            Self::Slt => lhs.smax.slt(&rhs.smin),
            Self::Sle => lhs.smax.sle(&rhs.smin),
            Self::Ult => lhs.umax.ult(&rhs.umin),
            Self::Ule => lhs.umax.ule(&rhs.umin),
        }
    }
}

/// Whether `relation` holds of all numbers in two ranges, or of none; `None` where that depends.
pub fn holds(relation: Relation, lhs: &IntRange, rhs: &IntRange) -> Option<bool> {
    let never = match relation {
        Relation::Eq => Relation::Ne.always(lhs, rhs),
        Relation::Ne => Relation::Eq.always(lhs, rhs),
        Relation::Slt => Relation::Sle.always(rhs, lhs),
        Relation::Sle => Relation::Slt.always(rhs, lhs),
        Relation::Ult => Relation::Ule.always(rhs, lhs),
        Relation::Ule => Relation::Ult.always(rhs, lhs),
    };
    if relation.always(lhs, rhs) { Some(true) } else { never.then_some(false) }
}
