//! Affine expressions, maps and integer sets, interned in an [`AffineStore`].
//!
//! An expression is built from dimensions `d0`, symbols `s0`, 64-bit constants, sums, products, and `mod`, `floordiv` and
//! `ceildiv`. It is simplified when it is made, by the rules that upstream uses, so that equal text prints alike; equal
//! handles mean equal expressions, but equal functions may have different handles. [`AffineStore::simplify_expr`] goes further.
//!
//! # Invariants
//! * Handles are valid in the store that made them. A [`Context`](crate::Context) owns one.
//! * In a sum or product a constant stands on the right, and a symbolic part right of one with dimensions; where two plain
//!   dimensions or symbols meet, the lower number stands on the left.
//! * A rule whose arithmetic would overflow is not applied. Evaluation is checked.
//! * No walk recurses deeper than a fixed bound without growing the stack, and shared parts are visited once.
//!
//! `mod` by less than one, and division by zero, are undefined: they are kept as written and do not evaluate.
//!
//! Source of the meaning: the MLIR language reference (LLVM 22), "Affine Dialect"; of the simplified forms: the behaviour
//! of `mlir-opt`.

mod build;
mod fold;
mod linear;
mod map;
mod print;
mod projection;
mod set;
mod simplify;

#[cfg(test)]
mod tests;

use std::hash::{Hash, Hasher};

use hashbrown::Equivalent;

pub use linear::{LinearForm, StridedForm};
pub use print::AffineId;
pub use set::Constraint;

use crate::entity::define_id;
use crate::interner::Interner;

define_id! {
    /// An interned affine expression of an [`AffineStore`].
    AffineExpr
}
define_id! {
    /// An interned affine map of an [`AffineStore`]: `(d0, d1)[s0] -> (d0 + s0, d1)`.
    AffineMap
}
define_id! {
    /// An interned integer set of an [`AffineStore`]: `(d0)[s0] : (d0 >= 0, s0 - d0 - 1 >= 0)`.
    IntegerSet
}

/// The operation of a binary expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AffineOp {
    /// Sum.
    Add,
    /// Product; one side is symbolic in a valid expression.
    Mul,
    /// Remainder of `floordiv`, from zero to less than the modulus, which must be positive.
    Mod,
    /// Quotient rounded down.
    FloorDiv,
    /// Quotient rounded up.
    CeilDiv,
}

impl AffineOp {
    /// Applies the operation. `None` on overflow and where it is undefined.
    pub const fn eval(self, lhs: i64, rhs: i64) -> Option<i64> {
        match self {
            Self::Add => lhs.checked_add(rhs),
            Self::Mul => lhs.checked_mul(rhs),
            Self::Mod if rhs < 1 => None,
            Self::Mod => Some(lhs.rem_euclid(rhs)),
            Self::FloorDiv | Self::CeilDiv => {
                let (Some(quotient), Some(remainder)) = (lhs.checked_div(rhs), lhs.checked_rem(rhs)) else {
                    return None;
                };
                let below = remainder != 0 && (remainder < 0) != (rhs < 0);
                let above = remainder != 0 && !below;
                match self {
                    Self::FloorDiv if below => Some(quotient - 1),
                    Self::CeilDiv if above => Some(quotient + 1),
                    _ => Some(quotient),
                }
            }
        }
    }
}

/// What an expression is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AffineExprData {
    /// `d0`, `d1` ...
    Dim(u32),
    /// `s0`, `s1` ...
    Symbol(u32),
    /// A number.
    Constant(i64),
    /// An operation on two expressions.
    Binary {
        /// The operation.
        op: AffineOp,
        /// Left operand.
        lhs: AffineExpr,
        /// Right operand.
        rhs: AffineExpr,
    },
}

/// What a map is made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AffineMapData {
    /// Number of dimensions that the map takes.
    pub num_dims: u32,
    /// Number of symbols that the map takes.
    pub num_symbols: u32,
    /// The results.
    pub results: Box<[AffineExpr]>,
}

impl AffineMapData {
    /// Dimensions and symbols together.
    pub fn num_inputs(&self) -> u32 {
        self.num_dims + self.num_symbols
    }
}

/// What an integer set is made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct IntegerSetData {
    /// Number of dimensions that the set takes.
    pub num_dims: u32,
    /// Number of symbols that the set takes.
    pub num_symbols: u32,
    /// The conditions, all of which hold for the points of the set. Never empty.
    pub constraints: Box<[Constraint]>,
}

