//! `--fuse-softmax`: the operations on elements that compute softmax along a dimension become one `linalg.softmax`.
//!
//! ```text
//! m = max(x)          along the dimension
//! e = exp(x - m)
//! s = sum(e)          along the dimension
//! y = e / s
//! ```
//!
//! What has a unit for softmax, or a kernel, can then take it as a whole; `--linalg-decompose-aggregated-ops` goes the other way. A pass and no more: the crate defines no
//! dialect.

use dl_arith::{AddFOp, DivFOp, MaxNumFOp, MaximumFOp, SubFOp};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpRef, OpState, OpView, Rewriter, ValueRef};
use dl_linalg::{FillOp, GenericOp, IteratorType, LinalgOp, SoftmaxOp};
use dl_math::ExpOp;
use dl_plugin::Registry;

#[cfg(feature = "plugin")]
dl_plugin::declare_plugin!(register);

/// Adds what this crate brings.
pub fn register(registry: &mut Registry) {
    registry.passes.pass::<FuseSoftmax>();
}

/// `--fuse-softmax`.
#[derive(Clone, Default)]
pub struct FuseSoftmax;

impl Pass for FuseSoftmax {
    const INFO: PassInfo = PassInfo::new("fuse-softmax", "Make linalg.softmax of the operations that compute it");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        patterns.add(Fuse);
        cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?;
        Ok(())
    }
}

/// The division at the end becomes the whole; what led to it has no more uses then.
struct Fuse;

impl Pattern for Fuse {
    const NAME: &'static str = "fuse-softmax";
    const ROOT: Option<&'static str> = Some(GenericOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let (x, dim) = softmax(rw.op(op))?;
        let (cx, loc, x) = (rw.cx(), rw.op(op).loc(), x.id());
        let (init, ty) = (rw.op(op).operand(2).id(), rw.op(op).result(0).ty().id());
        let state = OpState::of::<SoftmaxOp<'_>>(loc).operands([x, init]).results([ty]);
        rw.replace_with(op, state.attr(cx, "dimension", cx.i64_attr(dim)));
        Ok(())
    }
}

/// Of what, and along which dimension, the result of a division is the softmax.
fn softmax(division: OpRef<'_>) -> Result<(ValueRef<'_>, i64), NoMatch> {
    let (inputs, dim) = along(division, 2)?;
    let [divided, sum] = inputs[..] else { return Err(NoMatch("not two inputs")) };
    computes(division, |value| is_of::<DivFOp<'_>>(value, [0, 1]))?;

    let exponential = divided.defining_op().ok_or(NoMatch("an argument is divided"))?;
    let (inputs, same) = along(exponential, 2)?;
    let [x, max] = inputs[..] else { return Err(NoMatch("not two inputs")) };
    computes(exponential, |value| {
        value.def::<ExpOp<'_>>().is_some_and(|exp| is_of::<SubFOp<'_>>(exp.operand(), [0, 1]))
    })?;

    let summation = sum.defining_op().ok_or(NoMatch("divided by an argument"))?;
    computes(summation, |value| is_of::<AddFOp<'_>>(value, [0, 1]) || is_of::<AddFOp<'_>>(value, [1, 0]))?;
    let of_sum = reduced(summation, |start| start == 0.0)?;

    let maximum = max.defining_op().ok_or(NoMatch("an argument is subtracted"))?;
    let is_maximum =
        |value: ValueRef<'_>| is_of::<MaximumFOp<'_>>(value, [0, 1]) || is_of::<MaximumFOp<'_>>(value, [1, 0]);
    let is_number =
        |value: ValueRef<'_>| is_of::<MaxNumFOp<'_>>(value, [0, 1]) || is_of::<MaxNumFOp<'_>>(value, [1, 0]);
    let of_max = match computes(maximum, is_maximum) {
        Ok(()) => reduced(maximum, |start| start == f64::NEG_INFINITY)?,
        Err(_) => {
            computes(maximum, is_number)?;
            reduced(maximum, |start| start == f64::NEG_INFINITY || start.is_nan())?
        }
    };

    if of_sum != (divided, dim) || of_max != (x, dim) || same != dim {
        return Err(NoMatch("not all of one array along one dimension"));
    }
    // Where others need the parts, nothing is gained.
    let uses = [divided, sum, max].map(|value| value.uses().count());
    if uses == [2, 1, 1] { Ok((x, dim)) } else { Err(NoMatch("the parts have other uses")) }
}

