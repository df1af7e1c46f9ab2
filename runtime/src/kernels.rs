//! When the kernels of a compiled program run.
//!
//! A program that was made to be timed says the number of each kernel when it begins and when it has ended. That costs two looks at the clock a kernel.
//! Nothing is kept unless someone [records].
//!
//! [records]: record

use std::cell::RefCell;
use std::time::Instant;

/// Most runs that are kept, 32 MiB of them.
const MOST: usize = 1 << 20;

/// One run of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// Its number.
    pub kernel: i64,
    /// When it began.
    pub begin: Instant,
    /// When it had ended.
    pub end: Instant,
}

/// What a thread has seen since it began to record.
#[derive(Default)]
struct Recorder {
    open: Vec<(i64, Instant)>,
    runs: Vec<Run>,
    dropped: usize,
}

thread_local! {
    static RECORDER: RefCell<Option<Recorder>> = const { RefCell::new(None) };
}

/// The runs of kernels that `call` makes on this thread, in the order in which they end, and the number of those beyond the first million, which
/// are not kept. Kernels begin and end on the thread that calls a program, whatever threads they have work for.
pub fn record(call: impl FnOnce()) -> (Vec<Run>, usize) {
    RECORDER.set(Some(Recorder::default()));
    call();
    RECORDER.take().map_or((Vec::new(), 0), |recorder| (recorder.runs, recorder.dropped))
}

/// A kernel begins.
extern "C" fn begin(kernel: i64) {
    RECORDER.with_borrow_mut(|recorder| {
        if let Some(recorder) = recorder {
            recorder.open.push((kernel, Instant::now()));
        }
    });
}

/// A kernel has ended. One that has not begun is nothing.
extern "C" fn end(kernel: i64) {
    let end = Instant::now();
    RECORDER.with_borrow_mut(|recorder| {
        let Some(recorder) = recorder else { return };
        let Some(at) = recorder.open.iter().rposition(|(open, _)| *open == kernel) else { return };
        let (_, begin) = recorder.open[at];
        recorder.open.truncate(at);
        if recorder.runs.len() < MOST {
            recorder.runs.push(Run { kernel, begin, end });
        } else {
            recorder.dropped += 1;
        }
    });
}

/// The functions by the names under which compiled programs know them.
pub(crate) fn symbols() -> [(&'static str, usize); 2] {
    [("dl_kernel_begin", begin as extern "C" fn(i64) as usize), ("dl_kernel_end", end as extern "C" fn(i64) as usize)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_recorded_while_they_are_asked_for() {
        begin(7);
        let (runs, dropped) = record(|| {
            // Began before, or never.
            end(7);
            begin(1);
            begin(2);
            end(2);
            end(1);
            begin(2);
            end(2);
        });
        let kernels: Vec<i64> = runs.iter().map(|run| run.kernel).collect();
        assert_eq!((&kernels[..], dropped), (&[2, 1, 2][..], 0));
        assert!(runs[1].begin <= runs[0].begin && runs[0].end <= runs[1].end && runs[1].end <= runs[2].begin);
        begin(1);
        assert!(record(|| end(1)).0.is_empty());
    }

    #[test]
    fn what_does_not_end_is_no_run() {
        let (runs, _) = record(|| {
            begin(1);
            begin(2);
            end(1);
            end(2);
        });
        assert_eq!(runs.iter().map(|run| run.kernel).collect::<Vec<_>>(), [1]);
    }
}
