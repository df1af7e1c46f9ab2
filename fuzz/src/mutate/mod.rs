//! New inputs of old ones.
//!
//! Three kinds of changes, from blind to knowing: to bytes, to tokens and the brackets around them (`tokens`, `edits`), and to
//! the IR that the text stands for (`ir`), where operations are made from their definitions (`make_op`). The third keeps most inputs valid, so
//! it reaches what lies behind the verifier. All draw on a [`Stock`] taken from the seeds.
//!
//! The same input, stock and random numbers give the same output.

mod binary;
mod edits;
mod ir;
mod make_op;
mod pipelines;
pub(crate) mod small;
mod stock;
mod tokens;

use dl_ir::bytecode::is_bytecode;
use dl_simulator::Program;
use fastrand::Rng;

pub use self::stock::Stock;
use crate::Lab;
use crate::corpus::{PIPELINE, Seed};
use crate::targets::Input;

/// Makes inputs of one kind.
pub struct Mutator {
    kind: Input,
    stock: Stock,
    /// For changes to IR: apart from the one that inputs are run in, which may be in use.
    lab: Lab,
}

impl Mutator {
    /// One that makes inputs as `kind` says, from parts of `seeds`.
    pub fn new(kind: Input, seeds: &[Seed]) -> Self {
        let mut lab = Lab::new();
        let stock = Stock::new(&mut lab, seeds);
        Self { kind, stock, lab }
    }

    /// A new input of at most `most` bytes, made of `input` with the random numbers of `rng`.
    pub fn mutate(&mut self, input: &[u8], most: usize, rng: &mut Rng) -> Vec<u8> {
        let mut output = match self.kind {
            Input::Pipeline => pipelines::mutate(input, self.lab.passes(), &self.stock, rng),
            Input::Ir => self.mutate_ir(input, rng),
            Input::Bytecode => self.mutate_bytecode(input, rng),
            Input::IrWithPipeline => self.mutate_with_pipeline(input, rng),
            Input::Accelerator => self.mutate_accelerator(input, rng),
            Input::Binary => self.mutate_binary(input, rng),
        };
        output.truncate(most);
        output
    }

    fn mutate_with_pipeline(&mut self, input: &[u8], rng: &mut Rng) -> Vec<u8> {
        let (pipeline, ir) = match input.strip_prefix(PIPELINE.as_bytes()) {
            Some(rest) => {
                let end = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                (rest[..end].to_vec(), rest.get(end + 1..).unwrap_or_default())
            }
            None => (Vec::new(), input),
        };
        let mut changed = pipeline.clone();
        if pipeline.is_empty() || rng.u8(..8) == 0 {
            changed = pipelines::random(self.lab.passes(), rng).into_bytes();
        }
        let ir = if changed == pipeline || rng.bool() { self.mutate_ir(ir, rng) } else { ir.to_vec() };
        let mut output = PIPELINE.as_bytes().to_vec();
        output.extend(changed);
        output.push(b'\n');
        output.extend(ir.strip_prefix(b"// pipeline:").unwrap_or(&ir));
        output
    }

    fn mutate_bytecode(&mut self, input: &[u8], rng: &mut Rng) -> Vec<u8> {
        if is_bytecode(input) && rng.u8(..64) != 0 {
            return binary::change(input, rng);
        }
        let text = if is_bytecode(input) { self.stock.donor(rng).to_vec() } else { self.mutate_ir(input, rng) };
        match binary::of_text(&mut self.lab, &text, rng) {
            Some(bytes) if rng.bool() => binary::change(&bytes, rng),
            Some(bytes) if rng.bool() => bytes,
            _ => text,
        }
    }

    fn mutate_accelerator(&mut self, input: &[u8], rng: &mut Rng) -> Vec<u8> {
        if Program::is_binary(input) {
            return binary::change(input, rng);
        }
        let changed =
            if rng.bool() { edits::change_tokens(input, &self.stock, rng) } else { edits::change_bytes(input, rng) };
        match std::str::from_utf8(input).ok().and_then(|text| Program::from_text(text).ok()) {
            Some(program) if rng.bool() => binary::change(&program.to_bytes(), rng),
            _ => changed,
        }
    }

    /// Changes bytes; now and then puts a run of another file in, or begins with another one.
    fn mutate_binary(&self, input: &[u8], rng: &mut Rng) -> Vec<u8> {
        let donor = self.stock.donor(rng);
        match rng.u8(..16) {
            0 => edits::change_bytes(donor, rng),
            1..=3 if !donor.is_empty() => {
                let start = rng.usize(..donor.len());
                let end = donor.len().min(start + 1 + fewer_than(256, rng));
                let (mut output, at) = (input.to_vec(), rng.usize(..=input.len()));
                output.splice(at..at, donor[start..end].iter().copied());
                output
            }
            4..=7 => edits::change_bytes(input, rng),
            _ => binary::change(input, rng),
        }
    }

    fn mutate_ir(&mut self, input: &[u8], rng: &mut Rng) -> Vec<u8> {
        if input.len() < 4 || rng.u8(..64) == 0 {
            return self.stock.donor(rng).to_vec();
        }
        match rng.u8(..8) {
            0 => edits::change_bytes(input, rng),
            1..=3 => edits::change_tokens(input, &self.stock, rng),
            _ => {
                let changed = ir::mutate(&mut self.lab, input, &self.stock, rng);
                changed.unwrap_or_else(|| edits::change_tokens(input, &self.stock, rng))
            }
        }
    }
}

/// A number below `most`, small ones more often.
fn fewer_than(most: usize, rng: &mut Rng) -> usize {
    let most = rng.usize(1..=most);
    rng.usize(..most)
}
