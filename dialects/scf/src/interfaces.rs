//! Interfaces.

use dl_ir::interfaces::{Bound, LoopDim, LoopLike, RegionBranchOp, RegionPoint};
use dl_ir::{Attr, AttrRef, DYNAMIC, OpRef, OpView, Operands, RegionRef, ValueRef};
use smallvec::{SmallVec, smallvec};

use crate::{ForOp, ForallOp, ParallelOp, WhileOp};
use RegionPoint::{Parent, Region};

type Points = SmallVec<[RegionPoint; 2]>;
type Values<'a> = SmallVec<[ValueRef<'a>; 4]>;

/// No operands of `op`.
fn none(op: OpRef<'_>) -> Operands<'_> {
    op.operands().slice(0, 0)
}

/// The operands of the terminator of the only block of `region`.
fn terminator_operands(region: RegionRef<'_>) -> Option<Operands<'_>> {
    region.entry().and_then(dl_ir::BlockRef::last_op).map(OpRef::operands)
}

/// Arguments of the entry block of `region` from number `skip` on.
fn args_from(region: RegionRef<'_>, skip: usize) -> Values<'_> {
    region.entry().into_iter().flat_map(dl_ir::BlockRef::args).skip(skip).collect()
}

pub(crate) struct If;

impl RegionBranchOp for If {
    fn runs_at_most_once(&self, _op: OpRef<'_>, _index: usize) -> bool {
        true
    }

    fn successors(&self, op: OpRef<'_>, from: RegionPoint) -> Points {
        match from {
            Region(_) => smallvec![Parent],
            Parent if op.region(1).is_empty() => smallvec![Region(0), Parent],
            Parent => smallvec![Region(0), Region(1)],
        }
    }

    fn entry_successors(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> Points {
        let all = self.successors(op, Parent);
        match operands.first().copied().flatten().and_then(|c| op.cx().attr(c).as_bool()) {
            Some(condition) => smallvec![all[usize::from(!condition)]],
            None => all,
        }
    }

    fn entry_operands<'a>(&self, op: OpRef<'a>, _to: RegionPoint) -> Operands<'a> {
        none(op)
    }
}

pub(crate) struct ExecuteRegion;

impl RegionBranchOp for ExecuteRegion {
    fn successors(&self, _op: OpRef<'_>, from: RegionPoint) -> Points {
        match from {
            Parent => smallvec![Region(0)],
            Region(_) => smallvec![Parent],
        }
    }

    fn entry_operands<'a>(&self, op: OpRef<'a>, _to: RegionPoint) -> Operands<'a> {
        none(op)
    }
}

pub(crate) struct IndexSwitch;

impl RegionBranchOp for IndexSwitch {
    fn runs_at_most_once(&self, _op: OpRef<'_>, _index: usize) -> bool {
        true
    }

    fn successors(&self, op: OpRef<'_>, from: RegionPoint) -> Points {
        match from {
            Parent => (0..op.num_regions()).map(Region).collect(),
            Region(_) => smallvec![Parent],
        }
    }

    fn entry_successors(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> Points {
        let value = operands.first().copied().flatten().and_then(|c| op.cx().attr(c).as_int());
        let Some(value) = value else { return self.successors(op, Parent) };
        let mut cases = op.attr("cases").into_iter().flat_map(AttrRef::dense_ints);
        smallvec![Region(cases.position(|case| case == value).map_or(0, |at| at + 1))]
    }

    fn entry_operands<'a>(&self, op: OpRef<'a>, _to: RegionPoint) -> Operands<'a> {
        none(op)
    }
}

pub(crate) struct For;

impl RegionBranchOp for For {
    fn successors(&self, _op: OpRef<'_>, _from: RegionPoint) -> Points {
        smallvec![Region(0), Parent]
    }