/// The tables of one [`Context`](crate::Context).
#[derive(Default)]
pub struct AffineStore {
    exprs: Interner<ExprEntry>,
    maps: Interner<AffineMapData>,
    sets: Interner<IntegerSetData>,
}

/// An expression with what is asked of it so often that it is worked out once.
#[derive(Debug)]
struct ExprEntry {
    data: AffineExprData,
    facts: Facts,
}

#[derive(Clone, Copy, Debug)]
struct Facts {
    /// One more than the highest dimension, or zero.
    dims: u32,
    /// One more than the highest symbol, or zero.
    symbols: u32,
    /// Nodes of the expression as a tree, as far as they can be counted.
    size: u32,
    /// Whether the expression needs no symbolic product, modulus or divisor.
    pure_affine: bool,
    /// A number that divides every value; zero when the value is always zero.
    divisor: u64,
}

impl PartialEq for ExprEntry {
    fn eq(&self, other: &Self) -> bool {
        self.data == other.data
    }
}

impl Eq for ExprEntry {}

impl Hash for ExprEntry {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.data.hash(state);
    }
}

impl Equivalent<ExprEntry> for AffineExprData {
    fn equivalent(&self, entry: &ExprEntry) -> bool {
        *self == entry.data
    }
}

/// Looking things up.
impl AffineStore {
    /// What `expr` is made of.
    #[inline]
    pub fn expr(&self, expr: AffineExpr) -> AffineExprData {
        self.exprs.get(expr.index()).data
    }

    /// What `map` is made of.
    #[inline]
    pub fn map(&self, map: AffineMap) -> &AffineMapData {
        self.maps.get(map.index())
    }

    /// What `set` is made of.
    #[inline]
    pub fn set(&self, set: IntegerSet) -> &IntegerSetData {
        self.sets.get(set.index())
    }

    /// The value of a constant expression.
    #[inline]
    pub fn constant_value(&self, expr: AffineExpr) -> Option<i64> {
        match self.expr(expr) {
            AffineExprData::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The number of the dimension that the expression consists of.
    #[inline]
    pub fn dim_position(&self, expr: AffineExpr) -> Option<u32> {
        match self.expr(expr) {
            AffineExprData::Dim(position) => Some(position),
            _ => None,
        }
    }

    /// The number of the symbol that the expression consists of.
    #[inline]
    pub fn symbol_position(&self, expr: AffineExpr) -> Option<u32> {
        match self.expr(expr) {
            AffineExprData::Symbol(position) => Some(position),
            _ => None,
        }
    }

    /// The operands of a binary expression with this operation.
    fn operands(&self, expr: AffineExpr, expected: AffineOp) -> Option<(AffineExpr, AffineExpr)> {
        match self.expr(expr) {
            AffineExprData::Binary { op, lhs, rhs } if op == expected => Some((lhs, rhs)),
            _ => None,
        }
    }

    /// The expression and the constant of a binary expression with this operation and a constant on the right.
    fn with_constant(&self, expr: AffineExpr, expected: AffineOp) -> Option<(AffineExpr, i64)> {
        let (lhs, rhs) = self.operands(expr, expected)?;
        Some((lhs, self.constant_value(rhs)?))
    }

    #[inline]
    fn facts(&self, expr: AffineExpr) -> Facts {
        self.exprs.get(expr.index()).facts
    }
}

/// Properties of expressions, each known in constant time.
impl AffineStore {
    /// Whether no dimension occurs.
    pub fn is_symbolic_or_constant(&self, expr: AffineExpr) -> bool {
        self.facts(expr).dims == 0
    }

    /// Whether every product has a constant factor and every modulus and divisor is constant.
    pub fn is_pure_affine(&self, expr: AffineExpr) -> bool {
        self.facts(expr).pure_affine
    }

    /// The highest dimension that occurs.
    pub fn max_dim(&self, expr: AffineExpr) -> Option<u32> {
        self.facts(expr).dims.checked_sub(1)
    }

    /// The highest symbol that occurs.
    pub fn max_symbol(&self, expr: AffineExpr) -> Option<u32> {
        self.facts(expr).symbols.checked_sub(1)
    }

    /// A number that divides the value whatever the inputs are, the largest one that is easily seen. Zero when the value
    /// is always zero.
    pub fn known_divisor(&self, expr: AffineExpr) -> u64 {
        self.facts(expr).divisor
    }
}
