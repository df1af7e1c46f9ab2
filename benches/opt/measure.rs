//! What a process cost, from outside.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
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

/// Runs `tool` once with standard output thrown away.
///
/// # Errors
/// If it cannot be started or fails.
pub(crate) fn run(tool: &Path, args: &[&str]) -> Result<Cost> {
    let start = Instant::now();
    let child =
        Command::new(tool).args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let used = child.wait4()?;
    let wall = start.elapsed();
    ensure!(used.status.success(), "{} {} failed: {}", tool.display(), args.join(" "), used.status);
    Ok(Cost { wall, cpu: used.rusage.utime + used.rusage.stime, peak: used.rusage.maxrss })
}

/// The median of each figure over `rounds` runs of every command, one of each in turn so that all see the same machine.
///
/// # Errors
/// If a process fails.
pub(crate) fn interleaved(commands: &[(&Path, Vec<&str>)], rounds: usize) -> Result<Vec<Cost>> {
    let mut runs = vec![Vec::with_capacity(rounds); commands.len()];
    for _ in 0..rounds {
        for ((tool, args), costs) in commands.iter().zip(&mut runs) {
            costs.push(run(tool, args)?);
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
