//! A list that threads add to while others read it.

use std::marker::PhantomData;
use std::ops::Index;
use std::ptr;
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use crate::lock::Mutex;

/// Values of the first piece, a power of two.
const FIRST: usize = 32;

/// So many values are known to be there at once, and later ones in groups of [`GROUP`].
const AT_ONCE: usize = 1024;

/// See [`AT_ONCE`].
const GROUP: usize = 64;

/// Values by number, read without a lock. They stay where they are, in pieces of which each is as large as all before it, and the first.
pub(crate) struct SharedList<T> {
    /// The piece of the value with a number is that of the highest bit of its position, which is the number and [`FIRST`]. The pointer is to where position 0
    /// would be.
    pieces: [AtomicPtr<T>; usize::BITS as usize],
    /// Values up to here are there. It lags behind `end`, so that those who read what was added before are not kept waiting by those who add.
    settled: AtomicUsize,
    end: End,
    /// Threads share values, and one takes what another one has added.
    values: PhantomData<(Vec<T>, Mutex<Vec<T>>)>,
}

/// What is written when a value is added, in a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
struct End {
    /// How many values there are.
    len: AtomicUsize,
    adding: Mutex<()>,
}

/// The number of the highest bit of a position.
#[inline]
fn highest_bit(position: usize) -> usize {
    ((usize::BITS - 1) ^ (position | 1).leading_zeros()) as usize
}

impl<T> Default for SharedList<T> {
    fn default() -> Self {
        Self {
            pieces: [const { AtomicPtr::new(ptr::null_mut()) }; usize::BITS as usize],
            settled: AtomicUsize::new(0),
            end: End::default(),
            values: PhantomData,
        }
    }
}

/// The right to add to a list, which one thread has at a time.
pub(crate) struct Adding<'l, T> {
    list: &'l SharedList<T>,
    _alone: MutexGuard<'l, ()>,
}

impl<T> Adding<'_, T> {
    /// The number of the next value.
    pub(crate) fn next_number(&self) -> usize {
        self.list.end.len.load(Ordering::Relaxed)
    }

    /// Adds a value: its number, which counts up.
    pub(crate) fn push(&mut self, value: T) -> usize {
        let SharedList { pieces, settled, end, .. } = self.list;
        let number = self.next_number();
        let position = number + FIRST;
        let piece = &pieces[highest_bit(position)];
        if position.is_power_of_two() {
            let room = Box::into_raw(Box::<[T]>::new_uninit_slice(position));
            piece.store(room.cast::<T>().wrapping_sub(position), Ordering::Release);
        }
        let place = piece.load(Ordering::Relaxed).wrapping_add(position);
        // SAFETY: The piece has this place. Nobody else writes it, as the lock is held, or reads it, as no length says that there is a value.
        #[expect(unsafe_code, reason = "the compiler does not know what the lengths say")]
        unsafe {
            place.write(value);
        }
        end.len.store(number + 1, Ordering::Release);
        if number < AT_ONCE || position.is_multiple_of(GROUP) {
            settled.store(number + 1, Ordering::Release);
        }
        number
    }
}

