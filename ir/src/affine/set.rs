//! Making and simplifying integer sets.

use super::{AffineExpr, AffineStore, IntegerSet, IntegerSetData};

/// One condition of an integer set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Constraint {
    /// What is compared with zero.
    pub expr: AffineExpr,
    /// `expr == 0`, else `expr >= 0`.
    pub is_equality: bool,
}

impl AffineStore {
    /// The set of the points for which all constraints hold. Without any, the constraint `0 == 0` stands for none.
    ///
    /// # Panics
    /// In debug builds, when a constraint uses an input that the set does not have.
    pub fn intern_set(&self, num_dims: u32, num_symbols: u32, constraints: impl Into<Box<[Constraint]>>) -> IntegerSet {
        let mut constraints = constraints.into();
        if constraints.is_empty() {
            constraints = [Constraint { expr: self.constant(0), is_equality: true }].into();
        }
        debug_assert!(
            constraints.iter().all(|c| self.are_inputs_in_range(&[c.expr], num_dims, num_symbols)),
            "a constraint uses a missing input"
        );
        IntegerSet::from_index(self.sets.intern(IntegerSetData { num_dims, num_symbols, constraints }))
    }

    /// The set without points, `1 == 0`.
    pub fn empty_set(&self, num_dims: u32, num_symbols: u32) -> IntegerSet {
        self.intern_set(num_dims, num_symbols, [Constraint { expr: self.constant(1), is_equality: true }])
    }

    /// Whether this is the set that [`empty_set`](Self::empty_set) makes. Others may have no points either.
    pub fn is_empty_set(&self, set: IntegerSet) -> bool {
        let data = self.set(set);
        set == self.empty_set(data.num_dims, data.num_symbols)
    }

    /// Whether the set has the point. `None` when the number of inputs is wrong, on overflow, and where a constraint is
    /// undefined.
    pub fn set_contains(&self, set: IntegerSet, dims: &[i64], symbols: &[i64]) -> Option<bool> {
        let data = self.set(set);
        if (dims.len(), symbols.len()) != (data.num_dims as usize, data.num_symbols as usize) {
            return None;
        }
        data.constraints.iter().try_fold(true, |inside, constraint| {
            let value = self.eval_expr(constraint.expr, dims, symbols)?;
            Some(inside && holds(*constraint, value))
        })
    }

    /// The set with dimension i replaced by `dims[i]`, symbol i by `symbols[i]`, over other inputs.
    pub fn replace_in_set(
        &self,
        set: IntegerSet,
        dims: &[AffineExpr],
        symbols: &[AffineExpr],
        num_dims: u32,
        num_symbols: u32,
    ) -> IntegerSet {
        let replace = |c: &Constraint| Constraint { expr: self.replace_in_expr(c.expr, dims, symbols), ..*c };
        let constraints: Box<[_]> = self.set(set).constraints.iter().map(replace).collect();
        self.intern_set(num_dims, num_symbols, constraints)
    }

    /// The set with simplified constraints, without repeated ones and those that always hold; [the empty
    /// set](Self::empty_set) when one never holds. Constraints are looked at one by one.
    pub fn simplify_set(&self, set: IntegerSet) -> IntegerSet {
        let data = self.set(set);
        let mut kept: Vec<Constraint> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        for constraint in &data.constraints {
            let expr = self.simplify_expr(constraint.expr, data.num_dims, data.num_symbols);
            let simplified = Constraint { expr, ..*constraint };
            match self.constant_value(expr) {
                Some(value) if holds(simplified, value) => {}
                Some(_) => return self.empty_set(data.num_dims, data.num_symbols),
                None if seen.insert(simplified) => kept.push(simplified),
                None => {}
            }
        }
        self.intern_set(data.num_dims, data.num_symbols, kept)
    }
}

fn holds(constraint: Constraint, value: i64) -> bool {
    if constraint.is_equality { value == 0 } else { value >= 0 }
}
