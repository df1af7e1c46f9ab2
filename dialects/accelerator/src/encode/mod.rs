//! From a launch to the instructions of its cores.
//!
//! The body is run as an interpreter would run it: loops, index arithmetic and views mean what their own dialects say. Only memory has no content
//! here, and the operations of this dialect compute nothing: each appends an instruction (`instruction`), whose addresses and extents are known by
//! then. Costs O(operations run).

mod function;
mod instruction;
mod regions;

pub use function::function;

use std::sync::Arc;

use dl_ir::interp::{BufferId, Lifetime, MemRef, Memory, Value, Values};
use dl_ir::{Diagnostic, Loc, OpRef, OpView, TypeRef, ValueId};
use dl_simulator::machine::{Machine, MemoryKind};
use dl_simulator::program::{Address, Base, Buffer, BufferKind, Instruction, Matmul, Op, Program, Queue, Token};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{CoreOp, LaunchOp, target, types};

/// More operations than this are not run: the program would be longer than anyone can hold.
const MOST_STEPS: u64 = 1 << 26;

/// The program of a launch.
///
/// # Errors
/// What in the launch is no instruction of a machine. Whether the machine at hand can execute it, `dl_simulator::check` says.
pub fn encode(launch: LaunchOp<'_>, name: &str) -> Result<Encoded, Diagnostic> {
    let op = launch.0;
    let machine = target::of_launch(launch).map_err(|message| op.error(message))?;
    let mut encoder = Encoder::new(op, machine, name);
    let region = op.body().region(0);
    let Some(block) = region.entry() else { return Err(op.error("has no body")) };
    let inputs = launch.inputs().len();
    for (index, arg) in block.args().enumerate() {
        let kind = if index < inputs { BufferKind::Input } else { BufferKind::Output };
        let value = encoder.buffer(op, arg.ty(), kind)?;
        encoder.values.insert(arg.id(), value);
    }
    encoder.run_block(block)?;
    Ok(Encoded { program: encoder.program, locations: encoder.locations })
}

/// A program and where it comes from.
pub struct Encoded {
    /// The program.
    pub program: Program,
    /// For each location of the program, that of the operation.
    pub locations: Vec<Loc>,
}

impl Encoded {
    /// The location of an instruction.
    pub fn loc(&self, core: usize, instruction: usize) -> Option<Loc> {
        let location = self.program.cores.get(core)?.get(instruction)?.location?;
        self.locations.get(location as usize).copied()
    }
}

/// Where a buffer of the running launch lies.
#[derive(Clone, Copy)]
struct Place {
    base: Base,
    /// Where it begins, in bytes.
    offset: u64,
}

/// Runs a launch and notes its instructions.
struct Encoder<'a> {
    launch: OpRef<'a>,
    machine: Machine,
    program: Program,
    /// The location of each of the program's.
    locations: Vec<Loc>,
    numbers: FxHashMap<Loc, u32>,
    /// Buffers without content; what counts is their identity.
    memory: Memory,
    places: FxHashMap<BufferId, Place>,
    values: FxHashMap<ValueId, Value>,
    /// The core whose region is being run.
    core: Option<usize>,
    /// How many tokens each core has.
    tokens: Vec<u32>,
    /// The right operand that the array of each core holds: that of the last product, unless something was written there since.
    held: Vec<Option<Matmul>>,
    /// The tokens that each queue of each core has waited for: all later instructions of the queue come after that.
    waited: FxHashSet<(usize, Option<Queue>, Token)>,
    temporaries: usize,
    steps: u64,
}

impl<'a> Encoder<'a> {
    fn new(launch: OpRef<'a>, machine: Machine, name: &str) -> Self {
        Self {
            launch,
            machine,
            program: Program { name: name.to_owned(), ..Program::default() },
            locations: Vec::new(),
            numbers: FxHashMap::default(),
            memory: Memory::default(),
            places: FxHashMap::default(),
            values: FxHashMap::default(),
            core: None,
            tokens: Vec::new(),
            held: Vec::new(),
            waited: FxHashSet::default(),
            temporaries: 0,
            steps: 0,
        }
    }

    /// A buffer in DRAM.
    fn buffer(&mut self, at: OpRef<'_>, ty: TypeRef<'_>, kind: BufferKind) -> Result<Value, Diagnostic> {
        let element = types::element_type(ty);
        let element = element.ok_or_else(|| at.error(format_args!("unsupported: elements of type '{ty}'")))?;
        let shape = ty.shape().unwrap_or_default();
        let name = match &kind {
            BufferKind::Input => format!("in{}", self.program.inputs().count()),
            BufferKind::Output => format!("out{}", self.program.outputs().count()),
            BufferKind::Temporary => {
                self.temporaries += 1;
                format!("temporary{}", self.temporaries - 1)
            }
            BufferKind::Constant(_) => format!("constant{}", self.program.buffers.len()),
        };
        let base = Base::Buffer(self.program.buffers.len() as u32);
        let shape: Vec<u64> = shape.iter().map(|&extent| u64::try_from(extent).unwrap_or(0)).collect();
        self.program.buffers.push(Buffer { name, kind, element, shape });
        self.memref(at, ty, Place { base, offset: 0 })
    }

