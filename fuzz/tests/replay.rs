//! The fuzz targets for a moment, on every build: all seeds, and a fixed number of inputs mutated from them with fixed random numbers.
//!
//! The target `rewrites` has a test of its own, in `rewrites.rs`.
//!
//! A long run, guided by coverage, is `cargo xtask fuzz`. `docs/fuzzing.md` says what to do with a finding.

use std::fmt::Write as _;
use std::time::Duration;

use dl_fuzz::guard::{Watchdog, catch};
use dl_fuzz::mutate::Mutator;
use dl_fuzz::targets::Target;
use dl_fuzz::{Lab, corpus};
use fastrand::Rng;

/// Longest time for one input, on the slowest machine.
const LIMIT: Duration = Duration::from_mins(2);

/// Longest mutated input.
const MOST: usize = 1 << 13;

/// Runs the target called `name` on its seeds and on `mutated` inputs made of them.
fn replay(name: &str, mutated: usize) {
    let target = Target::find(name).unwrap();
    let seeds = corpus::seeds(name).unwrap();
    let dog = Watchdog::new(LIMIT, |input| {
        // A hang cannot be unwound; the name is all that can be said.
        let message = format!("fuzz input takes more than {} s: {input}\n", LIMIT.as_secs());
        let _ = std::io::Write::write_all(&mut std::io::stderr(), message.as_bytes());
        std::process::abort();
    });
    let mut lab = Lab::new();
    let mut failures = String::new();
    for seed in &seeds {
        dog.begin(seed.name.clone());
        if let Err(finding) = catch(|| target.run(&mut lab, &seed.bytes)) {
            let _ = writeln!(failures, "{}: {finding}\n", seed.name);
            lab = Lab::new();
        }
    }
    let mut mutator = Mutator::new(target.input, &seeds);
    for number in 0..mutated {
        let mut rng = Rng::with_seed(number as u64);
        let seed = &seeds[rng.usize(..seeds.len())];
        dog.begin(format!("{} with random numbers from {number}", seed.name));
        let mut input = seed.bytes.clone();
        let result = catch(|| {
            input = mutator.mutate(&input, MOST, &mut rng);
            target.run(&mut lab, &input)
        });
        if let Err(finding) = result {
            let text = String::from_utf8_lossy(&input);
            let _ = writeln!(failures, "{} with random numbers from {number}: {finding}\n{text}\n", seed.name);
            lab = Lab::new();
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn parse() {
    replay("parse", 1500);
}

#[test]
fn verify() {
    replay("verify", 1000);
}

#[test]
fn round_trip() {
    replay("round-trip", 500);
}

#[test]
fn bytecode() {
    replay("bytecode", 1000);
}

#[test]
fn passes() {
    replay("passes", 500);
}

#[test]
fn pipeline() {
    replay("pipeline", 1500);
}

#[test]
fn accelerator() {
    replay("accelerator", 3000);
}

#[test]
fn onnx() {
    replay("onnx", 1000);
}

#[test]
fn npy() {
    replay("npy", 3000);
}
