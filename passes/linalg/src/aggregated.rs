//! `linalg-decompose-aggregated-ops`: `linalg.softmax` as the four loop nests that it stands for.
//!
//! The largest element along the dimension, the exponential of each element less it, the sum of these, and the quotients.

use dl_arith::{AddFOp, Build, DivFOp, MaxNumFOp, SubFOp};
use dl_ir::affine::AffineMap;
use dl_ir::interfaces::{Index, has_pure_tensor_semantics};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Attr, Loc, OpDefinition, OpId, OpState, Rewriter, ValueId};
use dl_linalg::build::named_state;
use dl_linalg::{FillOp, IteratorType, SoftmaxOp, TypeFn, YieldOp};
use dl_tensor::build::empty;

use crate::generic::Generic;

/// Takes `linalg.softmax` apart.
#[derive(Clone, Copy, Default)]
pub struct DecomposeAggregatedOps;

impl Pass for DecomposeAggregatedOps {
    const INFO: PassInfo = PassInfo::new(
        "linalg-decompose-aggregated-ops",
        "Take operations that stand for several loop nests apart, as linalg.softmax",
    );

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        patterns.add_fn("linalg-decompose-softmax", Some(SoftmaxOp::NAME), softmax);
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// A nest over all elements, with this body.
fn nest(
    rw: &mut Rewriter<'_>,
    inputs: &[(ValueId, AffineMap)],
    (init, to): (ValueId, AffineMap),
    iterators: Attr,
    loc: Loc,
    body: impl FnOnce(&mut Build<'_, '_>, &[ValueId]) -> ValueId,
) -> ValueId {
    let new = Generic {
        loc,
        inputs: inputs.iter().map(|&(value, _)| value).collect(),
        inits: vec![init],
        maps: inputs.iter().map(|&(_, map)| map).chain([to]).collect(),
        iterators: Some(iterators),
        results: vec![rw.ir().value_type(init)],
    };
    let (op, block) = new.create(rw);
    let args = rw.ir().block_args(block).to_vec();
    let mut b = Build::new(rw, loc);
    let value = body(&mut b, &args);
    b.create(OpState::of::<YieldOp<'_>>(loc).operands([value]));
    rw.set_insertion_after(op);
    rw.ir().result(op, 0)
}

fn softmax(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let affine = cx.affine();
    let view = rw.op(op);
    let dim = view.attr("dimension").and_then(|dim| dim.as_int()).and_then(|dim| usize::try_from(dim).ok());
    let (input, output, loc) = (view.operand(0).id(), view.operand(1).id(), view.loc());
    let ty = rw.value_type(input);
    let rank = ty.shape().map(<[i64]>::len).ok_or(NoMatch("no rank"))?;
    let dim = dim.filter(|&dim| dim < rank).ok_or(NoMatch("no such dimension"))?;
    let element = ty.element_or_self();
    if !has_pure_tensor_semantics(view) || ty != view.operand(1).ty() || ty.encoding().is_some() {
        return Err(NoMatch("not on plain tensors of one type"));
    }
    let kind = element.float_kind().ok_or(NoMatch("no floats"))?;
    let nan = dl_ir::number::float::nan(kind).ok_or(NoMatch("a format without NaN"))?;
    let nan = cx.float_bits_attr(element.id(), nan);
    let zero = cx.zero_attr(element.id()).ok_or(NoMatch("elements without zero"))?;
    let all = affine.identity_map(rank as u32);
    let kept: Vec<u32> = (0..rank as u32).filter(|&each| each as usize != dim).collect();
    let along = affine.multi_dim_map(rank as u32, &kept).ok_or(NoMatch("no map"))?;
    let parallel = vec![IteratorType::Parallel.attr(cx); rank];
    let mut reducing = parallel.clone();
    reducing[dim] = IteratorType::Reduction.attr(cx);
    let (parallel, reducing) = (cx.array_attr(&parallel), cx.array_attr(&reducing));
    rw.set_insertion_before(op);
    let extents = dl_tensor::extents(rw, input, loc);
    let rest: Vec<Index> =
        extents.iter().enumerate().filter(|(each, _)| *each != dim).map(|(_, &extent)| extent).collect();
    let line = empty(rw, &rest, element.id(), loc);
    // The greater of a number and NaN is the number.
    let start = filled(rw, nan, line, loc)?;
    let largest = nest(rw, &[(input, all)], (start, along), reducing, loc, |b, args| {
        b.same::<MaxNumFOp<'_>>(&[args[0], args[1]])
    });
    let powers = nest(rw, &[(input, all), (largest, along)], (output, all), parallel, loc, |b, args| {
        let less = b.same::<SubFOp<'_>>(&[args[0], args[1]]);
        let ty = b.ir().value_type(less);
        let loc = b.loc;
        b.create_value(OpState::named("math.exp", loc).operands([less]).results([ty]))
    });
    let start = filled(rw, zero, line, loc)?;
    let sum =
        nest(rw, &[(powers, all)], (start, along), reducing, loc, |b, args| b.same::<AddFOp<'_>>(&[args[0], args[1]]));
    let shares = nest(rw, &[(powers, all), (sum, along)], (output, all), parallel, loc, |b, args| {
        b.same::<DivFOp<'_>>(&[args[0], args[1]])
    });
    rw.replace(op, &[shares]);
    Ok(())
}

fn filled(rw: &mut Rewriter<'_>, value: Attr, dest: ValueId, loc: Loc) -> Result<ValueId, NoMatch> {
    let value = dl_arith::constant(rw, value, loc);
    let state = named_state(rw, FillOp::NAME, &[value], &[dest], TypeFn::CastSigned, loc);
    Ok(rw.create_value(state.map_err(|_| NoMatch("elements that cannot be filled"))?))
}
