//! Sequences: named, included, nested, and for each of several things.

use dl_ir::{DialectBuilder, OpRef, OpView, RegionRef};
use dl_transform::{FailurePropagationMode, ForeachOp, IncludeOp, NamedSequenceOp, SequenceOp};

use super::on;
use crate::failure::{Failure, Outcome};
use crate::handles::{Entity, Results};
use crate::interface::Transformation;
use crate::interpreter::Interpreter;
use crate::script::is_external;

pub(super) fn attach(builder: &mut DialectBuilder) {
    on::<SequenceOp<'_>>(builder, Sequence);
    on::<IncludeOp<'_>>(builder, Include);
    on::<ForeachOp<'_>>(builder, Foreach);
}

/// Whether failures that may be silenced are, by the attribute `failure_propagation_mode`.
pub(super) fn suppresses(op: OpRef<'_>) -> bool {
    let mode = op.attr("failure_propagation_mode").and_then(FailurePropagationMode::from_attr);
    mode == Some(FailurePropagationMode::Suppress)
}

/// Whether an operation of a region's block consumes argument `at` of it.
fn consumes_argument<'s>(region: RegionRef<'s>, at: usize, run: &Interpreter<'s, '_>) -> bool {
    let Some(block) = region.entry().filter(|block| at < block.num_args()) else { return false };
    block.arg(at).uses().any(|(user, operand)| {
        let meaning = user.interface::<dyn Transformation>();
        user.block() == Some(block) && meaning.is_some_and(|meaning| meaning.consumes(user, operand, run))
    })
}

/// Makes the arguments of a region stand for these.
fn map_arguments<'s>(region: RegionRef<'s>, lists: Vec<Vec<Entity>>, run: &mut Interpreter<'s, '_>) -> Outcome {
    let args = region.entry().into_iter().flat_map(|block| block.args());
    args.zip(lists).try_for_each(|(arg, list)| run.map(arg, list))
}

/// Executes the named sequence `entry` on what the schedule runs on.
pub(crate) fn run_entry<'s>(entry: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
    let entry = entry.body();
    if is_external(entry) {
        return Err(Failure::definite(entry, "unresolved external named sequence"));
    }
    let region = NamedSequenceOp::wrap(entry).body();
    let block = region.entry().expect("a body has a block");
    let lists = top_level_lists(entry, region, run)?;
    run.in_region(region, |run| {
        map_arguments(region, lists, run)?;
        run.run_sequence(block, false, results)
    })
}

/// What the arguments of a sequence stand for that runs on its own.
fn top_level_lists<'s>(
    op: OpRef<'s>,
    region: RegionRef<'s>,
    run: &Interpreter<'s, '_>,
) -> Result<Vec<Vec<Entity>>, Failure> {
    let wanted = region.entry().map_or(0, |block| block.num_args());
    if wanted == 0 {
        return Err(Failure::definite(op, "expected the entry to take what it runs on as its first argument"));
    }
    if run.bindings.len() != wanted - 1 {
        let message = format!(
            "operation expects {} extra value bindings, but {} were provided to the interpreter",
            wanted - 1,
            run.bindings.len()
        );
        return Err(Failure::definite(op, message));
    }
    Ok(std::iter::once(vec![Entity::Op(run.top)]).chain(run.bindings.iter().cloned()).collect())
}

/// `transform.sequence`.
struct Sequence;

impl Transformation for Sequence {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let region = op.region(0);
        let lists = if op.num_operands() == 0 {
            top_level_lists(op, region, run)?
        } else {
            op.operands().iter().map(|operand| run.entities(operand).to_vec()).collect()
        };
        let Some(block) = region.entry() else { return Ok(()) };
        run.in_region(region, |run| {
            map_arguments(region, lists, run)?;
            run.run_sequence(block, suppresses(op), results)
        })
    }

    fn consumes<'s>(&self, op: OpRef<'s>, operand: usize, run: &Interpreter<'s, '_>) -> bool {
        consumes_argument(op.region(0), operand, run)
    }
}

/// `transform.include`.
struct Include;

impl Transformation for Include {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let callee = run.resolve(op, IncludeOp::wrap(op).target()).map(OpRef::body);
        let callee = callee.filter(|callee| callee.is::<NamedSequenceOp<'_>>() && !is_external(*callee));
        let Some(callee) = callee else { return Err(Failure::definite(op, "unresolved external named sequence")) };
        let lists = op.operands().iter().map(|operand| run.entities(operand).to_vec()).collect();
        let region = callee.region(0);
        let Some(block) = region.entry() else { return Ok(()) };
        run.in_region(region, |run| {
            map_arguments(region, lists, run)?;
            run.run_sequence(block, suppresses(op), results)
        })
    }

    fn consumes<'s>(&self, op: OpRef<'s>, operand: usize, run: &Interpreter<'s, '_>) -> bool {
        let callee = run.resolve(op, IncludeOp::wrap(op).target());
        let attrs =
            callee.and_then(|callee| callee.attr(dl_ir::interfaces::function::ARG_ATTRS)?.elements().nth(operand));
        attrs.is_some_and(|attrs| attrs.entries().iter().any(|&(key, _)| op.cx().str(key) == "transform.consumed"))
    }

    fn allows_repeated_handles(&self, _: OpRef<'_>) -> bool {
        true
    }
}

/// `transform.foreach`.
struct Foreach;

impl Transformation for Foreach {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let mut lists: Vec<Vec<Entity>> = op.operands().iter().map(|target| run.entities(target).to_vec()).collect();
        let shortest = op.attr("with_zip_shortest").is_some();
        let mut count = lists.first().map_or(0, Vec::len);
        if shortest {
            count = lists.iter().map(Vec::len).min().unwrap_or(0);
            lists.iter_mut().for_each(|list| list.truncate(count));
        }
        if let Some(at) = lists.iter().position(|list| list.len() != count) {
            let message = format!(
                "prior targets' payload size ({count}) differs from payload size ({}) of target {}",
                lists[at].len(),
                run.text_of_value(op.operand(at)),
            );
            return Err(Failure::silenceable(op, message));
        }
        let region = op.region(0);
        let Some(block) = region.entry() else { return Ok(()) };
        let mut yielded: Vec<Vec<Entity>> = vec![Vec::new(); op.num_results()];
        for i in 0..count {
            let row: Vec<Vec<Entity>> = lists.iter().map(|list| vec![list[i]]).collect();
            if row.iter().flatten().any(|&entity| !run.is_there(entity)) {
                return Err(Failure::definite(
                    op,
                    format!("what iteration {i} works on has been erased by one before"),
                ));
            }
            run.in_region(region, |run| {
                map_arguments(region, row, run)?;
                run.run_block(block, false)?;
                yielded.iter_mut().zip(run.yielded(block)).for_each(|(all, list)| all.extend(list));
                Ok(())
            })?;
        }
        yielded.into_iter().enumerate().for_each(|(at, list)| results.set(at, list));
        Ok(())
    }

    fn consumes<'s>(&self, op: OpRef<'s>, operand: usize, run: &Interpreter<'s, '_>) -> bool {
        consumes_argument(op.region(0), operand, run)
    }
}
