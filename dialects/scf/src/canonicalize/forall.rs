//! Patterns for `scf.forall`.

use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::{Indices, mixed, split};
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{
    BlockRef, DYNAMIC, InsertPoint, Loc, OpDefinition, OpId, OpRef, OpState, OpView, Operands, Rewriter, Type, ValueId,
    ValueRef,
};
use smallvec::SmallVec;

use super::{Values, kept, take_region};
use crate::trips::{constant, trip_count};
use crate::{ForallOp, InParallelOp};

pub(crate) fn forall_patterns(patterns: &mut Patterns) {
    patterns
        .add(FoldForallBounds)
        .add(SimplifyDims)
        .add(KnownInductionVariables)
        .add(DropOutputs)
        .add(FoldCastOfOutput)
        .add(SizeOfResult);
}

const NO_BODY: NoMatch = NoMatch("is not well formed");

/// Bounds and steps that are constants become part of the loop.
struct FoldForallBounds;

impl Pattern for FoldForallBounds {
    const NAME: &'static str = "scf-forall-fold-bounds";
    const ROOT: Option<&'static str> = Some(ForallOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = ForallOp::wrap(rw.op(op));
        let [mut lower, mut upper, mut step] = crate::forall_bounds(view);
        let values = [
            fold_bounds(&mut lower, view.dynamic_lower_bound()),
            fold_bounds(&mut upper, view.dynamic_upper_bound()),
            fold_bounds(&mut step, view.dynamic_step()),
        ];
        let before = view.0.num_operands() - view.outputs().len();
        if values.iter().map(Values::len).sum::<usize>() == before {
            return Err(NoMatch("no bound is a constant"));
        }
        let cx = rw.cx();
        for (group, values) in values.iter().enumerate() {
            rw.set_operand_group(op, group, values);
        }
        for (name, constants) in [("staticLowerBound", lower), ("staticUpperBound", upper), ("staticStep", step)] {
            rw.set_attr(op, cx.ident(name), cx.dense_i64_array(&constants));
        }
        Ok(())
    }
}

/// Writes the constants among `values` into `constants` and answers the others.
fn fold_bounds(constants: &mut [i64], values: Operands<'_>) -> Values {
    let mut rest = Values::new();
    let dynamic = constants.iter_mut().filter(|n| **n == DYNAMIC);
    for (slot, value) in dynamic.zip(values.iter()) {
        match constant(value) {
            Some(n) if n != DYNAMIC => *slot = n,
            _ => rest.push(value.id()),
        }
    }
    rest
}

/// The bounds of all dimensions.
struct Bounds {
    lower: Indices,
    upper: Indices,
    step: Indices,
}

impl Bounds {
    fn of(op: ForallOp<'_>) -> Self {
        let [lower, upper, step] = crate::forall_bounds(op);
        Self {
            lower: mixed(&lower, op.dynamic_lower_bound()),
            upper: mixed(&upper, op.dynamic_upper_bound()),
            step: mixed(&step, op.dynamic_step()),
        }
    }

    /// How often each dimension runs, where that is known.
    fn trip_counts(&self) -> Vec<Option<u64>> {
        let bounds = self.lower.iter().zip(&self.upper).zip(&self.step);
        let count = |((lower, upper), step): ((&Index, &Index), &Index)| {
            let empty = (lower == upper).then_some(0);
            empty.or_else(|| trip_count(lower.as_static(), upper.as_static(), step.as_static(), false))
        };
        bounds.map(count).collect()
    }
}

