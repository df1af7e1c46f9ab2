//! Cycles of blocks become loops with one entry, and one place where they end or go on.

use dl_ir::dominance::Dominance;
use dl_ir::{Arena, BlockId, Diagnostic, OpId, OpRef, OpState, ValueId};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::edges::{Edge, edges_from, edges_to};
use super::{Lift, Values};

/// Blocks of a cycle, in order.
type Blocks = IndexSet<BlockId, FxBuildHasher>;

/// The strongly connected components of the blocks that can be reached from `entry`, by Tarjan's algorithm: those that others lead to come
/// first, and so do blocks of one that were reached last. Cost O(blocks + edges).
pub(super) fn components(ir: &Arena, entry: BlockId) -> Vec<Vec<BlockId>> {
    struct Seen {
        number: usize,
        /// The least number that can be reached through one edge back, as far as known.
        low: usize,
        is_pending: bool,
    }
    let mut seen: FxHashMap<BlockId, Seen> = FxHashMap::default();
    let (mut found, mut pending, mut path) = (Vec::new(), Vec::new(), Vec::new());
    let successors = |block: BlockId| edges_from(ir, block).map(|edge| edge.target(ir)).collect::<Vec<_>>().into_iter();
    seen.insert(entry, Seen { number: 0, low: 0, is_pending: true });
    pending.push(entry);
    path.push((entry, successors(entry)));
    while let Some((block, rest)) = path.last_mut() {
        let block = *block;
        if let Some(next) = rest.next() {
            let number = seen.len();
            if let Some(known) = seen.get(&next) {
                let low = if known.is_pending { known.number } else { usize::MAX };
                let at = seen.get_mut(&block).expect("a block on the path");
                at.low = at.low.min(low);
            } else {
                seen.insert(next, Seen { number, low: number, is_pending: true });
                pending.push(next);
                path.push((next, successors(next)));
            }
            continue;
        }
        path.pop();
        let (number, low) = (seen[&block].number, seen[&block].low);
        if let Some((parent, _)) = path.last() {
            let parent = seen.get_mut(parent).expect("a block on the path");
            parent.low = parent.low.min(low);
        }
        if number == low {
            let start = pending.iter().rposition(|&other| other == block).expect("a pending block");
            let component: Vec<BlockId> = pending.drain(start..).rev().collect();
            for block in &component {
                seen.get_mut(block).expect("a block that was seen").is_pending = false;
            }
            found.push(component);
        }
    }
    found
}

/// How control goes into a cycle, around in it, and out.
struct Ways {
    entry: Vec<Edge>,
    back: Vec<Edge>,
    exit: Vec<Edge>,
}

impl Ways {
    fn of(ir: &Arena, cycle: &Blocks) -> Self {
        let mut entries: FxHashSet<BlockId> = FxHashSet::default();
        let mut ways = Self { entry: Vec::new(), back: Vec::new(), exit: Vec::new() };
        for &block in cycle {
            let outside = edges_to(ir, block).filter(|edge| !cycle.contains(&edge.source(ir)));
            let before = ways.entry.len();
            ways.entry.extend(outside);
            if ways.entry.len() > before {
                entries.insert(block);
            }
            ways.exit.extend(edges_from(ir, block).filter(|edge| !cycle.contains(&edge.target(ir))));
        }
        for &block in cycle {
            ways.back.extend(edges_from(ir, block).filter(|edge| entries.contains(&edge.target(ir))));
        }
        ways
    }
}

