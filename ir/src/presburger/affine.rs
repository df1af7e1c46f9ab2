//! Affine sets as systems.

use rustc_hash::FxHashMap;

use super::omega::floor_div;
use super::system::{Linear, System, is_zero};
use crate::affine::{AffineExpr, AffineExprData, AffineOp, AffineStore, Constraint, IntegerSet};

impl AffineStore {
    /// The set as a system: its dimensions, its symbols, then an unknown for each `floordiv`, `ceildiv` and `mod`. `None` where an
    /// expression is not linear: a product of inputs, or a divisor that is no positive number.
    pub fn system_of_set(&self, set: IntegerSet) -> Option<System> {
        let data = self.set(set);
        let inputs: Vec<usize> = (0..(data.num_dims + data.num_symbols) as usize).collect();
        let (dims, symbols) = inputs.split_at(data.num_dims as usize);
        let mut system = System::new(inputs.len());
        let mut flattener = Flattener { store: self, dims, symbols, system: &mut system, known: FxHashMap::default() };
        for constraint in &data.constraints {
            let expr = flattener.flatten(constraint.expr)?;
            if constraint.is_equality {
                flattener.system.add_equality(expr);
            } else {
                flattener.system.add_inequality(expr);
            }
        }
        Some(system)
    }

    /// Whether the set has no point, for any values of its symbols. `None` where that is not known: where the set is not linear, and
    /// where it takes too much work to find out.
    pub fn has_no_point(&self, set: IntegerSet) -> Option<bool> {
        self.system_of_set(set)?.is_empty()
    }

    /// Whether the set has every point, for any values of its symbols. `None` as for [`has_no_point`](Self::has_no_point).
    pub fn has_every_point(&self, set: IntegerSet) -> Option<bool> {
        let data = self.set(set);
        for &constraint in &data.constraints {
            if !self.follows(constraint, &[], data.num_dims, data.num_symbols)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The set without the constraints that follow from the others; [the empty set](Self::empty_set) where there is no point. What is
    /// not known to follow stays.
    pub fn simplify_set_as_system(&self, set: IntegerSet) -> IntegerSet {
        let set = self.simplify_set(set);
        let data = self.set(set);
        match self.has_no_point(set) {
            Some(true) => return self.empty_set(data.num_dims, data.num_symbols),
            Some(false) => {}
            None => return set,
        }
        let mut kept: Vec<Constraint> = data.constraints.to_vec();
        let mut at = kept.len();
        while at > 0 {
            at -= 1;
            let constraint = kept.remove(at);
            if self.follows(constraint, &kept, data.num_dims, data.num_symbols) != Some(true) {
                kept.insert(at, constraint);
            }
        }
        self.intern_set(data.num_dims, data.num_symbols, kept)
    }

    /// Whether `constraint` holds wherever all of `others` do: that is, whether the points that violate it are none of theirs.
    fn follows(&self, constraint: Constraint, others: &[Constraint], num_dims: u32, num_symbols: u32) -> Option<bool> {
        let none = |expr: AffineExpr| {
            let violated = Constraint { expr, is_equality: false };
            let constraints: Vec<_> = others.iter().copied().chain([violated]).collect();
            self.has_no_point(self.intern_set(num_dims, num_symbols, constraints))
        };
        // expr <= -1, and for an equation expr >= 1 as well.
        let below = self.add_constant(self.neg(constraint.expr), -1);
        let above = self.add_constant(constraint.expr, -1);
        Some(none(below)? && (!constraint.is_equality || none(above)?))
    }
}

impl System {
    /// `expr` as a sum over the unknowns: dimension i is unknown `dims[i]`, symbol i is `symbols[i]`. Each `floordiv`, `ceildiv` and `mod` adds an
    /// unknown, and the inequalities that say what it is. `None` where the expression is not linear or has another input; what has
    /// been added by then holds for any point.
    pub fn flatten(
        &mut self,
        store: &AffineStore,
        expr: AffineExpr,
        dims: &[usize],
        symbols: &[usize],
    ) -> Option<Linear> {
        Flattener { store, dims, symbols, system: self, known: FxHashMap::default() }.flatten(expr)
    }
}

/// Makes linear expressions of affine ones.
struct Flattener<'s> {
    store: &'s AffineStore,
    /// The unknowns that the dimensions are.
    dims: &'s [usize],
    symbols: &'s [usize],
    system: &'s mut System,
    /// What has been flattened. Later unknowns do not count in it.
    known: FxHashMap<AffineExpr, Linear>,
}

impl Flattener<'_> {
    /// Parts before what is made of them, without recursion.
    fn flatten(&mut self, root: AffineExpr) -> Option<Linear> {
        for part in self.store.post_order(&[root]) {
            if !self.known.contains_key(&part) {
                let linear = self.part(part)?;
                self.known.insert(part, linear);
            }
        }
        self.get(root)
    }

    fn get(&self, expr: AffineExpr) -> Option<Linear> {
        Some(self.known.get(&expr)?.clone().widened(self.system.unknowns()))
    }

    fn part(&mut self, expr: AffineExpr) -> Option<Linear> {
        let count = self.system.unknowns();
        Some(match self.store.expr(expr) {
            AffineExprData::Dim(position) => Linear::unknown(count, *self.dims.get(position as usize)?),
            AffineExprData::Symbol(position) => Linear::unknown(count, *self.symbols.get(position as usize)?),
            AffineExprData::Constant(value) => Linear::constant(count, value),
            AffineExprData::Binary { op, lhs, rhs } => {
                let (lhs, rhs) = (self.get(lhs)?, self.get(rhs)?);
                match op {
                    AffineOp::Add => lhs.combined(&1.into(), &rhs, &1.into()),
                    AffineOp::Mul if rhs.is_constant() => lhs.combined(&rhs.constant, &lhs, &0.into()),
                    AffineOp::Mul if lhs.is_constant() => rhs.combined(&lhs.constant, &rhs, &0.into()),
                    AffineOp::Mul => return None,
                    AffineOp::Mod | AffineOp::FloorDiv | AffineOp::CeilDiv => self.divided(op, &lhs, &rhs)?,
                }
            }
        })
    }

    /// With q for `lhs floordiv n`: `0 <= lhs - n * q <= n - 1`, and `lhs mod n` is `lhs - n * q`. `lhs ceildiv n` is
    /// `(lhs + n - 1) floordiv n`.
    fn divided(&mut self, op: AffineOp, lhs: &Linear, rhs: &Linear) -> Option<Linear> {
        let n = &rhs.constant;
        if !rhs.is_constant() || *n < 1.into() {
            return None;
        }
        let mut dividend = lhs.clone();
        if op == AffineOp::CeilDiv {
            dividend.constant += n - 1;
        }
        if dividend.is_constant() {
            let quotient = floor_div(&dividend.constant, n);
            let value = if op == AffineOp::Mod { &dividend.constant - n * &quotient } else { quotient };
            return Some(Linear::constant(self.system.unknowns(), value));
        }
        let q = self.system.add_unknown();
        let count = self.system.unknowns();
        let (dividend, unit) = (dividend.widened(count), Linear::unknown(count, q));
        let rest = dividend.combined(&1.into(), &unit, &-n);
        let mut room = rest.complement();
        room.constant += n;
        debug_assert!(!is_zero(&rest.coefficients[q]), "the rest depends on the quotient");
        self.system.add_inequality(rest.clone()).add_inequality(room);
        Some(if op == AffineOp::Mod { rest } else { unit })
    }
}
