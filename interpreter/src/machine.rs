//! The machine: follows control, and holds values, memory and calls.

use std::sync::Arc;

use dl_ir::interfaces::FunctionOp;
use dl_ir::interp::{Flow, Interpret, Machine, Memory, Step, Value, Values};
use dl_ir::{Attr, AttrRef, BlockRef, Diagnostic, Loc, OpRef, RegionRef, Trait, TypeRef, ValueRef};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::frame::Frame;
use crate::options::Options;
use crate::outside::Outside;
use crate::symbols::{Symbol, Symbols, TableId};

/// Stack to keep free for one more level of regions, and how much to add when there is less.
const STACK_LEFT: usize = 128 * 1024;
const STACK_STEP: usize = 4 * 1024 * 1024;

/// The most calls that an error names.
const MAX_NOTES: usize = 8;

/// Runs functions of one program. Memory and globals live as long as it does: later calls see what earlier ones wrote.
pub struct Interpreter<'a> {
    symbols: Symbols<'a>,
    frames: Vec<Frame<'a>>,
    memory: Memory,
    constants: FxHashMap<Attr, Value>,
    kept: FxHashMap<Box<str>, Value>,
    printed: String,
    options: Options,
    outside: Option<Arc<dyn Outside>>,
    steps: u64,
    /// How many elements of tensors and vectors were computed.
    elements: u64,
    depth: usize,
}

/// What came of a call.
#[derive(Debug)]
pub struct Run {
    /// The results, or why the program ended before it had any.
    pub results: Result<Values, Diagnostic>,
    /// What the program printed.
    pub printed: String,
    /// How many operations ran.
    pub steps: u64,
}

impl<'a> Interpreter<'a> {
    /// For the verified program `root`, an operation with a symbol table.
    pub fn new(root: OpRef<'a>, options: Options) -> Self {
        Self {
            symbols: Symbols::new(root),
            frames: Vec::new(),
            memory: Memory::with_limit(options.memory),
            constants: FxHashMap::default(),
            kept: FxHashMap::default(),
            printed: String::new(),
            options,
            outside: None,
            steps: 0,
            elements: 0,
            depth: 0,
        }
    }

    /// Leaves to `outside` what has no meaning here.
    #[must_use]
    pub fn with_outside(self, outside: Arc<dyn Outside>) -> Self {
        Self { outside: Some(outside), ..self }
    }

    /// The memory, to make arguments and to look at results.
    pub fn memory(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// What operations have kept for as long as the program runs, such as the buffers of globals, in the order of the keys.
    pub fn kept(&self) -> Vec<(&str, &Value)> {
        let mut kept: Vec<(&str, &Value)> = self.kept.iter().map(|(key, value)| (&**key, value)).collect();
        kept.sort_by_key(|&(key, _)| key);
        kept
    }

    /// Calls `function`, which stands directly in the program, with these arguments.
    pub fn run(&mut self, function: OpRef<'a>, args: &[Value]) -> Run {
        let (steps, depth) = (self.steps, self.depth);
        let results = self.call_function(function, Symbol { op: function, table: 0 }, args);
        (self.depth, self.frames) = (depth, Vec::new());
        Run { results, printed: std::mem::take(&mut self.printed), steps: self.steps - steps }
    }

    /// Calls `callee` for the operation `at`.
    fn call_function(&mut self, at: OpRef<'a>, callee: Symbol<'a>, args: &[Value]) -> Result<Values, Diagnostic> {
        let Symbol { op, table } = callee;
        let name = op.symbol_name().unwrap_or_default();
        let Some(function) = op.interface::<dyn FunctionOp>() else {
            return Err(Diagnostic::error(at.loc(), format!("'{name}' is no function")));
        };
        if function.is_declaration(op) {
            return match self.outside.clone() {
                Some(outside) => outside.function(at, name, args, self),
                None => Err(Diagnostic::error(at.loc(), format!("unsupported: call of '{name}', which has no body"))),
            };
        }
        self.enter(op.region(0), table, args)
    }

    /// Runs `region` in a frame of its own.
    fn enter(&mut self, region: RegionRef<'a>, table: TableId, args: &[Value]) -> Result<Values, Diagnostic> {
        self.frames.push(Frame::new(region.arena(), table));
        let left = self.nest(region, args);
        self.frames.pop();
        left
    }

    /// Runs `region` one level deeper.
    fn nest(&mut self, region: RegionRef<'a>, args: &[Value]) -> Result<Values, Diagnostic> {
        let around = region.parent_op();
        let loc = around.map_or(Loc::UNKNOWN, OpRef::loc);
        if self.depth >= self.options.depth {
            let message = format!("unsupported: calls and regions nested more than {} deep", self.options.depth);
            return Err(Diagnostic::error(loc, message));
        }
        self.depth += 1;
        let scope = around.is_some_and(|op| op.has_trait(&Trait::AutomaticAllocationScope));
        let mark = self.memory.mark_stack();
        let left = stacker::maybe_grow(STACK_LEFT, STACK_STEP, || self.blocks(region, args));
        if scope {
            self.memory.release_stack(mark);
        }
        self.depth -= 1;
        left
    }

    /// From block to block, until control leaves the region.
    fn blocks(&mut self, region: RegionRef<'a>, args: &[Value]) -> Result<Values, Diagnostic> {
        let Some(mut block) = region.entry() else { return Ok(Values::new()) };
        self.bind_args(block, args)?;
        'blocks: loop {
            for op in block.ops() {
                match self.step(op)? {
                    Flow::Next(results) => self.bind_results(op, results)?,
                    Flow::Leave(values) => return Ok(values),
                    Flow::Branch(to, args) => {
                        self.bind_args(to, &args)?;
                        block = to;
                        continue 'blocks;
                    }
                }
            }
            // A block without a terminator, as those of modules.
            return Ok(Values::new());
        }
    }

