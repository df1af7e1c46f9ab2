//! When the kernels of a program ran.

use std::time::{Duration, Instant};

use dl_runtime::kernels::{Run, record};

/// Shortest time, fewest and most calls that are measured after the first one.
const MEASURE: Duration = Duration::from_millis(500);
const MIN_CALLS: usize = 3;
const MAX_CALLS: usize = 1000;

/// One call of the program.
pub(crate) struct CallTimes {
    /// When it began, and how long it took.
    pub(crate) begin: Instant,
    pub(crate) time: Duration,
    /// The runs of its kernels, in the order of their ends.
    pub(crate) runs: Vec<Run>,
}

/// Some calls.
pub(crate) struct Times {
    pub(crate) calls: Vec<CallTimes>,
    /// Runs of kernels that were too many to be kept.
    pub(crate) dropped: usize,
}

/// Calls the program once, then for half a second at most `most` times.
pub(crate) fn measure(most: usize, call: &mut dyn FnMut()) -> Times {
    call();
    let start = Instant::now();
    let mut times = Times { calls: Vec::new(), dropped: 0 };
    while times.calls.len() < MIN_CALLS.min(most)
        || (start.elapsed() < MEASURE && times.calls.len() < most.min(MAX_CALLS))
    {
        let begin = Instant::now();
        let (runs, dropped) = record(&mut *call);
        times.calls.push(CallTimes { begin, time: begin.elapsed(), runs });
        times.dropped += dropped;
    }
    times
}

impl Times {
    /// How often kernel `number` runs in a call.
    pub(crate) fn runs(&self, number: usize) -> usize {
        let of_call =
            |call: &CallTimes| call.runs.iter().filter(|run| usize::try_from(run.kernel) == Ok(number)).count();
        self.calls.first().map_or(0, of_call)
    }

    /// The median over all calls of the time that kernel `number` takes in one.
    pub(crate) fn of_kernel(&self, number: usize) -> Duration {
        let of_call = |call: &CallTimes| {
            let runs = call.runs.iter().filter(|run| usize::try_from(run.kernel) == Ok(number));
            runs.map(|run| run.end.duration_since(run.begin)).sum()
        };
        median(self.calls.iter().map(of_call).collect())
    }

    /// The median time of a call.
    pub(crate) fn of_call(&self) -> Duration {
        median(self.calls.iter().map(|call| call.time).collect())
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_calls() {
        let now = Instant::now();
        let at = |millis: u64| now + Duration::from_millis(millis);
        let run = |kernel, begin, end| Run { kernel, begin: at(begin), end: at(end) };
        let call = |time, runs| CallTimes { begin: now, time: Duration::from_millis(time), runs };
        let calls = vec![
            call(9, vec![run(0, 0, 1), run(1, 1, 4), run(0, 4, 6)]),
            call(7, vec![run(0, 0, 2), run(1, 2, 3), run(0, 3, 4)]),
            call(8, vec![run(0, 0, 3), run(1, 3, 5), run(0, 5, 8)]),
        ];
        let times = Times { calls, dropped: 0 };
        assert_eq!((times.runs(0), times.runs(1), times.runs(2)), (2, 1, 0));
        let millis = |time: Duration| time.as_millis();
        assert_eq!((millis(times.of_kernel(0)), millis(times.of_kernel(1)), millis(times.of_call())), (3, 2, 8));
        assert_eq!(measure(2, &mut || ()).calls.len(), 2);
    }
}
