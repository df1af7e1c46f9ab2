//! Regions that execute repeatedly, at the same time or never together, and what that means for the order of operations.

use dl_ir::interfaces::{RegionBranchOp, RegionPoint};
use dl_ir::{Arena, BlockId, Definition, OpId, OpRef, RegionId, ValueId};
use rustc_hash::FxHashSet;

use super::Analysis;
use super::survey::Survey;

impl Analysis<'_> {
    /// The closest region around `op` whose executions may overlap in time.
    pub(super) fn parallel_region(&self, ir: &Arena, region: Option<RegionId>) -> Option<RegionId> {
        std::iter::successors(region, |&at| parent_region(ir, ir.region_parent(at)?)).find(|&at| {
            let Some(parent) = ir.region_parent(at).map(|op| OpRef::new(self.cx(), ir, op)) else { return false };
            let index = ir.op_regions(parent.id()).iter().position(|&r| r == at).unwrap_or(0);
            self.options().interface(parent).is_some_and(|interface| interface.is_parallel(parent, index))
        })
    }

    /// Whether control can never pass both operations in one execution of the operation around them, as in the branches of
    /// an `if`.
    pub(super) fn mutually_exclusive(&self, ir: &Arena, a: OpId, b: OpId) -> bool {
        let mut at = Some(a);
        while let Some(op) = at {
            let parent = ir.parent_op(op);
            if let Some(common) = parent.filter(|&p| p != b && is_ancestor(ir, p, b)) {
                let view = OpRef::new(self.cx(), ir, common);
                let Some(branch) = view.info().interface::<dyn RegionBranchOp>() else { return false };
                let (Some(in_a), Some(in_b)) = (region_index(ir, common, a), region_index(ir, common, b)) else {
                    return false;
                };
                return in_a != in_b && !reaches(branch, view, in_a, in_b) && !reaches(branch, view, in_b, in_a);
            }
            at = parent;
        }
        false
    }
}

/// Whether control that leaves region `from` may come to region `to` before it leaves the operation.
fn reaches(branch: &dyn RegionBranchOp, op: OpRef<'_>, from: usize, to: usize) -> bool {
    let (mut seen, mut pending) = (FxHashSet::default(), vec![RegionPoint::Region(from)]);
    while let Some(point) = pending.pop() {
        for next in branch.successors(op, point) {
            if next == RegionPoint::Region(to) {
                return true;
            }
            if next != RegionPoint::Parent && seen.insert(next) {
                pending.push(next);
            }
        }
    }
    false
}

impl Survey {
    /// Whether the order of operations in the text may rule out that `write` happens between each of `definitions` and
    /// `read`. Not when an iteration that comes later could write before the next one reads.
    pub(super) fn order_counts(&self, ir: &Arena, read: OpId, write: OpId, definitions: &[ValueId]) -> bool {
        definitions.iter().all(|&def| {
            let def_block = block_of_value(ir, def);
            self.order_counts_in_loops(ir, read, write, def_block)
                && (!self.has_branches || order_counts_among_blocks(ir, read, write, def_block))
        })
    }

    fn order_counts_in_loops(&self, ir: &Arena, read: OpId, write: OpId, def_block: Option<BlockId>) -> bool {
        let mut of_read = self.repetitive(parent_region(ir, read));
        let of_def = self.repetitive(def_block.and_then(|block| ir.region_of(block)));
        if of_read == of_def {
            return true;
        }
        // The outermost loop around the read that the definition is outside of.
        while let Some(region) = of_read {
            let next = self.repetitive(ir.region_parent(region).and_then(|op| parent_region(ir, op)));
            if next == of_def {
                break;
            }
            of_read = next;
        }
        let Some(parent) = of_read.and_then(|region| ir.region_parent(region)) else { return true };
        !is_ancestor(ir, parent, write)
    }
}

/// Whether no path goes from the block of the write to that of the read without passing the definition's: then a write that
/// stands after the read is not seen by it in a later round.
fn order_counts_among_blocks(ir: &Arena, read: OpId, write: OpId, def_block: Option<BlockId>) -> bool {
    let (Some(read), Some(write)) = (ir.block_of(read), ir.block_of(write)) else { return true };
    // Lift both to the closest region that holds them.
    let regions: Vec<Option<RegionId>> =
        std::iter::successors(Some(read), |&b| parent_block(ir, b)).map(|b| ir.region_of(b)).collect();
    let Some(write) =
        std::iter::successors(Some(write), |&b| parent_block(ir, b)).find(|&b| regions.contains(&ir.region_of(b)))
    else {
        return true;
    };
    let common = ir.region_of(write);
    let Some(read) = std::iter::successors(Some(read), |&b| parent_block(ir, b)).find(|&b| ir.region_of(b) == common)
    else {
        return true;
    };
    let (mut seen, mut pending) = (FxHashSet::default(), vec![write]);
    while let Some(block) = pending.pop() {
        let Some(last) = ir.last_op(block) else { continue };
        for next in ir.successors(last) {
            if next == read {
                return Some(read) == def_block;
            }
            if Some(next) != def_block && seen.insert(next) {
                pending.push(next);
            }
        }
    }
    true
}

/// The block that `value` is defined in.
pub(super) fn block_of_value(ir: &Arena, value: ValueId) -> Option<BlockId> {
    match ir.definition(value) {
        Definition::Result(op) => ir.block_of(op),
        Definition::Argument(block) => Some(block),
    }
}

pub(super) fn parent_region(ir: &Arena, op: OpId) -> Option<RegionId> {
    ir.region_of(ir.block_of(op)?)
}

fn parent_block(ir: &Arena, block: BlockId) -> Option<BlockId> {
    ir.block_of(ir.region_parent(ir.region_of(block)?)?)
}

/// Whether `op` is `ancestor` or nested in it.
pub(super) fn is_ancestor(ir: &Arena, ancestor: OpId, op: OpId) -> bool {
    std::iter::successors(Some(op), |&at| ir.parent_op(at)).any(|at| at == ancestor)
}

/// The number of the region of `parent` that holds `op`.
fn region_index(ir: &Arena, parent: OpId, op: OpId) -> Option<usize> {
    let child = std::iter::successors(Some(op), |&at| ir.parent_op(at)).find(|&at| ir.parent_op(at) == Some(parent))?;
    let region = parent_region(ir, child)?;
    ir.op_regions(parent).iter().position(|&r| r == region)
}
