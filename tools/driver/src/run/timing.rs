//! How long a call takes.

use std::fmt;
use std::time::{Duration, Instant};

/// Times of calls, sorted.
pub(super) struct Times(Vec<Duration>);

/// Times `calls` calls, of which there is at least one.
pub(super) fn measure(calls: u32, mut call: impl FnMut()) -> Times {
    let time = |_| {
        let start = Instant::now();
        call();
        start.elapsed()
    };
    let mut times: Vec<Duration> = (0..calls.max(1)).map(time).collect();
    times.sort_unstable();
    Times(times)
}

/// `best 0.00336 s, median 0.00340 s of 200 calls`.
impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(times) = self;
        let (best, median) = (seconds(times[0]), seconds(times[times.len() / 2]));
        let plural = if times.len() == 1 { "" } else { "s" };
        write!(f, "best {best} s, median {median} s of {} call{plural}", times.len())
    }
}

/// With three digits that count.
fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let decimals = if seconds > 0.0 { (2.0 - seconds.log10().floor()).clamp(0.0, 11.0) } else { 0.0 };
    format!("{seconds:.*}", decimals as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_count() {
        let millis = |millis: u64| seconds(Duration::from_micros(millis));
        assert_eq!(millis(3360), "0.00336");
        assert_eq!(millis(12_345_678), "12.3");
        assert_eq!(seconds(Duration::from_nanos(150)), "0.000000150");
        assert_eq!(seconds(Duration::ZERO), "0");
    }

    #[test]
    fn best_and_median_are_told() {
        let times = Times(vec![Duration::from_micros(3360), Duration::from_micros(3400), Duration::from_millis(9)]);
        assert_eq!(times.to_string(), "best 0.00336 s, median 0.00340 s of 3 calls");
        assert_eq!(measure(3, || {}).0.len(), 3);
    }
}
