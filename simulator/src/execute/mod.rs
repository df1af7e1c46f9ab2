//! What a program computes, bit by bit.
//!
//! Instructions are executed in program order, core by core from barrier to barrier. Since checked programs have no races, any other order that
//! queues and tokens allow gives the same result.

mod gather;
mod matrix;
mod memory;
mod vector;

use dl_runtime::{Array, DType};

use crate::check::Fault;
use crate::check::order::end_of_epoch;
use crate::machine::Machine;
use crate::program::{Buffer, BufferKind, Dma, Op, Program};
use crate::{ElementType, SimulationError};

pub use vector::{multiply_by_quantized_multiplier, scaled_to_integer};

use self::gather::{gather, scatter};
use self::memory::Memories;

/// The NumPy type of a buffer of `element`; 8-bit floats are their bits.
pub fn dtype(element: ElementType) -> DType {
    match element {
        ElementType::I8 => DType::I8,
        ElementType::U8 | ElementType::F8E4M3FN | ElementType::F8E5M2 => DType::U8,
        ElementType::I32 => DType::I32,
        ElementType::F16 => DType::F16,
        ElementType::BF16 => DType::BF16,
        ElementType::F32 => DType::F32,
    }
}

/// Runs a checked program.
///
/// # Errors
/// Inputs that do not fit, memory that the host does not have, and reads of memory that nothing was written to.
pub(crate) fn run(machine: &Machine, program: &Program, inputs: &[Array]) -> Result<Vec<Array>, SimulationError> {
    let mut memories = Memories::new(machine, program)?;
    fill(program, &mut memories, inputs)?;
    let mut positions = vec![0; program.cores.len()];
    let mut units = vec![Unit::default(); program.cores.len()];
    while positions.iter().zip(&program.cores).any(|(at, core)| *at < core.len()) {
        for (core, at) in positions.iter_mut().enumerate() {
            let end = end_of_epoch(&program.cores[core], *at);
            for index in *at..end {
                let fault = |message| Fault::at(program, core, index, message);
                let cx = Cx { program, core, memories: &mut memories };
                instruction(cx, &program.cores[core][index].op, &mut units[core]).map_err(fault)?;
            }
            *at = (end + 1).min(program.cores[core].len());
        }
    }
    program.outputs().map(|(index, buffer)| output(&memories, index, buffer)).collect()
}

/// What a core remembers besides its memories.
#[derive(Clone, Default)]
struct Unit {
    /// The right operand of the last product, dense.
    held: Vec<u8>,
}

/// Where an instruction works.
struct Cx<'a> {
    program: &'a Program,
    core: usize,
    memories: &'a mut Memories,
}

fn instruction(mut cx: Cx<'_>, op: &Op, unit: &mut Unit) -> Result<(), String> {
    match op {
        Op::Dma(dma) => transfer(&mut cx, dma),
        Op::Matmul(matmul) => matrix::run(&mut cx, matmul, unit),
        Op::Vector(vector) => vector::run(&mut cx, vector),
        Op::Wait | Op::Barrier => Ok(()),
    }
}

fn transfer(cx: &mut Cx<'_>, dma: &Dma) -> Result<(), String> {
    let size = dma.element.size();
    let data = gather(cx, dma.source.address, dma.shape.map(u64::from), dma.source.strides, size)?;
    let Some(padding) = dma.padding else {
        scatter(cx, dma.destination.address, dma.shape.map(u64::from), dma.destination.strides, size, &data);
        return Ok(());
    };
    let [planes, rows, columns] = dma.padded_shape().map(|extent| extent as usize);
    let size = size as usize;
    let mut padded = padding.value.to_le_bytes()[..size].repeat(planes * rows * columns);
    let before = padding.before.map(|extent| extent as usize);
    let shape = dma.shape.map(|extent| extent as usize);
    let row = shape[2] * size;
    for (i, from) in data.chunks_exact(row).enumerate() {
        let (plane, line) = (i / shape[1] + before[0], i % shape[1] + before[1]);
        let at = ((plane * rows + line) * columns + before[2]) * size;
        padded[at..at + row].copy_from_slice(from);
    }
    scatter(cx, dma.destination.address, dma.padded_shape(), dma.destination.strides, size as u64, &padded);
    Ok(())
}

/// Puts inputs into their buffers.
fn fill(program: &Program, memories: &mut Memories, inputs: &[Array]) -> Result<(), SimulationError> {
    let expected = program.inputs().count();
    if inputs.len() != expected {
        return Err(SimulationError::Input(format!("expected {expected} inputs, but got {}", inputs.len())));
    }
    for ((index, buffer), input) in program.inputs().zip(inputs) {
        let shape: Vec<u64> = input.shape().iter().map(|&extent| extent as u64).collect();
        if input.dtype() != dtype(buffer.element) || shape != buffer.shape {
            let name = &buffer.name;
            let expected = format!("{} {:?}", dtype(buffer.element), buffer.shape);
            let got = format!("{} {shape:?}", input.dtype());
            return Err(SimulationError::Input(format!("input '{name}': expected {expected}, but got {got}")));
        }
        memories.buffer_mut(index).copy_from_slice(&little_endian(input.bytes(), buffer.element));
    }
    for (index, buffer) in program.buffers.iter().enumerate() {
        if let BufferKind::Constant(data) = &buffer.kind {
            memories.buffer_mut(index).copy_from_slice(data);
        }
    }
    Ok(())
}

/// Bytes of arrays are in the order of the host; those of memories are little-endian. The way back is the same.
fn little_endian(bytes: &[u8], element: ElementType) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if cfg!(target_endian = "big") {
        bytes.chunks_exact_mut(element.size() as usize).for_each(<[u8]>::reverse);
    }
    bytes
}

fn output(memories: &Memories, index: usize, buffer: &Buffer) -> Result<Array, SimulationError> {
    if let Some(byte) = memories.first_unwritten(index) {
        let name = &buffer.name;
        return Err(Fault::new(format!("output '{name}': the program has not written byte {byte}")).into());
    }
    let shape: Vec<usize> = buffer.shape.iter().map(|&extent| extent as usize).collect();
    let bytes = little_endian(memories.buffer(index), buffer.element);
    Array::from_bytes(dtype(buffer.element), &shape, &bytes).map_err(|error| SimulationError::Memory(error.to_string()))
}
