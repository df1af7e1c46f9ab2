//! The string table.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::emitter::Emitter;

/// The strings that the sections written so far refer to, numbered in the order in which they were met.
#[derive(Default)]
pub(super) struct Strings {
    set: IndexSet<Box<[u8]>, FxBuildHasher>,
}

impl Strings {
    /// The number of `bytes`.
    pub(super) fn number(&mut self, bytes: &[u8]) -> u64 {
        if let Some(index) = self.set.get_index_of(bytes) {
            return index as u64;
        }
        self.set.insert_full(bytes.into()).0 as u64
    }

    /// The section: how many, their lengths with a zero byte each, last first, then all of them.
    pub(super) fn section(&self) -> Emitter {
        let mut section = Emitter::default();
        section.varint(self.set.len() as u64);
        for string in self.set.iter().rev() {
            section.varint(string.len() as u64 + 1);
        }
        for string in &self.set {
            section.bytes.extend_from_slice(string);
            section.byte(0);
        }
        section
    }
}
