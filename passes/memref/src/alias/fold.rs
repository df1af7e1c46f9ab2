//! `fold-memref-alias-ops`: loads, stores and transfers of subviews and reshaped buffers go to the buffer itself.
//!
//! A vector lies along the last dimensions of the view. They must be dimensions of the buffer as well, or the last parts of some, so that
//! neighbours in the view are neighbours in the buffer. Upstream does not ask for that where dimensions are collapsed, and then makes
//! accesses of vectors that run over the end of a row.

use dl_affine::apply::folded_apply_of_symbols;
use dl_ir::affine::AffineMap;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{AttrRef, OpDefinition, OpId, OpRef, OpState, Rewriter};
use dl_memref::{LoadOp, StoreOp, SubViewOp, subview_state};
use dl_vector::{MaskedLoadOp, MaskedStoreOp, TransferReadOp, TransferWriteOp};

use super::view::{View, resolve};

/// Makes accesses to views accesses to what is looked at, and subviews of subviews one.
#[derive(Clone, Copy, Default)]
pub struct FoldMemRefAliasOps;

impl Pass for FoldMemRefAliasOps {
    const INFO: PassInfo = PassInfo::new("fold-memref-alias-ops", "Fold memref alias ops into consumer load/store ops")
        .title("FoldMemRefAliasOpsPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        super::affine::add_patterns(&mut patterns);
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
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// An access: the number of the operand that is the buffer, whose indices follow, and how a vector lies in it.
struct Access {
    base: usize,
    rank: usize,
    lies: Lies,
}

/// Which dimensions of the buffer a vector lies along.
enum Lies {
    /// So many of the last ones.
    Last(usize),
    /// Those that are results of the map.
    Along(AffineMap),
}

impl Access {
    fn of(op: OpRef<'_>) -> Option<Self> {
        let is_store = op.is::<StoreOp<'_>>() || op.is::<dl_vector::StoreOp<'_>>() || op.is::<TransferWriteOp<'_>>();
        let base = usize::from(is_store);
        let buffer = op.operand(base).ty();
        let rank = buffer.shape().filter(|_| buffer.is_memref())?.len();
        let lies = if let Some(map) = op.attr("permutation_map") {
            Lies::Along(map.as_affine_map()?)
        } else if op.is::<LoadOp<'_>>() || op.is::<StoreOp<'_>>() {
            Lies::Last(0)
        } else {
            let vector = if op.num_results() > 0 {
                op.result(0)
            } else if is_store {
                op.operand(0)
            } else {
                op.operand(op.num_operands() - 1)
            };
            Lies::Last(vector.ty().shape()?.len())
        };
        Some(Self { base, rank, lies })
    }

    /// The dimensions of the buffer that a vector lies along.
    fn dims(&self, op: OpRef<'_>) -> Vec<usize> {
        match self.lies {
            Lies::Last(count) => (self.rank.saturating_sub(count)..self.rank).collect(),
            Lies::Along(map) => {
                let affine = op.cx().affine();
                affine.map(map).results.iter().filter_map(|&expr| Some(affine.dim_position(expr)? as usize)).collect()
            }
        }
    }
}

fn access_of_view(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view_of = rw.op(op);
    let access = Access::of(view_of).ok_or(NoMatch("is not of a buffer"))?;
    let made = view_of.operand(access.base).defining_op().ok_or(NoMatch("is not of a view"))?;
    let view = View::of(made).ok_or(NoMatch("is not of a view"))?;
    let dims = access.dims(view_of);
    let moved = lies_in_source(&view, &dims, &access, made).ok_or(NoMatch("a vector would lie otherwise"))?;
    let is_transfer = matches!(access.lies, Lies::Along(_));
    let is_bounded = |attr: AttrRef<'_>| attr.elements().all(|each| each.as_bool() == Some(true));
    if is_transfer && !view_of.attr("in_bounds").is_some_and(is_bounded) {
        return Err(NoMatch("may be out of bounds"));
    }
    let (source, loc, cx) = (made.operand(0).id(), view_of.loc(), rw.cx());
    let (first, rank) = (access.base + 1, access.rank);
    let indices: Indices = view_of.operands().slice(first, rank).iter().map(|value| Index::Value(value.id())).collect();
    rw.set_insertion_before(op);
    let in_range = matches!(access.lies, Lies::Last(0));
    let resolved = resolve(rw, op, &view, source, &indices, (folded_apply_of_symbols, in_range), loc)?;
    let view_of = rw.op(op);
    let old = view_of.operands().ids();
    let operands = old[..access.base].iter().copied().chain([source]).chain(resolved.iter().copied());
    let state = OpState::new(view_of.name_id(), loc).operands(operands.chain(old[first + rank..].iter().copied()));
    let mut state =
        state.attrs(view_of.attrs().map(|(name, attr)| (name, attr.id()))).results(view_of.results().types());
    if let Lies::Along(map) = access.lies {
        let affine = cx.affine();
        let mut moved = moved.into_iter();
        let results: Vec<_> = affine
            .map(map)
            .results
            .iter()
            .map(|&expr| match affine.dim_position(expr) {
                Some(_) => moved.next().map_or(expr, |dim| affine.dim(dim as u32)),
                None => expr,
            })
            .collect();
        let map = affine.intern_map(resolved.len() as u32, 0, results);
        state.set_attr(cx.ident("permutation_map"), cx.affine_map_attr(map));
        let last = old.len() - first - rank;
        let segments: Vec<usize> =
            if access.base == 0 { vec![1, resolved.len(), 1, last - 1] } else { vec![1, 1, resolved.len(), last] };
        state = state.operand_segments(cx, &segments);
    }
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

/// Element `i` of the outer subview is element `i * stride + offset` of the inner one.
fn subview_of_subview(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let affine = rw.cx().affine();
    let view = rw.op(op);
    let inner_op = view.operand(0).def::<SubViewOp<'_>>().ok_or(NoMatch("not of a subview"))?;
    let (outer, inner) = Slice::of(view).zip(Slice::of(inner_op.0)).ok_or(NoMatch("no subviews"))?;
    let dropped = dl_memref::subview_dropped_dims(inner_op.0).ok_or(NoMatch("no rank"))?;
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
