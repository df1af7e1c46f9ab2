//! `cse`: common subexpression elimination.
//!
//! A scoped hash table over the dominator tree: an operation that is equal to one whose results are visible is replaced by it.
//! Operations that only read memory are merged within a block when nothing in between writes. Unused operations are erased on
//! the way, at the end: what only they used stays.

mod equivalence;
mod known;

use dl_ir::dominance::{Dominance, has_ssa_dominance};
use dl_ir::effects::{effects_of, effects_with, would_be_trivially_dead_with};
use dl_ir::opdef::{Effects, Trait};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::{Arena, BlockId, Context, Listener, OpId, OpRef, RegionId, Rewriter};
use rustc_hash::FxHashMap;

use self::known::Known;

/// Replaces operations by equal ones.
#[derive(Clone, Copy, Default)]
pub struct Cse;

impl Pass for Cse {
    const INFO: PassInfo = PassInfo::new("cse", "Eliminate common sub-expressions")
        .title("CSE")
        .statistics(&[("num-cse'd", "Number of operations CSE'd"), ("num-dce'd", "Number of operations DCE'd")]);

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let dominance = cx.analysis::<Dominance>();
        let mut counts = in_arena(cx.ctx, cx.ir, &dominance);
        let nested = dl_ir::walk::map_nested_arenas(cx.ctx, cx.ir, &|cx, ir| {
            let dominance = Dominance::new(cx, ir);
            in_arena(cx, ir, &dominance)
        });
        for each in nested {
            counts.merged += each.merged;
            counts.dead += each.dead;
        }
        cx.count("num-cse'd", counts.merged);
        cx.count("num-dce'd", counts.dead);
        if counts.merged == 0 && counts.dead == 0 {
            cx.preserve_all();
        } else {
            // Neither blocks nor branches are touched.
            cx.preserve::<Dominance>();
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Default)]
struct Counts {
    merged: u64,
    dead: u64,
}

/// Merges equal operations of one arena in the regions of `scope`, and erases unused ones; tells `listener` what it changes. Answers whether there were
/// such.
pub fn eliminate_common_subexpressions(cx: &Context, ir: &mut Arena, scope: OpId, listener: &mut dyn Listener) -> bool {
    let dominance = Dominance::new(cx, ir);
    let counts = in_scope(cx, ir, scope, &dominance, Some(listener));
    counts.merged > 0 || counts.dead > 0
}

/// Merges equal operations of one arena.
fn in_arena(cx: &Context, ir: &mut Arena, dominance: &Dominance) -> Counts {
    in_scope(cx, ir, Arena::ROOT, dominance, None)
}

fn in_scope<'a>(
    cx: &'a Context,
    ir: &'a mut Arena,
    scope: OpId,
    dominance: &'a Dominance,
    listener: Option<&'a mut dyn Listener>,
) -> Counts {
    let mut driver = Driver {
        cx,
        ir,
        dominance,
        listener,
        known: Known::default(),
        outer: Vec::new(),
        dead: Vec::new(),
        writes: FxHashMap::default(),
        effects: FxHashMap::default(),
        counts: Counts::default(),
    };
    driver.run(scope);
    let dead = std::mem::take(&mut driver.dead);
    driver.rewriter().erase_all(&dead);
    driver.counts
}

struct Driver<'a> {
    cx: &'a Context,
    ir: &'a mut Arena,
    dominance: &'a Dominance,
    /// Who hears of changes.
    listener: Option<&'a mut dyn Listener>,
    known: Known,
    /// What is known around isolated operations that are open.
    outer: Vec<Known>,
    /// To be erased at the end.
    dead: Vec<OpId>,
    /// By operation that reads: the last operation after it that has been looked at, and whether something up to it writes.
    writes: FxHashMap<OpId, (OpId, bool)>,
    /// Effects of operations with regions, found out from the inside out.
    effects: FxHashMap<OpId, Option<Effects>>,
    counts: Counts,
}

/// What is left to do, a stack: nesting is as deep as the input likes.
enum Step {
    Region(RegionId),
    Enter(BlockId, bool),
    /// An operation, then the rest of its block.
    Ops(Option<OpId>, bool),
    /// One whose regions are done.
    Simplify(OpId, bool),
    Leave,
    /// Into an operation of which nothing is known: its regions may not be allowed to use values from around it.
    Isolate,
    /// Out of it.
    Restore,
}

