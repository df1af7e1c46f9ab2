//! What has been found out of equal operations before.
//!
//! Constraints, type traits, predicates and the hook `verify_kind` look at types and attributes, which are interned: they hold for every operation with
//! the same name, types and attributes as one for which they held. A table of fixed size remembers the last ones; an entry is
//! compared in full, so a collision costs time only. An operation for which nothing else counts is marked, and not looked at again until its
//! name, types or attributes change.
//!
//! Of a number its type counts where nothing else is [asked for](Fact::NumbersByType): constants are seldom equal, but of few types.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use crate::arena::{Arena, UseData, ValueData};
use crate::attributes::{Attr, AttrData};
use crate::context::Context;
use crate::entity::Ident;
use crate::facts::Fact;
use crate::lock::Mutex;
use crate::view::OpRef;

/// Words of an entry. Larger operations are not remembered.
const WORDS: usize = 15;

/// A power of two.
const ENTRIES: usize = 512;

/// The golden ratio, an odd number without a pattern. Words are multiplied by its odd multiples.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// What decides whether the types and attributes of an operation are right, and which aliases it shows outside of its regions: its name, the numbers of operands, results and successors, types and attributes.
///
/// The words are not collected, but read twice, for the hash and for the comparison: comparing what has just been written word by word
/// takes longer.
#[derive(Clone, Copy)]
pub(crate) struct Kind<'a> {
    cx: &'a Context,
    ir: &'a Arena,
    /// The name, the numbers of operands and results, and the number of successors with two bits above it for each attribute of which the
    /// type counts.
    head: [u32; 3],
    operands: &'a [UseData],
    results: &'a [ValueData],
    attrs: &'a [(Ident, Attr)],
}

impl<'a> Kind<'a> {
    /// That of `op`, unless it is too large. Stubs and roots have none, since their parts lie in two arenas.
    #[inline(always)]
    pub(crate) fn of(op: OpRef<'a>) -> Option<Self> {
        let (ir, data) = (op.arena(), op.arena().op(op.id()));
        let nested = ir.nested(op.id());
        if nested.is_of_stub() || op.is_root() {
            return None;
        }
        let (operands, results) = (data.num_operands as usize, usize::from(data.num_results));
        if 3 + operands + results + 2 * data.num_attrs() > WORDS {
            return None;
        }
        let mut last = u32::from(nested.num_successors);
        let (cx, attrs) = (op.cx(), ir.op_attrs(op.id()));
        if op.info().has_fact(Fact::NumbersByType) {
            for (i, (_, attr)) in attrs.iter().enumerate() {
                last |= number(cx, *attr).map_or(0, |(bits, _)| bits << (16 + 2 * i));
            }
        }
        Some(Self {
            cx,
            ir,
            head: [data.name.index() as u32, data.num_operands << 16 | u32::from(data.num_results), last],
            operands: &ir.uses[data.first_operand as usize..][..operands],
            results: &ir.values[data.first_result as usize..][..results],
            attrs,
        })
    }

    /// Two words for each attribute: its name, and what counts of it.
    #[inline]
    fn attr_words(&self) -> impl Iterator<Item = [u32; 2]> {
        let by_type = self.head[2] >> 16 != 0;
        self.attrs.iter().map(move |&(name, attr)| {
            let ty = if by_type { number(self.cx, attr).map(|(_, ty)| ty) } else { None };
            [name.index() as u32, ty.unwrap_or(attr.index() as u32)]
        })
    }

    fn type_of(&self, operand: &UseData) -> u32 {
        self.ir.value(operand.value).ty.index() as u32
    }

