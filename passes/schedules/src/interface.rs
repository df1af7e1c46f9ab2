//! What operations of a schedule do: interfaces that the crates attach that own the transformations.

use dl_ir::rewrite::Patterns;
use dl_ir::{OpRef, ValueId};

use crate::failure::{Failure, Outcome};
use crate::handles::{Entity, Results};
use crate::interpreter::Interpreter;
use crate::payload::PayloadOp;

/// An operation of a schedule that can be executed.
pub trait Transformation: Send + Sync {
    /// Does to the payload what `op` says, and says what its results stand for. What `results` are not told stands for nothing.
    ///
    /// # Errors
    /// Why it cannot be done.
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome;

    /// Whether the handle that is operand `operand` must not be used afterwards, nor one on something nested in what it stands for.
    fn consumes<'s>(&self, op: OpRef<'s>, operand: usize, run: &Interpreter<'s, '_>) -> bool {
        let _ = (operand, run);
        op.names_interface("FunctionalStyleTransformOpTrait")
    }

    /// Whether its operands may stand for the same things though it consumes them.
    fn allows_repeated_handles(&self, op: OpRef<'_>) -> bool {
        let _ = op;
        false
    }
}

/// An operation of a schedule that names patterns: one in the region of `transform.apply_patterns`.
pub trait PatternSource: Send + Sync {
    /// Adds the patterns.
    ///
    /// # Errors
    /// That some of what `op` asks for is not there.
    fn add(&self, op: OpRef<'_>, patterns: &mut Patterns) -> Outcome;
}

impl<F: Fn(OpRef<'_>, &mut Patterns) + Send + Sync> PatternSource for F {
    fn add(&self, op: OpRef<'_>, patterns: &mut Patterns) -> Outcome {
        self(op, patterns);
        Ok(())
    }
}

/// An operation of the payload through which one looks for what has replaced another: what reshapes or casts something stands for it.
pub trait FindReplacement: Send + Sync {
    /// The values to look at instead of the results of `op`.
    fn next_operands(&self, op: OpRef<'_>) -> Vec<ValueId>;
}

/// What a transformation that works on each operation by itself does to one, and what each of its results then stands for. With no results
/// where it has some, the operation adds nothing to them.
type ApplyToOne =
    for<'s> fn(op: OpRef<'s>, run: &mut Interpreter<'s, '_>, target: PayloadOp) -> Result<Vec<Entity>, Failure>;

/// A transformation that does the same to each operation that its first operand stands for.
pub struct Each {
    consumes: bool,
    apply: ApplyToOne,
}

impl Each {
    /// One after which the handle must not be used any more.
    pub fn consuming(apply: ApplyToOne) -> Box<dyn Transformation> {
        Box::new(Self { consumes: true, apply })
    }

    /// One that leaves the handle valid.
    pub fn reading(apply: ApplyToOne) -> Box<dyn Transformation> {
        Box::new(Self { consumes: false, apply })
    }
}

impl Transformation for Each {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let targets = run.ops(op.operand(0));
        if self.consumes {
            run.check_no_ancestors(op, &targets)?;
        }
        let mut lists = vec![Vec::new(); op.num_results()];
        let mut failed: Option<dl_ir::Diagnostics> = None;
        for target in targets {
            run.check_live(op, target)?;
            match (self.apply)(op, run, target) {
                Ok(row) if row.len() == lists.len() => {
                    lists.iter_mut().zip(row).for_each(|(list, entity)| list.push(entity));
                }
                Ok(_) => {}
                Err(Failure::Silenceable(why)) => failed.get_or_insert_default().append(why),
                Err(definite) => return Err(definite),
            }
        }
        lists.into_iter().enumerate().for_each(|(at, list)| results.set(at, list));
        failed.map_or(Ok(()), |why| Err(Failure::Silenceable(why)))
    }

    fn consumes<'s>(&self, _: OpRef<'s>, operand: usize, _: &Interpreter<'s, '_>) -> bool {
        self.consumes && operand == 0
    }
}
