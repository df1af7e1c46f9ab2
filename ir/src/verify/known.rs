//! What has been verified of equal operations before.
//!
//! Constraints and type traits look at types and attributes, which are interned: they hold for every operation with the same
//! name, types and attributes as one for which they held. A table of fixed size remembers the last ones; an entry is
//! compared in full, so a collision costs time only.

use smallvec::SmallVec;

use crate::view::OpRef;

/// Words of an entry. Larger operations are not remembered.
const WORDS: usize = 15;

/// A power of two.
const ENTRIES: usize = 512;

/// How many words [`words`] gives for `op`.
fn len(op: OpRef<'_>) -> usize {
    let data = op.arena().op(op.id());
    3 + data.num_operands as usize + usize::from(data.num_results) + 2 * data.num_attrs()
}

/// What decides whether the types and attributes of `op` are right: its name, three counts in two words, types and attributes. They are not
/// collected, but read twice: comparing what has just been written word by word takes longer.
fn words(op: OpRef<'_>) -> impl Iterator<Item = u32> {
    let (ir, data) = (op.arena(), op.arena().op(op.id()));
    let counts = data.num_operands << 16 | u32::from(data.num_results);
    let successors = u32::from(ir.nested(op.id()).num_successors);
    let operands = ir.operands(op.id()).map(|value| ir.value(value).ty.index() as u32);
    let results = ir.results(op.id()).map(|value| ir.value(value).ty.index() as u32);
    let attrs = ir.op_attrs(op.id()).iter().flat_map(|(name, attr)| [name.index() as u32, attr.index() as u32]);
    [data.name.index() as u32, counts, successors].into_iter().chain(operands).chain(results).chain(attrs)
}

/// Odd numbers without a pattern: multiples of the golden ratio.
const FACTORS: [u64; WORDS] = {
    let mut factors = [0; WORDS];
    let mut i = 0;
    while i < WORDS {
        factors[i] = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(2 * i as u64 + 1) | 1;
        i += 1;
    }
    factors
};

/// Where an operation is looked for.
#[derive(Clone, Copy)]
pub(super) struct Slot(usize);

impl Slot {
    /// That of `op`, unless it is too large. Not for stubs and roots, whose parts lie in two arenas.
    pub(super) fn of(op: OpRef<'_>) -> Option<Self> {
        if len(op) > WORDS {
            return None;
        }
        // Multilinear hashing: the products do not wait for one another.
        let (mut hash, mut at) = (0_u64, 0);
        words(op).for_each(|word| {
            hash = hash.wrapping_add(u64::from(word).wrapping_mul(FACTORS[at]));
            at += 1;
        });
        Some(Self((hash >> 48) as usize % ENTRIES))
    }
}

/// The words of the last operations that were right.
#[derive(Default)]
pub(super) struct Known(Vec<SmallVec<[u32; WORDS]>>);

impl Known {
    /// Whether an operation like `op`, whose slot this is, was right.
    pub(super) fn contains(&self, op: OpRef<'_>, slot: Slot) -> bool {
        let Some(entry) = self.0.get(slot.0).filter(|entry| entry.len() == len(op)) else { return false };
        let mut at = 0;
        words(op).all(|word| {
            at += 1;
            entry[at - 1] == word
        })
    }

    /// Operations like `op`, whose slot this is, are right.
    pub(super) fn insert(&mut self, op: OpRef<'_>, slot: Slot) {
        if self.0.is_empty() {
            self.0.resize(ENTRIES, SmallVec::new());
        }
        self.0[slot.0] = words(op).collect();
    }
}
