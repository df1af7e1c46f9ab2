//! Loops of compiled programs whose iterations run on several threads.
//!
//! A compiled program calls [`for_each`] with a function, what it needs, and a number of iterations; the function gets ranges of
//! iterations, each iteration once. What a program computes must not depend on which thread runs which range, so that results are the same
//! for any number of threads; the compiler sees to that.
//!
//! The threads are started at the first loop and stay. Between loops they spin for a while, as the next loop of a program mostly follows
//! at once, and then sleep. A loop inside a loop, and one that starts while another thread of the process runs one, runs on the calling
//! thread alone. Handing a loop to a thread that spins costs about a microsecond.

#![expect(unsafe_code, reason = "hands a pointer of the compiled program to other threads")]

use std::cell::{Cell, UnsafeCell};
use std::ffi::c_void;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

/// The body of a loop: runs the iterations from `begin` up to and without `end`, with what the loop was given as `data`.
pub type Body = unsafe extern "C" fn(data: *mut c_void, begin: i64, end: i64);

/// Ranges that each thread gets on average, so that one that is held up leaves its share to the others.
const RANGES_PER_THREAD: i64 = 4;
/// How long a thread without work spins before it sleeps.
const SPIN: Duration = Duration::from_micros(100);

/// Threads that loops may use, the calling one included; 0 for as many as the machine has.
static LIMIT: AtomicUsize = AtomicUsize::new(0);
/// The threads, once there was a loop. Whoever holds the lock runs a loop on them.
static POOL: LazyLock<Mutex<Pool>> = LazyLock::new(Mutex::default);

