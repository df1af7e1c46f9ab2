//! One run of a function, and all of it that others can see.
//!
//! Operations and functions that nothing is known about may do anything, so what they are given is observed, in order, and what they do is
//! the same every time: they answer values drawn for their turn, run their regions, and write to memory that they are handed.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use dl_interpreter::{Interpreter, Options, Outside};
use dl_ir::interp::{Array, Flow, Machine, Memory, Odometer, Outcome, Step, Value, Values};
use dl_ir::{Diagnostic, OpRef, Trait, Type, TypeRef};
use dl_llvm::interpret::Pointer;

use crate::draw::{Draw, few};
use crate::signature::{Signature, answers, arguments};

/// The name of a function that is not there, for values of function types.
pub(crate) const ANY_FUNCTION: &str = "any_function_at_all";

/// Most operations of one run.
const MOST_STEPS: u64 = 50_000;

/// Most elements of tensors and vectors that one run computes: a loop may double them each time round.
const MOST_COMPUTED: u64 = 1 << 18;

/// Most elements in memory at any time.
const MOST_LIVE: usize = 1 << 20;

/// Something that an operation or function of unknown meaning was given.
#[derive(Debug)]
pub struct Event {
    /// Who was given it.
    pub name: String,
    /// The values, memory as it was then.
    pub values: Vec<Value>,
}

/// How a run ended.
#[derive(Debug)]
pub enum Ending {
    /// With these results.
    Values(Vec<Value>),
    /// With undefined behaviour: the program may do anything instead, before as well.
    Undefined(String),
    /// In a way that others can see, such as a failed assertion.
    Aborted(String),
    /// It is not known, since the interpreter does not do something, or stopped.
    Unknown(String),
}

impl Default for Ending {
    fn default() -> Self {
        Self::Values(Vec::new())
    }
}

/// All that others can see of a run.
#[derive(Default, Debug)]
pub struct Observation {
    /// How it ended.
    pub ending: Ending,
    /// What was handed to operations and functions that nothing is known about, in order.
    pub events: Vec<Event>,
    /// What it printed.
    pub printed: String,
    /// What arguments and globals hold in the end, with their names.
    pub memory: Vec<(String, Value)>,
}

/// Runs `function` of `root` as run number `run`, on what is drawn for a function of `signature`: its own, or the one that it had before a
/// pass gave its values other types.
pub fn observe(root: OpRef<'_>, function: OpRef<'_>, signature: &Signature, run: u64) -> Observation {
    let options = Options {
        steps: Some(MOST_STEPS),
        elements: Some(MOST_COMPUTED),
        memory: MOST_LIVE,
        depth: 200,
        ..Options::default()
    };
    let world = Arc::new(World {
        run,
        called: signature.called.clone(),
        written: signature.written,
        events: Mutex::default(),
        shown: AtomicUsize::new(0),
    });
    let mut interpreter = Interpreter::new(root, options).with_outside(Arc::clone(&world) as Arc<dyn Outside>);
    let mut seen = Observation::default();
    let args = match arguments(signature, function, run, interpreter.memory()) {
        Ok(args) => args,
        Err(why) => {
            seen.ending = Ending::Unknown(why);
            return seen;
        }
    };
    let outcome = interpreter.run(function, &args);
    seen.printed = outcome.printed;
    seen.ending = match outcome.results {
        Ok(values) => {
            let results = Signature::of(function).results;
            let shown = values.iter().enumerate().map(|(at, value)| {
                let ty = results.get(at).map(|&ty| function.cx().ty(ty));
                snapshot(value, ty, interpreter.memory())
            });
            Ending::Values(shown.collect())
        }
        Err(error) => ending(&error),
    };
    // A tensor keeps its value, so nobody looks at the buffer that took its place.
    for (at, (value, &ty)) in args.iter().zip(&signature.args).enumerate() {
        if !function.cx().ty(ty).is_tensor() && (value.as_memref().is_some() || Pointer::of(value).is_some()) {
            let shown = snapshot(value, Some(function.cx().ty(ty)), interpreter.memory());
            seen.memory.push((format!("argument {at}"), shown));
        }
    }
    let kept: Vec<(String, Value)> =
        interpreter.kept().into_iter().map(|(key, value)| (key.to_owned(), value.clone())).collect();
    for (key, value) in kept {
        let shown = snapshot(&value, None, interpreter.memory());
        seen.memory.push((key, shown));
    }
    let mut events = world.events.lock().unwrap_or_else(PoisonError::into_inner);
    seen.events = std::mem::take(&mut *events);
    seen
}

fn ending(error: &Diagnostic) -> Ending {
    let message = error.message.clone();
    if message.contains("undefined behaviour: ") {
        Ending::Undefined(message)
    } else if message.contains("assertion failed") {
        Ending::Aborted(message)
    } else {
        Ending::Unknown(message)
    }
}

/// `value` as it is now: memory becomes an array of what it shows, where poison stands for what was never written.
pub(crate) fn snapshot(value: &Value, ty: Option<TypeRef<'_>>, memory: &Memory) -> Value {
    if let Some(buffer) = Pointer::of(value).and_then(|pointer| pointer.buffer) {
        let len = memory.len(buffer).unwrap_or(0);
        let byte = |at| memory.peek(buffer, at).ok().flatten().cloned().unwrap_or(Value::Poison);
        return Array::new(&[len as i64], (0..len as i64).map(byte).collect()).into();
    }
    let Value::MemRef(memref) = value else { return value.clone() };
    if few(&memref.shape).is_err() {
        return Value::Poison;
    }
    let element = ty.map(TypeRef::element_or_self);
    let (mut elements, mut indices) = (Vec::new(), Odometer::new(&memref.shape));
    while let Some(index) = indices.next() {
        let read = match element {
            Some(element) => memory.read(memref, index, element),
            None => memref.position(index).and_then(|at| memory.peek(memref.buffer, at).map(|found| found.cloned())),
        };
        // What is gone cannot be looked at.
        let element = read.ok().flatten().map_or(Value::Poison, |value| snapshot(&value, element, memory));
        elements.push(element);
    }
    Array::new(&memref.shape, elements).into()
}

