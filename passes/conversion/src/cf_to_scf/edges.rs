//! Edges between blocks, and blocks through which several of them go.

use dl_ir::interfaces::BranchOp;
use dl_ir::{Arena, BlockId, OpId, OpState, ValueId};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::{Lift, Values};
use crate::scf_to_cf::branch;

/// One successor of a terminator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Edge {
    pub from: OpId,
    pub index: usize,
}

impl Edge {
    /// Where it goes.
    pub(super) fn target(self, ir: &Arena) -> BlockId {
        ir.successors(self.from).nth(self.index).expect("a successor of its operation")
    }

    /// Where it comes from.
    pub(super) fn source(self, ir: &Arena) -> BlockId {
        ir.block_of(self.from).expect("a terminator in a block")
    }
}

/// The edges out of `block`, in order.
pub(super) fn edges_from(ir: &Arena, block: BlockId) -> impl Iterator<Item = Edge> + use<> {
    let from = ir.last_op(block);
    from.into_iter()
        .flat_map(|from| {
            let count = ir.successors(from).len();
            (0..count).map(move |index| Edge { from, index })
        })
        .collect::<Vec<_>>()
        .into_iter()
}

/// The edges into `block`.
pub(super) fn edges_to(ir: &Arena, block: BlockId) -> impl Iterator<Item = Edge> + '_ {
    ir.predecessor_ops(block).map(|(from, index)| Edge { from, index })
}

/// A block that stands before others: edges to those go through it.
///
/// Its arguments are those of the others, one after the other; then, if there are several, the number of the one that is meant; then more,
/// as its maker likes.
pub(super) struct Junction {
    pub block: BlockId,
    /// For each block that it stands for, the place of its first argument.
    offsets: IndexMap<BlockId, usize, FxBuildHasher>,
    /// The number of the block that is meant.
    number: Option<ValueId>,
}

impl Lift<'_> {
    /// The values that `edge` passes.
    pub(super) fn passed(&self, edge: Edge) -> Values {
        let op = self.rw.op(edge.from);
        let branch = op.interface::<dyn BranchOp>().expect("all branches have been checked");
        Values::from_slice(&branch.successor_operands(op, edge.index).ids())
    }

    /// Has `edge` go to `to` and pass `values`.
    pub(super) fn redirect(&mut self, edge: Edge, to: BlockId, values: &[ValueId]) {
        self.rw.set_successor(edge.from, edge.index, to);
        self.pass(edge, values);
    }

    /// Has `edge` pass `values`.
    pub(super) fn pass(&mut self, edge: Edge, values: &[ValueId]) {
        let info = self.rw.cx().op_info(self.rw.op(edge.from).name_id());
        let branch = info.interface::<dyn BranchOp>().expect("all branches have been checked");
        branch.set_successor_operands(&mut self.rw, edge.from, edge.index, values);
    }

    /// Leads `edges` through one new block, from which a switch leads to where they went. They are not empty.
    pub(super) fn join(&mut self, edges: &[Edge]) -> BlockId {
        let junction = self.junction(edges);
        for &edge in edges {
            self.lead_through(&junction, edge, &[]);
        }
        self.switch(junction.block, &junction, &[], edges[0].from);
        junction.block
    }

    /// A block to lead `edges` through, without operations yet, behind the first of those that they go to.
    pub(super) fn junction(&mut self, edges: &[Edge]) -> Junction {
        let targets: Vec<BlockId> = edges.iter().map(|edge| edge.target(self.rw.ir())).collect();
        let block = self.block_after(targets[0], &[]);
        let mut offsets = IndexMap::default();
        for target in targets {
            if !offsets.contains_key(&target) {
                offsets.insert(target, self.rw.ir().block_args(block).len());
                self.add_args_like(block, target);
            }
        }
        let ty = self.rw.cx().i32_type();
        let number = (offsets.len() > 1).then(|| self.rw.add_block_arg(block, ty));
        Junction { block, offsets, number }
    }

    /// Leads `edge` through `junction`. `more` are the values of arguments that were added to its block.
    pub(super) fn lead_through(&mut self, junction: &Junction, edge: Edge, more: &[ValueId]) {
        let target = edge.target(self.rw.ir());
        let (which, _, &offset) = junction.offsets.get_full(&target).expect("an edge that the junction was made for");
        let passed = self.passed(edge);
        let args = self.rw.ir().block_args(junction.block).to_vec();
        let mut values = Values::new();
        for (at, &arg) in args[..args.len() - more.len()].iter().enumerate() {
            values.push(match at.checked_sub(offset).and_then(|at| passed.get(at)) {
                Some(&value) => value,
                None if Some(arg) == junction.number => self.number(which),
                None => self.poison(self.rw.ir().value_type(arg)),
            });
        }
        values.extend_from_slice(more);
        self.redirect(edge, junction.block, &values);
    }

    /// Ends `block` with a branch to where the edges through `junction` went, but for `without`; the last one is the default. `like` says where it
    /// comes from.
    pub(super) fn switch(&mut self, block: BlockId, junction: &Junction, without: &[BlockId], like: OpId) {
        let args = self.rw.ir().block_args(junction.block).to_vec();
        let mut ways: Vec<(usize, BlockId, Values)> = Vec::new();
        for (number, (&target, &offset)) in junction.offsets.iter().enumerate() {
            if !without.contains(&target) {
                let count = self.rw.ir().block_args(target).len();
                ways.push((number, target, Values::from_slice(&args[offset..offset + count])));
            }
        }
        let loc = self.rw.op(like).loc();
        let (_, default, passed) = ways.pop().expect("a junction for one edge at least");
        let (Some(flag), false) = (junction.number, ways.is_empty()) else {
            self.rw.set_insertion_to_end(block);
            self.rw.create(branch(loc, default, passed));
            return;
        };
        let cx = self.rw.cx();
        let cases: Vec<_> = ways.iter().map(|(number, ..)| cx.i32_attr(*number as i32)).collect();
        let segments: Vec<i32> = ways.iter().map(|(_, _, passed)| passed.len() as i32).collect();
        let of_cases: usize = ways.iter().map(|(_, _, passed)| passed.len()).sum();
        let values = cx.dense_attr(cx.vector_type(&[cases.len() as i64], cx.i32_type()), &cases);
        let state = OpState::of::<dl_cf::SwitchOp<'_>>(loc)
            .maybe_attr(cx, "case_values", values)
            .attr(cx, "case_operand_segments", cx.dense_i32_array(&segments))
            .operand_segments(cx, &[1, passed.len(), of_cases])
            .operands([flag])
            .operands(passed)
            .operands(ways.iter().flat_map(|(_, _, passed)| passed.iter().copied()))
            .successors([default].into_iter().chain(ways.iter().map(|(_, target, _)| *target)));
        self.rw.set_insertion_to_end(block);
        self.rw.create(state);
    }
}
