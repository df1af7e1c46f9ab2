//! Reshapes, of one another and of casts.

use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::{Indices, mixed};
use dl_ir::interfaces::reassociation::{self, Reshape, collapse_state, expand_state, groups_of};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::types::StridedLayout;
use dl_ir::{DYNAMIC, OpDefinition, OpId, Rewriter, Type, TypeRef, ValueRef};

use super::{cast_source, cast_to, only_forgets};
use crate::{CollapseShapeOp, ExpandShapeOp, layout};

/// The sizes that `expand_shape` is given.
fn output_shape(op: ExpandShapeOp<'_>) -> Indices {
    mixed(&op.static_output_shape().as_i64_array().unwrap_or_default(), op.output_shape())
}

/// The memref type like `source` with this shape and layout.
fn with_layout(source: TypeRef<'_>, shape: &[i64], layout: &StridedLayout) -> Type {
    let space = source.memory_space().map(|space| space.id());
    let element = source.element_or_self().id();
    if source.has_identity_layout() {
        return source.cx().memref_type_with(shape, element, None, space);
    }
    source.cx().strided_memref_type(shape, element, layout, space)
}

/// Merging what was split is merging less, or splitting less, where the elements lie without gaps.
fn collapse_of_expand(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let collapse = CollapseShapeOp(rw.op(op));
    let expand = collapse.src().def::<ExpandShapeOp<'_>>().ok_or(NoMatch("the source is not split"))?;
    let (source, middle, result) = (expand.src(), collapse.src().ty(), collapse.result().ty());
    let (Some(from), Some(to)) = (source.ty().shape(), result.shape()) else { return Err(NoMatch("no rank")) };
    let groups = groups_of(collapse.0);
    let same_groups = groups == groups_of(expand.0);
    if same_groups && crate::are_cast_compatible(source.ty(), result) {
        let (source, ty, loc) = (source.id(), result.id(), collapse.0.loc());
        let value = cast_to(rw, source, ty, loc);
        rw.replace(op, &[value]);
        return Ok(());
    }
    if [source.ty(), middle, result].iter().any(|ty| !ty.has_identity_layout()) {
        return Err(NoMatch("a layout is not the identity"));
    }
    let found = reassociation::collapse_of_expand(from, &groups_of(expand.0), &groups, to);
    let found = found.filter(|_| from.len() != to.len()).ok_or(NoMatch("the groups overlap"))?;
    let (output, source, ty, loc) = (output_shape(expand), source.id(), result.id(), collapse.0.loc());
    let state = match found {
        Reshape::Collapse(groups) => collapse_state::<CollapseShapeOp<'_>>(rw.cx(), source, &groups, ty, loc),
        Reshape::Expand(of_source) => {
            let shape = to.to_vec();
            let size = |(group, extent): (&Vec<usize>, i64)| {
                if extent == DYNAMIC {
                    dl_arith::build::index_product(rw, group.iter().filter_map(|&dim| output.get(dim).copied()), loc)
                } else {
                    Some(Index::Static(extent))
                }
            };
            let sizes: Option<Indices> = groups.iter().zip(shape).map(size).collect();
            expand_state::<ExpandShapeOp<'_>>(
                rw.cx(),
                source,
                &of_source,
                &sizes.ok_or(NoMatch("a size overflows"))?,
                ty,
                loc,
            )
        }
    };
    rw.replace_with(op, state);
    Ok(())
}

/// Splitting what was merged is merging less, or splitting less, where the elements lie without gaps.
fn expand_of_collapse(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let expand = ExpandShapeOp(rw.op(op));
    let collapse = expand.src().def::<CollapseShapeOp<'_>>().ok_or(NoMatch("the source is not merged"))?;
    let (source, middle, result) = (collapse.src(), expand.src().ty(), expand.result().ty());
    let (Some(from), Some(to)) = (source.ty().shape(), result.shape()) else { return Err(NoMatch("no rank")) };
    if [source.ty(), middle, result].iter().any(|ty| !ty.has_identity_layout()) {
        return Err(NoMatch("a layout is not the identity"));
    }
    let found = reassociation::expand_of_collapse(from, &groups_of(collapse.0), &groups_of(expand.0), to);
    let (output, source, ty, loc) = (output_shape(expand), source.id(), result.id(), expand.0.loc());
    let state = match found.ok_or(NoMatch("the groups do not fit"))? {
        Reshape::Collapse(groups) => collapse_state::<CollapseShapeOp<'_>>(rw.cx(), source, &groups, ty, loc),
        Reshape::Expand(groups) => expand_state::<ExpandShapeOp<'_>>(rw.cx(), source, &groups, &output, ty, loc),
    };
    rw.replace_with(op, state);
    Ok(())
}

