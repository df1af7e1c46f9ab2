//! Reading an expression as a sum of its dimensions.

use rustc_hash::FxHashMap;

use super::{AffineExpr, AffineExprData, AffineOp, AffineStore};

/// `Σ dims[i] * di + Σ symbols[i] * si + constant`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinearForm {
    /// Factors of the dimensions.
    pub dims: Vec<i64>,
    /// Factors of the symbols.
    pub symbols: Vec<i64>,
    /// What is left.
    pub constant: i64,
}

/// `Σ strides[i] * di + offset`, where strides and offset have no dimensions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StridedForm {
    /// Factors of the dimensions.
    pub strides: Vec<AffineExpr>,
    /// What is left.
    pub offset: AffineExpr,
}

/// Linear forms. Cost O(distinct parts of the expression).
impl AffineStore {
    /// The expression as a linear form of `num_dims` dimensions and `num_symbols` symbols. `None` when it is not linear as it
    /// stands, when an input is out of range, and on overflow.
    pub fn linear_form(&self, expr: AffineExpr, num_dims: u32, num_symbols: u32) -> Option<LinearForm> {
        let mut form =
            LinearForm { dims: vec![0; num_dims as usize], symbols: vec![0; num_symbols as usize], constant: 0 };
        // How often each part counts. Parts come before their operands here.
        let mut factors: FxHashMap<AffineExpr, i64> = FxHashMap::from_iter([(expr, 1)]);
        for part in self.post_order(&[expr]).into_iter().rev() {
            // A part that stands in no term, as the factor of a product, does not count.
            let Some(&factor) = factors.get(&part) else { continue };
            let mut count = |part, times: i64| {
                let sum = factors.entry(part).or_default();
                *sum = sum.checked_add(times)?;
                Some(())
            };
            match self.expr(part) {
                AffineExprData::Dim(position) => *form.dims.get_mut(position as usize)? = factor,
                AffineExprData::Symbol(position) => {
                    *form.symbols.get_mut(position as usize)? = factor;
                }
                AffineExprData::Constant(value) => {
                    form.constant = form.constant.checked_add(value.checked_mul(factor)?)?;
                }
                AffineExprData::Binary { op: AffineOp::Add, lhs, rhs } => {
                    count(lhs, factor)?;
                    count(rhs, factor)?;
                }
                AffineExprData::Binary { op: AffineOp::Mul, lhs, rhs } => {
                    count(lhs, factor.checked_mul(self.constant_value(rhs)?)?)?;
                }
                AffineExprData::Binary { .. } => return None,
            }
        }
        Some(form)
    }

    /// The expression as strides for `num_dims` dimensions and an offset, as a memory layout has them; factors may be
    /// symbolic. `None` when a dimension stands under `mod`, `floordiv` or `ceildiv`, or is out of range.
    pub fn strided_form(&self, expr: AffineExpr, num_dims: u32) -> Option<StridedForm> {
        let zero = self.constant(0);
        let mut form = StridedForm { strides: vec![zero; num_dims as usize], offset: zero };
        let mut factors: FxHashMap<AffineExpr, AffineExpr> = FxHashMap::from_iter([(expr, self.constant(1))]);
        for part in self.post_order(&[expr]).into_iter().rev() {
            let Some(&factor) = factors.get(&part) else { continue };
            let mut count = |part, times| {
                let sum = factors.entry(part).or_insert(zero);
                *sum = self.add(*sum, times);
            };
            match self.expr(part) {
                _ if self.is_symbolic_or_constant(part) => {
                    form.offset = self.add(form.offset, self.mul(part, factor));
                }
                AffineExprData::Dim(position) => *form.strides.get_mut(position as usize)? = factor,
                AffineExprData::Binary { op: AffineOp::Add, lhs, rhs } => {
                    count(lhs, factor);
                    count(rhs, factor);
                }
                AffineExprData::Binary { op: AffineOp::Mul, lhs, rhs } if self.is_symbolic_or_constant(rhs) => {
                    count(lhs, self.mul(factor, rhs));
                }
                _ => return None,
            }
        }
        Some(form)
    }
}
