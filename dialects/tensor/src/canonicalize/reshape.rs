//! Reshapes: of one another, of casts, and of tensors that are made of elements.

use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::{Indices, mixed};
use dl_ir::interfaces::reassociation::{self, Reshape, collapse_state, expand_state, groups_of};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{DYNAMIC, OpDefinition, OpId, OpState, Rewriter, ValueRef};

use super::{cast_source, cast_to};
use crate::{CollapseShapeOp, DimOp, ExpandShapeOp, ExtractOp, FromElementsOp, ReshapeOp, SplatOp};

/// The sizes that `expand_shape` is given.
fn output_shape(op: ExpandShapeOp<'_>) -> Indices {
    mixed(&op.static_output_shape().as_i64_array().unwrap_or_default(), op.output_shape())
}

/// Merging what was split is merging less, or splitting less.
fn collapse_of_expand(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let collapse = CollapseShapeOp(rw.op(op));
    let expand = collapse.src().def::<ExpandShapeOp<'_>>().ok_or(NoMatch("the source is not split"))?;
    let (source, result) = (expand.src(), collapse.result().ty());
    let (Some(from), Some(to)) = (source.ty().shape(), result.shape()) else { return Err(NoMatch("no rank")) };
    let groups = groups_of(collapse.0);
    let found = reassociation::collapse_of_expand(from, &groups_of(expand.0), &groups, to);
    let found = found.filter(|_| from.len() != to.len()).ok_or(NoMatch("the groups overlap"))?;
    let (output, source, ty, loc) = (output_shape(expand), source.id(), result.id(), collapse.0.loc());
    match found {
        Reshape::Collapse(groups) => {
            let state = collapse_state::<CollapseShapeOp<'_>>(rw.cx(), source, &groups, ty, loc);
            rw.replace_with(op, state);
        }
        Reshape::Expand(of_source) => {
            let shape = to.to_vec();
            let sizes: Option<Indices> = groups
                .iter()
                .zip(shape)
                .map(|(group, extent)| {
                    if extent == DYNAMIC {
                        dl_arith::build::index_product(
                            rw,
                            group.iter().filter_map(|&dim| output.get(dim).copied()),
                            loc,
                        )
                    } else {
                        Some(Index::Static(extent))
                    }
                })
                .collect();
            let sizes = sizes.ok_or(NoMatch("a size overflows"))?;
            let state = expand_state::<ExpandShapeOp<'_>>(rw.cx(), source, &of_source, &sizes, ty, loc);
            rw.replace_with(op, state);
        }
    }
    Ok(())
}

/// Splitting what was merged is merging less, or splitting less.
fn expand_of_collapse(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let expand = ExpandShapeOp(rw.op(op));
    let collapse = expand.src().def::<CollapseShapeOp<'_>>().ok_or(NoMatch("the source is not merged"))?;
    let (source, result) = (collapse.src(), expand.result().ty());
    let (Some(from), Some(to)) = (source.ty().shape(), result.shape()) else { return Err(NoMatch("no rank")) };
    let found = reassociation::expand_of_collapse(from, &groups_of(collapse.0), &groups_of(expand.0), to);
    let (output, source, ty, loc) = (output_shape(expand), source.id(), result.id(), expand.0.loc());
    let state = match found.ok_or(NoMatch("the groups do not fit"))? {
        Reshape::Collapse(groups) => collapse_state::<CollapseShapeOp<'_>>(rw.cx(), source, &groups, ty, loc),
        Reshape::Expand(groups) => expand_state::<ExpandShapeOp<'_>>(rw.cx(), source, &groups, &output, ty, loc),
    };
    rw.replace_with(op, state);
    Ok(())
}

/// Merging dimensions of a cast is merging those of its source, cast.
fn collapse_of_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let collapse = CollapseShapeOp(rw.op(op));
    let source = cast_source(collapse.src()).ok_or(NoMatch("the source is no cast"))?;
    let shape = source.ty().shape().ok_or(NoMatch("no rank"))?;
    let (groups, old) = (groups_of(collapse.0), collapse.result().ty());
    // Without groups every extent is 1, which the verifier wants to see.
    if groups.is_empty() && !source.ty().has_static_shape() {
        return Err(NoMatch("an extent is not known to be 1"));
    }
    let merged = reassociation::collapsed_shape(shape, &groups);
    let new = rw.cx().ty(old.id()).with_shape(&merged).ok_or(NoMatch("no rank"))?;
    let (source, old, loc) = (source.id(), old.id(), collapse.0.loc());
    let state = collapse_state::<CollapseShapeOp<'_>>(rw.cx(), source, &groups, new, loc);
    let merged = rw.create_value(state);
    let value = cast_to(rw, merged, old, loc);
    rw.replace(op, &[value]);
    Ok(())
}

