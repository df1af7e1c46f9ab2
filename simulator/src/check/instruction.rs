//! Single instructions: what units can do, what memories hold.

use super::{Checked, Effects};
use crate::ElementType;
use crate::footprint::Footprint;
use crate::machine::{Dataflow, Machine};
use crate::program::{
    Address, Base, BinaryOp, BufferKind, Dma, Matmul, Op, Program, Queue, ReduceOp, Requantize, Scale, Tile, Vector,
    VectorOp,
};

/// Most elements of an operand. With strides of zero it need not have as many bytes, but the simulator needs memory for each.
const MOST_ELEMENTS: u64 = 1 << 28;

/// What `op` touches.
///
/// # Errors
/// What is wrong with it.
pub(super) fn check(machine: &Machine, program: &Program, checked: &Checked, op: &Op) -> Result<Effects, String> {
    let cx = Cx { machine, program, checked };
    match op {
        Op::Dma(dma) => cx.dma(dma),
        Op::Matmul(matmul) => cx.matmul(matmul),
        Op::Vector(vector) => cx.vector(vector),
        Op::Wait | Op::Barrier => Ok(Effects::default()),
    }
}

struct Cx<'a> {
    machine: &'a Machine,
    program: &'a Program,
    checked: &'a Checked,
}

impl Cx<'_> {
    /// The memory that `base` is in: its index in the machine, its name in the program and the bytes that there are.
    fn base(&self, base: Base) -> Result<(usize, &str, u64), String> {
        match base {
            Base::Buffer(index) => match self.program.buffers.get(index as usize) {
                Some(buffer) => Ok((self.machine.dram(), &buffer.name, buffer.size().unwrap_or_default())),
                None => Err(format!("there is no buffer {index}")),
            },
            Base::Memory(index) => match self.checked.memories.get(index as usize) {
                Some(&memory) => Ok((memory, &self.machine.memories[memory].name, self.machine.memories[memory].size)),
                None => Err(format!("there is no memory {index}")),
            },
        }
    }

    /// Bytes of an operand, in bounds and aligned.
    fn region(
        &self,
        what: &str,
        address: Address,
        shape: [u64; 3],
        strides: [u64; 3],
        element: ElementType,
    ) -> Result<Footprint, String> {
        let (memory, name, size) = self.base(address.base)?;
        if shape.contains(&0) {
            return Err(format!("{what}: expected extents of at least one"));
        }
        let elements = shape.iter().try_fold(1_u64, |elements, extent| elements.checked_mul(*extent));
        if elements.is_none_or(|elements| elements > MOST_ELEMENTS) {
            return Err(format!("{what}: unsupported: more than {MOST_ELEMENTS} elements in an instruction"));
        }
        let alignment = self.machine.memories[memory].alignment;
        if !address.offset.is_multiple_of(alignment) {
            return Err(format!(
                "{what}: expected an address that is a multiple of {alignment} in '{name}', but got {}",
                address.offset
            ));
        }
        match Footprint::new(address.base, address.offset, shape, strides, element.size()) {
            Some(found) if found.end <= size => Ok(found),
            Some(found) => Err(format!(
                "{what}: out of bounds: bytes {} to {} of '{name}', which has {size}",
                found.start, found.end
            )),
            None => Err(format!("{what}: out of bounds of '{name}', which has {size} bytes")),
        }
    }

    fn tile(
        &self,
        what: &str,
        tile: Tile,
        [rows, columns]: [u64; 2],
        element: ElementType,
    ) -> Result<Footprint, String> {
        let [down, across] = tile.strides;
        self.region(what, tile.address, [1, rows, columns], [0, down, across], element)
    }

    fn written(&self, footprint: Footprint) -> Result<Footprint, String> {
        if let Base::Buffer(index) = footprint.base
            && let buffer = &self.program.buffers[index as usize]
            && !matches!(buffer.kind, BufferKind::Output | BufferKind::Temporary)
        {
            return Err(format!("writes '{}', which is of kind '{}'", buffer.name, buffer.kind.name()));
        }
        if !footprint.is_injective() {
            return Err("writes some bytes twice: expected larger strides of the destination".to_owned());
        }
        Ok(footprint)
    }

    /// What an instruction writes is not what it reads.
    fn effects(reads: Vec<Footprint>, write: Footprint) -> Result<Effects, String> {
        if reads.iter().any(|read| read.overlaps(&write)) {
            return Err("the destination overlaps an operand".to_owned());
        }
        Ok(Effects { reads, write: Some(write) })
    }

    fn dma(&self, dma: &Dma) -> Result<Effects, String> {
        let unit = &self.machine.dma;
        let shape = dma.shape.map(u64::from);
        let padded = dma.padded_shape();
        let destination = &dma.destination;
        let write = self.region("destination", destination.address, padded, destination.strides, dma.element)?;
        let read = self.region("source", dma.source.address, shape, dma.source.strides, dma.element)?;
        let [to, from] =
            [destination.address.base, dma.source.address.base].map(|base| matches!(base, Base::Buffer(_)));
        match dma.queue {
            Queue::Load if to => return Err("expected a destination in a memory of the core".to_owned()),
            Queue::Store if from => return Err("expected a source in a memory of the core".to_owned()),
            Queue::Compute => return Err("a transfer cannot be in the compute queue".to_owned()),
            _ => {}
        }
        let dimensions = padded.iter().filter(|extent| **extent > 1).count();
        if dimensions > unit.dimensions as usize {
            return Err(format!("expected at most {} dimensions, but got {dimensions}", unit.dimensions));
        }
        let apart = |stride: u64, extent: u64| extent > 1 && stride != dma.element.size();
        if !unit.transpose && (apart(dma.source.strides[2], shape[2]) || apart(destination.strides[2], padded[2])) {
            return Err(
                "unsupported by the machine: elements of a row that are apart (dma.transpose is false)".to_owned()
            );
        }
        if !unit.pad && dma.padding.is_some() {
            return Err("unsupported by the machine: padding (dma.pad is false)".to_owned());
        }
        Self::effects(vec![read], self.written(write)?)
    }

    fn matmul(&self, matmul: &Matmul) -> Result<Effects, String> {
        let Some(unit) = &self.machine.matrix else { return Err("the machine has no matrix unit".to_owned()) };
        let (types, [m, n, k]) = (matmul.types, [matmul.m, matmul.n, matmul.k]);
        if !unit.types.contains(&types) {
            return Err(format!("unsupported by the machine: {types}"));
        }
        let limits = unit.limits();
        if let Some(i) = (0..3).find(|&i| [m, n, k][i] > limits[i]) {
            let (name, limit, got) = (["m", "n", "k"][i], limits[i], [m, n, k][i]);
            return Err(format!("expected {name} to be at most {limit}, but got {got}"));
        }
        if matmul.resident && unit.dataflow != Dataflow::WeightStationary {
            return Err("'resident' is for units that keep the right operand".to_owned());
        }
        let operand =
            |what, address: Address, stride, [rows, columns]: [u32; 2], element: ElementType, memory: usize| {
                let found = self.base(address.base)?.0;
                if found != memory {
                    let expected = &self.machine.memories[memory].name;
                    return Err(format!(
                        "{what}: expected it in '{expected}', but got '{}'",
                        self.machine.memories[found].name
                    ));
                }
                let shape = [u64::from(rows), u64::from(columns)];
                self.tile(what, Tile { address, strides: [stride, element.size()] }, shape, element)
            };
        let lhs = operand("left operand", matmul.lhs, matmul.lhs_stride, [m, k], types.lhs, unit.lhs)?;
        let rhs = operand("right operand", matmul.rhs, matmul.rhs_stride, [k, n], types.rhs, unit.rhs)?;
        let sums = operand("sums", matmul.sums, matmul.sums_stride, [m, n], types.accumulator, unit.accumulator)?;
        let mut reads = vec![lhs];
        if !matmul.resident {
            reads.push(rhs);
        }
        let mut effects = Self::effects(reads, self.written(sums)?)?;
        effects.reads.extend(matmul.accumulate.then_some(sums));
        Ok(effects)
    }

    fn vector(&self, vector: &Vector) -> Result<Effects, String> {
        let Some(unit) = &self.machine.vector else { return Err("the machine has no vector unit".to_owned()) };
        let function = vector.op.function();
        if unit.cycles(function).is_none() {
            return Err(format!("unsupported by the machine: '{}' (see vector.ops)", function.name()));
        }
        let [from, to] = vector.op.types();
        if let Some(element) = [from, to].into_iter().find(|element| !unit.types.contains(element)) {
            return Err(format!("unsupported by the machine: vectors of {element} (see vector.types)"));
        }
        types_of(&vector.op)?;
        let tile = |what, tile: Tile, shape, element| {
            let memory = self.base(tile.address.base)?.0;
            if !unit.memories.contains(&memory) {
                return Err(format!("{what}: the vector unit does not reach '{}'", self.machine.memories[memory].name));
            }
            self.tile(what, tile, shape, element)
        };
        if let VectorOp::Pool(pool) = vector.op {
            let output = pool.output().ok_or("expected a window that fits the image, and steps of at least one")?;
            let pixels = u64::from(output[0]) * u64::from(output[1]);
            if pixels != u64::from(vector.rows) {
                return Err(format!("expected {pixels} rows, the pixels of the result, but got {}", vector.rows));
            }
        }
        let first = tile("operand", vector.first, vector.first_shape(), from)?;
        let write = self.written(tile("destination", vector.destination, vector.destination_shape(), to)?)?;
        let second = match (vector.second, vector.second_shape()) {
            (Some(second), Some((element, shape))) => Some((second, tile("second operand", second, shape, element)?)),
            (None, None) => None,
            _ => return Err("a second operand is there or missing against what the operation takes".to_owned()),
        };
        // Element by element, a result may take the place of its operand.
        let in_place = |tile: Tile, element: ElementType| {
            matches!(
                vector.op,
                VectorOp::Binary(..) | VectorOp::Unary(..) | VectorOp::Requantize(_) | VectorOp::Dequantize(_)
            ) && tile == vector.destination
                && element.size() == to.size()
        };
        let is_binary = matches!(vector.op, VectorOp::Binary(..));
        let mut reads = Vec::new();
        let mut same = Vec::new();
        if in_place(vector.first, from) {
            same.push(first);
        } else {
            reads.push(first);
        }
        if let Some((second, footprint)) = second {
            if is_binary && in_place(second, from) { same.push(footprint) } else { reads.push(footprint) }
        }
        let mut effects = Self::effects(reads, write)?;
        effects.reads.extend(same);
        Ok(effects)
    }
}

