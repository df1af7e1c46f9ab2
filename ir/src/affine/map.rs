//! Making, combining and evaluating maps.

use super::{AffineExpr, AffineMap, AffineMapData, AffineStore};

/// Making maps.
impl AffineStore {
    /// The map of `num_dims` dimensions and `num_symbols` symbols to `results`.
    ///
    /// # Panics
    /// In debug builds, when a result uses an input that the map does not have.
    pub fn intern_map(&self, num_dims: u32, num_symbols: u32, results: impl Into<Box<[AffineExpr]>>) -> AffineMap {
        let results = results.into();
        debug_assert!(self.are_inputs_in_range(&results, num_dims, num_symbols), "a result uses a missing input");
        AffineMap::from_index(self.maps.intern(AffineMapData { num_dims, num_symbols, results }))
    }

    /// Whether the expressions use no more inputs than these.
    pub fn are_inputs_in_range(&self, exprs: &[AffineExpr], num_dims: u32, num_symbols: u32) -> bool {
        exprs.iter().all(|expr| {
            let facts = self.facts(*expr);
            facts.dims <= num_dims && facts.symbols <= num_symbols
        })
    }

    /// The map `() -> ()`.
    pub fn empty_map(&self) -> AffineMap {
        self.intern_map(0, 0, [])
    }

    /// The map `() -> (value)`.
    pub fn constant_map(&self, value: i64) -> AffineMap {
        self.intern_map(0, 0, [self.constant(value)])
    }

    /// `(d0, d1, d2) -> (d0, d1, d2)` for `num_dims` dimensions.
    pub fn identity_map(&self, num_dims: u32) -> AffineMap {
        self.intern_map(num_dims, 0, self.dims(num_dims))
    }

    /// `(d0, d1, d2) -> (d1, d2)`: the last `num_results` dimensions.
    ///
    /// # Panics
    /// When there are more results than dimensions.
    pub fn minor_identity_map(&self, num_dims: u32, num_results: u32) -> AffineMap {
        assert!(num_results <= num_dims, "a minor identity has at most as many results as dimensions");
        self.intern_map(num_dims, 0, self.dims(num_dims).split_off((num_dims - num_results) as usize))
    }

    /// `(d0, d1, d2) -> (d2, d0, d1)` for the permutation 2, 0, 1. `None` when it is none.
    pub fn permutation_map(&self, permutation: &[u32]) -> Option<AffineMap> {
        let map = self.multi_dim_map(permutation.len() as u32, permutation)?;
        self.is_permutation(map).then_some(map)
    }

    /// `(d0, d1, d2) -> (d2, d0)` for 3 dimensions and the positions 2, 0. `None` when a position is out of range.
    pub fn multi_dim_map(&self, num_dims: u32, positions: &[u32]) -> Option<AffineMap> {
        let in_range = positions.iter().all(|position| *position < num_dims);
        in_range.then(|| self.intern_map(num_dims, 0, positions.iter().map(|p| self.dim(*p)).collect::<Vec<_>>()))
    }

    /// The same inputs with other results.
    pub fn with_results(&self, map: AffineMap, results: impl Into<Box<[AffineExpr]>>) -> AffineMap {
        let data = self.map(map);
        self.intern_map(data.num_dims, data.num_symbols, results)
    }

    fn map_results(&self, map: AffineMap, f: impl FnMut(AffineExpr) -> AffineExpr) -> Box<[AffineExpr]> {
        self.map(map).results.iter().copied().map(f).collect()
    }
}

/// Asking about maps.
impl AffineStore {
    /// Whether result i is dimension i and there are as many of both.
    pub fn is_identity(&self, map: AffineMap) -> bool {
        let data = self.map(map);
        data.results.len() == data.num_dims as usize && self.is_minor_identity(map)
    }

    /// Whether the results are the last dimensions in order.
    pub fn is_minor_identity(&self, map: AffineMap) -> bool {
        let data = self.map(map);
        let Some(first) = (data.num_dims as usize).checked_sub(data.results.len()) else {
            return false;
        };
        (first..).zip(&data.results).all(|(i, result)| self.dim_position(*result) == Some(i as u32))
    }

    /// Whether the results are dimensions, each at most once, and there are no symbols. With `allow_zeros` a result may
    /// also be the constant 0.
    pub fn is_projected_permutation(&self, map: AffineMap, allow_zeros: bool) -> bool {
        let data = self.map(map);
        if data.num_symbols > 0 || data.results.len() > data.num_dims as usize {
            return false;
        }
        let mut seen = vec![false; data.num_dims as usize];
        data.results.iter().all(|result| match self.dim_position(*result) {
            Some(position) => !std::mem::replace(&mut seen[position as usize], true),
            None => allow_zeros && self.constant_value(*result) == Some(0),
        })
    }

    /// Whether the results are all dimensions, each once, and there are no symbols.
    pub fn is_permutation(&self, map: AffineMap) -> bool {
        let data = self.map(map);
        data.results.len() == data.num_dims as usize && self.is_projected_permutation(map, false)
    }

