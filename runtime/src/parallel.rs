//! Loops of compiled programs whose iterations run on several threads.
//!
//! A compiled program calls [`for_each`] with a function, what it needs, and a number of iterations; the function gets ranges of
//! iterations, each iteration once. What a program computes must not depend on which thread runs which range, so that results are the same
//! for any number of threads; the compiler sees to that.
//!
//! The threads are started at the first loop and stay. Each begins with a share of the iterations that lie side by side, the same share of
//! loops of the same length, so that it mostly finds in its caches what it has written before; one that is done takes half of what another one has
//! left. Between loops they spin for a while, as the next loop of a program mostly follows at once, and then sleep. Where there are as many threads
//! as the process may use processors, each but the caller's is bound to one of them, and to another one where the caller comes to run there: two that
//! the system puts on the same processor would wait for each other. A loop inside a loop, and one that starts while another thread of the process runs one, runs on the calling thread alone. Handing
//! a loop to a thread that spins costs about a microsecond.

#![expect(unsafe_code, reason = "hands a pointer of the compiled program to other threads")]

use std::cell::{Cell, UnsafeCell};
use std::ffi::c_void;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

/// The body of a loop: runs the iterations from `begin` up to and without `end`, with what the loop was given as `data`.
pub type Body = unsafe extern "C" fn(data: *mut c_void, begin: i64, end: i64);

/// How long a thread without work spins before it sleeps: more than what a program mostly does between two loops.
const SPIN: Duration = Duration::from_millis(1);
/// How long the caller spins for the others to be done before it sees to it that they can be.
const PATIENCE: Duration = Duration::from_micros(100);

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
        let unit = count / i64::from(u32::MAX) + 1;
        pool.run(Loop { body, data, count, unit });
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
    /// Iterations in a unit of the shares: one, unless there are more than 32 bits can tell.
    unit: i64,
}

/// Units of a loop that are left of what a thread was given, from the one in the low half up to and without the one in the high half. Alone in its
/// lines of the cache.
#[derive(Default)]
#[repr(align(128))]
struct Share(AtomicU64);

impl Share {
    /// Gives it these units. There are none left of what it had.
    fn put(&self, units: Range<u32>) {
        self.0.store(pack(units), Ordering::Relaxed);
    }

    /// Takes some of the units that are left: `choose` says which of them, at their begin or end. `None` where there are none.
    fn take(&self, choose: impl Fn(Range<u32>) -> (Range<u32>, Range<u32>)) -> Option<Range<u32>> {
        let mut packed = self.0.load(Ordering::Relaxed);
        loop {
            let left = packed as u32..(packed >> 32) as u32;
            if left.is_empty() {
                return None;
            }
            let (taken, left) = choose(left);
            // A value never comes back in one loop, as each unit is taken once.
            match self.0.compare_exchange_weak(packed, pack(left), Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(taken),
                Err(other) => packed = other,
            }
        }
    }

    /// Takes the first half, for the thread whose share it is.
    fn take_first(&self) -> Option<Range<u32>> {
        self.take(|Range { start, end }| {
            let middle = start + (end - start).div_ceil(2);
            (start..middle, middle..end)
        })
    }

    /// Takes the last half, for another thread.
    fn take_last(&self) -> Option<Range<u32>> {
        self.take(|Range { start, end }| {
            let middle = start + (end - start) / 2;
            (middle..end, start..middle)
        })
    }
}

fn pack(units: Range<u32>) -> u64 {
    u64::from(units.end) << 32 | u64::from(units.start)
}

