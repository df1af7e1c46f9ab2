//! The largest of dequantized numbers is that of the largest integer, where the scale is positive.

use dl_arith::{Build, MaxNumFOp, MaxSIOp, MaxUIOp, MaximumFOp, MulFOp, SIToFPOp, SubIOp};
use dl_ir::affine::AffineStore;
use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::interfaces::index_list::Indices;
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{FloatKind, OpId, OpRef, Rewriter, ValueId, ValueRef};
use dl_linalg::{FillOp, IteratorType, LinalgOp};
use dl_tensor::PadOp;
use dl_tensor::build::empty;

use super::emit::{filled, moved, with_body};
use super::operand::{Border, Quantized};
use super::sums::extended;
use crate::generic::Generic;

/// A nest that reduces its first input by taking maxima, from -∞ on.
struct Pool {
    input: Quantized,
    /// The scale, where it is not 1.
    scale: Option<ValueId>,
}

impl Pool {
    fn of(op: OpRef<'_>) -> Result<Self, NoMatch> {
        let affine = op.cx().affine();
        let nest = LinalgOp::of(op).ok_or(NoMatch("no loop nest"))?;
        let plain = op.operands().iter().all(|value| value.ty().is_ranked_tensor() && value.ty().encoding().is_none());
        if nest.inits().len() != 1 || nest.inputs().len() == 0 || !plain || !has_pure_tensor_semantics(op) {
            return Err(NoMatch("not one result on tensors"));
        }
        let maps = nest.indexing_maps();
        let at = nest.inputs().len();
        let init = op.operand(at);
        if init.ty().element_type().and_then(|element| element.float_kind()) != Some(FloatKind::F32) {
            return Err(NoMatch("no f32"));
        }
        let body = nest.body().ok_or(NoMatch("no body"))?;
        let largest = body.last_op().and_then(|last| last.operands().get(0)?.defining_op());
        let largest = largest.filter(|op| op.is::<MaximumFOp<'_>>() || op.is::<MaxNumFOp<'_>>());
        let of_both = |op: &OpRef<'_>| {
            let is = |value: ValueRef<'_>, at: usize| value == body.arg(at);
            let (first, second) = (op.operand(0), op.operand(1));
            is(first, 0) && is(second, at) || is(first, at) && is(second, 0)
        };
        if !largest.is_some_and(|op| of_both(&op)) || body.ops().count() != 2 {
            return Err(NoMatch("no maximum"));
        }
        let start = init.def::<FillOp<'_>>().and_then(|fill| fill.inputs().single().constant()?.as_f64());
        if start != Some(f64::NEG_INFINITY) {
            return Err(NoMatch("it begins with a number"));
        }
        let indices = &affine.map(maps[0]).results;
        let input = Quantized::of(op.operand(0), indices, Border::Lowest).ok_or(NoMatch("not dequantized"))?;
        let scale = match &input.scale {
            None => None,
            Some(scale) if scale.indices.is_none() => Some(scale.value),
            Some(_) => return Err(NoMatch("several scales")),
        };
        let view = |value: ValueId| ValueRef::new(op.cx(), op.arena(), value);
        let positive =
            |value: ValueId| view(value).constant().and_then(|scale| scale.as_f64()).is_some_and(|s| s > 0.0);
        if !scale.is_none_or(positive) {
            return Err(NoMatch("a scale that may not be positive"));
        }
        reaches_inside(affine, nest, &input)?;
        Ok(Self { input, scale })
    }
}

