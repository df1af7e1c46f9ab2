//! Permutations and projections: inverting them, and dropping inputs that are not used.

use super::{AffineExpr, AffineMap, AffineStore};

impl AffineStore {
    /// A map from the results of `map` back to its dimensions: `(d0, d1) -> (d1, d1 + d0, d0)` gives
    /// `(d0, d1, d2) -> (d2, d0)`, using the first result that is the dimension. `None` when a dimension is no result, and when
    /// there are symbols.
    pub fn inverse_permutation(&self, map: AffineMap) -> Option<AffineMap> {
        let data = self.map(map);
        if data.num_symbols != 0 {
            return None;
        }
        let inverse: Option<Vec<_>> = self.first_results_by_dim(map).into_iter().collect();
        Some(self.intern_map(data.results.len() as u32, 0, inverse?))
    }

    /// A map from the results of a projected permutation back to its dimensions, with 0 for those that are no result. `None`
    /// when `map` is no projected permutation, zeros allowed.
    pub fn inverse_projected_permutation(&self, map: AffineMap) -> Option<AffineMap> {
        if !self.is_projected_permutation(map, true) {
            return None;
        }
        let zero = self.constant(0);
        let inverse: Vec<_> = self.first_results_by_dim(map).into_iter().map(|dim| dim.unwrap_or(zero)).collect();
        Some(self.intern_map(self.map(map).results.len() as u32, 0, inverse))
    }

    /// For each dimension the first result that it is, as a dimension of the inverse.
    fn first_results_by_dim(&self, map: AffineMap) -> Vec<Option<AffineExpr>> {
        let data = self.map(map);
        let mut inverse = vec![None; data.num_dims as usize];
        for (position, result) in (0..).zip(&data.results) {
            if let Some(dim) = self.dim_position(*result) {
                inverse[dim as usize].get_or_insert_with(|| self.dim(position));
            }
        }
        inverse
    }

    /// The map without the dimensions that `dropped` marks, the others renumbered. A dropped one that is used becomes 0.
    pub fn project_dims(&self, map: AffineMap, dropped: &[bool]) -> AffineMap {
        let data = self.map(map);
        let (dims, kept) = self.renumber(data.num_dims, |position| !is_marked(dropped, position), Self::dim);
        self.replace_dims_and_symbols(map, &dims, &[], kept, data.num_symbols)
    }

    /// The map without the symbols that `dropped` marks, the others renumbered. A dropped one that is used becomes 0.
    pub fn project_symbols(&self, map: AffineMap, dropped: &[bool]) -> AffineMap {
        let data = self.map(map);
        let (symbols, kept) = self.renumber(data.num_symbols, |position| !is_marked(dropped, position), Self::symbol);
        self.replace_dims_and_symbols(map, &[], &symbols, data.num_dims, kept)
    }

    /// The maps without the dimensions that none of them uses, the others renumbered alike.
    pub fn drop_unused_dims(&self, maps: &[AffineMap]) -> Vec<AffineMap> {
        let unused: Vec<_> = self.used_dims(maps).iter().map(|used| !used).collect();
        maps.iter().map(|map| self.project_dims(*map, &unused)).collect()
    }

    /// The maps without the symbols that none of them uses, the others renumbered alike.
    pub fn drop_unused_symbols(&self, maps: &[AffineMap]) -> Vec<AffineMap> {
        let unused: Vec<_> = self.used_symbols(maps).iter().map(|used| !used).collect();
        maps.iter().map(|map| self.project_symbols(*map, &unused)).collect()
    }

    /// For each dimension, as many as the map with the most has, whether a result uses it.
    pub fn used_dims(&self, maps: &[AffineMap]) -> Vec<bool> {
        let count = maps.iter().map(|map| self.map(*map).num_dims).max().unwrap_or(0);
        self.mark(self.results_of(maps), count, Self::dim_position)
    }

    /// For each symbol, as many as the map with the most has, whether a result uses it.
    pub fn used_symbols(&self, maps: &[AffineMap]) -> Vec<bool> {
        let count = maps.iter().map(|map| self.map(*map).num_symbols).max().unwrap_or(0);
        self.mark(self.results_of(maps), count, Self::symbol_position)
    }

    /// For each of `num_dims` dimensions and each of `num_symbols` symbols whether one of `exprs`, which use no others, uses it.
    pub fn used_inputs(&self, exprs: &[AffineExpr], num_dims: u32, num_symbols: u32) -> (Vec<bool>, Vec<bool>) {
        let exprs = || exprs.iter().copied();
        (self.mark(exprs(), num_dims, Self::dim_position), self.mark(exprs(), num_symbols, Self::symbol_position))
    }

    fn results_of(&self, maps: &[AffineMap]) -> impl Iterator<Item = AffineExpr> {
        maps.iter().flat_map(|map| self.map(*map).results.iter().copied())
    }

    fn mark(
        &self,
        exprs: impl Iterator<Item = AffineExpr>,
        count: u32,
        position: fn(&Self, AffineExpr) -> Option<u32>,
    ) -> Vec<bool> {
        let mut used = vec![false; count as usize];
        if count != 0 {
            exprs.for_each(|expr| {
                self.for_each_leaf(expr, |leaf| {
                    if let Some(position) = position(self, leaf) {
                        used[position as usize] = true;
                    }
                });
            });
        }
        used
    }

    /// What stands for each input when only those that `keep` names remain, and how many these are.
    fn renumber(
        &self,
        count: u32,
        keep: impl Fn(u32) -> bool,
        make: fn(&Self, u32) -> AffineExpr,
    ) -> (Vec<AffineExpr>, u32) {
        let mut kept = 0;
        let replacements = (0..count)
            .map(|position| {
                if keep(position) {
                    kept += 1;
                    make(self, kept - 1)
                } else {
                    self.constant(0)
                }
            })
            .collect();
        (replacements, kept)
    }
}

fn is_marked(marks: &[bool], position: u32) -> bool {
    marks.get(position as usize).copied().unwrap_or(false)
}
