//! Append-only, thread-safe hash-consing of immutable values behind 32-bit ids.
//!
//! Looking an id up is lock-free (about 1 ns), and so is finding the id of a value that is there already (about 10 ns). Only inserting
//! takes a lock. Nothing is freed before the interner itself, but for what its owner replaces.

use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use hashbrown::Equivalent;
use rustc_hash::FxBuildHasher;

use crate::lock::Mutex;
use crate::pieces::{Pieces, room};
use crate::shared_list::SharedList;
use crate::side_table::{LIST_BITS, MAX_LISTS, number, place};

/// `pieces_in_use` of a table while ids are being put where they belong after it has grown.
const REBUILT: usize = usize::MAX;

/// A set of values of type `T`, each known by a number. `SHARDS` is how many parts are written independently: 1, or up to 8, a power of two,
/// where several threads add values all the time. Numbers count up, in as many ranges; where there are several, a thread adds at most 2^28 values, and panics at the next.
pub struct Interner<T, const SHARDS: usize = 1> {
    /// The values, in lists by the thread that added them: one does not write where others are writing, or are reading what was there from the start.
    items: [Line<SharedList<T>>; SHARDS],
    /// By the lowest bits of hashes. In a box, since it is moved a few times before it is used.
    shards: Box<[Shard; SHARDS]>,
}

/// Finds the ids of the values whose hashes end in the same bits.
///
/// An open-addressing table with linear probing. A slot is empty, 0, or holds the low half of a hash and, below it, an id plus one. When the
/// table is full it gets another piece, and its ids are put where they belong then;
/// no memory is left over. Readers may be at it meanwhile: what they find is right, and where they find nothing they look again.
#[derive(Default)]
struct Shard {
    slots: Pieces<AtomicU64>,
    /// Or [`REBUILT`].
    pieces_in_use: AtomicUsize,
    /// How many slots are taken.
    len: Line<Mutex<usize>>,
}

/// What lies in cache lines of its own, so that writing it keeps nobody from reading what is beside it.
#[derive(Default)]
#[repr(align(64))]
struct Line<T>(T);

/// Where a value belongs that is not there: an empty slot, in a table of so many pieces.
#[derive(Clone, Copy)]
struct Gap {
    pieces: usize,
    at: usize,
}

impl Shard {
    /// The id with this `hash` that `is_it` accepts, or where it belongs.
    #[inline]
    fn find(&self, hash: u32, is_it: impl Fn(usize) -> bool) -> Result<usize, Gap> {
        let pieces = self.pieces_in_use.load(Ordering::Acquire);
        if pieces != REBUILT {
            let found = self.search(pieces, hash, &is_it);
            if found.is_ok() || self.pieces_in_use.load(Ordering::Relaxed) == pieces {
                return found;
            }
        }
        self.find_again(hash, &is_it)
    }

    /// The same while nobody inserts.
    #[cold]
    fn find_again(&self, hash: u32, is_it: &impl Fn(usize) -> bool) -> Result<usize, Gap> {
        let _len = self.len.0.lock();
        self.find_locked(hash, is_it)
    }

    /// The same for who holds the lock.
    fn find_locked(&self, hash: u32, is_it: &impl Fn(usize) -> bool) -> Result<usize, Gap> {
        self.search(self.pieces_in_use.load(Ordering::Relaxed), hash, is_it)
    }

    /// Searches a table of so many pieces.
    #[inline]
    fn search(&self, pieces: usize, hash: u32, is_it: &impl Fn(usize) -> bool) -> Result<usize, Gap> {
        let len = room(pieces);
        // No more than all of them, which another thread may be filling.
        for (first, run) in self.slots.round(home(hash) & len.wrapping_sub(1), len) {
            for (at, slot) in (first..).zip(run) {
                let slot = slot.load(Ordering::Acquire);
                if slot == 0 {
                    return Err(Gap { pieces, at });
                }
                if slot >> 32 == u64::from(hash) {
                    let id = (slot as u32 - 1) as usize;
                    if is_it(id) {
                        return Ok(id);
                    }
                }
            }
        }
        Err(Gap { pieces, at: len })
    }

