//! Who frees a buffer: the conditions of all buffers in all blocks.

use dl_bufferization::CloneOp;
use dl_ir::{Arena, BlockId, Definition, Loc, OpState, Rewriter, ValueId};
use rustc_hash::FxHashMap;

/// Whether a block has to free a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ownership {
    /// If this `i1` value holds.
    If(ValueId),
    /// It cannot be said by one value.
    Unknown,
}

/// The ownership of each buffer in each block that knows it, and the buffers that each block may have to free.
#[derive(Default)]
pub(super) struct State {
    ownership: FxHashMap<(ValueId, BlockId), Ownership>,
    owned: FxHashMap<BlockId, Vec<ValueId>>,
}

impl State {
    /// The ownership of `memref` in `block`; `None` when nothing has been said.
    pub(super) fn get(&self, memref: ValueId, block: BlockId) -> Option<Ownership> {
        self.ownership.get(&(memref, block)).copied()
    }

    /// Says that `memref` is owned by `block` if `new`, besides what has been said before.
    pub(super) fn update(&mut self, rw: &Rewriter<'_>, memref: ValueId, block: BlockId, new: Ownership) {
        let merged = match (self.get(memref, block), new) {
            (None, new) => new,
            (Some(Ownership::If(a)), Ownership::If(b)) if same_condition(rw, a, b) => Ownership::If(a),
            _ => Ownership::Unknown,
        };
        self.ownership.insert((memref, block), merged);
    }

    /// Forgets what has been said of `memref` in `block`, and says this.
    pub(super) fn set(&mut self, memref: ValueId, block: BlockId, condition: ValueId) {
        self.ownership.insert((memref, block), Ownership::If(condition));
    }

    /// `block` frees `memref` unless it hands it on.
    pub(super) fn add_owned(&mut self, memref: ValueId, block: BlockId) {
        self.owned.entry(block).or_default().push(memref);
    }

    /// What `block` frees unless it hands it on.
    pub(super) fn owned(&self, block: BlockId) -> &[ValueId] {
        self.owned.get(&block).map_or(&[], |all| all)
    }

    /// `memref` with a condition under which `block` owns it: a clone, which it certainly owns, where nothing else is known.
    /// New operations go to the insertion point.
    pub(super) fn unique(&mut self, rw: &mut Rewriter<'_>, memref: ValueId, block: BlockId) -> (ValueId, ValueId) {
        let cx = rw.cx();
        let loc = rw.value(memref).loc();
        if let Some(condition) = self.of_select(rw, memref, block) {
            return (memref, condition);
        }
        if let Some(Ownership::If(condition)) = self.get(memref, block) {
            return (memref, condition);
        }
        let ty = rw.value_type(memref).id();
        let clone = rw.create_value(OpState::of::<CloneOp<'_>>(loc).operands([memref]).results([ty]));
        let owned = dl_arith::constant(rw, cx.bool_attr(true), loc);
        self.set(clone, block, owned);
        self.add_owned(clone, block);
        (clone, owned)
    }

    /// The ownership of a selected buffer is selected likewise.
    fn of_select(&self, rw: &mut Rewriter<'_>, memref: ValueId, block: BlockId) -> Option<ValueId> {
        let cx = rw.cx();
        let select = rw.value(memref).def::<dl_arith::SelectOp<'_>>()?;
        let (loc, condition) = (rw.value(memref).loc(), select.condition().id());
        let (a, b) = (select.true_value().id(), select.false_value().id());
        let (Some(Ownership::If(a)), Some(Ownership::If(b))) = (self.get(a, block), self.get(b, block)) else {
            return None;
        };
        let state = OpState::of::<dl_arith::SelectOp<'_>>(loc).operands([condition, a, b]).results([cx.i1_type()]);
        Some(rw.create_value(state))
    }
}

/// Whether two conditions are one value, or constants that are equal.
fn same_condition(rw: &Rewriter<'_>, a: ValueId, b: ValueId) -> bool {
    a == b || rw.value(a).constant().is_some_and(|c| Some(c) == rw.value(b).constant())
}

/// An `i1` constant at the insertion point.
pub(super) fn constant(rw: &mut Rewriter<'_>, loc: Loc, value: bool) -> ValueId {
    let attr = rw.cx().bool_attr(value);
    dl_arith::constant(rw, attr, loc)
}

/// The block that `value` is defined in.
pub(super) fn block_of(ir: &Arena, value: ValueId) -> Option<BlockId> {
    match ir.definition(value) {
        Definition::Argument(block) => Some(block),
        Definition::Result(op) => ir.block_of(op),
    }
}
