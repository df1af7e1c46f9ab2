//! Write access: every mutation of IR passes through a [`Rewriter`], which keeps use lists, block order and listeners right.
//!
//! Match with views, copy ids out, then mutate: views borrow the rewriter, so the compiler sees to the order.

use smallvec::SmallVec;

use crate::arena::{
    Arena, BlockData, Definition, MAX_ATTRS, MAX_REGIONS, Nested, OpData, RegionData, SuccessorData, SuccessorId,
    UseData, ValueData,
};
use crate::attributes::Attr;
use crate::context::Context;
use crate::entity::{BlockId, Ident, OpId, OpName, RegionId, UseId, ValueId};
use crate::facts::Fact;
use crate::location::Loc;
use crate::opdef::{Presence, name_hash};
use crate::symbol::{SymbolInfo, SymbolSnapshot};
use crate::types::Type;
use crate::view::{BlockRef, OpDefinition, OpRef, ValueRef};

/// The parts of an operation about to be made.
#[derive(Default)]
pub struct OpState {
    name: Option<OpName>,
    hash: u64,
    text: &'static str,
    /// Where it comes from.
    pub loc: Loc,
    /// Operands, in order.
    pub operands: SmallVec<[ValueId; 4]>,
    /// Types of the results, in order.
    pub results: SmallVec<[Type; 2]>,
    /// Attributes, inherent and discardable, in any order; names are distinct.
    pub attrs: SmallVec<[(Ident, Attr); 4]>,
    /// Regions without a parent yet: of the current arena, or of `body` for an isolated operation.
    pub regions: SmallVec<[RegionId; 2]>,
    /// Successors, in order.
    pub successors: SmallVec<[BlockId; 2]>,
    /// The arena of an isolated operation, its regions made but not yet attached to the root.
    pub body: Option<Box<Arena>>,
}

impl OpState {
    /// Of the operation behind a typed view.
    pub fn of<T: OpDefinition>(loc: Loc) -> Self {
        Self { hash: T::HASH, text: T::NAME, loc, ..Self::default() }
    }

    /// Of the operation called `name`, `dialect.op`.
    pub fn named(name: &'static str, loc: Loc) -> Self {
        Self { hash: name_hash(name), text: name, loc, ..Self::default() }
    }

    /// Of the operation with this handle.
    pub fn new(name: OpName, loc: Loc) -> Self {
        Self { name: Some(name), loc, ..Self::default() }
    }

    /// The handle of the name.
    pub fn name(&self, cx: &Context) -> OpName {
        self.name.or_else(|| cx.op_name_by_hash(self.hash)).unwrap_or_else(|| cx.op_name(self.text))
    }

    /// With these operands after those it has.
    pub fn operands(mut self, operands: impl IntoIterator<Item = ValueId>) -> Self {
        self.operands.extend(operands);
        self
    }

    /// With these result types after those it has.
    pub fn results(mut self, types: impl IntoIterator<Item = Type>) -> Self {
        self.results.extend(types);
        self
    }

    /// With this attribute.
    pub fn attr(mut self, cx: &Context, name: &str, value: Attr) -> Self {
        self.set_attr(cx.ident(name), value);
        self
    }

    /// With this attribute if there is one.
    pub fn maybe_attr(self, cx: &Context, name: &str, value: Option<Attr>) -> Self {
        match value {
            Some(value) => self.attr(cx, name, value),
            None => self,
        }
    }

    /// With these attributes.
    pub fn attrs(mut self, attrs: impl IntoIterator<Item = (Ident, Attr)>) -> Self {
        for (name, value) in attrs {
            self.set_attr(name, value);
        }
        self
    }

    /// With this region, which has no parent yet.
    pub fn region(mut self, region: RegionId) -> Self {
        self.regions.push(region);
        self
    }

    /// With these successors after those it has.
    pub fn successors(mut self, blocks: impl IntoIterator<Item = BlockId>) -> Self {
        self.successors.extend(blocks);
        self
    }

    /// Sets an attribute, in place of one of the same name.
    pub fn set_attr(&mut self, name: Ident, value: Attr) {
        match self.attrs.iter_mut().find(|(n, _)| *n == name) {
            Some(entry) => entry.1 = value,
            None => self.attrs.push((name, value)),
        }
    }

    /// The attribute `name`, if it has been given.
    pub fn get_attr(&self, cx: &Context, name: &str) -> Option<Attr> {
        self.attrs.iter().find(|(n, _)| cx.str(*n) == name).map(|&(_, value)| value)
    }

    /// The `operandSegmentSizes` attribute for groups of these lengths.
    pub fn operand_segments(self, cx: &Context, sizes: &[usize]) -> Self {
        let sizes: SmallVec<[i32; 8]> = sizes.iter().map(|&n| i32::try_from(n).unwrap_or(i32::MAX)).collect();
        self.attr(cx, "operandSegmentSizes", cx.dense_i32_array(&sizes))
    }
}

/// Where new operations go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InsertPoint {
    /// In this block.
    pub block: BlockId,
    /// Before this operation of the block; `None` for its end.
    pub before: Option<OpId>,
}

/// Is told of every change that a [`Rewriter`] makes. Called after the change, but before for erasures.
pub trait Listener {
    /// `op` has been made and inserted.
    fn created(&mut self, ir: &Arena, op: OpId) {
        let _ = (ir, op);
    }
    /// Operands, attributes, regions or successors of `op` have changed.
    fn modified(&mut self, ir: &Arena, op: OpId) {
        let _ = (ir, op);
    }
    /// `op` stands in another place. By default as if it were modified.
    fn moved(&mut self, ir: &Arena, op: OpId) {
        self.modified(ir, op);
    }
    /// The type of `value`, an argument of a block, has changed. Of results [`modified`](Self::modified) tells.
    fn retyped(&mut self, ir: &Arena, value: ValueId) {
        let _ = (ir, value);
    }
    /// `op` is about to be erased.
    fn erasing(&mut self, ir: &Arena, op: OpId) {
        let _ = (ir, op);
    }
    /// The uses of `value` are about to become uses of `with`.
    fn replacing(&mut self, ir: &Arena, value: ValueId, with: ValueId) {
        let _ = (ir, value, with);
    }
}