/// What the threads of a pool share.
#[derive(Default)]
struct Shared {
    /// The loop, written before `round` changes and not again before `working` is 0.
    job: UnsafeCell<Option<Loop>>,
    /// For each thread, that of the caller first, what it has left to do.
    shares: Vec<Share>,
    /// Number of the loop; each thread takes part once in each.
    round: AtomicUsize,
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
    /// Runs what thread number `own` has of the loop, and then of what others have, until there is nothing left.
    fn work(&self, job: Loop, own: usize) {
        let (before, from) = self.shares.split_at(own);
        let Some((share, after)) = from.split_first() else { return };
        loop {
            while let Some(units) = share.take_first() {
                let [begin, end] =
                    [units.start, units.end].map(|at| i64::from(at).saturating_mul(job.unit).min(job.count));
                // SAFETY: the range is within the loop, and was taken by this thread alone; the contract of `for_each` says the rest.
                unsafe { (job.body)(job.data, begin, end) };
            }
            let Some(units) = after.iter().chain(before).find_map(Share::take_last) else { return };
            share.put(units);
        }
    }

    /// Shares out a loop.
    fn share_out(&self, job: Loop) {
        let (units, threads) = ((job.count as u64).div_ceil(job.unit as u64), self.shares.len() as u64);
        let bound = |at: usize| (units * at as u64 / threads) as u32;
        for (at, share) in self.shares.iter().enumerate() {
            share.put(bound(at)..bound(at + 1));
        }
    }

    /// What thread number `own` of the pool does until it is told to end.
    fn serve(&self, own: usize) {
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
                self.work(job, own);
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
    processors: affinity::Processors,
}

impl Pool {
    /// Makes it so many helpers. Threads that the system does not grant are done without.
    fn resize(&mut self, helpers: usize) {
        if self.helpers.len() == helpers {
            return;
        }
        self.end();
        let shares = (0..=helpers).map(|_| Share::default()).collect();
        self.shared = Arc::new(Shared { shares, ..Shared::default() });
        self.processors = affinity::Processors::for_helpers(helpers);
        for own in 1..=helpers {
            let (shared, place) = (Arc::clone(&self.shared), self.processors.place(own - 1));
            let serve = move || {
                place.take();
                shared.serve(own);
            };
            let Ok(helper) = thread::Builder::new().name("dl-loop".to_owned()).spawn(serve) else {
                return;
            };
            self.helpers.push(helper);
        }
    }

