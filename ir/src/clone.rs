//! Copying operations, within an arena and across arenas.

use rustc_hash::FxHashMap;

use crate::arena::Arena;
use crate::context::Context;
use crate::entity::{BlockId, OpId, RegionId, ValueId};
use crate::rewriter::{OpState, Rewriter};

/// What stands for what in a copy. Values that are not mapped stand for themselves.
#[derive(Clone, Default, Debug)]
pub struct Mapping {
    values: FxHashMap<ValueId, ValueId>,
    blocks: FxHashMap<BlockId, BlockId>,
}

impl Mapping {
    /// A mapping without entries: every value and block stands for itself.
    pub fn new() -> Self {
        Self::default()
    }

    /// `to` stands for `from`.
    pub fn map(&mut self, from: ValueId, to: ValueId) {
        self.values.insert(from, to);
    }

    /// What stands for `value`.
    pub fn value(&self, value: ValueId) -> ValueId {
        self.values.get(&value).copied().unwrap_or(value)
    }

    /// What stands for `value`, if it is mapped.
    pub fn get(&self, value: ValueId) -> Option<ValueId> {
        self.values.get(&value).copied()
    }

    /// `to` stands for `from`.
    pub fn map_block(&mut self, from: BlockId, to: BlockId) {
        self.blocks.insert(from, to);
    }

    /// What stands for `block`.
    pub fn block(&self, block: BlockId) -> BlockId {
        self.blocks.get(&block).copied().unwrap_or(block)
    }
}

/// Copies `op` and all in its regions to the insertion point of `rw`. `mapping` says what its operands and successors become
/// and learns what its results, blocks and arguments have become.
pub fn clone_op(rw: &mut Rewriter<'_>, op: OpId, mapping: &mut Mapping) -> OpId {
    let point = rw.insertion_point();
    let (copy, mut pending) = clone_shell(rw, None, op, mapping);
    // Bodies in program order: definitions before uses, save in graph regions and loops of blocks, whose operands are set after.
    let mut unresolved = Vec::new();
    while let Some((from, to)) = pending.pop() {
        let blocks: Vec<BlockId> = rw.ir().region_blocks(from).collect();
        clone_blocks(rw, None, &blocks, to, mapping);
        for &block in &blocks {
            let ops: Vec<OpId> = rw.ir().block_ops(block).collect();
            for op in ops {
                rw.set_insertion_to_end(mapping.block(block));
                let (copy, nested) = clone_shell(rw, None, op, mapping);
                unresolved.push((op, copy));
                pending.extend(nested);
            }
        }
    }
    for (from, to) in unresolved {
        let operands: smallvec::SmallVec<[ValueId; 4]> = rw.ir().operands(from).map(|v| mapping.value(v)).collect();
        for (i, value) in operands.into_iter().enumerate() {
            rw.set_operand(to, i, value);
        }
    }
    rw.set_insertion_point(point);
    copy
}

/// Copies `region` of `from`, another arena than that of `rw`, a whole body, to the end of `to`. `mapping` learns what its values and
/// blocks have become.
pub fn clone_region_from(rw: &mut Rewriter<'_>, from: &Arena, region: RegionId, to: RegionId, mapping: &mut Mapping) {
    let point = rw.insertion_point();
    let mut pending = vec![(region, to)];
    let mut unresolved = Vec::new();
    while let Some((region, to)) = pending.pop() {
        let blocks: Vec<BlockId> = from.region_blocks(region).collect();
        clone_blocks(rw, Some(from), &blocks, to, mapping);
        for &block in &blocks {
            for op in from.block_ops(block) {
                rw.set_insertion_to_end(mapping.block(block));
                let (copy, nested) = clone_shell(rw, Some(from), op, mapping);
                unresolved.push((op, copy));
                pending.extend(nested);
            }
        }
    }
    for (op, copy) in unresolved {
        let operands: Vec<ValueId> = from.operands(op).map(|v| mapping.value(v)).collect();
        rw.set_operands(copy, &operands);
    }
    rw.set_insertion_point(point);
}

fn clone_blocks(rw: &mut Rewriter<'_>, from: Option<&Arena>, blocks: &[BlockId], to: RegionId, mapping: &mut Mapping) {
    for &block in blocks {
        let source = from.unwrap_or(rw.ir());
        let args: Vec<_> =
            source.block_args(block).iter().map(|&arg| (arg, source.value_type(arg), source.arg_loc(arg))).collect();
        let copy = rw.append_block(to, &[]);
        mapping.map_block(block, copy);
        for (arg, ty, loc) in args {
            let new = rw.add_block_arg(copy, ty);
            if let Some(loc) = loc {
                rw.set_arg_loc(new, loc);
            }
            mapping.map(arg, new);
        }
    }
}

/// Copies `op` with empty regions; answers the copy and the pairs of regions still to copy. Operands of another arena that are
/// not mapped yet are left out: the caller sets them when all values are known.
fn clone_shell(
    rw: &mut Rewriter<'_>,
    from: Option<&Arena>,
    op: OpId,
    mapping: &mut Mapping,
) -> (OpId, Vec<(RegionId, RegionId)>) {
    let cx = rw.cx();
    let source = from.unwrap_or(rw.ir());
    let (name, loc) = (source.op(op).name, source.op(op).loc);
    let mut state = OpState::new(name, loc);
    state.attrs.extend_from_slice(source.op_attrs(op));
    state.results.extend(source.results(op).map(|r| source.value_type(r)));
    let mapped = |v: ValueId| if from.is_some() { mapping.get(v) } else { Some(mapping.value(v)) };
    state.operands.extend(source.operands(op).filter_map(mapped));
    state.successors.extend(source.successors(op).map(|b| mapping.block(b)));
    let results: smallvec::SmallVec<[ValueId; 4]> = source.results(op).collect();
    let regions = source.op_regions(op).to_vec();
    let child = source.child_of(op).map(|child| Box::new(clone_arena(cx, child)));
    let copy = if let Some(child) = child {
        rw.insert_child(child, &state.operands, &state.results)
    } else {
        state.regions.extend(regions.iter().map(|_| rw.new_region()));
        // As it is: a copy of what has no results has none either.
        rw.create_as_given(name, &mut state).expect("parts of an operation that is there")
    };
    for (old, new) in results.into_iter().zip(rw.ir().results(copy)) {
        mapping.map(old, new);
    }
    let pairs = regions.into_iter().zip(rw.ir().op_regions(copy).iter().copied()).collect();
    (copy, pairs)
}

/// A copy of a whole arena. Erased entries are left behind.
pub fn clone_arena(cx: &Context, ir: &Arena) -> Arena {
    // Depth of nested isolated operations is bounded by the stack guard, not by recursion on the plain stack.
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
        let root = ir.op(Arena::ROOT);
        let mut copy = Arena::new(root.name, root.loc);
        let mut rw = Rewriter::new(cx, &mut copy);
        rw.set_attrs(Arena::ROOT, ir.op_attrs(Arena::ROOT).iter().copied());
        let mut mapping = Mapping::new();
        for &region in ir.op_regions(Arena::ROOT) {
            let to = rw.add_region(Arena::ROOT);
            clone_region_from(&mut rw, ir, region, to, &mut mapping);
        }
        copy
    })
}