impl Lift<'_> {
    /// Makes loops of the outermost cycles among the blocks that `entry` leads to. The answer is their first blocks, for the cycles in them.
    pub(super) fn cycles(&mut self, entry: BlockId) -> Result<Vec<BlockId>, Diagnostic> {
        let ir = self.rw.ir();
        let goes_round = |blocks: &Vec<BlockId>| {
            blocks.len() > 1 || edges_from(ir, blocks[0]).any(|edge| edge.target(ir) == blocks[0])
        };
        let cycles: Vec<_> = components(ir, entry).into_iter().filter(goes_round).collect();
        cycles.into_iter().map(|cycle| self.make_loop(cycle.into_iter().collect())).collect()
    }

    /// Makes a cycle an `scf.while` whose first region has all of it. The answer is the first block of that.
    fn make_loop(&mut self, mut cycle: Blocks) -> Result<BlockId, Diagnostic> {
        let mut ways = Ways::of(self.rw.ir(), &cycle);
        if ways.entry.len() > 1 {
            let into: Vec<Edge> = ways.entry.iter().chain(&ways.back).copied().collect();
            let header = self.join(&into);
            cycle.insert(header);
            ways.entry.retain(|edge| !cycle.contains(&edge.source(self.rw.ir())));
        }
        let header = ways.back[0].target(self.rw.ir());
        let loc = self.rw.op(self.end_of(header)).loc();
        let (latch, exit, again) = self.make_latch(&ways, header)?;
        cycle.insert(latch);
        let next = self.carry(header, latch, exit, &cycle);

        let before = self.rw.new_region();
        let outside = self.rw.insert_block(self.region_of(header), Some(header), &[]);
        self.add_args_like(outside, header);
        let entering: Vec<Edge> = edges_to(self.rw.ir(), header).collect();
        for edge in entering {
            self.rw.set_successor(edge.from, edge.index, outside);
        }
        let between = cycle.iter().copied().filter(|&block| block != header && block != latch);
        for block in std::iter::once(header).chain(between).chain([latch]) {
            self.rw.move_block(block, before, None);
        }
        self.rw.set_insertion_to_end(latch);
        let condition = self.as_bool(again, loc);
        self.rw.create(OpState::of::<dl_scf::ConditionOp<'_>>(loc).operands([condition]).operands(next));

        let inits = self.rw.ir().block_args(outside).to_vec();
        let types: Vec<_> = inits.iter().map(|&init| self.rw.ir().value_type(init)).collect();
        let after = self.rw.new_region();
        let hands_on = self.rw.append_block(after, &types);
        let args = self.rw.ir().block_args(hands_on).to_vec();
        self.rw.set_insertion_to_end(hands_on);
        self.rw.create(OpState::of::<dl_scf::YieldOp<'_>>(loc).operands(args));
        self.rw.set_insertion_to_end(outside);
        let state = OpState::of::<dl_scf::WhileOp<'_>>(loc).operands(inits).results(types);
        let looping = self.rw.create(state.region(before).region(after));
        let results: Values = self.rw.ir().results(looping).collect();
        self.append(outside, exit, &results);
        Ok(header)
    }

    fn region_of(&self, block: BlockId) -> dl_ir::RegionId {
        self.rw.ir().region_of(block).expect("a block in a region")
    }

    /// Leads all edges back and out of the cycle through one new block, the latch, which has no end yet. The answer is that block, one where the
    /// program goes on after the loop, and the number, 0 or 1, by which the latch knows whether there is another iteration.
    fn make_latch(&mut self, ways: &Ways, header: BlockId) -> Result<(BlockId, BlockId, ValueId), Diagnostic> {
        let through: Vec<Edge> = ways.back.iter().chain(&ways.exit).copied().collect();
        let junction = self.junction(&through);
        let ty = self.rw.cx().i32_type();
        let again = self.rw.add_block_arg(junction.block, ty);
        let exit = self.block_after(junction.block, &[]);
        for (edges, number) in [(&ways.back, 1), (&ways.exit, 0)] {
            for &edge in edges {
                let goes_on = self.number(number);
                self.lead_through(&junction, edge, &[goes_on]);
            }
        }
        if ways.exit.is_empty() {
            self.end_of_endless(exit)?;
        } else {
            self.switch(exit, &junction, &[header], through[0].from);
        }
        Ok((junction.block, exit, again))
    }

    /// Ends a block that is never reached, behind a loop without end, as the function ends elsewhere.
    fn end_of_endless(&mut self, block: BlockId) -> Result<(), Diagnostic> {
        let parent = self.rw.ir().region_parent(self.region).expect("a region of an operation");
        let function = self.rw.op(parent);
        let Some(types) = function.cast::<dl_func::FuncOp<'_>>().map(|function| function.results().to_vec()) else {
            return Err(function.error("unsupported: a loop without end in an operation other than a function"));
        };
        self.rw.set_insertion_to_end(block);
        let values: Values = types.into_iter().map(|ty| dl_ub::poison(&mut self.rw, ty, self.loc)).collect();
        let last = self.rw.create(OpState::of::<dl_func::ReturnOp<'_>>(self.loc).operands(values));
        self.combine_exit(last);
        Ok(())
    }

    /// Makes the values of the cycle that are used outside of it arguments of `exit`, and of `header`, since a loop hands on what it begins
    /// with. The answer is the values that the latch hands on: for each argument of `header`, and of `exit`.
    fn carry(&mut self, header: BlockId, latch: BlockId, exit: BlockId, cycle: &Blocks) -> Values {
        let of_header = self.rw.ir().block_args(header).to_vec();
        let of_latch = self.rw.ir().block_args(latch).to_vec();
        let mut next = Values::from_slice(&of_latch[..of_header.len()]);
        for value in next.clone() {
            let arg = self.add_arg_like(exit, value);
            self.replace_outside(value, arg, cycle);
        }
        let mut dominance: Option<Dominance> = None;
        for &block in cycle {
            let ir = self.rw.ir();
            let mut values = match block {
                _ if block == header => of_header.clone(),
                _ if block == latch => of_latch.clone(),
                _ => ir.block_args(block).to_vec(),
            };
            values.extend(ir.block_ops(block).flat_map(|op| ir.results(op)));
            for value in values {
                if !self.is_used_outside(value, cycle) {
                    continue;
                }
                let arg = self.add_arg_like(exit, value);
                self.add_arg_like(header, value);
                let handed_on = if block == latch {
                    value
                } else {
                    let (cx, ir) = (self.rw.cx(), self.rw.ir());
                    let dominance = dominance.get_or_insert_with(|| Dominance::new(cx, ir));
                    self.at_latch(value, block, latch, dominance)
                };
                next.push(handed_on);
                self.replace_outside(value, arg, cycle);
            }
        }
        // Nothing looks at the values with which the first iteration begins.
        let count = self.rw.ir().block_args(header).len();
        let entering: Vec<Edge> = edges_to(self.rw.ir(), header).collect();
        for edge in entering {
            let mut values = self.passed(edge);
            for at in values.len()..count {
                let arg = self.rw.ir().block_args(header)[at];
                values.push(self.poison(self.rw.ir().value_type(arg)));
            }
            self.pass(edge, &values);
        }
        next
    }

    /// `value`, defined in `block`, as the latch can use it: itself, or an argument where not all ways to the latch pass `block`.
    fn at_latch(&mut self, value: ValueId, block: BlockId, latch: BlockId, dominance: &Dominance) -> ValueId {
        let ir = self.rw.ir();
        let into: Vec<(Edge, bool)> =
            edges_to(ir, latch).map(|edge| (edge, dominance.block_dominates(ir, block, edge.source(ir)))).collect();
        if into.iter().all(|&(_, is_defined)| is_defined) {
            return value;
        }
        let arg = self.add_arg_like(latch, value);
        for (edge, is_defined) in into {
            let ty = self.rw.ir().value_type(value);
            let passed = if is_defined { value } else { self.poison(ty) };
            let mut values = self.passed(edge);
            values.push(passed);
            self.pass(edge, &values);
        }
        arg
    }

    fn is_used_outside(&self, value: ValueId, cycle: &Blocks) -> bool {
        self.rw.value(value).uses().any(|(user, _)| !is_in(user, cycle))
    }

    fn replace_outside(&mut self, value: ValueId, with: ValueId, cycle: &Blocks) {
        self.rw.replace_uses_if(value, with, |user, _| !is_in(user, cycle));
    }
}

/// Whether `op` is in one of `blocks`, at any depth.
fn is_in(op: OpRef<'_>, blocks: &Blocks) -> bool {
    let ir = op.arena();
    let around = |op: &OpId| ir.parent_op(*op);
    std::iter::successors(Some(op.id()), around).filter_map(|op| ir.block_of(op)).any(|block| blocks.contains(&block))
}
