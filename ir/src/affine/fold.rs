//! Walking expressions: evaluation, substitution, occurrence.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{AffineExpr, AffineExprData, AffineOp, AffineStore};

/// Trees of at most this many nodes are walked recursively; larger ones from a list of their distinct nodes.
const SMALL: u32 = 64;

/// Walking expressions.
impl AffineStore {
    /// The distinct parts of `roots`, each after its operands, the left operand first. Cost O(parts).
    pub fn post_order(&self, roots: &[AffineExpr]) -> Vec<AffineExpr> {
        let (mut order, mut seen) = (Vec::new(), FxHashSet::default());
        let mut stack: Vec<(AffineExpr, bool)> = roots.iter().rev().map(|&root| (root, false)).collect();
        while let Some((expr, operands_done)) = stack.pop() {
            if operands_done {
                order.push(expr);
            } else if seen.insert(expr) {
                stack.push((expr, true));
                if let AffineExprData::Binary { lhs, rhs, .. } = self.expr(expr) {
                    stack.extend([(rhs, false), (lhs, false)]);
                }
            }
        }
        order
    }

    /// Works out a value for `expr` from the values of its parts: `leaf` for dimensions, symbols and constants, `binary`
    /// for an operation with the values of its operands.
    pub(super) fn fold<T: Clone>(
        &self,
        expr: AffineExpr,
        leaf: &mut impl FnMut(AffineExpr) -> T,
        binary: &mut impl FnMut(AffineExpr, AffineOp, T, T) -> T,
    ) -> T {
        if self.facts(expr).size <= SMALL {
            return self.fold_small(expr, leaf, binary);
        }
        let mut values: FxHashMap<AffineExpr, T> = FxHashMap::default();
        for part in self.post_order(&[expr]) {
            let value = match self.expr(part) {
                AffineExprData::Binary { op, lhs, rhs } => binary(part, op, values[&lhs].clone(), values[&rhs].clone()),
                _ => leaf(part),
            };
            values.insert(part, value);
        }
        values[&expr].clone()
    }

    fn fold_small<T>(
        &self,
        expr: AffineExpr,
        leaf: &mut impl FnMut(AffineExpr) -> T,
        binary: &mut impl FnMut(AffineExpr, AffineOp, T, T) -> T,
    ) -> T {
        match self.expr(expr) {
            AffineExprData::Binary { op, lhs, rhs } => {
                let left = self.fold_small(lhs, leaf, binary);
                let right = self.fold_small(rhs, leaf, binary);
                binary(expr, op, left, right)
            }
            _ => leaf(expr),
        }
    }

    /// Calls `visit` with the dimensions, symbols and constants that occur in `expr`, some of them several times.
    pub(super) fn for_each_leaf(&self, expr: AffineExpr, mut visit: impl FnMut(AffineExpr)) {
        self.fold(expr, &mut visit, &mut |_, _, (), ()| ());
    }

    /// The value for these inputs. `None` on overflow, where the expression is undefined, and when an input is missing.
    pub fn eval_expr(&self, expr: AffineExpr, dims: &[i64], symbols: &[i64]) -> Option<i64> {
        self.fold(
            expr,
            &mut |leaf| match self.expr(leaf) {
                AffineExprData::Dim(position) => dims.get(position as usize).copied(),
                AffineExprData::Symbol(position) => symbols.get(position as usize).copied(),
                AffineExprData::Constant(value) => Some(value),
                AffineExprData::Binary { .. } => None,
            },
            &mut |_, op, lhs, rhs| op.eval(lhs?, rhs?),
        )
    }

    /// The expression with dimension i replaced by `dims[i]` and symbol i by `symbols[i]`, simplified. Inputs past the
    /// end stay.
    pub fn replace_in_expr(&self, expr: AffineExpr, dims: &[AffineExpr], symbols: &[AffineExpr]) -> AffineExpr {
        self.substitute(expr, |leaf| match self.expr(leaf) {
            AffineExprData::Dim(position) => dims.get(position as usize).copied(),
            AffineExprData::Symbol(position) => symbols.get(position as usize).copied(),
            _ => None,
        })
    }

    /// The expression with dimensions from `offset` on renumbered upwards by `shift`.
    pub fn shift_dims_in_expr(&self, expr: AffineExpr, shift: u32, offset: u32) -> AffineExpr {
        self.substitute(expr, |leaf| {
            self.dim_position(leaf).filter(|p| *p >= offset).map(|p| self.dim(p.saturating_add(shift)))
        })
    }

    /// The expression with symbols from `offset` on renumbered upwards by `shift`.
    pub fn shift_symbols_in_expr(&self, expr: AffineExpr, shift: u32, offset: u32) -> AffineExpr {
        self.substitute(expr, |leaf| {
            self.symbol_position(leaf).filter(|p| *p >= offset).map(|p| self.symbol(p.saturating_add(shift)))
        })
    }

    /// Replaces leaves. What contains none of them is kept as it is, so that nothing else is simplified anew.
    fn substitute(&self, expr: AffineExpr, mut replace: impl FnMut(AffineExpr) -> Option<AffineExpr>) -> AffineExpr {
        self.fold(expr, &mut |leaf| replace(leaf).unwrap_or(leaf), &mut |part, op, lhs, rhs| match self.expr(part) {
            AffineExprData::Binary { lhs: old_lhs, rhs: old_rhs, .. } if (old_lhs, old_rhs) == (lhs, rhs) => part,
            _ => self.binary(op, lhs, rhs),
        })
    }

    /// Whether dimension `position` occurs.
    pub fn is_function_of_dim(&self, expr: AffineExpr, position: u32) -> bool {
        self.facts(expr).dims > position && self.has_leaf(expr, |leaf| self.dim_position(leaf) == Some(position))
    }

    /// Whether symbol `position` occurs.
    pub fn is_function_of_symbol(&self, expr: AffineExpr, position: u32) -> bool {
        self.facts(expr).symbols > position && self.has_leaf(expr, |leaf| self.symbol_position(leaf) == Some(position))
    }

    fn has_leaf(&self, expr: AffineExpr, is_it: impl Fn(AffineExpr) -> bool) -> bool {
        let mut found = false;
        self.for_each_leaf(expr, |leaf| found |= is_it(leaf));
        found
    }
}
