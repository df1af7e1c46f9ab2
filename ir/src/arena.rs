//! Storage of one isolated operation and all that is nested in it, down to the next isolated operations.
//!
//! # Invariants
//! * The arena's root is the isolated operation itself: [`Arena::ROOT`] holds its attributes and regions. In the parent
//!   arena stands a *stub* with its name, operands and results, which owns the arena by one pointer. Views hide the split.
//! * An id is valid in one arena only.
//! * Each operand of a live operation is on its value's use list exactly once; each successor on its block's.
//! * Operations of a block and blocks of a region are intrusive doubly linked lists.
//!
//! Layout: 40 bytes an operation, 16 more with regions or successors, 36 a block, 12 a result, 16 a block argument, 16 an operand, 8 an attribute, 8 the
//! location of an argument; 4 more an operation in an arena with a block whose operations are not in the order of their ids. Creating and erasing cost O(operands + results). Erased entries are not reused. Reading goes through [views](crate::view), writing through the
//! [`Rewriter`](crate::Rewriter).

use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU32, Ordering};

use crate::attributes::Attr;
use crate::entity::{BlockId, Ident, OpId, OpName, RegionId, UseId, ValueId, define_id};
use crate::location::Loc;
use crate::types::Type;

define_id! {
    /// One successor position of one operation: the node of its block's use list.
    SuccessorId
}
define_id! {
    /// A nested isolated operation of an arena.
    ChildId
}

/// Storage of an isolated operation.
pub struct Arena {
    pub(crate) ops: Vec<OpData>,
    pub(crate) values: Vec<ValueData>,
    pub(crate) uses: Vec<UseData>,
    pub(crate) attrs: Vec<(Ident, Attr)>,
    pub(crate) blocks: Vec<BlockData>,
    pub(crate) regions: Vec<RegionData>,
    pub(crate) successors: Vec<SuccessorData>,
    /// Runs of regions of operations.
    pub(crate) region_lists: Vec<RegionId>,
    /// What operations with regions or successors have.
    nested: Vec<Nested>,
    /// Runs of arguments of blocks, each with the room that its block says.
    block_args: Vec<ValueId>,
    /// Positions of operations in their blocks, by operation: valid where the block's `order_valid` is set. As long as `ops` once a block
    /// needs them, else empty.
    order: Vec<AtomicU32>,
    pub(crate) children: Vec<Option<Box<Arena>>>,
    /// Locations of block arguments that have one of their own, sorted by argument.
    arg_locs: Vec<(ValueId, Loc)>,
}

pub(crate) struct OpData {
    pub(crate) name: OpName,
    pub(crate) loc: Loc,
    pub(crate) block: Option<BlockId>,
    pub(crate) prev: Option<OpId>,
    pub(crate) next: Option<OpId>,
    pub(crate) first_operand: u32,
    pub(crate) first_result: u32,
    /// Where its attributes begin; with [`NESTED`] the index of its entry in `nested`, which says so.
    first_attr: u32,
    pub(crate) num_operands: u32,
    pub(crate) num_results: u16,
    /// Number of attributes, [`DEAD`], [`NESTED`] and [`RIGHT`].
    attrs_and_flags: AtomicU16,
}

/// The operation has been erased.
const DEAD: u16 = 1 << 15;
/// The operation has an entry in `nested`.
const NESTED: u16 = 1 << 14;
/// The verifier has found right all that follows from its name, types and attributes, and they are what they were then.
const RIGHT: u16 = 1 << 13;

/// Attributes that an operation can have.
pub(crate) const MAX_ATTRS: u16 = RIGHT - 1;

/// What few operations have: regions, successors, or an arena of their own.
#[derive(Clone, Copy)]
pub(crate) struct Nested {
    /// Where the attributes of the operation begin: [`Arena::set_attr_run`] sets it.
    pub(crate) first_attr: u32,
    /// Index into `region_lists`, or of the child arena of a stub.
    pub(crate) first_region: u32,
    pub(crate) first_successor: u32,
    /// Or [`IN_CHILD`].
    pub(crate) num_regions: u16,
    pub(crate) num_successors: u16,
}

/// `num_regions` of a stub: its attributes and regions live in a child arena.
const IN_CHILD: u16 = u16::MAX;