    /// Runs a loop on the helpers and on this thread.
    fn run(&mut self, job: Loop) {
        let shared = &*self.shared;
        // SAFETY: the last loop is over, so no helper reads the job.
        unsafe { *shared.job.get() = Some(job) };
        shared.share_out(job);
        self.processors.leave_to_caller();
        shared.working.store(self.helpers.len(), Ordering::Relaxed);
        shared.begin_round();
        shared.work(job, 0);
        let mut start = Instant::now();
        while shared.working.load(Ordering::Acquire) > 0 {
            if start.elapsed() < PATIENCE {
                std::hint::spin_loop();
                continue;
            }
            if !self.processors.leave_to_caller() {
                thread::yield_now();
            }
            start = Instant::now();
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

/// Which processors threads run on.
#[cfg(target_os = "linux")]
mod affinity {
    use std::sync::{Arc, OnceLock};

    use rustix::thread::{CpuSet, Pid, gettid, sched_getaffinity, sched_getcpu, sched_setaffinity};

    /// The processors of a process that has a thread for each.
    #[derive(Default)]
    pub(super) struct Processors {
        /// That of the caller, when it was last seen.
        own: usize,
        /// That of each helper, and the helper, once it runs. None where there are more or fewer processors than threads: other processes that do
        /// the same would take the same ones.
        helpers: Vec<(usize, Place)>,
    }

    /// Where a helper tells which thread it is, and the processor that it begins on.
    #[derive(Clone, Default)]
    pub(super) struct Place {
        thread: Arc<OnceLock<Pid>>,
        processor: Option<usize>,
    }

    impl Place {
        /// Binds the thread of the caller, a helper.
        pub(super) fn take(&self) {
            let thread = gettid();
            if let Some(processor) = self.processor {
                bind(thread, processor);
            }
            // Set once, as each helper has a place.
            let _ = self.thread.set(thread);
        }
    }

    impl Processors {
        /// Those that this process may use, if there is one for the caller and for each helper.
        pub(super) fn for_helpers(count: usize) -> Self {
            let Ok(allowed) = sched_getaffinity(None) else { return Self::default() };
            let own = sched_getcpu();
            let others = (0..CpuSet::MAX_CPU).filter(|&processor| processor != own && allowed.is_set(processor));
            let place = |processor| (processor, Place { thread: Arc::default(), processor: Some(processor) });
            let helpers: Vec<_> = others.map(place).collect();
            Self { own, helpers: if helpers.len() == count { helpers } else { Vec::new() } }
        }

        /// Where helper number `at` goes.
        pub(super) fn place(&self, at: usize) -> Place {
            self.helpers.get(at).map(|(_, place)| place.clone()).unwrap_or_default()
        }

        /// Moves the helper that is bound to the processor which the caller runs on, if there is one, to where the caller was before.
        pub(super) fn leave_to_caller(&mut self) -> bool {
            let now = sched_getcpu();
            let Some((processor, place)) = self.helpers.iter_mut().find(|(processor, _)| *processor == now) else {
                return false;
            };
            let Some(&thread) = place.thread.get() else { return false };
            *processor = std::mem::replace(&mut self.own, now);
            bind(thread, *processor);
            true
        }
    }

    /// Binds a thread to a processor, if the system lets it: the thread serves on any.
    fn bind(thread: Pid, processor: usize) {
        let mut only = CpuSet::new();
        only.set(processor);
        let _ = sched_setaffinity(Some(thread), &only);
    }
}

/// Which processors threads run on: the system knows.
#[cfg(not(target_os = "linux"))]
mod affinity {
    #[derive(Default)]
    pub(super) struct Processors;

    pub(super) struct Place;

    impl Place {
        pub(super) fn take(&self) {}
    }

    impl Processors {
        pub(super) fn for_helpers(_count: usize) -> Self {
            Self
        }

        pub(super) fn place(&self, _at: usize) -> Place {
            Place
        }

        pub(super) fn leave_to_caller(&mut self) -> bool {
            false
        }
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
            for iterations in [-1, 0, 1, 2, 7, 1000, 1001] {
                let expected = usize::try_from(iterations).unwrap_or(0);
                assert_eq!(counts(count, iterations, expected), vec![1; expected]);
            }
            assert_eq!(counts(nested, 5, 10), vec![5; 10]);
        }
    }

    #[test]
    fn a_share_is_taken_from_both_ends() {
        let share = Share::default();
        assert_eq!((share.take_first(), share.take_last()), (None, None));
        share.put(10..20);
        assert_eq!(share.take_first(), Some(10..15));
        assert_eq!(share.take_last(), Some(17..20));
        assert_eq!(share.take_first(), Some(15..16));
        assert_eq!(share.take_last(), Some(16..17));
        assert_eq!((share.take_first(), share.take_last()), (None, None));
    }

    /// Adds up the lengths of ranges.
    unsafe extern "C" fn add_up(data: *mut c_void, begin: i64, end: i64) {
        // SAFETY: the test passes a sum that outlives the loop.
        let sum = unsafe { &*data.cast::<AtomicU64>() };
        sum.fetch_add(u64::try_from(end - begin).unwrap(), Ordering::Relaxed);
    }

    #[test]
    fn more_iterations_than_32_bits_can_tell() {
        set_threads(NonZeroUsize::new(2).unwrap());
        for count in [i64::from(u32::MAX), (1 << 32) + 1, (1 << 50) + 12_345, i64::MAX] {
            let sum = AtomicU64::new(0);
            // SAFETY: `add_up` takes such a sum.
            unsafe { for_each(add_up, (&raw const sum).cast_mut().cast(), count) };
            assert_eq!(sum.into_inner(), u64::try_from(count).unwrap());
        }
    }

    #[test]
    fn threads_that_sleep_are_woken() {
        set_threads(NonZeroUsize::new(3).unwrap());
        for pause in [0, 1, 5, 20] {
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
