//! The pass: every allocation in the operation, again and again until none can be promoted any more.

use dl_ir::dominance::Dominance;
use dl_ir::interfaces::PromotableAllocation;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::{Arena, Context, OpId, OpRef, RegionId, Rewriter, ValueRef};
use rustc_hash::FxHashMap;

use super::frontiers::Frontiers;
use super::plan::Plan;
use super::promote::promote;

dl_ir::pass_options! {
    /// Options of [`Mem2Reg`].
    pub struct Mem2RegOptions {
        /// Accepted, as upstream does; the control flow stays as it is in any case
        region_simplify "region-simplify": bool = true,
    }
}

/// Turns allocations that hold one value, and are loaded and stored only, into values.
#[derive(Clone, Default)]
pub struct Mem2Reg {
    /// The options.
    pub options: Mem2RegOptions,
}

impl Pass for Mem2Reg {
    const INFO: PassInfo =
        PassInfo::new("mem2reg", "Promotes memory slots into values.").title("Mem2Reg").statistics(&[
            ("new block args", "Total amount of new block argument inserted in blocks"),
            ("promoted slots", "Total amount of memory slot promoted"),
        ]);

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let dominance = cx.analysis::<Dominance>();
        let mut counts = in_arena(cx.ctx, cx.ir, &dominance);
        let nested = dl_ir::walk::map_nested_arenas(cx.ctx, cx.ir, &|cx, ir| {
            let dominance = Dominance::new(cx, ir);
            in_arena(cx, ir, &dominance)
        });
        for each in nested {
            counts.args += each.args;
            counts.promoted += each.promoted;
        }
        cx.count("new block args", counts.args);
        cx.count("promoted slots", counts.promoted);
        if counts.promoted == 0 {
            cx.preserve_all();
        }
        // Operations go and blocks get arguments; blocks and branches stay.
        cx.preserve::<Dominance>();
        Ok(())
    }
}

#[derive(Clone, Copy, Default)]
struct Counts {
    args: u64,
    promoted: u64,
}

/// Promotes all that can be promoted in one arena.
fn in_arena(cx: &Context, ir: &mut Arena, dominance: &Dominance) -> Counts {
    let mut pending: Vec<OpId> = dl_ir::walk::ops_in_arena(ir, Arena::ROOT)
        .into_iter()
        .filter(|&op| OpRef::new(cx, ir, op).interface::<dyn PromotableAllocation>().is_some())
        .collect();
    let mut frontiers: FxHashMap<RegionId, Frontiers> = FxHashMap::default();
    let mut counts = Counts::default();
    loop {
        let mut next = Vec::with_capacity(pending.len());
        let before = counts.promoted;
        for op in pending {
            let Some(plan) = plan(cx, ir, op, dominance, &mut frontiers) else {
                next.push(op);
                continue;
            };
            let (new, rest) = promote(&mut Rewriter::new(cx, ir), dominance, op, &plan);
            counts.args += new;
            counts.promoted += 1;
            next.extend(rest);
        }
        pending = next;
        if counts.promoted == before {
            return counts;
        }
    }
}

/// What to do for the first slot of the allocation `op` that can be promoted.
fn plan(
    cx: &Context,
    ir: &Arena,
    op: OpId,
    dominance: &Dominance,
    frontiers: &mut FxHashMap<RegionId, Frontiers>,
) -> Option<Plan> {
    let view = OpRef::new(cx, ir, op);
    let slots = view.interface::<dyn PromotableAllocation>()?.slots(view);
    slots.into_iter().find_map(|slot| {
        let pointer = ValueRef::new(cx, ir, slot.pointer);
        let region = pointer.parent_block()?.region()?.id();
        // One that nothing uses is left to whoever erases dead operations.
        if !pointer.has_uses() {
            return None;
        }
        let frontiers = frontiers.entry(region).or_insert_with(|| Frontiers::new(ir, dominance, region));
        Plan::new(cx, ir, slot, frontiers)
    })
}
