//! What can be said of a program before it runs.
//!
//! Since all addresses are known, nearly all that a machine would trap is found here: what is out of bounds or not aligned, what a unit cannot do,
//! tokens used before they are defined, and instructions that touch the same bytes although nothing orders them (`order`). What is left for
//! execution is reading memory that nobody has written.

mod effects;
mod instruction;
pub(crate) mod order;

use std::fmt;

pub(crate) use effects::Effects;
use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use crate::machine::{Machine, MemoryKind};
use crate::program::{Base, Op, Program, Token};

/// Why a program does not run on a machine.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub struct Fault {
    /// Core and instruction, where it is about one.
    pub at: Option<(usize, usize)>,
    /// Where that instruction comes from.
    pub location: Option<String>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(location) = &self.location {
            write!(f, "{location}: ")?;
        }
        if let Some((core, instruction)) = self.at {
            write!(f, "core {core}, instruction {instruction}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl Fault {
    /// About the program as a whole.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { at: None, location: None, message: message.into() }
    }

    /// About one instruction.
    pub(crate) fn at(program: &Program, core: usize, instruction: usize, message: impl Into<String>) -> Self {
        let found = &program.cores[core][instruction];
        let location = found.location.and_then(|index| program.locations.get(index as usize)).cloned();
        Self { at: Some((core, instruction)), location, message: format!("{}: {}", found.op.name(), message.into()) }
    }
}

/// A program that runs on a machine.
#[derive(Clone, Debug)]
pub struct Checked {
    /// For each memory of the program, which one of the machine it is.
    pub(crate) memories: Vec<usize>,
    /// What each instruction of each core touches.
    pub(crate) effects: Vec<Vec<Effects>>,
    /// The instruction that each token of each core comes from.
    pub(crate) tokens: Vec<FxHashMap<Token, usize>>,
}

impl Checked {
    /// The memory of the machine that something lies in.
    pub(crate) fn memory(&self, machine: &Machine, base: Base) -> usize {
        match base {
            Base::Buffer(_) => machine.dram(),
            Base::Memory(index) => self.memories[index as usize],
        }
    }
}

/// Checks that `program` runs on `machine`.
///
/// # Errors
/// The first thing that is wrong.
pub fn check(machine: &Machine, program: &Program) -> Result<Checked, Fault> {
    let memories = memories(machine, program)?;
    buffers(machine, program)?;
    let available = machine.cores.count();
    if program.cores.len() > available {
        let message = format!("the program is for {} cores, and the machine has {available}", program.cores.len());
        return Err(Fault::new(message));
    }
    let mut checked = Checked { memories, effects: Vec::new(), tokens: Vec::new() };
    for core in 0..program.cores.len() {
        let (effects, tokens) = self::core(machine, program, &checked, core)?;
        checked.effects.push(effects);
        checked.tokens.push(tokens);
    }
    barriers(program)?;
    order::check(program, &checked)?;
    Ok(checked)
}

fn memories(machine: &Machine, program: &Program) -> Result<Vec<usize>, Fault> {
    let find = |name: &String| match machine.memory(name) {
        Some(index) if machine.memories[index].kind != MemoryKind::Dram => Ok(index),
        Some(_) => Err(Fault::new(format!("memory '{name}' is DRAM: programs use it through buffers"))),
        None => Err(Fault::new(format!("machine '{}' has no memory '{name}'", machine.name))),
    };
    program.memories.iter().map(find).collect()
}

fn buffers(machine: &Machine, program: &Program) -> Result<(), Fault> {
    let mut names: FxHashSet<&str> = program.memories.iter().map(String::as_str).collect();
    let memory = &machine.memories[machine.dram()];
    let mut total = 0_u64;
    for buffer in &program.buffers {
        if !names.insert(&buffer.name) {
            return Err(Fault::new(format!("two memories or buffers with the name '{}'", buffer.name)));
        }
        // Each begins where any alignment is satisfied.
        let size = buffer.size().and_then(|size| size.checked_next_multiple_of(memory.alignment));
        total = match size.and_then(|size| total.checked_add(size)) {
            Some(total) if total <= memory.size => total,
            _ => {
                let (name, size) = (&memory.name, memory.size);
                let message =
                    format!("the buffers up to '{}' do not fit '{name}', which has {size} bytes", buffer.name);
                return Err(Fault::new(message));
            }
        };
    }
    Ok(())
}

/// Effects and tokens of a core.
fn core(
    machine: &Machine,
    program: &Program,
    checked: &Checked,
    core: usize,
) -> Result<(Vec<Effects>, FxHashMap<Token, usize>), Fault> {
    let mut effects = Vec::with_capacity(program.cores[core].len());
    let mut tokens = FxHashMap::default();
    let mut held = None;
    for (index, instruction) in program.cores[core].iter().enumerate() {
        let fault = |message: String| Fault::at(program, core, index, message);
        if let Some(Token(unknown)) = instruction.after.iter().find(|token| !tokens.contains_key(*token)) {
            return Err(fault(format!("waits for token t{unknown}, which no instruction before it signals")));
        }
        if let Some(token) = instruction.signals {
            if instruction.op.queue().is_none() {
                return Err(fault(format!("cannot signal token t{}", token.0)));
            }
            if let Some(first) = tokens.insert(token, index) {
                return Err(fault(format!("token t{} is that of instruction {first}", token.0)));
            }
        }
        if instruction.location.is_some_and(|location| location as usize >= program.locations.len()) {
            return Err(fault("has a location that the program does not list".to_owned()));
        }
        let found = instruction::check(machine, program, checked, &instruction.op).map_err(fault)?;
        if let Op::Matmul(matmul) = &instruction.op {
            let operand = (matmul.rhs, matmul.rhs_stride, matmul.n, matmul.k, matmul.types.rhs);
            if matmul.resident && held != Some(operand) {
                return Err(fault("is not the operand that the unit holds: that of the last product".to_owned()));
            }
            held = Some(operand);
        }
        effects.push(found);
    }
    Ok((effects, tokens))
}

/// Cores that meet at barriers must come to the same number of them.
fn barriers(program: &Program) -> Result<(), Fault> {
    let count = |core: &Vec<_>| core.iter().filter(|i: &&crate::program::Instruction| i.op == Op::Barrier).count();
    let mut counts = program.cores.iter().map(count).enumerate();
    let Some((_, first)) = counts.next() else { return Ok(()) };
    match counts.find(|(_, count)| *count != first) {
        Some((core, count)) => Err(Fault::new(format!(
            "core 0 has {first} barriers, and core {core} has {count}: they would wait forever"
        ))),
        None => Ok(()),
    }
}
