//! `fold-memref-alias-ops`: loads, stores and transfers of subviews and reshaped buffers go to the buffer itself.
//!
//! A vector lies along the last dimensions of the view. They must be dimensions of the buffer as well, or the last parts of some, so that
//! neighbours in the view are neighbours in the buffer. Upstream does not ask for that where dimensions are collapsed, and then makes
//! accesses of vectors that run over the end of a row.

use dl_affine::apply::folded_apply_of_symbols;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpRef, Rewriter};
use dl_memref::{LoadOp, StoreOp, SubViewOp, subview_state};
use dl_vector::{MaskedLoadOp, MaskedStoreOp, TransferReadOp, TransferWriteOp};

use super::view::{View, resolve};
use crate::access::{Access, Lies};

/// Makes accesses to views accesses to what is looked at, and subviews of subviews one.
#[derive(Clone, Copy, Default)]
pub struct FoldMemRefAliasOps;

impl Pass for FoldMemRefAliasOps {
    const INFO: PassInfo = PassInfo::new("fold-memref-alias-ops", "Fold memref alias ops into consumer load/store ops")
        .title("FoldMemRefAliasOpsPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        add_patterns(&mut patterns);
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// Adds the patterns.
pub(crate) fn add_patterns(patterns: &mut Patterns) {
    super::affine::add_patterns(patterns);
    patterns
        .add_fn("memref-load-of-view", Some(LoadOp::NAME), access_of_view)
        .add_fn("memref-store-of-view", Some(StoreOp::NAME), access_of_view)
        .add_fn("vector-load-of-view", Some(dl_vector::LoadOp::NAME), access_of_view)
        .add_fn("vector-store-of-view", Some(dl_vector::StoreOp::NAME), access_of_view)
        .add_fn("vector-maskedload-of-view", Some(MaskedLoadOp::NAME), access_of_view)
        .add_fn("vector-maskedstore-of-view", Some(MaskedStoreOp::NAME), access_of_view)
        .add_fn("vector-transfer-read-of-view", Some(TransferReadOp::NAME), access_of_view)
        .add_fn("vector-transfer-write-of-view", Some(TransferWriteOp::NAME), access_of_view)
        .add_fn("memref-subview-of-subview", Some(SubViewOp::NAME), subview_of_subview);
}

fn access_of_view(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view_of = rw.op(op);
    let access = Access::of(view_of).ok_or(NoMatch("is not of a buffer"))?;
    let made = view_of.operand(access.base).defining_op().ok_or(NoMatch("is not of a view"))?;
    let view = View::of(made).ok_or(NoMatch("is not of a view"))?;
    let dims = access.dims(view_of);
    let moved = lies_in_source(&view, &dims, &access, made).ok_or(NoMatch("a vector would lie otherwise"))?;
    if !access.is_in_bounds(view_of) {
        return Err(NoMatch("may be out of bounds"));
    }
    let (source, loc) = (made.operand(0).id(), view_of.loc());
    let indices = access.indices(view_of);
    rw.set_insertion_before(op);
    let in_range = matches!(access.lies, Lies::Last(0));
    let resolved = resolve(rw, op, &view, source, &indices, (folded_apply_of_symbols, in_range), loc)?;
    let state = access.elsewhere(rw.op(op), source, &resolved, &moved);
    rw.replace_with(op, state);
    Ok(())
}

/// The dimensions of the source that a vector along these dimensions of the view lies along. `None` where neighbours are no neighbours in it.
fn lies_in_source(view: &View, dims: &[usize], access: &Access, made: OpRef<'_>) -> Option<Vec<usize>> {
    let moved: Vec<usize> = match view {
        View::Slice(slice, dropped) => {
            let kept: Vec<usize> = (0..dropped.len()).filter(|&dim| !dropped[dim]).collect();
            let has_unit_stride = |dim: usize| slice.strides.get(dim).and_then(|stride| stride.as_static()) == Some(1);
            let moved = dims.iter().map(|&dim| kept.get(dim).copied().filter(|&dim| has_unit_stride(dim)));
            moved.collect::<Option<_>>()?
        }
        View::Expanded(groups, _) => {
            let part = |dim: usize| groups.iter().position(|group| group.last() == Some(&dim));
            dims.iter().map(|&dim| part(dim)).collect::<Option<_>>()?
        }
        View::Collapsed(groups) => {
            let alone = |dim: usize| match groups.get(dim).map(Vec::as_slice) {
                Some(&[only]) => Some(only),
                _ => None,
            };
            dims.iter().map(|&dim| alone(dim)).collect::<Option<_>>()?
        }
    };
    let rank = made.operand(0).ty().shape()?.len();
    let stays = match access.lies {
        Lies::Last(count) => moved.iter().copied().eq(rank.checked_sub(count)?..rank),
        Lies::Along(_) => true,
    };
    stays.then_some(moved)
}

/// Element `i` of the outer subview is element `i * stride + offset` of the inner one. The type stays: what is an operand is dynamic in it, so a constant
/// must not become known by the merge.
fn subview_of_subview(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let affine = rw.cx().affine();
    let view = rw.op(op);
    let inner_op = view.operand(0).def::<SubViewOp<'_>>().ok_or(NoMatch("not of a subview"))?;
    let (outer, inner) = Slice::of(view).zip(Slice::of(inner_op.0)).ok_or(NoMatch("no subviews"))?;
    let dropped = dl_memref::subview_dropped_dims(inner_op.0).ok_or(NoMatch("no rank"))?;
    let is_constant = |index: &Index| matches!(*index, Index::Value(value) if rw.value(value).constant().is_some());
    let is_any = |list: &[Index]| list.iter().zip(&dropped).any(|(index, dropped)| !dropped && is_constant(index));
    if outer.offsets.iter().chain(&outer.strides).any(is_constant) || is_any(&inner.offsets) || is_any(&inner.strides) {
        return Err(NoMatch("a constant operand is no attribute yet"));
    }
    let (source, ty, loc) = (inner_op.source().id(), view.result(0).ty().id(), view.loc());
    let mut merged = Slice { offsets: Indices::new(), sizes: Indices::new(), strides: Indices::new() };
    rw.set_insertion_before(op);
    let product = affine.mul(affine.dim(0), affine.dim(1));
    let position = affine.add(product, affine.dim(2));
    let mut kept = 0;
    for (dim, &dropped) in dropped.iter().enumerate() {
        let (offset, stride) = (inner.offsets[dim], inner.strides[dim]);
        if dropped {
            merged.offsets.push(offset);
            merged.sizes.push(Index::Static(1));
            merged.strides.push(Index::Static(1));
            continue;
        }
        let mut value = |expr, inputs: &[Index]| {
            folded_apply_of_symbols(rw, op, expr, inputs, loc).ok_or(NoMatch("an offset overflows"))
        };
        merged.offsets.push(value(position, &[outer.offsets[kept], stride, offset])?);
        merged.strides.push(value(product, &[outer.strides[kept], stride])?);
        merged.sizes.push(outer.sizes[kept]);
        kept += 1;
    }
    let state = subview_state(rw, source, &merged, ty, loc);
    rw.replace_with(op, state);
    Ok(())
}
