//! Making expressions, simplified as upstream does it.

use super::{AffineExpr, AffineExprData, AffineOp, AffineStore, ExprEntry, Facts};
use AffineExprData::{Binary, Constant, Dim, Symbol};

/// Stack that one step of a recursive rule needs at most, and what is added when less is left.
const RED_ZONE: usize = 32 * 1024;
const STACK_STEP: usize = 1024 * 1024;

/// How many right operands deep a sum is searched for a term to simplify with.
const TERM_DEPTH: u32 = 64;

/// Making expressions.
impl AffineStore {
    /// The dimension of this number, from 0.
    pub fn dim(&self, position: u32) -> AffineExpr {
        self.intern(Dim(position))
    }

    /// The symbol of this number, from 0.
    pub fn symbol(&self, position: u32) -> AffineExpr {
        self.intern(Symbol(position))
    }

    /// The constant of this value.
    pub fn constant(&self, value: i64) -> AffineExpr {
        self.intern(Constant(value))
    }

    /// Dimensions 0 to `count`.
    pub fn dims(&self, count: u32) -> Vec<AffineExpr> {
        (0..count).map(|position| self.dim(position)).collect()
    }

    /// Symbols 0 to `count`.
    pub fn symbols(&self, count: u32) -> Vec<AffineExpr> {
        (0..count).map(|position| self.symbol(position)).collect()
    }

    /// The operation on two expressions. A product of two expressions with dimensions, or a division by one, is made as
    /// it stands; it is the caller's to reject it.
    pub fn binary(&self, op: AffineOp, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        let simplified = match op {
            AffineOp::Add => self.simplify_add(lhs, rhs, TERM_DEPTH),
            AffineOp::Mul => self.simplify_mul(lhs, rhs),
            AffineOp::Mod => self.simplify_mod(lhs, rhs),
            AffineOp::FloorDiv => self.simplify_floordiv(lhs, rhs),
            AffineOp::CeilDiv => self.simplify_ceildiv(lhs, rhs),
        };
        simplified.unwrap_or_else(|| self.intern(Binary { op, lhs, rhs }))
    }

    /// The expression `lhs + rhs`, simplified as [`binary`](Self::binary) does.
    pub fn add(&self, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        self.binary(AffineOp::Add, lhs, rhs)
    }

    /// `lhs - rhs`, which is `lhs + rhs * -1`.
    pub fn sub(&self, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        self.add(lhs, self.neg(rhs))
    }

    /// `-expr`, which is `expr * -1`.
    pub fn neg(&self, expr: AffineExpr) -> AffineExpr {
        self.mul_constant(expr, -1)
    }

    /// The expression `lhs * rhs`, simplified as [`binary`](Self::binary) does.
    pub fn mul(&self, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        self.binary(AffineOp::Mul, lhs, rhs)
    }

    /// The expression `lhs mod rhs`, simplified as [`binary`](Self::binary) does.
    pub fn modulo(&self, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        self.binary(AffineOp::Mod, lhs, rhs)
    }

    /// The expression `lhs floordiv rhs`, simplified as [`binary`](Self::binary) does.
    pub fn floordiv(&self, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        self.binary(AffineOp::FloorDiv, lhs, rhs)
    }

    /// The expression `lhs ceildiv rhs`, simplified as [`binary`](Self::binary) does.
    pub fn ceildiv(&self, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        self.binary(AffineOp::CeilDiv, lhs, rhs)
    }

    /// The expression `expr + value`, simplified as [`binary`](Self::binary) does.
    pub fn add_constant(&self, expr: AffineExpr, value: i64) -> AffineExpr {
        self.add(expr, self.constant(value))
    }

    /// The expression `expr * value`, simplified as [`binary`](Self::binary) does.
    pub fn mul_constant(&self, expr: AffineExpr, value: i64) -> AffineExpr {
        self.mul(expr, self.constant(value))
    }

    fn intern(&self, data: AffineExprData) -> AffineExpr {
        let make = || ExprEntry { data, facts: self.facts_of(data) };
        AffineExpr::from_index(self.exprs.intern_with(&data, make))
    }

