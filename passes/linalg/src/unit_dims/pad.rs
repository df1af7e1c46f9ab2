//! `tensor.pad` without dimensions of extent 1 that are not padded.

use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::{Indices, mixed, split};
use dl_ir::interfaces::offset_size_stride::with_known_values;
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{Mapping, OpId, OpState, Rewriter, clone_op};
use dl_tensor::build::empty;
use dl_tensor::{PadOp, YieldOp};

use super::reduce::{Reduced, Strategy, can_reduce, reduce, restore};

/// Drops the dimensions of extent 1 that are not padded. The border must be one value.
pub(super) fn drop_unit_dims_of_pad(op: OpId, rw: &mut Rewriter<'_>, strategy: Strategy) -> Rewrite {
    let cx = rw.cx();
    let pad = PadOp(rw.op(op));
    let block = pad.0.region(0).entry().ok_or(NoMatch("no body"))?;
    let border = block.last_op().filter(|last| last.num_operands() == 1).ok_or(NoMatch("no border"))?.operand(0);
    let inside = border.parent_block() == Some(block);
    if inside && border.constant().is_none() {
        return Err(NoMatch("the border is computed"));
    }
    let constant = border.defining_op().filter(|_| inside).map(|constant| constant.id());
    let amounts = |constants: dl_ir::AttrRef<'_>, values| -> Option<Indices> {
        let list = mixed(&constants.as_i64_array()?, values);
        Some(with_known_values(pad.0, &list).unwrap_or(list))
    };
    let (low, high) = (amounts(pad.static_low(), pad.low()), amounts(pad.static_high(), pad.high()));
    let (Some(low), Some(high)) = (low, high) else { return Err(NoMatch("no amounts")) };
    let (source, result) = (pad.source().ty(), pad.result().ty());
    let (Some(shape), Some(out)) = (source.shape(), result.shape()) else { return Err(NoMatch("no rank")) };
    let rank = shape.len();
    if !can_reduce(source) || !can_reduce(result) || low.len() != rank || high.len() != rank {
        return Err(NoMatch("encoded"));
    }
    let zero = |list: &Indices, dim: usize| list[dim] == Index::Static(0);
    let unit: Vec<bool> = (0..rank).map(|dim| shape[dim] == 1 && zero(&low, dim) && zero(&high, dim)).collect();
    if !unit.contains(&true) {
        return Err(NoMatch("nothing to drop"));
    }
    let from = Reduced::new(shape, |dim| unit[dim]);
    let to = Reduced::new(out, |dim| unit[dim]);
    let kept = |list: &Indices| -> Indices { (0..rank).filter(|&dim| !unit[dim]).map(|dim| list[dim]).collect() };
    let (low, high) = (kept(&low), kept(&high));
    let nofold = pad.nofold().map(|attr| attr.id());
    let (source, loc, ty) = (pad.source().id(), pad.0.loc(), result.id());
    let (element, border) = (result.element_or_self().id(), border.id());
    let dropped: Vec<bool> = unit;

    rw.set_insertion_before(op);
    let source = reduce(rw, source, &from, strategy, loc);
    let ((low, low_values), (high, high_values)) = (split(&low), split(&high));
    let region = rw.new_region();
    let state = OpState::of::<PadOp<'_>>(loc)
        .operands([source])
        .operands(low_values.iter().copied())
        .operands(high_values.iter().copied())
        .operand_segments(cx, &[1, low_values.len(), high_values.len()])
        .attr(cx, "static_low", cx.dense_i64_array(&low))
        .attr(cx, "static_high", cx.dense_i64_array(&high))
        .maybe_attr(cx, "nofold", nofold)
        .results([cx.tensor_type(&to.shape, element)])
        .region(region);
    let padded = rw.create_value(state);
    let point = rw.insertion_point();
    let body = rw.append_block(region, &vec![cx.index_type(); to.shape.len()]);
    rw.set_insertion_to_end(body);
    let border = match constant {
        Some(constant) => {
            let copy = clone_op(rw, constant, &mut Mapping::new());
            rw.ir().result(copy, 0)
        }
        None => border,
    };
    rw.create(OpState::of::<YieldOp<'_>>(loc).operands([border]));
    rw.set_insertion_point(point);
    let dest = if strategy == Strategy::Slice {
        let mut sizes = dl_tensor::extents(rw, padded, loc).into_iter();
        let sizes: Vec<Index> = dropped
            .iter()
            .map(|&unit| if unit { Index::Static(1) } else { sizes.next().unwrap_or(Index::Static(1)) })
            .collect();
        empty(rw, &sizes, element, loc)
    } else {
        padded
    };
    let state = restore(rw, padded, (dest, ty), &to.groups, strategy, loc);
    rw.replace_with(op, state);
    Ok(())
}
