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
            let piece = piece_of(first);
            let run = self.0[piece].get()?.get(first - room(piece)..)?;
            at = (first + run.len()) & (len - 1);
            left = left.saturating_sub(run.len());
            Some((first, run))
        })
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
        let round = |at, len| list.round(at, len).map(|(first, run)| (first, run.len())).collect::<Vec<_>>();
        assert_eq!(round(70, 128), [(70, 58), (0, 32), (32, 32), (64, 64)]);
        assert_eq!((round(0, 32), round(0, 0)), (vec![(0, 32)], vec![]));
        assert_eq!([0, 1, 2, 6].map(room), [0, 32, 64, 1024]);
    }
}