/// What the end of the body of `op` does.
fn in_parallel(op: ForallOp<'_>) -> Option<InParallelOp<'_>> {
    op.region().entry().and_then(BlockRef::last_op).and_then(OpRef::cast::<InParallelOp<'_>>)
}

/// The operations in it: into which argument of the body each writes. `None` where one is no insertion of a slice.
fn insertions(op: ForallOp<'_>) -> Option<Vec<(OpId, ValueId)>> {
    let block = in_parallel(op)?.region().entry()?;
    let destination = |insert: OpRef<'_>| {
        (insert.name() == "tensor.parallel_insert_slice").then(|| (insert.id(), insert.operand(1).id()))
    };
    block.ops().map(destination).collect()
}

/// Makes `op` anew with the kept dimensions and outputs. The arguments of the body for the others are gone already.
fn rebuild(rw: &mut Rewriter<'_>, op: OpId, keep_dims: &[bool], outputs: &[ValueId]) -> OpId {
    let view = ForallOp::wrap(rw.op(op));
    let (cx, bounds) = (rw.cx(), Bounds::of(view));
    let of = |all: &Indices| split(&kept::<_, Indices>(all.iter().copied(), keep_dims));
    let [(lower, lowers), (upper, uppers), (step, steps)] = [of(&bounds.lower), of(&bounds.upper), of(&bounds.step)];
    let sizes = [lowers.len(), uppers.len(), steps.len(), outputs.len()];
    let types: SmallVec<[Type; 4]> = outputs.iter().map(|&output| rw.ir().value_type(output)).collect();
    let attrs: Vec<_> = view.0.attrs().map(|(name, attr)| (name, attr.id())).collect();
    let state = OpState::of::<ForallOp<'_>>(view.0.loc())
        .attrs(attrs)
        .operands(lowers.into_iter().chain(uppers).chain(steps).chain(outputs.iter().copied()))
        .attr(cx, "staticLowerBound", cx.dense_i64_array(&lower))
        .attr(cx, "staticUpperBound", cx.dense_i64_array(&upper))
        .attr(cx, "staticStep", cx.dense_i64_array(&step))
        .operand_segments(cx, &sizes)
        .results(types);
    let region = view.region().id();
    let region = take_region(rw, region);
    rw.set_insertion_before(op);
    rw.create(state.region(region))
}

/// The value of an index, at the insertion point.
fn materialize(rw: &mut Rewriter<'_>, index: Index, loc: Loc) -> ValueId {
    match index {
        Index::Value(value) => value,
        Index::Static(number) => dl_arith::constant_index(rw, number, loc),
    }
}

/// Whether the dimensions are assigned to something, so that they must stay.
fn is_mapped(op: ForallOp<'_>) -> bool {
    op.mapping().is_some_and(|mapping| mapping.elements().len() > 0)
}

/// A loop that never runs leaves its outputs as they are; one that runs once is its body; dimensions that run once go.
struct SimplifyDims;

impl Pattern for SimplifyDims {
    const NAME: &'static str = "scf-forall-simplify-dims";
    const ROOT: Option<&'static str> = Some(ForallOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = ForallOp::wrap(rw.op(op));
        let bounds = Bounds::of(view);
        let trips = bounds.trip_counts();
        let outputs = view.outputs().ids();
        if trips.contains(&Some(0)) {
            rw.replace(op, &outputs);
            return Ok(());
        }
        if is_mapped(view) {
            return Err(NoMatch("the dimensions are mapped"));
        }
        let keep: Vec<bool> = trips.iter().map(|&trips| trips != Some(1)).collect();
        let Some(body) = view.region().entry() else { return Err(NO_BODY) };
        let (block, loc) = (body.id(), view.0.loc());
        let args: Values = body.args().map(ValueRef::id).collect();
        if keep.iter().all(|&keep| !keep) {
            let Some(insertions) = insertions(view) else { return Err(NoMatch("does not insert slices")) };
            rw.set_insertion_before(op);
            let mut values: Values = bounds.lower.iter().map(|&lower| materialize(rw, lower, loc)).collect();
            values.extend_from_slice(&outputs);
            let results = run_once(rw, op, &insertions, &values[..], args.len() - outputs.len());
            rw.replace(op, &results);
            return Ok(());
        }
        if keep.iter().all(|&keep| keep) {
            return Err(NoMatch("no dimension runs once"));
        }
        rw.set_insertion_before(op);
        for (index, &keep) in keep.iter().enumerate().rev() {
            if !keep {
                let start = materialize(rw, bounds.lower[index], loc);
                rw.replace_all_uses(args[index], start);
                rw.erase_block_arg(block, index);
            }
        }
        let new = rebuild(rw, op, &keep, &outputs);
        let results: Values = rw.ir().results(new).collect();
        rw.replace(op, &results);
        Ok(())
    }
}

