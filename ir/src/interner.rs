//! Append-only, thread-safe hash-consing of immutable values behind 32-bit ids.
//!
//! Looking an id up is lock-free (about 1 ns), and so is finding the id of a value that is there already (about 10 ns). Only inserting
//! takes a lock. Nothing is freed before the interner itself, but for what its owner replaces.

use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use hashbrown::Equivalent;
use rustc_hash::FxBuildHasher;

use crate::pieces::{Pieces, room};
use crate::shared_list::SharedList;
use crate::side_table::{MAX_LISTS, number, place};

/// `pieces_in_use` of a table while ids are being put where they belong after it has grown.
const REBUILT: usize = usize::MAX;

/// A set of values of type `T`, each known by a number. `LISTS` is how many threads add values without waiting for one another: 1, or up to 8, a power of two,
/// where several do so all the time. Numbers count up, in as many ranges; where there are several, a thread adds at most 2^28 values, and panics at the next.
pub struct Interner<T, const LISTS: usize = 1> {
    /// The values, by the thread that added them: one does not write where others are writing, or are reading what was there from the start.
    items: [Line<SharedList<T>>; LISTS],
    /// In a box, since it is moved a few times before it is used.
    table: Box<Table>,
}

/// Finds the ids of values by hash.
///
/// An open-addressing table with linear probing. A slot is empty, 0, or holds a hash and, below it, an id plus one. A thread that adds a value claims a slot while it
/// has the right to add to its list; one that has that of all lists may add a piece to the table, and puts all ids where they belong then: no memory is left over.
/// Readers may be at it meanwhile: what they find is right, and where they find nothing they look again.
#[derive(Default)]
struct Table {
    slots: Pieces<AtomicU64>,
    /// Or [`REBUILT`].
    pieces_in_use: AtomicUsize,
}

/// What lies in cache lines of its own, so that writing it keeps nobody from reading what is beside it.
#[derive(Default)]
#[repr(align(64))]
struct Line<T>(T);

/// Where a value belongs that is not there: an empty slot, in a table of so many pieces, or its end if there is none.
#[derive(Clone, Copy)]
struct Gap {
    pieces: usize,
    at: usize,
}

impl Gap {
    /// Whether the table, of `len` ids, had better grow than take another one here.
    fn is_last_resort(self, len: usize) -> bool {
        let room = room(self.pieces);
        self.at == room || len >= room / 8 * 7
    }
}

impl Table {
    /// The id with this `hash` that `is_it` accepts, or where it belongs; `None` where a thread that has a right to add has to look again.
    #[inline]
    fn find(&self, hash: u32, is_it: &impl Fn(usize) -> bool) -> Option<Result<usize, Gap>> {
        let pieces = self.pieces_in_use.load(Ordering::Acquire);
        if pieces == REBUILT {
            return None;
        }
        let found = self.search(pieces, hash, is_it);
        (found.is_ok() || self.pieces_in_use.load(Ordering::Relaxed) == pieces).then_some(found)
    }

    /// The same while nobody rebuilds the table.
    fn find_again(&self, hash: u32, is_it: &impl Fn(usize) -> bool) -> Result<usize, Gap> {
        self.search(self.pieces_in_use.load(Ordering::Relaxed), hash, is_it)
    }

