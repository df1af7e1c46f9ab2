//! From a function to one program: its launches one after the other.
//!
//! What a launch leaves in DRAM and a later one takes is a temporary buffer of the program; constants of the function are its constants, and reshapes are
//! nothing at all. All cores meet between two launches.

use dl_ir::{AttrRef, Diagnostic, Loc, OpRef, ValueId, ValueRef};
use dl_simulator::program::{Base, Buffer, BufferKind, Instruction, Op, Program, Token};
use rustc_hash::FxHashMap;

use super::{Encoded, encode};
use crate::{LaunchOp, types};

/// The program of a function: its arguments are inputs, its results are outputs, and all it does is to launch.
///
/// # Errors
/// What in it is left to the host.
pub fn function(op: OpRef<'_>) -> Result<Encoded, Diagnostic> {
    let body = op.body().region(0);
    let block = body.entry().filter(|_| body.has_one_block());
    let block =
        block.ok_or_else(|| op.error("unsupported: a function with branches, or without a body, as a program"))?;
    let mut merger = Merger::new(op.symbol_name().unwrap_or("program"));
    for arg in block.args() {
        merger.host(arg, BufferKind::Input)?;
    }
    for inner in block.ops() {
        if let Some(launch) = inner.cast::<LaunchOp<'_>>() {
            merger.launch(launch)?;
        } else if inner.name() == "func.return" {
            merger.finish(inner)?;
        } else if matches!(inner.name(), "tensor.expand_shape" | "tensor.collapse_shape") {
            merger.reshape(inner)?;
        } else if inner.constant_value().is_none() {
            return Err(
                inner.error("unsupported: this operation is left to the host; 'dl-run --target' runs both parts")
            );
        }
    }
    Ok(Encoded { program: merger.program, locations: merger.locations })
}

/// A program to which launches are appended.
struct Merger {
    program: Program,
    locations: Vec<Loc>,
    /// The buffer that holds a tensor.
    buffers: FxHashMap<ValueId, u32>,
    /// How many tokens each core has.
    tokens: Vec<u32>,
    launches: usize,
}

impl Merger {
    fn new(name: &str) -> Self {
        // Names of programs have fewer characters than symbols.
        let plain: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect();
        let name = if plain.starts_with(|c: char| c.is_ascii_alphabetic()) { plain } else { format!("p{plain}") };
        let program = Program { name, ..Program::default() };
        Self { program, locations: Vec::new(), buffers: FxHashMap::default(), tokens: Vec::new(), launches: 0 }
    }

    /// A buffer that the host fills.
    fn host(&mut self, value: ValueRef<'_>, kind: BufferKind) -> Result<u32, Diagnostic> {
        let ty = value.ty();
        let element = types::element_type(ty).filter(|_| ty.is_ranked_tensor() && ty.has_static_shape());
        let element = element
            .ok_or_else(|| Diagnostic::error(value.loc(), format!("unsupported: '{ty}' as a buffer of a program")))?;
        let shape = ty.shape().unwrap_or_default().iter().map(|&extent| extent.unsigned_abs()).collect();
        let index = self.program.buffers.len() as u32;
        let name = if matches!(kind, BufferKind::Input) { format!("in{index}") } else { format!("constant{index}") };
        self.program.buffers.push(Buffer { name, kind, element, shape });
        self.buffers.insert(value.id(), index);
        Ok(index)
    }

    fn launch(&mut self, launch: LaunchOp<'_>) -> Result<(), Diagnostic> {
        let Encoded { program, locations } = encode(launch, "launch")?;
        let mut buffers = Vec::new();
        for input in launch.inputs().iter() {
            if let Some(&known) = self.buffers.get(&input.id()) {
                buffers.push(known);
                continue;
            }
            let bytes = input.constant().and_then(bytes);
            let bytes =
                bytes.ok_or_else(|| launch.0.error("takes a value of the host that is no constant of numbers"))?;
            buffers.push(self.host(input, BufferKind::Constant(bytes))?);
        }
        for (at, buffer) in program.buffers.iter().enumerate().skip(buffers.len()) {
            let index = self.program.buffers.len() as u32;
            let name = format!("temporary{index}");
            self.program.buffers.push(Buffer { name, kind: BufferKind::Temporary, ..buffer.clone() });
            buffers.push(index);
            let output = at - launch.inputs().len();
            if let Some(result) = launch.0.results().get(output) {
                self.buffers.insert(result.id(), index);
            }
        }
        self.append(program, locations, &buffers);
        Ok(())
    }

