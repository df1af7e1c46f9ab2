//! How an operation goes over its operands.

use dl_ir::opdef::Trait;
use dl_ir::rewrite::NoMatch;
use dl_ir::{AttrRef, OpRef, TypeRef};
use dl_vector::types::extents;
use dl_vector::{
    BroadcastOp, CombiningKind, ContractionOp, GatherOp, IteratorType, MultiDimReductionOp, ReductionOp, TransposeOp,
};

use crate::reductions::is_associative;

/// The points at which an operation computes something, and what of its operands it takes there.
pub(super) struct Space {
    /// How many points there are along each dimension.
    pub(super) extents: Vec<i64>,
    /// For each operand the dimension along which each of its own runs; `None` for one that does not move, as it has extent 1. Operands that
    /// are no vectors have none.
    pub(super) operands: Vec<Vec<Option<usize>>>,
    /// The dimension along which each dimension of the result runs.
    pub(super) result: Vec<usize>,
    /// The sums, where there are some.
    pub(super) sums: Option<Sums>,
}

/// What is combined along the dimensions that the result does not have.
pub(super) struct Sums {
    /// Which operand they begin with; there may be none.
    pub(super) operand: usize,
    /// Whether the order matters.
    pub(super) ordered: bool,
}

impl Space {
    /// Of `op`, if that is known. `assume` takes it that the order of sums does not matter.
    pub(super) fn of(op: OpRef<'_>, assume: bool) -> Result<Self, NoMatch> {
        if op.num_results() != 1 || op.num_regions() != 0 {
            return Err(NoMatch("not one result"));
        }
        let result = op.result(0).ty();
        if op.is::<ContractionOp<'_>>() {
            return Self::of_contraction(op, assume);
        }
        if op.is::<MultiDimReductionOp<'_>>() || op.is::<ReductionOp<'_>>() {
            let (source, reduced) = (op.operand(0).ty(), op.attr("reduction_dims"));
            let reduced: Vec<i64> = reduced.map_or_else(|| vec![0], |dims| dims.dense_ints().collect());
            let dims = 0..extents(source).len();
            let kept: Vec<usize> = dims.clone().filter(|&dim| !reduced.contains(&(dim as i64))).collect();
            let of_sums = kept.iter().map(|&dim| Some(dim)).collect();
            return Ok(Self {
                extents: extents(source).to_vec(),
                operands: vec![dims.map(Some).collect(), of_sums],
                result: kept,
                sums: Some(Sums { operand: 1, ordered: is_ordered(op, assume)? }),
            });
        }
        let shape = extents(result).to_vec();
        let rank = shape.len();
        let own = |ty: TypeRef<'_>| (0..extents(ty).len()).map(Some).collect();
        let operands = if op.is::<TransposeOp<'_>>() {
            let permutation = op.attr("permutation").ok_or(NoMatch("no permutation"))?;
            let mut dims = vec![None; rank];
            for (to, from) in permutation.dense_ints().enumerate() {
                *dims.get_mut(from as usize).ok_or(NoMatch("no permutation"))? = Some(to);
            }
            vec![dims]
        } else if op.is::<BroadcastOp<'_>>() {
            let source = extents(op.operand(0).ty());
            let added = rank - source.len();
            let moves = |i: usize| (source[i] == shape[added + i]).then_some(added + i);
            vec![(0..source.len()).map(moves).collect()]
        } else if op.is::<GatherOp<'_>>() || op.has_trait(&Trait::Elementwise) && op.has_trait(&Trait::Vectorizable) {
            op.operands().iter().map(|operand| own(operand.ty())).collect()
        } else {
            return Err(NoMatch("not known to work on parts"));
        };
        Ok(Self { extents: shape, operands, result: (0..rank).collect(), sums: None })
    }

    fn of_contraction(op: OpRef<'_>, assume: bool) -> Result<Self, NoMatch> {
        let affine = op.cx().affine();
        let maps = op.attr("indexing_maps").ok_or(NoMatch("no maps"))?;
        let positions = |map: AttrRef<'_>| affine.result_positions(map.as_affine_map()?);
        let maps: Option<Vec<Vec<u32>>> = maps.elements().map(positions).collect();
        let maps = maps.filter(|maps| maps.len() == 3).ok_or(NoMatch("maps that are no projections"))?;
        let iterators = op.attr("iterator_types").ok_or(NoMatch("no iterators"))?;
        let is_reduced = |attr| IteratorType::from_attr(attr) == Some(IteratorType::Reduction);
        let reduced: Vec<bool> = iterators.elements().map(is_reduced).collect();
        let mut space = vec![0; reduced.len()];
        for (map, operand) in maps.iter().zip(op.operands().iter()) {
            for (&dim, &extent) in map.iter().zip(extents(operand.ty())) {
                *space.get_mut(dim as usize).ok_or(NoMatch("maps of other iterators"))? = extent;
            }
        }
        Ok(Self {
            extents: space,
            operands: maps.iter().map(|map| map.iter().map(|&dim| Some(dim as usize)).collect()).collect(),
            result: maps[2].iter().map(|&dim| dim as usize).collect(),
            sums: Some(Sums { operand: 2, ordered: is_ordered(op, assume)? }),
        })
    }

    /// The dimensions that the result does not have.
    pub(super) fn reduced(&self) -> Vec<usize> {
        (0..self.extents.len()).filter(|dim| !self.result.contains(dim)).collect()
    }
}

fn is_ordered(op: OpRef<'_>, assume: bool) -> Result<bool, NoMatch> {
    let kind = op.attr_or_default("kind").and_then(CombiningKind::from_attr).ok_or(NoMatch("no kind"))?;
    Ok(!is_associative(op, kind, assume))
}