thread_local! {
    /// Whether this thread is inside a loop.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Limits the threads that loops may use, the calling one included. Holds from the next loop on.
pub fn set_threads(threads: NonZeroUsize) {
    LIMIT.store(threads.get(), Ordering::Relaxed);
}

/// Threads that loops may use, the calling one included.
pub fn threads() -> usize {
    match LIMIT.load(Ordering::Relaxed) {
        0 => thread::available_parallelism().map_or(1, NonZeroUsize::get),
        limit => limit,
    }
}

/// Runs `count` iterations of a loop, and returns when all are done. None if `count` is not positive.
///
/// # Safety
/// `body` may be called with `data` from any thread for any range within `0..count`, for disjoint ranges at the same time.
pub unsafe extern "C" fn for_each(body: Body, data: *mut c_void, count: i64) {
    if count <= 0 {
        return;
    }
    let threads = threads();
    if count > 1
        && threads > 1
        && !INSIDE.get()
        && let Some(mut pool) = POOL.try_lock()
    {
        pool.resize(threads - 1);
        INSIDE.set(true);
        pool.run(Loop { body, data, count });
        INSIDE.set(false);
        return;
    }
    // SAFETY: the range is all there is, and the caller vouches for it.
    unsafe { body(data, 0, count) }
}

/// What the threads of a pool do at one time.
#[derive(Clone, Copy)]
struct Loop {
    body: Body,
    data: *mut c_void,
    count: i64,
}

/// What the threads of a pool share.
#[derive(Default)]
struct Shared {
    /// The loop, written before `round` changes and not again before `working` is 0.
    job: UnsafeCell<Option<Loop>>,
    /// Number of the loop; each thread takes part once in each.
    round: AtomicUsize,
    /// First iteration that nobody has taken.
    next: AtomicI64,
    /// Iterations taken at a time.
    step: AtomicI64,
    /// Threads that have not finished the loop.
    working: AtomicUsize,
    /// Whether the threads should end.
    ending: AtomicBool,
    /// How many sleep, and how they are woken.
    asleep: Mutex<usize>,
    wake: Condvar,
}

// SAFETY: `job` is written by the thread that holds the pool, while no other one is in a loop; they read it after they have seen `round`
// change, which is stored afterwards. What a loop points to may be used from any thread, by the contract of `for_each`.
unsafe impl Sync for Shared {}
// SAFETY: as above.
unsafe impl Send for Shared {}

impl Shared {
    /// Runs ranges of the loop until there are none left.
    fn work(&self, job: Loop) {
        let step = self.step.load(Ordering::Relaxed);
        loop {
            let begin = self.next.fetch_add(step, Ordering::Relaxed);
            if begin >= job.count {
                return;
            }
            let end = begin.saturating_add(step).min(job.count);
            // SAFETY: the range is within the loop, and was taken by this thread alone; the contract of `for_each` says the rest.
            unsafe { (job.body)(job.data, begin, end) };
        }
    }

    /// What a thread of the pool does until it is told to end.
    fn serve(&self) {
        INSIDE.set(true);
        let mut seen = 0;
        loop {
            self.await_round(seen);
            if self.ending.load(Ordering::Acquire) {
                return;
            }
            seen = self.round.load(Ordering::Acquire);
            // SAFETY: this thread counts among `working`, so nobody writes the job.
            if let Some(job) = unsafe { *self.job.get() } {
                self.work(job);
            }
            self.working.fetch_sub(1, Ordering::Release);
        }
    }

    /// Waits until the round is not `seen`: spins first, then sleeps.
    fn await_round(&self, seen: usize) {
        let start = Instant::now();
        while start.elapsed() < SPIN {
            for _ in 0..64 {
                if self.round.load(Ordering::Acquire) != seen {
                    return;
                }
                std::hint::spin_loop();
            }
        }
        let mut asleep = self.asleep.lock();
        *asleep += 1;
        while self.round.load(Ordering::Acquire) == seen {
            self.wake.wait(&mut asleep);
        }
        *asleep -= 1;
    }

    /// Begins a round, and wakes the threads that sleep.
    fn begin_round(&self) {
        // Under the lock, so that no thread goes to sleep between its last look at the round and this.
        let asleep = self.asleep.lock();
        self.round.fetch_add(1, Ordering::Release);
        if *asleep > 0 {
            self.wake.notify_all();
        }
    }
}

/// Threads that help with loops.
#[derive(Default)]
struct Pool {
    shared: Arc<Shared>,
    helpers: Vec<JoinHandle<()>>,
}

impl Pool {
    /// Makes it so many helpers. Threads that the system does not grant are done without.
    fn resize(&mut self, helpers: usize) {
        if self.helpers.len() == helpers {
            return;
        }
        self.end();
        self.shared = Arc::default();
        for _ in 0..helpers {
            let shared = Arc::clone(&self.shared);
            let Ok(helper) = thread::Builder::new().name("dl-loop".to_owned()).spawn(move || shared.serve()) else {
                return;
            };
            self.helpers.push(helper);
        }
    }

    /// Runs a loop on the helpers and on this thread.
    fn run(&mut self, job: Loop) {
        let shared = &*self.shared;
        let threads = i64::try_from(self.helpers.len() + 1).unwrap_or(i64::MAX);
        let ranges = threads.saturating_mul(RANGES_PER_THREAD);
        shared.step.store((job.count / ranges).max(1), Ordering::Relaxed);
        shared.next.store(0, Ordering::Relaxed);
        // SAFETY: the last loop is over, so no helper reads the job.
        unsafe { *shared.job.get() = Some(job) };
        shared.working.store(self.helpers.len(), Ordering::Relaxed);
        shared.begin_round();
        shared.work(job);
        let start = Instant::now();
        while shared.working.load(Ordering::Acquire) > 0 {
            if start.elapsed() < SPIN {
                std::hint::spin_loop();
            } else {
                thread::yield_now();
            }
        }
    }

    /// Ends the helpers.
    fn end(&mut self) {
        self.shared.ending.store(true, Ordering::Release);
        self.shared.begin_round();
        for helper in self.helpers.drain(..) {
            // A body that panics ends the process, as it is `extern "C"`, so there is nothing to hear of.
            let _ = helper.join();
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.end();
    }
}

/// The functions by the names under which compiled programs know them.
pub(crate) fn symbols() -> [(&'static str, usize); 1] {
    let for_each = for_each as unsafe extern "C" fn(Body, *mut c_void, i64) as usize;
    [("dl_parallel_for", for_each)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts how often each iteration is run.
    unsafe extern "C" fn count(data: *mut c_void, begin: i64, end: i64) {
        // SAFETY: the tests pass a slice of counters that outlives the loop.
        let counters = unsafe { &*data.cast::<Vec<AtomicUsize>>() };
        for counter in &counters[usize::try_from(begin).unwrap()..usize::try_from(end).unwrap()] {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// A loop in each iteration of a loop.
    unsafe extern "C" fn nested(data: *mut c_void, begin: i64, end: i64) {
        for _ in begin..end {
            // SAFETY: the same counters.
            unsafe { for_each(count, data, 10) };
        }
    }

    fn counts(body: Body, iterations: i64, counters: usize) -> Vec<usize> {
        let counters: Vec<AtomicUsize> = (0..counters).map(|_| AtomicUsize::new(0)).collect();
        // SAFETY: `count` and `nested` take such counters.
        unsafe { for_each(body, (&raw const counters).cast_mut().cast(), iterations) };
        counters.into_iter().map(AtomicUsize::into_inner).collect()
    }

    #[test]
    fn each_iteration_runs_once_for_any_number_of_threads() {
        for threads in [1, 2, 3, 8, 2] {
            set_threads(NonZeroUsize::new(threads).unwrap());
            for iterations in [-1, 0, 1, 2, 7, 1000] {
                let expected = usize::try_from(iterations).unwrap_or(0);
                assert_eq!(counts(count, iterations, expected), vec![1; expected]);
            }
            assert_eq!(counts(nested, 5, 10), vec![5; 10]);
        }
    }

    #[test]
    fn threads_that_sleep_are_woken() {
        set_threads(NonZeroUsize::new(3).unwrap());
        for pause in [0, 1, 5] {
            thread::sleep(Duration::from_millis(pause));
            assert_eq!(counts(count, 100, 100), vec![1; 100]);
        }
    }

    #[test]
    fn loops_of_several_callers_do_not_meet() {
        set_threads(NonZeroUsize::new(2).unwrap());
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..100).for_each(|_| assert_eq!(counts(count, 50, 50), vec![1; 50])));
            }
        });
    }
}
