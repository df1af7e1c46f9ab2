//! `linalg-fold-batch-norm`: scale and shift of each channel become part of the weights and of the init.
//!
//! A product or convolution `y = conv(x, w)` whose only reader computes `scale[c] * y + shift[c]` first is `conv(x, w * scale)` into
//! `shift`. Batch normalization in inference is that: `(y - mean) * (1 / sqrt(var + eps)) * gamma + beta`. What is computed of channels alone goes
//! to a nest over channels, which folds where it is of constants. What comes after, such as an activation, stays.
//!
//! Legal for integers, which wrap around, and for floats where every operation folded has `reassoc` (a division `arcp` as well), or where
//! `assume-reassociation` says so: products are rounded at another place. Profitable where the weights are no more than the result.

use dl_arith::flags::fastmath;
use dl_arith::{AddFOp, AddIOp, Build, DivFOp, FastMathFlags, MulFOp, MulIOp, SubFOp, SubIOp};
use dl_ir::affine::AffineMap;
use dl_ir::interfaces::{Index, has_pure_tensor_semantics};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{Mapping, OpDefinition, OpId, OpRef, OpState, Rewriter, ValueId, ValueRef, clone_op};
use dl_linalg::named::Body;
use dl_linalg::{FillOp, GenericOp, IndexOp, IteratorType, LinalgOp, TypeFn, YieldOp};
use dl_tensor::build::empty;
use rustc_hash::FxHashSet;

use crate::forms::computes;
use crate::generic::Generic;

dl_ir::pass_options! {
    /// Options of [`FoldBatchNorm`].
    pub struct FoldBatchNormOptions {
        /// Multiply weights rather than results where no flag allows it
        assume_reassociation "assume-reassociation": bool = false,
    }
}

/// Makes scale and shift of channels part of weights and inits.
#[derive(Clone, Default)]
pub struct FoldBatchNorm {
    /// The options.
    pub options: FoldBatchNormOptions,
}

impl Pass for FoldBatchNorm {
    const INFO: PassInfo = PassInfo::new(
        "linalg-fold-batch-norm",
        "Make scale and shift of each channel part of the weights of a convolution or matrix product",
    );

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        patterns.add(FoldScale { assume: self.options.assume_reassociation });
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

struct FoldScale {
    assume: bool,
}

/// An operation that takes the number so far and one of the channel.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Scale,
    Divide,
    Add,
    Subtract,
}

/// What a nest computes first of the result of a convolution.
struct Chain {
    /// Operand of the nest that is the result.
    input: usize,
    /// Dimension of the result that channels are.
    channel: usize,
    /// The operations, with what they take of the channel.
    steps: Vec<(OpId, Step, ValueId)>,
}

/// What `op` does with `so_far` and another operand.
fn step<'a>(op: OpRef<'a>, so_far: ValueRef<'a>, assume: bool) -> Option<(Step, ValueRef<'a>)> {
    let flags = fastmath(op);
    let allowed = assume || flags.contains(FastMathFlags::REASSOC);
    let step = match op.name() {
        MulIOp::NAME => Step::Scale,
        AddIOp::NAME => Step::Add,
        SubIOp::NAME => Step::Subtract,
        MulFOp::NAME if allowed => Step::Scale,
        AddFOp::NAME if allowed => Step::Add,
        SubFOp::NAME if allowed => Step::Subtract,
        DivFOp::NAME if assume || allowed && flags.contains(FastMathFlags::ARCP) => Step::Divide,
        _ => return None,
    };
    let (lhs, rhs) = (op.operand(0), op.operand(1));
    if lhs == so_far && rhs != so_far {
        return Some((step, rhs));
    }
    (rhs == so_far && matches!(step, Step::Scale | Step::Add)).then_some((step, lhs))
}

/// The values in the body that depend on the channel alone.
fn of_channel(nest: LinalgOp<'_>, channel: u32) -> Option<FxHashSet<ValueId>> {
    let affine = nest.op().cx().affine();
    let body = nest.body()?;
    let mut known = FxHashSet::default();
    for (at, map) in nest.indexing_maps().into_iter().enumerate().take(nest.inputs().len()) {
        if affine.map(map).results.iter().all(|&result| affine.dim_position(result) == Some(channel)) {
            known.insert(body.arg(at).id());
        }
    }
    for op in body.ops() {
        let inside = |value: ValueRef<'_>| value.parent_block() == Some(body);
        let from_channel = op.operands().iter().all(|value| known.contains(&value.id()) || !inside(value));
        if from_channel && op.num_regions() == 0 && dl_ir::effects::is_pure(op) && !op.is::<IndexOp<'_>>() {
            known.extend(op.results().iter().map(|result| result.id()));
        }
    }
    Some(known)
}

