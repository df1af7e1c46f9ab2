//! What a machine traps: found before a program runs, but for reads of what was never written.

mod support;

use dl_runtime::Array;
use dl_simulator::{Machine, Simulation};
use support::{program, tiny};

const HEADER: &str = "program p\nmemory sp\nmemory acc\nbuffer x input i8[64]\nbuffer y output i8[64]\ncore 0\n";

fn fault_on(machine: &Machine, body: &str) -> String {
    let program = program(&format!("{HEADER}{body}\n"));
    match Simulation::new(machine, &program) {
        Ok(_) => String::new(),
        Err(fault) => fault.to_string(),
    }
}

#[track_caller]
fn expect(body: &str, message: &str) {
    let fault = fault_on(&tiny(&[]), body);
    assert_eq!(fault, message);
}

#[test]
fn bounds_and_alignment() {
    expect(
        "load i8[1x1x64] sp+992[0,0,1] from x+0[0,0,1]",
        "core 0, instruction 0: load: destination: out of bounds: bytes 992 to 1056 of 'sp', which has 1024",
    );
    expect(
        "load i8[1x2x32] sp+0[0,32,1] from x+0[0,40,1]",
        "core 0, instruction 0: load: source: out of bounds: bytes 0 to 72 of 'x', which has 64",
    );
    expect(
        "load i8[1x1x8] sp+2[0,0,1] from x+0[0,0,1]",
        "core 0, instruction 0: load: destination: expected an address that is a multiple of 4 in 'sp', but got 2",
    );
    expect(
        "load i8[1x2x8] sp+0[0,18446744073709551615,1] from x+0[0,8,1]",
        "core 0, instruction 0: load: destination: out of bounds of 'sp', which has 1024 bytes",
    );
    expect(
        "load i8[0x1x8] sp+0[0,0,1] from x+0[0,0,1]",
        "core 0, instruction 0: load: destination: expected extents of at least one",
    );
}

#[test]
fn units_and_types() {
    expect(
        "matmul i8*i8->i32 4x8x4 acc+0[32] = sp+0[4] * sp+64[8]",
        "core 0, instruction 0: matmul: expected n to be at most 4, but got 8",
    );
    expect(
        "matmul ui8*i8->i32 4x4x4 acc+0[16] = sp+0[4] * sp+64[4]",
        "core 0, instruction 0: matmul: unsupported by the machine: ui8*i8->i32",
    );
    expect(
        "matmul i8*i8->i32 4x4x4 sp+512[16] = sp+0[4] * sp+64[4]",
        "core 0, instruction 0: matmul: sums: expected it in 'acc', but got 'sp'",
    );
    expect(
        "matmul i8*i8->i32 4x4x4 acc+0[16] = sp+0[4] * sp+64[4] resident",
        "core 0, instruction 0: matmul: is not the operand that the unit holds: that of the last product",
    );
    expect(
        "tanh f32->f32 1x4 sp+0[4,4] = sp+64[4,4]",
        "core 0, instruction 0: tanh: unsupported by the machine: 'tanh' (see vector.ops)",
    );
    expect(
        "relu f16->f16 1x4 sp+0[4,2] = sp+64[4,2]",
        "core 0, instruction 0: relu: unsupported by the machine: vectors of f16 (see vector.types)",
    );
    expect("relu i8->i8 2x4 sp+0[4,1] = sp+4[4,1]", "core 0, instruction 0: relu: the destination overlaps an operand");
    expect(
        "relu i8->i8 2x4 sp+0[2,1] = sp+64[4,1]",
        "core 0, instruction 0: relu: writes some bytes twice: expected larger strides of the destination",
    );
    expect(
        "relu i8->i8 1x4 x+0[4,1] = sp+64[4,1]",
        "core 0, instruction 0: relu: destination: the vector unit does not reach 'dram'",
    );
    expect(
        "relu i8->i8 2x4 sp+0[0,1] = sp+64[4,1]",
        "core 0, instruction 0: relu: writes some bytes twice: expected larger strides of the destination",
    );
    expect(
        "relu i8->i8 4294967295x4294967295 sp+0[0,0] = sp+64[0,0]",
        "core 0, instruction 0: relu: operand: unsupported: more than 268435456 elements in an instruction",
    );
    let plain = tiny(&[("transpose = true", "transpose = false")]);
    assert_eq!(
        fault_on(&plain, "load i8[1x4x4] sp+0[0,4,1] from x+0[0,1,8]"),
        "core 0, instruction 0: load: unsupported by the machine: elements of a row that are apart (dma.transpose is false)"
    );
    expect(
        "store i8[1x1x8] x+0[0,0,1] from sp+0[0,0,1]",
        "core 0, instruction 0: store: writes 'x', which is of kind 'input'",
    );
}