/// The source of a cast that only forgets.
fn forgotten(value: ValueRef<'_>) -> Result<ValueRef<'_>, NoMatch> {
    let source = cast_source(value).filter(|source| only_forgets(source.ty(), value.ty()));
    source.ok_or(NoMatch("the source is no cast that only forgets"))
}

/// Merging dimensions of a cast is merging those of its source, cast.
fn collapse_of_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let collapse = CollapseShapeOp(rw.op(op));
    let (source, old) = (forgotten(collapse.src())?, collapse.result().ty());
    let (shape, groups) = (source.ty().shape().ok_or(NoMatch("no rank"))?, groups_of(collapse.0));
    if groups.is_empty() && !source.ty().has_static_shape() {
        return Err(NoMatch("an extent is not known to be 1"));
    }
    let merged = reassociation::collapsed_shape(shape, &groups);
    let layout = layout::collapsed(source.ty(), &groups).ok_or(NoMatch("there are gaps"))?;
    let new = with_layout(source.ty(), &merged, &layout);
    if !crate::are_cast_compatible(rw.cx().ty(new), old) && new != old.id() {
        return Err(NoMatch("the types cannot be cast"));
    }
    let (source, old, loc) = (source.id(), old.id(), collapse.0.loc());
    let state = collapse_state::<CollapseShapeOp<'_>>(rw.cx(), source, &groups, new, loc);
    let merged = rw.create_value(state);
    let value = cast_to(rw, merged, old, loc);
    rw.replace(op, &[value]);
    Ok(())
}

/// Splitting a cast, where sizes are known for what it forgets, is splitting its source, cast.
fn expand_of_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let expand = ExpandShapeOp(rw.op(op));
    let (source, old) = (forgotten(expand.src())?, expand.result().ty());
    let (Some(known), Some(result)) = (source.ty().shape(), old.shape()) else { return Err(NoMatch("no rank")) };
    let groups = groups_of(expand.0);
    let (mut output, mut shape) = (output_shape(expand), result.to_vec());
    for (i, group) in groups.iter().enumerate().filter(|(i, _)| known[*i] != DYNAMIC) {
        let size = |&dim: &usize| match *output.get(dim)? {
            Index::Static(size) => Some(size),
            Index::Value(value) => rw.value(value).constant().and_then(|constant| constant.as_int()),
        };
        let sizes = group.iter().map(size).collect::<Option<Vec<i64>>>().ok_or(NoMatch("a size is not known"))?;
        let product =
            sizes.iter().try_fold(1_i64, |product, &size| if size < 0 { None } else { product.checked_mul(size) });
        if product != Some(known[i]) {
            return Err(NoMatch("the sizes do not agree with the source"));
        }
        for (&dim, size) in group.iter().zip(sizes) {
            (shape[dim], output[dim]) = (size, Index::Static(size));
        }
    }
    // What is a constant elsewhere is known as well, where the extent that is split is dynamic.
    for dim in 0..shape.len() {
        if let (DYNAMIC, Index::Value(value)) = (shape[dim], output[dim]) {
            let constant = rw.value(value).constant().and_then(|constant| constant.as_int()).filter(|&size| size >= 0);
            if let Some(size) = constant.filter(|_| leaves_dynamic(&groups, &shape, dim)) {
                (shape[dim], output[dim]) = (size, Index::Static(size));
            }
        }
    }
    let layout = layout::expanded(source.ty(), &shape, &groups).ok_or(NoMatch("no strided layout"))?;
    let new = with_layout(source.ty(), &shape, &layout);
    let (source, old, loc) = (source.id(), old.id(), expand.0.loc());
    if new != old && !crate::are_cast_compatible(rw.cx().ty(new), rw.cx().ty(old)) {
        return Err(NoMatch("the types cannot be cast"));
    }
    let state = expand_state::<ExpandShapeOp<'_>>(rw.cx(), source, &groups, &output, new, loc);
    let split = rw.create_value(state);
    let value = cast_to(rw, split, old, loc);
    rw.replace(op, &[value]);
    Ok(())
}

/// Whether the group of `dim` has another dynamic extent.
fn leaves_dynamic(groups: &[Vec<usize>], shape: &[i64], dim: usize) -> bool {
    let group = groups.iter().find(|group| group.contains(&dim));
    group.is_some_and(|group| group.iter().any(|&other| other != dim && shape.get(other) == Some(&DYNAMIC)))
}

pub(crate) fn collapse_shape(patterns: &mut Patterns) {
    let root = Some(CollapseShapeOp::NAME);
    patterns
        .add_fn("memref-compose-reshapes", root, super::compose_reshapes)
        .add_fn("memref-collapse-of-expand", root, collapse_of_expand)
        .add_fn("memref-collapse-of-cast", root, collapse_of_cast);
}

pub(crate) fn expand_shape(patterns: &mut Patterns) {
    let root = Some(ExpandShapeOp::NAME);
    patterns
        .add_fn("memref-compose-reshapes", root, super::compose_reshapes)
        .add_fn("memref-expand-of-collapse", root, expand_of_collapse)
        .add_fn("memref-expand-of-cast", root, expand_of_cast);
}