/// Regions that an operation can have.
pub(crate) const MAX_REGIONS: u16 = IN_CHILD - 1;

impl Nested {
    /// What an operation has that has none of these.
    pub(crate) const NONE: Self =
        Self { first_attr: 0, first_region: 0, first_successor: 0, num_regions: 0, num_successors: 0 };

    /// What a stub has, whose child arena is number `child`.
    pub(crate) fn of_stub(child: usize) -> Self {
        Self { first_region: child as u32, num_regions: IN_CHILD, ..Self::NONE }
    }

    /// Whether the operation is a stub: attributes and regions live in its child arena.
    #[inline]
    pub(crate) fn is_of_stub(&self) -> bool {
        self.num_regions == IN_CHILD
    }
}

#[derive(Clone, Copy)]
pub(crate) struct ValueData {
    pub(crate) ty: Type,
    /// Defining operation, or block with the top bit set.
    pub(crate) def: u32,
    pub(crate) first_use: Option<UseId>,
}

pub(crate) const DEF_IS_BLOCK: u32 = 1 << 31;

impl ValueData {
    pub(crate) fn result(op: OpId, ty: Type) -> Self {
        Self { ty, def: op.index() as u32, first_use: None }
    }

    pub(crate) fn argument(block: BlockId, ty: Type) -> Self {
        Self { ty, def: block.index() as u32 | DEF_IS_BLOCK, first_use: None }
    }

    #[inline]
    pub(crate) fn definition(&self) -> Definition {
        if self.def & DEF_IS_BLOCK == 0 {
            Definition::Result(OpId::from_index(self.def as usize))
        } else {
            Definition::Argument(BlockId::from_index((self.def & !DEF_IS_BLOCK) as usize))
        }
    }
}

/// What defines a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Definition {
    /// It is a result of this operation.
    Result(OpId),
    /// It is an argument of this block.
    Argument(BlockId),
}

#[derive(Clone, Copy)]
pub(crate) struct UseData {
    pub(crate) value: ValueId,
    pub(crate) owner: OpId,
    pub(crate) prev: Option<UseId>,
    pub(crate) next: Option<UseId>,
}

#[derive(Clone, Copy)]
pub(crate) struct SuccessorData {
    pub(crate) block: BlockId,
    pub(crate) owner: OpId,
    pub(crate) prev: Option<SuccessorId>,
    pub(crate) next: Option<SuccessorId>,
}

pub(crate) struct BlockData {
    pub(crate) region: Option<RegionId>,
    pub(crate) prev: Option<BlockId>,
    pub(crate) next: Option<BlockId>,
    pub(crate) first_op: Option<OpId>,
    pub(crate) last_op: Option<OpId>,
    pub(crate) first_predecessor: Option<SuccessorId>,
    /// Where in `block_args` the arguments begin.
    first_arg: u32,
    num_args: u32,
    /// Whether its operations are in the order of their ids, as those of a block are that has been read or made from first to last.
    by_ids: bool,
    /// Whether the positions of its operations in `order` are right.
    order_valid: AtomicBool,
    /// One more than the logarithm of the room for arguments; 0 without any.
    room: u8,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct RegionData {
    pub(crate) parent: Option<OpId>,
    pub(crate) first: Option<BlockId>,
    pub(crate) last: Option<BlockId>,
}

const _: () = assert!(size_of::<OpData>() == 40 && size_of::<ValueData>() == 12 && size_of::<UseData>() == 16);
const _: () = assert!(size_of::<BlockData>() == 36);

impl Arena {
    /// The isolated operation that owns the arena.
    pub const ROOT: OpId = OpId::from_index(0);

    /// An arena whose root is named `name` and has no attributes and no regions yet.
    pub fn new(name: OpName, loc: Loc) -> Self {
        let mut arena = Self::empty();
        arena.start(name, loc);
        arena
    }

    /// An arena without a root, to be filled later.
    pub(crate) fn empty() -> Self {
        Self {
            ops: Vec::new(),
            values: Vec::new(),
            uses: Vec::new(),
            attrs: Vec::new(),
            blocks: Vec::new(),
            regions: Vec::new(),
            successors: Vec::new(),
            region_lists: Vec::new(),
            nested: Vec::new(),
            block_args: Vec::new(),
            order: Vec::new(),
            children: Vec::new(),
            arg_locs: Vec::new(),
        }
    }