    /// Into the body of a loop that is known to run, past one that is known not to. A step of zero tells nothing: what is undefined is
    /// still looked at.
    fn entry_successors(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> Points {
        let constant = |at: usize| op.cx().attr(operands.get(at).copied().flatten()?).as_int();
        let unsigned = ForOp::wrap(op).unsigned_cmp().is_some();
        if constant(2) == Some(0) {
            return smallvec![Region(0), Parent];
        }
        match crate::trips::trip_count(constant(0), constant(1), constant(2), unsigned) {
            Some(0) => smallvec![Parent],
            Some(_) => smallvec![Region(0)],
            None => smallvec![Region(0), Parent],
        }
    }

    fn entry_operands<'a>(&self, op: OpRef<'a>, _to: RegionPoint) -> Operands<'a> {
        ForOp::wrap(op).init_args()
    }

    fn inputs<'a>(&self, op: OpRef<'a>, to: RegionPoint) -> Values<'a> {
        match to {
            Parent => op.results().iter().collect(),
            Region(_) => args_from(op.region(0), 1),
        }
    }
}

/// Whether a loop is known to come to its end, whatever its bounds are: a step of more than 1 may overflow on the way.
pub(crate) fn ends(op: OpRef<'_>) -> bool {
    ForOp::wrap(op).step().constant().and_then(AttrRef::as_int) == Some(1)
}

impl LoopLike for For {
    fn loop_regions<'a>(&self, op: OpRef<'a>) -> SmallVec<[RegionRef<'a>; 2]> {
        smallvec![op.region(0)]
    }

    fn is_unsigned(&self, op: OpRef<'_>) -> bool {
        ForOp::wrap(op).unsigned_cmp().is_some()
    }

    fn dims<'a>(&self, op: OpRef<'a>) -> Option<SmallVec<[LoopDim<'a>; 2]>> {
        let view = ForOp::wrap(op);
        let variable = op.region(0).entry()?.args().next()?;
        let [lower, upper, step] = [view.lower_bound(), view.upper_bound(), view.step()].map(Bound::of);
        Some(smallvec![LoopDim { variable, lower, upper, step }])
    }

    fn inits<'a>(&self, op: OpRef<'a>) -> Operands<'a> {
        ForOp::wrap(op).init_args()
    }

    fn region_iter_args<'a>(&self, op: OpRef<'a>) -> Values<'a> {
        args_from(op.region(0), 1)
    }

    fn yielded_values<'a>(&self, op: OpRef<'a>) -> Option<Operands<'a>> {
        terminator_operands(op.region(0))
    }
}

pub(crate) struct While;

impl RegionBranchOp for While {
    fn successors(&self, _op: OpRef<'_>, from: RegionPoint) -> Points {
        match from {
            Parent | Region(1) => smallvec![Region(0)],
            Region(_) => smallvec![Parent, Region(1)],
        }
    }

    fn terminator_successors(&self, op: OpRef<'_>, terminator: OpRef<'_>, operands: &[Option<Attr>]) -> Points {
        if !terminator.is::<crate::ConditionOp<'_>>() {
            return smallvec![Region(0)];
        }
        match operands.first().copied().flatten().and_then(|c| op.cx().attr(c).as_bool()) {
            Some(true) => smallvec![Region(1)],
            Some(false) => smallvec![Parent],
            None => smallvec![Parent, Region(1)],
        }
    }

    fn entry_operands<'a>(&self, op: OpRef<'a>, _to: RegionPoint) -> Operands<'a> {
        op.operands()
    }

    fn terminator_operands<'a>(&self, terminator: OpRef<'a>, _to: RegionPoint) -> Operands<'a> {
        let all = terminator.operands();
        let skip = usize::from(terminator.is::<crate::ConditionOp<'_>>()).min(all.len());
        all.slice(skip, all.len() - skip)
    }
}

impl LoopLike for While {
    fn loop_regions<'a>(&self, op: OpRef<'a>) -> SmallVec<[RegionRef<'a>; 2]> {
        op.regions().collect()
    }

    fn inits<'a>(&self, op: OpRef<'a>) -> Operands<'a> {
        op.operands()
    }

    fn region_iter_args<'a>(&self, op: OpRef<'a>) -> Values<'a> {
        args_from(WhileOp::wrap(op).before(), 0)
    }

    fn yielded_values<'a>(&self, op: OpRef<'a>) -> Option<Operands<'a>> {
        terminator_operands(WhileOp::wrap(op).after())
    }
}

pub(crate) struct Parallel;

impl RegionBranchOp for Parallel {
    fn successors(&self, _op: OpRef<'_>, _from: RegionPoint) -> Points {
        smallvec![Region(0), Parent]
    }