    /// Where in the table it is looked for: by its name, attributes, and the types of the first result, the first two operands and the last one.
    /// Kinds that are equal in these but not in others are rare, and are found out anew where they take turns.
    #[inline(always)]
    fn slot(&self) -> usize {
        let type_of = |operand: Option<&UseData>| operand.map_or(0, |operand| self.type_of(operand));
        let words = [
            self.head[0],
            type_of(self.operands.first()),
            type_of(self.operands.get(1)),
            type_of(self.operands.last()),
            self.results.first().map_or(0, |result| result.ty.index() as u32),
        ];
        // Multilinear hashing: the products do not wait for one another.
        let (mut hash, mut factor) = (0_u64, FACTOR);
        let mut add = |word: u32| {
            hash = hash.wrapping_add(u64::from(word).wrapping_mul(factor));
            factor = factor.wrapping_add(FACTOR.wrapping_mul(2));
        };
        words.into_iter().for_each(&mut add);
        self.attr_words().for_each(|words| words.into_iter().for_each(&mut add));
        (hash >> 48) as usize % ENTRIES
    }

    /// How many words there are.
    fn len(&self) -> usize {
        self.head.len() + self.operands.len() + self.results.len() + 2 * self.attrs.len()
    }

    /// Whether these are its words. Compares no more of them than it has.
    #[inline(always)]
    fn is(&self, words: &[u32; WORDS]) -> bool {
        let Some((head, rest)) = words.split_first_chunk::<3>() else { return false };
        // The counts are in the head: where it is equal, the rest is as long.
        if *head != self.head {
            return false;
        }
        let mut rest = rest.iter();
        let mut is_next = |word: u32| rest.next() == Some(&word);
        self.operands.iter().all(|operand| is_next(self.type_of(operand)))
            && self.results.iter().all(|result| is_next(result.ty.index() as u32))
            && self.attr_words().all(|[name, value]| is_next(name) && is_next(value))
    }
}

/// What an integer or a float is, in two bits that are not 0, and its type. `None` for other attributes.
#[inline]
fn number(cx: &Context, attr: Attr) -> Option<(u32, u32)> {
    match cx.attr_data(attr) {
        AttrData::Integer { ty, .. } => Some((1, ty.index() as u32)),
        AttrData::Float { ty, .. } => Some((2, ty.index() as u32)),
        _ => None,
    }
}

/// The words of an operation, and how many they are: 64 bytes, a line of the cache.
#[derive(Clone, Copy, Default)]
struct Entry {
    len: u32,
    words: [u32; WORDS],
}

/// The last operations that were right, or of which something else is known.
#[derive(Default)]
pub(crate) struct Known(Vec<Entry>);

impl Known {
    /// Whether an operation of this kind is known.
    #[inline(always)]
    pub(crate) fn contains(&self, kind: &Kind<'_>) -> bool {
        self.0.get(kind.slot()).is_some_and(|entry| entry.len as usize == kind.len() && kind.is(&entry.words))
    }

    /// Operations of this kind are known from now on.
    pub(crate) fn insert(&mut self, kind: &Kind<'_>) {
        if self.0.is_empty() {
            self.0.resize(ENTRIES, Entry::default());
        }
        let types = kind.operands.iter().map(|operand| kind.type_of(operand));
        let types = types.chain(kind.results.iter().map(|result| result.ty.index() as u32));
        let attrs = kind.attr_words().flatten();
        let entry = &mut self.0[kind.slot()];
        entry.len = kind.len() as u32;
        entry.words.iter_mut().zip(kind.head.into_iter().chain(types).chain(attrs)).for_each(|(to, word)| *to = word);
    }
}

/// The tables of a context that nobody uses now. What is right in one function is right in the next, also after a pass: verifying a hundred functions of a thousand operations
/// each, on their own, finds out of each kind once, not a hundred times.
#[derive(Default)]
struct Pool(Mutex<Vec<Known>>);

/// A table of a context, which goes back to it.
pub(super) struct Lent {
    pool: Arc<Pool>,
    known: Known,
}

impl Lent {
    /// One that has been used before, if there is one.
    pub(super) fn of(cx: &Context) -> Self {
        let pool = cx.shared::<Pool>();
        let known = pool.0.lock().pop().unwrap_or_default();
        Self { pool, known }
    }
}

impl Deref for Lent {
    type Target = Known;

    fn deref(&self) -> &Known {
        &self.known
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut Known {
        &mut self.known
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.pool.0.lock().push(std::mem::take(&mut self.known));
    }
}
