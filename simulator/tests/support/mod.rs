//! What the tests share: machines and programs.

#![allow(dead_code, reason = "each test uses a part of this")]

use std::fs;
use std::path::Path;

use dl_simulator::{Machine, Program};

/// A small machine: its numbers are easy to calculate with. `change` replaces parts of the text.
pub(crate) fn tiny(changes: &[(&str, &str)]) -> Machine {
    let mut text = TINY.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "no '{from}' in the description");
        text = text.replace(from, to);
    }
    Machine::parse(&text).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Memories `sp` of four banks of 256 bytes and `acc`, an array of 4 x 4, 4 lanes, one engine.
pub(crate) const TINY: &str = r#"
name = "tiny"
clock-mhz = 100

[[memory]]
name = "dram"
kind = "dram"
size = "64 KiB"
bandwidth = 8
latency = 20

[[memory]]
name = "sp"
kind = "scratchpad"
size = 1024
bandwidth = 16
latency = 2
alignment = 4
banks = 4

[[memory]]
name = "acc"
kind = "accumulator"
size = 512
bandwidth = 64
latency = 3
alignment = 16

[matrix]
rows = 4
columns = 4
dataflow = "weight-stationary"
double-buffered = true
types = ["i8*i8->i32", "bf16*bf16->f32", "f32*f32->f32"]
lhs = "sp"
rhs = "sp"
accumulator = "acc"

[vector]
lanes = 4
latency = 5
types = ["i8", "ui8", "i32", "bf16", "f32"]
ops = ["add", "sub", "mul", "max", "copy", "relu", "exp", "div", "sigmoid", "gelu", "rsqrt", "reduce-sum", "reduce-max", "requantize", "dequantize", "pool-max", "pool-average"]
memories = ["sp", "acc"]
cycles = { mul = 2 }

[dma]
engines = 1
bandwidth = 8
startup = 10
dimensions = 3
transpose = true
pad = true
"#;

/// A program in text.
pub(crate) fn program(text: &str) -> Program {
    Program::from_text(text).unwrap_or_else(|error| panic!("{error}"))
}

/// A description among the examples.
pub(crate) fn target(name: &str) -> Machine {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("targets").join(name);
    let text = fs::read_to_string(&file).unwrap();
    Machine::parse(&text).unwrap_or_else(|errors| panic!("{name}: {errors}"))
}
