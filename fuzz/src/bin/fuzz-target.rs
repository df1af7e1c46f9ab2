//! A fuzz target under libFuzzer. The variable `FUZZ_TARGET` says which; `cargo xtask fuzz` builds and starts this.

#![no_main]
#![expect(clippy::print_stderr, reason = "libFuzzer shows what a target prints")]

use std::cell::RefCell;
use std::sync::OnceLock;

use dl_fuzz::mutate::Mutator;
use dl_fuzz::targets::Target;
use dl_fuzz::{Lab, corpus};
use fastrand::Rng;
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

thread_local! {
    static LAB: RefCell<Lab> = RefCell::new(Lab::new());
    static MUTATOR: RefCell<Option<Mutator>> = const { RefCell::new(None) };
}

fuzz_target!(|data: &[u8]| {
    let target = target();
    if let Err(finding) = LAB.with_borrow_mut(|lab| target.run(lab, data)) {
        eprintln!("finding: {finding}");
        std::process::abort();
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mutated = MUTATOR.with_borrow_mut(|mutator| {
        let mutator = mutator.get_or_insert_with(|| {
            let target = target();
            let seeds = corpus::seeds(target.name).expect("the seed corpus can be read");
            Mutator::new(target.input, &seeds)
        });
        mutator.mutate(&data[..size], max_size, &mut Rng::with_seed(u64::from(seed)))
    });
    data[..mutated.len()].copy_from_slice(&mutated);
    mutated.len()
});

/// The target that the environment names.
fn target() -> &'static Target {
    static TARGET: OnceLock<&'static Target> = OnceLock::new();
    TARGET.get_or_init(|| {
        #[expect(clippy::disallowed_methods, reason = "libFuzzer owns the command line")]
        let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
        Target::find(&name).unwrap_or_else(|| {
            eprintln!("FUZZ_TARGET names no fuzz target: '{name}'");
            std::process::exit(2);
        })
    })
}
