//! `scf-for-loop-specialization` and `scf-parallel-loop-specialization`: a second copy of a loop for the most frequent bounds.

use dl_affine::AffineMinOp;
use dl_arith::{AndIOp, CmpIPredicate};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::{AttrRef, Mapping, OpId, OpState, OpView, Rewriter, ValueId, ValueRef, clone_op};
use dl_scf::{ForOp, IfOp, ParallelOp, YieldOp};

/// A loop to the least of a constant and other things, as tiling leaves it, runs to that constant mostly. It becomes an `scf.if` with a copy of the
/// loop that has the constant as its bound, and one as it was.
#[derive(Clone, Copy, Default)]
pub struct ForLoopSpecialization;

impl Pass for ForLoopSpecialization {
    const INFO: PassInfo = PassInfo::new("scf-for-loop-specialization", "Specialize `for` loops for vectorization")
        .title("SCFForLoopSpecialization");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        crate::rewrite_each::<ForOp<'_>>(cx, &mut |rw, op| {
            let view = ForOp::wrap(rw.op(op));
            // A copy of a loop with results in each branch would have to yield them.
            let bounds = if view.0.num_results() == 0 { frequent_bounds([view.upper_bound()]) } else { None };
            specialize(rw, op, bounds);
            Ok(())
        })
    }
}

/// The same for parallel loops, where all upper bounds are such.
#[derive(Clone, Copy, Default)]
pub struct ParallelLoopSpecialization;

impl Pass for ParallelLoopSpecialization {
    const INFO: PassInfo =
        PassInfo::new("scf-parallel-loop-specialization", "Specialize parallel loops for vectorization")
            .title("SCFParallelLoopSpecialization");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        crate::rewrite_each::<ParallelOp<'_>>(cx, &mut |rw, op| {
            let view = ParallelOp::wrap(rw.op(op));
            let bounds = if view.0.num_results() == 0 { frequent_bounds(view.upper_bound().iter()) } else { None };
            specialize(rw, op, bounds);
            Ok(())
        })
    }
}

/// Each bound with its least constant result. `None` unless all are `affine.min` with such a one.
fn frequent_bounds<'a>(bounds: impl IntoIterator<Item = ValueRef<'a>>) -> Option<Vec<(ValueId, i64)>> {
    let frequent = |bound: ValueRef<'a>| {
        let min = bound.def::<AffineMinOp<'a>>()?;
        let affine = bound.cx().affine();
        let map = min.0.attr("map").and_then(AttrRef::as_affine_map)?;
        let constants = affine.map(map).results.iter().filter_map(|&result| affine.constant_value(result));
        Some((bound.id(), constants.min()?))
    };
    let bounds: Vec<_> = bounds.into_iter().map(frequent).collect::<Option<_>>()?;
    (!bounds.is_empty()).then_some(bounds)
}

/// Makes `op` an `scf.if` of two copies: one for the case that all bounds are as given.
fn specialize(rw: &mut Rewriter<'_>, op: OpId, bounds: Option<Vec<(ValueId, i64)>>) {
    let Some(bounds) = bounds else { return };
    let (cx, loc) = (rw.cx(), rw.op(op).loc());
    rw.set_insertion_before(op);
    let mut mapping = Mapping::new();
    let mut condition = None;
    for (bound, number) in bounds {
        let ty = rw.ir().value_type(bound);
        let constant = dl_arith::constant(rw, cx.int_attr(ty, number), loc);
        let equal = dl_arith::build::compare(rw, CmpIPredicate::Eq, bound, constant, loc);
        condition = Some(match condition {
            Some(others) => dl_arith::build::binary::<AndIOp<'_>>(rw, others, equal, loc),
            None => equal,
        });
        mapping.map(bound, constant);
    }
    let Some(condition) = condition else { return };
    let mut branch = |mapping: &mut Mapping| {
        let region = rw.new_region();
        let block = rw.append_block(region, &[]);
        rw.set_insertion_to_end(block);
        clone_op(rw, op, mapping);
        rw.create(OpState::of::<YieldOp<'_>>(loc));
        region
    };
    let (fast, general) = (branch(&mut mapping), branch(&mut Mapping::new()));
    rw.replace_with(op, OpState::of::<IfOp<'_>>(loc).operands([condition]).region(fast).region(general));
}
