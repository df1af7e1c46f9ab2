//! Making the contraction of integers, and what is left to do with its sums.

use dl_arith::{AddFOp, AddIOp, Build, MulFOp, MulIOp, SIToFPOp};
use dl_ir::affine::AffineMap;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;
use dl_ir::{AttrData, Loc, Mapping, OpDefinition, OpId, OpRef, OpState, Rewriter, Type, ValueId, clone_op};
use dl_linalg::build::{named_state, transpose_state};
use dl_linalg::{FillOp, IteratorType, TransposeOp, TypeFn, YieldOp};
use dl_tensor::PadOp;
use dl_tensor::build::empty;

use super::Found;
use super::operand::Quantized;
use super::sums::extended;
use crate::generic::Generic;

/// What a zero point takes off: a factor times sums, which are read by a map from the dimensions of the result.
pub(super) struct Correction {
    pub(super) sums: ValueId,
    pub(super) map: AffineMap,
    pub(super) factor: i64,
}

/// The integers of `input`, moved as its elements were before they were read.
pub(super) fn moved(rw: &mut Rewriter<'_>, input: &Quantized, loc: Loc) -> ValueId {
    let mut value = input.source;
    if let Some(data) = input.known.clone().filter(|_| input.is_shifted) {
        let ty = rw.ir().value_type(value);
        let attr = rw.cx().intern_attr(AttrData::DenseElements { ty, data });
        value = dl_arith::constant(rw, attr, loc);
    }
    for &op in input.moves.iter().rev() {
        let cx = rw.cx();
        let (view, element) = (rw.op(op), rw.value_type(value).element_or_self().id());
        let loc = view.loc();
        let ty = cx.tensor_type(view.result(0).ty().shape().unwrap_or_default(), element);
        if view.is::<TransposeOp<'_>>() {
            let permutation: Vec<i64> =
                view.attr("permutation").map_or_else(Vec::new, |attr| attr.dense_ints().collect());
            let extents = dl_tensor::extents(rw, value, loc);
            let sizes: Vec<Index> = permutation.iter().map(|&dim| extents[dim as usize]).collect();
            let init = empty(rw, &sizes, element, loc);
            let state = transpose_state(rw, value, init, &permutation, loc);
            value = rw.create_value(state);
        } else if view.is::<PadOp<'_>>() {
            value = padded(rw, op, value, input.of_border(), ty);
        } else {
            // A reshape: its first operand is the tensor.
            let mut operands = view.operands().ids().to_vec();
            operands[0] = value;
            let attrs: Vec<_> = view.attrs().map(|(name, attr)| (name, attr.id())).collect();
            let state = OpState::new(view.name_id(), loc).attrs(attrs).operands(operands).results([ty]);
            value = rw.create_value(state);
        }
    }
    value
}

/// `value` with the border of `pad`, made of `number`.
fn padded(rw: &mut Rewriter<'_>, pad: OpId, value: ValueId, number: i64, ty: Type) -> ValueId {
    let cx = rw.cx();
    let element = cx.ty(ty).element_or_self().id();
    let copy = clone_op(rw, pad, &mut Mapping::new());
    let loc = rw.op(copy).loc();
    rw.set_operand(copy, 0, value);
    let result = rw.ir().result(copy, 0);
    rw.set_value_type(result, ty);
    rw.set_insertion_before(copy);
    let number = dl_arith::constant(rw, cx.int_attr(element, number), loc);
    let terminator = rw.op(copy).region(0).entry().and_then(|block| block.terminator()).map(OpRef::id);
    if let Some(terminator) = terminator {
        rw.set_operand(terminator, 0, number);
    }
    rw.set_insertion_after(copy);
    result
}

/// A tensor of `number` everywhere, of the integer type `element`.
pub(super) fn filled(rw: &mut Rewriter<'_>, sizes: &[Index], element: Type, number: i64, loc: Loc) -> ValueId {
    let init = empty(rw, sizes, element, loc);
    let number = dl_arith::constant(rw, rw.cx().int_attr(element, number), loc);
    let state = named_state(rw, FillOp::NAME, &[number], &[init], TypeFn::CastSigned, loc);
    rw.create_value(state.expect("integers are filled with an integer of their type"))
}

/// A tensor of zeros of type `i32`.
pub(super) fn zeros(rw: &mut Rewriter<'_>, sizes: &[Index], loc: Loc) -> ValueId {
    filled(rw, sizes, rw.cx().int_type(32), 0, loc)
}

/// The contraction of the integers `moved`.
pub(super) fn contraction(rw: &mut Rewriter<'_>, found: &Found, moved: [ValueId; 2]) -> ValueId {
    let cx = rw.cx();
    let loc = found.loc;
    let sizes: Indices = dl_tensor::extents(rw, found.init, loc);
    let init = zeros(rw, &sizes, loc);
    let iterators: Vec<_> = found.loops.iterators.iter().map(|iterator| iterator.attr(cx)).collect();
    let new = Generic {
        loc,
        inputs: moved.to_vec(),
        inits: vec![init],
        maps: found.maps.to_vec(),
        iterators: Some(cx.array_attr(&iterators)),
        results: vec![rw.ir().value_type(init)],
    };
    with_body(rw, &new, |b, args| {
        let x = extended(b, args[0], found.inputs[0].signed);
        let w = extended(b, args[1], found.inputs[1].signed);
        let product = b.same::<MulIOp<'_>>(&[x, w]);
        b.same::<AddIOp<'_>>(&[args[2], product])
    })
}

