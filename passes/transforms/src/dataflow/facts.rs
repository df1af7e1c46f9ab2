//! What an analysis has found.

use dl_ir::{Arena, BlockRef, OpRef, ValueRef};
use rustc_hash::FxHashMap;

use super::Lattice;

/// The numbers of arenas that do not move meanwhile.
pub(crate) struct Arenas(FxHashMap<usize, usize>);

impl Arenas {
    pub(crate) fn new(roots: &[OpRef<'_>]) -> Self {
        Self(roots.iter().enumerate().map(|(number, root)| (address(root.arena()), number)).collect())
    }

    /// The number of `ir`.
    pub(crate) fn find(&self, ir: &Arena) -> Option<usize> {
        self.0.get(&address(ir)).copied()
    }
}

fn address(ir: &Arena) -> usize {
    std::ptr::from_ref(ir).addr()
}

/// What is known of the values below an operation, in its arena and those nested in it.
pub struct Facts<F> {
    pub(super) arenas: Arenas,
    /// Which blocks control can reach, by number of arena, then by block.
    pub(super) reached: Vec<Vec<bool>>,
    /// By number of arena, then by value.
    pub(super) values: Vec<Vec<F>>,
}

impl<F: Lattice> Facts<F> {
    /// Whether control can reach `block`. Blocks made since can be reached.
    pub fn is_reached(&self, block: BlockRef<'_>) -> bool {
        let reached = self.arenas.find(block.arena()).and_then(|number| self.reached.get(number));
        reached.and_then(|reached| reached.get(block.id().index())).copied().unwrap_or(true)
    }

    /// What is known of `value`: the default where none arrives, and for values made since.
    pub fn of(&self, value: ValueRef<'_>) -> F {
        let values = self.arenas.find(value.arena()).map(|number| &self.values[number]);
        values.and_then(|values| values.get(value.id().index())).cloned().unwrap_or_default()
    }
}
