//! What the predicates of `cmpi` and `cmpf` say.

use std::cmp::Ordering;

use dl_ir::number::ApInt;

use crate::{CmpFPredicate, CmpIPredicate};

impl CmpIPredicate {
    /// The predicate that holds where this one does not.
    pub fn inverted(self) -> Self {
        match self {
            Self::Eq => Self::Ne,
            Self::Ne => Self::Eq,
            Self::Slt => Self::Sge,
            Self::Sle => Self::Sgt,
            Self::Sgt => Self::Sle,
            Self::Sge => Self::Slt,
            Self::Ult => Self::Uge,
            Self::Ule => Self::Ugt,
            Self::Ugt => Self::Ule,
            Self::Uge => Self::Ult,
        }
    }

    /// The predicate that says the same of exchanged operands.
    pub fn swapped(self) -> Self {
        match self {
            Self::Eq | Self::Ne => self,
            Self::Slt => Self::Sgt,
            Self::Sle => Self::Sge,
            Self::Sgt => Self::Slt,
            Self::Sge => Self::Sle,
            Self::Ult => Self::Ugt,
            Self::Ule => Self::Uge,
            Self::Ugt => Self::Ult,
            Self::Uge => Self::Ule,
        }
    }

    /// Whether it reads its operands as signed numbers.
    pub fn is_signed(self) -> bool {
        matches!(self, Self::Slt | Self::Sle | Self::Sgt | Self::Sge)
    }

    /// Whether it reads its operands as unsigned numbers.
    pub fn is_unsigned(self) -> bool {
        matches!(self, Self::Ult | Self::Ule | Self::Ugt | Self::Uge)
    }

    /// Its value for equal operands.
    pub fn holds_for_equal(self) -> bool {
        matches!(self, Self::Eq | Self::Sle | Self::Sge | Self::Ule | Self::Uge)
    }

    /// Its value for two numbers of one width.
    pub fn holds(self, a: &ApInt, b: &ApInt) -> bool {
        match self {
            Self::Eq => a == b,
            Self::Ne => a != b,
            Self::Slt => a.slt(b),
            Self::Sle => a.sle(b),
            Self::Sgt => a.sgt(b),
            Self::Sge => a.sge(b),
            Self::Ult => a.ult(b),
            Self::Ule => a.ule(b),
            Self::Ugt => a.ugt(b),
            Self::Uge => a.uge(b),
        }
    }
}

impl CmpFPredicate {
    /// The predicate that holds exactly where this one does not, NaN included.
    #[must_use]
    pub fn inverted(self) -> Self {
        match self {
            Self::AlwaysFalse => Self::AlwaysTrue,
            Self::Oeq => Self::Une,
            Self::Ogt => Self::Ule,
            Self::Oge => Self::Ult,
            Self::Olt => Self::Uge,
            Self::Ole => Self::Ugt,
            Self::One => Self::Ueq,
            Self::Ord => Self::Uno,
            Self::Ueq => Self::One,
            Self::Ugt => Self::Ole,
            Self::Uge => Self::Olt,
            Self::Ult => Self::Oge,
            Self::Ule => Self::Ogt,
            Self::Une => Self::Oeq,
            Self::Uno => Self::Ord,
            Self::AlwaysTrue => Self::AlwaysFalse,
        }
    }

    /// The predicate that holds for the operands in the other order.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Self::Ogt => Self::Olt,
            Self::Oge => Self::Ole,
            Self::Olt => Self::Ogt,
            Self::Ole => Self::Oge,
            Self::Ugt => Self::Ult,
            Self::Uge => Self::Ule,
            Self::Ult => Self::Ugt,
            Self::Ule => Self::Uge,
            same => same,
        }
    }

    /// Its value for operands in this order; `None` when one is NaN.
    pub fn holds(self, order: Option<Ordering>) -> bool {
        use Ordering::{Equal, Greater, Less};
        let Some(order) = order else {
            return self.value() >= Self::Ueq.value();
        };
        match self {
            Self::AlwaysFalse | Self::Uno => false,
            Self::AlwaysTrue | Self::Ord => true,
            Self::Oeq | Self::Ueq => order == Equal,
            Self::One | Self::Une => order != Equal,
            Self::Ogt | Self::Ugt => order == Greater,
            Self::Oge | Self::Uge => order != Less,
            Self::Olt | Self::Ult => order == Less,
            Self::Ole | Self::Ule => order != Greater,
        }
    }
}
