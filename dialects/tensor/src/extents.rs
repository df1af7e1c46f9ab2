//! Extents of tensors: of any, by `tensor.dim`, and of what the operations here make of them.

use dl_affine::apply::folded_apply;
use dl_affine::scope::{affine_scope, is_valid_symbol};
use dl_ir::dialect::OpBuilder;
use dl_ir::interfaces::index_list::{Indices, mixed};
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::interfaces::reassociation::groups_of;
use dl_ir::interfaces::{Index, ReifyRankedShapedType};
use dl_ir::rewrite::create_or_fold;
use dl_ir::{DYNAMIC, DialectBuilder, Loc, OpId, OpState, Rewriter, ValueId};

use crate::canonicalize::{Border, common_extents};
use crate::{
    CollapseShapeOp, ConcatOp, DimOp, EmptyOp, ExpandShapeOp, ExtractSliceOp, GenerateOp, InsertSliceOp, PadOp,
    SplatOp, dropped_dims,
};

/// Dimension `dim` of a ranked tensor: a constant where its type knows, else made at the insertion point, or what that folds to.
///
/// # Panics
/// When the tensor has no such dimension.
pub fn extent(rw: &mut Rewriter<'_>, tensor: ValueId, dim: usize, loc: Loc) -> Index {
    match rw.value_type(tensor).shape().map(|shape| shape[dim]) {
        Some(extent) if extent != DYNAMIC => Index::Static(extent),
        _ => Index::Value(dim_value(rw, tensor, dim, loc)),
    }
}

/// All extents of a ranked tensor: see [`extent`]. None for one without a rank.
pub fn extents(rw: &mut Rewriter<'_>, tensor: ValueId, loc: Loc) -> Indices {
    let rank = rw.value_type(tensor).shape().map_or(0, <[i64]>::len);
    (0..rank).map(|dim| extent(rw, tensor, dim, loc)).collect()
}

