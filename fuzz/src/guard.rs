//! Panics as findings, and a limit to how long one input may take, for drivers without a fuzzing engine.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::targets::{Checked, Finding};

thread_local! {
    /// The first panic since `catch` was called: message and place. A pass manager catches panics too.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `check`; a panic in it, also one that is caught inside, is a finding that names its place. Panics are not printed.
///
/// # Errors
/// What `check` found, or the panic.
pub fn catch(check: impl FnOnce() -> Checked) -> Checked {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let watched = WATCHED.with_borrow(|watched| *watched);
            if watched {
                PANIC.with_borrow_mut(|panic| {
                    panic.get_or_insert_with(|| info.to_string());
                });
            } else {
                previous(info);
            }
        }));
    });
    PANIC.take();
    WATCHED.set(true);
    let result = catch_unwind(AssertUnwindSafe(check));
    WATCHED.set(false);
    match (PANIC.take(), result) {
        (Some(panic), _) => Err(Finding::new("a panic", panic)),
        (None, Ok(result)) => result,
        (None, Err(_)) => Err(Finding::new("a panic", "without a message")),
    }
}

thread_local! {
    /// Whether this thread is inside `catch`.
    static WATCHED: RefCell<bool> = const { RefCell::new(false) };
}

/// Ends the process when an input takes too long: a hang cannot be unwound.
pub struct Watchdog {
    beat: Option<Sender<String>>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    /// One that waits for `limit`, then calls `bite` with the name of the input, which should end the process.
    pub fn new(limit: Duration, bite: impl Fn(&str) + Send + 'static) -> Self {
        let (beat, beats) = channel::<String>();
        let thread = std::thread::spawn(move || {
            let mut current = String::new();
            loop {
                match beats.recv_timeout(limit) {
                    Ok(name) => current = name,
                    Err(RecvTimeoutError::Timeout) => bite(&current),
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
        });
        Self { beat: Some(beat), thread: Some(thread) }
    }

    /// Work on the input called `name` begins.
    pub fn begin(&self, name: String) {
        if let Some(beat) = &self.beat {
            // The other end lives as long as this one.
            let _ = beat.send(name);
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.beat = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_are_findings_also_when_they_are_caught() {
        let direct = catch(|| panic!("one"));
        assert!(direct.unwrap_err().to_string().contains("one"));
        let inner = catch(|| {
            let _ = catch_unwind(|| panic!("two"));
            Ok(())
        });
        assert!(inner.unwrap_err().to_string().contains("two"));
        assert!(catch(|| Ok(())).is_ok());
    }

    #[test]
    fn hangs_are_noticed() {
        let (bitten, wait) = channel();
        let dog = Watchdog::new(Duration::from_millis(20), move |name| {
            let _ = bitten.send(name.to_owned());
        });
        dog.begin("slow".to_owned());
        assert_eq!(wait.recv_timeout(Duration::from_secs(20)).as_deref(), Ok("slow"));
    }
}
