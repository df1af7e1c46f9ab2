//! Append-only, thread-safe hash-consing of immutable values behind 32-bit ids.
//!
//! Looking an id up is lock-free (about 1 ns). Interning takes one shard's lock (about 20 ns), shared when the value is
//! there already. Nothing is ever freed before the interner itself.

use std::hash::{BuildHasher, Hash};

use hashbrown::{Equivalent, HashTable};
use parking_lot::RwLock;
use rustc_hash::FxBuildHasher;

const SHARDS: usize = 8;

/// A set of values of type `T`, each known by the order of its first insertion.
pub struct Interner<T> {
    items: boxcar::Vec<(u64, T)>,
    shards: [RwLock<HashTable<u32>>; SHARDS],
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { items: boxcar::Vec::new(), shards: std::array::from_fn(|_| RwLock::default()) }
    }
}

impl<T: Hash + Eq> Interner<T> {
    /// The index of `value`, inserted if it was not there.
    pub fn intern(&self, value: T) -> usize {
        let hash = FxBuildHasher.hash_one(&value);
        if let Some(index) = self.find(hash, &value) {
            return index;
        }
        self.insert(hash, value)
    }

    /// The index of the value equal to `key`; `make` builds it when it is missing. `key` must hash as the value does.
    pub fn intern_with<Q: Hash + Equivalent<T> + ?Sized>(&self, key: &Q, make: impl FnOnce() -> T) -> usize {
        let hash = FxBuildHasher.hash_one(key);
        if let Some(index) = self.find(hash, key) {
            return index;
        }
        self.insert(hash, make())
    }

    /// The index of the value equal to `key`, if it is there.
    pub fn lookup<Q: Hash + Equivalent<T> + ?Sized>(&self, key: &Q) -> Option<usize> {
        self.find(FxBuildHasher.hash_one(key), key)
    }

    fn find<Q: Equivalent<T> + ?Sized>(&self, hash: u64, key: &Q) -> Option<usize> {
        let table = self.shard(hash).read();
        table.find(hash, |&i| key.equivalent(&self.items[i as usize].1)).map(|&i| i as usize)
    }

    fn insert(&self, hash: u64, value: T) -> usize {
        let mut table = self.shard(hash).write();
        if let Some(&i) = table.find(hash, |&i| self.items[i as usize].1 == value) {
            return i as usize; // another thread was faster
        }
        let index = self.items.push((hash, value));
        let id = u32::try_from(index).expect("an interner holds at most 2^32 values");
        table.insert_unique(hash, id, |&i| self.items[i as usize].0);
        index
    }

    fn shard(&self, hash: u64) -> &RwLock<HashTable<u32>> {
        // The table itself uses the low bits and the top seven.
        &self.shards[(hash >> 48) as usize % SHARDS]
    }
}

impl<T> Interner<T> {
    /// The value at `index`.
    #[inline]
    pub fn get(&self, index: usize) -> &T {
        &self.items[index].1
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