#[test]
fn tokens() {
    expect("wait after t3", "core 0, instruction 0: wait: waits for token t3, which no instruction before it signals");
    expect(
        "load t0 i8[1x1x8] sp+0[0,0,1] from x+0[0,0,1]\nload t0 i8[1x1x8] sp+8[0,0,1] from x+0[0,0,1]",
        "core 0, instruction 1: load: token t0 is that of instruction 0",
    );
    expect("barrier t1", "core 0, instruction 0: barrier: cannot signal token t1");
}

#[test]
fn races() {
    let load = "load t0 i8[1x1x16] sp+0[0,0,1] from x+0[0,0,1] at \"model.mlir:7:3\"\n";
    let relu = "relu t1 i8->i8 2x4 sp+64[4,1] = sp+8[4,1]";
    expect(
        &format!("{load}{relu} at \"model.mlir:8:3\""),
        "model.mlir:8:3: core 0, instruction 1: relu: race: reads sp+8 (bytes to 16), which instruction 0 ('load' in the load queue) writes, \
         and no token orders the two",
    );
    expect(&format!("{load}{relu} after t0"), "");
    expect(&format!("{load}wait after t0\n{relu}"), "");
    expect(&format!("{load}{}", relu.replace("sp+8", "sp+16")), "");
    // The buffer is filled again while it is read.
    let again = "load t2 i8[1x1x16] sp+0[0,0,1] from x+16[0,0,1]";
    expect(
        &format!("{load}{relu} after t0\n{again}"),
        "core 0, instruction 2: load: race: writes sp+0 (bytes to 16), which instruction 1 ('relu' in the compute queue) reads, and no token \
         orders the two",
    );
    expect(&format!("{load}{relu} after t0\n{again} after t1"), "");
    // By way of the store queue.
    let store = "store t3 i8[1x1x8] y+0[0,0,1] from sp+64[0,0,1] after t1";
    expect(&format!("{load}{relu} after t0\n{store}\n{again} after t3"), "");
    // A token stands for all before it in its queue.
    let other = "load t4 i8[1x1x4] sp+512[0,0,1] from x+0[0,0,1]\n";
    expect(&format!("{load}{other}{relu} after t4"), "");
}

#[test]
fn cores() {
    let machine = tiny(&[("[dma]", "[cores]\nrows = 2\n[dma]")]);
    let store = |to: u32| format!("store i8[1x1x8] y+{to}[0,0,1] from sp+0[0,0,1]\n");
    assert_eq!(
        fault_on(&machine, &format!("{}core 1\n{}", store(0), store(4))),
        "core 1, instruction 0: store: race: writes y+4, which core 0 writes, and no barrier orders the two"
    );
    assert_eq!(fault_on(&machine, &format!("{}barrier\ncore 1\nbarrier\n{}", store(0), store(4))), "");
    assert_eq!(
        fault_on(&machine, "barrier\ncore 1"),
        "core 0 has 1 barriers, and core 1 has 0: they would wait forever"
    );
    expect("core 1", "the program is for 2 cores, and the machine has 1");
}

#[test]
fn unwritten_memory() {
    let machine = tiny(&[]);
    let run = |body: &str| {
        let program = program(&format!("{HEADER}{body}\n"));
        let inputs = [Array::from_slice(&[64], &[1_i8; 64]).unwrap()];
        match Simulation::new(&machine, &program).unwrap().execute(&inputs) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        }
    };
    assert_eq!(
        run(
            "load t0 i8[1x1x8] sp+0[0,0,1] from x+0[0,0,1]\nstore i8[1x1x12] y+0[0,0,1] from sp+0[0,0,1] after t0 at \"a.mlir:1:2\""
        ),
        "a.mlir:1:2: core 0, instruction 1: store: reads sp+8, which nothing has been written to"
    );
    let all = "load t0 i8[1x1x64] sp+0[0,0,1] from x+0[0,0,1]\n";
    assert_eq!(
        run(&format!("{all}store i8[1x1x60] y+0[0,0,1] from sp+0[0,0,1] after t0")),
        "output 'y': the program has not written byte 60"
    );
    assert_eq!(run(&format!("{all}store i8[1x1x64] y+0[0,0,1] from sp+0[0,0,1] after t0")), "");
}

#[test]
fn inputs_must_fit() {
    let program = program(HEADER);
    let machine = tiny(&[]);
    let simulation = Simulation::new(&machine, &program).unwrap();
    let error = |inputs: &[Array]| simulation.execute(inputs).unwrap_err().to_string();
    assert_eq!(error(&[]), "expected 1 inputs, but got 0");
    let short = Array::from_slice(&[8], &[0_i8; 8]).unwrap();
    assert_eq!(error(&[short]), "input 'x': expected int8 [64], but got int8 [8]");
}

#[test]
fn buffers_must_fit() {
    let text = "program p\nbuffer x temporary i8[65536]\nbuffer y temporary i8[1]\ncore 0\n";
    let (machine, program) = (tiny(&[]), program(text));
    let fault = Simulation::new(&machine, &program).err().unwrap().to_string();
    assert_eq!(fault, "the buffers up to 'y' do not fit 'dram', which has 65536 bytes");
}
