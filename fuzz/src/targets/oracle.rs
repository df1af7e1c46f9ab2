//! The target `oracle`: what passes may not change.

use dl_ir::pass::{RunOptions, parse_pipeline};
use dl_oracle::{Oracle, Summary};

use super::{Checked, Finding, parse_verified, passes};
use crate::Lab;

/// How many inputs each function runs on.
const INPUTS: u64 = 8;

/// The passes of the pipeline line leave what public functions do as it was.
pub(super) fn run(lab: &mut Lab, input: &[u8]) -> Checked {
    judge(lab, input).map(|_| ())
}

/// As the target, and how much could be judged.
///
/// # Errors
/// What a pass changes.
pub fn judge(lab: &mut Lab, input: &[u8]) -> Result<Summary, Finding> {
    let (bench, registry) = lab.bench(input);
    let cx = &bench.cx;
    let Some(steps) = passes::steps(input) else { return Ok(Summary::default()) };
    let text = format!("builtin.module({})", steps.join(","));
    let Ok(mut pipeline) = parse_pipeline(cx, registry, &text) else { return Ok(Summary::default()) };
    let Ok(mut module) = parse_verified(cx, input)? else { return Ok(Summary::default()) };
    let oracle = Oracle::new(INPUTS);
    let options = RunOptions { instrumentations: vec![Box::new(oracle.clone())], ..RunOptions::default() };
    pipeline.run(cx, &mut module, &options);
    match oracle.mismatches().into_iter().next() {
        None => Ok(oracle.summary()),
        Some(found) => {
            let [before, after] = &found.texts;
            let details = format!("pass '{}'\n{found}\nbefore:\n{before}\nafter:\n{after}", found.pass);
            Err(Finding::new("a pass changes what a function does", details))
        }
    }
}