/// `tensor.dim` at the insertion point, or what it folds to.
fn dim_value(rw: &mut Rewriter<'_>, tensor: ValueId, dim: usize, loc: Loc) -> ValueId {
    let index = dl_arith::constant_index(rw, dim as i64, loc);
    let ty = rw.cx().index_type();
    create_or_fold(rw, OpState::of::<DimOp<'_>>(loc).operands([tensor, index]).results([ty]))[0]
}

/// The dynamic extents of the result are the operands from the first on.
struct GivenSizes(usize);

impl ReifyRankedShapedType for GivenSizes {
    fn reify_shapes(&self, rw: &mut Rewriter<'_>, op: OpId) -> Option<Vec<Indices>> {
        let view = rw.op(op);
        Some(vec![mixed(view.result(0).ty().shape()?, view.operand_group(self.0))])
    }
}

/// The result has the extents of this operand.
struct LikeOperand(usize);

impl ReifyRankedShapedType for LikeOperand {
    fn reify_shapes(&self, rw: &mut Rewriter<'_>, op: OpId) -> Option<Vec<Indices>> {
        let (tensor, loc) = (rw.op(op).operand(self.0).id(), rw.op(op).loc());
        Some(vec![extents(rw, tensor, loc)])
    }
}

struct Extracted;

impl ReifyRankedShapedType for Extracted {
    fn reify_shapes(&self, rw: &mut Rewriter<'_>, op: OpId) -> Option<Vec<Indices>> {
        let view = rw.op(op);
        let sizes = Slice::of(view)?.sizes;
        let known: Vec<i64> = sizes.iter().map(|size| size.extent()).collect();
        let dropped = dropped_dims(&known, view.result(0).ty().shape()?)?;
        Some(vec![sizes.into_iter().zip(dropped).filter(|(_, dropped)| !dropped).map(|(size, _)| size).collect()])
    }
}

struct Expanded;

impl ReifyRankedShapedType for Expanded {
    fn reify_shapes(&self, rw: &mut Rewriter<'_>, op: OpId) -> Option<Vec<Indices>> {
        let view = ExpandShapeOp(rw.op(op));
        Some(vec![mixed(&view.static_output_shape().as_i64_array()?, view.output_shape())])
    }
}

/// The extent of a collapsed group is the product of those in it.
struct Collapsed;

impl ReifyRankedShapedType for Collapsed {
    fn reify_shapes(&self, rw: &mut Rewriter<'_>, op: OpId) -> Option<Vec<Indices>> {
        let view = CollapseShapeOp(rw.op(op));
        let (source, loc, groups) = (view.src().id(), view.0.loc(), groups_of(view.0));
        let shape = view.result().ty().shape()?.to_vec();
        let mut result = Indices::new();
        for (extent, group) in shape.into_iter().zip(groups) {
            result.push(if extent == DYNAMIC { product(rw, op, source, &group, loc)? } else { Index::Static(extent) });
        }
        Some(vec![result])
    }
}

/// The product of some extents of `source`, by an `affine.apply` where the rules of that allow.
fn product(rw: &mut Rewriter<'_>, op: OpId, source: ValueId, dims: &[usize], loc: Loc) -> Option<Index> {
    let factors: Indices = dims.iter().map(|&dim| extent(rw, source, dim, loc)).collect();
    let scope = affine_scope(rw.op(op));
    let mut values = factors.iter().filter_map(|factor| match *factor {
        Index::Value(value) => Some(rw.value(value)),
        Index::Static(_) => None,
    });
    if factors.len() > 1 && !values.all(|value| is_valid_symbol(value, scope)) {
        return dl_arith::build::index_product(rw, factors, loc);
    }
    let affine = rw.cx().affine();
    let dims = affine.dims(factors.len() as u32);
    let product = dims.into_iter().reduce(|product, dim| affine.mul(product, dim))?;
    folded_apply(rw, op, product, &factors, loc)
}

struct Padded;

impl ReifyRankedShapedType for Padded {
    fn reify_shapes(&self, rw: &mut Rewriter<'_>, op: OpId) -> Option<Vec<Indices>> {
        let view = PadOp(rw.op(op));
        let (border, source, loc) = (Border::of(view), view.source().id(), view.0.loc());
        let shape = view.result().ty().shape()?.to_vec();
        let affine = rw.cx().affine();
        let sum = affine.add(affine.add(affine.dim(0), affine.dim(1)), affine.dim(2));
        let mut result = Indices::new();
        for (dim, extent) in shape.into_iter().enumerate() {
            result.push(if extent == DYNAMIC {
                let inner = Index::Value(dim_value(rw, source, dim, loc));
                folded_apply(rw, op, sum, &[inner, border.low[dim], border.high[dim]], loc)?
            } else {
                Index::Static(extent)
            });
        }
        Some(vec![result])
    }
}

/// The extent along which tensors are joined is the sum of theirs; the others are those of the first.
struct Joined;

impl ReifyRankedShapedType for Joined {
    fn reify_shapes(&self, rw: &mut Rewriter<'_>, op: OpId) -> Option<Vec<Indices>> {
        let view = ConcatOp(rw.op(op));
        let along = usize::try_from(view.dim().as_int()?).ok()?;
        let shape = view.result().ty().shape()?.to_vec();
        let (common, loc) = (common_extents(view, along)?, view.0.loc());
        let inputs: Vec<ValueId> = view.inputs().iter().map(|input| input.id()).collect();
        let mut result = Indices::new();
        for (dim, &extent) in shape.iter().enumerate() {
            result.push(if extent != DYNAMIC {
                Index::Static(extent)
            } else if common[dim] != DYNAMIC {
                Index::Value(dl_arith::constant_index(rw, common[dim], loc))
            } else if dim == along {
                sum_along(rw, op, &inputs, along, loc)?
            } else {
                Index::Value(dim_value(rw, *inputs.first()?, dim, loc))
            });
        }
        Some(vec![result])
    }
}

/// The sum of the extents of `tensors` along a dimension.
fn sum_along(rw: &mut Rewriter<'_>, op: OpId, tensors: &[ValueId], dim: usize, loc: Loc) -> Option<Index> {
    let affine = rw.cx().affine();
    let terms: Indices = tensors.iter().map(|&tensor| Index::Value(dim_value(rw, tensor, dim, loc))).collect();
    let sum = affine.dims(terms.len() as u32).into_iter().reduce(|sum, dim| affine.add(sum, dim))?;
    folded_apply(rw, op, sum, &terms, loc)
}

fn reify(op: OpBuilder<'_>, model: impl ReifyRankedShapedType + 'static) {
    op.interface::<dyn ReifyRankedShapedType>(Box::new(model));
}

pub(crate) fn register(b: &mut DialectBuilder) {
    reify(b.on::<EmptyOp<'_>>(), GivenSizes(0));
    reify(b.on::<GenerateOp<'_>>(), GivenSizes(0));
    reify(b.on::<SplatOp<'_>>(), GivenSizes(1));
    reify(b.on::<InsertSliceOp<'_>>(), LikeOperand(1));
    reify(b.on::<ExtractSliceOp<'_>>(), Extracted);
    reify(b.on::<ExpandShapeOp<'_>>(), Expanded);
    reify(b.on::<CollapseShapeOp<'_>>(), Collapsed);
    reify(b.on::<PadOp<'_>>(), Padded);
    reify(b.on::<ConcatOp<'_>>(), Joined);
}
