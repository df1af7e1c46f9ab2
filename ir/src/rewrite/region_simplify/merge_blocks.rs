//! Merging of blocks that do the same: equal operations in the same order, on the way to the same successors.
//!
//! Blocks may differ in values defined outside of them; those become arguments of the merged block, where all branches to it can
//! pass them. What a block defines must not be used outside of it, since the merged block defines it in another place.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use crate::arena::{Arena, Definition};
use crate::context::Context;
use crate::entity::{BlockId, OpId, RegionId, ValueId};
use crate::interfaces::BranchOp;
use crate::rewriter::Rewriter;
use crate::view::OpRef;

/// Merges identical blocks in the regions of `scope` and all nested in them in this arena, until none are left. Answers whether
/// there were any.
pub(super) fn merge_identical_blocks(rw: &mut Rewriter<'_>, scope: OpId) -> bool {
    let mut changed = false;
    for region in super::regions_below(rw.ir(), scope) {
        // A merged block may have made those before it identical.
        while merge_in(rw, region) {
            changed = true;
        }
    }
    changed
}

fn merge_in(rw: &mut Rewriter<'_>, region: RegionId) -> bool {
    let ir = rw.ir();
    let mut candidates: IndexMap<SmallVec<[BlockId; 2]>, Vec<BlockId>, FxBuildHasher> = IndexMap::default();
    for block in ir.region_blocks(region).skip(1) {
        let successors = ir.last_op(block).map(|last| ir.successors(last).collect()).unwrap_or_default();
        candidates.entry(successors).or_default().push(block);
    }
    let mut changed = false;
    for blocks in candidates.into_values().filter(|blocks| blocks.len() > 1) {
        let mut clusters: Vec<Cluster> = Vec::new();
        for block in blocks {
            let (cx, ir) = (rw.cx(), rw.ir());
            let Some(shape) = Shape::of(cx, ir, block) else { continue };
            if !clusters.iter_mut().any(|cluster| cluster.add(cx, ir, &shape)) {
                clusters.push(Cluster { leader: shape, others: Vec::new(), differing: Vec::new() });
            }
        }
        for cluster in clusters {
            changed |= cluster.merge(rw);
        }
    }
    changed
}

/// A block that can be merged.
struct Shape {
    block: BlockId,
    ops: Vec<OpId>,
    /// The values it defines, each with its number.
    order: FxHashMap<ValueId, usize>,
}

impl Shape {
    /// `None` for a block with regions in it, or with values used outside.
    fn of(cx: &Context, ir: &Arena, block: BlockId) -> Option<Self> {
        let ops: Vec<OpId> = ir.block_ops(block).collect();
        let has_region = |&op: &OpId| OpRef::new(cx, ir, op).regions().any(|region| !region.is_empty());
        if ops.iter().any(has_region) {
            return None;
        }
        let arguments = ir.block_args(block).iter().copied();
        let values: Vec<ValueId> = arguments.chain(ops.iter().flat_map(|&op| ir.results(op))).collect();
        let is_used_outside = |&value: &ValueId| ir.uses(value).any(|(user, _)| ir.block_of(user) != Some(block));
        if values.iter().any(is_used_outside) {
            return None;
        }
        let order = values.into_iter().enumerate().map(|(number, value)| (value, number)).collect();
        Some(Self { block, ops, order })
    }
}

/// An operand of a block, by the number of its operation there.
type Place = (usize, usize);

/// Blocks to be merged into one.
struct Cluster {
    leader: Shape,
    others: Vec<(BlockId, Vec<OpId>)>,
    /// The operands in which blocks differ, sorted.
    differing: Vec<Place>,
}

impl Cluster {
    /// Adds a block if it does the same as the leader.
    fn add(&mut self, cx: &Context, ir: &Arena, other: &Shape) -> bool {
        let Some(differing) = self.compare(cx, ir, other) else { return false };
        self.differing.extend(differing);
        self.differing.sort_unstable();
        self.differing.dedup();
        self.others.push((other.block, other.ops.clone()));
        true
    }

    /// The operands in which `other` differs; `None` where that, or something else, keeps it apart.
    fn compare(&self, cx: &Context, ir: &Arena, other: &Shape) -> Option<Vec<Place>> {
        let leader = &self.leader;
        let types = |block| ir.block_args(block).iter().map(|&arg| ir.value_type(arg));
        if leader.ops.len() != other.ops.len() || !types(leader.block).eq(types(other.block)) {
            return None;
        }
        let mut differing = Vec::new();
        for (i, (&a, &b)) in leader.ops.iter().zip(&other.ops).enumerate() {
            if !same_operation(OpRef::new(cx, ir, a), OpRef::new(cx, ir, b)) {
                return None;
            }
            for (operand, (x, y)) in ir.operands(a).zip(ir.operands(b)).enumerate() {
                if x == y {
                    continue;
                }
                if ir.value_type(x) != ir.value_type(y) {
                    return None;
                }
                match (leader.order.get(&x), other.order.get(&y)) {
                    (Some(x), Some(y)) if x == y => {}
                    (None, None) if can_be_passed(ir, leader.block, x) && can_be_passed(ir, other.block, y) => {
                        differing.push((i, operand));
                    }
                    _ => return None,
                }
            }
        }
        Some(differing)
    }