/// Splitting a cast, by sizes that are constants, is splitting a cast that forgets less.
fn expand_of_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let expand = ExpandShapeOp(rw.op(op));
    let source = cast_source(expand.src()).ok_or(NoMatch("the source is no cast"))?;
    let (known, old) = (source.ty(), expand.src().ty());
    let (Some(known), Some(old_shape), Some(result)) = (known.shape(), old.shape(), expand.result().ty().shape())
    else {
        return Err(NoMatch("no rank"));
    };
    let groups = groups_of(expand.0);
    let mut output = output_shape(expand);
    let (mut input, mut shape) = (old_shape.to_vec(), result.to_vec());
    for (i, group) in groups.iter().enumerate() {
        if known[i] == DYNAMIC || input[i] != DYNAMIC {
            continue;
        }
        let size = |&dim: &usize| match *output.get(dim)? {
            Index::Static(size) => Some(size),
            Index::Value(value) => rw.value(value).constant().and_then(|constant| constant.as_int()),
        };
        let Some(sizes) = group.iter().map(size).collect::<Option<Vec<i64>>>() else { continue };
        // Sizes that do not agree with the source are undefined, and left as they are.
        let product =
            sizes.iter().try_fold(1_i64, |product, &size| if size < 0 { None } else { product.checked_mul(size) });
        if product != Some(known[i]) {
            continue;
        }
        input[i] = known[i];
        for (&dim, size) in group.iter().zip(sizes) {
            shape[dim] = size;
            output[dim] = Index::Static(size);
        }
    }
    if input == old_shape {
        return Err(NoMatch("no group of sizes is known"));
    }
    let cx = rw.cx();
    let (result, loc) = (expand.result().ty().id(), expand.0.loc());
    let input = cx.ty(old.id()).with_shape(&input).ok_or(NoMatch("no rank"))?;
    let new = cx.ty(result).with_shape(&shape).ok_or(NoMatch("no rank"))?;
    let source = source.id();
    let source = cast_to(rw, source, input, loc);
    let state = expand_state::<ExpandShapeOp<'_>>(rw.cx(), source, &groups, &output, new, loc);
    let split = rw.create_value(state);
    let value = cast_to(rw, split, result, loc);
    rw.replace(op, &[value]);
    Ok(())
}

/// Sizes that are constants become part of the type, where a group has another size that is not.
fn constant_sizes(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let expand = ExpandShapeOp(rw.op(op));
    let result = expand.result().ty();
    let (mut output, mut shape) = (output_shape(expand), result.shape().ok_or(NoMatch("no rank"))?.to_vec());
    for group in groups_of(expand.0) {
        let constant = |dim: usize| match output.get(dim)? {
            Index::Static(_) => None,
            Index::Value(value) => rw.value(*value).constant()?.as_int().filter(|&size| size >= 0),
        };
        let known: Vec<(usize, i64)> = group.iter().filter_map(|&dim| Some((dim, constant(dim)?))).collect();
        let dynamic = group.iter().filter(|&&dim| shape.get(dim) == Some(&DYNAMIC)).count();
        if known.len() < dynamic {
            for (dim, size) in known {
                (output[dim], shape[dim]) = (Index::Static(size), size);
            }
        }
    }
    let new = result.with_shape(&shape).filter(|&new| new != result.id()).ok_or(NoMatch("no size is a constant"))?;
    let (source, groups, old, loc) = (expand.src().id(), groups_of(expand.0), result.id(), expand.0.loc());
    let state = expand_state::<ExpandShapeOp<'_>>(rw.cx(), source, &groups, &output, new, loc);
    let split = rw.create_value(state);
    let value = cast_to(rw, split, old, loc);
    rw.replace(op, &[value]);
    Ok(())
}

