//! How work is shared between threads.

use rayon::iter::{IndexedParallelIterator, MaxLen};

/// Tasks for each thread: a thread that is done waits for the last of another one's, a hundredth of the time or so.
const TASKS: usize = 32;

/// `items` in tasks that are small enough for threads to be done at about the same time. By itself rayon makes four tasks for two threads, and more only where one
/// is stolen before it is begun: a thread that was faster than the other waited for up to a quarter of the work.
pub(crate) fn evenly<I: IndexedParallelIterator>(items: I) -> MaxLen<I> {
    let most = items.len() / (TASKS * rayon::current_num_threads());
    items.with_max_len(most.max(1))
}