/// Changes one arena: the only way to do so, which keeps use lists and order right and tells a [`Listener`]. It has an insertion point,
/// where new operations go.
pub struct Rewriter<'a> {
    cx: &'a Context,
    ir: &'a mut Arena,
    point: Option<InsertPoint>,
    listener: Option<&'a mut dyn Listener>,
    symbols: Option<&'a SymbolSnapshot>,
}

impl<'a> Rewriter<'a> {
    /// A rewriter of `ir` without an insertion point.
    pub fn new(cx: &'a Context, ir: &'a mut Arena) -> Self {
        Self { cx, ir, point: None, listener: None, symbols: None }
    }

    /// The same, which tells `listener` of every change.
    pub fn with_listener(cx: &'a Context, ir: &'a mut Arena, listener: &'a mut dyn Listener) -> Self {
        Self { cx, ir, point: None, listener: Some(listener), symbols: None }
    }

    /// The same, which knows the symbols around.
    #[must_use]
    pub fn with_symbols(self, symbols: &'a SymbolSnapshot) -> Self {
        Self { symbols: Some(symbols), ..self }
    }

    /// The symbol called `name` in the table around, as it was before rewriting began. `None` where there is none, and where this is not known:
    /// see [`Pattern::SYMBOLS`](crate::rewrite::Pattern::SYMBOLS).
    pub fn symbol(&self, name: &str) -> Option<&'a SymbolInfo> {
        self.symbols?.find(self.cx, name)
    }

    /// The context. Outlives borrows of the rewriter.
    #[inline]
    pub fn cx(&self) -> &'a Context {
        self.cx
    }

    /// The arena, to read.
    #[inline]
    pub fn ir(&self) -> &Arena {
        self.ir
    }

    /// A view of an operation.
    #[inline]
    pub fn op(&self, op: OpId) -> OpRef<'_> {
        OpRef::new(self.cx, self.ir, op)
    }

    /// A view of a value.
    #[inline]
    pub fn value(&self, value: ValueId) -> ValueRef<'_> {
        ValueRef::new(self.cx, self.ir, value)
    }

    /// A view of a block.
    pub fn block(&self, block: BlockId) -> BlockRef<'_> {
        BlockRef::new(self.cx, self.ir, block)
    }

    /// The type of a value, as a view that outlives borrows of the rewriter.
    pub fn value_type(&self, value: ValueId) -> crate::types::TypeRef<'a> {
        self.cx.ty(self.ir.value_type(value))
    }

    /// A rewriter of the arena that the nested isolated operation `op` owns. Listeners do not follow.
    pub fn enter(&mut self, op: OpId) -> Option<Rewriter<'_>> {
        let cx = self.cx;
        self.ir.child_mut(op).map(|child| Rewriter::new(cx, child))
    }

    // Insertion point.

    /// Where new operations go.
    pub fn insertion_point(&self) -> Option<InsertPoint> {
        self.point
    }

    /// Sets where new operations go.
    pub fn set_insertion_point(&mut self, point: Option<InsertPoint>) {
        self.point = point;
    }

    /// New operations go before `op`.
    ///
    /// # Panics
    /// When `op` is in no block.
    pub fn set_insertion_before(&mut self, op: OpId) {
        let block = self.ir.block_of(op).expect("an operation in a block");
        self.point = Some(InsertPoint { block, before: Some(op) });
    }

    /// New operations go after `op`.
    ///
    /// # Panics
    /// When `op` is in no block.
    pub fn set_insertion_after(&mut self, op: OpId) {
        let block = self.ir.block_of(op).expect("an operation in a block");
        self.point = Some(InsertPoint { block, before: self.ir.op(op).next });
    }

    /// New operations go to the end of `block`.
    pub fn set_insertion_to_end(&mut self, block: BlockId) {
        self.point = Some(InsertPoint { block, before: None });
    }

    /// New operations go to the start of `block`.
    pub fn set_insertion_to_start(&mut self, block: BlockId) {
        self.point = Some(InsertPoint { block, before: self.ir.block(block).first_op });
    }

    /// New operations go right after the definition of `value`: after its operation, or to the start of its block.
    pub fn set_insertion_after_value(&mut self, value: ValueId) {
        match self.ir.definition(value) {
            Definition::Result(op) => self.set_insertion_after(op),
            Definition::Argument(block) => self.set_insertion_to_start(block),
        }
    }

    // Making and erasing operations.

    /// Makes an operation at the insertion point, or detached when there is none. Result types that are not given follow from
    /// the definition where it says how.
    ///
    /// # Panics
    /// When the definition's type inference fails: the caller built an invalid operation. Use [`try_create`](Self::try_create)
    /// for parts that input decides.
    pub fn create(&mut self, state: OpState) -> OpId {
        let name = state.name(self.cx);
        match self.try_create(state) {
            Ok(op) => op,
            Err(message) => panic!("cannot make '{}': {message}", self.cx.op_info(name).name),
        }
    }

    /// Makes an operation with one result and answers the result.
    pub fn create_value(&mut self, state: OpState) -> ValueId {
        let op = self.create(state);
        self.ir.result(op, 0)
    }

    /// Makes an operation, or says why its result types cannot be inferred.
    ///
    /// # Errors
    /// Why the types do not follow from the other parts.
    pub fn try_create(&mut self, mut state: OpState) -> Result<OpId, String> {
        let name = state.name(self.cx);
        self.try_create_named(name, &mut state)
    }

    /// The same for an operation called `name`; takes the parts out of `state`.
    pub(crate) fn try_create_named(&mut self, name: OpName, state: &mut OpState) -> Result<OpId, String> {
        if state.results.is_empty() {
            crate::infer::infer_result_types(self.cx, self.ir, name, state)?;
        }
        self.create_as_given(name, state)
    }

    /// The same with the results that `state` has, also if those are none.
    pub(crate) fn create_as_given(&mut self, name: OpName, state: &mut OpState) -> Result<OpId, String> {
        let op = self.build(name, state)?;
        if let Some(point) = self.point {
            self.link(op, point);
        }
        self.notify_created(op);
        Ok(op)
    }

    /// Makes an operation at `point` of exactly these parts: nothing is inferred, no listener is told.
    pub(crate) fn append(&mut self, name: OpName, mut state: OpState, point: InsertPoint) -> Result<OpId, String> {
        let op = self.build(name, &mut state)?;
        self.link(op, point);
        Ok(op)
    }

    /// Stores the parts of an operation; it is in no block yet.
    #[inline(always)]
    fn build(&mut self, name: OpName, state: &mut OpState) -> Result<OpId, String> {
        let too_many = |what: &str| format!("unsupported: more than 65535 {what}");
        let num_results = u16::try_from(state.results.len()).map_err(|_| too_many("results"))?;
        let num_successors = u16::try_from(state.successors.len()).map_err(|_| too_many("successors"))?;
        if state.attrs.len() > usize::from(MAX_ATTRS) {
            return Err(format!("unsupported: more than {MAX_ATTRS} attributes"));
        }
        if state.regions.len() > usize::from(MAX_REGIONS) {
            return Err(format!("unsupported: more than {MAX_REGIONS} regions"));
        }
        let id = OpId::from_index(self.ir.ops.len());
        let mut data = OpData::new(name, state.loc);
        let ir = &mut *self.ir;
        ir.make_room(state.operands.len(), state.results.len(), state.attrs.len());

        data.first_result = ir.values.len() as u32;
        data.num_results = num_results;
        ir.values.extend(state.results.iter().map(|&ty| ValueData::result(id, ty)));
        data.first_operand = ir.uses.len() as u32;
        data.num_operands = state.operands.len() as u32;
        for &value in &state.operands {
            push_use(ir, id, value);
        }
        let first_successor = ir.successors.len() as u32;
        for &block in &state.successors {
            push_successor(ir, id, block);
        }
        if let Some(mut body) = state.body.take() {
            let mut root = Rewriter::new(self.cx, &mut body);
            root.ir.ops[0].name = name;
            root.ir.ops[0].loc = state.loc;
            root.store_attrs(Arena::ROOT, name, &mut state.attrs);
            root.attach_regions(Arena::ROOT, &state.regions);
            let nested = Nested::of_stub(ir.children.len());
            ir.children.push(Some(body));
            ir.ops.push(data);
            ir.set_nested(id, Nested { first_successor, num_successors, ..nested });
        } else {
            ir.ops.push(data);
            if num_successors > 0 {
                ir.set_nested(id, Nested { first_successor, num_successors, ..Nested::NONE });
            }
            self.store_attrs(id, name, &mut state.attrs);
            self.attach_regions(id, &state.regions);
        }
        Ok(id)
    }

    /// Stores attributes sorted by name, without those at their default, in the slots that `op` has where they are enough.
    #[inline(always)]
    fn store_attrs(&mut self, op: OpId, name: OpName, attrs: &mut SmallVec<[(Ident, Attr); 4]>) {
        if attrs.is_empty() {
            self.ir.set_attr_run(op, 0, 0);
        } else {
            self.store_some_attrs(op, name, attrs);
        }
    }

    fn store_some_attrs(&mut self, op: OpId, name: OpName, attrs: &mut SmallVec<[(Ident, Attr); 4]>) {
        let (cx, info) = (self.cx, self.cx.op_info(name));
        if info.has_fact(Fact::Default) {
            attrs.retain(|(n, value)| !is_default(cx, info, *n, *value));
        }
        if attrs.len() > 1 {
            attrs.sort_unstable_by(|a, b| cx.str(a.0).cmp(cx.str(b.0)));
        }
        let (mut first, room) = (self.ir.first_attr(op) as usize, self.ir.op(op).num_attrs());
        if attrs.len() <= room {
            self.ir.attrs[first..][..attrs.len()].copy_from_slice(attrs);
        } else {
            first = self.ir.attrs.len();
            self.ir.attrs.extend_from_slice(attrs);
        }
        self.ir.set_attr_run(op, first, attrs.len());
        attrs.clear();
    }

    /// Makes the first region of the arena, filled and without a parent, that of the root, which gets name, location and attributes of
    /// the root of `outer`. `None` where `outer` has more than that, or the region has no blocks.
    pub(crate) fn take_root(&mut self, outer: &Arena) -> Option<()> {
        let region = RegionId::from_index(0);
        let bare =
            outer.ops.len() == 1 && outer.regions.len() == 1 && outer.blocks.is_empty() && outer.children.is_empty();
        if !bare || self.ir.regions.first()?.first.is_none() {
            return None;
        }
        let root = outer.op(Arena::ROOT);
        let first_attr = self.ir.attrs.len();
        let data = self.ir.op_mut(Arena::ROOT);
        (data.name, data.loc) = (root.name, root.loc);
        self.ir.set_attr_run(Arena::ROOT, first_attr, root.num_attrs());
        self.ir.attrs.extend_from_slice(outer.op_attrs(Arena::ROOT));
        self.attach_regions(Arena::ROOT, &[region]);
        Some(())
    }

    #[inline(always)]
    fn attach_regions(&mut self, op: OpId, regions: &[RegionId]) {
        if !regions.is_empty() {
            self.attach_some_regions(op, regions);
        }
    }

    fn attach_some_regions(&mut self, op: OpId, regions: &[RegionId]) {
        let first_region = self.ir.region_lists.len() as u32;
        let nested = Nested { first_region, num_regions: regions.len() as u16, ..*self.ir.nested(op) };
        self.ir.set_nested(op, nested);
        for &region in regions {
            self.ir.regions[region.index()].parent = Some(op);
            self.ir.region_lists.push(region);
        }
    }

    /// Erases an operation, its regions and all in them.
    ///
    /// # Panics
    /// When a result still has uses, in debug builds.
    pub fn erase(&mut self, op: OpId) {
        self.erase_all(&[op]);
    }

    /// Erases operations that may use one another, with their regions and all in them; one may be in a region of another. Costs what
    /// is erased.
    ///
    /// # Panics
    /// When a result still has uses elsewhere, in debug builds.
    pub fn erase_all(&mut self, ops: &[OpId]) {
        let mut pending: SmallVec<[OpId; 8]> = ops.into();
        // Parents before children, erased in reverse: users die before what they use.
        let mut order: SmallVec<[OpId; 8]> = SmallVec::new();
        // Marked before anybody is told, so that a listener can tell what dies from what stays. Some may be in regions of others.
        while let Some(next) = pending.pop() {
            if !self.ir.is_live(next) {
                continue;
            }
            self.ir.op_mut(next).set_dead();
            order.push(next);
            for &region in self.ir.op_regions(next) {
                for block in self.ir.region_blocks(region) {
                    pending.extend(self.ir.block_ops(block));
                }
            }
        }
        if let Some(listener) = &mut self.listener {
            for &dead in order.iter().rev() {
                listener.erasing(self.ir, dead);
            }
        }
        for &dead in &order {
            self.drop_operands(dead);
        }
        for &dead in order.iter().rev() {
            self.erase_one(dead);
        }
    }

    /// Erases one operation that has no operands left.
    fn erase_one(&mut self, op: OpId) {
        let nested = *self.ir.nested(op);
        if nested.num_successors > 0 {
            for i in 0..usize::from(nested.num_successors) {
                unlink_successor(self.ir, SuccessorId::from_index(nested.first_successor as usize + i));
            }
            self.ir.set_nested(op, Nested { num_successors: 0, ..nested });
        }
        debug_assert!(
            self.ir.results(op).all(|r| !self.ir.has_uses(r)),
            "erased '{}' has uses",
            self.cx.op_info(self.ir.op(op).name).name
        );
        self.unlink(op);
        if let Some(child) = self.ir.child_index(op) {
            self.ir.children[child] = None;
        }
        self.ir.op_mut(op).set_dead();
    }

    fn drop_operands(&mut self, op: OpId) {
        let data = self.ir.op(op);
        let (start, len) = (data.first_operand as usize, data.num_operands as usize);
        for slot in start..start + len {
            unlink_use(self.ir, UseId::from_index(slot));
        }
        self.ir.op_mut(op).num_operands = 0;
    }

    /// Replaces the results of `op` by `values` and erases it.
    pub fn replace(&mut self, op: OpId, values: &[ValueId]) {
        debug_assert_eq!(values.len(), self.ir.results(op).len(), "one value for each result");
        for (old, &new) in self.ir.results(op).zip(values) {
            self.replace_all_uses(old, new);
        }
        self.erase(op);
    }

    /// Makes an operation before `op`, replaces the results of `op` by its results and erases `op`. Answers `op` itself where nobody listens and
    /// the new operation fits into its place: that costs no new slots.
    pub fn replace_with(&mut self, op: OpId, mut state: OpState) -> OpId {
        if self.listener.is_none() && self.turn_into(op, &mut state) {
            self.set_insertion_after(op);
            return op;
        }
        self.set_insertion_before(op);
        let new = self.create(state);
        let results: SmallVec<[ValueId; 4]> = self.ir.results(new).collect();
        self.replace(op, &results);
        new
    }

    /// Makes `op` the operation that `state` describes. Says whether it could be done: the results are as many, and neither has regions or
    /// successors. No listener is told.
    fn turn_into(&mut self, op: OpId, state: &mut OpState) -> bool {
        let nested = *self.ir.nested(op);
        let has_parts = self.ir.child_index(op).is_some() || nested.num_regions > 0 || nested.num_successors > 0;
        let gets_parts = state.body.is_some() || !state.regions.is_empty() || !state.successors.is_empty();
        if has_parts || gets_parts || state.attrs.len() > usize::from(MAX_ATTRS) {
            return false;
        }
        let name = state.name(self.cx);
        if state.results.is_empty() && crate::infer::infer_result_types(self.cx, self.ir, name, state).is_err() {
            return false;
        }
        let results = self.ir.results(op);
        if results.len() != state.results.len() {
            return false;
        }
        for (result, &ty) in results.zip(&state.results) {
            set_type(self.ir, result, ty);
        }
        let data = self.ir.op_mut(op);
        (data.name, data.loc) = (name, state.loc);
        self.write_operands(op, &state.operands);
        self.store_attrs(op, name, &mut state.attrs);
        true
    }

    // Uses and operands.

    /// Makes every use of `value` a use of `with`. O(uses).
    pub fn replace_all_uses(&mut self, value: ValueId, with: ValueId) {
        if value == with {
            return;
        }
        if let Some(listener) = &mut self.listener {
            listener.replacing(self.ir, value, with);
        }
        let Some(first) = self.ir.values[value.index()].first_use.take() else { return };
        let same_type = self.ir.value_type(value) == self.ir.value_type(with);
        let mut last = first;
        loop {
            let data = &mut self.ir.uses[last.index()];
            data.value = with;
            let owner = data.owner;
            let next = data.next;
            if !same_type {
                self.ir.op_mut(owner).forget_right();
            }
            if let Some(listener) = &mut self.listener {
                listener.modified(self.ir, owner);
            }
            match next {
                Some(next) => last = next,
                None => break,
            }
        }
        let rest = self.ir.values[with.index()].first_use.replace(first);
        self.ir.uses[last.index()].next = rest;
        if let Some(rest) = rest {
            self.ir.uses[rest.index()].prev = Some(last);
        }
    }

    /// Makes those uses of `value` for which `which` holds uses of `with`.
    pub fn replace_uses_if(&mut self, value: ValueId, with: ValueId, mut which: impl FnMut(OpRef<'_>, usize) -> bool) {
        let uses: SmallVec<[(OpId, usize); 8]> = self.ir.uses(value).collect();
        for (op, operand) in uses {
            if which(self.op(op), operand) {
                self.set_operand(op, operand, with);
            }
        }
    }

    /// Sets one operand.
    pub fn set_operand(&mut self, op: OpId, index: usize, value: ValueId) {
        let slot = self.ir.use_id(op, index);
        if self.ir.uses[slot.index()].value != value {
            self.ir.op_mut(op).forget_right();
            redirect_use(self.ir, slot, value);
            self.notify_modified(op);
        }
    }

    /// Sets all operands; their number may change. Segment sizes are the caller's.
    pub fn set_operands(&mut self, op: OpId, values: &[ValueId]) {
        self.write_operands(op, values);
        self.notify_modified(op);
    }

    /// Sets all operands, in the slots that `op` has where they are enough.
    fn write_operands(&mut self, op: OpId, values: &[ValueId]) {
        let data = self.ir.op_mut(op);
        data.forget_right();
        let (start, room) = (data.first_operand as usize, data.num_operands as usize);
        if values.len() > room {
            self.drop_operands(op);
            self.ir.op_mut(op).first_operand = self.ir.uses.len() as u32;
            for &value in values {
                push_use(self.ir, op, value);
            }
        } else {
            for (slot, &value) in (start..).zip(values) {
                if self.ir.uses[slot].value != value {
                    redirect_use(self.ir, UseId::from_index(slot), value);
                }
            }
            for slot in start + values.len()..start + room {
                unlink_use(self.ir, UseId::from_index(slot));
            }
        }
        self.ir.op_mut(op).num_operands = values.len() as u32;
    }

    /// Removes operand `index`.
    pub fn erase_operand(&mut self, op: OpId, index: usize) {
        let mut values: SmallVec<[ValueId; 8]> = self.ir.operands(op).collect();
        values.remove(index);
        self.set_operands(op, &values);
    }

    /// Changes the type of a value. Its uses are the caller's to check.
    pub fn set_value_type(&mut self, value: ValueId, ty: Type) {
        set_type(self.ir, value, ty);
        let Some(listener) = &mut self.listener else { return };
        match self.ir.definition(value) {
            Definition::Result(op) => listener.modified(self.ir, op),
            Definition::Argument(_) => listener.retyped(self.ir, value),
        }
    }

    // Attributes, name, location.

    /// Sets an attribute. One equal to its default is removed.
    pub fn set_attr(&mut self, op: OpId, name: Ident, value: Attr) {
        self.change_attrs(op, |attrs| match attrs.iter_mut().find(|(n, _)| *n == name) {
            Some(entry) => entry.1 = value,
            None => attrs.push((name, value)),
        });
    }

    /// Removes an attribute, if it is there.
    pub fn remove_attr(&mut self, op: OpId, name: Ident) {
        self.change_attrs(op, |attrs| attrs.retain(|(n, _)| *n != name));
    }

    /// Sets all attributes.
    pub fn set_attrs(&mut self, op: OpId, new: impl IntoIterator<Item = (Ident, Attr)>) {
        self.change_attrs(op, |attrs| {
            attrs.clear();
            attrs.extend(new);
        });
    }

    fn change_attrs(&mut self, op: OpId, change: impl FnOnce(&mut SmallVec<[(Ident, Attr); 4]>)) {
        if let Some(mut body) = self.enter(op) {
            body.change_attrs(Arena::ROOT, change);
        } else {
            let mut attrs = SmallVec::from(self.ir.op_attrs(op));
            change(&mut attrs);
            let name = self.ir.op(op).name;
            self.store_attrs(op, name, &mut attrs);
        }
        self.notify_modified(op);
    }

    /// Renames an operation in place, for conversions that change nothing else.
    pub fn set_name(&mut self, op: OpId, name: OpName) {
        let data = self.ir.op_mut(op);
        data.forget_right();
        data.name = name;
        if let Some(child) = self.ir.child_mut(op) {
            child.op_mut(Arena::ROOT).name = name;
        }
        self.notify_modified(op);
    }

    /// Sets the location.
    pub fn set_loc(&mut self, op: OpId, loc: Loc) {
        self.ir.op_mut(op).loc = loc;
        if let Some(child) = self.ir.child_mut(op) {
            child.op_mut(Arena::ROOT).loc = loc;
        }
    }

    /// Sets the location of a block argument. Cheapest for the one made last.
    ///
    /// # Panics
    /// When `arg` is a result, in debug builds: it stands where its operation does.
    pub fn set_arg_loc(&mut self, arg: ValueId, loc: Loc) {
        debug_assert!(self.ir.defining_op(arg).is_none(), "a result has no location of its own");
        self.ir.set_arg_loc(arg, loc);
    }

    /// Forgets the locations of all block arguments of the arena: each then stands where the operation around its block does.
    pub fn forget_arg_locs(&mut self) {
        self.ir.forget_arg_locs();
    }

    // Moving operations.

    /// Moves `op` before `other`.
    ///
    /// # Panics
    /// When `other` is in no block.
    pub fn move_before(&mut self, op: OpId, other: OpId) {
        let block = self.ir.block_of(other).expect("an operation in a block");
        self.move_to(op, InsertPoint { block, before: Some(other) });
    }

    /// Moves `op` after `other`.
    ///
    /// # Panics
    /// When `other` is in no block.
    pub fn move_after(&mut self, op: OpId, other: OpId) {
        let block = self.ir.block_of(other).expect("an operation in a block");
        let before = self.ir.op(other).next.filter(|&next| next != op);
        let before = if self.ir.op(other).next == Some(op) { self.ir.op(op).next } else { before };
        self.move_to(op, InsertPoint { block, before });
    }

    /// Moves `op` to the end of `block`.
    pub fn move_to_end(&mut self, op: OpId, block: BlockId) {
        self.move_to(op, InsertPoint { block, before: None });
    }

    /// Moves `op`, within this arena.
    pub fn move_to(&mut self, op: OpId, point: InsertPoint) {
        if point.before == Some(op) {
            return;
        }
        self.unlink(op);
        self.link(op, point);
        if let Some(listener) = &mut self.listener {
            listener.moved(self.ir, op);
        }
    }

    /// Takes `op` out of its block without erasing it.
    pub fn detach(&mut self, op: OpId) {
        self.unlink(op);
    }

    /// Inserts a detached operation.
    pub fn insert(&mut self, op: OpId, point: InsertPoint) {
        self.link(op, point);
    }

    #[inline(always)]
    fn link(&mut self, op: OpId, InsertPoint { block, before }: InsertPoint) {
        let prev = match before {
            Some(next) => self.ir.op(next).prev,
            None => self.ir.block(block).last_op,
        };
        let data = self.ir.op_mut(op);
        (data.block, data.prev, data.next) = (Some(block), prev, before);
        match prev {
            Some(prev) => self.ir.op_mut(prev).next = Some(op),
            None => self.ir.block_mut(block).first_op = Some(op),
        }
        match before {
            Some(next) => self.ir.op_mut(next).prev = Some(op),
            None => self.ir.block_mut(block).last_op = Some(op),
        }
        self.ir.note_order(block, op, op, true);
    }

    fn unlink(&mut self, op: OpId) {
        let data = self.ir.op_mut(op);
        let Some(block) = data.block.take() else { return };
        let (prev, next) = (data.prev.take(), data.next.take());
        match prev {
            Some(prev) => self.ir.op_mut(prev).next = next,
            None => self.ir.block_mut(block).first_op = next,
        }
        match next {
            Some(next) => self.ir.op_mut(next).prev = prev,
            None => self.ir.block_mut(block).last_op = prev,
        }
        if let Some(point) = &mut self.point
            && point.before == Some(op)
        {
            point.before = next;
        }
    }

    // Regions and blocks.

    /// A region without a parent, for an [`OpState`].
    pub fn new_region(&mut self) -> RegionId {
        self.ir.regions.push(RegionData::default());
        RegionId::from_index(self.ir.regions.len() - 1)
    }

    /// Adds a region to an operation of this arena, after those it has.
    pub fn add_region(&mut self, op: OpId) -> RegionId {
        let region = self.new_region();
        let mut all: SmallVec<[RegionId; 4]> = SmallVec::from(self.ir.op_regions(op));
        all.push(region);
        self.attach_regions(op, &all);
        region
    }

    /// A new block at the end of `region`, with arguments of these types.
    pub fn append_block(&mut self, region: RegionId, args: &[Type]) -> BlockId {
        self.insert_block(region, None, args)
    }

    /// A new block in `region` before `before`, or at the end.
    pub fn insert_block(&mut self, region: RegionId, before: Option<BlockId>, args: &[Type]) -> BlockId {
        let block = self.new_block();
        self.link_block(block, region, before);
        for &ty in args {
            self.add_block_arg(block, ty);
        }
        block
    }

    /// A block in no region.
    pub(crate) fn new_block(&mut self) -> BlockId {
        let block = BlockId::from_index(self.ir.blocks.len());
        self.ir.blocks.push(BlockData::new());
        block
    }

    pub(crate) fn link_block(&mut self, block: BlockId, region: RegionId, before: Option<BlockId>) {
        let prev = match before {
            Some(next) => self.ir.block(next).prev,
            None => self.ir.region(region).last,
        };
        let data = self.ir.block_mut(block);
        (data.region, data.prev, data.next) = (Some(region), prev, before);
        match prev {
            Some(prev) => self.ir.block_mut(prev).next = Some(block),
            None => self.ir.regions[region.index()].first = Some(block),
        }
        match before {
            Some(next) => self.ir.block_mut(next).prev = Some(block),
            None => self.ir.regions[region.index()].last = Some(block),
        }
    }

    fn unlink_block(&mut self, block: BlockId) {
        let data = self.ir.block_mut(block);
        let Some(region) = data.region.take() else { return };
        let (prev, next) = (data.prev.take(), data.next.take());
        match prev {
            Some(prev) => self.ir.block_mut(prev).next = next,
            None => self.ir.regions[region.index()].first = next,
        }
        match next {
            Some(next) => self.ir.block_mut(next).prev = prev,
            None => self.ir.regions[region.index()].last = prev,
        }
    }

    /// Adds an argument at the end.
    pub fn add_block_arg(&mut self, block: BlockId, ty: Type) -> ValueId {
        let value = ValueId::from_index(self.ir.values.len());
        self.ir.values.push(ValueData::argument(block, ty));
        self.ir.push_block_arg(block, value);
        value
    }

    /// Adds an argument at `index`; those after it move up.
    pub fn insert_block_arg(&mut self, block: BlockId, index: usize, ty: Type) -> ValueId {
        let value = self.add_block_arg(block, ty);
        self.ir.block_args_mut(block)[index..].rotate_right(1);
        value
    }

    /// Removes argument `index`, which has no uses. What branches here passes are the caller's.
    pub fn erase_block_arg(&mut self, block: BlockId, index: usize) {
        let value = self.ir.remove_block_arg(block, index);
        debug_assert!(!self.ir.has_uses(value), "an erased block argument has no uses");
    }

    /// Erases a block and all operations in it. Nothing outside uses their results, nothing branches to it.
    pub fn erase_block(&mut self, block: BlockId) {
        self.erase_blocks(&[block]);
    }

    /// Erases blocks that may use and branch to one another. Nothing outside uses their values, nothing branches to them.
    pub fn erase_blocks(&mut self, blocks: &[BlockId]) {
        let ops: Vec<OpId> = blocks.iter().flat_map(|&block| self.ir.block_ops(block)).collect();
        self.erase_all(&ops);
        for &block in blocks {
            self.unlink_block(block);
        }
    }

    /// Moves the operations from `op` on, `op` included, to a new block right after.
    ///
    /// # Panics
    /// When `op` is in no block.
    pub fn split_block(&mut self, op: OpId) -> BlockId {
        let block = self.ir.block_of(op).expect("an operation in a block");
        let region = self.ir.region_of(block).expect("a block in a region");
        let next = self.ir.block(block).next;
        let new = self.insert_block(region, next, &[]);
        if let Some(last) = self.ir.last_op(block) {
            self.splice(op, last, InsertPoint { block: new, before: None });
        }
        new
    }

    /// Moves the operations before `op` to a new block right before, which takes the arguments of the block and the branches to it over. Gives
    /// the same blocks as [`split_block`](Self::split_block), but it is the first one that is new, and the cost is O(operations before `op`), rather
    /// than O(operations after): for those who split a long block again and again from its start.
    ///
    /// # Panics
    /// When `op` is in no block.
    pub fn split_block_before(&mut self, op: OpId) -> BlockId {
        let block = self.ir.block_of(op).expect("an operation in a block");
        let region = self.ir.region_of(block).expect("a block in a region");
        let head = self.insert_block(region, Some(block), &[]);
        self.ir.hand_over_args(block, head);
        let branches = self.ir.block_mut(block).first_predecessor.take();
        self.ir.block_mut(head).first_predecessor = branches;
        let mut at = branches;
        while let Some(slot) = at {
            let data = &mut self.ir.successors[slot.index()];
            data.block = head;
            at = data.next;
        }
        if let (Some(first), Some(last)) = (self.ir.block(block).first_op, self.ir.op(op).prev) {
            self.splice(first, last, InsertPoint { block: head, before: None });
        }
        head
    }

    /// Moves the operations from `first` to `last`, neighbours in one block, to a point of another one.
    fn splice(&mut self, first: OpId, last: OpId, InsertPoint { block, before }: InsertPoint) {
        let from = self.ir.block_of(first).expect("an operation in a block");
        let (left, right) = (self.ir.op(first).prev, self.ir.op(last).next);
        match left {
            Some(left) => self.ir.op_mut(left).next = right,
            None => self.ir.block_mut(from).first_op = right,
        }
        match right {
            Some(right) => self.ir.op_mut(right).prev = left,
            None => self.ir.block_mut(from).last_op = left,
        }
        let mut at = Some(first);
        while let Some(op) = at {
            let data = self.ir.op_mut(op);
            data.block = Some(block);
            at = data.next.filter(|_| op != last);
        }
        let prev = match before {
            Some(next) => self.ir.op(next).prev,
            None => self.ir.block(block).last_op,
        };
        self.ir.op_mut(first).prev = prev;
        self.ir.op_mut(last).next = before;
        match prev {
            Some(prev) => self.ir.op_mut(prev).next = Some(first),
            None => self.ir.block_mut(block).first_op = Some(first),
        }
        match before {
            Some(next) => self.ir.op_mut(next).prev = Some(last),
            None => self.ir.block_mut(block).last_op = Some(last),
        }
        let ascending = self.ir.is_in_order_of_ids(from);
        self.ir.note_order(block, first, last, ascending);
        if let Some(point) = &mut self.point
            && point.block == from
            && point.before.is_some_and(|op| self.ir.block_of(op) != Some(from))
        {
            point.before = right;
        }
    }

    /// A new block after `block` in its region, empty.
    ///
    /// # Panics
    /// When `block` is in no region.
    pub fn insert_block_after(&mut self, block: BlockId, args: &[Type]) -> BlockId {
        let region = self.ir.region_of(block).expect("a block in a region");
        let next = self.ir.block(block).next;
        self.insert_block(region, next, args)
    }

    /// Replaces the arguments of `block` by `values`, moves its operations to `point` and erases it.
    pub fn inline_block(&mut self, block: BlockId, point: InsertPoint, values: &[ValueId]) {
        debug_assert_eq!(self.ir.block_args(block).len(), values.len(), "one value for each argument");
        for (i, &value) in values.iter().enumerate() {
            self.replace_all_uses(self.ir.block_args(block)[i], value);
        }
        if let (Some(first), Some(last)) = (self.ir.block(block).first_op, self.ir.block(block).last_op) {
            self.splice(first, last, point);
        }
        self.unlink_block(block);
    }

    /// Moves the blocks of `region` to before `before`, or to the end, of region `to`.
    pub fn move_blocks(&mut self, region: RegionId, to: RegionId, before: Option<BlockId>) {
        let blocks: Vec<BlockId> = self.ir.region_blocks(region).collect();
        for block in blocks {
            self.unlink_block(block);
            self.link_block(block, to, before);
        }
    }

    /// Moves one block to before `before`, or to the end, of region `to`.
    pub fn move_block(&mut self, block: BlockId, to: RegionId, before: Option<BlockId>) {
        self.unlink_block(block);
        self.link_block(block, to, before);
    }

    /// Sets one successor.
    ///
    /// # Panics
    /// When there is no successor of this number.
    pub fn set_successor(&mut self, op: OpId, index: usize, block: BlockId) {
        let nested = *self.ir.nested(op);
        assert!(index < usize::from(nested.num_successors), "successor {index} of {}", nested.num_successors);
        let slot = SuccessorId::from_index(nested.first_successor as usize + index);
        unlink_successor(self.ir, slot);
        self.ir.successors[slot.index()].block = block;
        link_successor(self.ir, slot);
        self.notify_modified(op);
    }

    // Isolated operations.

    /// Makes a nested isolated operation with empty regions. Fill them through [`enter`](Self::enter).
    pub fn create_isolated(&mut self, mut state: OpState, regions: usize) -> OpId {
        let mut body = Box::new(Arena::new(state.name(self.cx), state.loc));
        let mut inner = Rewriter::new(self.cx, &mut body);
        state.regions = (0..regions).map(|_| inner.new_region()).collect();
        state.body = Some(body);
        self.create(state)
    }

    /// Takes the arena out of a nested isolated operation, which is then erased.
    pub fn take_child(&mut self, op: OpId) -> Option<Box<Arena>> {
        let at = self.ir.child_index(op)?;
        let child = self.ir.children[at].take();
        self.erase(op);
        child
    }

    /// Inserts a whole arena as a nested isolated operation, with the name and location of its root, at the insertion point.
    ///
    /// # Panics
    /// With more than 65,535 results.
    pub fn insert_child(&mut self, body: Box<Arena>, operands: &[ValueId], results: &[Type]) -> OpId {
        let root = body.op(Arena::ROOT);
        let id = OpId::from_index(self.ir.ops.len());
        let mut data = OpData::new(root.name, root.loc);
        self.ir.make_room(operands.len(), results.len(), 0);
        let nested = Nested::of_stub(self.ir.children.len());
        data.first_result = self.ir.values.len() as u32;
        data.num_results = u16::try_from(results.len()).expect("at most 65535 results");
        data.first_operand = self.ir.uses.len() as u32;
        data.num_operands = operands.len() as u32;
        self.ir.values.extend(results.iter().map(|&ty| ValueData::result(id, ty)));
        for &value in operands {
            push_use(self.ir, id, value);
        }
        self.ir.children.push(Some(body));
        self.ir.ops.push(data);
        self.ir.set_nested(id, nested);
        if let Some(point) = self.point {
            self.link(id, point);
        }
        self.notify_created(id);
        id
    }

    /// Tells the listener that `op` changed in a way the rewriter did not see.
    pub fn notify_modified(&mut self, op: OpId) {
        if let Some(listener) = &mut self.listener {
            listener.modified(self.ir, op);
        }
    }

    fn notify_created(&mut self, op: OpId) {
        if let Some(listener) = &mut self.listener {
            listener.created(self.ir, op);
        }
    }
}

