//! What has been verified of equal operations before.
//!
//! Constraints and type traits look at types and attributes, which are interned: they hold for every operation with the same
//! name, types and attributes as one for which they held. A table of fixed size remembers the last ones; an entry is
//! compared in full, so a collision costs time only.

use crate::view::OpRef;

/// Words of an entry: the name, three counts in two words, types and attributes. Larger operations are not remembered.
const WORDS: usize = 15;

/// A power of two.
const ENTRIES: usize = 512;

/// The parts of an operation that decide whether its types and attributes are right.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Signature {
    words: [u32; WORDS],
    len: u32,
}

impl Signature {
    /// That of `op`, unless it is too large. Not for stubs and roots, whose parts lie in two arenas.
    pub(super) fn of(op: OpRef<'_>) -> Option<Self> {
        let (ir, data) = (op.arena(), op.arena().op(op.id()));
        let (operands, results, attrs) = (data.num_operands as usize, usize::from(data.num_results), data.num_attrs());
        let len = 3 + operands + results + 2 * attrs;
        if len > WORDS {
            return None;
        }
        let mut words = [0; WORDS];
        words[0] = data.name.index() as u32;
        words[1] = (operands as u32) << 16 | results as u32;
        words[2] = u32::from(ir.nested(op.id()).num_successors);
        let mut at = 3;
        let mut push = |word: usize| {
            words[at] = word as u32;
            at += 1;
        };
        ir.operands(op.id()).for_each(|value| push(ir.value(value).ty.index()));
        ir.results(op.id()).for_each(|value| push(ir.value(value).ty.index()));
        for &(name, attr) in &ir.attrs[data.first_attr as usize..][..attrs] {
            push(name.index());
            push(attr.index());
        }
        Some(Self { words, len: len as u32 })
    }

    /// Multilinear hashing: the products do not wait for one another.
    fn slot(&self) -> usize {
        let words = self.words[..self.len as usize].iter().zip(&FACTORS);
        let hash = words.fold(0_u64, |sum, (&word, &factor)| sum.wrapping_add(u64::from(word).wrapping_mul(factor)));
        (hash >> 48) as usize % ENTRIES
    }
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

/// The last operations that were right.
#[derive(Default)]
pub(super) struct Known(Vec<Option<Signature>>);

impl Known {
    /// Whether an operation of this signature was right.
    pub(super) fn contains(&self, signature: &Signature) -> bool {
        self.0.get(signature.slot()).is_some_and(|entry| entry.as_ref() == Some(signature))
    }

    /// An operation of this signature is right.
    pub(super) fn insert(&mut self, signature: Signature) {
        if self.0.is_empty() {
            self.0.resize(ENTRIES, None);
        }
        self.0[signature.slot()] = Some(signature);
    }
}