struct World {
    run: u64,
    /// What functions answered before a pass gave them other types.
    called: BTreeMap<String, Vec<Type>>,
    /// Whether they write to memory that they are handed.
    written: bool,
    events: Mutex<Vec<Event>>,
    /// Elements of memory and arrays in those.
    shown: AtomicUsize,
}

/// Most elements that events may hold: loops hand large memory on in each iteration.
const MOST_SHOWN: usize = 1 << 20;

impl World {
    /// Notes that `name` was given these values; the number of the event. What holds too much in all is not looked at further.
    fn note<'v>(
        &self,
        name: &str,
        values: impl Iterator<Item = (&'v Value, TypeRef<'v>)>,
        memory: &Memory,
    ) -> Result<u64, String> {
        let values: Vec<Value> = values.map(|(value, ty)| snapshot(value, Some(ty), memory)).collect();
        let elements: usize = values.iter().filter_map(Value::as_array).map(|array| array.elements().len()).sum();
        if self.shown.fetch_add(elements, Ordering::Relaxed) + elements > MOST_SHOWN {
            return Err("unsupported: so many elements in all that is handed on".to_owned());
        }
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        events.push(Event { name: name.to_owned(), values });
        Ok(events.len() as u64)
    }

    /// What the operation `at` answers when it is its turn, after it has written to the memory that it was handed.
    fn answer(&self, at: OpRef<'_>, turn: u64, given: &[Value], memory: &mut Memory) -> Result<Values, String> {
        let mut draw = Draw::at(self.run, turn);
        for (value, operand) in given.iter().zip(at.operands().iter()) {
            let Value::MemRef(memref) = value else { continue };
            let element = operand.ty().element_or_self();
            // Lists of indices stay what they are: nothing else is a shape. To write to a clone, or to what has one, is undefined.
            let is_open = !element.is_index() && !element.is_memref() && !memory.is_shared(memref.buffer);
            if draw.coin() && is_open && self.written {
                draw.scribble(memref, element, memory)?;
            }
        }
        at.results().iter().map(|result| draw.value(result.ty(), memory)).collect()
    }
}

impl Outside for World {
    fn operation<'a>(&self, step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
        let op = step.op;
        if op.info().is_registered() {
            return Err(step.unsupported("the interpreter has no meaning for this operation"));
        }
        let given = step.operands.iter().zip(op.operands().iter().map(|operand| operand.ty()));
        let turn = step.defined(self.note(op.name(), given, machine.memory()))?;
        let mut draw = Draw::at(self.run, turn ^ 0xFF00);
        let ends_block = op.next().is_none() && op.num_results() == 0;
        let in_graph = op.parent().is_none_or(|parent| parent.has_trait(&Trait::NoTerminator));
        if ends_block && !in_graph {
            let open = op.successors().filter(|block| block.num_args() == 0).count();
            return match op.num_successors() {
                0 => Ok(Flow::Leave(step.operands.into())),
                _ if open == 0 => Err(step.unsupported("a branch of unknown meaning that hands on values")),
                _ => {
                    let chosen = draw.below(open);
                    let to = op.successors().filter(|block| block.num_args() == 0).nth(chosen);
                    let to = to.ok_or_else(|| step.unsupported("a branch of unknown meaning"))?;
                    Ok(Flow::Branch(to, Values::new()))
                }
            };
        }
        for region in op.regions() {
            let Some(entry) = region.entry() else { continue };
            for _ in 0..draw.below(3) {
                let args =
                    entry.args().map(|arg| draw.value(arg.ty(), machine.memory())).collect::<Result<Values, _>>();
                let left = machine.run_region(region, &step.defined(args)?)?;
                let events = &mut self.events.lock().unwrap_or_else(PoisonError::into_inner);
                events.push(Event { name: format!("end of a region of {}", op.name()), values: left.to_vec() });
            }
        }
        step.defined(self.answer(op, turn, step.operands, machine.memory())).map(Flow::Next)
    }

    fn function<'a>(
        &self,
        at: OpRef<'a>,
        name: &str,
        args: &[Value],
        machine: &mut dyn Machine<'a>,
    ) -> Result<Values, Diagnostic> {
        let skipped = at.num_operands().saturating_sub(args.len());
        let types = at.operands().iter().skip(skipped).map(|operand| operand.ty());
        // The name by which compiled functions call others with the calling convention of C.
        let name = name.strip_prefix("_mlir_ciface_").unwrap_or(name);
        let turn = self.note(name, args.iter().zip(types), machine.memory()).map_err(|why| at.error(why))?;
        let own = || at.results().iter().map(|result| result.ty().id()).collect();
        let types = self.called.get(name).cloned().unwrap_or_else(own);
        let (mut draw, memory) = (Draw::at(self.run, turn), machine.memory());
        let drawn: Result<Vec<Value>, String> = types.iter().map(|&ty| draw.value(at.cx().ty(ty), memory)).collect();
        let answered = drawn.and_then(|values| answers(values, &types, at, memory));
        answered.map(Values::from).map_err(|why| at.error(why))
    }
}
