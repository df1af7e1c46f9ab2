//! Following control: the operations of other dialects say themselves what they mean.

use std::sync::Arc;

use dl_ir::interp::{Flow, Interpret, Machine, Memory, Step, Value, Values};
use dl_ir::{AttrRef, BlockRef, Diagnostic, OpRef, RegionRef, ValueRef};
use smallvec::SmallVec;

use super::{Encoder, MOST_STEPS};

/// Stack to keep free for one more level of regions, and how much to add when there is less.
const STACK_LEFT: usize = 128 * 1024;
const STACK_STEP: usize = 4 * 1024 * 1024;

impl<'a> Encoder<'a> {
    /// Runs the operations of a block to its end; the values that control leaves it with.
    pub(super) fn run_block(&mut self, block: BlockRef<'a>) -> Result<Values, Diagnostic> {
        for op in block.ops() {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return Err(op.error(format_args!("unsupported: a launch that takes more than {MOST_STEPS} steps")));
            }
            let results = match op.name() {
                "accelerator.core" => {
                    stacker::maybe_grow(STACK_LEFT, STACK_STEP, || self.core(op)).map(|()| Values::new())?
                }
                "accelerator.barrier" => {
                    self.barrier(op);
                    Values::new()
                }
                "accelerator.alloc" => smallvec::smallvec![self.alloc(op)?],
                "accelerator.dealloc" => Values::new(),
                "accelerator.ready" => {
                    smallvec::smallvec![Value::Other(Arc::new(None::<dl_simulator::program::Token>))]
                }
                name if name.starts_with("accelerator.") && name != "accelerator.launch" => self.instruction(op)?,
                _ => match self.step(op)? {
                    Flow::Next(results) => results,
                    Flow::Leave(values) => return Ok(values),
                    Flow::Branch(..) => return Err(op.error("unsupported: branches in a launch")),
                },
            };
            for (result, value) in op.results().iter().zip(results) {
                self.values.insert(result.id(), value);
            }
        }
        Ok(Values::new())
    }

    /// An operation of another dialect.
    fn step(&mut self, op: OpRef<'a>) -> Result<Flow<'a>, Diagnostic> {
        let meaning = op.interface::<dyn Interpret>().filter(|_| !op.name().starts_with("accelerator."));
        let meaning = meaning.ok_or_else(|| op.error("unsupported: this operation in a launch"))?;
        let operands: SmallVec<[Value; 4]> =
            op.operands().iter().map(|operand| self.value(operand)).collect::<Result<_, _>>()?;
        meaning.interpret(Step { op, operands: &operands, vscale: 1 }, self)
    }
}

impl<'a> Machine<'a> for Encoder<'a> {
    fn run_region(&mut self, region: RegionRef<'a>, args: &[Value]) -> Result<Values, Diagnostic> {
        let Some(block) = region.entry() else { return Ok(Values::new()) };
        for (arg, value) in block.args().zip(args) {
            self.values.insert(arg.id(), value.clone());
        }
        stacker::maybe_grow(STACK_LEFT, STACK_STEP, || self.run_block(block))
    }

    fn call(&mut self, at: OpRef<'a>, _: AttrRef<'a>, _: &[Value]) -> Result<Values, Diagnostic> {
        Err(at.error("unsupported: calls in a launch"))
    }

    fn symbol(&self, _: AttrRef<'a>) -> Option<OpRef<'a>> {
        None
    }

    fn value(&self, value: ValueRef<'a>) -> Result<Value, Diagnostic> {
        let held = self.values.get(&value.id()).cloned();
        held.ok_or_else(|| Diagnostic::error(value.loc(), "this value has not been computed"))
    }

    fn constant(&mut self, attr: AttrRef<'a>) -> Result<Value, String> {
        Value::of_attr(attr)
    }

    fn memory(&mut self) -> &mut Memory {
        &mut self.memory
    }

    fn kept(&self, _: &str) -> Option<Value> {
        None
    }

    fn keep(&mut self, _: &str, _: Value) {}

    fn print(&mut self, _: &str) {}
}
