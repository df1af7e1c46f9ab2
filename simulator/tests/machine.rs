//! Descriptions: the examples, and what is said of wrong ones.

mod support;

use dl_simulator::Machine;
use dl_simulator::machine::{Dataflow, MemoryKind};
use support::{TINY, target, tiny};

#[test]
fn examples_are_read() {
    let machine = target("edge-8.toml");
    let unit = machine.matrix.as_ref().unwrap();
    assert_eq!((unit.rows, unit.columns, unit.dataflow, unit.limits()), (8, 8, Dataflow::WeightStationary, [64, 8, 8]));
    assert_eq!(machine.memories[unit.lhs].size, 32 << 10);
    assert_eq!(target("tile-16.toml").dma.engines, 2);
    assert_eq!(target("matrix-128.toml").memories.len(), 4);
    let machine = target("mesh-4.toml");
    assert_eq!((machine.cores.count(), machine.cores.hops(3)), (4, 2));
    assert_eq!(machine.matrix.as_ref().unwrap().limits(), [8, 8, 1024]);
    assert_eq!(machine.memories.iter().filter(|memory| memory.kind == MemoryKind::Dram).count(), 1);
}

#[test]
fn defaults() {
    let machine = tiny(&[]);
    assert_eq!((machine.cores.count(), machine.queues.depth, machine.queues.issue_interval), (1, [16; 3], 1));
    let scratchpad = &machine.memories[1];
    assert_eq!((scratchpad.bank(255), scratchpad.bank(256), scratchpad.burst), (0, 1, 1));
}

#[test]
fn banks_may_be_interleaved() {
    let machine = tiny(&[("banks = 4", "banks = 4\ninterleave = 16")]);
    let banks: Vec<u32> = [0, 15, 16, 63, 64].into_iter().map(|offset| machine.memories[1].bank(offset)).collect();
    assert_eq!(banks, [0, 0, 1, 3, 0]);
}

/// The message for the tiny machine with a change.
#[track_caller]
fn error(from: &str, to: &str) -> String {
    assert!(TINY.contains(from));
    Machine::parse(&TINY.replacen(from, to, 1)).expect_err("the description is wrong").to_string()
}

#[test]
fn wrong_values_are_named() {
    assert_eq!(
        error("rows = 4", "rows = 0"),
        "30:8: error: field 'matrix.rows': expected an integer from 1 to 4096, but got 0"
    );
    assert_eq!(
        error("size = 512", "size = \"512 KB\""),
        "24:8: error: field 'memory[2].size': expected bytes from 1 B to 1 GiB, as a number or as in \"32 KiB\", but got \"512 KB\""
    );
    assert_eq!(
        error("\"weight-stationary\"", "\"row-stationary\""),
        "32:12: error: field 'matrix.dataflow': expected 'weight-stationary' or 'output-stationary', but got \"row-stationary\""
    );
    assert_eq!(
        error("\"i8*i8->i32\"", "\"i8*i8->f32\""),
        "34:10: error: field 'matrix.types': expected types as in \"i8*i8->i32\" or \"bf16*bf16->f32\", integers to i32 and floats to f32, but got \"i8*i8->f32\""
    );
    assert_eq!(
        error("accumulator = \"acc\"", "accumulator = \"dram\""),
        "37:15: error: field 'matrix.accumulator': expected a memory inside the core, 'sp' or 'acc', but got \"dram\""
    );
    assert_eq!(
        error("double-buffered = true", "double-buffered = 1"),
        "33:19: error: field 'matrix.double-buffered': expected true or false, but got 1"
    );
    assert_eq!(
        error("banks = 4", "banks = 3"),
        "12:1: error: expected a size that is a multiple of 3, banks times interleave, but got 1024"
    );
    assert_eq!(
        error("alignment = 4", "alignment = 12"),
        "12:1: error: expected an alignment that is a power of two, but got 12"
    );
}

#[test]
fn unknown_and_missing_fields_are_named() {
    assert_eq!(
        error("latency = 20", "latancy = 20"),
        "10:1: error: unknown field 'memory[0].latancy', did you mean 'latency'?"
    );
    assert_eq!(error("[vector]", "[vektor]"), "39:2: error: unknown field 'vektor', did you mean 'vector'?");
    assert_eq!(
        error("clock-mhz = 100\n", ""),
        "1:1: error: missing field 'clock-mhz': expected an integer from 1 to 100000"
    );
    assert_eq!(error("mul = 2", "exq = 2"), "45:12: error: unknown field 'vector.cycles.exq', did you mean 'exp'?");
    assert_eq!(error("mul = 2", "neg = 2"), "45:10: error: field 'vector.cycles.neg': 'neg' is not among 'vector.ops'");
    assert_eq!(
        error("kind = \"dram\"", "kind = \"scratchpad\""),
        "1:1: error: expected one memory of kind 'dram', but got 0"
    );
    assert_eq!(
        error("name = \"acc\"", "name = \"sp\"").lines().next(),
        Some("22:8: error: a second memory with the name 'sp'")
    );
}

#[test]
fn all_errors_are_reported() {
    let text = TINY.replace("rows = 4", "rows = -1").replace("engines = 1", "engines = 1.5");
    let errors = Machine::parse(&text).unwrap_err().0;
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors[1].message.contains("'dma.engines'") && errors[1].message.contains("1.5"), "{errors:?}");
}

#[test]
fn what_is_not_toml_has_a_place() {
    let error = Machine::parse("name = \"x\"\nclock-mhz = = 3\n").unwrap_err();
    assert_eq!(error.0[0].line, 2, "{error}");
}
