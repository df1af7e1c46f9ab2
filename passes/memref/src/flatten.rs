//! `flatten-memref`: accesses to buffers of several dimensions go to one dimension.

use dl_affine::AffineMaxOp;
use dl_arith::Build;
use dl_ir::affine::AffineExpr;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::{Indices, mixed};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::types::StridedLayout;
use dl_ir::{AttrRef, Context, DYNAMIC, OpDefinition, OpId, OpState, Rewriter, Type, TypeRef, ValueId};
use dl_memref::{AllocOp, AllocaOp, DeallocOp, ExtractStridedMetadataOp, LoadOp, ReinterpretCastOp, StoreOp};
use dl_vector::{MaskedLoadOp, MaskedStoreOp, TransferReadOp, TransferWriteOp};

use crate::access::Access;
use crate::apply::apply;
use crate::strided_metadata::{Metadata, with_metadata};

/// Makes loads, stores and transfers of buffers with strides go to one dimension, which spans all that the buffer does, and allocates buffers without
/// a layout that way. Vectors must lie along the last dimension, whose elements follow one another. The type that others see stays, by a cast.
#[derive(Clone, Copy, Default)]
pub struct FlattenMemref;

impl Pass for FlattenMemref {
    const INFO: PassInfo = PassInfo::new("flatten-memref", "Flatten a multiple dimensional memref to 1-dimensional")
        .title("FlattenMemrefsPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        patterns
            .add_fn("memref-flatten-load", Some(LoadOp::NAME), access)
            .add_fn("memref-flatten-store", Some(StoreOp::NAME), access)
            .add_fn("vector-flatten-load", Some(dl_vector::LoadOp::NAME), access)
            .add_fn("vector-flatten-store", Some(dl_vector::StoreOp::NAME), access)
            .add_fn("vector-flatten-maskedload", Some(MaskedLoadOp::NAME), access)
            .add_fn("vector-flatten-maskedstore", Some(MaskedStoreOp::NAME), access)
            .add_fn("vector-flatten-transfer-read", Some(TransferReadOp::NAME), access)
            .add_fn("vector-flatten-transfer-write", Some(TransferWriteOp::NAME), access)
            .add_fn("memref-flatten-alloc", Some(AllocOp::NAME), allocation)
            .add_fn("memref-flatten-alloca", Some(AllocaOp::NAME), allocation);
        patterns.add_canonicalization(cx.ctx, ReinterpretCastOp::NAME);
        patterns.add_canonicalization(cx.ctx, ExtractStridedMetadataOp::NAME);
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// A buffer of one dimension with these elements, whose first is `offset` elements from the start of its memory.
fn flat_type(cx: &Context, of: TypeRef<'_>, size: Index, offset: i64) -> Type {
    let layout = cx.strided_attr(&[1], offset);
    let space = of.memory_space().map(AttrRef::id);
    cx.memref_type_with(&[size.as_static().unwrap_or(DYNAMIC)], of.element_or_self().id(), Some(layout), space)
}

fn access(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let of = Access::of(view).ok_or(NoMatch("is not of a buffer"))?;
    let (buffer, dims, loc) = (view.operand(of.base).id(), of.dims(view), view.loc());
    let ty = rw.value_type(buffer);
    let layout = ty.strided_layout().ok_or(NoMatch("a buffer without strides"))?;
    let rank = layout.strides.len();
    if rank < 2 {
        return Err(NoMatch("a buffer of one dimension"));
    }
    let is_row = dims.is_empty() || dims == [rank - 1] && layout.strides[rank - 1] == 1;
    if !is_row || !of.is_in_bounds(view) {
        return Err(NoMatch("a vector that is not part of a row"));
    }
    if !is_nested(ty, &layout) {
        return Err(NoMatch("rows that overlap or go backwards"));
    }
    let indices = of.indices(view);
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let data = Metadata::extract(&mut b, buffer, ty).ok_or(NoMatch("a buffer without strides"))?;
    let at = position(&mut b, op, &indices, &data.strides).ok_or(NoMatch("an index overflows"))?;
    let size = span(&mut b, &data).ok_or(NoMatch("a size overflows"))?;
    let at = match at {
        Index::Static(number) => b.constant_index(number),
        Index::Value(value) => value,
    };
    let cx = b.cx();
    let flat = flat_type(cx, ty, size, layout.offset);
    let state = OpState::of::<ReinterpretCastOp<'_>>(loc).operands([buffer]).results([flat]);
    let cast = b.create_value(with_metadata(cx, state, data.offset, &[size], &[Index::Static(1)]));
    let state = of.elsewhere(rw.op(op), cast, &[at], &[0]);
    rw.replace_with(op, state);
    Ok(())
}

/// Whether, as far as is known, no stride is negative and a row of each dimension ends before the next one begins, in some order of dimensions: then the
/// farthest end of a dimension is the end of all.
fn is_nested(ty: TypeRef<'_>, layout: &StridedLayout) -> bool {
    let mut known: Vec<(i64, i64)> =
        ty.shape().into_iter().flatten().copied().zip(layout.strides.iter().copied()).collect();
    known.retain(|&(size, stride)| size != DYNAMIC && stride != DYNAMIC);
    known.sort_by_key(|&(_, stride)| stride);
    let is_apart = |pair: &[(i64, i64)]| pair[0].0.checked_mul(pair[0].1).is_some_and(|end| end <= pair[1].1);
    known.iter().all(|&(_, stride)| stride >= 0) && known.windows(2).all(is_apart)
}

/// The sum of indices times strides.
fn position(b: &mut Build<'_, '_>, anchor: OpId, indices: &[Index], strides: &[Index]) -> Option<Index> {
    let affine = b.cx().affine();
    let (mut sum, mut inputs) = (affine.constant(0), Indices::new());
    for (&index, &stride) in indices.iter().zip(strides) {
        let [x, y] = [0, 1].map(|next| affine.symbol(inputs.len() as u32 + next));
        sum = affine.add(sum, affine.mul(x, y));
        inputs.extend([index, stride]);
    }
    apply(b, anchor, sum, &inputs)
}

/// How far the elements of a buffer reach: to the farthest end of a dimension.
fn span(b: &mut Build<'_, '_>, data: &Metadata) -> Option<Index> {
    let cx = b.cx();
    let affine = cx.affine();
    let (mut ends, mut constant, mut operands) = (Vec::<AffineExpr>::new(), None::<i64>, Vec::<ValueId>::new());
    for (&size, &stride) in data.sizes.iter().zip(&data.strides) {
        if let (Index::Static(size), Index::Static(stride)) = (size, stride) {
            let end = size.checked_mul(stride)?;
            constant = Some(constant.map_or(end, |other| other.max(end)));
            continue;
        }
        let mut symbol = |index: Index| match index {
            Index::Static(number) => affine.constant(number),
            Index::Value(value) => {
                let known = operands.iter().position(|&each| each == value);
                let at = known.unwrap_or_else(|| {
                    operands.push(value);
                    operands.len() - 1
                });
                affine.symbol(at as u32)
            }
        };
        let [stride, size] = [stride, size].map(&mut symbol);
        ends.push(affine.mul(stride, size));
    }
    if ends.is_empty() {
        return constant.map(Index::Static);
    }
    ends.extend(constant.map(|constant| affine.constant(constant)));
    let map = cx.affine_map_attr(affine.intern_map(0, operands.len() as u32, ends));
    Some(Index::Value(b.value_with::<AffineMaxOp<'_>>(&operands, cx.index_type(), &[("map", map)])))
}

fn allocation(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let value = view.result(0);
    let (ty, loc) = (rw.value_type(value.id()), view.loc());
    let shape = ty.shape().filter(|shape| shape.len() > 1 && ty.has_identity_layout());
    let shape = shape.ok_or(NoMatch("one dimension, or a layout"))?;
    let dynamic = match (view.cast::<AllocOp<'_>>(), view.cast::<AllocaOp<'_>>()) {
        (Some(alloc), _) => alloc.dynamic_sizes(),
        (None, Some(alloca)) => alloca.dynamic_sizes(),
        (None, None) => return Err(NoMatch("no allocation")),
    };
    let sizes: Indices = mixed(shape, dynamic);
    let is_alloc = view.is::<AllocOp<'_>>();
    let frees: Vec<OpId> =
        value.uses().map(|(user, _)| user).filter(|user| user.is::<DeallocOp<'_>>()).map(|user| user.id()).collect();
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let cx = b.cx();
    let affine = cx.affine();
    let product = (0..sizes.len() as u32).map(|dim| affine.symbol(dim)).reduce(|all, size| affine.mul(all, size));
    let size = product.and_then(|product| apply(&mut b, op, product, &sizes)).ok_or(NoMatch("a size overflows"))?;
    let mut strides: Indices = smallvec::smallvec![Index::Static(1); sizes.len()];
    for dim in (0..sizes.len() - 1).rev() {
        let row = affine.mul(affine.symbol(0), affine.symbol(1));
        strides[dim] =
            apply(&mut b, op, row, &[strides[dim + 1], sizes[dim + 1]]).ok_or(NoMatch("a stride overflows"))?;
    }
    let view = b.op(op);
    let others: Vec<_> = view
        .attrs()
        .filter(|(name, _)| *name != cx.ident("operandSegmentSizes"))
        .map(|(name, attr)| (name, attr.id()))
        .collect();
    let flat = flat_type(cx, ty, size, 0);
    let operands: Vec<ValueId> = match size {
        Index::Static(_) => Vec::new(),
        Index::Value(size) => vec![size],
    };
    let state = OpState::new(view.name_id(), loc).operand_segments(cx, &[operands.len(), 0]).operands(operands);
    let made = b.create_value(state.attrs(others).results([flat]));
    let state = OpState::of::<ReinterpretCastOp<'_>>(loc).operands([made]).results([ty.id()]);
    let state = with_metadata(cx, state, Index::Static(0), &sizes, &strides);
    for free in frees.into_iter().filter(|_| is_alloc) {
        rw.set_operand(free, 0, made);
    }
    rw.replace_with(op, state);
    Ok(())
}
