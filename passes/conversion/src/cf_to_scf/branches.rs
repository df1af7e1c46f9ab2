//! Branches become conditionals, where there are no cycles.

use dl_ir::{Arena, AttrRef, BlockId, Diagnostic, OpId, OpState, RegionId, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::edges::{Edge, edges_from, edges_to};
use super::{Lift, Values};

/// What the ways out of a branch lead to before they meet.
struct Ways {
    /// For each successor, the blocks that can be reached through it only, itself first; none where there are other ways to it.
    blocks: Vec<Vec<BlockId>>,
    /// The edges out of them: to where the ways meet, or to blocks that leave the region.
    leaving: Vec<Edge>,
    /// Whether some block of them leaves the region.
    some_exit: bool,
    /// Whether all ways end in such a block of their own.
    all_exit: bool,
}

impl Ways {
    /// Of the branch at the end of `entry`. Costs what the blocks of the ways have in edges.
    fn of(ir: &Arena, entry: BlockId) -> Self {
        let out: Vec<Edge> = edges_from(ir, entry).collect();
        let mut blocks: Vec<Vec<BlockId>> = Vec::with_capacity(out.len());
        for edge in &out {
            let first = edge.target(ir);
            let is_only_way = ir.predecessor_ops(first).nth(1).is_none();
            blocks.push(if is_only_way { only_through(ir, first) } else { Vec::new() });
        }
        let within: FxHashSet<BlockId> = blocks.iter().flatten().copied().collect();
        let mut this = Self { blocks, leaving: Vec::new(), some_exit: false, all_exit: true };
        for (edge, blocks) in out.into_iter().zip(&this.blocks) {
            if blocks.is_empty() {
                this.leaving.push(edge);
                this.all_exit = false;
            }
            for &block in blocks {
                let mut next = edges_from(ir, block).peekable();
                if next.peek().is_none() {
                    this.some_exit = true;
                    this.leaving.extend(edges_to(ir, block));
                }
                for edge in next.filter(|edge| !within.contains(&edge.target(ir))) {
                    this.leaving.push(edge);
                    this.all_exit = false;
                }
            }
        }
        this
    }
}

/// The blocks that can be reached through `first` only, itself first, each after those that lead to it.
fn only_through(ir: &Arena, first: BlockId) -> Vec<BlockId> {
    let mut found = Vec::new();
    let mut pending = vec![first];
    // For blocks that some edges lead to from those found, how many others there are.
    let mut missing: FxHashMap<BlockId, usize> = FxHashMap::default();
    while let Some(block) = pending.pop() {
        found.push(block);
        let mut ready = Vec::new();
        for edge in edges_from(ir, block) {
            let target = edge.target(ir);
            let others = missing.entry(target).or_insert_with(|| ir.predecessor_ops(target).count());
            *others -= 1;
            if *others == 0 {
                ready.push(target);
            }
        }
        pending.extend(ready.into_iter().rev());
    }
    found
}

impl Lift<'_> {
    /// Makes the end of `entry` a conditional, or takes its only successor in. The answer is the blocks with which work goes on.
    pub(super) fn branches(&mut self, entry: BlockId) -> Result<Vec<BlockId>, Diagnostic> {
        let end = self.end_of(entry);
        match self.rw.op(end).num_successors() {
            0 => return Ok(Vec::new()),
            1 => {
                let edge = Edge { from: end, index: 0 };
                let (next, values) = (edge.target(self.rw.ir()), self.passed(edge));
                self.rw.erase(end);
                self.append(entry, next, &values);
                return Ok(vec![entry]);
            }
            _ => {}
        }
        let mut ways = Ways::of(self.rw.ir(), entry);
        if ways.all_exit {
            // They differ in how they leave the region, so the branch remains.
            return Ok(ways.blocks.iter().map(|blocks| blocks[0]).collect());
        }
        let first = ways.leaving[0].target(self.rw.ir());
        let meet_there = ways.leaving.iter().all(|edge| edge.target(self.rw.ir()) == first);
        let meeting = if meet_there { first } else { self.join(&ways.leaving) };
        if ways.some_exit {
            // They come behind the block where the ways meet now.
            let ir = self.rw.ir();
            for blocks in &mut ways.blocks {
                blocks.retain(|&block| edges_from(ir, block).next().is_some());
            }
        }
        self.conditional(entry, &ways.blocks, meeting)
    }

    /// Makes the branch at the end of `entry` a conditional with `ways` in its regions, behind which what is in `meeting` follows.
    fn conditional(
        &mut self,
        entry: BlockId,
        ways: &[Vec<BlockId>],
        meeting: BlockId,
    ) -> Result<Vec<BlockId>, Diagnostic> {
        let end = self.end_of(entry);
        let loc = self.rw.op(end).loc();
        let (mut regions, mut to_do) = (Vec::with_capacity(ways.len()), Vec::new());
        // Blocks without an end yet, and what they yield.
        let mut open: Vec<(BlockId, Values)> = Vec::new();
        for (index, blocks) in ways.iter().enumerate() {
            let region = self.rw.new_region();
            regions.push(region);
            let values = self.passed(Edge { from: end, index });
            let Some(&first) = blocks.first() else {
                open.push((self.rw.append_block(region, &[]), values));
                continue;
            };
            for &block in blocks {
                self.rw.move_block(block, region, None);
            }
            self.take_args(first, &values);
            open.extend(self.single_end(blocks, meeting));
            to_do.push(first);
        }
        let types: Vec<_> = self.rw.ir().block_args(meeting).iter().map(|&arg| self.rw.ir().value_type(arg)).collect();
        let state = self.structured(end, &regions)?.results(types);
        self.rw.set_insertion_before(end);
        let conditional = self.rw.create(state);
        self.rw.erase(end);
        for (block, values) in open {
            self.rw.set_insertion_to_end(block);
            self.rw.create(OpState::of::<dl_scf::YieldOp<'_>>(loc).operands(values));
        }
        let ends: Vec<Edge> = edges_to(self.rw.ir(), meeting).collect();
        for edge in ends {
            let (loc, values) = (self.rw.op(edge.from).loc(), self.passed(edge));
            self.rw.set_insertion_before(edge.from);
            self.rw.create(OpState::of::<dl_scf::YieldOp<'_>>(loc).operands(values));
            self.rw.erase(edge.from);
        }
        let results: Values = self.rw.ir().results(conditional).collect();
        self.append(entry, meeting, &results);
        to_do.push(entry);
        Ok(to_do)
    }

    /// Puts `values` for the arguments of `block`, which go.
    fn take_args(&mut self, block: BlockId, values: &[ValueId]) {
        let args = self.rw.ir().block_args(block).to_vec();
        for (arg, &value) in args.iter().zip(values) {
            self.rw.replace_all_uses(*arg, value);
        }
        for index in (0..args.len()).rev() {
            self.rw.erase_block_arg(block, index);
        }
    }

    /// Leads the edges from `blocks` to `meeting` through one new block at the end of their region, if they are several or share an operation with
    /// others. The answer is that block, and what it hands on.
    fn single_end(&mut self, blocks: &[BlockId], meeting: BlockId) -> Option<(BlockId, Values)> {
        let ir = self.rw.ir();
        let all = blocks.iter().flat_map(|&block| edges_from(ir, block));
        let leaving: Vec<Edge> = all.filter(|edge| edge.target(ir) == meeting).collect();
        if let [edge] = leaving[..]
            && self.rw.op(edge.from).num_successors() == 1
        {
            return None;
        }
        let end = self.block_after(*blocks.last()?, &[meeting]);
        for edge in leaving {
            self.rw.set_successor(edge.from, edge.index, end);
        }
        let args = Values::from_slice(self.rw.ir().block_args(end));
        Some((end, args))
    }

    /// `scf.if` or `scf.index_switch` for `branch`, with a region for each successor, made where operands need it.
    fn structured(&mut self, branch: OpId, regions: &[RegionId]) -> Result<OpState, Diagnostic> {
        let op = self.rw.op(branch);
        let (cx, loc) = (self.rw.cx(), op.loc());
        if let Some(branch) = op.cast::<dl_cf::CondBranchOp<'_>>() {
            let state = OpState::of::<dl_scf::IfOp<'_>>(loc).operands([branch.condition().id()]);
            return Ok(state.region(regions[0]).region(regions[1]));
        }
        let Some(switch) = op.cast::<dl_cf::SwitchOp<'_>>() else {
            return Err(op.error("cannot convert unknown control flow op to structured control flow"));
        };
        let flag = switch.flag();
        let width = flag.ty().int_width().filter(|&width| width <= 64 && flag.ty().is_signless_integer());
        let Some(width) = width else {
            return Err(op.error(format_args!("unsupported: lifting a switch on a value of type {}", flag.ty())));
        };
        // The flag becomes an index without regard to its sign.
        let low_bits = |case: i64| if width == 64 { case } else { case & ((1 << width) - 1) };
        let values = switch.case_values().and_then(AttrRef::dense_values).into_iter().flatten();
        let cases: Vec<i64> = values.filter_map(AttrRef::as_int).map(low_bits).collect();
        let flag = flag.id();
        self.rw.set_insertion_before(branch);
        let flag = self.as_index(flag, loc);
        let state = OpState::of::<dl_scf::IndexSwitchOp<'_>>(loc).operands([flag]);
        let state = state.attr(cx, "cases", cx.dense_i64_array(&cases));
        Ok(regions.iter().fold(state, |state, &region| state.region(region)))
    }
}