/// A reshape of elements, or of one scalar, makes them a tensor of the other shape.
fn reshape_of_elements(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let (source, ty, loc) = (view.operand(0), view.result(0).ty(), view.loc());
    if !ty.has_static_shape() {
        return Err(NoMatch("an extent of the result is dynamic"));
    }
    let ty = ty.id();
    if let Some(splat) = source.def::<SplatOp<'_>>().filter(|splat| splat.aggregate().ty().has_static_shape()) {
        let input = splat.input().id();
        rw.replace_with(op, OpState::of::<SplatOp<'_>>(loc).operands([input]).results([ty]));
        return Ok(());
    }
    let elements = source.def::<FromElementsOp<'_>>().ok_or(NoMatch("the source is not made of elements"))?;
    let elements = elements.elements().ids();
    rw.replace_with(op, OpState::of::<FromElementsOp<'_>>(loc).operands(elements).results([ty]));
    Ok(())
}

/// A reshape of a reshape is one of its source.
fn reshape_of_reshape(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let reshape = ReshapeOp(rw.op(op));
    let source = reshape.source().def::<ReshapeOp<'_>>().ok_or(NoMatch("the source is no reshape"))?.source().id();
    rw.set_operand(op, 0, source);
    Ok(())
}

/// A dimension of a reshape is an element of the shape it was given.
fn dim_of_reshape(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let dim = DimOp(rw.op(op));
    let reshape = dim.source().def::<ReshapeOp<'_>>().ok_or(NoMatch("the source is no reshape"))?;
    let (shape, index, loc) = (reshape.shape(), dim.index().id(), dim.0.loc());
    let element = shape.ty().element_or_self();
    let (is_index, element, shape) = (element.is_index(), element.id(), shape.id());
    let extent = rw.create_value(OpState::of::<ExtractOp<'_>>(loc).operands([shape, index]).results([element]));
    if is_index {
        rw.replace(op, &[extent]);
    } else {
        let ty = rw.cx().index_type();
        rw.replace_with(op, OpState::of::<dl_arith::IndexCastOp<'_>>(loc).operands([extent]).results([ty]));
    }
    Ok(())
}

/// Whether `size` is the extent of dimension `dim` of `tensor`.
fn is_extent_of(size: ValueRef<'_>, tensor: ValueRef<'_>, dim: usize) -> bool {
    if let Some(constant) = size.constant().and_then(|constant| constant.as_int()) {
        return tensor.ty().shape().and_then(|shape| shape.get(dim)) == Some(&constant);
    }
    let found = size.def::<DimOp<'_>>().filter(|found| found.source() == tensor);
    found.and_then(|found| found.index().constant()?.as_int()) == i64::try_from(dim).ok()
}

/// A reshape to the shape that the source has is nothing.
pub(crate) fn unchanged_by_reshape(reshape: ReshapeOp<'_>) -> bool {
    let (source, result) = (reshape.source(), reshape.result().ty());
    let Some(shape) = source.ty().shape().filter(|_| source.ty() == result) else { return false };
    // Of one dimension there is only one shape with as many elements.
    if shape.len() == 1 {
        return true;
    }
    let Some(sizes) = reshape.shape().def::<FromElementsOp<'_>>() else { return false };
    let same = |(dim, &extent): (usize, &i64)| {
        let size = sizes.elements().get(dim);
        size.is_some_and(|size| is_extent_of(size, source, dim)) || extent != DYNAMIC && size.is_some()
    };
    sizes.elements().len() == shape.len() && shape.iter().enumerate().all(same)
}

pub(crate) fn collapse_shape(patterns: &mut Patterns) {
    let root = Some(CollapseShapeOp::NAME);
    patterns
        .add_fn("tensor-compose-reshapes", root, super::compose_reshapes)
        .add_fn("tensor-collapse-of-expand", root, collapse_of_expand)
        .add_fn("tensor-reshape-of-elements", root, reshape_of_elements)
        .add_fn("tensor-collapse-of-cast", root, collapse_of_cast);
}

pub(crate) fn expand_shape(patterns: &mut Patterns) {
    let root = Some(ExpandShapeOp::NAME);
    patterns
        .add_fn("tensor-compose-reshapes", root, super::compose_reshapes)
        .add_fn("tensor-expand-of-collapse", root, expand_of_collapse)
        .add_fn("tensor-reshape-of-elements", root, reshape_of_elements)
        .add_fn("tensor-expand-of-cast", root, expand_of_cast)
        .add_fn("tensor-expand-constant-sizes", root, constant_sizes);
}

pub(crate) fn reshape(patterns: &mut Patterns) {
    patterns.add_fn("tensor-reshape-of-reshape", Some(ReshapeOp::NAME), reshape_of_reshape);
}

pub(super) fn of_dim(patterns: &mut Patterns) {
    patterns.add_fn("tensor-dim-of-reshape", Some(DimOp::NAME), dim_of_reshape);
}