    /// A view of all of a buffer that lies at `place`.
    fn memref(&mut self, at: OpRef<'_>, ty: TypeRef<'_>, place: Place) -> Result<Value, Diagnostic> {
        let layout = ty.strided_layout().filter(|layout| layout.offset == 0 && !layout.strides.iter().any(|&s| s < 0));
        let (Some(layout), Some(shape)) = (layout, ty.shape().filter(|_| ty.has_static_shape())) else {
            return Err(at.error(format_args!("unsupported: a buffer of type '{ty}'")));
        };
        let buffer = self.memory.allocate(0, Lifetime::Static, at.loc()).map_err(|message| at.error(message))?;
        self.places.insert(buffer, place);
        let strides = layout.strides.as_slice().into();
        Ok(MemRef { shape: shape.into(), strides, ..MemRef::whole(buffer, &[]) }.into())
    }

    /// `accelerator.alloc`.
    fn alloc(&mut self, op: OpRef<'a>) -> Result<Value, Diagnostic> {
        let ty = op.result(0).ty();
        let name = types::memory_of(ty).unwrap_or_default();
        let Some(index) = self.machine.memory(name) else {
            return Err(op.error(format_args!("machine '{}' has no memory '{name}'", self.machine.name)));
        };
        if self.machine.memories[index].kind == MemoryKind::Dram {
            return self.buffer(op, ty, BufferKind::Temporary);
        }
        let offset = crate::AllocOp::wrap(op).offset().and_then(|offset| u64::try_from(offset.as_int()?).ok());
        let Some(offset) = offset else {
            return Err(op.error("has no address"));
        };
        let known = self.program.memories.iter().position(|known| known == name);
        let known = known.unwrap_or_else(|| {
            self.program.memories.push(name.to_owned());
            self.program.memories.len() - 1
        });
        self.memref(op, ty, Place { base: Base::Memory(known as u32), offset })
    }

    /// `accelerator.core`.
    fn core(&mut self, op: OpRef<'a>) -> Result<(), Diagnostic> {
        let id = CoreOp::wrap(op).id().as_int().and_then(|id| usize::try_from(id).ok()).unwrap_or(usize::MAX);
        if id >= self.machine.cores.count() {
            let (name, count) = (&self.machine.name, self.machine.cores.count());
            return Err(op.error(format_args!("expected a core of machine '{name}', which has {count}, but got {id}")));
        }
        self.reach(id + 1);
        self.core = Some(id);
        let region = op.region(0);
        if let Some(block) = region.entry() {
            self.run_block(block)?;
        }
        self.core = None;
        Ok(())
    }

    /// Makes sure that there are so many cores. One that comes late has met the others at all barriers so far.
    fn reach(&mut self, count: usize) {
        let barriers = |core: &Vec<Instruction>| core.iter().filter(|each| each.op == Op::Barrier).count();
        let missed = self.program.cores.first().map_or(0, barriers);
        while self.program.cores.len() < count {
            let barrier = Instruction { op: Op::Barrier, signals: None, after: Vec::new(), location: None };
            self.program.cores.push(vec![barrier; missed]);
            self.tokens.push(0);
            self.held.push(None);
        }
    }

    /// `accelerator.barrier`.
    fn barrier(&mut self, op: OpRef<'a>) {
        let location = Some(self.location(op.loc()));
        for core in &mut self.program.cores {
            core.push(Instruction { op: Op::Barrier, signals: None, after: Vec::new(), location });
        }
    }

    /// The number of a location.
    fn location(&mut self, loc: Loc) -> u32 {
        let next = self.locations.len() as u32;
        let cx = self.launch.cx();
        *self.numbers.entry(loc).or_insert_with(|| {
            let text = match (cx.file_position(loc), cx.name_in(loc)) {
                (Some(at), _) => format!("{}:{}:{}", at.file, at.line, at.column),
                (None, Some(name)) => name.to_owned(),
                (None, None) => "unknown".to_owned(),
            };
            self.program.locations.push(text);
            self.locations.push(loc);
            next
        })
    }

    /// A byte of the machine: element number `position` of a view's buffer.
    fn address(&self, at: OpRef<'_>, view: &MemRef, position: i64, size: u64) -> Result<Address, Diagnostic> {
        let place = self.places.get(&view.buffer).copied();
        let offset = u64::try_from(position).ok().and_then(|position| position.checked_mul(size));
        match (place, offset) {
            (Some(place), Some(offset)) if place.offset.checked_add(offset).is_some() => {
                Ok(Address { base: place.base, offset: place.offset + offset })
            }
            (None, _) => Err(at.error("unsupported: memory of the host")),
            _ => Err(at.error("the address is not in the buffer")),
        }
    }

    /// Appends an instruction to the core being run; the token that it signals, if anyone is to wait for it.
    fn emit(&mut self, at: OpRef<'a>, op: Op, mut after: Vec<Token>) -> Result<Values, Diagnostic> {
        let location = Some(self.location(at.loc()));
        let core = self.core.ok_or_else(|| at.error("expected to be in an 'accelerator.core'"))?;
        after.retain(|token| self.waited.insert((core, op.queue(), *token)));
        let signals = (at.num_results() > 0 && at.result(0).has_uses()).then(|| {
            self.tokens[core] += 1;
            Token(self.tokens[core] - 1)
        });
        self.program.cores[core].push(Instruction { op, signals, after, location });
        let token = (at.num_results() > 0).then(|| Value::Other(Arc::new(signals)));
        Ok(token.into_iter().collect())
    }
}