    fn entry_operands<'a>(&self, op: OpRef<'a>, _to: RegionPoint) -> Operands<'a> {
        none(op)
    }

    fn terminator_operands<'a>(&self, terminator: OpRef<'a>, _to: RegionPoint) -> Operands<'a> {
        none(terminator)
    }

    fn inputs<'a>(&self, _op: OpRef<'a>, _to: RegionPoint) -> Values<'a> {
        Values::new()
    }
}

impl LoopLike for Parallel {
    fn loop_regions<'a>(&self, op: OpRef<'a>) -> SmallVec<[RegionRef<'a>; 2]> {
        smallvec![op.region(0)]
    }

    fn dims<'a>(&self, op: OpRef<'a>) -> Option<SmallVec<[LoopDim<'a>; 2]>> {
        let view = ParallelOp::wrap(op);
        let bounds = view.lower_bound().iter().zip(view.upper_bound().iter()).zip(view.step().iter());
        let dim = |(variable, ((lower, upper), step)): (_, ((_, _), _))| LoopDim {
            variable,
            lower: Bound::of(lower),
            upper: Bound::of(upper),
            step: Bound::of(step),
        };
        Some(op.region(0).entry()?.args().zip(bounds).map(dim).collect())
    }

    fn inits<'a>(&self, op: OpRef<'a>) -> Operands<'a> {
        ParallelOp::wrap(op).init_vals()
    }

    fn region_iter_args<'a>(&self, _op: OpRef<'a>) -> Values<'a> {
        Values::new()
    }

    fn yielded_values<'a>(&self, _op: OpRef<'a>) -> Option<Operands<'a>> {
        None
    }
}

pub(crate) struct Forall;

impl RegionBranchOp for Forall {
    fn successors(&self, _op: OpRef<'_>, from: RegionPoint) -> Points {
        match from {
            Parent => smallvec![Region(0)],
            Region(_) => smallvec![Parent],
        }
    }

    fn entry_operands<'a>(&self, op: OpRef<'a>, _to: RegionPoint) -> Operands<'a> {
        none(op)
    }

    fn terminator_operands<'a>(&self, terminator: OpRef<'a>, _to: RegionPoint) -> Operands<'a> {
        none(terminator)
    }

    fn inputs<'a>(&self, _op: OpRef<'a>, _to: RegionPoint) -> Values<'a> {
        Values::new()
    }
}

impl LoopLike for Forall {
    fn loop_regions<'a>(&self, op: OpRef<'a>) -> SmallVec<[RegionRef<'a>; 2]> {
        smallvec![op.region(0)]
    }

    fn dims<'a>(&self, op: OpRef<'a>) -> Option<SmallVec<[LoopDim<'a>; 2]>> {
        let view = ForallOp::wrap(op);
        let [lower, upper, step] = crate::forall_bounds(view);
        let lower = mixed(&lower, view.dynamic_lower_bound())?;
        let upper = mixed(&upper, view.dynamic_upper_bound())?;
        let step = mixed(&step, view.dynamic_step())?;
        let bounds = lower.into_iter().zip(upper).zip(step);
        let dim = |(variable, ((lower, upper), step))| LoopDim { variable, lower, upper, step };
        Some(op.region(0).entry()?.args().zip(bounds).map(dim).collect())
    }

    fn inits<'a>(&self, op: OpRef<'a>) -> Operands<'a> {
        ForallOp::wrap(op).outputs()
    }

    fn region_iter_args<'a>(&self, op: OpRef<'a>) -> Values<'a> {
        let loops = ForallOp::wrap(op).static_upper_bound().dense_ints().count();
        args_from(op.region(0), loops)
    }

    fn yielded_values<'a>(&self, _op: OpRef<'a>) -> Option<Operands<'a>> {
        None
    }
}

/// The bounds of a list of which some are constants.
fn mixed<'a>(constants: &[i64], values: Operands<'a>) -> Option<Vec<Bound<'a>>> {
    let mut values = values.iter();
    let bound = |&n: &i64| {
        if n == DYNAMIC { values.next().map(Bound::of) } else { Some(Bound::Constant(n)) }
    };
    constants.iter().map(bound).collect()
}