    /// Begins with a root, in an arena that is empty.
    pub(crate) fn start(&mut self, name: OpName, loc: Loc) {
        self.ops.push(OpData::new(name, loc));
    }

    /// Moves everything to an arena with little room to spare, but for a region and some attributes that the root is still to get; this one is
    /// left empty, with the room it has.
    pub(crate) fn take_content(&mut self) -> Self {
        const ATTRS_OF_ROOT: usize = 4;
        fn with_room<T>(list: &mut Vec<T>, room: usize) -> Vec<T> {
            let mut taken = Vec::with_capacity(list.len() + room);
            taken.append(list);
            taken
        }
        fn exact<T>(list: &mut Vec<T>) -> Vec<T> {
            with_room(list, 0)
        }
        // A pass that adds an operation here and there need not move the lists.
        fn roomy<T>(list: &mut Vec<T>, more: usize) -> Vec<T> {
            with_room(list, list.len() / 16 + more)
        }
        Self {
            ops: roomy(&mut self.ops, 0),
            values: roomy(&mut self.values, 0),
            uses: roomy(&mut self.uses, 0),
            attrs: roomy(&mut self.attrs, ATTRS_OF_ROOT),
            blocks: exact(&mut self.blocks),
            regions: exact(&mut self.regions),
            successors: exact(&mut self.successors),
            region_lists: with_room(&mut self.region_lists, 1),
            nested: with_room(&mut self.nested, 1),
            block_args: exact(&mut self.block_args),
            order: exact(&mut self.order),
            children: exact(&mut self.children),
            arg_locs: exact(&mut self.arg_locs),
        }
    }

    /// About how many bytes are in use, without those of nested arenas.
    pub(crate) fn bytes(&self) -> usize {
        self.ops.len() * size_of::<OpData>()
            + self.values.len() * size_of::<ValueData>()
            + self.uses.len() * size_of::<UseData>()
    }

    /// Reserves room for what a section of `bytes` bytes of bytecode usually holds.
    pub(crate) fn reserve_for_bytecode(&mut self, bytes: usize) {
        let ops = bytes / 12;
        self.ops.reserve(ops);
        self.values.reserve(ops);
        self.uses.reserve(ops * 2);
    }

    /// Reserves so much for each list that is long in a large arena that it lies in pages of its own, which come when they are written to. Lists that begin in the
    /// heap leave holes there while they grow: 4 bytes an operation, of 100,000 mixed ones in one function.
    pub(crate) fn reserve_pages(&mut self) {
        fn reserve<T>(list: &mut Vec<T>) {
            // What glibc maps by itself.
            const MAPPED: usize = 128 << 10;
            list.reserve_exact(MAPPED / size_of::<T>() + 1);
        }
        reserve(&mut self.ops);
        reserve(&mut self.values);
        reserve(&mut self.uses);
        reserve(&mut self.attrs);
        reserve(&mut self.blocks);
        reserve(&mut self.nested);
    }

    /// Makes room for another operation. Lists grow by a quarter: they are hardly longer than what was read, see
    /// [`take_content`](Self::take_content), and to double them for a few operations would touch more new pages than all the rest of a pass.
    #[inline(always)]
    pub(crate) fn make_room(&mut self, operands: usize, results: usize, attrs: usize) {
        #[inline(always)]
        fn grow<T>(list: &mut Vec<T>, more: usize) {
            if list.capacity() - list.len() < more {
                list.reserve_exact(more.max(8 + list.len() / 4));
            }
        }
        grow(&mut self.ops, 1);
        grow(&mut self.uses, operands);
        grow(&mut self.values, results);
        grow(&mut self.attrs, attrs);
    }

    /// Gives back memory that is reserved but not used.
    pub fn shrink_to_fit(&mut self) {
        self.ops.shrink_to_fit();
        self.values.shrink_to_fit();
        self.uses.shrink_to_fit();
        self.attrs.shrink_to_fit();
        self.blocks.shrink_to_fit();
        self.regions.shrink_to_fit();
        self.nested.shrink_to_fit();
        self.block_args.shrink_to_fit();
        self.order.shrink_to_fit();
        self.arg_locs.shrink_to_fit();
    }

