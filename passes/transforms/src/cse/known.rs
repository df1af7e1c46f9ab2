//! The operations whose results are visible, found by hash; scopes come and go.

use dl_ir::OpId;
use hashbrown::HashTable;
use rustc_hash::FxHashSet;

/// One change of the table, to be undone at the end of its scope.
struct Undo {
    hash: u64,
    op: OpId,
    /// What it hides.
    hidden: Option<OpId>,
}

/// A scoped hash table of operations.
#[derive(Default)]
pub(super) struct Known {
    table: HashTable<(u64, OpId)>,
    members: FxHashSet<OpId>,
    undo: Vec<Undo>,
    scopes: Vec<usize>,
}

impl Known {
    /// Opens a scope.
    pub(super) fn enter(&mut self) {
        self.scopes.push(self.undo.len());
    }

    /// Closes the last scope: what was inserted in it is forgotten.
    pub(super) fn leave(&mut self) {
        let start = self.scopes.pop().expect("a scope was opened");
        for Undo { hash, op, hidden } in self.undo.drain(start..).rev() {
            self.members.remove(&op);
            if let Ok(entry) = self.table.find_entry(hash, |&(_, known)| known == op) {
                match hidden {
                    Some(hidden) => entry.into_mut().1 = hidden,
                    None => drop(entry.remove()),
                }
            }
        }
    }

    /// The operation of this hash for which `is_equal` holds.
    pub(super) fn find(&self, hash: u64, is_equal: impl Fn(OpId) -> bool) -> Option<OpId> {
        self.table.find(hash, |&(known, op)| known == hash && is_equal(op)).map(|&(_, op)| op)
    }

    /// Adds `op`, in place of the equal operation `hidden` until the scope ends.
    pub(super) fn insert(&mut self, hash: u64, op: OpId, hidden: Option<OpId>) {
        let entry = hidden.and_then(|hidden| self.table.find_mut(hash, |&(_, known)| known == hidden));
        match entry {
            Some(entry) => entry.1 = op,
            None => drop(self.table.insert_unique(hash, (hash, op), |&(hash, _)| hash)),
        }
        self.members.insert(op);
        self.undo.push(Undo { hash, op, hidden });
    }

    /// Whether `op` was inserted in an open scope.
    pub(super) fn contains(&self, op: OpId) -> bool {
        self.members.contains(&op)
    }
}
