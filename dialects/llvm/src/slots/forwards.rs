//! What has a pointer to memory without a need for what the memory holds.

use dl_ir::interfaces::{DestructurableAccess, MemorySlot, PromotableAccess, SlotAccess};
use dl_ir::{Attr, OpId, OpRef, OpState, OpView, Rewriter, ValueId};
use smallvec::{SmallVec, smallvec};

use super::promote::undefined;
use crate::{DbgDeclareOp, DbgValueOp, GEPOp};

/// Whether `op` is one of those in this file.
pub(super) fn is_forward(op: OpRef<'_>) -> bool {
    let slot = |pointer: dl_ir::ValueRef<'_>| MemorySlot { pointer: pointer.id(), ty: pointer.ty().id() };
    let access = op.operands().iter().next().zip(op.interface::<dyn PromotableAccess>());
    let access = access.filter(|_| !op.is::<GEPOp<'_>>());
    access.is_some_and(|(pointer, access)| matches!(access.access(op, slot(pointer)), Some(SlotAccess::Forward)))
}

/// Casts of pointers, and what says how long memory lives or does not change.
pub(super) struct Forward;

impl PromotableAccess for Forward {
    fn access<'a>(&self, _: OpRef<'a>, _: MemorySlot) -> Option<SlotAccess<'a>> {
        Some(SlotAccess::Forward)
    }
}

impl DestructurableAccess for Forward {
    fn parts(&self, op: OpRef<'_>, _: ValueId, _: &[Attr]) -> Option<SmallVec<[Attr; 1]>> {
        let is_dropped = op
            .results()
            .iter()
            .flat_map(|result| result.uses())
            .all(|(user, _)| is_forward(user) && user.results().iter().all(|result| !result.has_uses()));
        is_dropped.then(|| smallvec![])
    }

    fn rewire(&self, rw: &mut Rewriter<'_>, op: OpId, _: ValueId, _: &[(Attr, ValueId)]) {
        drop_users(rw, op);
        rw.erase(op);
    }
}

/// Drops those users of results of `op` that are in this file, users of their results before them.
pub(super) fn drop_users(rw: &mut Rewriter<'_>, op: OpId) {
    let results = rw.op(op).results().ids();
    for pointer in results {
        loop {
            let mut users = rw.value(pointer).uses().map(|(user, _)| user).filter(|&user| is_forward(user));
            let Some((user, name)) = users.next().map(|user| (user.id(), user.name_id())) else { break };
            drop(users);
            let info = rw.cx().op_info(name);
            drop_users(rw, user);
            let slot = MemorySlot { pointer, ty: rw.value_type(pointer).id() };
            let access = info.interface::<dyn PromotableAccess>();
            access.expect("what forwards is an access").release(rw, user, slot);
        }
    }
}

/// Where a variable of the source is in memory: its values are said one by one when it is no longer.
pub(super) struct Declare;

impl PromotableAccess for Declare {
    fn access<'a>(&self, _: OpRef<'a>, _: MemorySlot) -> Option<SlotAccess<'a>> {
        Some(SlotAccess::Forward)
    }

    fn note(&self, rw: &mut Rewriter<'_>, op: OpId, _: MemorySlot, value: ValueId) {
        let declare = DbgDeclareOp::wrap(rw.op(op));
        let (cx, loc) = (rw.cx(), rw.op(op).loc());
        let (variable, expression) = (declare.var_info().id(), declare.location_expr().id());
        let state = OpState::of::<DbgValueOp<'_>>(loc).operands([value]).attr(cx, "varInfo", variable);
        rw.create(state.attr(cx, "locationExpr", expression));
    }
}

impl DestructurableAccess for Declare {
    fn parts(&self, _: OpRef<'_>, _: ValueId, _: &[Attr]) -> Option<SmallVec<[Attr; 1]>> {
        Some(smallvec![])
    }

    fn rewire(&self, rw: &mut Rewriter<'_>, op: OpId, _: ValueId, _: &[(Attr, ValueId)]) {
        rw.erase(op);
    }
}

/// A variable of the source that is the pointer itself: it has no value that can be told any more.
pub(super) struct DebugValue;

impl PromotableAccess for DebugValue {
    fn access<'a>(&self, _: OpRef<'a>, _: MemorySlot) -> Option<SlotAccess<'a>> {
        Some(SlotAccess::Forward)
    }

    fn release(&self, rw: &mut Rewriter<'_>, op: OpId, _: MemorySlot) {
        let view = rw.op(op);
        let (ty, loc) = (view.operand(0).ty().id(), view.loc());
        rw.set_insertion_before(op);
        let undefined = undefined(rw, ty, loc);
        rw.set_operand(op, 0, undefined);
    }
}

impl DestructurableAccess for DebugValue {
    fn parts(&self, _: OpRef<'_>, _: ValueId, _: &[Attr]) -> Option<SmallVec<[Attr; 1]>> {
        Some(smallvec![])
    }

    fn rewire(&self, rw: &mut Rewriter<'_>, op: OpId, pointer: ValueId, _: &[(Attr, ValueId)]) {
        let slot = MemorySlot { pointer, ty: rw.value_type(pointer).id() };
        self.release(rw, op, slot);
    }
}