    /// Merges all into the leader, if there are others and branches can pass what they differ in.
    fn merge(self, rw: &mut Rewriter<'_>) -> bool {
        let (cx, ir) = (rw.cx(), rw.ir());
        let Self { leader, others, differing } = self;
        let blocks: Vec<BlockId> =
            std::iter::once(leader.block).chain(others.iter().map(|(block, _)| *block)).collect();
        let is_branch = |op: OpId| OpRef::new(cx, ir, op).info().interface::<dyn BranchOp>().is_some();
        let can_pass = || blocks.iter().all(|&block| ir.predecessor_ops(block).all(|(op, _)| is_branch(op)));
        if others.is_empty() || (!differing.is_empty() && !can_pass()) {
            return false;
        }
        // By block: the values in which it differs, in order.
        let bodies = std::iter::once(&leader.ops).chain(others.iter().map(|(_, ops)| ops));
        let value = |ops: &[OpId], (op, operand): Place| ir.operands(ops[op]).nth(operand).expect("an operand");
        let passed: Vec<Vec<ValueId>> =
            bodies.map(|ops| differing.iter().map(|&place| value(ops, place)).collect()).collect();
        let same = first_of_equal(&passed);
        let mut arguments: Vec<ValueId> = Vec::with_capacity(same.len());
        for (i, &(op, operand)) in differing.iter().enumerate() {
            let argument = match same[i] {
                first if first < i => arguments[first],
                _ => {
                    let ty = rw.ir().value_type(passed[0][i]);
                    rw.add_block_arg(leader.block, ty)
                }
            };
            arguments.push(argument);
            rw.set_operand(leader.ops[op], operand, argument);
        }
        for (&block, values) in blocks.iter().zip(&passed) {
            let values: Vec<ValueId> =
                values.iter().zip(&same).enumerate().filter(|(i, (_, s))| i == *s).map(|(_, (v, _))| *v).collect();
            redirect(rw, block, leader.block, &values);
        }
        rw.erase_blocks(&blocks[1..]);
        true
    }
}

/// Lets branches to `block` pass `values` besides what they do, and go to `leader`.
fn redirect(rw: &mut Rewriter<'_>, block: BlockId, leader: BlockId, values: &[ValueId]) {
    let mut predecessors: Vec<(OpId, usize)> = rw.ir().predecessor_ops(block).collect();
    predecessors.sort_unstable();
    for (op, successor) in predecessors {
        let info = rw.cx().op_info(rw.op(op).name_id());
        if !values.is_empty()
            && let Some(branch) = info.interface::<dyn BranchOp>()
        {
            let mut passed = branch.successor_operands(rw.op(op), successor).ids();
            passed.extend_from_slice(values);
            branch.set_successor_operands(rw, op, successor, &passed);
        }
        if block != leader {
            rw.set_successor(op, successor, leader);
        }
    }
}

/// For each column the first one that has the same values in all rows, mostly itself. Columns are compared with the first
/// that has the same value in the first row only: O(values).
fn first_of_equal(rows: &[Vec<ValueId>]) -> Vec<usize> {
    let Some(first) = rows.first() else { return Vec::new() };
    let mut known: FxHashMap<ValueId, usize> = FxHashMap::default();
    let same = |(i, &value): (usize, &ValueId)| {
        let before = *known.entry(value).or_insert(i);
        if rows.iter().all(|row| row[before] == row[i]) { before } else { i }
    };
    first.iter().enumerate().map(same).collect()
}

/// Whether two operations are equal but for their operands and locations.
fn same_operation(a: OpRef<'_>, b: OpRef<'_>) -> bool {
    a.name_id() == b.name_id()
        && a.num_operands() == b.num_operands()
        && a.results().types() == b.results().types()
        && a.attrs().map(|(name, attr)| (name, attr.id())).eq(b.attrs().map(|(name, attr)| (name, attr.id())))
        && a.arena().successors(a.id()).eq(b.arena().successors(b.id()))
}

/// Whether a branch to `block` can pass `value`: it cannot pass its own result.
fn can_be_passed(ir: &Arena, block: BlockId, value: ValueId) -> bool {
    match ir.definition(value) {
        Definition::Argument(_) => true,
        Definition::Result(op) => !ir.predecessor_ops(block).any(|(branch, _)| branch == op),
    }
}