/// Whether each window has elements within the border.
fn reaches_inside(affine: &AffineStore, nest: LinalgOp<'_>, input: &Quantized) -> Result<(), NoMatch> {
    let op = nest.op();
    let pads =
        input.moves.iter().map(|&each| OpRef::new(op.cx(), op.arena(), each)).filter_map(OpRef::cast::<PadOp<'_>>);
    let pads: Vec<PadOp<'_>> = pads.collect();
    if pads.is_empty() {
        return Ok(());
    }
    let &[pad] = &pads[..] else { return Err(NoMatch("several borders")) };
    if input.moves.len() != 1 {
        return Err(NoMatch("a border that is moved"));
    }
    let (iterators, extents) = (nest.iterator_types(), nest.static_loop_ranges().ok_or(NoMatch("unknown extents"))?);
    let border = pad.static_low().dense_ints().zip(pad.static_high().dense_ints());
    for ((low, high), &index) in border.zip(&affine.map(nest.indexing_maps()[0]).results) {
        if low == 0 && high == 0 {
            continue;
        }
        let form = affine.linear_form(index, extents.len() as u32, 0).ok_or(NoMatch("an index that is not linear"))?;
        let window = (0..extents.len()).filter(|&at| iterators[at] == IteratorType::Reduction && form.dims[at] == 1);
        let reach = window.map(|at| extents[at] - 1).max().unwrap_or(0);
        if low > reach || high > reach {
            return Err(NoMatch("windows within the border"));
        }
    }
    Ok(())
}

/// The pattern.
pub(super) fn largest_integer(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let Pool { input, scale } = Pool::of(rw.op(op))?;
    let cx = rw.cx();
    let nest = LinalgOp::of(rw.op(op)).ok_or(NoMatch("no loop nest"))?;
    let (maps, iterators, others) = (nest.indexing_maps(), nest.iterator_types(), nest.inputs().skip(1));
    let mut inputs: Vec<ValueId> = others.map(|other| other.id()).collect();
    let (loc, init) = (rw.op(op).loc(), rw.op(op).operand(inputs.len() + 1));
    let (init, element) = (init.id(), init.ty().element_or_self().id());
    rw.set_insertion_before(op);
    inputs.insert(0, moved(rw, &input, loc));
    let sizes: Indices = dl_tensor::extents(rw, init, loc);
    let byte = cx.int_type(8);
    let start = filled(rw, &sizes, byte, input.lowest(), loc);
    let integers = Generic {
        loc,
        inputs,
        inits: vec![start],
        maps,
        iterators: Some(cx.array_attr(&iterators.iter().map(|iterator| iterator.attr(cx)).collect::<Vec<_>>())),
        results: vec![rw.ir().value_type(start)],
    };
    let largest = with_body(rw, &integers, |b, args| {
        let both = [args[0], args[args.len() - 1]];
        if input.signed { b.same::<MaxSIOp<'_>>(&both) } else { b.same::<MaxUIOp<'_>>(&both) }
    });
    let identity = cx.affine().identity_map(sizes.len() as u32);
    let result = empty(rw, &sizes, element, loc);
    let numbers = Generic {
        loc,
        inputs: vec![largest],
        inits: vec![result],
        maps: vec![identity; 2],
        iterators: Some(cx.array_attr(&vec![IteratorType::Parallel.attr(cx); sizes.len()])),
        results: vec![rw.ir().value_type(result)],
    };
    let result = with_body(rw, &numbers, |b, args| dequantized(b, args[0], &input, scale, element));
    rw.replace(op, &[result]);
    Ok(())
}

/// The number that an integer stands for.
fn dequantized(
    b: &mut Build<'_, '_>,
    integer: ValueId,
    input: &Quantized,
    scale: Option<ValueId>,
    element: dl_ir::Type,
) -> ValueId {
    let cx = b.cx();
    let mut value = extended(b, integer, input.signed);
    if input.zero != 0 {
        let wide = cx.int_type(32);
        let zero = b.constant(cx.int_attr(wide, input.zero), wide);
        value = b.same::<SubIOp<'_>>(&[value, zero]);
    }
    let value = b.value::<SIToFPOp<'_>>(&[value], element);
    match scale {
        Some(scale) => b.same::<MulFOp<'_>>(&[value, scale]),
        None => value,
    }
}
