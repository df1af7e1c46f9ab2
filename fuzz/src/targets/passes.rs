//! The target `passes`: pipelines on verified IR.

use dl_ir::pass::{RunOptions, parse_pipeline};
use dl_ir::verify;

use super::{Checked, Finding, parse_verified, rejection, rendered, round_trip};
use crate::Lab;
use crate::corpus::PIPELINE;

/// What runs when the input does not say.
const DEFAULT: &str = "canonicalize,cse";

/// Most passes that are run: the rest of a longer pipeline is left out.
const MOST: usize = 16;

/// The passes of the pipeline line, one by one, succeed or report an error; what they leave behind verifies, and in the end it
/// round-trips.
pub(super) fn run(lab: &mut Lab, input: &[u8]) -> Checked {
    let (bench, passes) = lab.bench(input);
    let cx = &bench.cx;
    let Some(steps) = steps(input) else { return Ok(()) };
    let mut managers = Vec::new();
    for step in &steps {
        match parse_pipeline(cx, passes, &format!("builtin.module({step})")) {
            Ok(pm) => managers.push(pm),
            Err(_) => return Ok(()),
        }
    }
    let Ok(mut module) = parse_verified(cx, input)? else { return Ok(()) };
    let options = RunOptions { verify: false, ..RunOptions::default() };
    for (pm, step) in managers.iter_mut().zip(&steps) {
        let outcome = pm.run(cx, &mut module, &options);
        let messages = rendered(cx, &outcome.diagnostics)?;
        if messages.contains("crashed: ") {
            return Err(Finding::new("a pass crashes", format!("{step}: {messages}")));
        }
        if outcome.failed {
            rejection(cx, step, &outcome.diagnostics)?;
            return Ok(());
        }
        if let Err(errors) = verify::verify(cx, &module) {
            let messages = rejection(cx, "the verifier", &errors)?;
            if is_partial_lowering(step, &messages) {
                return Ok(());
            }
            return Err(Finding::new("the result of a pass does not verify", format!("{step}: {messages}")));
        }
    }
    round_trip::check(cx, &module)
}

/// Whether `step` has done what it was asked for, and the program does not allow it. Upstream's verifier objects as well.
fn is_partial_lowering(step: &str, messages: &str) -> bool {
    // Uses of symbols that fit only when the other functions are converted too.
    let other_symbol = ["does not reference a valid", "must reference a global defined by"];
    let some_functions = step.contains('(') && other_symbol.iter().any(|message| messages.contains(message));
    // Branches in a region that must stay a single block, of an operation that is not lowered.
    let single_block = ["to have 0 or 1 blocks", "region with at most 1 blocks"];
    let in_single_block = single_block.iter().any(|message| messages.contains(message));
    // Bounds that were affine before the operations that computed them were lowered.
    let is_affine_no_more = messages.contains("operand cannot be used as a ");
    // Attributes that a schedule gives to the module.
    let is_annotated =
        step.contains("transform") && messages.contains("can only contain attributes with dialect-prefixed names");
    // Bodies of products, of which the operations around are not lowered.
    let of_product = messages.contains("expected add/mul op in the body");
    let is_lowered_inside = of_product && ["-to-", "lowering"].iter().any(|word| step.contains(word));
    some_functions || in_single_block || is_affine_no_more || is_annotated || is_lowered_inside
}

/// The parts of the pipeline of `input`.
pub(super) fn steps(input: &[u8]) -> Option<Vec<String>> {
    let line = input.split(|&b| b == b'\n').next().unwrap_or_default();
    let text = match line.strip_prefix(PIPELINE.as_bytes()) {
        Some(text) => std::str::from_utf8(text).ok()?,
        None => DEFAULT,
    };
    let (mut steps, mut depth) = (vec![String::new()], 0_i32);
    for c in text.trim().chars() {
        depth += i32::from(matches!(c, '(' | '{')) - i32::from(matches!(c, ')' | '}'));
        match (c, depth) {
            (',', 0) => steps.push(String::new()),
            _ => steps.last_mut()?.push(c),
        }
    }
    steps.truncate(MOST);
    Some(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pipelines_come_apart() {
        let input = b"// pipeline: cse,func.func(a,b{x=1,y}),c\nrest, of it\n";
        assert_eq!(steps(input).unwrap(), ["cse", "func.func(a,b{x=1,y})", "c"]);
        assert_eq!(steps(b"anything\n").unwrap(), ["canonicalize", "cse"]);
    }
}