    #[inline]
    pub(crate) fn op(&self, op: OpId) -> &OpData {
        &self.ops[op.index()]
    }

    #[inline]
    pub(crate) fn op_mut(&mut self, op: OpId) -> &mut OpData {
        &mut self.ops[op.index()]
    }

    #[inline]
    pub(crate) fn value(&self, value: ValueId) -> &ValueData {
        &self.values[value.index()]
    }

    #[inline]
    pub(crate) fn block(&self, block: BlockId) -> &BlockData {
        &self.blocks[block.index()]
    }

    #[inline]
    pub(crate) fn block_mut(&mut self, block: BlockId) -> &mut BlockData {
        &mut self.blocks[block.index()]
    }

    #[inline]
    pub(crate) fn region(&self, region: RegionId) -> &RegionData {
        &self.regions[region.index()]
    }

    /// Whether `op` has not been erased.
    #[inline]
    pub fn is_live(&self, op: OpId) -> bool {
        !self.op(op).is_dead()
    }

    /// Number of operation slots made so far, erased ones included: a bound for tables indexed by [`OpId`].
    pub fn num_op_slots(&self) -> usize {
        self.ops.len()
    }

    /// Number of value slots made so far: a bound for tables indexed by [`ValueId`].
    pub fn num_value_slots(&self) -> usize {
        self.values.len()
    }

    /// Number of block slots made so far: a bound for tables indexed by [`BlockId`].
    pub fn num_block_slots(&self) -> usize {
        self.blocks.len()
    }

    /// Number of region slots made so far: a bound for tables indexed by [`RegionId`].
    pub fn num_region_slots(&self) -> usize {
        self.regions.len()
    }

    /// The nested isolated operations, each the root of its own arena, in order of creation.
    pub fn children(&self) -> impl Iterator<Item = &Arena> {
        self.children.iter().filter_map(|child| child.as_deref())
    }

    /// The same, to change each on its own: this is all that parallel passes need.
    pub fn children_mut(&mut self) -> impl Iterator<Item = &mut Arena> {
        self.children.iter_mut().filter_map(|child| child.as_deref_mut())
    }

    /// The arenas that these nested isolated operations own, in their order. Those that own none are left out.
    pub fn children_of(&mut self, stubs: &[OpId]) -> Vec<&mut Arena> {
        let mut position = vec![usize::MAX; self.children.len()];
        for (i, &stub) in stubs.iter().enumerate() {
            if let Some(child) = self.child_index(stub) {
                position[child] = i;
            }
        }
        let wanted = self.children.iter_mut().zip(position).filter(|(_, position)| *position != usize::MAX);
        let mut found: Vec<_> =
            wanted.filter_map(|(child, at)| child.as_deref_mut().map(|child| (at, child))).collect();
        found.sort_by_key(|(at, _)| *at);
        found.into_iter().map(|(_, child)| child).collect()
    }

    /// The arenas that two nested isolated operations own. `None` where they are one, or either owns none.
    pub fn two_children(&mut self, first: OpId, second: OpId) -> Option<(&mut Arena, &mut Arena)> {
        let places = [self.child_index(first)?, self.child_index(second)?];
        let [first, second] = self.children.get_disjoint_mut(places).ok()?;
        first.as_deref_mut().zip(second.as_deref_mut())
    }

    #[inline]
    pub(crate) fn child_of(&self, stub: OpId) -> Option<&Arena> {
        self.child_index(stub).and_then(|child| self.children[child].as_deref())
    }

    /// The arena that the isolated operation `op` owns; `None` when `op` is not a nested isolated operation.
    pub fn child_mut(&mut self, op: OpId) -> Option<&mut Arena> {
        let child = self.child_index(op)?;
        self.children[child].as_deref_mut()
    }

    /// The index of the arena that the nested isolated operation `op` owns; `None` when `op` is none.
    #[inline]
    pub(crate) fn child_index(&self, op: OpId) -> Option<usize> {
        let nested = self.nested(op);
        nested.is_of_stub().then_some(nested.first_region as usize)
    }

    /// Whether the attributes and regions of `op` live in a child arena.
    #[inline]
    pub(crate) fn is_stub(&self, op: OpId) -> bool {
        self.nested(op).is_of_stub()
    }