impl<T> SharedList<T> {
    /// Waits until nobody else adds values.
    pub(crate) fn add(&self) -> Adding<'_, T> {
        Adding { list: self, _alone: self.end.adding.lock() }
    }

    /// How many values there are at least: all of the first thousand, and less than [`GROUP`] fewer of more.
    #[inline]
    pub(crate) fn settled(&self) -> usize {
        self.settled.load(Ordering::Acquire)
    }

    /// How many values there are.
    pub(crate) fn len(&self) -> usize {
        self.end.len.load(Ordering::Acquire)
    }

    /// All values, by number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        (0..self.len()).map(|number| (number, &self[number]))
    }

    /// The value with this number, to be changed.
    pub(crate) fn get_mut(&mut self, number: usize) -> Option<&mut T> {
        if number >= self.len() {
            return None;
        }
        // SAFETY: There is a value, and nobody else has the list.
        #[expect(unsafe_code, reason = "the compiler does not know what the length says")]
        Some(unsafe { &mut *self.place(number) })
    }

    /// Takes all values, by number.
    pub(crate) fn take(&mut self) -> impl Iterator<Item = T> {
        self.take_pieces().into_iter().flatten()
    }

    fn take_pieces(&mut self) -> Vec<Vec<T>> {
        *self.settled.get_mut() = 0;
        let end = FIRST + std::mem::take(self.end.len.get_mut());
        let mut pieces = Vec::new();
        let mut start = FIRST;
        while start < end {
            let first = self.pieces[highest_bit(start)].get_mut().wrapping_add(start);
            // SAFETY: There is a piece where there is a value of it, with room for as many as there are positions before it. Values are there up to `end`, and
            // not any more now.
            #[expect(unsafe_code, reason = "the compiler does not know what the length says")]
            pieces.push(unsafe { Vec::from_raw_parts(first, start.min(end - start), start) });
            start *= 2;
        }
        pieces
    }

    /// Where the value with this number is, if there is one.
    #[inline]
    fn place(&self, number: usize) -> *mut T {
        let position = number.wrapping_add(FIRST);
        self.pieces[highest_bit(position)].load(Ordering::Acquire).wrapping_add(position)
    }

    /// The value with this number if it is settled.
    #[inline]
    fn get(&self, number: usize) -> Option<&T> {
        if number >= self.settled() {
            return None;
        }
        // SAFETY: There is a value, and nobody changes it while the list is shared.
        #[expect(unsafe_code, reason = "the compiler does not know what the length says")]
        Some(unsafe { &*self.place(number) })
    }

    /// The value with this number, which another thread is about to add if it is not there.
    #[inline]
    pub(crate) fn get_soon(&self, number: usize) -> &T {
        self.get(number).unwrap_or_else(|| self.awaited(number))
    }

    #[cold]
    #[inline(never)]
    fn awaited(&self, number: usize) -> &T {
        while number >= self.len() {
            std::thread::yield_now();
        }
        self.late(number)
    }

    /// The value with a number that may not be settled.
    #[cold]
    #[inline(never)]
    fn late(&self, number: usize) -> &T {
        let len = self.len();
        assert!(number < len, "there is no value {number} among {len}");
        // SAFETY: There is a value, and nobody changes it while the list is shared.
        #[expect(unsafe_code, reason = "the compiler does not know what the length says")]
        unsafe {
            &*self.place(number)
        }
    }
}

impl<T> Index<usize> for SharedList<T> {
    type Output = T;

    /// The value with this number.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    fn index(&self, number: usize) -> &T {
        self.get(number).unwrap_or_else(|| self.late(number))
    }
}

impl<T> Drop for SharedList<T> {
    fn drop(&mut self) {
        drop(self.take_pieces());
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
                        let number = list.add().push(Box::new(i * 3 + thread));
                        assert_eq!(*list[number], i * 3 + thread);
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
    fn values_stay_where_they_are() {
        let list = SharedList::default();
        let first = &raw const list[list.add().push(0)];
        for value in 1..5000 {
            assert_eq!(list.add().push(value), value);
            assert_eq!(list[value], value);
        }
        assert!(list.iter().all(|(number, &value)| number == value));
        assert_eq!(&raw const list[0], first);
    }

    #[test]
    fn only_what_is_there_is_found() {
        let mut list = SharedList::default();
        let mut adding = list.add();
        assert_eq!((adding.next_number(), adding.push("a"), adding.push("b")), (0, 0, 1));
        drop(adding);
        assert_eq!((list.len(), list.settled()), (2, 2));
        *list.get_mut(1).unwrap() = "c";
        assert_eq!((list[1], list.get_mut(2)), ("c", None));
        for number in [2, 32, 1 << 33, usize::MAX - 31, usize::MAX] {
            assert!(std::panic::catch_unwind(|| list[number]).is_err(), "{number}");
        }
        assert!(list.take().eq(["a", "c"]));
        assert_eq!((list.len(), list.settled(), list.add().push("d")), (0, 0, 0));
        assert_eq!(list[0], "d");
    }

    #[test]
    fn who_knows_a_number_waits_for_the_value() {
        let list: SharedList<usize> = SharedList::default();
        thread::scope(|s| {
            let waiting: Vec<_> = (0..3000)
                .step_by(500)
                .map(|number| {
                    s.spawn({
                        let list = &list;
                        move || *list.get_soon(number)
                    })
                })
                .collect();
            (0..3000).for_each(|value| _ = list.add().push(value));
            assert!(waiting.into_iter().map(|thread| thread.join().unwrap()).eq((0..3000).step_by(500)));
        });
    }

    #[test]
    fn values_are_dropped_once() {
        let value = Arc::new(());
        let mut list = SharedList::default();
        (0..100).for_each(|_| _ = list.add().push(Arc::clone(&value)));
        *list.get_mut(3).unwrap() = Arc::new(());
        assert_eq!(Arc::strong_count(&value), 100);
        drop(list.take().take(10)); // the rest goes with the iterator
        assert_eq!(Arc::strong_count(&value), 1);
        list.add().push(Arc::clone(&value));
        drop(list);
        assert_eq!(Arc::strong_count(&value), 1);
    }
}
