//! Bytecode: texts written as such, and changes to its bytes.

use dl_ir::bytecode::{WriteOptions, write_bytecode};
use dl_ir::{OpRef, text::parse_source};
use fastrand::Rng;

use super::{edits, fewer_than};
use crate::Lab;

/// The bytecode of a text; `None` when it does not parse.
pub(super) fn of_text(lab: &mut Lab, text: &[u8], rng: &mut Rng) -> Option<Vec<u8>> {
    let (bench, _) = lab.bench(text);
    let source = bench.cx.add_source("input.mlir", text);
    let module = parse_source(&bench.cx, &source).ok()?.module;
    let options = WriteOptions { version: rng.u32(..=dl_ir::bytecode::VERSION), ..WriteOptions::default() };
    let mut bytes = Vec::new();
    write_bytecode(OpRef::root(&bench.cx, &module), &[], &options, &mut bytes).ok()?.ok()?;
    Some(bytes)
}

/// `input`, mostly after its magic number, with bytes and runs of bytes changed, moved, repeated or dropped.
pub(super) fn change(input: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut out = input.to_vec();
    for _ in 0..=fewer_than(6, rng) {
        if out.len() < 6 {
            return out;
        }
        let at = rng.usize(4..out.len());
        let run = at..out.len().min(at + 1 + fewer_than(16, rng));
        match rng.u8(..8) {
            0 => out = edits::change_bytes(&out, rng),
            // Most numbers are one byte with the low bit set; the next one is often as valid.
            1 => out[at] = out[at].wrapping_add(2),
            2 => out[at] = out[at].wrapping_sub(2),
            3 => out[at] = rng.choice([0, 1, 3, 0x7F, 0x80, 0xFE, 0xFF]).unwrap_or(0),
            4 => drop(out.drain(run)),
            5 => {
                let copy = out[run].to_vec();
                let to = rng.usize(4..=out.len());
                out.splice(to..to, copy);
            }
            6 => {
                let from = rng.usize(4..out.len());
                let to = rng.usize(4..out.len());
                out.swap(from, to);
            }
            _ => {
                let byte = out[at];
                out.splice(run, std::iter::repeat_n(byte, fewer_than(64, rng)));
            }
        }
    }
    out
}