/// Moves the body of `op` before it, with `values` for its arguments, of which the outputs follow number `rank`. Slices are inserted one
/// after another; answers the outputs after that.
fn run_once(
    rw: &mut Rewriter<'_>,
    op: OpId,
    insertions: &[(OpId, ValueId)],
    values: &[ValueId],
    rank: usize,
) -> Values {
    let view = ForallOp::wrap(rw.op(op));
    let body = view.region().entry().map(BlockRef::id).expect("a loop with insertions has a body");
    let end = in_parallel(view).map(|end| end.0.id()).expect("a loop with insertions has an end");
    let output_of = |ir: &dl_ir::Arena, arg: ValueId| ir.block_args(body).iter().position(|&a| a == arg);
    let destinations: Vec<Option<usize>> =
        insertions.iter().map(|&(_, arg)| output_of(rw.ir(), arg).and_then(|at| at.checked_sub(rank))).collect();
    let block = rw.ir().block_of(op).expect("an operation being rewritten is in a block");
    rw.inline_block(body, InsertPoint { block, before: Some(op) }, values);
    let mut outputs: Values = values[rank..].iter().copied().collect();
    for (&(insert, _), destination) in insertions.iter().zip(destinations) {
        let Some(at) = destination else { continue };
        let view = rw.op(insert);
        let mut operands = view.operands().ids();
        operands[1] = outputs[at];
        let attrs: Vec<_> = view.attrs().map(|(name, attr)| (name, attr.id())).collect();
        let state = OpState::named("tensor.insert_slice", view.loc()).operands(operands).attrs(attrs);
        let ty = rw.ir().value_type(outputs[at]);
        rw.set_insertion_before(op);
        outputs[at] = rw.create_value(state.results([ty]));
    }
    rw.erase(end);
    outputs
}

/// The variable of a dimension that runs once is its start, also where the dimension must stay.
struct KnownInductionVariables;

impl Pattern for KnownInductionVariables {
    const NAME: &'static str = "scf-forall-known-induction-variables";
    const ROOT: Option<&'static str> = Some(ForallOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = ForallOp::wrap(rw.op(op));
        let bounds = Bounds::of(view);
        let Some(body) = view.region().entry() else { return Err(NO_BODY) };
        let known = |(trips, arg): (Option<u64>, ValueRef<'_>)| trips == Some(1) && arg.has_uses();
        let known: Vec<bool> = bounds.trip_counts().into_iter().zip(body.args()).map(known).collect();
        if known.iter().all(|&known| !known) {
            return Err(NoMatch("no dimension that runs once is read"));
        }
        let (args, loc): (Values, _) = (body.args().map(ValueRef::id).collect(), view.0.loc());
        rw.set_insertion_before(op);
        for ((&arg, known), lower) in args.iter().zip(known).zip(bounds.lower) {
            if known {
                let start = materialize(rw, lower, loc);
                rw.replace_all_uses(arg, start);
            }
        }
        Ok(())
    }
}

/// An output that no slice is inserted into stays as it is; one whose result nobody reads need not be written.
struct DropOutputs;

impl Pattern for DropOutputs {
    const NAME: &'static str = "scf-forall-drop-outputs";
    const ROOT: Option<&'static str> = Some(ForallOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = ForallOp::wrap(rw.op(op));
        let Some(insertions) = insertions(view) else { return Err(NoMatch("does not insert slices")) };
        let Some(body) = view.region().entry() else { return Err(NO_BODY) };
        let outputs = view.outputs().ids();
        let rank = body.num_args() - outputs.len();
        let args: Values = body.args().skip(rank).map(ValueRef::id).collect();
        let written = |arg: ValueId| insertions.iter().any(|&(_, destination)| destination == arg);
        let keep: Vec<bool> =
            view.0.results().iter().zip(&args).map(|(result, &arg)| result.has_uses() && written(arg)).collect();
        if keep.iter().all(|&keep| keep) {
            return Err(NoMatch("every output is written and read"));
        }
        let block = body.id();
        for (insert, destination) in insertions {
            if args.iter().zip(&keep).any(|(&arg, &keep)| !keep && arg == destination) {
                rw.erase(insert);
            }
        }
        for (index, &keep) in keep.iter().enumerate().rev() {
            if !keep {
                rw.replace_all_uses(args[index], outputs[index]);
                rw.erase_block_arg(block, rank + index);
            }
        }
        let new = rebuild(rw, op, &vec![true; rank], &kept::<_, Values>(outputs.iter().copied(), &keep));
        let mut results = rw.ir().results(new);
        let value = |(&keep, &output): (&bool, &ValueId)| if keep { results.next().unwrap_or(output) } else { output };
        let values: Values = keep.iter().zip(&outputs).map(value).collect();
        rw.replace(op, &values);
        Ok(())
    }
}