/// The inputs of an operation on all elements of an array and, along a dimension, those of a smaller one; and that dimension.
fn along(op: OpRef<'_>, count: usize) -> Result<(Vec<ValueRef<'_>>, i64), NoMatch> {
    let nest = generic(op)?;
    let (maps, affine) = (nest.indexing_maps(), op.cx().affine());
    let inputs: Vec<ValueRef<'_>> = nest.inputs().collect();
    let is_parallel = nest.iterator_types().iter().all(|kind| *kind == IteratorType::Parallel);
    if inputs.len() != count || !is_parallel || !affine.is_identity(maps[0]) || !affine.is_identity(maps[count]) {
        return Err(NoMatch("not element by element"));
    }
    Ok((inputs, without(op, nest, 1)?))
}

/// What is reduced along which dimension, where the first value is a constant of which `is_start` holds.
fn reduced(op: OpRef<'_>, is_start: impl Fn(f64) -> bool) -> Result<(ValueRef<'_>, i64), NoMatch> {
    let nest = generic(op)?;
    let [input] = nest.inputs().collect::<Vec<_>>()[..] else { return Err(NoMatch("not one input")) };
    let dim = without(op, nest, 1)?;
    let kinds = nest.iterator_types();
    let reduces = |(at, kind): (usize, &IteratorType)| (*kind == IteratorType::Reduction) == (at as i64 == dim);
    if !op.cx().affine().is_identity(nest.indexing_maps()[0]) || !kinds.iter().enumerate().all(reduces) {
        return Err(NoMatch("not along one dimension"));
    }
    let fill = nest.inits().get(0).and_then(|init| init.def::<FillOp<'_>>()).ok_or(NoMatch("no known start"))?;
    let start = fill.op().operand(0).constant().and_then(|start| start.as_f64());
    if start.is_some_and(is_start) { Ok((input, dim)) } else { Err(NoMatch("another start")) }
}

/// A `linalg.generic` on tensors with one result.
fn generic(op: OpRef<'_>) -> Result<LinalgOp<'_>, NoMatch> {
    let nest = LinalgOp::of(op).filter(|_| op.is::<GenericOp<'_>>() && op.num_results() == 1);
    nest.ok_or(NoMatch("no generic operation with one result"))
}

/// The one dimension that operand `index` does not have, where it has the others in order.
fn without(op: OpRef<'_>, nest: LinalgOp<'_>, index: usize) -> Result<i64, NoMatch> {
    let affine = op.cx().affine();
    let map = nest.indexing_maps()[index];
    let results: Option<Vec<u32>> = affine.map(map).results.iter().map(|&result| affine.dim_position(result)).collect();
    let results = results.ok_or(NoMatch("more than dimensions"))?;
    let dims = nest.num_loops() as u32;
    let missing = (0..dims).find(|dim| !results.contains(dim)).ok_or(NoMatch("no dimension is missing"))?;
    let others: Vec<u32> = (0..dims).filter(|dim| *dim != missing).collect();
    if results == others { Ok(i64::from(missing)) } else { Err(NoMatch("not one dimension less")) }
}

/// The body hands over what `is` holds of, and does nothing else.
fn computes(op: OpRef<'_>, is: impl Fn(ValueRef<'_>) -> bool) -> Rewrite {
    let yielded = generic(op)?.yielded().and_then(|values| values.get(0));
    if yielded.is_some_and(is) { Ok(()) } else { Err(NoMatch("the body computes something else")) }
}

/// Whether a value is `T` of these arguments of the body.
fn is_of<T: OpDefinition>(value: ValueRef<'_>, arguments: [usize; 2]) -> bool {
    let Some(op) = value.defining_op().filter(|op| op.is::<T>()) else { return false };
    op.operands().iter().zip(arguments).all(|(operand, at)| operand.owner_block().is_some() && operand.index() == at)
}
