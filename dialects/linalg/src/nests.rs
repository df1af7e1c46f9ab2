//! The loop nests of operations outside the table of named ones.

use dl_ir::OpRef;
use dl_ir::affine::AffineMap;
use dl_ir::interfaces::inits;

use crate::IteratorType;
use crate::structured::{LinalgStructured, maps_of_attr, rank};

/// `generic`: maps and iterators are attributes.
pub(crate) struct GenericNest;

impl LinalgStructured for GenericNest {
    fn indexing_maps(&self, op: OpRef<'_>) -> Vec<AffineMap> {
        maps_of_attr(op)
    }

    fn iterator_types(&self, op: OpRef<'_>) -> Vec<IteratorType> {
        op.attr("iterator_types")
            .into_iter()
            .flat_map(|attr| attr.elements())
            .filter_map(IteratorType::from_attr)
            .collect()
    }
}

/// `contract`: what is no dimension of the result is reduced.
pub(crate) struct ContractNest;

impl LinalgStructured for ContractNest {
    fn indexing_maps(&self, op: OpRef<'_>) -> Vec<AffineMap> {
        maps_of_attr(op)
    }

    fn iterator_types(&self, op: OpRef<'_>) -> Vec<IteratorType> {
        let affine = op.cx().affine();
        let Some(&out) = maps_of_attr(op).last() else { return Vec::new() };
        let parallel = |dim| affine.map(out).results.iter().any(|&r| affine.dim_position(r) == Some(dim));
        let iterator = |dim| if parallel(dim) { IteratorType::Parallel } else { IteratorType::Reduction };
        (0..affine.map(out).num_dims).map(iterator).collect()
    }
}

/// `elementwise`: maps are an attribute, and each dimension of the result is a parallel loop.
pub(crate) struct ElementwiseNest;

impl LinalgStructured for ElementwiseNest {
    fn indexing_maps(&self, op: OpRef<'_>) -> Vec<AffineMap> {
        maps_of_attr(op)
    }

    fn iterator_types(&self, op: OpRef<'_>) -> Vec<IteratorType> {
        vec![IteratorType::Parallel; init_rank(op)]
    }
}

/// `map`: every operand has one shape.
pub(crate) struct MapNest;

impl LinalgStructured for MapNest {
    fn indexing_maps(&self, op: OpRef<'_>) -> Vec<AffineMap> {
        let identity = op.cx().affine().identity_map(init_rank(op) as u32);
        vec![identity; op.num_operands()]
    }

    fn iterator_types(&self, op: OpRef<'_>) -> Vec<IteratorType> {
        vec![IteratorType::Parallel; init_rank(op)]
    }
}

fn init_rank(op: OpRef<'_>) -> usize {
    inits(op).and_then(|inits| inits.get(0)).map_or(0, |init| rank(init.ty()))
}

/// Whether each of `count` dimensions is among those that the attribute `dimensions` lists.
fn listed_dims(op: OpRef<'_>, count: usize) -> Vec<bool> {
    let mut listed = vec![false; count];
    for dim in op.attr("dimensions").into_iter().flat_map(|attr| attr.dense_ints()) {
        if let Some(entry) = usize::try_from(dim).ok().and_then(|dim| listed.get_mut(dim)) {
            *entry = true;
        }
    }
    listed
}

/// The identity on the dimensions that are not `dropped`.
fn identity_without(op: OpRef<'_>, dropped: &[bool]) -> AffineMap {
    let affine = op.cx().affine();
    let kept = (0..dropped.len() as u32).filter(|&dim| !dropped[dim as usize]).map(|dim| affine.dim(dim));
    affine.intern_map(dropped.len() as u32, 0, kept.collect::<Vec<_>>())
}

/// `reduce`: the listed dimensions of the inputs are no dimensions of the inits.
pub(crate) struct ReduceNest;

impl LinalgStructured for ReduceNest {
    fn indexing_maps(&self, op: OpRef<'_>) -> Vec<AffineMap> {
        let loops = op.operands().get(0).map_or(0, |input| rank(input.ty()));
        let (input, init) =
            (op.cx().affine().identity_map(loops as u32), identity_without(op, &listed_dims(op, loops)));
        let num_inits = inits(op).map_or(0, |inits| inits.len());
        let mut maps = vec![input; op.num_operands() - num_inits];
        maps.resize(op.num_operands(), init);
        maps
    }

    fn iterator_types(&self, op: OpRef<'_>) -> Vec<IteratorType> {
        let loops = op.operands().get(0).map_or(0, |input| rank(input.ty()));
        let iterator = |reduced| if reduced { IteratorType::Reduction } else { IteratorType::Parallel };
        listed_dims(op, loops).into_iter().map(iterator).collect()
    }
}

/// `broadcast`: the listed dimensions of the init are no dimensions of the input.
pub(crate) struct BroadcastNest;

impl LinalgStructured for BroadcastNest {
    fn indexing_maps(&self, op: OpRef<'_>) -> Vec<AffineMap> {
        let loops = init_rank(op);
        vec![identity_without(op, &listed_dims(op, loops)), op.cx().affine().identity_map(loops as u32)]
    }

    fn iterator_types(&self, op: OpRef<'_>) -> Vec<IteratorType> {
        vec![IteratorType::Parallel; init_rank(op)]
    }
}

/// `transpose`: dimension i of the init is dimension `permutation[i]` of the input.
pub(crate) struct TransposeNest;

impl LinalgStructured for TransposeNest {
    fn indexing_maps(&self, op: OpRef<'_>) -> Vec<AffineMap> {
        let affine = op.cx().affine();
        let identity = affine.identity_map(init_rank(op) as u32);
        let permutation: Option<Vec<u32>> = op
            .attr("permutation")
            .into_iter()
            .flat_map(|attr| attr.dense_ints())
            .map(|dim| u32::try_from(dim).ok())
            .collect();
        let input = permutation
            .and_then(|permutation| affine.permutation_map(&permutation))
            .and_then(|map| affine.inverse_permutation(map));
        vec![input.unwrap_or(identity), identity]
    }

    fn iterator_types(&self, op: OpRef<'_>) -> Vec<IteratorType> {
        vec![IteratorType::Parallel; init_rank(op)]
    }
}