    /// Searches a table of so many pieces.
    #[inline]
    fn search(&self, pieces: usize, hash: u32, is_it: &impl Fn(usize) -> bool) -> Result<usize, Gap> {
        let len = room(pieces);
        // No more than all of them, which other threads may be filling.
        for (first, run) in self.slots.round(hash as usize & len.wrapping_sub(1), len) {
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

    /// Puts an id in a slot that is still empty, or answers false: another thread was faster. Nobody rebuilds the table.
    fn claim(&self, gap: Gap, hash: u32, id: usize) -> bool {
        let id = u32::try_from(id + 1).expect("an interner holds fewer than 2^32 values");
        let taken = u64::from(hash) << 32 | u64::from(id);
        let slot = self.slots.get(gap.at).expect("a gap is a slot of the table");
        slot.compare_exchange(0, taken, Ordering::Release, Ordering::Relaxed).is_ok()
    }

    /// Whether `gap` is one. If so, nobody has added what was not found: that would be in this place, as all before it were taken.
    fn is_open(&self, gap: Gap) -> bool {
        self.pieces_in_use.load(Ordering::Relaxed) == gap.pieces
            && self.slots.get(gap.at).is_some_and(|slot| slot.load(Ordering::Relaxed) == 0)
    }

    /// Adds a piece to those there are. A reader who meets a slot that has been emptied also sees that the table is being rebuilt: that is
    /// stored before.
    ///
    /// Ids are put where they belong one by one: none passes a slot that is emptied later, since all that were put before an id belong before it. Only those up
    /// to the first empty slot may belong at the end of the table, so they come last.
    fn grow(&self, pieces: usize) {
        self.pieces_in_use.store(REBUILT, Ordering::Relaxed);
        self.slots.get_or_default(room(pieces));
        let take = |slot: &AtomicU64| {
            let taken = slot.load(Ordering::Relaxed);
            if taken != 0 {
                slot.store(0, Ordering::Release);
            }
            taken
        };
        let mut taken = self.slots.round(0, room(pieces)).flat_map(|(_, run)| run).map(take);
        let last: Vec<u64> = taken.by_ref().take_while(|&slot| slot != 0).collect();
        taken.filter(|&slot| slot != 0).chain(last).for_each(|slot| self.put(pieces + 1, slot));
        self.pieces_in_use.store(pieces + 1, Ordering::Release);
    }

    /// Stores `slot` in the first empty place of a table of so many pieces, which has one.
    fn put(&self, pieces: usize, slot: u64) {
        let len = room(pieces);
        let mut places = self.slots.round((slot >> 32) as usize & (len - 1), len).flat_map(|(_, run)| run);
        if let Some(place) = places.find(|place| place.load(Ordering::Relaxed) == 0) {
            place.store(slot, Ordering::Release);
        }
    }
}

/// A number of this thread, different from those of the threads that began before it.
fn this_thread() -> usize {
    static THREADS: AtomicUsize = AtomicUsize::new(0);
    thread_local!(static NUMBER: usize = THREADS.fetch_add(1, Ordering::Relaxed));
    NUMBER.with(|&number| number)
}

impl<T, const LISTS: usize> Default for Interner<T, LISTS> {
    fn default() -> Self {
        const { assert!(LISTS.is_power_of_two() && LISTS <= MAX_LISTS) };
        Self { items: std::array::from_fn(|_| Line(SharedList::default())), table: Box::default() }
    }
}

impl<T: Hash + Eq, const LISTS: usize> Interner<T, LISTS> {
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
        let is_it = |id| key.equivalent(self.get_soon(id));
        self.table.find(hash, &is_it).unwrap_or_else(|| {
            let _adding = self.items[this_thread() % LISTS].0.add();
            self.table.find_again(hash, &is_it)
        })
    }

    /// Adds `value`, which was not found.
    fn insert(&self, hash: u32, value: T, mut gap: Gap) -> usize {
        let list = this_thread() % LISTS;
        let mut adding = self.items[list].0.add();
        loop {
            if !self.table.is_open(gap) {
                match self.table.find_again(hash, &|id| *self.get_soon(id) == value) {
                    Ok(id) => return id, // another thread was faster
                    Err(now) => gap = now,
                }
            }
            let id = number::<LISTS>(list, adding.next_number());
            if gap.is_last_resort(self.settled()) {
                drop(adding);
                self.grow(gap.pieces);
                adding = self.items[list].0.add();
            } else if self.table.claim(gap, hash, id) {
                adding.push(value);
                return id;
            }
        }
    }

    /// The value at an index that was found in the table, where the thread that adds it puts it first.
    #[inline]
    fn get_soon(&self, index: usize) -> &T {
        let (list, at) = place::<LISTS>(index);
        self.items[list].0.get_soon(at)
    }
}

impl<T, const LISTS: usize> Interner<T, LISTS> {
    /// About how many values there are, not more.
    fn settled(&self) -> usize {
        self.items.iter().map(|items| items.0.settled()).sum()
    }

    /// Has the table grow if it is still of so many pieces.
    #[cold]
    fn grow(&self, pieces: usize) {
        let _adding = self.items.each_ref().map(|items| items.0.add());
        if self.table.pieces_in_use.load(Ordering::Relaxed) == pieces {
            self.table.grow(pieces);
        }
    }
}

/// The half of the hash of `key` that is best mixed.
fn low_hash<Q: Hash + ?Sized>(key: &Q) -> u32 {
    FxBuildHasher.hash_one(key) as u32
}

impl<T, const LISTS: usize> Interner<T, LISTS> {
    /// The value at `index`.
    ///
    /// # Panics
    /// If no value has this index.
    #[inline]
    pub fn get(&self, index: usize) -> &T {
        let (list, at) = place::<LISTS>(index);
        &self.items[list].0[at]
    }

    /// All values, with their indices.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        self.items
            .iter()
            .enumerate()
            .flat_map(|(list, items)| items.0.iter().map(move |(at, value)| (number::<LISTS>(list, at), value)))
    }

    /// Puts `value` where another one was, which is found no more. Nor is `value`, unless it was there before: the index is only for who has it.
    pub(crate) fn replace(&mut self, index: usize, value: T) {
        let (list, at) = place::<LISTS>(index);
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

    fn found_while_growing<const LISTS: usize>() {
        let numbers: Interner<u64, LISTS> = Interner::default();
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
    fn what_goes_around_the_end_of_a_table_is_found() {
        let numbers: Interner<u64> = Interner::default();
        // Their places are the last ones of the first piece, and of either half when there are two.
        let late: Vec<u64> = (0..).filter(|number| low_hash(number) % 32 >= 28).take(300).collect();
        for (index, number) in late.iter().enumerate() {
            assert_eq!(numbers.intern(*number), index);
            // Before a hole in the table can be filled by the next value.
            assert!(late[..=index].iter().enumerate().all(|(index, number)| numbers.lookup(number) == Some(index)));
        }
    }

    #[test]
    fn threads_agree() {
        agreed::<1>();
        agreed::<8>();
    }

    fn agreed<const LISTS: usize>() {
        let numbers: Interner<u64, LISTS> = Interner::default();
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