impl Driver<'_> {
    fn rewriter(&mut self) -> Rewriter<'_> {
        match &mut self.listener {
            Some(listener) => Rewriter::with_listener(self.cx, self.ir, &mut **listener),
            None => Rewriter::new(self.cx, self.ir),
        }
    }

    fn run(&mut self, scope: OpId) {
        let mut steps: Vec<Step> = self.ir.op_regions(scope).iter().rev().map(|&r| Step::Region(r)).collect();
        while let Some(step) = steps.pop() {
            match step {
                Step::Region(region) => self.region(region, &mut steps),
                Step::Enter(block, ordered) => {
                    self.known.enter();
                    steps.push(Step::Ops(self.ir.block_ops(block).next(), ordered));
                }
                Step::Ops(first, ordered) => self.simplify_from(first, ordered, &mut steps),
                Step::Simplify(op, ordered) => self.simplify(op, ordered),
                Step::Leave => self.known.leave(),
                Step::Isolate => self.outer.push(std::mem::take(&mut self.known)),
                Step::Restore => self.known = self.outer.pop().unwrap_or_default(),
            }
        }
    }

    /// Goes through the operations of a block from `first` on, up to one with regions.
    fn simplify_from(&mut self, first: Option<OpId>, ordered: bool, steps: &mut Vec<Step>) {
        let mut next = first;
        while let Some(op) = next {
            next = self.ir.next_op(op);
            let regions = self.ir.op_regions(op).iter().rev().map(|&region| Step::Region(region));
            if regions.len() == 0 {
                self.simplify(op, ordered);
                continue;
            }
            steps.extend([Step::Ops(next, ordered), Step::Simplify(op, ordered)]);
            if OpRef::new(self.cx, self.ir, op).def().is_none() {
                steps.push(Step::Restore);
                steps.extend(regions);
                steps.push(Step::Isolate);
            } else {
                steps.extend(regions);
            }
            return;
        }
    }

    fn region(&mut self, region: RegionId, steps: &mut Vec<Step>) {
        let Some(entry) = self.ir.entry_block(region) else { return };
        let parent = self.ir.region_parent(region).map(|op| OpRef::new(self.cx, self.ir, op));
        let ordered = parent.is_none_or(has_ssa_dominance);
        if self.ir.region_blocks(region).nth(1).is_none() {
            steps.extend([Step::Leave, Step::Enter(entry, ordered)]);
            return;
        }
        if !ordered {
            return;
        }
        // Down the dominator tree: what a block makes known is known in the blocks below it.
        let mut events = Vec::new();
        let mut open = 0;
        for (block, depth) in self.dominance.tree(self.ir, region) {
            while open > depth {
                events.push(Step::Leave);
                open -= 1;
            }
            events.push(Step::Enter(block, ordered));
            open += 1;
        }
        events.extend((0..open).map(|_| Step::Leave));
        steps.extend(events.into_iter().rev());
    }

    fn simplify(&mut self, op: OpId, ordered: bool) {
        let view = OpRef::new(self.cx, self.ir, op);
        if view.has_trait(&Trait::Terminator) {
            return;
        }
        let effects = effects_with(view, |op| self.effects.get(&op).copied());
        if view.num_regions() > 0 {
            self.effects.insert(op, effects);
        }
        let unused = !view.has_used_results();
        if unused && would_be_trivially_dead_with(view, || effects) {
            self.dead.push(op);
            self.counts.dead += 1;
            return;
        }
        if view.is_stub() || view.regions().any(|region| !region.is_empty() && !region.has_one_block()) {
            return;
        }
        let Some(effects) = effects else { return };
        if !effects.is_empty() && effects != Effects::READ {
            return;
        }
        let hash = equivalence::hash(view);
        let found = self.known.find(hash, |other| equivalence::equal(OpRef::new(self.cx, self.ir, other), view));
        match found {
            Some(other) if effects.is_empty() => self.replace(op, other, ordered),
            Some(other) if self.ir.block_of(other) == self.ir.block_of(op) && !self.writes_between(other, op) => {
                self.replace(op, other, ordered);
            }
            _ => self.known.insert(hash, op, found, ordered),
        }
    }

    /// Whether something between the reading operation `from` and `to`, in one block, may write.
    fn writes_between(&mut self, from: OpId, to: OpId) -> bool {
        let (mut at, mut writes) = self.writes.get(&from).copied().unwrap_or((from, false));
        while !writes && at != to {
            let Some(next) = self.ir.next_op(at) else { break };
            at = next;
            if at != to {
                let effects = effects_of(OpRef::new(self.cx, self.ir, at));
                writes = effects.is_none_or(|effects| effects.contains(Effects::WRITE));
            }
        }
        self.writes.insert(from, (at, writes));
        writes
    }

    fn replace(&mut self, op: OpId, by: OpId, ordered: bool) {
        let (loc, own_loc) = (OpRef::new(self.cx, self.ir, op).loc(), OpRef::new(self.cx, self.ir, by).loc());
        let pairs: Vec<_> = self.ir.results(op).zip(self.ir.results(by)).collect();
        let known = &self.known;
        let mut rw = match &mut self.listener {
            Some(listener) => Rewriter::with_listener(self.cx, self.ir, &mut **listener),
            None => Rewriter::new(self.cx, self.ir),
        };
        for (old, new) in pairs {
            if ordered {
                rw.replace_all_uses(old, new);
            } else {
                // In a graph region, users that are in the table already would change under it.
                rw.replace_uses_if(old, new, |user, _| !known.contains(user.id()));
            }
        }
        if own_loc.is_unknown() && !loc.is_unknown() {
            rw.set_loc(by, loc);
        }
        if rw.ir().results(op).all(|result| !rw.ir().has_uses(result)) {
            self.dead.push(op);
            self.counts.merged += 1;
        }
    }
}
