//! Blocks that leave a region: one for each kind of terminator.

use dl_ir::{Attr, BlockId, Ident, OpId, OpName, Type};
use rustc_hash::FxHashMap;

use super::{Lift, Values};
use crate::scf_to_cf::branch;

/// What terminators have in common that one block can stand for: all but the values that they take.
#[derive(PartialEq, Eq, Hash)]
struct Kind {
    name: OpName,
    attrs: Vec<(Ident, Attr)>,
    types: Vec<Type>,
}

/// The block for each kind of terminator without successors.
#[derive(Default)]
pub(super) struct Exits(FxHashMap<Kind, BlockId>);

impl Lift<'_> {
    /// Leaves one block for each kind of terminator without successors.
    pub(super) fn combine_exits(&mut self) {
        // The number of the first of several edges: there, as in what `mlir-opt` prints, before any other and whether it is needed or not.
        self.number(0);
        let blocks: Vec<BlockId> = self.rw.ir().region_blocks(self.region).collect();
        for block in blocks {
            let last = self.end_of(block);
            if self.rw.op(last).num_successors() == 0 {
                self.combine_exit(last);
            }
        }
    }

    /// Makes `last`, the end of a block without successors, a branch to the one block that has such an end.
    pub(super) fn combine_exit(&mut self, last: OpId) {
        let op = self.rw.op(last);
        if op.num_regions() > 0 || op.num_results() > 0 || op.is_stub() {
            // It can neither be told from others nor shared. A block for itself is what it has.
            return;
        }
        let kind = Kind {
            name: op.name_id(),
            attrs: op.attrs().map(|(name, attr)| (name, attr.id())).collect(),
            types: op.operands().types().to_vec(),
        };
        let (loc, values) = (op.loc(), Values::from_slice(&op.operands().ids()));
        let known = self.exits.0.get(&kind).copied();
        let exit = known.unwrap_or_else(|| {
            let exit = self.rw.append_block(self.region, &kind.types);
            for arg in self.rw.ir().block_args(exit).to_vec() {
                self.rw.set_arg_loc(arg, loc);
            }
            exit
        });
        self.rw.set_insertion_before(last);
        self.rw.create(branch(loc, exit, values));
        if known.is_some() {
            self.rw.erase(last);
            return;
        }
        self.rw.move_to_end(last, exit);
        let args = self.rw.ir().block_args(exit).to_vec();
        self.rw.set_operands(last, &args);
        self.exits.0.insert(kind, exit);
    }
}
