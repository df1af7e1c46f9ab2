//! `scf-for-loop-canonicalization`: what the ranges of loops say of the operations in them.

use dl_affine::constrained::replace_by_chosen_result;
use dl_affine::constraints::ValueSystem;
use dl_affine::{AffineMaxOp, AffineMinOp};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Definition, OpDefinition, OpId, Rewriter, ValueId, ValueRef};
use dl_scf::ForOp;

use crate::bounds::{add_range, dimension_of};

/// Simplifies `affine.min` and `affine.max` of induction variables, and sizes of values that loops carry without changing their shape.
#[derive(Clone, Copy, Default)]
pub struct ForLoopCanonicalization;

impl Pass for ForLoopCanonicalization {
    const INFO: PassInfo =
        PassInfo::new("scf-for-loop-canonicalization", "Canonicalize operations within scf.for loop bodies")
            .title("SCFForLoopCanonicalization");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        add_patterns(&mut patterns);
        cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?;
        Ok(())
    }
}

/// Adds the patterns.
pub(crate) fn add_patterns(patterns: &mut Patterns) {
    patterns
        .add_fn("scf-min-of-induction-variables", Some(AffineMinOp::NAME), known_min_or_max)
        .add_fn("scf-max-of-induction-variables", Some(AffineMaxOp::NAME), known_min_or_max)
        .add_fn("scf-size-of-carried-tensor", Some("tensor.dim"), size_of_carried)
        .add_fn("scf-size-of-carried-memref", Some("memref.dim"), size_of_carried);
}

/// The result that is the least or greatest for all values of the induction variables.
fn known_min_or_max(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let mut known = ValueSystem::new();
    let mut seen: Vec<ValueId> = Vec::new();
    for operand in rw.op(op).operands().iter() {
        let Some((around, dim)) = dimension_of(operand) else { continue };
        if !around.name().starts_with("scf.") || seen.contains(&operand.id()) {
            continue;
        }
        seen.push(operand.id());
        add_range(&mut known, dim).ok_or(NoMatch("the step of a loop is no positive constant"))?;
    }
    replace_by_chosen_result(rw, op, &known)
}

/// The size of what a loop carries is that of its initial value, where the loop does not change its shape.
fn size_of_carried(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let source = rw.op(op).operand(0);
    let init = initial_value(source).ok_or(NoMatch("is not of a value that a loop carries in one shape"))?.id();
    rw.set_operand(op, 0, init);
    Ok(())
}

/// The initial value of what `value` is one iteration, or the last one, of.
fn initial_value(value: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let (looping, at) = match value.definition() {
        Definition::Argument(_) => (value.owner_block()?.parent_op()?, value.index().checked_sub(1)?),
        Definition::Result(_) => (value.defining_op()?, value.index()),
    };
    let looping = looping.cast::<ForOp<'_>>()?;
    keeps_shape(looping, at).then(|| looping.init_args().get(at)).flatten()
}

/// Whether what the loop carries at `at` has the same shape in each iteration: all that happens to it are insertions, in loops or not.
fn keeps_shape(looping: ForOp<'_>, at: usize) -> bool {
    // Loops in which the value must be found to be carried, with where the search in each goes on.
    let Some((argument, start)) = ends(looping, at) else { return false };
    let mut pending = vec![(argument, start)];
    while let Some((argument, value)) = pending.pop() {
        if value == argument {
            continue;
        }
        let Some(op) = value.defining_op() else { return false };
        if op.name() == "tensor.insert_slice" {
            pending.push((argument, op.operand(1)));
        } else if let Some(inner) = op.cast::<ForOp<'_>>() {
            let (Some(of_inner), Some(init)) = (ends(inner, value.index()), inner.init_args().get(value.index()))
            else {
                return false;
            };
            pending.push((argument, init));
            pending.push(of_inner);
        } else {
            return false;
        }
    }
    true
}

/// The argument and the yielded value of what the loop carries at `at`.
fn ends(looping: ForOp<'_>, at: usize) -> Option<(ValueRef<'_>, ValueRef<'_>)> {
    let body = looping.region().entry()?;
    let yielded = body.last_op()?.operands().get(at)?;
    Some((body.args().nth(at + 1)?, yielded))
}
