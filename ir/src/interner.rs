//! Append-only, thread-safe hash-consing of immutable values behind 32-bit ids.
//!
//! Looking an id up is lock-free (about 1 ns), and so is finding the id of a value that is there already (about 10 ns). Only inserting
//! takes a lock. Nothing is freed before the interner itself, but for what its owner [replaces](Interner::replace).

use std::hash::{BuildHasher, Hash};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use hashbrown::Equivalent;
use rustc_hash::FxBuildHasher;

use crate::lock::Mutex;

/// Parts of an interner that are written independently, as a power of two.
const SHARD_BITS: u32 = 3;

/// Slots of the first table of a shard.
const FIRST: usize = 32;

/// Tables that a shard can have, each twice as large as the one before: room for more ids than there are.
const GENERATIONS: usize = 28;

/// A set of values of type `T`, each known by the order of its first insertion.
pub struct Interner<T> {
    items: boxcar::Vec<T>,
    shards: [Shard; 1 << SHARD_BITS],
}

/// Finds the ids of the values whose hashes end in the same bits.
///
/// An open-addressing table with linear probing. A slot is empty, 0, or holds the low half of a hash and, below it, an id plus one; it is
/// written once. A full table is replaced by a larger one, but stays: readers may still be at it. Those then miss what was inserted
/// since, which the writer notices, since it looks again.
#[derive(Default)]
struct Shard {
    tables: [OnceLock<Box<[AtomicU64]>>; GENERATIONS],
    /// Which table is in use.
    generation: AtomicUsize,
    /// How many slots are taken.
    len: Mutex<usize>,
}

impl Shard {
    /// The id with this `hash` that `is_it` accepts.
    #[inline]
    fn find(&self, hash: u32, is_it: impl Fn(usize) -> bool) -> Option<usize> {
        let table = self.tables[self.generation.load(Ordering::Acquire)].get()?;
        let mask = table.len() - 1;
        let mut at = home(hash);
        loop {
            let slot = table[at & mask].load(Ordering::Acquire);
            if slot == 0 {
                return None;
            }
            if slot >> 32 == u64::from(hash) {
                let id = (slot as u32 - 1) as usize;
                if is_it(id) {
                    return Some(id);
                }
            }
            at += 1;
        }
    }

    /// Adds an id that is not there. `len` is what the lock of this shard protects.
    fn insert(&self, hash: u32, id: usize, len: &mut usize) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut table = self.tables[generation].get_or_init(|| empty(FIRST));
        if *len >= table.len() / 4 * 3 {
            let larger = empty(table.len() * 2);
            for slot in table {
                match slot.load(Ordering::Relaxed) {
                    0 => {}
                    slot => put(&larger, slot),
                }
            }
            table = self.tables[generation + 1].get_or_init(|| larger);
            self.generation.store(generation + 1, Ordering::Release);
        }
        let id = u32::try_from(id + 1).expect("an interner holds fewer than 2^32 values");
        put(table, u64::from(hash) << 32 | u64::from(id));
        *len += 1;
    }
}

/// Where the search for `hash` begins, but for the size of the table. All hashes of a shard have the same lowest bits.
fn home(hash: u32) -> usize {
    (hash >> SHARD_BITS) as usize
}

fn empty(len: usize) -> Box<[AtomicU64]> {
    std::iter::repeat_with(AtomicU64::default).take(len).collect()
}

/// Stores `slot` in the first empty place.
fn put(table: &[AtomicU64], slot: u64) {
    let mask = table.len() - 1;
    let mut at = home((slot >> 32) as u32);
    while table[at & mask].load(Ordering::Relaxed) != 0 {
        at += 1;
    }
    table[at & mask].store(slot, Ordering::Release);
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { items: boxcar::Vec::new(), shards: std::array::from_fn(|_| Shard::default()) }
    }
}

impl<T: Hash + Eq> Interner<T> {
    /// The index of `value`, inserted if it was not there.
    pub fn intern(&self, value: T) -> usize {
        let hash = low_hash(&value);
        self.find(hash, &value).unwrap_or_else(|| self.insert(hash, value))
    }

    /// The index of the value equal to `key`; `make` builds it when it is missing. `key` must hash as the value does.
    pub fn intern_with<Q: Hash + Equivalent<T> + ?Sized>(&self, key: &Q, make: impl FnOnce() -> T) -> usize {
        let hash = low_hash(key);
        self.find(hash, key).unwrap_or_else(|| self.insert(hash, make()))
    }

    /// The index of the value equal to `key`, if it is there.
    pub fn lookup<Q: Hash + Equivalent<T> + ?Sized>(&self, key: &Q) -> Option<usize> {
        self.find(low_hash(key), key)
    }

    fn find<Q: Equivalent<T> + ?Sized>(&self, hash: u32, key: &Q) -> Option<usize> {
        self.shard(hash).find(hash, |id| key.equivalent(&self.items[id]))
    }

    fn insert(&self, hash: u32, value: T) -> usize {
        let shard = self.shard(hash);
        let mut len = shard.len.lock();
        if let Some(id) = shard.find(hash, |id| self.items[id] == value) {
            return id; // another thread was faster
        }
        let id = self.items.push(value);
        shard.insert(hash, id, &mut len);
        id
    }

    fn shard(&self, hash: u32) -> &Shard {
        &self.shards[hash as usize % self.shards.len()]
    }
}

/// The half of the hash of `key` that is best mixed.
fn low_hash<Q: Hash + ?Sized>(key: &Q) -> u32 {
    FxBuildHasher.hash_one(key) as u32
}

impl<T> Interner<T> {
    /// The value at `index`.
    #[inline]
    pub fn get(&self, index: usize) -> &T {
        &self.items[index]
    }

    /// All values.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.items.iter().map(|(_, value)| value)
    }

    /// Puts `value` where another one was, which is found no more. Nor is `value`, unless it was there before: the index is only for who has it.
    pub(crate) fn replace(&mut self, index: usize, value: T) {
        if let Some(place) = self.items.get_mut(index) {
            *place = value;
        }
    }

    /// Number of distinct values so far.
    pub fn len(&self) -> usize {
        self.items.count()
    }

    /// Whether nothing has been interned.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_an_index() {
        let strings: Interner<Box<str>> = Interner::default();
        let (a, b) = (strings.intern("a".into()), strings.intern("b".into()));
        assert_ne!(a, b);
        assert_eq!(strings.intern("a".into()), a);
        assert_eq!(strings.lookup("c"), None);
        assert_eq!((&**strings.get(a), strings.len()), ("a", 2));
    }

    #[test]
    fn threads_agree() {
        let numbers: Interner<u64> = Interner::default();
        let all = |step: u64| (0..1000).map(|i| numbers.intern(i * step % 1000)).collect::<Vec<_>>();
        std::thread::scope(|s| {
            let other = s.spawn(|| all(7));
            let (mine, theirs) = (all(1), other.join().unwrap());
            assert!((0..1000).all(|i| mine[i * 7 % 1000] == theirs[i]));
        });
        assert_eq!(numbers.len(), 1000);
    }
}
