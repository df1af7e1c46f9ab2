//! Loops whose iterations run on several threads: the pass `scf-parallelize-loops`.
//!
//! It works on buffers, when all loops of a program are there and no pass adds memory that iterations would share: what is parallel is
//! what is proved so here, whoever made the loop. Of each nest the outermost loop that can be is made parallel.
//!
//! * [`span`] tells how far an index reaches in one iteration,
//! * [`access`] which part of which buffer is touched,
//! * [`independence`] whether the iterations stay apart (legality),
//! * [`work`] whether a loop has enough to do (profitability).

mod access;
mod independence;
mod span;
mod work;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::{Arena, AttrRef, Context, OpId, OpRef, OpState, Rewriter};
use dl_scf::{ForOp, ParallelOp, ReduceOp};

pub(crate) use self::access::element_access;
use self::independence::is_independent;
use self::work::work;

dl_ir::pass_options! {
    /// Options of [`ParallelizeLoops`].
    pub struct ParallelizeLoopsOptions {
        /// Least number of operations, those of all iterations, that are worth handing to threads
        min_work "min-work": u64 = 50_000,
    }
}

/// Makes loops on buffers parallel that are proved to be.
#[derive(Clone, Default)]
pub struct ParallelizeLoops {
    /// The options.
    pub options: ParallelizeLoopsOptions,
}

impl Pass for ParallelizeLoops {
    const INFO: PassInfo =
        PassInfo::new("scf-parallelize-loops", "Make loops on buffers parallel that are independent");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let least = self.options.min_work;
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut |cx, ir| {
            for op in parallel_loops(cx, ir, least) {
                make_parallel(&mut Rewriter::new(cx, ir), op);
            }
        });
        Ok(())
    }
}

/// The loops of one arena to be made parallel, none inside another.
fn parallel_loops(cx: &Context, ir: &Arena, least: u64) -> Vec<OpId> {
    let mut found = Vec::new();
    let mut pending = vec![OpRef::new(cx, ir, Arena::ROOT)];
    while let Some(op) = pending.pop() {
        if op.is::<ParallelOp<'_>>() {
            continue;
        }
        if let Some(step) = op.cast::<ForOp<'_>>().and_then(constant_step)
            && work(op) >= least
            && is_independent(ForOp(op), step)
        {
            found.push(op.id());
            continue;
        }
        let inside = op.regions().flat_map(|region| region.ops());
        pending.extend(
            inside.filter(|inner| std::ptr::eq(inner.arena(), ir) && !inner.is_stub() && inner.num_regions() > 0),
        );
    }
    found
}

/// The step of a loop that carries no values and counts `index`, where it is a positive constant.
fn constant_step(each: ForOp<'_>) -> Option<i64> {
    let plain = each.0.num_results() == 0 && each.lower_bound().ty().is_index() && each.unsigned_cmp().is_none();
    let step = each.step().constant().and_then(AttrRef::as_int)?;
    (plain && step > 0).then_some(step)
}

/// Turns a loop without results into a parallel one.
fn make_parallel(rw: &mut Rewriter<'_>, op: OpId) {
    let each = ForOp(rw.op(op));
    let (loc, bounds) = (each.0.loc(), [each.lower_bound().id(), each.upper_bound().id(), each.step().id()]);
    let Some(body) = each.region().entry().map(|body| body.id()) else { return };
    let region = each.region().id();
    if let Some(end) = rw.ir().last_op(body) {
        rw.erase(end);
    }
    rw.set_insertion_to_end(body);
    rw.create(OpState::of::<ReduceOp<'_>>(loc));
    let moved = rw.new_region();
    rw.move_blocks(region, moved, None);
    rw.set_insertion_before(op);
    let state = OpState::of::<ParallelOp<'_>>(loc).operands(bounds).operand_segments(rw.cx(), &[1, 1, 1, 0]);
    rw.create(state.region(moved));
    rw.erase(op);
}
