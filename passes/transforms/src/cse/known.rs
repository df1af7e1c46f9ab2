//! The operations whose results are visible, found by hash; scopes come and go.

use dl_ir::OpId;
use hashbrown::HashTable;
use rustc_hash::FxHashSet;

/// One change of the table, to be undone at the end of its scope.
struct Undo {
    hash: u32,
    op: OpId,
    /// What it hides.
    hidden: Option<OpId>,
}

/// A scoped hash table of operations.
#[derive(Default)]
pub(super) struct Known {
    /// Half of the hash, and the operation: 8 bytes an entry.
    table: HashTable<(u32, OpId)>,
    /// Those in graph regions.
    unordered: FxHashSet<OpId>,
    /// What scopes inside of others have inserted. The end of the outermost one is the end of the table.
    undo: Vec<Undo>,
    scopes: Vec<usize>,
}

/// The half of `hash` that is kept.
fn kept(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// What the table takes for the hash of an entry: all of its bits depend on what is kept.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Known {
    /// Opens a scope.
    pub(super) fn enter(&mut self) {
        self.scopes.push(self.undo.len());
    }

    /// Closes the last scope: what was inserted in it is forgotten.
    pub(super) fn leave(&mut self) {
        let start = self.scopes.pop().expect("a scope was opened");
        if self.scopes.is_empty() {
            self.table.clear();
            self.unordered.clear();
            return;
        }
        for Undo { hash, op, hidden } in self.undo.drain(start..).rev() {
            self.unordered.remove(&op);
            if let Ok(entry) = self.table.find_entry(spread(hash), |&(_, known)| known == op) {
                match hidden {
                    Some(hidden) => entry.into_mut().1 = hidden,
                    None => drop(entry.remove()),
                }
            }
        }
    }

    /// The operation of this hash for which `is_equal` holds.
    pub(super) fn find(&self, hash: u64, is_equal: impl Fn(OpId) -> bool) -> Option<OpId> {
        let hash = kept(hash);
        self.table.find(spread(hash), |&(known, op)| known == hash && is_equal(op)).map(|&(_, op)| op)
    }

    /// Adds `op`, in place of the equal operation `hidden` until the scope ends. `ordered` is false in a graph region.
    pub(super) fn insert(&mut self, hash: u64, op: OpId, hidden: Option<OpId>, ordered: bool) {
        let hash = kept(hash);
        let entry = hidden.and_then(|hidden| self.table.find_mut(spread(hash), |&(_, known)| known == hidden));
        match entry {
            Some(entry) => entry.1 = op,
            None => drop(self.table.insert_unique(spread(hash), (hash, op), |&(hash, _)| spread(hash))),
        }
        if !ordered {
            self.unordered.insert(op);
        }
        if self.scopes.len() > 1 {
            self.undo.push(Undo { hash, op, hidden });
        }
    }

    /// Whether `op`, in a graph region, was inserted in an open scope.
    pub(super) fn contains(&self, op: OpId) -> bool {
        self.unordered.contains(&op)
    }
}
