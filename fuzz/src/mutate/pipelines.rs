//! Texts of pass pipelines.

use dl_ir::pass::PassRegistry;
use fastrand::Rng;

use super::stock::Stock;
use super::{edits, fewer_than};

/// Operations that passes run on.
const ANCHORS: [&str; 4] = ["func.func", "builtin.module", "any", "llvm.func"];

/// What may stand in the braces after a pass.
const OPTIONS: [&str; 9] = [
    "max-iterations=1",
    "top-down=false region-simplify=aggressive",
    "bufferize-function-boundaries=true",
    "region-simplify=disabled",
    "index-bitwidth=32",
    "use-bare-ptr-memref-call-conv=1",
    "allow-unknown-ops copy-before-write",
    "max-num-rewrites=-1 max-iterations=1000000000000",
    "filter-dialects=arith,cf",
];

/// The inside of `builtin.module(...)`: some passes in some order.
pub(super) fn random(passes: &PassRegistry, rng: &mut Rng) -> String {
    let mut text = String::new();
    for i in 0..=fewer_than(6, rng) {
        if i > 0 {
            text.push(',');
        }
        text += &one(passes, rng);
    }
    text
}

fn one(passes: &PassRegistry, rng: &mut Rng) -> String {
    if rng.u8(..12) == 0 {
        let all = passes.pipelines();
        if let Some(pipeline) = rng.choice(all) {
            return pipeline.name.to_owned();
        }
    }
    let Some(pass) = rng.choice(passes.passes()) else { return String::new() };
    let options = if rng.u8(..6) == 0 { format!("{{{}}}", OPTIONS[rng.usize(..OPTIONS.len())]) } else { String::new() };
    match pass.info.anchor {
        Some(anchor) if anchor != "builtin.module" => format!("{anchor}({}{options})", pass.info.name),
        None if rng.u8(..4) == 0 => format!("func.func({}{options})", pass.info.name),
        _ => format!("{}{options}", pass.info.name),
    }
}

/// A new text made of `input`.
pub(super) fn mutate(input: &[u8], passes: &PassRegistry, stock: &Stock, rng: &mut Rng) -> Vec<u8> {
    match rng.u8(..8) {
        0 => edits::change_bytes(input, rng),
        1 => {
            let anchor = ANCHORS[rng.usize(..ANCHORS.len())];
            [anchor.as_bytes(), b"(", input, b")"].concat()
        }
        2 => format!("builtin.module({})", random(passes, rng)).into_bytes(),
        3 => {
            let at = rng.usize(..=input.len());
            [&input[..at], random(passes, rng).as_bytes(), &input[at..]].concat()
        }
        _ => edits::change_tokens(input, stock, rng),
    }
}
