//! The targets `parse` and `verify`.

use dl_ir::verify::verify_with;

use super::{Checked, Finding, parse as parse_text, rejection};
use crate::Lab;

/// Any bytes give IR or an error.
pub(super) fn parse(lab: &mut Lab, input: &[u8]) -> Checked {
    let (bench, _) = lab.bench(input);
    parse_text(&bench.cx, input).map(|_| ())
}

/// Whatever parses is verified, or rejected with the same errors for any number of threads.
pub(super) fn verify(lab: &mut Lab, input: &[u8]) -> Checked {
    let (bench, _) = lab.bench(input);
    let cx = &bench.cx;
    let Ok(module) = parse_text(cx, input)? else { return Ok(()) };
    let verdict = |parallel| match verify_with(cx, &module, parallel) {
        Ok(()) => Ok(String::new()),
        Err(errors) => rejection(cx, "the verifier", &errors),
    };
    let (alone, together) = (verdict(false)?, verdict(true)?);
    if alone == together {
        Ok(())
    } else {
        Err(Finding::new("messages depend on threads", format!("one:\n{alone}\nmany:\n{together}")))
    }
}
