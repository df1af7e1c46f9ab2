//! What an instruction reads and writes.

use crate::footprint::Footprint;

/// Bytes that an instruction touches.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Effects {
    pub(crate) reads: Vec<Footprint>,
    pub(crate) write: Option<Footprint>,
}

impl Effects {
    /// All of it, with whether it is written.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&Footprint, bool)> {
        self.reads.iter().map(|read| (read, false)).chain(self.write.iter().map(|write| (write, true)))
    }

    /// Whether the order of the two matters: one writes what the other one touches.
    pub(crate) fn conflicts(&self, other: &Self) -> bool {
        let touches = |write: &Option<Footprint>, other: &Self| {
            write.is_some_and(|write| other.all().any(|(footprint, _)| footprint.overlaps(&write)))
        };
        touches(&self.write, other) || touches(&other.write, self)
    }
}
