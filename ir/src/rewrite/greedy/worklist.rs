//! The worklist of the greedy driver: last in, first out, each operation at most once, no hashing.

use super::settled::Settled;
use crate::arena::Arena;
use crate::entity::{BlockId, OpId, ValueId};
use crate::rewriter::Listener;

/// How many operations around a changed one are looked at again at once.
const MOST_AROUND: usize = 16;

/// Operations to look at. Hears of all changes.
pub(super) struct Worklist<'a> {
    scope: OpId,
    /// Who hears of them besides.
    listener: Option<&'a mut dyn Listener>,
    /// Operations that need not be on it.
    pub(super) settled: Settled,
    stack: Vec<Option<OpId>>,
    /// By operation: its place on the stack plus one, 0 when it is not there. Empty until the list is filled.
    place: Vec<u32>,
}

impl<'a> Worklist<'a> {
    /// An empty list for operations in the regions of `scope`. `listener` hears of all changes too.
    pub(super) fn new(scope: OpId, listener: Option<&'a mut dyn Listener>) -> Self {
        Self { scope, listener, settled: Settled::new(), stack: Vec::new(), place: Vec::new() }
    }

    /// Empties it.
    pub(super) fn clear(&mut self) {
        self.stack.clear();
        self.place.clear();
    }

    /// Puts these operations, of an arena with so many slots for them, on it, the last one on top.
    pub(super) fn seed(&mut self, ops: Vec<OpId>, slots: usize) {
        self.stack.reserve(ops.len());
        self.place.resize(slots, 0);
        ops.into_iter().for_each(|op| self.push(op));
    }

    #[inline(always)]
    fn push(&mut self, op: OpId) {
        if self.place.len() <= op.index() {
            self.place.resize(op.index() + 1 + op.index() / 2, 0);
        }
        let place = &mut self.place[op.index()];
        if *place == 0 {
            self.stack.push(Some(op));
            *place = self.stack.len() as u32;
        }
    }

    pub(super) fn pop(&mut self) -> Option<OpId> {
        loop {
            if let Some(op) = self.stack.pop()? {
                self.place[op.index()] = 0;
                return Some(op);
            }
        }
    }

    /// Puts what is on it in the opposite order.
    pub(super) fn reverse(&mut self) {
        self.stack.reverse();
        for (op, place) in self.stack.iter().zip(1..) {
            if let Some(op) = op {
                self.place[op.index()] = place;
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.stack.iter().all(Option::is_none)
    }

    fn remove(&mut self, op: OpId) {
        if let Some(place) = self.place.get_mut(op.index())
            && *place != 0
        {
            self.stack[*place as usize - 1] = None;
            *place = 0;
        }
    }

    /// Puts `op` on the list, and the operations around it, if it is in scope. Of those further out than [`MOST_AROUND`] only the next
    /// iteration hears: so deep in a nest each change would else cost as much as the nest is deep.
    fn add(&mut self, ir: &Arena, op: OpId) {
        // All are put on it when it is filled.
        if self.place.is_empty() {
            return;
        }
        let scope = self.scope;
        let around = || std::iter::successors(Some(op), |&op| ir.parent_op(op));
        let below_scope = || around().take_while(|&op| op != scope);
        // Everything in an arena is below its root, save for what a pattern has not put in its place yet.
        let is_deep = scope == Arena::ROOT && below_scope().nth(MOST_AROUND - 1).is_some();
        if op != scope && (is_deep || around().any(|op| op == scope)) {
            below_scope().take(MOST_AROUND).filter(|&op| ir.is_live(op)).for_each(|op| self.push(op));
        }
    }
}

impl Listener for Worklist<'_> {
    fn created(&mut self, ir: &Arena, op: OpId) {
        self.settled.remove_around(ir, op);
        self.add(ir, op);
        if let Some(listener) = &mut self.listener {
            listener.created(ir, op);
        }
    }

    fn modified(&mut self, ir: &Arena, op: OpId) {
        self.settled.remove_around(ir, op);
        self.add(ir, op);
        if let Some(listener) = &mut self.listener {
            listener.modified(ir, op);
        }
    }

    // Local rewrites do not see where an operation stands.
    fn moved(&mut self, ir: &Arena, op: OpId) {
        self.add(ir, op);
        if let Some(listener) = &mut self.listener {
            listener.moved(ir, op);
        }
    }

    fn replacing(&mut self, ir: &Arena, value: ValueId, with: ValueId) {
        if let Some(listener) = &mut self.listener {
            listener.replacing(ir, value, with);
        }
    }

    fn retyped(&mut self, ir: &Arena, value: ValueId) {
        ir.uses(value).for_each(|(user, _)| self.settled.remove_around(ir, user));
        if let Some(listener) = &mut self.listener {
            listener.retyped(ir, value);
        }
    }

    fn erasing(&mut self, ir: &Arena, op: OpId) {
        if let Some(listener) = &mut self.listener {
            listener.erasing(ir, op);
        }
        for operand in ir.operands(op) {
            if let Some(def) = ir.defining_op(operand)
                && has_at_most_one_other_user(ir, operand, op)
            {
                self.add(ir, def);
            }
        }
        for block in ir.successors(op) {
            if let Some(other) = only_other_predecessor(ir, block, op) {
                self.add(ir, other);
            }
        }
        self.remove(op);
    }
}

/// Whether at most one operation besides `op` reads `value`: with `op` gone, its definition may be dead or simpler.
fn has_at_most_one_other_user(ir: &Arena, value: ValueId, op: OpId) -> bool {
    let mut other = None;
    ir.uses(value).map(|(user, _)| user).filter(|&user| user != op).all(|user| *other.get_or_insert(user) == user)
}

/// The operation that branches to `block` when `op` is gone, if there is only one: then the block may be merged with the one that it ends.
fn only_other_predecessor(ir: &Arena, block: BlockId, op: OpId) -> Option<OpId> {
    let mut others =
        ir.predecessor_ops(block).map(|(other, _)| other).filter(|&other| other != op && ir.is_live(other));
    others.next().filter(|_| others.next().is_none())
}