    fn facts_of(&self, data: AffineExprData) -> Facts {
        let leaf = Facts { dims: 0, symbols: 0, size: 1, pure_affine: true, divisor: 1 };
        match data {
            Dim(position) => Facts { dims: position.saturating_add(1), ..leaf },
            Symbol(position) => Facts { symbols: position.saturating_add(1), ..leaf },
            Constant(value) => Facts { divisor: value.unsigned_abs(), ..leaf },
            Binary { op, lhs, rhs } => {
                let (a, b) = (self.facts(lhs), self.facts(rhs));
                let constant = self.constant_value(rhs);
                Facts {
                    dims: a.dims.max(b.dims),
                    symbols: a.symbols.max(b.symbols),
                    size: a.size.saturating_add(b.size).saturating_add(1),
                    pure_affine: a.pure_affine
                        && b.pure_affine
                        && match op {
                            AffineOp::Add => true,
                            AffineOp::Mul => constant.is_some() || self.constant_value(lhs).is_some(),
                            AffineOp::Mod | AffineOp::FloorDiv | AffineOp::CeilDiv => constant.is_some(),
                        },
                    divisor: match (op, constant) {
                        (AffineOp::Add | AffineOp::Mod, _) => gcd(a.divisor, b.divisor),
                        (AffineOp::Mul, _) => a.divisor.checked_mul(b.divisor).unwrap_or(a.divisor),
                        (_, Some(divisor)) if divides(divisor, a.divisor) => a.divisor / divisor.unsigned_abs(),
                        _ => 1,
                    },
                }
            }
        }
    }
}

/// The rules. `None` means that none applies: the operands stay as they are.
impl AffineStore {
    /// `depth` bounds how far into the right operands of `lhs` a term is sought that `rhs` simplifies with.
    fn simplify_add(&self, lhs: AffineExpr, rhs: AffineExpr, depth: u32) -> Option<AffineExpr> {
        if let (Some(a), Some(b)) = (self.constant_value(lhs), self.constant_value(rhs)) {
            return a.checked_add(b).map(|sum| self.constant(sum));
        }
        if self.belongs_on_the_right(lhs, rhs) {
            return Some(self.add(rhs, lhs));
        }
        let rhs_constant = self.constant_value(rhs);
        if rhs_constant == Some(0) {
            return Some(lhs);
        }
        let lhs_sum = self.with_constant(lhs, AffineOp::Add);
        if let (Some((expr, a)), Some(b)) = (lhs_sum, rhs_constant) {
            return a.checked_add(b).map(|sum| self.add_constant(expr, sum));
        }

        // e * a + e * b = e * (a + b), where either factor may be an unwritten one.
        let (lhs_term, a) = self.with_constant(lhs, AffineOp::Mul).unwrap_or((lhs, 1));
        let (rhs_term, b) = self.with_constant(rhs, AffineOp::Mul).unwrap_or((rhs, 1));
        if lhs_term == rhs_term
            && let Some(factor) = a.checked_add(b)
        {
            return Some(self.mul_constant(lhs_term, factor));
        }

        // (e + c) + f = (e + f) + c. Where constants pile up because their sum overflows, they stay.
        if let Some((expr, constant)) = lhs_sum
            && rhs_constant.is_none()
            && self.with_constant(expr, AffineOp::Add).is_none()
        {
            return Some(self.add_constant(self.add(expr, rhs), constant));
        }
        self.simplify_quotient_term(lhs, rhs, depth)
    }

    /// The rules for `lhs + (e floordiv q) * f`. Where f = -q and `lhs` is e, or ends in e, they give `e mod q`.
    fn simplify_quotient_term(&self, lhs: AffineExpr, rhs: AffineExpr, depth: u32) -> Option<AffineExpr> {
        let (product, factor) = self.operands(rhs, AffineOp::Mul)?;
        if self.constant_value(factor) == Some(-1)
            && let Some((quotient, factor)) = self.operands(product, AffineOp::Mul)
        {
            // ((e floordiv s) * s) * -1
            let found = self.operands(quotient, AffineOp::FloorDiv) == Some((lhs, factor));
            return found.then(|| self.modulo(lhs, factor));
        }
        let (dividend, divisor) = self.operands(product, AffineOp::FloorDiv)?;
        let positive = self.constant_value(divisor).is_some_and(|value| value > 0);
        if positive && dividend == lhs && factor == self.neg(divisor) {
            return Some(self.modulo(lhs, divisor));
        }
        let (first, last) = self.operands(lhs, AffineOp::Add)?;
        let simplified = self.simplify_add(last, rhs, depth.checked_sub(1)?)?;
        Some(self.add(first, simplified))
    }