/// The steps that the nest takes first with the element of operand `input`.
fn chain(nest: LinalgOp<'_>, input: usize, channel: usize, assume: bool) -> Option<Chain> {
    let known = of_channel(nest, u32::try_from(channel).ok()?)?;
    let mut so_far = nest.body()?.arg(input);
    let mut steps = Vec::new();
    while so_far.has_one_use() {
        let (user, _) = so_far.uses().next()?;
        let Some((kind, other)) = step(user, so_far, assume) else { break };
        if !known.contains(&other.id()) && other.parent_block() == nest.body() {
            break;
        }
        steps.push((user.id(), kind, other.id()));
        so_far = user.result(0);
    }
    steps.iter().any(|(_, kind, _)| matches!(kind, Step::Scale | Step::Divide)).then_some(Chain {
        input,
        channel,
        steps,
    })
}

/// A convolution or product into zeros whose weights have the channels of the result.
struct Convolution {
    op: OpId,
    /// The init of the fill.
    dest: ValueId,
    weights: ValueId,
    /// For each dimension of the result the dimension of the weights that runs with it.
    channels: Vec<Option<usize>>,
}

fn convolution(op: OpRef<'_>) -> Option<Convolution> {
    let cx = op.cx();
    let affine = cx.affine();
    let nest = LinalgOp::of(op).filter(|_| has_pure_tensor_semantics(op) && op.num_results() == 1)?;
    let [_, weights, init] = [0, 1, 2].map(|at| op.operands().get(at));
    let (weights, init) = weights.zip(init)?;
    if nest.inputs().len() != 2 || nest.inits().len() != 1 || !weights.ty().is_ranked_tensor() {
        return None;
    }
    let multiplies = computes(nest.body()?, Body::MultiplyAdd, TypeFn::CastSigned, &[0, 1, 2]);
    let fill = init.def::<FillOp<'_>>()?;
    let zero = fill.inputs().single().constant()?;
    let is_zero = zero.as_int() == Some(0) || dl_arith::constants::is_float(cx, zero.id(), 0.0);
    if !multiplies || !is_zero || weights.ty().element_type() != init.ty().element_type() {
        return None;
    }
    let &[_, of_weights, of_result] = &nest.indexing_maps()[..] else { return None };
    let (of_weights, of_result) = (affine.result_positions(of_weights)?, affine.result_positions(of_result)?);
    let iterators = nest.iterator_types();
    let runs_with = |dim: &u32| {
        let parallel = iterators.get(*dim as usize) == Some(&IteratorType::Parallel);
        of_weights.iter().position(|each| each == dim).filter(|_| parallel)
    };
    let channels = of_result.iter().map(runs_with).collect();
    Some(Convolution { op: op.id(), dest: fill.outputs().single().id(), weights: weights.id(), channels })
}

/// Whether to multiply the weights is less work than to multiply the result; constants fold.
fn is_profitable(weights: ValueRef<'_>, result: ValueRef<'_>) -> bool {
    let count = |value: ValueRef<'_>| {
        value.ty().shape()?.iter().try_fold(1_i64, |n, &extent| n.checked_mul(extent).filter(|_| extent >= 0))
    };
    weights.constant().is_some() || count(weights).zip(count(result)).is_some_and(|(weights, result)| weights <= result)
}

fn find(nest: LinalgOp<'_>, assume: bool) -> Option<(Chain, Convolution)> {
    let affine = nest.op().cx().affine();
    let parallel = nest.iterator_types().iter().all(|&iterator| iterator == IteratorType::Parallel);
    if !parallel || !has_pure_tensor_semantics(nest.op()) {
        return None;
    }
    let maps = nest.indexing_maps();
    nest.inputs().enumerate().find_map(|(at, input)| {
        let conv = convolution(input.defining_op().filter(|_| input.has_one_use())?)?;
        let weights = ValueRef::new(nest.op().cx(), nest.op().arena(), conv.weights);
        if !affine.is_identity(maps[at]) || !is_profitable(weights, input) {
            return None;
        }
        let chain = (0..conv.channels.len())
            .filter(|&dim| conv.channels[dim].is_some())
            .find_map(|dim| chain(nest, at, dim, assume))?;
        Some((chain, conv))
    })
}

