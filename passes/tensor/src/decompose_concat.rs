//! `tensor-decompose-concat`: a concatenation is an empty tensor into which its operands are inserted one after the other.

use dl_affine::apply::folded_apply;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{AttrRef, OpDefinition, OpId, OpState, Rewriter, ValueId};
use dl_tensor::build::{empty, insert_slice_state};
use dl_tensor::{CastOp, ConcatOp};

/// Takes concatenations apart.
#[derive(Clone, Copy, Default)]
pub struct DecomposeConcat;

impl Pass for DecomposeConcat {
    const INFO: PassInfo =
        PassInfo::new("tensor-decompose-concat", "Insert the operands of tensor.concat one after the other");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        add_patterns(&mut patterns);
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// Adds the pattern.
pub(crate) fn add_patterns(patterns: &mut Patterns) {
    patterns.add_fn("tensor-decompose-concat", Some(ConcatOp::NAME), decompose);
}

fn decompose(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let affine = rw.cx().affine();
    let view = rw.op(op);
    let dim = view.attr("dim").and_then(AttrRef::as_int).and_then(|dim| usize::try_from(dim).ok());
    let dim = dim.ok_or(NoMatch("no dimension"))?;
    let (inputs, ty, loc) = (view.operands().ids(), view.result(0).ty(), view.loc());
    if ty.encoding().is_some() || ty.shape().is_none_or(|shape| dim >= shape.len()) {
        return Err(NoMatch("encoded, or no such dimension"));
    }
    let (result, element) = (ty.id(), ty.element_or_self().id());
    rw.set_insertion_before(op);
    let sizes: Vec<_> = inputs.iter().map(|&input| dl_tensor::extents(rw, input, loc)).collect();
    // Where each operand begins, and the end of the last.
    let sum = affine.add(affine.dim(0), affine.dim(1));
    let mut starts = vec![Index::Static(0)];
    for size in &sizes {
        let last = *starts.last().ok_or(NoMatch("no operands"))?;
        starts.push(folded_apply(rw, op, sum, &[last, size[dim]], loc).ok_or(NoMatch("an extent overflows"))?);
    }
    let mut shape = sizes.first().ok_or(NoMatch("no operands"))?.clone();
    shape[dim] = *starts.last().ok_or(NoMatch("no operands"))?;
    let mut whole: ValueId = empty(rw, &shape, element, loc);
    for ((&input, size), &start) in inputs.iter().zip(sizes).zip(&starts) {
        let mut offsets: Vec<Index> = vec![Index::Static(0); size.len()];
        offsets[dim] = start;
        let strides = size.iter().map(|_| Index::Static(1)).collect();
        let slice = Slice { offsets: offsets.into_iter().collect(), sizes: size, strides };
        let state = insert_slice_state(rw, input, whole, &slice, loc);
        whole = rw.create_value(state);
    }
    if rw.ir().value_type(whole) == result {
        rw.replace(op, &[whole]);
    } else {
        rw.replace_with(op, OpState::of::<CastOp<'_>>(loc).operands([whole]).results([result]));
    }
    Ok(())
}