    fn simplify_mul(&self, lhs: AffineExpr, rhs: AffineExpr) -> Option<AffineExpr> {
        if let (Some(a), Some(b)) = (self.constant_value(lhs), self.constant_value(rhs)) {
            return a.checked_mul(b).map(|product| self.constant(product));
        }
        if !self.is_symbolic_or_constant(lhs) && !self.is_symbolic_or_constant(rhs) {
            return None;
        }
        if self.belongs_on_the_right(lhs, rhs) {
            return Some(self.mul(rhs, lhs));
        }
        let rhs_constant = self.constant_value(rhs);
        match rhs_constant {
            Some(1) => return Some(lhs),
            Some(0) => return Some(rhs),
            _ => {}
        }
        let (expr, a) = self.with_constant(lhs, AffineOp::Mul)?;
        match rhs_constant {
            Some(b) => a.checked_mul(b).map(|product| self.mul_constant(expr, product)),
            // (e * c) * s = (e * s) * c. Where constants pile up because their product overflows, they stay.
            None if self.with_constant(expr, AffineOp::Mul).is_none() => {
                Some(self.mul_constant(self.mul(expr, rhs), a))
            }
            None => None,
        }
    }

    /// Whether the operands of a commutative operation are in the wrong order.
    fn belongs_on_the_right(&self, lhs: AffineExpr, rhs: AffineExpr) -> bool {
        match (self.expr(lhs), self.expr(rhs)) {
            (Constant(_), _) => true,
            (Dim(a), Dim(b)) | (Symbol(a), Symbol(b)) => a > b,
            _ => self.is_symbolic_or_constant(lhs) && !self.is_symbolic_or_constant(rhs),
        }
    }

    fn simplify_floordiv(&self, lhs: AffineExpr, rhs: AffineExpr) -> Option<AffineExpr> {
        if let Some(simplified) = self.simplify_division(AffineOp::FloorDiv, lhs, rhs) {
            return Some(simplified);
        }
        // (a + b) floordiv c = a floordiv c + b floordiv c, when one of them is a multiple of c.
        let divisor = self.constant_value(rhs)?;
        let (a, b) = self.operands(lhs, AffineOp::Add)?;
        if !divides(divisor, self.known_divisor(a)) && !divides(divisor, self.known_divisor(b)) {
            return None;
        }
        stacker::maybe_grow(RED_ZONE, STACK_STEP, || Some(self.add(self.floordiv(a, rhs), self.floordiv(b, rhs))))
    }

    fn simplify_ceildiv(&self, lhs: AffineExpr, rhs: AffineExpr) -> Option<AffineExpr> {
        self.simplify_division(AffineOp::CeilDiv, lhs, rhs)
    }

    /// What both ways of rounding have in common.
    fn simplify_division(&self, op: AffineOp, lhs: AffineExpr, rhs: AffineExpr) -> Option<AffineExpr> {
        let divisor = self.constant_value(rhs)?;
        if divisor == 1 {
            return Some(lhs);
        }
        if let Some(dividend) = self.constant_value(lhs) {
            return op.eval(dividend, divisor).map(|quotient| self.constant(quotient));
        }
        let (expr, factor) = self.with_constant(lhs, AffineOp::Mul)?;
        match (factor.checked_div(divisor), factor.checked_rem(divisor)) {
            (Some(quotient), Some(0)) => Some(self.mul_constant(expr, quotient)),
            _ => None,
        }
    }

    fn simplify_mod(&self, lhs: AffineExpr, rhs: AffineExpr) -> Option<AffineExpr> {
        let modulus = self.constant_value(rhs).filter(|modulus| *modulus >= 1)?;
        let mut expr = lhs;
        loop {
            if let Some(value) = self.constant_value(expr) {
                return Some(self.constant(value.rem_euclid(modulus)));
            }
            if divides(modulus, self.known_divisor(expr)) {
                return Some(self.constant(0));
            }
            // Multiples of the modulus drop out of a sum, and so does an inner modulus that is one.
            expr = if let Some((a, b)) = self.operands(expr, AffineOp::Add) {
                if divides(modulus, self.known_divisor(a)) {
                    b
                } else if divides(modulus, self.known_divisor(b)) {
                    a
                } else {
                    break;
                }
            } else if let Some((inner, outer)) = self.with_constant(expr, AffineOp::Mod)
                && outer >= 1
                && outer % modulus == 0
            {
                inner
            } else {
                break;
            };
        }
        (expr != lhs).then(|| self.intern(Binary { op: AffineOp::Mod, lhs: expr, rhs }))
    }
}

/// Whether `divisor`, which is not zero, divides every multiple of `known`.
fn divides(divisor: i64, known: u64) -> bool {
    divisor != 0 && known.is_multiple_of(divisor.unsigned_abs())
}

/// The greatest common divisor; that of zero and a number is the number.
fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
