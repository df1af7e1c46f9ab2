//! Locks that code of several images may share: the tool, and the plugins that it has loaded.
//!
//! Each image has its own copy of this crate and of what it depends on. The locks of the standard library keep all their state in
//! themselves, so such copies can wait for one another; those of libraries that keep a table of waiting threads could not.

use std::sync::{Condvar, MutexGuard, PoisonError, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

/// A mutex that a panic does not close: what it protects is changed in steps that leave it whole.
#[derive(Default)]
pub(crate) struct Mutex<T>(std::sync::Mutex<T>);

impl<T> Mutex<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(std::sync::Mutex::new(value))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The same for many readers or one writer.
#[derive(Default)]
pub(crate) struct RwLock<T>(std::sync::RwLock<T>);

impl<T> RwLock<T> {
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, T> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, T> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A value behind a mutex, and threads that wait for it to change.
#[derive(Default)]
pub(crate) struct Watched<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

#[derive(Default)]
struct State<T> {
    value: T,
    /// How many threads sleep until it changes.
    sleeping: usize,
}

/// For how long a thread looks again and again before it sleeps. Those that share a task seldom have to wait for longer; and a thread that
/// wakes up may find itself on the core of another one, until the scheduler moves it some milliseconds later.
const AWAKE: Duration = Duration::from_micros(200);

impl<T> Watched<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { state: Mutex::new(State { value, sleeping: 0 }), changed: Condvar::new() }
    }

    /// What `look` says of the value now.
    pub(crate) fn look<R>(&self, look: impl FnOnce(&T) -> R) -> R {
        look(&self.state.lock().value)
    }

    /// Changes the value, and tells those that wait.
    pub(crate) fn change<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let mut state = self.state.lock();
        let result = change(&mut state.value);
        if state.sleeping > 0 {
            self.changed.notify_all();
        }
        result
    }

    /// Waits until `look` finds something, which it may take out of the value. What it changes besides is nothing that others wait for.
    pub(crate) fn wait_for<R>(&self, mut look: impl FnMut(&mut T) -> Option<R>) -> R {
        let start = Instant::now();
        loop {
            let mut state = self.state.lock();
            if let Some(found) = look(&mut state.value) {
                return found;
            }
            if start.elapsed() < AWAKE {
                drop(state);
                std::thread::yield_now();
            } else {
                state.sleeping += 1;
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.sleeping -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{AWAKE, Watched};

    #[test]
    fn who_waits_long_is_woken() {
        for delay in [Duration::ZERO, AWAKE * 20] {
            let watched = Watched::new(None);
            std::thread::scope(|scope| {
                let waiting = scope.spawn(|| watched.wait_for(Option::take));
                std::thread::sleep(delay);
                watched.change(|value| *value = Some(7));
                assert_eq!(waiting.join().unwrap(), 7);
            });
            assert_eq!(watched.state.lock().sleeping, 0);
        }
    }
}