/// The result of the contraction from `sums`, by an element-wise nest; `sums` where nothing is left to do.
pub(super) fn finish(
    rw: &mut Rewriter<'_>,
    found: &Found,
    sums: ValueId,
    corrections: &[Correction],
    scales: Vec<(ValueId, AffineMap)>,
) -> ValueId {
    let Found { loc, is_float, element, rank, .. } = *found;
    let constant = found.constant();
    if !is_float && corrections.is_empty() && constant == 0 && !found.adds {
        return sums;
    }
    let cx = rw.cx();
    let scales = combined(rw, scales, loc);
    let of_tensor: Vec<bool> = scales.iter().map(|&(scale, _)| rw.value_type(scale).is_ranked_tensor()).collect();
    let identity = cx.affine().identity_map(rank);
    let mut inputs = vec![(sums, identity)];
    inputs.extend(corrections.iter().map(|each| (each.sums, each.map)));
    inputs.extend(scales.iter().zip(&of_tensor).filter(|&(_, &is)| is).map(|(&scale, _)| scale));
    inputs.extend(found.adds.then_some((found.init, identity)));
    let sizes: Indices = dl_tensor::extents(rw, found.init, loc);
    let init = empty(rw, &sizes, element, loc);
    let new = Generic {
        loc,
        inputs: inputs.iter().map(|&(value, _)| value).collect(),
        inits: vec![init],
        maps: inputs.iter().map(|&(_, map)| map).chain([identity]).collect(),
        iterators: Some(cx.array_attr(&vec![IteratorType::Parallel.attr(cx); rank as usize])),
        results: vec![rw.ir().value_type(init)],
    };
    with_body(rw, &new, |b, args| {
        let integer = cx.int_type(32);
        let number = |b: &mut Build<'_, '_>, number: i64| b.constant(cx.int_attr(integer, number), integer);
        let (&sum, mut args) = args.split_first().expect("the sums are read");
        let mut next = || args.split_off_first().copied().expect("an argument for each input");
        let mut value = sum;
        for correction in corrections {
            let mut sums = next();
            if correction.factor != 1 {
                let factor = number(b, correction.factor);
                sums = b.same::<MulIOp<'_>>(&[sums, factor]);
            }
            value = b.same::<AddIOp<'_>>(&[value, sums]);
        }
        if constant != 0 {
            let constant = number(b, constant);
            value = b.same::<AddIOp<'_>>(&[value, constant]);
        }
        if is_float {
            value = b.value::<SIToFPOp<'_>>(&[value], element);
        }
        for (&(scale, _), &of_tensor) in scales.iter().zip(&of_tensor) {
            let factor = if of_tensor { next() } else { scale };
            value = b.same::<MulFOp<'_>>(&[value, factor]);
        }
        match (found.adds, is_float) {
            (true, true) => b.same::<AddFOp<'_>>(&[value, next()]),
            (true, false) => b.same::<AddIOp<'_>>(&[value, next()]),
            (false, _) => value,
        }
    })
}

/// The product of both scales, where one of them is a number; otherwise each by itself.
fn combined(rw: &mut Rewriter<'_>, scales: Vec<(ValueId, AffineMap)>, loc: Loc) -> Vec<(ValueId, AffineMap)> {
    let &[first, second] = &scales[..] else { return scales };
    let is_tensor = |value: ValueId| rw.value_type(value).is_ranked_tensor();
    let (number, (tensor, map)) = match (is_tensor(first.0), is_tensor(second.0)) {
        (false, false) => {
            let product = dl_arith::build::binary::<MulFOp<'_>>(rw, first.0, second.0, loc);
            return vec![(product, first.1)];
        }
        (false, true) => (first.0, second),
        (true, false) => (second.0, first),
        (true, true) => return scales,
    };
    let cx = rw.cx();
    let sizes = dl_tensor::extents(rw, tensor, loc);
    let element = rw.value_type(tensor).element_or_self().id();
    let init = empty(rw, &sizes, element, loc);
    let identity = cx.affine().identity_map(sizes.len() as u32);
    let new = Generic {
        loc,
        inputs: vec![tensor],
        inits: vec![init],
        maps: vec![identity; 2],
        iterators: Some(cx.array_attr(&vec![IteratorType::Parallel.attr(cx); sizes.len()])),
        results: vec![rw.ir().value_type(init)],
    };
    vec![(with_body(rw, &new, |b, args| b.same::<MulFOp<'_>>(&[args[0], number])), map)]
}

/// The result of `nest` with the body that computes what `body` makes of its arguments.
pub(super) fn with_body(
    rw: &mut Rewriter<'_>,
    nest: &Generic,
    body: impl FnOnce(&mut Build<'_, '_>, &[ValueId]) -> ValueId,
) -> ValueId {
    let point = rw.insertion_point();
    let (op, block) = nest.create(rw);
    let args = rw.ir().block_args(block).to_vec();
    let mut b = Build::new(rw, nest.loc);
    let value = body(&mut b, &args);
    b.create(OpState::of::<YieldOp<'_>>(nest.loc).operands([value]));
    rw.set_insertion_point(point);
    rw.ir().result(op, 0)
}
