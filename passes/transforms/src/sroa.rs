//! `sroa`: allocations of several elements become allocations of single ones.

use dl_ir::interfaces::{DestructurableAccess, DestructurableAllocation};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::{Arena, Attr, Context, OpId, OpRef, Rewriter, ValueId, ValueRef};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Splits allocations of which each access concerns one known part. Parts that nothing accesses are not allocated any more.
#[derive(Clone, Copy, Default)]
pub struct Sroa;

impl Pass for Sroa {
    const INFO: PassInfo = PassInfo::new("sroa", "Scalar Replacement of Aggregates").title("SROA").statistics(&[
        ("destructured slots", "Total amount of memory slots destructured"),
        ("max subelement number", "Maximal number of sub-elements a successfully destructured slot initially had"),
        (
            "slots with memory benefit",
            "Total amount of memory slots in which the destructured size was smaller than the total size after eliminating unused fields",
        ),
    ]);

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut counts = in_arena(cx.ctx, cx.ir);
        for each in dl_ir::walk::map_nested_arenas(cx.ctx, cx.ir, &in_arena) {
            counts.split += each.split;
            counts.smaller += each.smaller;
            counts.largest = counts.largest.max(each.largest);
        }
        cx.count("destructured slots", counts.split);
        cx.count("max subelement number", counts.largest);
        cx.count("slots with memory benefit", counts.smaller);
        if counts.split == 0 {
            cx.preserve_all();
        }
        // No block and no branch changes.
        cx.preserve::<dl_ir::dominance::Dominance>();
        Ok(())
    }
}

#[derive(Clone, Copy, Default)]
struct Counts {
    split: u64,
    /// Those of which not all parts are accessed.
    smaller: u64,
    /// Most parts of one.
    largest: u64,
}

/// Splits all that can be split in one arena.
fn in_arena(cx: &Context, ir: &mut Arena) -> Counts {
    let mut pending: Vec<OpId> = dl_ir::walk::ops_in_arena(ir, Arena::ROOT)
        .into_iter()
        .filter(|&op| OpRef::new(cx, ir, op).interface::<dyn DestructurableAllocation>().is_some())
        .collect();
    let mut counts = Counts::default();
    while let Some(op) = pending.pop() {
        let Some(plan) = Plan::new(cx, ir, op) else { continue };
        counts.split += 1;
        counts.smaller += u64::from(plan.used.len() < plan.parts);
        counts.largest = counts.largest.max(plan.parts as u64);
        pending.extend(plan.split(&mut Rewriter::new(cx, ir), op));
    }
    counts
}

/// How an allocation is split.
struct Plan {
    /// Points to what is split.
    pointer: ValueId,
    /// The parts that are accessed.
    used: Vec<Attr>,
    /// How many there are.
    parts: usize,
    /// Each access and its parts.
    accesses: Vec<(OpId, SmallVec<[Attr; 1]>)>,
}

impl Plan {
    /// For the first memory that `op` allocates and that can be split.
    fn new(cx: &Context, ir: &Arena, op: OpId) -> Option<Self> {
        let view = OpRef::new(cx, ir, op);
        let all = view.interface::<dyn DestructurableAllocation>()?.parts(view);
        all.into_iter().find_map(|(pointer, parts)| Self::of(ValueRef::new(cx, ir, pointer), &parts))
    }

    fn of(pointer: ValueRef<'_>, parts: &[Attr]) -> Option<Self> {
        let known: FxHashSet<Attr> = parts.iter().copied().collect();
        let mut accesses = Vec::new();
        for (user, _) in pointer.uses() {
            let touched = user.interface::<dyn DestructurableAccess>()?.parts(user, pointer.id(), parts)?;
            if !touched.iter().all(|part| known.contains(part)) {
                return None;
            }
            accesses.push((user.id(), touched));
        }
        // Those of the latest uses come first, as upstream has them.
        let touched: IndexSet<Attr, FxBuildHasher> =
            accesses.iter().flat_map(|(_, parts): &(_, SmallVec<_>)| parts).copied().collect();
        let used = touched.into_iter().collect();
        Some(Self { pointer: pointer.id(), used, parts: parts.len(), accesses })
    }

    /// Splits the allocation `op`; answers the new ones.
    fn split(&self, rw: &mut Rewriter<'_>, op: OpId) -> Vec<OpId> {
        let cx = rw.cx();
        let info = cx.op_info(rw.op(op).name_id());
        let Some(allocation) = info.interface::<dyn DestructurableAllocation>() else { return Vec::new() };
        rw.set_insertion_after(op);
        let mut made = Vec::new();
        let mut pointers: FxHashMap<Attr, ValueId> = FxHashMap::default();
        for &part in &self.used {
            let (new, pointer) = allocation.allocate_part(rw, op, self.pointer, part);
            made.push(new);
            pointers.insert(part, pointer);
        }
        for (user, parts) in &self.accesses {
            let info = cx.op_info(rw.op(*user).name_id());
            let parts = if parts.is_empty() { &self.used[..] } else { parts };
            let parts: SmallVec<[_; 1]> = parts.iter().map(|&part| (part, pointers[&part])).collect();
            if let Some(access) = info.interface::<dyn DestructurableAccess>() {
                rw.set_insertion_before(*user);
                access.rewire(rw, *user, self.pointer, &parts);
            }
        }
        made.extend(allocation.destructured(rw, op, self.pointer));
        made
    }
}