/// Whether `value` is the default of the inherent attribute `name`, which is then not stored.
fn is_default(cx: &Context, info: &crate::dialect::OpInfo, name: Ident, value: Attr) -> bool {
    let Some(def) = &info.def else { return false };
    let Some(index) = info.inherent_index(cx, name) else { return false };
    matches!(def.attrs[index].presence, Presence::Default(_)) && info.defaults(cx)[index] == Some(value)
}

/// Changes the type of a value, which those that define and read it have to fit anew.
fn set_type(ir: &mut Arena, value: ValueId, ty: Type) {
    let data = &mut ir.values[value.index()];
    if std::mem::replace(&mut data.ty, ty) == ty {
        return;
    }
    let mut next = data.first_use;
    while let Some(slot) = next {
        let UseData { owner, next: after, .. } = ir.uses[slot.index()];
        ir.op_mut(owner).forget_right();
        next = after;
    }
    if let Definition::Result(op) = ir.definition(value) {
        ir.op_mut(op).forget_right();
    }
}

#[inline(always)]
fn push_use(ir: &mut Arena, owner: OpId, value: ValueId) {
    let slot = UseId::from_index(ir.uses.len());
    let next = ir.values[value.index()].first_use.replace(slot);
    ir.uses.push(UseData { value, owner, prev: None, next });
    if let Some(next) = next {
        ir.uses[next.index()].prev = Some(slot);
    }
}

