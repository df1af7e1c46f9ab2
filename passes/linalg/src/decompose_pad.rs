//! `tensor.pad` as an insertion of the source into a tensor that is filled with the padding.

use dl_arith::{AddIOp, index_value};
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::{mixed, split};
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite, create_or_fold};
use dl_ir::{DYNAMIC, Loc, OpDefinition, OpId, OpState, Rewriter, ValueId};
use dl_linalg::build::named_state;
use dl_linalg::{FillOp, TypeFn};
use dl_tensor::build::{empty, insert_slice_state};
use dl_tensor::{GenerateOp, PadOp};

use crate::whole::{only_padding, padding_value};

/// Adds the pattern.
pub(crate) fn add_patterns(patterns: &mut Patterns) {
    patterns.add_fn("tensor-pad-to-fill", Some(PadOp::NAME), decompose);
}

fn decompose(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let is_one = only_padding(rw, op).is_ok();
    let pad = PadOp(rw.op(op));
    let (source, result, loc) = (pad.source().id(), rw.value_type(pad.result().id()), pad.0.loc());
    let low = mixed(&pad.static_low().as_i64_array().unwrap_or_default(), pad.low());
    let high = mixed(&pad.static_high().as_i64_array().unwrap_or_default(), pad.high());
    let shape = result.shape().ok_or(NoMatch("no rank"))?;
    let element = result.element_or_self();
    if !element.is_int_or_index_or_float() && !element.is_complex() {
        return Err(NoMatch("elements that cannot be filled"));
    }
    let value = if is_one { Some(padding_value(rw, op)?) } else { None };
    rw.set_insertion_before(op);
    let mut extents = Vec::new();
    for (dim, &extent) in shape.iter().enumerate() {
        extents.push(if extent == DYNAMIC {
            let own = dl_tensor::extent(rw, source, dim, loc);
            let lower = sum(rw, own, low[dim], loc);
            Index::Value(sum_value(rw, lower, high[dim], loc))
        } else {
            Index::Static(extent)
        });
    }
    let filled = if let Some(value) = value {
        let dest = empty(rw, &extents, element.id(), loc);
        let state = named_state(rw, FillOp::NAME, &[value], &[dest], TypeFn::CastSigned, loc);
        rw.create_value(state.map_err(|_| NoMatch("elements that cannot be filled"))?)
    } else {
        let (body, region) = (rw.op(op).region(0).id(), rw.new_region());
        rw.move_blocks(body, region, None);
        let state = OpState::of::<GenerateOp<'_>>(loc).operands(split(&extents).1);
        rw.create_value(state.results([result.id()]).region(region))
    };
    let sizes = dl_tensor::extents(rw, source, loc);
    let strides = sizes.iter().map(|_| Index::Static(1)).collect();
    let state = insert_slice_state(rw, source, filled, &Slice { offsets: low, sizes, strides }, loc);
    rw.replace_with(op, state);
    Ok(())
}

fn sum(rw: &mut Rewriter<'_>, a: Index, b: Index, loc: Loc) -> ValueId {
    let a = index_value(rw, a, loc);
    sum_value(rw, a, b, loc)
}

fn sum_value(rw: &mut Rewriter<'_>, a: ValueId, b: Index, loc: Loc) -> ValueId {
    let (b, ty) = (index_value(rw, b, loc), rw.cx().index_type());
    create_or_fold(rw, OpState::of::<AddIOp<'_>>(loc).operands([a, b]).results([ty]))[0]
}