    /// Appends the instructions of a launch, whose buffers are these.
    fn append(&mut self, program: Program, locations: Vec<Loc>, buffers: &[u32]) {
        let memories: Vec<u32> = program
            .memories
            .into_iter()
            .map(|name| {
                let known = self.program.memories.iter().position(|known| *known == name);
                known.unwrap_or_else(|| {
                    self.program.memories.push(name);
                    self.program.memories.len() - 1
                }) as u32
            })
            .collect();
        let first_location = self.program.locations.len() as u32;
        self.program.locations.extend(program.locations);
        self.locations.extend(locations);
        let barrier = || Instruction { op: Op::Barrier, signals: None, after: Vec::new(), location: None };
        let met =
            self.program.cores.first().map_or(0, |core| core.iter().filter(|each| each.op == Op::Barrier).count());
        while self.program.cores.len() < program.cores.len() {
            self.program.cores.push((0..met).map(|_| barrier()).collect());
            self.tokens.push(0);
        }
        if self.launches > 0 {
            self.program.cores.iter_mut().for_each(|core| core.push(barrier()));
        }
        self.launches += 1;
        let barriers =
            program.cores.first().map_or(0, |core| core.iter().filter(|each| each.op == Op::Barrier).count());
        for (core, all) in self.program.cores.iter_mut().enumerate() {
            let Some(instructions) = program.cores.get(core) else {
                all.extend((0..barriers).map(|_| barrier()));
                continue;
            };
            let start = self.tokens[core];
            let renamed = |token: Token| Token(token.0 + start);
            for instruction in instructions {
                let mut instruction = instruction.clone();
                instruction.op.rebase(|base| match base {
                    Base::Buffer(index) => Base::Buffer(buffers[index as usize]),
                    Base::Memory(index) => Base::Memory(memories[index as usize]),
                });
                if let Some(Token(token)) = instruction.signals {
                    self.tokens[core] = self.tokens[core].max(start + token + 1);
                }
                instruction.signals = instruction.signals.map(renamed);
                instruction.after.iter_mut().for_each(|token| *token = renamed(*token));
                instruction.location = instruction.location.map(|location| location + first_location);
                all.push(instruction);
            }
        }
    }

    /// The same elements in the same order, so the same buffer.
    fn reshape(&mut self, op: OpRef<'_>) -> Result<(), Diagnostic> {
        let buffer = self.buffers.get(&op.operand(0).id()).copied();
        let buffer = buffer.ok_or_else(|| op.error("unsupported: a reshape of what no launch makes"))?;
        self.buffers.insert(op.result(0).id(), buffer);
        Ok(())
    }

    /// What is returned is handed out, in the order of the results.
    fn finish(&mut self, end: OpRef<'_>) -> Result<(), Diagnostic> {
        let mut last = None;
        for (at, value) in end.operands().iter().enumerate() {
            let index = self.buffers.get(&value.id()).copied();
            let buffer = index.and_then(|index| self.program.buffers.get_mut(index as usize));
            // The order of outputs is that of buffers.
            let in_order = last < index;
            match buffer.filter(|buffer| buffer.kind == BufferKind::Temporary && in_order) {
                Some(buffer) => {
                    let shape = value.ty().shape().unwrap_or_default();
                    buffer.shape = shape.iter().map(|&extent| extent.unsigned_abs()).collect();
                    buffer.kind = BufferKind::Output;
                    buffer.name = format!("out{at}");
                    last = index;
                }
                None => {
                    return Err(end.error(
                        "unsupported: a result that no launch makes, or results in another order than that of launches",
                    ));
                }
            }
        }
        Ok(())
    }
}

/// The elements of a constant, row by row.
fn bytes(constant: AttrRef<'_>) -> Option<Vec<u8>> {
    let element = constant.ty()?.element_or_self();
    let mut bytes = Vec::new();
    for value in constant.dense_values()? {
        bytes.extend(value.element_bytes(element)?);
    }
    Some(bytes)
}
