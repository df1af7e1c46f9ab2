//! Lists whose entries stay where they are: memory comes in pieces, each but the first as large as all before it.

use std::iter;
use std::sync::OnceLock;

/// Entries of the first piece.
const FIRST: usize = 32;

/// Pieces that there can be: room for 2^32 entries.
const PIECES: usize = 28;

/// Entries by number, without a lock. Entries come to be, by default, when one of their piece is asked for.
#[derive(Default)]
pub(crate) struct Pieces<T>([OnceLock<Box<[T]>>; PIECES]);

/// How many entries so many pieces have.
#[inline]
pub(crate) fn room(pieces: usize) -> usize {
    if pieces == 0 { 0 } else { FIRST << (pieces - 1) }
}

/// The piece that entry `at` is in: one more than the number of the highest bit of its first entry.
#[inline]
fn piece_of(at: usize) -> usize {
    (usize::BITS - (at / FIRST).leading_zeros()) as usize
}

impl<T: Default> Pieces<T> {
    /// Entry `at`, if there is memory for it.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<&T> {
        let piece = piece_of(at);
        self.0[piece].get()?.get(at - room(piece))
    }

    /// Entry `at`.
    pub(crate) fn get_or_default(&self, at: usize) -> &T {
        let piece = piece_of(at);
        let start = room(piece);
        let make = || iter::repeat_with(T::default).take(room(piece + 1) - start).collect();
        &self.0[piece].get_or_init(make)[at - start]
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::{Pieces, room};

    #[test]
    fn entries_stay_where_they_are() {
        let list: Pieces<AtomicUsize> = Pieces::default();
        assert!(list.get(0).is_none());
        for at in (0..1000).rev() {
            list.get_or_default(at).store(at, Ordering::Relaxed);
        }
        assert!((0..1000).all(|at| list.get(at).unwrap().load(Ordering::Relaxed) == at));
        assert!(list.get(1024).is_none());
        assert_eq!([0, 1, 2, 6].map(room), [0, 32, 64, 1024]);
    }
}
