//! Lists whose entries stay where they are: memory comes in pieces, each but the first as large as all before it.

use std::iter;
use std::sync::OnceLock;

/// Entries of the first piece.
const FIRST: usize = 32;

/// Pieces that there can be: room for 2^32 entries.
const PIECES: usize = 28;

/// Pieces that are each a `P`. They come to be when an entry of theirs is asked for; those that are there are found without a lock.
pub(crate) struct Pieces<P>([OnceLock<P>; PIECES]);

/// Entries by number.
pub(crate) type Entries<T> = Pieces<Box<[T]>>;

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

impl<P> Default for Pieces<P> {
    fn default() -> Self {
        Self([const { OnceLock::new() }; PIECES])
    }
}

impl<P> Pieces<P> {
    /// The piece with entry `at`, if there is memory for it, and the place of the entry in it.
    #[inline]
    pub(crate) fn piece(&self, at: usize) -> Option<(&P, usize)> {
        let piece = piece_of(at);
        Some((self.0.get(piece)?.get()?, at - room(piece)))
    }

    /// The same, to be changed.
    pub(crate) fn piece_mut(&mut self, at: usize) -> Option<(&mut P, usize)> {
        let piece = piece_of(at);
        Some((self.0.get_mut(piece)?.get_mut()?, at - room(piece)))
    }

    /// The same; `make` gets how many entries the piece has if it is not there.
    ///
    /// # Panics
    /// If there can be no such entry.
    pub(crate) fn piece_or_make(&self, at: usize, make: impl FnOnce(usize) -> P) -> (&P, usize) {
        let piece = piece_of(at);
        let start = room(piece);
        (self.0[piece].get_or_init(|| make(room(piece + 1) - start)), at - start)
    }
}

impl<T: Default> Entries<T> {
    /// Entry `at`, if there is memory for it.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<&T> {
        let (piece, at) = self.piece(at)?;
        piece.get(at)
    }

    /// The entries of the first pieces, `len` in all, from entry `at` on and then from the beginning, until all were there: runs that lie together, each with
    /// the number of its first entry. The last run goes on to the end of its piece.
    #[inline]
    pub(crate) fn round(&self, mut at: usize, len: usize) -> impl Iterator<Item = (usize, &[T])> {
        let mut left = len;
        iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let first = at;
            let (piece, start) = self.piece(first)?;
            let run = piece.get(start..)?;
            at = (first + run.len()) & (len - 1);
            left = left.saturating_sub(run.len());
            Some((first, run))
        })
    }

    /// Entry `at`, by default `T::default()`.
    pub(crate) fn get_or_default(&self, at: usize) -> &T {
        let make = |len| iter::repeat_with(T::default).take(len).collect();
        let (piece, at) = self.piece_or_make(at, make);
        &piece[at]
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::{Entries, room};

    #[test]
    fn entries_stay_where_they_are() {
        let list: Entries<AtomicUsize> = Entries::default();
        assert!(list.get(0).is_none());
        for at in (0..1000).rev() {
            list.get_or_default(at).store(at, Ordering::Relaxed);
        }
        assert!((0..1000).all(|at| list.get(at).unwrap().load(Ordering::Relaxed) == at));
        assert!(list.get(1024).is_none());
        let round = |at, len| list.round(at, len).map(|(first, run)| (first, run.len())).collect::<Vec<_>>();
        assert_eq!(round(70, 128), [(70, 58), (0, 32), (32, 32), (64, 64)]);
        assert_eq!((round(0, 32), round(0, 0)), (vec![(0, 32)], vec![]));
        assert!(list.get(usize::MAX).is_none());
        assert_eq!([0, 1, 2, 6].map(room), [0, 32, 64, 1024]);
    }
}
