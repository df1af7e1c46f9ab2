//! What a process cost, from outside.

use std::cmp::Ordering;
use std::io;
use std::iter;
use std::path::Path;
use std::process::{self, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use wait4::Wait4 as _;

/// The cost of one process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// From start to end.
    pub wall: Duration,
    /// Of all its threads, in user and system mode.
    pub cpu: Duration,
    /// Peak of resident memory, in bytes.
    pub peak: u64,
}

/// Runs `tool`, in so many processes at once, with standard output thrown away: the cost of the last one to end.
///
/// # Errors
/// If one of them cannot be started or fails.
fn run((tool, args, processes): &Command<'_>) -> Result<Cost> {
    let start = Instant::now();
    let spawn = || {
        process::Command::new(tool).args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
    };
    let children: Vec<_> = iter::repeat_with(spawn).take(*processes).collect::<io::Result<_>>()?;
    let mut cost = None;
    for child in children {
        let used = child.wait4()?;
        ensure!(used.status.success(), "{} {} failed: {}", tool.display(), args.join(" "), used.status);
        let cpu = used.rusage.utime + used.rusage.stime;
        cost = Some(Cost { wall: start.elapsed(), cpu, peak: used.rusage.maxrss });
    }
    cost.context("no process")
}

/// A tool, its arguments, and how many processes of it run at once.
pub(crate) type Command<'a> = (&'a Path, Vec<&'a str>, usize);

/// The runs of one command, one a round.
pub(crate) struct Runs(Vec<Cost>);

/// Runs every command `rounds` times, one of each in turn so that all see the same machine.
///
/// # Errors
/// If a process fails.
pub(crate) fn interleaved(commands: &[Command<'_>], rounds: usize) -> Result<Vec<Runs>> {
    let mut runs: Vec<_> = commands.iter().map(|_| Runs(Vec::with_capacity(rounds))).collect();
    for _ in 0..rounds {
        for (command, runs) in commands.iter().zip(&mut runs) {
            runs.0.push(run(command)?);
        }
    }
    Ok(runs)
}

impl Runs {
    /// The median of each figure.
    pub(crate) fn median(&self) -> Cost {
        Cost { wall: self.middle(|c| c.wall), cpu: self.middle(|c| c.cpu), peak: self.middle(|c| c.peak) }
    }

    /// The mean of each round's run here and in `other`.
    pub(crate) fn mean(&self, other: &Self) -> Self {
        let mean = |(a, b): (&Cost, &Cost)| Cost {
            wall: (a.wall + b.wall) / 2,
            cpu: (a.cpu + b.cpu) / 2,
            peak: u64::midpoint(a.peak, b.peak),
        };
        Self(self.0.iter().zip(&other.0).map(mean).collect())
    }

    /// The median over the rounds of `figure` here over that of `other`: the machine may change its speed between two rounds.
    pub(crate) fn over(&self, other: &Self, figure: impl Fn(&Cost) -> Duration) -> f64 {
        let ratio = |(a, b): (&Cost, &Cost)| figure(a).as_secs_f64() / figure(b).as_secs_f64();
        median(self.0.iter().zip(&other.0).map(ratio), f64::total_cmp)
    }

    /// The least of `figure`: what a run costs that nothing else disturbs.
    pub(crate) fn least(&self, figure: impl Fn(&Cost) -> Duration) -> Duration {
        self.0.iter().map(figure).min().unwrap_or_default()
    }

    fn middle<T: Ord>(&self, figure: impl Fn(&Cost) -> T) -> T {
        median(self.0.iter().map(figure), T::cmp)
    }
}

/// The middle of `values`; of an even number, the upper one.
fn median<T>(values: impl Iterator<Item = T>, order: impl FnMut(&T, &T) -> Ordering) -> T {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable_by(order);
    values.swap_remove(values.len() / 2)
}
