//! The iteration space of a nest as the dimensions of vectors, and which of their elements are iterations.

use dl_arith::Build;
use dl_ir::affine::{AffineMap, AffineStore};
use dl_ir::{DYNAMIC, OpId, OpState, Type, ValueId};
use dl_linalg::LinalgOp;
use dl_passes_vector::build::VectorBuild;
use dl_passes_vector::masked;
use dl_passes_vector::transfer::dim_of;
use dl_vector::types::vector_type;
use rustc_hash::FxHashMap;

use super::Request;

/// Vectors with one dimension for each loop of a nest, made before the nest.
pub(super) struct Space<'r, 'c> {
    pub(super) b: Build<'r, 'c>,
    /// The extents of the vectors.
    pub(super) shape: Vec<i64>,
    /// Which of them are multiples of what the machine has.
    pub(super) scalable: Vec<bool>,
    /// How often the loops run, [`DYNAMIC`] where that is not known.
    trips: Vec<i64>,
    /// The same, as values.
    bounds: Vec<ValueId>,
    /// Whether loops that run an unknown number of times are taken to fill the vectors.
    pub(super) fills_dynamic: bool,
    /// The masks made so far, by what projects the loops; `None` for one that would be all on.
    masks: FxHashMap<AffineMap, Option<ValueId>>,
}

impl<'r, 'c> Space<'r, 'c> {
    /// `None` where some extent is told neither by the nest nor by the request.
    pub(super) fn new(mut b: Build<'r, 'c>, op: OpId, request: &Request) -> Option<Self> {
        let nest = LinalgOp::of(b.op(op))?;
        let trips = nest.static_loop_ranges()?;
        let shape = if request.sizes.is_empty() { trips.clone() } else { request.sizes.clone() };
        if shape.contains(&DYNAMIC) || shape.len() != trips.len() {
            return None;
        }
        let dims: Vec<(ValueId, usize)> = nest
            .loops_to_dims()
            .into_iter()
            .map(|found| found.map(|(operand, dim)| (nest.op().operand(operand).id(), dim)))
            .collect::<Option<_>>()?;
        b.set_insertion_before(op);
        let bounds = trips
            .iter()
            .zip(dims)
            .map(
                |(&trips, (operand, dim))| {
                    if trips == DYNAMIC { dim_of(&mut b, operand, dim) } else { b.constant_index(trips) }
                },
            )
            .collect();
        let scalable = request.scalable.clone();
        let fills_dynamic = request.fills_dynamic;
        Some(Self { b, shape, scalable, trips, bounds, fills_dynamic, masks: FxHashMap::default() })
    }

    /// The map that keeps all loops.
    pub(super) fn all(&self) -> AffineMap {
        self.b.cx().affine().identity_map(self.shape.len() as u32)
    }

    /// The type of vectors with a dimension for each loop that is a result of `map`, in that order.
    pub(super) fn vector_type(&self, element: Type, map: AffineMap) -> Type {
        let affine = self.b.cx().affine();
        let marks: Vec<bool> = (0..self.shape.len()).map(|dim| self.is_scalable(dim)).collect();
        vector_type(self.b.cx(), &picked(affine, map, &self.shape), &picked(affine, map, &marks), element)
    }

    pub(super) fn is_scalable(&self, dim: usize) -> bool {
        self.scalable.get(dim).copied().unwrap_or(false)
    }

    /// Which elements of a vector of the type that `map` gives are iterations; `None` where all are.
    pub(super) fn mask(&mut self, map: AffineMap) -> Option<ValueId> {
        if let Some(&known) = self.masks.get(&map) {
            return known;
        }
        let affine = self.b.cx().affine();
        let loops: Vec<usize> = (0..self.shape.len()).collect();
        let is_full = picked(affine, map, &loops).into_iter().all(|at| {
            let fits = self.trips[at] == self.shape[at] && !self.is_scalable(at);
            fits || (self.fills_dynamic && self.trips[at] == DYNAMIC)
        });
        let mask = (!is_full).then(|| {
            let bit = self.b.cx().i1_type();
            let (bounds, ty) = (picked(affine, map, &self.bounds), self.vector_type(bit, map));
            self.b.create_mask(&bounds, ty)
        });
        self.masks.insert(map, mask);
        mask
    }

    /// Makes an operation on vectors of the type that `map` gives, under a mask where not all of their elements are iterations. Answers it, or the
    /// mask around it.
    pub(super) fn create_masked(&mut self, state: OpState, map: AffineMap) -> OpId {
        let mask = self.mask(map);
        masked(&mut self.b, state, mask)
    }
}

/// The entries of `list` for the loops that are results of `map`.
pub(super) fn picked<T: Copy>(affine: &AffineStore, map: AffineMap, list: &[T]) -> Vec<T> {
    let dims = affine.map(map).results.iter().filter_map(|&expr| affine.dim_position(expr));
    dims.filter_map(|dim| list.get(dim as usize).copied()).collect()
}