    /// The numbers of the dimensions that the results are. `None` when one is something else.
    pub fn result_positions(&self, map: AffineMap) -> Option<Vec<u32>> {
        self.map(map).results.iter().map(|result| self.dim_position(*result)).collect()
    }

    /// The values of the results when all are constants.
    pub fn constant_results(&self, map: AffineMap) -> Option<Vec<i64>> {
        self.map(map).results.iter().map(|result| self.constant_value(*result)).collect()
    }

    /// The value of the only result, when there is one and it is constant.
    pub fn single_constant_result(&self, map: AffineMap) -> Option<i64> {
        match *self.map(map).results {
            [result] => self.constant_value(result),
            _ => None,
        }
    }

    /// Whether dimension `position` occurs in a result.
    pub fn map_is_function_of_dim(&self, map: AffineMap, position: u32) -> bool {
        self.map(map).results.iter().any(|result| self.is_function_of_dim(*result, position))
    }

    /// Whether symbol `position` occurs in a result.
    pub fn map_is_function_of_symbol(&self, map: AffineMap, position: u32) -> bool {
        self.map(map).results.iter().any(|result| self.is_function_of_symbol(*result, position))
    }

    /// The results for these inputs. `None` when the number of inputs is wrong, on overflow, and where a result is
    /// undefined.
    pub fn eval_map(&self, map: AffineMap, dims: &[i64], symbols: &[i64]) -> Option<Vec<i64>> {
        let data = self.map(map);
        if (dims.len(), symbols.len()) != (data.num_dims as usize, data.num_symbols as usize) {
            return None;
        }
        data.results.iter().map(|result| self.eval_expr(*result, dims, symbols)).collect()
    }
}

/// Maps from maps.
impl AffineStore {
    /// `outer` after `inner`: its dimensions are the results of `inner`. The symbols are those of `outer` followed by those of
    /// `inner`. `None` when the numbers of dimensions and results differ.
    pub fn compose(&self, outer: AffineMap, inner: AffineMap) -> Option<AffineMap> {
        let (outer_data, inner_data) = (self.map(outer), self.map(inner));
        if outer_data.num_dims as usize != inner_data.results.len() {
            return None;
        }
        let shift = outer_data.num_symbols;
        let dims = self.map_results(inner, |result| self.shift_symbols_in_expr(result, shift, 0));
        let results = self.map_results(outer, |result| self.replace_in_expr(result, &dims, &[]));
        Some(self.intern_map(inner_data.num_dims, shift + inner_data.num_symbols, results))
    }

    /// The map with dimension i replaced by `dims[i]`, symbol i by `symbols[i]`, over other inputs.
    pub fn replace_dims_and_symbols(
        &self,
        map: AffineMap,
        dims: &[AffineExpr],
        symbols: &[AffineExpr],
        num_dims: u32,
        num_symbols: u32,
    ) -> AffineMap {
        self.intern_map(num_dims, num_symbols, self.map_results(map, |r| self.replace_in_expr(r, dims, symbols)))
    }

    /// The map with `shift` dimensions inserted before dimension `offset`.
    pub fn shift_dims(&self, map: AffineMap, shift: u32, offset: u32) -> AffineMap {
        let data = self.map(map);
        let results = self.map_results(map, |result| self.shift_dims_in_expr(result, shift, offset));
        self.intern_map(data.num_dims + shift, data.num_symbols, results)
    }

    /// The map with `shift` symbols inserted before symbol `offset`.
    pub fn shift_symbols(&self, map: AffineMap, shift: u32, offset: u32) -> AffineMap {
        let data = self.map(map);
        let results = self.map_results(map, |result| self.shift_symbols_in_expr(result, shift, offset));
        self.intern_map(data.num_dims, data.num_symbols + shift, results)
    }

    /// The map with the results at these positions only, in this order. `None` when one is out of range.
    pub fn sub_map(&self, map: AffineMap, positions: &[u32]) -> Option<AffineMap> {
        let results = &self.map(map).results;
        let kept: Option<Vec<_>> = positions.iter().map(|p| results.get(*p as usize).copied()).collect();
        Some(self.with_results(map, kept?))
    }

    /// The results of all maps one after the other. Maps share their dimensions, and each has symbols of its own.
    pub fn concat(&self, maps: &[AffineMap]) -> AffineMap {
        let (mut num_dims, mut num_symbols, mut results) = (0, 0, Vec::new());
        for &map in maps {
            let data = self.map(map);
            results.extend(data.results.iter().map(|result| self.shift_symbols_in_expr(*result, num_symbols, 0)));
            num_dims = data.num_dims.max(num_dims);
            num_symbols += data.num_symbols;
        }
        self.intern_map(num_dims, num_symbols, results)
    }

    /// The map with every result simplified as far as [`simplify_expr`](Self::simplify_expr) can.
    pub fn simplify_map(&self, map: AffineMap) -> AffineMap {
        let data = self.map(map);
        let simplify = |result| self.simplify_expr(result, data.num_dims, data.num_symbols);
        self.intern_map(data.num_dims, data.num_symbols, self.map_results(map, simplify))
    }
}
