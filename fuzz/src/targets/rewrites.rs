//! The target `rewrites`: what rewrites may not change.

use dl_ir::OpRef;
use dl_ir::text::{PrintOptions, print_op};

use super::{Checked, Finding, parse_verified};
use crate::Lab;
use crate::judge::Judge;

/// How many inputs each function runs on.
const INPUTS: u64 = 16;

/// Each fold and pattern that applies to a function of the input leaves what it does as it was.
pub(super) fn run(lab: &mut Lab, input: &[u8]) -> Checked {
    let (bench, _) = lab.bench(input);
    let Ok(mut module) = parse_verified(&bench.cx, input)? else { return Ok(()) };
    // The form that people read leaves out regions that the name of an operation determines: they are then what they should be.
    let mut text = Vec::new();
    if print_op(OpRef::root(&bench.cx, &module), &PrintOptions::default(), &mut text).is_err() {
        return Ok(());
    }
    let Ok(again) = parse_verified(&bench.cx, &text)? else { return Ok(()) };
    module = again;
    let mut judge = Judge::new(&bench.cx, INPUTS);
    judge.check(&mut module);
    match judge.report.wrong.first() {
        Some(wrong) => Err(Finding::new("a rewrite changes what a function does", wrong.to_string())),
        None => Ok(()),
    }
}
