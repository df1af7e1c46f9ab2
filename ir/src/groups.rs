//! Which values of an operation an operand or result of its definition stands for.

use crate::opdef::{Arity, ValueDef};

/// How the operands, or the results, of an operation are shared out among those of its definition, as far as the definition says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Groups {
    /// Each of the definition stands for one value.
    Single,
    /// Number `at` stands for whatever is left by the others, of which there are `others` and each stands for one value.
    OneVariadic { at: u32, others: u32 },
    /// Several may stand for any number: they are as many each, or an attribute counts them. The first of them is number `first`.
    Several { first: u32 },
}

impl Groups {
    /// Those of operands or results that are defined like this.
    pub(crate) const fn of(values: &[ValueDef]) -> Self {
        let mut groups = Self::Single;
        let mut i = 0;
        while i < values.len() {
            groups = match (groups, &values[i].arity) {
                (_, Arity::Single) => groups,
                (Self::Single, _) => Self::OneVariadic { at: i as u32, others: values.len() as u32 - 1 },
                (Self::OneVariadic { at: first, .. } | Self::Several { first }, _) => Self::Several { first },
            };
            i += 1;
        }
        groups
    }

    /// Where the values of number `index` of the definition begin, and how many there are, if there are `total` in all. None where they are too few.
    /// Answers `None` for [`Groups::Several`] from the first of them on.
    #[inline]
    pub(crate) fn range(self, index: usize, total: usize) -> Option<(usize, usize)> {
        let (start, len) = match self {
            Self::Single => (index, 1),
            Self::OneVariadic { at, others } => {
                let many = total.saturating_sub(others as usize);
                match index.cmp(&(at as usize)) {
                    std::cmp::Ordering::Less => (index, 1),
                    std::cmp::Ordering::Equal => (index, many),
                    std::cmp::Ordering::Greater => (index - 1 + many, 1),
                }
            }
            Self::Several { first } if index < first as usize => (index, 1),
            Self::Several { .. } => return None,
        };
        Some(if start + len <= total { (start, len) } else { (0, 0) })
    }
}
