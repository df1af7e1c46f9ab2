//! Finding out whether anything has changed.

use std::hash::{DefaultHasher, Hash, Hasher as _};

use rustc_hash::FxHashMap;

use crate::entity::{BlockId, ValueId};
use crate::view::OpRef;

/// A hash of all that can be printed of an operation, locations included: different where something has changed, but for one
/// chance in 2^64. An operation that was made again just like it was is no change. O(operations), without printing them.
pub fn fingerprint(op: OpRef<'_>) -> u64 {
    let mut hash = DefaultHasher::new();
    let (mut values, mut blocks) = (Numbers::default(), Numbers::default());
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        shell(op, &mut values, &mut blocks, &mut hash);
        let start = pending.len();
        for region in op.regions() {
            region.blocks().count().hash(&mut hash);
            for block in region.blocks() {
                let ir = block.arena();
                blocks.of(std::ptr::from_ref(ir).addr(), block.id()).hash(&mut hash);
                block.args().len().hash(&mut hash);
                for arg in block.args() {
                    let number = values.of(std::ptr::from_ref(ir).addr(), arg.id());
                    (number, arg.ty().id(), ir.arg_loc(arg.id())).hash(&mut hash);
                }
                let before = pending.len();
                pending.extend(block.ops());
                (pending.len() - before).hash(&mut hash);
            }
        }
        pending[start..].reverse();
    }
    hash.finish()
}

/// All of an operation but what is in its regions.
fn shell(op: OpRef<'_>, values: &mut Numbers<ValueId>, blocks: &mut Numbers<BlockId>, hash: &mut DefaultHasher) {
    let arena = std::ptr::from_ref(op.arena()).addr();
    let counts = (op.num_operands(), op.num_results(), op.attrs().len(), op.num_successors(), op.num_regions());
    (op.name_id(), op.loc(), counts).hash(hash);
    op.operands().iter().for_each(|value| values.of(arena, value.id()).hash(hash));
    op.results().iter().for_each(|value| (values.of(arena, value.id()), value.ty().id()).hash(hash));
    op.attrs().for_each(|(name, attr)| (name, attr.id()).hash(hash));
    op.successors().for_each(|block| blocks.of(arena, block.id()).hash(hash));
}

/// Numbers in the order in which things are met. An id says nothing: what is made again gets another one, and each arena has its own.
struct Numbers<Id>(FxHashMap<(usize, Id), usize>);

impl<Id> Default for Numbers<Id> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

impl<Id: Eq + Hash> Numbers<Id> {
    fn of(&mut self, arena: usize, id: Id) -> usize {
        let next = self.0.len();
        *self.0.entry((arena, id)).or_insert(next)
    }
}