    /// Whether `gap` is still one, for who holds the lock. If so, nobody has added what was not found: that would be in this place, as all before it were taken.
    fn is_open(&self, gap: Gap) -> bool {
        self.pieces_in_use.load(Ordering::Relaxed) == gap.pieces
            && self.slots.get(gap.at).is_some_and(|slot| slot.load(Ordering::Relaxed) == 0)
    }

    /// Adds an id that is not there but belongs to `gap`. `len` is what the lock of this shard protects.
    fn insert(&self, hash: u32, id: usize, gap: Gap, len: &mut usize) {
        let id = u32::try_from(id + 1).expect("an interner holds fewer than 2^32 values");
        let taken = u64::from(hash) << 32 | u64::from(id);
        if *len >= room(gap.pieces) / 8 * 7 {
            self.grow(gap.pieces);
            self.put(gap.pieces + 1, taken);
        } else {
            let slot = self.slots.get(gap.at).expect("a gap is a slot of the table");
            slot.store(taken, Ordering::Release);
        }
        *len += 1;
    }

    /// Adds a piece to those there are. A reader who meets a slot that has been emptied also sees that the table is being rebuilt: that is
    /// stored before.
    fn grow(&self, pieces: usize) {
        self.pieces_in_use.store(REBUILT, Ordering::Relaxed);
        let slots = self.slots.round(0, room(pieces)).flat_map(|(_, run)| run);
        let taken: Vec<u64> = slots.map(|slot| slot.swap(0, Ordering::Release)).filter(|&slot| slot != 0).collect();
        self.slots.get_or_default(room(pieces));
        taken.into_iter().for_each(|slot| self.put(pieces + 1, slot));
        self.pieces_in_use.store(pieces + 1, Ordering::Release);
    }

    /// Stores `slot` in the first empty place of a table of so many pieces, which has one.
    fn put(&self, pieces: usize, slot: u64) {
        let len = room(pieces);
        let mut places = self.slots.round(home((slot >> 32) as u32) & (len - 1), len).flat_map(|(_, run)| run);
        if let Some(place) = places.find(|place| place.load(Ordering::Relaxed) == 0) {
            place.store(slot, Ordering::Release);
        }
    }
}

/// Where the search for `hash` begins, but for the size of the table. All hashes of a shard have the same lowest bits.
fn home(hash: u32) -> usize {
    (hash >> LIST_BITS) as usize
}

/// A number of this thread, different from those of the threads that began before it.
fn this_thread() -> usize {
    static THREADS: AtomicUsize = AtomicUsize::new(0);
    thread_local!(static NUMBER: usize = THREADS.fetch_add(1, Ordering::Relaxed));
    NUMBER.with(|&number| number)
}

impl<T, const SHARDS: usize> Default for Interner<T, SHARDS> {
    fn default() -> Self {
        const { assert!(SHARDS.is_power_of_two() && SHARDS <= MAX_LISTS) };
        Self {
            items: std::array::from_fn(|_| Line(SharedList::default())),
            shards: Box::new(std::array::from_fn(|_| Shard::default())),
        }
    }
}

impl<T: Hash + Eq, const SHARDS: usize> Interner<T, SHARDS> {
    /// The index of `value`, inserted if it was not there.
    pub fn intern(&self, value: T) -> usize {
        let hash = low_hash(&value);
        self.find(hash, &value).unwrap_or_else(|gap| self.insert(hash, value, gap))
    }

    /// The index of the value equal to `key`; `make` builds it when it is missing. `key` must hash as the value does.
    pub fn intern_with<Q: Hash + Equivalent<T> + ?Sized>(&self, key: &Q, make: impl FnOnce() -> T) -> usize {
        let hash = low_hash(key);
        self.find(hash, key).unwrap_or_else(|gap| self.insert(hash, make(), gap))
    }

