//! `--benchmark`: how long a call takes, how long compiling took, and how much memory the process needed.
//!
//! The arguments are laid out once. Calls that are not counted come first, until caches and clocks have settled; then calls are timed one
//! by one until the given time has passed and [`MIN_CALLS`] were made. A function that takes seconds is called once.

use std::fmt;
use std::time::{Duration, Instant};

use clap::ValueEnum;

/// Fewest calls that are timed, unless one takes longer than [`SLOW`].
const MIN_CALLS: usize = 5;
/// Most times that are kept: a million calls of a function that takes less than a microsecond say no more than these.
const MAX_CALLS: usize = 1_000_000;
/// Longest warm-up.
const WARM_UP: Duration = Duration::from_millis(300);
/// A call that takes longer is not repeated.
const SLOW: Duration = Duration::from_secs(2);

/// How results are written.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Format {
    /// A line for people.
    #[default]
    Console,
    /// One object with times in milliseconds and memory in MiB.
    Json,
}

/// What was measured.
pub(super) struct Report {
    /// Name of the function.
    pub(super) name: String,
    /// Most threads that a call may use.
    pub(super) threads: usize,
    /// From the parsed program to code that can be called.
    pub(super) compile: Duration,
    /// The part of that which the back end took.
    pub(super) back_end: Duration,
    /// Of each call, in their order.
    pub(super) times: Vec<Duration>,
    /// Most memory that the process has had in use, in bytes, where the system tells.
    pub(super) peak_rss: Option<u64>,
}

/// Times calls for at least `min_time`, after some that are not counted.
pub(super) fn measure(min_time: Duration, mut call: impl FnMut()) -> Vec<Duration> {
    let mut time = || {
        let start = Instant::now();
        call();
        start.elapsed()
    };
    let first = time();
    if first > SLOW {
        return vec![first];
    }
    let warm_up = Instant::now();
    while warm_up.elapsed() < WARM_UP.min(3 * first + Duration::from_millis(50)) {
        time();
    }
    let mut times = Vec::new();
    let start = Instant::now();
    while times.len() < MIN_CALLS || (start.elapsed() < min_time && times.len() < MAX_CALLS) {
        times.push(time());
    }
    times
}

/// Most physical memory that this process has had, in bytes, where the system tells.
pub(super) fn peak_rss() -> Option<u64> {
    peak_of_status(&std::fs::read_to_string("/proc/self/status").ok()?)
}

/// The peak in the text of `/proc/self/status`, in which it has a line as `VmHWM:     5124 kB`.
fn peak_of_status(status: &str) -> Option<u64> {
    let value = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = value.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
    kilobytes.checked_mul(1024)
}

impl Report {
    /// The report in this format, with the end of its last line.
    pub(super) fn format(&self, format: Format) -> String {
        match format {
            Format::Console => format!("{self}\n"),
            Format::Json => self.json(),
        }
    }

    fn json(&self) -> String {
        // A name may have any character. Those that JSON gives a meaning are escaped.
        let name = self.name.chars().flat_map(escape).collect::<String>();
        let peak = self.peak_rss.map_or_else(|| "null".to_owned(), |bytes| format!("{:.1}", mebibytes(bytes)));
        let (median, min) = (self.median(), self.min());
        format!(
            "{{\"name\": \"{name}\", \"threads\": {}, \"median_ms\": {}, \"min_ms\": {}, \"calls\": {}, \"compile_ms\": {}, \
             \"back_end_ms\": {}, \"peak_rss_mb\": {peak}}}\n",
            self.threads,
            millis(median),
            millis(min),
            self.times.len(),
            millis(self.compile),
            millis(self.back_end),
        )
    }

    fn min(&self) -> Duration {
        self.times.iter().copied().min().unwrap_or_default()
    }

    /// The middle one of the times, the longer of two in the middle.
    fn median(&self) -> Duration {
        let mut sorted = self.times.clone();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    }
}

/// `main: median 0.713 ms, min 0.702 ms of 840 calls on 1 thread; compiled in 48.1 ms, 12.5 ms of it in the back end; peak memory 143.0 MiB`.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let (calls, threads) = (self.times.len(), self.threads);
        write!(
            f,
            "{}: median {:.3} ms, min {:.3} ms of {calls} call{} on {threads} thread{}; compiled in {:.1} ms, {:.1} ms of it in the back end",
            self.name,
            self.median().as_secs_f64() * 1e3,
            self.min().as_secs_f64() * 1e3,
            plural(calls),
            plural(threads),
            self.compile.as_secs_f64() * 1e3,
            self.back_end.as_secs_f64() * 1e3,
        )?;
        match self.peak_rss {
            Some(bytes) => write!(f, "; peak memory {:.1} MiB", mebibytes(bytes)),
            None => Ok(()),
        }
    }
}

/// Milliseconds to the nanosecond.
fn millis(time: Duration) -> String {
    let nanos = time.as_nanos();
    format!("{}.{:06}", nanos / 1_000_000, nanos % 1_000_000)
}

#[expect(clippy::cast_precision_loss, reason = "memory is far from 2^53 bytes")]
fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// The character as it stands in a JSON string.
fn escape(c: char) -> impl Iterator<Item = char> {
    let escaped = match c {
        '"' | '\\' => format!("\\{c}"),
        c if u32::from(c) < 0x20 => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    };
    escaped.chars().collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let times = [4, 3, 9, 5].map(Duration::from_millis).to_vec();
        let (compile, back_end) = (Duration::from_micros(48_100), Duration::from_micros(12_500));
        Report { name: "a\"b".to_owned(), threads: 2, compile, back_end, times, peak_rss: Some(3 << 19) }
    }

    #[test]
    fn both_formats_tell_the_same() {
        let json = "{\"name\": \"a\\\"b\", \"threads\": 2, \"median_ms\": 5.000000, \"min_ms\": 3.000000, \"calls\": 4, \
                    \"compile_ms\": 48.100000, \"back_end_ms\": 12.500000, \"peak_rss_mb\": 1.5}\n";
        assert_eq!(report().format(Format::Json), json);
        let console = "a\"b: median 5.000 ms, min 3.000 ms of 4 calls on 2 threads; compiled in 48.1 ms, 12.5 ms of it in the back end; \
             peak memory 1.5 MiB\n";
        assert_eq!(report().format(Format::Console), console);
    }

    #[test]
    fn memory_that_the_system_does_not_tell_is_null() {
        let report = Report { peak_rss: None, ..report() };
        assert!(report.format(Format::Json).ends_with("\"peak_rss_mb\": null}\n"));
        assert!(report.format(Format::Console).ends_with("12.5 ms of it in the back end\n"));
    }

    #[test]
    fn the_peak_is_read_in_bytes() {
        assert_eq!(peak_of_status("Name:\tx\nVmHWM:\t    5124 kB\nVmRSS:\t 1 kB\n"), Some(5124 * 1024));
        assert_eq!(peak_of_status("Name:\tx\n"), None);
    }

    #[test]
    fn calls_are_warmed_up_and_counted() {
        let mut calls = 0;
        let times = measure(Duration::ZERO, || calls += 1);
        assert_eq!(times.len(), MIN_CALLS);
        assert!(calls > MIN_CALLS);
    }
}