/// Types that a vector operation has no meaning for.
fn types_of(op: &VectorOp) -> Result<(), String> {
    let [from, to] = op.types();
    let narrow = |element: ElementType| !element.is_float() && element.size() == 1;
    let requantize = |Requantize { zero_point, scale, .. }: Requantize, zero_type: ElementType| {
        let (least, greatest) = zero_type.integer_range();
        if !(least..=greatest).contains(&i64::from(zero_point)) {
            return Err(format!("expected a zero point from {least} to {greatest}, but got {zero_point}"));
        }
        match scale {
            Scale::Fixed { multiplier, shift } if !(-31..=30).contains(&shift) || multiplier < 0 => Err(format!(
                "expected a multiplier of at least 0 and a shift from -31 to 30, but got {multiplier} and {shift}"
            )),
            Scale::Float(scale) if !scale.is_finite() => Err(format!("expected a finite scale, but got {scale}")),
            _ => Ok(()),
        }
    };
    match *op {
        VectorOp::Binary(BinaryOp::Div, element) if !element.is_float() => {
            Err(format!("expected floats to divide, but got {element}"))
        }
        VectorOp::Reduce(ReduceOp::Sum, ..)
            if to != (if from.is_float() { ElementType::F32 } else { ElementType::I32 }) =>
        {
            Err(format!("expected sums of {from} in i32 or f32, but got {to}"))
        }
        VectorOp::Reduce(op, ..) if op != ReduceOp::Sum && from != to => {
            Err(format!("expected a result of type {from}, but got {to}"))
        }
        VectorOp::Requantize(r) => {
            let fixed = matches!(r.scale, Scale::Fixed { .. } | Scale::FixedPerColumn);
            let fits = narrow(to) && (from == ElementType::I32 || (from == ElementType::F32 && !fixed));
            if !fits {
                return Err(format!(
                    "expected i32 or, with a float scale, f32 to an 8-bit integer, but got {from} to {to}"
                ));
            }
            requantize(r, to)
        }
        VectorOp::Dequantize(r) => {
            let fixed = matches!(r.scale, Scale::Fixed { .. } | Scale::FixedPerColumn);
            if from.is_float() || !to.is_float() || fixed {
                return Err(format!("expected an integer to a float with a float scale, but got {from} to {to}"));
            }
            requantize(r, from)
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_divided() {
        let div = |element| types_of(&VectorOp::Binary(BinaryOp::Div, element)).is_ok();
        assert!(div(ElementType::BF16) && div(ElementType::F32) && !div(ElementType::I8) && !div(ElementType::I32));
    }

    #[test]
    fn sums_are_wide() {
        let sum = |from, to| types_of(&VectorOp::Reduce(ReduceOp::Sum, from, to)).is_ok();
        assert!(sum(ElementType::I8, ElementType::I32) && sum(ElementType::BF16, ElementType::F32));
        assert!(!sum(ElementType::I8, ElementType::I8) && !sum(ElementType::I8, ElementType::F32));
    }
}