    fn step(&mut self, op: OpRef<'a>) -> Result<Flow<'a>, Diagnostic> {
        self.steps += 1;
        if let Some(limit) = self.options.steps
            && self.steps > limit
        {
            return Err(op.error(format_args!("stopped here: the program runs for more than {limit} steps")));
        }
        // Types tell before the work is done, where they can.
        self.count_elements(
            op,
            op.results().iter().map(|result| static_elements(result.ty())).fold(0, u64::saturating_add),
        )?;
        let operands = op.operands().iter().map(|operand| self.get(op, operand)).collect::<Result<SmallVec<_>, _>>();
        let operands: SmallVec<[Value; 4]> = operands?;
        let step = Step { op, operands: &operands, vscale: self.options.vscale };
        match (op.interface::<dyn Interpret>(), self.outside.clone()) {
            (Some(meaning), _) => meaning.interpret(step, self),
            (None, Some(outside)) => outside.operation(step, self),
            (None, None) => Err(op.error("unsupported: the interpreter has no meaning for this operation")),
        }
    }

    /// Counts elements that `op` computes.
    fn count_elements(&mut self, op: OpRef<'a>, elements: u64) -> Result<(), Diagnostic> {
        self.elements = self.elements.saturating_add(elements);
        match self.options.elements {
            Some(limit) if self.elements > limit => {
                Err(op.error(format_args!("stopped here: the program computes more than {limit} elements")))
            }
            _ => Ok(()),
        }
    }

    fn get(&self, at: OpRef<'a>, value: ValueRef<'a>) -> Result<Value, Diagnostic> {
        let frame = self.frames.iter().rev().find(|frame| std::ptr::eq(frame.arena, value.arena()));
        let held = frame.and_then(|frame| frame.get(value.id()));
        held.cloned().ok_or_else(|| at.error("uses a value that has not been computed"))
    }

    fn bind_results(&mut self, op: OpRef<'a>, results: Values) -> Result<(), Diagnostic> {
        if results.len() != op.num_results() {
            let message = format!("was run to {} results, but has {}", results.len(), op.num_results());
            return Err(op.error(message));
        }
        for (result, value) in op.results().iter().zip(&results) {
            if static_elements(result.ty()) == 0
                && let Value::Array(array) = value
            {
                self.count_elements(op, array.elements().len() as u64)?;
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            for (result, value) in op.results().iter().zip(results) {
                frame.set(result.id(), value);
            }
        }
        Ok(())
    }

    fn bind_args(&mut self, block: BlockRef<'a>, args: &[Value]) -> Result<(), Diagnostic> {
        if args.len() != block.num_args() {
            let message = format!("{} values for a block of {} arguments", args.len(), block.num_args());
            let loc = block.parent_op().map_or(Loc::UNKNOWN, OpRef::loc);
            return Err(Diagnostic::error(loc, message));
        }
        if let Some(frame) = self.frames.last_mut() {
            for (arg, value) in block.args().zip(args) {
                frame.set(arg.id(), value.clone());
            }
        }
        Ok(())
    }

    fn table(&self) -> TableId {
        self.frames.last().map_or(0, |frame| frame.table)
    }
}

/// How many elements values of type `ty` have; 0 where the type does not tell, and for what is no tensor or vector.
fn static_elements(ty: TypeRef<'_>) -> u64 {
    if !ty.is_tensor() && !ty.is_vector() {
        return 0;
    }
    let Some(shape) = ty.shape() else { return 0 };
    let extents = shape.iter().map(|&extent| u64::try_from(extent).unwrap_or(0));
    extents.fold(1, u64::saturating_mul)
}

impl<'a> Machine<'a> for Interpreter<'a> {
    fn run_region(&mut self, region: RegionRef<'a>, args: &[Value]) -> Result<Values, Diagnostic> {
        let here = self.frames.last().is_some_and(|frame| std::ptr::eq(frame.arena, region.arena()));
        if here { self.nest(region, args) } else { self.enter(region, self.table(), args) }
    }

    fn call(&mut self, at: OpRef<'a>, callee: AttrRef<'a>, args: &[Value]) -> Result<Values, Diagnostic> {
        let Some(symbol) = self.symbols.resolve(self.table(), callee) else {
            return Err(at.error(format_args!("calls {callee}, which is not defined")));
        };
        self.call_function(at, symbol, args).map_err(|error| {
            let named = error.notes.len();
            if named < MAX_NOTES { error.note(at.loc(), "called from here") } else { error }
        })
    }

    fn symbol(&self, symbol: AttrRef<'a>) -> Option<OpRef<'a>> {
        self.symbols.resolve(self.table(), symbol).map(|symbol| symbol.op)
    }

    fn value(&self, value: ValueRef<'a>) -> Result<Value, Diagnostic> {
        let held = self.frames.last().and_then(|frame| frame.get(value.id()));
        held.cloned().ok_or_else(|| Diagnostic::error(value.loc(), "this value has not been computed"))
    }

    fn constant(&mut self, attr: AttrRef<'a>) -> Result<Value, String> {
        if let Some(value) = self.constants.get(&attr.id()) {
            return Ok(value.clone());
        }
        let value = Value::of_scaled_attr(attr, self.options.vscale)?;
        self.constants.insert(attr.id(), value.clone());
        Ok(value)
    }

    fn memory(&mut self) -> &mut Memory {
        &mut self.memory
    }

    fn kept(&self, key: &str) -> Option<Value> {
        self.kept.get(key).cloned()
    }

    fn keep(&mut self, key: &str, value: Value) {
        self.kept.insert(key.into(), value);
    }

    fn print(&mut self, text: &str) {
        self.printed.push_str(text);
    }
}
