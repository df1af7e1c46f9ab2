//! A list that threads add to while others read it.

use std::cell::UnsafeCell;
use std::iter;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::pieces::Pieces;

/// Values by number, added without a lock and read without one. They stay where they are. A value takes its size and a bit.
pub(crate) struct SharedList<T> {
    pieces: Pieces<Piece<T>>,
    /// Numbers that have been given out.
    taken: AtomicUsize,
}

/// Places for values that are added one by one.
struct Piece<T> {
    /// By place, a bit: whether the value is there. It is set when the value has been written, and then no thread writes the place.
    present: Box<[AtomicU64]>,
    values: Box<[MaybeUninit<UnsafeCell<T>>]>,
}

// SAFETY: Threads that share a piece get references to its values, for which `T` must be `Sync`, and move values into it that another one drops, for
// which `T` must be `Send`. A place is written by one thread before anybody can read it (see `present`).
#[expect(unsafe_code, reason = "the compiler does not know what the bits say")]
unsafe impl<T: Send + Sync> Sync for Piece<T> {}

impl<T> Piece<T> {
    fn new(len: usize) -> Self {
        let present = iter::repeat_with(AtomicU64::default).take(len.div_ceil(64)).collect();
        Self { present, values: Box::new_uninit_slice(len) }
    }

    #[inline]
    fn has(&self, at: usize) -> bool {
        self.present.get(at / 64).is_some_and(|bits| bits.load(Ordering::Acquire) >> (at % 64) & 1 != 0)
    }

    #[inline]
    fn get(&self, at: usize) -> Option<&T> {
        if !self.has(at) {
            return None;
        }
        let value = UnsafeCell::raw_get(self.values.get(at)?.as_ptr());
        // SAFETY: The bit says that the value was written before, and that nobody writes it as long as the piece is shared.
        #[expect(unsafe_code, reason = "the compiler does not know what the bit says")]
        Some(unsafe { &*value })
    }

    /// Writes the value of place `at`.
    ///
    /// # Safety
    /// The place is empty, and nobody but the caller does this for it.
    #[expect(unsafe_code, reason = "two threads that write one place would be a data race")]
    unsafe fn set(&self, at: usize, value: T) {
        let place = UnsafeCell::raw_get(self.values[at].as_ptr());
        // SAFETY: Nobody else writes it, and nobody reads it before the bit is set.
        unsafe { place.write(value) };
        self.present[at / 64].fetch_or(1 << (at % 64), Ordering::Release);
    }

    fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        if !self.has(at) {
            return None;
        }
        // SAFETY: The bit says that the value is there.
        #[expect(unsafe_code, reason = "the compiler does not know what the bit says")]
        Some(unsafe { self.values.get_mut(at)?.assume_init_mut() }.get_mut())
    }

    /// Takes the value out of place `at`, which has none from now on.
    fn take(&mut self, at: usize) -> Option<T> {
        if !self.has(at) {
            return None;
        }
        *self.present[at / 64].get_mut() &= !(1 << (at % 64));
        // SAFETY: The value was there, and the bit that says so is gone: nobody reads it again.
        #[expect(unsafe_code, reason = "the compiler does not know what the bit says")]
        Some(unsafe { self.values[at].assume_init_read() }.into_inner())
    }
}

impl<T> Drop for Piece<T> {
    fn drop(&mut self) {
        (0..self.values.len()).for_each(|at| drop(self.take(at)));
    }
}

impl<T> Default for SharedList<T> {
    fn default() -> Self {
        Self { pieces: Pieces::default(), taken: AtomicUsize::new(0) }
    }
}

impl<T> SharedList<T> {
    /// Adds a value: its number, which counts up.
    ///
    /// # Panics
    /// If there are 2^32 values.
    pub(crate) fn push(&self, value: T) -> usize {
        let number = self.taken.fetch_add(1, Ordering::Relaxed);
        let (piece, at) = self.pieces.piece_or_make(number, Piece::new);
        // SAFETY: Nobody else has this number, or had it before.
        #[expect(unsafe_code, reason = "the compiler does not know that numbers count up")]
        unsafe {
            piece.set(at, value);
        }
        number
    }

    /// The value with this number, if it has been added.
    #[inline]
    pub(crate) fn get(&self, number: usize) -> Option<&T> {
        let (piece, at) = self.pieces.piece(number)?;
        piece.get(at)
    }

    /// The same, to be changed.
    pub(crate) fn get_mut(&mut self, number: usize) -> Option<&mut T> {
        let (piece, at) = self.pieces.piece_mut(number)?;
        piece.get_mut(at)
    }

    /// All values that have been added, by number. Another thread may be adding one of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        (0..self.len()).filter_map(|number| Some((number, self.get(number)?)))
    }

    /// Takes all values, by number.
    pub(crate) fn take(&mut self) -> impl Iterator<Item = T> {
        let mut list = std::mem::take(self);
        (0..list.len()).filter_map(move |number| {
            let (piece, at) = list.pieces.piece_mut(number)?;
            piece.take(at)
        })
    }

    /// How many numbers have been given out.
    pub(crate) fn len(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use super::*;

    #[test]
    fn threads_add_and_read() {
        let list: SharedList<Box<usize>> = SharedList::default();
        thread::scope(|s| {
            for thread in 0..3 {
                let list = &list;
                s.spawn(move || {
                    for i in 0..1000 {
                        let number = list.push(Box::new(i * 3 + thread));
                        assert_eq!(**list.get(number).unwrap(), i * 3 + thread);
                        assert!(list.iter().all(|(_, value)| **value < 3000));
                    }
                });
            }
        });
        let mut values: Vec<usize> = list.iter().map(|(_, value)| **value).collect();
        values.sort_unstable();
        assert!(values.into_iter().eq(0..3000));
    }

    #[test]
    fn only_what_is_there_is_found() {
        let mut list = SharedList::default();
        assert_eq!((list.push("a"), list.push("b"), list.len()), (0, 1, 2));
        assert_eq!(
            [0, 1, 2, 64, 1 << 33, usize::MAX].map(|at| list.get(at).copied()),
            [Some("a"), Some("b"), None, None, None, None]
        );
        *list.get_mut(1).unwrap() = "c";
        assert_eq!(list.get_mut(2), None);
        assert!(list.take().eq(["a", "c"]));
        assert_eq!((list.len(), list.get(0)), (0, None));
    }

    #[test]
    fn values_are_dropped_once() {
        let value = Arc::new(());
        let mut list = SharedList::default();
        (0..100).for_each(|_| _ = list.push(Arc::clone(&value)));
        *list.get_mut(3).unwrap() = Arc::new(());
        assert_eq!(Arc::strong_count(&value), 100);
        drop(list.take().take(10)); // the rest goes with the iterator
        assert_eq!(Arc::strong_count(&value), 1);
        list.push(Arc::clone(&value));
        drop(list);
        assert_eq!(Arc::strong_count(&value), 1);
    }
}