fn link_use(ir: &mut Arena, slot: UseId) {
    let value = ir.uses[slot.index()].value;
    let next = ir.values[value.index()].first_use.replace(slot);
    let data = &mut ir.uses[slot.index()];
    (data.prev, data.next) = (None, next);
    if let Some(next) = next {
        ir.uses[next.index()].prev = Some(slot);
    }
}

fn unlink_use(ir: &mut Arena, slot: UseId) {
    let UseData { value, prev, next, .. } = ir.uses[slot.index()];
    match prev {
        Some(prev) => ir.uses[prev.index()].next = next,
        None => ir.values[value.index()].first_use = next,
    }
    if let Some(next) = next {
        ir.uses[next.index()].prev = prev;
    }
}

/// Makes the use of a value a use of another.
fn redirect_use(ir: &mut Arena, slot: UseId, value: ValueId) {
    unlink_use(ir, slot);
    ir.uses[slot.index()].value = value;
    link_use(ir, slot);
}

fn push_successor(ir: &mut Arena, owner: OpId, block: BlockId) {
    let slot = SuccessorId::from_index(ir.successors.len());
    ir.successors.push(SuccessorData { block, owner, prev: None, next: None });
    link_successor(ir, slot);
}

fn link_successor(ir: &mut Arena, slot: SuccessorId) {
    let block = ir.successors[slot.index()].block;
    let next = ir.block_mut(block).first_predecessor.replace(slot);
    let data = &mut ir.successors[slot.index()];
    (data.prev, data.next) = (None, next);
    if let Some(next) = next {
        ir.successors[next.index()].prev = Some(slot);
    }
}

fn unlink_successor(ir: &mut Arena, slot: SuccessorId) {
    let SuccessorData { block, prev, next, .. } = ir.successors[slot.index()];
    match prev {
        Some(prev) => ir.successors[prev.index()].next = next,
        None => ir.block_mut(block).first_predecessor = next,
    }
    if let Some(next) = next {
        ir.successors[next.index()].prev = prev;
    }
}
