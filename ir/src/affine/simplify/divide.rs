//! Cancelling a symbol that divides a dividend: `(d0 * s0 + s0) floordiv s0` is `d0 + 1`.

use crate::affine::{AffineExpr, AffineExprData, AffineOp, AffineStore};

impl AffineStore {
    /// The expression with every division by a symbol carried out where the dividend is seen to be a multiple of it.
    pub(super) fn cancel_symbolic_divisors(&self, expr: AffineExpr) -> AffineExpr {
        self.fold(expr, &mut |leaf| leaf, &mut |_, op, lhs, rhs| {
            if matches!(op, AffineOp::Mod | AffineOp::FloorDiv | AffineOp::CeilDiv)
                && self.symbol_position(rhs).is_some()
                && let Some(quotient) = self.quotient_by_symbol(lhs, rhs)
            {
                return if op == AffineOp::Mod { self.constant(0) } else { quotient };
            }
            self.binary(op, lhs, rhs)
        })
    }

    /// `expr / symbol` when `expr` is a sum of products that have the symbol as a factor. Upstream looks into quotients and
    /// remainders too, which is wrong for a negative symbol.
    fn quotient_by_symbol(&self, expr: AffineExpr, symbol: AffineExpr) -> Option<AffineExpr> {
        self.fold(
            expr,
            &mut |leaf| {
                let quotient =
                    if leaf == symbol { Some(1) } else { self.constant_value(leaf).filter(|value| *value == 0) };
                quotient.map(|value| self.constant(value))
            },
            &mut |part, op, lhs_quotient, rhs_quotient| match (op, self.expr(part)) {
                (AffineOp::Add, _) => Some(self.add(lhs_quotient?, rhs_quotient?)),
                (AffineOp::Mul, AffineExprData::Binary { lhs, rhs, .. }) => match lhs_quotient {
                    Some(quotient) => Some(self.mul(quotient, rhs)),
                    None => Some(self.mul(lhs, rhs_quotient?)),
                },
                _ => None,
            },
        )
    }
}