    /// The regions and successors of an operation.
    #[inline]
    pub(crate) fn nested(&self, op: OpId) -> &Nested {
        let data = self.op(op);
        if data.is_leaf() { &Nested::NONE } else { &self.nested[data.first_attr as usize] }
    }

    /// Sets the regions and successors of an operation.
    pub(crate) fn set_nested(&mut self, op: OpId, nested: Nested) {
        let (first_attr, entry) = (self.first_attr(op), self.nested.len() as u32);
        let data = self.op_mut(op);
        data.forget_right();
        if data.is_leaf() {
            *data.attrs_and_flags.get_mut() |= NESTED;
            data.first_attr = entry;
            self.nested.push(Nested { first_attr, ..nested });
        } else {
            let entry = data.first_attr as usize;
            self.nested[entry] = Nested { first_attr, ..nested };
        }
    }

    /// Where the attributes of an operation begin in the list of all.
    #[inline]
    pub(crate) fn first_attr(&self, op: OpId) -> u32 {
        let data = self.op(op);
        if data.is_leaf() { data.first_attr } else { self.nested[data.first_attr as usize].first_attr }
    }

    /// Makes the attributes of an operation those `count`, at most [`MAX_ATTRS`], from `first` on.
    #[inline(always)]
    pub(crate) fn set_attr_run(&mut self, op: OpId, first: usize, count: usize) {
        let data = self.op_mut(op);
        data.forget_right();
        let flags = data.attrs_and_flags.get_mut();
        *flags = *flags & !MAX_ATTRS | u16::try_from(count).unwrap_or(u16::MAX).min(MAX_ATTRS);
        let (is_leaf, entry) = (data.is_leaf(), data.first_attr as usize);
        let start = if is_leaf { &mut data.first_attr } else { &mut self.nested[entry].first_attr };
        *start = first as u32;
    }

    #[inline]
    pub(crate) fn use_id(&self, op: OpId, operand: usize) -> UseId {
        let data = self.op(op);
        assert!(operand < data.num_operands as usize, "operand {operand} of {}", data.num_operands);
        UseId::from_index(data.first_operand as usize + operand)
    }

    /// The values that `op` reads, in order.
    #[inline]
    pub fn operands(&self, op: OpId) -> impl ExactSizeIterator<Item = ValueId> + DoubleEndedIterator + Clone + '_ {
        self.operand_run(op, 0, self.op(op).num_operands as usize)
    }

