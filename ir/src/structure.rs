//! What operations do, as a key to find those that do the same: all but locations, and but for which values from outside they use.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::entity::{BlockId, Ident, ValueId};
use crate::view::OpRef;
use crate::walk::ops_in_arena;

/// A key that is made of operations, one after the other. Keys made in one [`Context`](crate::Context) are equal if and only if their operations have
/// the same names, attributes, result types, regions, and use each other's values, and values from outside, in the same places; which values from outside
/// does not count, save for their types.
///
/// Costs O(operations), 4 bytes for each name, attribute, value and type.
#[derive(Default, Debug)]
pub struct Structure {
    key: Vec<u32>,
    numbers: Numbers,
}

/// Values and blocks of an arena, numbered as they are met, where they are used or defined.
#[derive(Default, Debug)]
struct Numbers {
    values: FxHashMap<ValueId, u32>,
    blocks: FxHashMap<BlockId, u32>,
}

impl Structure {
    /// Adds an operation with all that is in its regions. All operations of a key must be of one arena.
    pub fn add(&mut self, op: OpRef<'_>) {
        self.add_but_for(op, None);
    }

    /// The same, but an attribute of the operation itself does not count, as its name.
    pub fn add_but_for(&mut self, op: OpRef<'_>, ignored: Option<Ident>) {
        let mut isolated = add_in_arena(&mut self.key, op, ignored, &mut self.numbers);
        // What is isolated uses no values from outside.
        while let Some(body) = isolated.pop_front() {
            let inside = add_in_arena(&mut self.key, body, None, &mut Numbers::default());
            isolated.extend(inside);
        }
    }

    /// The key.
    pub fn into_key(self) -> Box<[u32]> {
        self.key.into_boxed_slice()
    }
}

/// Adds an operation and answers the bodies of isolated ones in it, which are in arenas of their own.
fn add_in_arena<'a>(
    key: &mut Vec<u32>,
    root: OpRef<'a>,
    ignored: Option<Ident>,
    numbers: &mut Numbers,
) -> VecDeque<OpRef<'a>> {
    let (cx, ir) = (root.cx(), root.arena());
    let mut isolated = VecDeque::new();
    for op in ops_in_arena(ir, root.id()).into_iter().map(|op| OpRef::new(cx, ir, op)) {
        if op.is_stub() {
            isolated.push_back(op.body());
        }
        let counts = |name: Ident| op != root || Some(name) != ignored;
        let attrs = || op.attrs().filter(|&(name, _)| counts(name));
        let regions = ir.op_regions(op.id());
        key.push(op.name_id().index() as u32);
        key.extend([attrs().count(), op.num_operands(), op.num_results(), op.num_successors()].map(|n| n as u32));
        key.push(regions.len() as u32);
        key.extend(attrs().flat_map(|(name, attr)| [name.index() as u32, attr.id().index() as u32]));
        for value in op.operands().iter().chain(op.results().iter()) {
            key.extend([numbers.value(value.id()), value.ty().id().index() as u32]);
        }
        key.extend(ir.successors(op.id()).map(|block| numbers.block(block)));
        for &region in regions {
            key.push(ir.region_blocks(region).count() as u32);
            for block in ir.region_blocks(region) {
                let args = ir.block_args(block);
                key.extend([numbers.block(block), args.len() as u32, ir.block_ops(block).count() as u32]);
                key.extend(args.iter().flat_map(|&arg| [numbers.value(arg), ir.value_type(arg).index() as u32]));
            }
        }
    }
    isolated
}

impl Numbers {
    fn value(&mut self, value: ValueId) -> u32 {
        let next = self.values.len() as u32;
        *self.values.entry(value).or_insert(next)
    }

    fn block(&mut self, block: BlockId) -> u32 {
        let next = self.blocks.len() as u32;
        *self.blocks.entry(block).or_insert(next)
    }
}