    /// The index of the value equal to `key`, if it is there.
    pub fn lookup<Q: Hash + Equivalent<T> + ?Sized>(&self, key: &Q) -> Option<usize> {
        self.find(low_hash(key), key).ok()
    }

    fn find<Q: Equivalent<T> + ?Sized>(&self, hash: u32, key: &Q) -> Result<usize, Gap> {
        self.shards[hash as usize % SHARDS].find(hash, |id| key.equivalent(self.get(id)))
    }

    fn insert(&self, hash: u32, value: T, mut gap: Gap) -> usize {
        let shard = &self.shards[hash as usize % SHARDS];
        let mut len = shard.len.0.lock();
        if !shard.is_open(gap) {
            match shard.find_locked(hash, &|id| *self.get(id) == value) {
                Ok(id) => return id, // another thread was faster
                Err(now) => gap = now,
            }
        }
        let list = this_thread() % SHARDS;
        let id = number::<SHARDS>(list, self.items[list].0.push(value));
        shard.insert(hash, id, gap, &mut len);
        id
    }
}

/// The half of the hash of `key` that is best mixed.
fn low_hash<Q: Hash + ?Sized>(key: &Q) -> u32 {
    FxBuildHasher.hash_one(key) as u32
}

impl<T, const SHARDS: usize> Interner<T, SHARDS> {
    /// The value at `index`.
    ///
    /// # Panics
    /// If no value has this index.
    #[inline]
    pub fn get(&self, index: usize) -> &T {
        let (list, at) = place::<SHARDS>(index);
        &self.items[list].0[at]
    }

    /// All values, with their indices.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        self.items
            .iter()
            .enumerate()
            .flat_map(|(list, items)| items.0.iter().map(move |(at, value)| (number::<SHARDS>(list, at), value)))
    }

    /// Puts `value` where another one was, which is found no more. Nor is `value`, unless it was there before: the index is only for who has it.
    pub(crate) fn replace(&mut self, index: usize, value: T) {
        let (list, at) = place::<SHARDS>(index);
        if let Some(replaced) = self.items[list].0.get_mut(at) {
            *replaced = value;
        }
    }

    /// Number of distinct values so far.
    pub fn len(&self) -> usize {
        self.items.iter().map(|items| items.0.len()).sum()
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
    fn what_is_there_is_found_while_the_tables_grow() {
        found_while_growing::<1>();
        found_while_growing::<8>();
    }

    fn found_while_growing<const SHARDS: usize>() {
        let numbers: Interner<u64, SHARDS> = Interner::default();
        let known: Vec<usize> = (0..100).map(|i| numbers.intern(i)).collect();
        std::thread::scope(|s| {
            let other = s.spawn(|| (100..50_000).map(|i| numbers.intern(i)).max());
            while !other.is_finished() {
                assert!((0..100).all(|i| numbers.lookup(&i) == Some(known[i as usize])));
            }
        });
        assert!((0..50_000).all(|i| *numbers.get(numbers.lookup(&i).unwrap()) == i));
        assert_eq!((numbers.len(), numbers.lookup(&50_000)), (50_000, None));
    }

    #[test]
    fn threads_agree() {
        agreed::<1>();
        agreed::<8>();
    }

    fn agreed<const SHARDS: usize>() {
        let numbers: Interner<u64, SHARDS> = Interner::default();
        let all = |step: u64| (0..1000).map(|i| numbers.intern(i * step % 1000)).collect::<Vec<_>>();
        std::thread::scope(|s| {
            let other = s.spawn(|| all(7));
            let (mine, theirs) = (all(1), other.join().unwrap());
            assert!((0..1000).all(|i| mine[i * 7 % 1000] == theirs[i]));
        });
        assert_eq!(numbers.len(), 1000);
        assert!(numbers.iter().all(|(index, number)| numbers.lookup(number) == Some(index)));
        assert_eq!(numbers.iter().count(), 1000);
    }
}
