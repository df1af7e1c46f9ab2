//! `linalg-decompose-pads`: `tensor.pad` by one value as fills of the border only, and an insertion of the source.
//!
//! The border is made before what makes the source. So the source can be computed right where it is inserted (`eliminate-empty-tensors`): a
//! convolution writes into the middle of the padded image that the next one reads, and nothing is copied, or cleared to be written again.
//!
//! Along each dimension there is a part of the border before the source and one behind it. They have all of the dimensions after it, and of those
//! before it what the source has, so that no element is in two of them.

use dl_ir::interfaces::Index;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Loc, OpDefinition, OpId, Rewriter, ValueId};
use dl_linalg::build::named_state;
use dl_linalg::{FillOp, TypeFn};
use dl_tensor::PadOp;
use dl_tensor::build::{empty, insert_slice_state};

/// Takes paddings by one value, of known extents, apart.
#[derive(Clone, Copy, Default)]
pub struct DecomposePads;

impl Pass for DecomposePads {
    const INFO: PassInfo =
        PassInfo::new("linalg-decompose-pads", "Fill the border of padded tensors, and insert what they pad");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        patterns.add_fn("linalg-decompose-pad", Some(PadOp::NAME), decompose);
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

fn decompose(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let pad = PadOp(rw.op(op));
    let (source, result, loc) = (pad.source(), pad.result().ty(), pad.0.loc());
    let plain = result.encoding().is_none() && result.element_or_self().int_or_float_width().is_some();
    let known = source.ty().has_static_shape() && result.has_static_shape() && plain;
    let shapes = source.ty().shape().zip(result.shape()).filter(|_| known && pad.0.num_operands() == 1);
    let (from, to) =
        shapes.map(|(from, to)| (from.to_vec(), to.to_vec())).ok_or(NoMatch("extents that are not known"))?;
    let low = pad.static_low().as_i64_array().filter(|low| low.len() == to.len()).ok_or(NoMatch("no amounts"))?;
    let high = pad.static_high().as_i64_array().filter(|high| high.len() == to.len()).ok_or(NoMatch("no amounts"))?;
    if low.iter().chain(&high).any(|&amount| amount < 0) {
        return Err(NoMatch("a part of the source"));
    }
    let block = pad.0.region(0).entry().ok_or(NoMatch("no body"))?;
    let border = block.last_op().filter(|last| last.num_operands() == 1).ok_or(NoMatch("no border"))?.operand(0);
    let constant = border.constant().ok_or(NoMatch("a border that is not known"))?.id();
    // Before what makes the source, if that is beside the padding.
    let producer = source.defining_op().filter(|producer| producer.block() == pad.0.block());
    let (before, source) = (producer.map_or(op, |producer| producer.id()), source.id());
    let element = result.element_or_self().id();
    rw.set_insertion_before(before);
    let border = dl_arith::constant(rw, constant, loc);
    let extents: Vec<Index> = to.iter().copied().map(Index::Static).collect();
    let mut whole = empty(rw, &extents, element, loc);
    let (mut offsets, mut sizes) = (vec![0; to.len()], to.clone());
    for dim in 0..to.len() {
        for (first, count) in [(0, low[dim]), (low[dim] + from[dim], high[dim])] {
            (offsets[dim], sizes[dim]) = (first, count);
            if sizes.iter().all(|&size| size > 0) {
                whole = filled(rw, border, whole, &slice(&offsets, &sizes), loc)?;
            }
        }
        (offsets[dim], sizes[dim]) = (low[dim], from[dim]);
    }
    rw.set_insertion_before(op);
    let state = insert_slice_state(rw, source, whole, &slice(&offsets, &sizes), loc);
    rw.replace_with(op, state);
    Ok(())
}

/// `whole` with a part of it filled.
fn filled(rw: &mut Rewriter<'_>, value: ValueId, whole: ValueId, part: &Slice, loc: Loc) -> Result<ValueId, NoMatch> {
    let element = rw.value_type(value).id();
    let dest = empty(rw, &part.sizes, element, loc);
    let state = named_state(rw, FillOp::NAME, &[value], &[dest], TypeFn::CastSigned, loc);
    let fill = rw.create_value(state.map_err(|_| NoMatch("elements that cannot be filled"))?);
    let state = insert_slice_state(rw, fill, whole, part, loc);
    Ok(rw.create_value(state))
}

/// A part without gaps.
fn slice(offsets: &[i64], sizes: &[i64]) -> Slice {
    let all = |list: &[i64]| list.iter().copied().map(Index::Static).collect();
    Slice { offsets: all(offsets), sizes: all(sizes), strides: sizes.iter().map(|_| Index::Static(1)).collect() }
}