/// An output that is a cast of a tensor with more known sizes is that tensor: what is inserted changes no size.
struct FoldCastOfOutput;

impl Pattern for FoldCastOfOutput {
    const NAME: &'static str = "scf-forall-fold-cast-of-output";
    const ROOT: Option<&'static str> = Some(ForallOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = ForallOp::wrap(rw.op(op));
        let source = |value: ValueRef<'_>| {
            let cast = value.defining_op().filter(|op| op.name() == "tensor.cast")?;
            let (from, to) = (cast.operand(0).ty(), value.ty());
            let more_known = from.shape()?.iter().zip(to.shape()?).all(|(&a, &b)| a == b || b == DYNAMIC);
            (more_known && from != to && from.is_ranked_tensor()).then(|| cast.operand(0).id())
        };
        let sources: Vec<Option<ValueId>> = view.outputs().iter().map(source).collect();
        if sources.iter().all(Option::is_none) {
            return Err(NoMatch("no output is a cast"));
        }
        let Some(body) = view.region().entry() else { return Err(NO_BODY) };
        let Some(insertions) = insertions(view) else { return Err(NoMatch("does not insert slices")) };
        let (block, loc, outputs) = (body.id(), view.0.loc(), view.outputs().ids());
        let rank = body.num_args() - outputs.len();
        let cast = |rw: &mut Rewriter<'_>, value: ValueId, ty: Type| {
            rw.create_value(OpState::named("tensor.cast", loc).operands([value]).results([ty]))
        };
        let outputs: Values = outputs.into_iter().zip(&sources).map(|(old, new)| new.unwrap_or(old)).collect();
        for (at, source) in sources.iter().enumerate() {
            let Some(source) = *source else { continue };
            let arg = rw.ir().block_args(block)[rank + at];
            let (old, new) = (rw.ir().value_type(arg), rw.ir().value_type(source));
            rw.set_value_type(arg, new);
            rw.set_insertion_to_start(block);
            let seen = cast(rw, arg, old);
            let is_destination = |user: OpId, operand: usize| {
                operand == 1 && insertions.iter().any(|&(insert, destination)| insert == user && destination == arg)
            };
            let cast_op = rw.ir().defining_op(seen);
            rw.replace_uses_if(arg, seen, |user, operand| {
                Some(user.id()) != cast_op && !is_destination(user.id(), operand)
            });
        }
        let types = rw.op(op).results().types();
        let new = rebuild(rw, op, &vec![true; rank], &outputs);
        let mut results: Values = rw.ir().results(new).collect();
        rw.set_insertion_after(new);
        for (result, (&ty, source)) in results.iter_mut().zip(types.iter().zip(&sources)) {
            if source.is_some() {
                *result = cast(rw, *result, ty);
            }
        }
        rw.replace(op, &results);
        Ok(())
    }
}

/// A result is as large as the output that it was before.
struct SizeOfResult;

impl Pattern for SizeOfResult {
    const NAME: &'static str = "scf-forall-size-of-result";
    const ROOT: Option<&'static str> = Some("tensor.dim");

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let result = rw.op(op).operand(0);
        let output = result.def::<ForallOp<'_>>().and_then(|op| op.outputs().get(result.index()));
        let Some(output) = output.map(ValueRef::id) else { return Err(NoMatch("is not the size of a result")) };
        rw.set_operand(op, 0, output);
        Ok(())
    }
}
