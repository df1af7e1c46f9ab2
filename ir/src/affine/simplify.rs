//! Simplification of whole expressions, by flattening them into a sum of products and building them anew.
//!
//! A `mod`, `floordiv` or `ceildiv` by a constant is replaced by a local variable for its quotient, after dividing out common
//! factors; equal quotients share a variable, so that terms cancel. Terms come back in a fixed order: dimensions, symbols,
//! quotients in order of appearance, and the constant. What divides or multiplies by a symbolic expression is a local variable
//! too; such sums have an order of their own, upstream's.

mod divide;
mod flat;

use super::{AffineExpr, AffineExprData, AffineOp, AffineStore};
use AffineExprData::{Binary, Constant, Dim, Symbol};
use flat::{Flat, Term};

use rustc_hash::FxHashMap;

/// Larger expressions are left alone, to bound the time that a few kilobytes of text can take.
const MAX_PARTS: u32 = 4096;

impl AffineStore {
    /// The expression, over these inputs, as a sum of distinct terms. The function stays the same. An expression is returned
    /// as it is when it is undefined somewhere (division by zero, `mod` by less than one) or divides by a negative number, when
    /// a factor would overflow, and when it has more than 4096 parts.
    pub fn simplify_expr(&self, expr: AffineExpr, num_dims: u32, num_symbols: u32) -> AffineExpr {
        if self.facts(expr).size > MAX_PARTS {
            return expr;
        }
        let expr = if self.is_pure_affine(expr) { expr } else { self.cancel_symbolic_divisors(expr) };
        let mut locals = Locals { store: self, exprs: Vec::new(), index: FxHashMap::default() };
        let flat = self.fold(expr, &mut |leaf| Some(self.flat_leaf(leaf)), &mut |part, op, lhs, rhs| {
            locals.flatten(part, op, lhs?, &rhs?)
        });
        let Some(flat) = flat else {
            return expr;
        };
        let rebuilt = locals.rebuild(&flat);
        if self.is_pure_affine(expr) || rebuilt == expr {
            return rebuilt;
        }
        locals.rebuild_semi_affine(&flat, num_dims.max(num_symbols))
    }

    fn flat_leaf(&self, leaf: AffineExpr) -> Flat {
        match self.expr(leaf) {
            Dim(position) => Flat::term(Term::Dim(position)),
            Symbol(position) => Flat::term(Term::Symbol(position)),
            Constant(value) => Flat::constant(value),
            Binary { .. } => unreachable!("a binary expression is no leaf"),
        }
    }
}

/// The local variables of one simplification.
struct Locals<'a> {
    store: &'a AffineStore,
    /// What each stands for.
    exprs: Vec<AffineExpr>,
    index: FxHashMap<AffineExpr, u32>,
}