impl Pattern for FoldScale {
    const NAME: &'static str = "linalg-fold-scale-into-weights";
    const ROOT: Option<&'static str> = Some(GenericOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let nest = LinalgOp::of(rw.op(op)).ok_or(NoMatch("no loop nest"))?;
        let found = find(nest, self.assume).ok_or(NoMatch("no scaled product of weights"))?;
        let (chain, conv) = found;
        let Some(weight_dim) = conv.channels[chain.channel] else { return Err(NoMatch("no channels")) };
        // What is computed of the channel may be defined between both.
        let after = rw.op(op).operands().iter().enumerate().filter(|&(at, _)| at != chain.input);
        let late = after
            .filter_map(|(_, value)| value.defining_op())
            .any(|def| def.block() == rw.op(conv.op).block() && rw.ir().is_before_in_block(conv.op, def.id()));
        let element = rw.value_type(conv.weights).element_or_self().id();
        if rw.cx().one_attr(element).is_none() || rw.cx().zero_attr(element).is_none() {
            return Err(NoMatch("elements without zero and one"));
        }
        if late {
            rw.move_before(conv.op, op);
        }
        rw.set_insertion_before(conv.op);
        let [scale, shift] = channel_numbers(rw, op, &chain, conv.weights, weight_dim)?;
        scale_weights(rw, &conv, scale, weight_dim);
        shift_init(rw, &conv, shift, chain.channel);
        // What comes after the chain takes the element as it is.
        let body = LinalgOp::of(rw.op(op)).and_then(LinalgOp::body).ok_or(NoMatch("no body"))?;
        let element = body.arg(chain.input).id();
        if let Some(&(last, ..)) = chain.steps.last() {
            let result = rw.ir().result(last, 0);
            rw.replace_all_uses(result, element);
        }
        for &(step, ..) in chain.steps.iter().rev() {
            rw.erase(step);
        }
        Ok(())
    }
}

