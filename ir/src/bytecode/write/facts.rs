//! What writing needs to know of the operations of an arena beforehand.

use crate::arena::{Arena, Definition};
use crate::entity::{OpId, ValueId};

/// Facts about the operations of one arena, by their ids.
pub(super) struct Facts {
    /// Position in program order, parents before what is nested in them.
    pub(super) order: Vec<u32>,
    /// Whether nothing in the regions of the operation uses a value from outside.
    pub(super) is_isolated: Vec<bool>,
}

impl Facts {
    /// Looks at the whole arena once: O(operations + operands).
    pub(super) fn of(ir: &Arena) -> Self {
        let mut facts = Self { order: vec![0; ir.num_op_slots()], is_isolated: vec![true; ir.num_op_slots()] };
        // How many regions there are around each region, itself included.
        let mut depths = vec![0_u32; ir.num_region_slots()];
        let mut open: Vec<Open> = Vec::new();
        let mut counter = 0;
        let mut next = Some(Arena::ROOT);
        loop {
            if let Some(op) = next {
                facts.order[op.index()] = counter;
                counter += 1;
                if let Some(around) = open.last_mut() {
                    for operand in ir.operands(op) {
                        around.reach = around.reach.min(depth_of(ir, &depths, operand));
                    }
                }
                if ir.op_regions(op).is_empty() {
                    next = ir.next_op(op);
                    continue;
                }
                open.push(Open { op, region: 0, block: None, reach: u32::MAX });
            }
            // The next operation in the innermost open one, if there is one.
            let depth = open.len() as u32;
            let Some(around) = open.last_mut() else { return facts };
            next = around.next_op(ir, &mut depths, depth);
            if next.is_none() {
                let (op, reach) = (around.op, around.reach);
                open.pop();
                facts.is_isolated[op.index()] = reach >= depth;
                if let Some(outer) = open.last_mut() {
                    outer.reach = outer.reach.min(reach);
                    next = ir.next_op(op);
                }
            }
        }
    }
}

/// An operation whose regions are being looked at.
struct Open {
    op: OpId,
    region: usize,
    block: Option<crate::entity::BlockId>,
    /// The depth of the outermost region that a value comes from.
    reach: u32,
}

impl Open {
    /// The first operation of the next block that has any.
    fn next_op(&mut self, ir: &Arena, depths: &mut [u32], depth: u32) -> Option<OpId> {
        loop {
            self.block = if let Some(block) = self.block {
                ir.block(block).next
            } else {
                let region = *ir.op_regions(self.op).get(self.region)?;
                depths[region.index()] = depth;
                ir.entry_block(region)
            };
            match self.block {
                None => self.region += 1,
                Some(block) => {
                    if let Some(op) = ir.block(block).first_op {
                        return Some(op);
                    }
                }
            }
        }
    }
}

/// The depth of the region that defines a value; 0 for one that is in none.
fn depth_of(ir: &Arena, depths: &[u32], value: ValueId) -> u32 {
    let block = match ir.definition(value) {
        Definition::Argument(block) => Some(block),
        Definition::Result(op) => ir.block_of(op),
    };
    block.and_then(|block| ir.region_of(block)).map_or(0, |region| depths[region.index()])
}