impl Locals<'_> {
    /// The variable for `expr`.
    fn term(&mut self, expr: AffineExpr) -> Term {
        let index = *self.index.entry(expr).or_insert_with(|| {
            self.exprs.push(expr);
            self.exprs.len() as u32 - 1
        });
        Term::Local(index)
    }

    /// One operation on flat operands. `None` on overflow, and for a divisor that is not positive.
    fn flatten(&mut self, part: AffineExpr, op: AffineOp, lhs: Flat, rhs: &Flat) -> Option<Flat> {
        let constant = match self.store.expr(part) {
            Binary { rhs, .. } => self.store.constant_value(rhs),
            _ => None,
        };
        match (op, constant) {
            (AffineOp::Add, _) => lhs.plus(rhs),
            (AffineOp::Mul, Some(factor)) => lhs.times(factor),
            (AffineOp::Mod, Some(modulus)) => self.flatten_mod(lhs, modulus),
            (AffineOp::Mod, None) if self.is_less_its_remainder(&lhs, rhs) => Some(Flat::constant(0)),
            (AffineOp::FloorDiv | AffineOp::CeilDiv, Some(divisor)) => self.flatten_division(op, &lhs, divisor),
            (_, None) => {
                let whole = self.store.binary(op, self.rebuild(&lhs), self.rebuild(rhs));
                Some(Flat::term(self.term(whole)))
            }
        }
    }

    /// `lhs mod c` is `lhs - q * c` for the quotient q of `lhs` and c.
    fn flatten_mod(&mut self, lhs: Flat, modulus: i64) -> Option<Flat> {
        if modulus < 1 {
            return None;
        }
        if lhs.is_multiple_of(modulus) {
            return Some(Flat::constant(0));
        }
        let common = lhs.common_divisor(modulus);
        let dividend = self.rebuild(&lhs.divided_by(common));
        let quotient = self.store.floordiv(dividend, self.store.constant(modulus / common));
        let quotient = self.term(quotient);
        lhs.plus(&Flat::term(quotient).times(-modulus)?)
    }

    /// Whether `lhs` is `a - a mod b` for the `rhs` b, of which it is a multiple then.
    fn is_less_its_remainder(&self, lhs: &Flat, rhs: &Flat) -> bool {
        let divisor = self.rebuild(rhs);
        lhs.terms.iter().enumerate().filter(|(_, (_, factor))| *factor == -1).any(|(at, &(term, _))| {
            let Binary { op: AffineOp::Mod, lhs: whole, rhs: by } = self.store.expr(self.term_expr(term)) else {
                return false;
            };
            let mut rest = lhs.clone();
            rest.terms.remove(at);
            by == divisor && self.rebuild(&rest) == whole
        })
    }

    fn flatten_division(&mut self, op: AffineOp, lhs: &Flat, divisor: i64) -> Option<Flat> {
        if divisor < 1 {
            return None;
        }
        let common = lhs.common_divisor(divisor);
        let (dividend, divisor) = (lhs.divided_by(common), divisor / common);
        if divisor == 1 {
            return Some(dividend);
        }
        let dividend = self.rebuild(&dividend);
        let quotient = self.store.binary(op, dividend, self.store.constant(divisor));
        Some(Flat::term(self.term(quotient)))
    }

    fn term_expr(&self, term: Term) -> AffineExpr {
        match term {
            Term::Dim(position) => self.store.dim(position),
            Term::Symbol(position) => self.store.symbol(position),
            Term::Local(index) => self.exprs[index as usize],
        }
    }

    /// The expression: dimensions, symbols, local variables, constant.
    fn rebuild(&self, flat: &Flat) -> AffineExpr {
        self.sum(flat.terms.iter().copied(), flat.constant)
    }

    /// The expression with its terms in the order of sums with symbolic factors.
    fn rebuild_semi_affine(&self, flat: &Flat, max_inputs: u32) -> AffineExpr {
        let order = self.semi_affine_order(flat, max_inputs);
        self.sum(order.into_iter().map(|index| flat.terms[index]), flat.constant)
    }

    fn sum(&self, terms: impl Iterator<Item = (Term, i64)>, constant: i64) -> AffineExpr {
        let store = self.store;
        let add = |sum, (term, factor)| store.add(sum, store.mul_constant(self.term_expr(term), factor));
        let sum = terms.fold(store.constant(0), add);
        if constant == 0 { sum } else { store.add_constant(sum, constant) }
    }

    /// Positions of the terms of `flat` in the order in which upstream writes a sum that is not purely affine.
    ///
    /// Terms on one or two inputs are sorted by the first input's number, whether it is a dimension or a symbol. Among those
    /// of one number come first the dimension itself, then its quotients by constants, latest first; then those of the
    /// dimension and a symbol, in the order of the symbols; then the symbol itself and those on it. All other terms follow as
    /// they appeared.
    fn semi_affine_order(&self, flat: &Flat, max_inputs: u32) -> Vec<usize> {
        let store = self.store;
        // Keys as upstream numbers them: terms on a dimension count down from -1, those on a symbol up from `max_inputs`.
        let (mut on_dim, mut on_symbol) = (0, i64::from(max_inputs) - 1);
        let mut keyed: Vec<((u32, i64), usize)> = Vec::with_capacity(flat.terms.len());
        let mut rest = Vec::new();
        let mut count_dim = || {
            on_dim -= 1;
            on_dim
        };
        let mut count_symbol = || {
            on_symbol += 1;
            on_symbol
        };
        let indices = || flat.terms.iter().map(|(term, _)| *term).enumerate();
        for (index, term) in indices() {
            if let Term::Symbol(position) = term {
                keyed.push(((position, count_symbol()), index));
            }
        }
        for (index, term) in indices() {
            let Term::Local(_) = term else { continue };
            let operands = match store.expr(self.term_expr(term)) {
                Binary { lhs, rhs, .. } => Some((store.expr(lhs), store.expr(rhs))),
                _ => None,
            };
            let key = match operands {
                Some((Dim(position), Constant(_))) => (position, count_dim()),
                Some((Dim(position), Symbol(symbol))) => (position, i64::from(symbol)),
                Some((Symbol(position), Constant(_) | Symbol(_))) => (position, count_symbol()),
                _ => {
                    rest.push(index);
                    continue;
                }
            };
            keyed.push((key, index));
        }
        for (index, term) in indices() {
            if let Term::Dim(position) = term {
                keyed.push(((position, count_dim()), index));
            }
        }
        keyed.sort_unstable();
        keyed.into_iter().map(|(_, index)| index).chain(rest).collect()
    }
}
