//! Which operations need not be looked at again.
//!
//! Each iteration looks at all operations, since patterns may see anything. [Local rewrites](crate::rewrite#local-rewrites) do not: what they left
//! alone they will leave alone, until something changes that they see.

use crate::arena::Arena;
use crate::entity::OpId;
use crate::rewrite::REACH;

/// How many operations are unsettled one by one when one has changed. With more than that, all are.
const MOST_USERS: usize = 64;

/// The operations that local rewrites left alone.
pub(super) struct Settled {
    /// By operation: [`epoch`](Self::epoch) where it is settled. Missing at the end.
    by_op: Vec<u8>,
    /// From 1 on.
    epoch: u8,
}

impl Settled {
    /// None yet.
    pub(super) fn new() -> Self {
        Self { by_op: Vec::new(), epoch: 1 }
    }

    /// Notes that local rewrites left `op` alone.
    pub(super) fn insert(&mut self, ir: &Arena, op: OpId) {
        if self.by_op.len() <= op.index() {
            self.by_op.resize(ir.num_op_slots(), 0);
        }
        self.by_op[op.index()] = self.epoch;
    }

    /// Whether local rewrites would leave `op` alone again.
    pub(super) fn contains(&self, op: OpId) -> bool {
        self.by_op.get(op.index()) == Some(&self.epoch)
    }

    /// Notes that `op` is new or another now, which the operations see that use its results, those that use theirs, and so on.
    pub(super) fn remove_around(&mut self, ir: &Arena, op: OpId) {
        let mut left = MOST_USERS;
        self.remove(ir, op, REACH, &mut left);
        if left == 0 {
            self.clear();
        }
    }

    fn clear(&mut self) {
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.by_op.fill(0);
            self.epoch = 1;
        }
    }

    fn remove(&mut self, ir: &Arena, op: OpId, reach: u32, left: &mut usize) {
        if let Some(epoch) = self.by_op.get_mut(op.index()) {
            *epoch = 0;
        }
        if reach == 0 {
            return;
        }
        for result in ir.results(op) {
            for (user, _) in ir.uses(result) {
                if *left == 0 {
                    return;
                }
                *left -= 1;
                self.remove(ir, user, reach - 1, left);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_settled_before_everything_changed_stays_unsettled() {
        let ir = Arena::empty();
        let mut settled = Settled::new();
        for round in 0..600_usize {
            // The numbers come back after 255 rounds.
            let op = OpId::from_index(round);
            settled.by_op.resize(600, 0);
            settled.insert(&ir, op);
            assert!(settled.contains(op), "{round}");
            settled.clear();
            assert!((0..=round).all(|op| !settled.contains(OpId::from_index(op))), "{round}");
        }
    }
}