/// A nest over the channels that computes their scale and shift.
fn channel_numbers(
    rw: &mut Rewriter<'_>,
    op: OpId,
    chain: &Chain,
    weights: ValueId,
    weight_dim: usize,
) -> Result<[ValueId; 2], NoMatch> {
    let cx = rw.cx();
    let affine = cx.affine();
    let loc = rw.op(op).loc();
    let nest = LinalgOp::of(rw.op(op)).ok_or(NoMatch("no loop nest"))?;
    let known = of_channel(nest, chain.channel as u32).ok_or(NoMatch("no body"))?;
    let body = nest.body().ok_or(NoMatch("no body"))?;
    let args: Vec<(usize, ValueId)> =
        (0..nest.inputs().len()).map(|at| (at, body.arg(at).id())).filter(|(_, arg)| known.contains(arg)).collect();
    let maps = nest.indexing_maps();
    let inputs: Vec<ValueId> = args.iter().map(|&(at, _)| nest.op().operand(at).id()).collect();
    // Each result of these maps is the one loop there is.
    let new_maps = args.iter().map(|&(at, _)| {
        let rank = affine.map(maps[at]).results.len();
        affine.intern_map(1, 0, vec![affine.dim(0); rank])
    });
    let mut new_maps: Vec<AffineMap> = new_maps.collect();
    let ops: Vec<OpId> = body
        .ops()
        .filter(|op| op.num_results() > 0 && op.results().iter().all(|result| known.contains(&result.id())))
        .map(OpRef::id)
        .collect();
    let element = rw.value_type(weights).element_or_self();
    let one = cx.one_attr(element.id()).ok_or(NoMatch("elements without one"))?;
    let zero = cx.zero_attr(element.id()).ok_or(NoMatch("elements without zero"))?;
    let extent: Index = dl_linalg::extent(rw, weights, weight_dim, loc);
    let inits: Vec<ValueId> = (0..2).map(|_| empty(rw, &[extent], element.id(), loc)).collect();
    new_maps.extend([affine.identity_map(1); 2]);
    let results = inits.iter().map(|&init| rw.ir().value_type(init)).collect();
    let iterators = Some(cx.array_attr(&[IteratorType::Parallel.attr(cx)]));
    let new = Generic { loc, inputs, inits, maps: new_maps, iterators, results };
    let (numbers, block) = new.create(rw);
    let mut mapping = Mapping::new();
    for (&(_, old), &new) in args.iter().zip(&rw.ir().block_args(block).to_vec()) {
        mapping.map(old, new);
    }
    for op in ops {
        rw.set_insertion_to_end(block);
        clone_op(rw, op, &mut mapping);
    }
    rw.set_insertion_to_end(block);
    let float = element.is_float();
    let mut b = Build::new(rw, loc);
    let (one, zero) = (b.constant(one, element.id()), b.constant(zero, element.id()));
    // Nothing so far is told from 1 and 0: 0 times infinity is no number.
    let (mut scale, mut shift): (Option<ValueId>, Option<ValueId>) = (None, None);
    for &(_, kind, other) in &chain.steps {
        let other = mapping.value(other);
        match kind {
            Step::Scale => {
                scale = Some(scale.map_or(other, |scale| product(&mut b, scale, other)));
                shift = shift.map(|shift| product(&mut b, shift, other));
            }
            Step::Divide => {
                scale = Some(b.same::<DivFOp<'_>>(&[scale.unwrap_or(one), other]));
                shift = shift.map(|shift| b.same::<DivFOp<'_>>(&[shift, other]));
            }
            Step::Add => {
                shift = Some(shift.map_or(other, |shift| {
                    if float { b.same::<AddFOp<'_>>(&[shift, other]) } else { b.same::<AddIOp<'_>>(&[shift, other]) }
                }));
            }
            Step::Subtract => {
                let shift_before = shift.unwrap_or(zero);
                let operands = [shift_before, other];
                shift = Some(if float { b.same::<SubFOp<'_>>(&operands) } else { b.same::<SubIOp<'_>>(&operands) });
            }
        }
    }
    let (scale, shift) = (scale.unwrap_or(one), shift.unwrap_or(zero));
    b.create(OpState::of::<YieldOp<'_>>(loc).operands([scale, shift]));
    rw.set_insertion_after(numbers);
    Ok([rw.ir().result(numbers, 0), rw.ir().result(numbers, 1)])
}

fn product(b: &mut Build<'_, '_>, x: ValueId, y: ValueId) -> ValueId {
    let float = b.value_type(x).is_float();
    if float { b.same::<MulFOp<'_>>(&[x, y]) } else { b.same::<MulIOp<'_>>(&[x, y]) }
}

/// The convolution takes the weights times the scale of their channel.
fn scale_weights(rw: &mut Rewriter<'_>, conv: &Convolution, scale: ValueId, dim: usize) {
    let cx = rw.cx();
    let affine = cx.affine();
    let loc = rw.op(conv.op).loc();
    let ty = rw.value_type(conv.weights);
    let rank = ty.shape().map_or(0, <[i64]>::len) as u32;
    let sizes = dl_tensor::extents(rw, conv.weights, loc);
    let init = empty(rw, &sizes, ty.element_or_self().id(), loc);
    let all = affine.identity_map(rank);
    let along = affine.intern_map(rank, 0, vec![affine.dim(dim as u32)]);
    let new = Generic {
        loc,
        inputs: vec![conv.weights, scale],
        inits: vec![init],
        maps: vec![all, along, all],
        iterators: Some(cx.array_attr(&vec![IteratorType::Parallel.attr(cx); rank as usize])),
        results: vec![rw.ir().value_type(init)],
    };
    let (scaled, block) = new.create(rw);
    let (weight, factor) = (rw.ir().block_args(block)[0], rw.ir().block_args(block)[1]);
    let mut b = Build::new(rw, loc);
    let product = product(&mut b, weight, factor);
    b.create(OpState::of::<YieldOp<'_>>(loc).operands([product]));
    let scaled = rw.ir().result(scaled, 0);
    rw.set_insertion_before(conv.op);
    let scaled = cast_to(rw, scaled, ty.id(), loc);
    rw.set_operand(conv.op, 1, scaled);
}

/// The convolution adds to the shift of each channel rather than to zeros.
fn shift_init(rw: &mut Rewriter<'_>, conv: &Convolution, shift: ValueId, dim: usize) {
    let loc = rw.op(conv.op).loc();
    let ty = rw.value_type(conv.dest);
    let rank = ty.shape().map_or(0, <[i64]>::len);
    let dims: Vec<i64> = (0..rank).filter(|&each| each != dim).map(|each| each as i64).collect();
    rw.set_insertion_before(conv.op);
    // The extent of the channel as the result has it.
    let extent = ty.shape().map_or(dl_ir::DYNAMIC, |shape| shape[dim]);
    let line = rw.cx().tensor_type(&[extent], ty.element_or_self().id());
    let shift = cast_to(rw, shift, line, loc);
    let state = dl_linalg::build::broadcast_state(rw, shift, conv.dest, &dims, loc);
    let init = rw.create_value(state);
    rw.set_operand(conv.op, 2, init);
}

fn cast_to(rw: &mut Rewriter<'_>, value: ValueId, ty: dl_ir::Type, loc: dl_ir::Loc) -> ValueId {
    if rw.ir().value_type(value) == ty {
        return value;
    }
    rw.create_value(OpState::of::<dl_tensor::CastOp<'_>>(loc).operands([value]).results([ty]))
}