    /// `len` operands of `op`, which has them, from number `start` on.
    #[inline]
    pub(crate) fn operand_run(
        &self,
        op: OpId,
        start: usize,
        len: usize,
    ) -> impl ExactSizeIterator<Item = ValueId> + DoubleEndedIterator + Clone + '_ {
        let first = self.op(op).first_operand as usize + start;
        self.uses[first..first + len].iter().map(|u| u.value)
    }

    /// Result number `index` of `op`.
    ///
    /// # Panics
    /// When `op` has no such result.
    #[inline]
    pub fn result(&self, op: OpId, index: usize) -> ValueId {
        let data = self.op(op);
        assert!(index < data.num_results as usize, "result {index} of {}", data.num_results);
        ValueId::from_index(data.first_result as usize + index)
    }

    /// The results of `op`, in order.
    #[inline]
    pub fn results(&self, op: OpId) -> impl ExactSizeIterator<Item = ValueId> + DoubleEndedIterator + Clone + use<> {
        self.result_run(op, 0, usize::from(self.op(op).num_results))
    }

    /// `len` results of `op`, which has them, from number `start` on.
    #[inline]
    pub(crate) fn result_run(
        &self,
        op: OpId,
        start: usize,
        len: usize,
    ) -> impl ExactSizeIterator<Item = ValueId> + DoubleEndedIterator + Clone + use<> {
        let first = self.op(op).first_result as usize + start;
        (first..first + len).map(ValueId::from_index)
    }

    /// The type of a value.
    #[inline]
    pub fn value_type(&self, value: ValueId) -> Type {
        self.value(value).ty
    }

    /// What defines a value.
    #[inline]
    pub fn definition(&self, value: ValueId) -> Definition {
        self.value(value).definition()
    }

    /// The number of a value among the results or arguments that it is one of; 0 for what stands for a value that is not defined yet. O(1) for results, and
    /// for arguments that were made one after the other; else O(arguments).
    #[inline]
    pub(crate) fn value_index(&self, value: ValueId) -> usize {
        match self.definition(value) {
            Definition::Result(op) => {
                let data = self.op(op);
                let index = value.index().wrapping_sub(data.first_result as usize);
                if index < usize::from(data.num_results) { index } else { 0 }
            }
            Definition::Argument(block) => {
                let args = self.block_args(block);
                let guess = args.first().map_or(0, |first| value.index().wrapping_sub(first.index()));
                let is_there = args.get(guess) == Some(&value);
                if is_there { guess } else { args.iter().position(|&arg| arg == value).unwrap_or(0) }
            }
        }
    }

    /// The operation that defines a value, `None` for a block argument.
    #[inline]
    pub fn defining_op(&self, value: ValueId) -> Option<OpId> {
        match self.definition(value) {
            Definition::Result(op) => Some(op),
            Definition::Argument(_) => None,
        }
    }

    /// Whether any operation reads the value.
    #[inline]
    pub fn has_uses(&self, value: ValueId) -> bool {
        self.value(value).first_use.is_some()
    }

    /// Operation and operand number of each use, most recent first.
    pub fn uses(&self, value: ValueId) -> impl Iterator<Item = (OpId, usize)> + '_ {
        std::iter::successors(self.value(value).first_use, |u| self.uses[u.index()].next).map(|u| {
            let owner = self.uses[u.index()].owner;
            (owner, u.index() - self.op(owner).first_operand as usize)
        })
    }

    /// The block that holds `op`; `None` for the root and for detached operations.
    #[inline]
    pub fn block_of(&self, op: OpId) -> Option<BlockId> {
        self.op(op).block
    }

    /// The region that holds `block`.
    #[inline]
    pub fn region_of(&self, block: BlockId) -> Option<RegionId> {
        self.block(block).region
    }

    /// The operation that `region` belongs to.
    #[inline]
    pub fn region_parent(&self, region: RegionId) -> Option<OpId> {
        self.region(region).parent
    }

    /// The operation around `op` in this arena; `None` for the root.
    #[inline]
    pub fn parent_op(&self, op: OpId) -> Option<OpId> {
        self.region_parent(self.region_of(self.block_of(op)?)?)
    }

    /// The operation of `block` that `op` is, or is nested in; `None` if it is in none of them.
    ///
    /// Cost: as many steps as `op` is nested deep.
    pub fn ancestor_in_block(&self, op: OpId, block: BlockId) -> Option<OpId> {
        std::iter::successors(Some(op), |&at| self.parent_op(at)).find(|&at| self.block_of(at) == Some(block))
    }

    /// Arguments of a block.
    #[inline]
    pub fn block_args(&self, block: BlockId) -> &[ValueId] {
        let data = self.block(block);
        &self.block_args[data.first_arg as usize..][..data.num_args as usize]
    }

    /// Adds an argument at the end of those of `block`. O(1) amortized.
    pub(crate) fn push_block_arg(&mut self, block: BlockId, arg: ValueId) {
        let data = &mut self.blocks[block.index()];
        let len = data.num_args as usize;
        let room = if data.room == 0 { 0 } else { 1 << (data.room - 1) };
        if len == room {
            // Twice the room, at the end.
            let first = data.first_arg as usize;
            if first + room != self.block_args.len() {
                data.first_arg = self.block_args.len() as u32;
                self.block_args.extend_from_within(first..first + len);
            }
            data.room += 1;
            self.block_args.resize(data.first_arg as usize + (1 << (data.room - 1)), arg);
        }
        self.block_args[data.first_arg as usize + len] = arg;
        data.num_args += 1;
    }

    /// The arguments of `block`, to be put in another order.
    pub(crate) fn block_args_mut(&mut self, block: BlockId) -> &mut [ValueId] {
        let data = &self.blocks[block.index()];
        &mut self.block_args[data.first_arg as usize..][..data.num_args as usize]
    }

    /// Takes argument `index` of `block` out of those; the ones after it move down.
    pub(crate) fn remove_block_arg(&mut self, block: BlockId, index: usize) -> ValueId {
        self.block_args_mut(block)[index..].rotate_left(1);
        let data = &mut self.blocks[block.index()];
        data.num_args -= 1;
        self.block_args[(data.first_arg + data.num_args) as usize]
    }

    /// Hands the arguments of block `from` to block `to`, which has none.
    pub(crate) fn hand_over_args(&mut self, from: BlockId, to: BlockId) {
        for arg in self.block_args(from).to_vec() {
            self.values[arg.index()].def = to.index() as u32 | DEF_IS_BLOCK;
        }
        let data = self.block_mut(from);
        let run = (data.first_arg, data.num_args, data.room);
        (data.first_arg, data.num_args, data.room) = (0, 0, 0);
        let data = self.block_mut(to);
        (data.first_arg, data.num_args, data.room) = run;
    }

    /// The location that was given to a block argument. `None` for one without, which stands where the operation around its block
    /// does. O(log arguments).
    pub fn arg_loc(&self, arg: ValueId) -> Option<Loc> {
        self.arg_locs.binary_search_by_key(&arg, |entry| entry.0).ok().map(|at| self.arg_locs[at].1)
    }

    /// Gives a block argument a location. O(1) for the argument made last, else O(arguments).
    pub(crate) fn set_arg_loc(&mut self, arg: ValueId, loc: Loc) {
        if self.arg_locs.last().is_none_or(|last| last.0 < arg) {
            return self.arg_locs.push((arg, loc));
        }
        match self.arg_locs.binary_search_by_key(&arg, |entry| entry.0) {
            Ok(at) => self.arg_locs[at].1 = loc,
            Err(at) => self.arg_locs.insert(at, (arg, loc)),
        }
    }

    pub(crate) fn forget_arg_locs(&mut self) {
        self.arg_locs = Vec::new();
    }

    /// The operations of a block, in order.
    pub fn block_ops(&self, block: BlockId) -> impl Iterator<Item = OpId> + '_ {
        std::iter::successors(self.block(block).first_op, |&op| self.op(op).next)
    }

    /// The operation after `op` in its block.
    #[inline]
    pub fn next_op(&self, op: OpId) -> Option<OpId> {
        self.op(op).next
    }

    /// The last operation of a block.
    pub fn last_op(&self, block: BlockId) -> Option<OpId> {
        self.block(block).last_op
    }

    /// The blocks of a region, in order.
    pub fn region_blocks(&self, region: RegionId) -> impl Iterator<Item = BlockId> + '_ {
        std::iter::successors(self.region(region).first, |&block| self.block(block).next)
    }

    /// The first block of a region.
    pub fn entry_block(&self, region: RegionId) -> Option<BlockId> {
        self.region(region).first
    }

    /// The regions of an operation of this arena. Empty for a stub: its regions are its child's.
    #[inline]
    pub fn op_regions(&self, op: OpId) -> &[RegionId] {
        let nested = self.nested(op);
        if nested.num_regions == 0 || nested.is_of_stub() {
            return &[];
        }
        &self.region_lists[nested.first_region as usize..][..nested.num_regions as usize]
    }

    /// The successors of an operation, in order.
    #[inline]
    pub fn successors(&self, op: OpId) -> impl ExactSizeIterator<Item = BlockId> + '_ {
        let nested = self.nested(op);
        self.successors[nested.first_successor as usize..][..nested.num_successors as usize].iter().map(|s| s.block)
    }

    /// The operations that branch to `block`, once for each successor position; most recent first.
    pub fn predecessor_ops(&self, block: BlockId) -> impl Iterator<Item = (OpId, usize)> + '_ {
        std::iter::successors(self.block(block).first_predecessor, |s| self.successors[s.index()].next).map(|s| {
            let owner = self.successors[s.index()].owner;
            (owner, s.index() - self.nested(owner).first_successor as usize)
        })
    }

    /// Attributes of an operation of this arena, sorted by name. Empty for a stub.
    #[inline]
    pub(crate) fn op_attrs(&self, op: OpId) -> &[(Ident, Attr)] {
        let count = self.op(op).num_attrs();
        if count == 0 {
            return &[];
        }
        &self.attrs[self.first_attr(op) as usize..][..count]
    }

    /// Keeps what is known of the order of operations right after neighbours, from `first` to `last`, have been put into `block`. `ascending` is whether they are in
    /// the order of their ids.
    #[inline(always)]
    pub(crate) fn note_order(&mut self, block: BlockId, first: OpId, last: OpId, ascending: bool) {
        let (prev, next) = (self.op(first).prev, self.op(last).next);
        let is_alone = prev.is_none() && next.is_none();
        let fits = prev.is_none_or(|prev| prev < first) && next.is_none_or(|next| last < next);
        let data = self.block_mut(block);
        data.by_ids = (data.by_ids || is_alone) && ascending && fits;
        if !data.by_ids {
            *data.order_valid.get_mut() = false;
            self.order.resize_with(self.ops.len(), AtomicU32::default);
        }
    }

    /// Whether the operations of `block` are in the order of their ids.
    pub(crate) fn is_in_order_of_ids(&self, block: BlockId) -> bool {
        self.block(block).by_ids
    }

    /// Whether `a` stands before `b` in their block. O(1) amortized: a block that is not in the order of ids is renumbered when it has changed.
    ///
    /// # Panics
    /// When they are not in one block.
    pub fn is_before_in_block(&self, a: OpId, b: OpId) -> bool {
        let block = self.block_of(a).expect("an operation in a block");
        assert!(self.block_of(b) == Some(block), "both operations are in one block");
        let data = self.block(block);
        if data.by_ids {
            return a < b;
        }
        if !data.order_valid.load(Ordering::Acquire) {
            for (position, op) in (0..).zip(self.block_ops(block)) {
                self.order[op.index()].store(position, Ordering::Relaxed);
            }
            data.order_valid.store(true, Ordering::Release);
        }
        self.order[a.index()].load(Ordering::Relaxed) < self.order[b.index()].load(Ordering::Relaxed)
    }
}

