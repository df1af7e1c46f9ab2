//! What a process cost, from outside.

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

/// The median of each figure over `rounds` runs of every command, one of each in turn so that all see the same machine.
///
/// # Errors
/// If a process fails.
pub(crate) fn interleaved(commands: &[Command<'_>], rounds: usize) -> Result<Vec<Cost>> {
    let mut runs = vec![Vec::with_capacity(rounds); commands.len()];
    for _ in 0..rounds {
        for (command, costs) in commands.iter().zip(&mut runs) {
            costs.push(run(command)?);
        }
    }
    Ok(runs.iter().map(|costs| median(costs)).collect())
}

fn median(costs: &[Cost]) -> Cost {
    fn middle<T: Ord + Copy>(costs: &[Cost], figure: impl Fn(&Cost) -> T) -> T {
        let mut figures: Vec<T> = costs.iter().map(figure).collect();
        figures.sort_unstable();
        figures[figures.len() / 2]
    }
    Cost { wall: middle(costs, |c| c.wall), cpu: middle(costs, |c| c.cpu), peak: middle(costs, |c| c.peak) }
}
