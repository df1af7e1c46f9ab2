//! Interfaces.

use dl_ir::interfaces::{Bound, LoopDim, LoopLike, RegionBranchOp, RegionPoint};
use dl_ir::{AttrRef, OpRef, OpView, Operands, RegionRef, ValueRef};
use smallvec::{SmallVec, smallvec};

use crate::AffineForOp;
use RegionPoint::{Parent, Region};

type Points = SmallVec<[RegionPoint; 2]>;
type Values<'a> = SmallVec<[ValueRef<'a>; 4]>;

fn none(op: OpRef<'_>) -> Operands<'_> {
    op.operands().slice(0, 0)
}

pub(crate) struct If;

impl RegionBranchOp for If {
    fn successors(&self, op: OpRef<'_>, from: RegionPoint) -> Points {
        match from {
            Region(_) => smallvec![Parent],
            Parent if op.region(1).is_empty() => smallvec![Region(0), Parent],
            Parent => smallvec![Region(0), Region(1)],
        }
    }

    fn entry_operands<'a>(&self, op: OpRef<'a>, _to: RegionPoint) -> Operands<'a> {
        none(op)
    }
}

/// How often the body of a loop with constant bounds is executed.
fn trip_count(op: AffineForOp<'_>) -> Option<i64> {
    let (lower, upper) = (op.constant_lower_bound()?, op.constant_upper_bound()?);
    let (extent, step) = (upper.checked_sub(lower)?.max(0), op.step().as_int().filter(|&step| step > 0)?);
    Some(extent / step + i64::from(extent % step != 0))
}

pub(crate) struct For;

impl RegionBranchOp for For {
    fn successors(&self, op: OpRef<'_>, from: RegionPoint) -> Points {
        match (trip_count(AffineForOp::wrap(op)), from) {
            (Some(0), Parent) | (Some(1), Region(_)) => smallvec![Parent],
            (Some(_), Parent) => smallvec![Region(0)],
            _ => smallvec![Region(0), Parent],
        }
    }

    fn entry_operands<'a>(&self, op: OpRef<'a>, _to: RegionPoint) -> Operands<'a> {
        AffineForOp::wrap(op).inits()
    }

    fn inputs<'a>(&self, op: OpRef<'a>, to: RegionPoint) -> Values<'a> {
        match to {
            Parent => op.results().iter().collect(),
            Region(_) => self.region_iter_args(op),
        }
    }
}

/// The bound that a map with its operands is, where that is one value or number.
fn bound<'a>(map: AttrRef<'a>, operands: Operands<'a>) -> Option<Bound<'a>> {
    let affine = map.cx().affine();
    let map = map.as_affine_map()?;
    if let Some(constant) = affine.single_constant_result(map) {
        return Some(Bound::Constant(constant));
    }
    let data = affine.map(map);
    let [result] = &*data.results else { return None };
    let symbol = |at: u32| data.num_dims + at;
    let at = affine.dim_position(*result).or_else(|| affine.symbol_position(*result).map(symbol))?;
    operands.get(at as usize).map(Bound::of)
}

/// Whether a loop is known to come to its end, whatever its bounds are: a step of more than 1 may overflow on the way.
pub(crate) fn ends(op: OpRef<'_>) -> bool {
    AffineForOp::wrap(op).step().as_int() == Some(1)
}

impl LoopLike for For {
    fn loop_regions<'a>(&self, op: OpRef<'a>) -> SmallVec<[RegionRef<'a>; 2]> {
        smallvec![op.region(0)]
    }

    fn dims<'a>(&self, op: OpRef<'a>) -> Option<SmallVec<[LoopDim<'a>; 2]>> {
        let view = AffineForOp::wrap(op);
        let variable = op.region(0).entry()?.args().next()?;
        let lower = bound(view.lower_bound_map(), view.lower_bound_operands())?;
        let upper = bound(view.upper_bound_map(), view.upper_bound_operands())?;
        Some(smallvec![LoopDim { variable, lower, upper, step: Bound::Constant(view.step().as_int()?) }])
    }

    fn inits<'a>(&self, op: OpRef<'a>) -> Operands<'a> {
        AffineForOp::wrap(op).inits()
    }

    fn region_iter_args<'a>(&self, op: OpRef<'a>) -> Values<'a> {
        op.region(0).entry().into_iter().flat_map(dl_ir::BlockRef::args).skip(1).collect()
    }

    fn yielded_values<'a>(&self, op: OpRef<'a>) -> Option<Operands<'a>> {
        op.region(0).entry().and_then(dl_ir::BlockRef::last_op).map(OpRef::operands)
    }
}

pub(crate) struct Parallel;

impl LoopLike for Parallel {
    fn loop_regions<'a>(&self, op: OpRef<'a>) -> SmallVec<[RegionRef<'a>; 2]> {
        smallvec![op.region(0)]
    }

    fn inits<'a>(&self, op: OpRef<'a>) -> Operands<'a> {
        none(op)
    }

    fn region_iter_args<'a>(&self, _op: OpRef<'a>) -> Values<'a> {
        Values::new()
    }

    fn yielded_values<'a>(&self, _op: OpRef<'a>) -> Option<Operands<'a>> {
        None
    }
}