impl BlockData {
    /// A block in no region, without operations and arguments.
    pub(crate) fn new() -> Self {
        Self {
            region: None,
            prev: None,
            next: None,
            first_op: None,
            last_op: None,
            first_predecessor: None,
            first_arg: 0,
            num_args: 0,
            by_ids: true,
            order_valid: false.into(),
            room: 0,
        }
    }
}

impl OpData {
    pub(crate) fn new(name: OpName, loc: Loc) -> Self {
        Self {
            name,
            loc,
            block: None,
            prev: None,
            next: None,
            first_operand: 0,
            first_result: 0,
            first_attr: 0,
            num_operands: 0,
            num_results: 0,
            attrs_and_flags: AtomicU16::new(0),
        }
    }

    #[inline]
    fn flags(&self) -> u16 {
        self.attrs_and_flags.load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn num_attrs(&self) -> usize {
        usize::from(self.flags() & MAX_ATTRS)
    }

    /// Whether [`note_right`](Self::note_right) was called, and nothing of what it speaks of has changed since.
    #[inline]
    pub(crate) fn is_right(&self) -> bool {
        self.flags() & RIGHT != 0
    }

    /// Keeps that an operation is right in all that follows from its name, types and attributes.
    #[inline]
    pub(crate) fn note_right(&self) {
        self.attrs_and_flags.store(self.flags() | RIGHT, Ordering::Relaxed);
    }

    /// Its name, types or attributes change: the verifier has to look at it again.
    #[inline]
    pub(crate) fn forget_right(&mut self) {
        *self.attrs_and_flags.get_mut() &= !RIGHT;
    }

    /// Whether it has been erased.
    #[inline]
    pub(crate) fn is_dead(&self) -> bool {
        self.flags() & DEAD != 0
    }

    pub(crate) fn set_dead(&mut self) {
        *self.attrs_and_flags.get_mut() |= DEAD;
    }

    /// Whether it has neither regions nor successors nor an arena of its own.
    #[inline]
    pub(crate) fn is_leaf(&self) -> bool {
        self.flags() & NESTED == 0
    }
}

impl Drop for Arena {
    /// Frees nested arenas one after the other: nesting is as deep as the input likes.
    fn drop(&mut self) {
        let mut pending: Vec<Box<Arena>> = self.children.drain(..).flatten().collect();
        while let Some(mut arena) = pending.pop() {
            pending.extend(arena.children.drain(..).flatten());
        }
    }
}
