//! Views: other memrefs of the same buffer.

use std::sync::Arc;

use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::interfaces::reassociation::groups;
use dl_ir::interp::{
    Cells, Flow, Machine, MemRef, Outcome, Shape, Step, Value, Values, concrete_shape, read_element, row_major,
};
use dl_ir::{AttrRef, DYNAMIC, Diagnostic, DialectBuilder, TypeRef};

use crate::{
    AssumeAlignmentOp, CastOp, CollapseShapeOp, DistinctObjectsOp, ExpandShapeOp, ExtractStridedMetadataOp,
    MemorySpaceCastOp, ReinterpretCastOp, ReshapeOp, SubViewOp, TransposeOp, ViewOp,
};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<CastOp<'_>>().interpret(cast);
    b.on::<MemorySpaceCastOp<'_>>().interpret(same);
    b.on::<AssumeAlignmentOp<'_>>().interpret(same);
    b.on::<DistinctObjectsOp<'_>>().interpret(distinct_objects);
    b.on::<SubViewOp<'_>>().interpret(subview);
    b.on::<ReinterpretCastOp<'_>>().interpret(reinterpret_cast);
    b.on::<CollapseShapeOp<'_>>().interpret(collapse_shape);
    b.on::<ExpandShapeOp<'_>>().interpret(expand_shape);
    b.on::<ReshapeOp<'_>>().interpret(reshape);
    b.on::<TransposeOp<'_>>().interpret(transpose);
    b.on::<ViewOp<'_>>().interpret(view);
    b.on::<ExtractStridedMetadataOp<'_>>().interpret(extract_strided_metadata);
}

/// That `memref` is what the type `ty` says of it.
fn conforms(step: Step<'_, '_>, memref: &MemRef, ty: TypeRef<'_>) -> Result<(), Diagnostic> {
    let Some(shape) = ty.shape() else { return Ok(()) };
    let agrees = |known: &[i64], found: &[i64]| {
        known.len() == found.len() && known.iter().zip(found).all(|(&known, &found)| known == DYNAMIC || known == found)
    };
    if !agrees(shape, &memref.shape) {
        return Err(step.undefined(format_args!("a memref of shape {:?} as '{ty}'", memref.shape)));
    }
    let Some(layout) = ty.strided_layout() else {
        return Err(step.unsupported(format_args!("the layout of '{ty}'")));
    };
    if !agrees(&layout.strides, &memref.strides) || !agrees(&[layout.offset], &[memref.offset]) {
        let (strides, offset) = (&memref.strides, memref.offset);
        return Err(step.undefined(format_args!("a memref with strides {strides:?} and offset {offset} as '{ty}'")));
    }
    Ok(())
}

/// To a type that says more or less of the same view.
fn cast<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let memref = step.memref(step.one(0)?)?;
    conforms(step, memref, step.op.result(0).ty())?;
    Ok(Value::MemRef(Arc::clone(memref)).into())
}

fn same<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    Ok(step.one(0)?.clone().into())
}

fn distinct_objects<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let mut seen = Vec::new();
    for operand in step.operands {
        let buffer = step.memref(operand)?.buffer;
        if seen.contains(&buffer) {
            return Err(step.undefined("two operands are views of one buffer"));
        }
        seen.push(buffer);
    }
    Ok(Flow::Next(step.operands.into()))
}

/// The numbers of a slice's list.
fn list(
    step: Step<'_, '_>,
    of: impl Fn(&Slice) -> &dl_ir::interfaces::index_list::Indices,
    group: usize,
) -> Result<Shape, Diagnostic> {
    match Slice::of(step.op) {
        Some(slice) => step.mixed(of(&slice), group),
        None => Err(step.op.error("is no slice")),
    }
}

/// Elements that are not in the source must not be in the slice.
fn subview<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let source = step.memref(step.one(0)?)?;
    let (offsets, sizes) = (list(step, |s| &s.offsets, 1)?, list(step, |s| &s.sizes, 2)?);
    let steps = list(step, |s| &s.strides, 3)?;
    let fault = || step.undefined("the address overflows 64 bits");
    let (mut offset, mut shape, mut strides) = (source.offset, Shape::new(), Shape::new());
    let dropped = crate::fold::dropped_dims_of(step.op).unwrap_or_default();
    for (dim, &extent) in source.shape.iter().enumerate() {
        let (at, size, by) = (offsets[dim], sizes[dim], steps[dim]);
        step.defined(dl_ir::interp::check_slice(dim, extent, at, size, by))?;
        let stride = source.strides[dim];
        offset = at.checked_mul(stride).and_then(|moved| offset.checked_add(moved)).ok_or_else(fault)?;
        if !dropped.get(dim).copied().unwrap_or(false) {
            shape.push(size);
            strides.push(stride.checked_mul(by).ok_or_else(fault)?);
        }
    }
    Ok(MemRef { offset, shape, strides, ..(**source).clone() }.into())
}

/// Any view of the buffer: accesses are checked against the buffer when they happen.
fn reinterpret_cast<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let source = step.memref(step.one(0)?)?;
    let offset = list(step, |s| &s.offsets, 1)?.first().copied().unwrap_or(0);
    let (shape, strides) = (list(step, |s| &s.sizes, 2)?, list(step, |s| &s.strides, 3)?);
    if let Some(extent) = shape.iter().find(|&&extent| extent < 0) {
        return Err(step.undefined(format_args!("extent {extent} is negative")));
    }
    Ok(MemRef { offset, shape, strides, ..(**source).clone() }.into())
}

fn reassociation(step: Step<'_, '_>) -> Result<Vec<Vec<usize>>, Diagnostic> {
    step.op.attr("reassociation").map(groups).ok_or_else(|| step.op.error("has no reassociation"))
}

/// Merges dimensions, between whose elements there must be no gaps.
fn collapse_shape<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let source = step.memref(step.one(0)?)?;
    let (mut shape, mut strides) = (Shape::new(), Shape::new());
    for group in reassociation(step)? {
        let extents = group.iter().map(|&dim| source.shape[dim]);
        let Some(extent) = extents.clone().try_fold(1_i64, i64::checked_mul) else {
            return Err(step.undefined("an extent overflows 64 bits"));
        };
        // Strides of dimensions of size 1 mean nothing.
        let dims: Vec<usize> = group.iter().copied().filter(|&dim| source.shape[dim] != 1).collect();
        let gap = dims
            .windows(2)
            .any(|pair| Some(source.strides[pair[0]]) != source.strides[pair[1]].checked_mul(source.shape[pair[1]]));
        if gap && extent != 0 {
            return Err(step.undefined(format_args!("dimensions {group:?} have gaps between them")));
        }
        shape.push(extent);
        strides.push(dims.last().or(group.last()).map_or(1, |&dim| source.strides[dim]));
    }
    Ok(MemRef { shape, strides, ..(**source).clone() }.into())
}

fn expand_shape<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let source = step.memref(step.one(0)?)?;
    let extents: Vec<i64> = step.op.attr("static_output_shape").into_iter().flat_map(AttrRef::dense_ints).collect();
    let extents = dl_ir::interfaces::index_list::mixed(&extents, step.op.operand_group(1));
    let shape = step.mixed(&extents, 1)?;
    let mut strides = Shape::from_elem(1, shape.len());
    for (dim, group) in reassociation(step)?.iter().enumerate() {
        let extents = group.iter().map(|&at| shape[at]);
        if extents.clone().try_fold(1_i64, i64::checked_mul) != Some(source.shape[dim]) {
            let extents: Vec<i64> = extents.collect();
            return Err(step.undefined(format_args!("dimension {dim} of size {} as {extents:?}", source.shape[dim])));
        }
        let mut stride = source.strides[dim];
        for &at in group.iter().rev() {
            strides[at] = stride;
            stride = stride.wrapping_mul(shape[at].max(1));
        }
    }
    Ok(MemRef { shape, strides, ..(**source).clone() }.into())
}

/// Another shape of as many elements, which lie without gaps.
fn reshape<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (source, list) = (step.memref(step.one(0)?)?, step.memref(step.one(1)?)?);
    let mut shape = Shape::new();
    for at in 0..list.shape.first().copied().unwrap_or(0) {
        shape.push(step.index(&read_element(step, machine, 1, &[at])?)?);
    }
    let count = |shape: &[i64]| shape.iter().try_fold(1_i64, |count, &extent| count.checked_mul(extent));
    if shape.iter().any(|&extent| extent < 0) || count(&shape) != count(&source.shape) {
        return Err(step.undefined(format_args!("a memref of shape {:?} as {shape:?}", source.shape)));
    }
    if !source.is_contiguous() {
        return Err(step.undefined("a memref with gaps between its elements is reshaped"));
    }
    let memref = MemRef { strides: row_major(&shape), shape, ..(**source).clone() };
    conforms(step, &memref, step.op.result(0).ty())?;
    Ok(memref.into())
}

/// Dimension `i` of the result is dimension `permutation(i)` of the source.
fn transpose<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let source = step.memref(step.one(0)?)?;
    let map = step.op.attr("permutation").and_then(AttrRef::as_affine_map);
    let dims = map.and_then(|map| step.op.cx().affine().result_positions(map));
    let dims = dims.ok_or_else(|| step.op.error("has no permutation"))?;
    let pick = |list: &Shape| dims.iter().map(|&dim| list[dim as usize]).collect();
    Ok(MemRef { shape: pick(&source.shape), strides: pick(&source.strides), ..(**source).clone() }.into())
}

/// Bytes as elements of another type.
fn view<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (source, ty) = (step.memref(step.one(0)?)?, step.op.result(0).ty());
    let shift = step.index(step.one(1)?)?;
    let sizes = step.indices(step.group(2))?;
    let shape = concrete_shape(ty, &sizes).ok_or_else(|| step.op.error("has too few sizes"))?;
    let element = ty.element_or_self();
    let Some(storage) = dl_ir::attributes::DenseElement::of(element) else {
        return Err(step.unsupported(format_args!("bytes as '{element}'")));
    };
    let size = storage.bytes() as i64;
    let count = shape.iter().try_fold(size, |count, &extent| count.checked_mul(extent));
    let end = count.and_then(|count| count.checked_add(shift));
    let inside = shift >= 0 && shape.iter().all(|&extent| extent >= 0) && end.is_some_and(|end| end <= source.shape[0]);
    if !inside {
        return Err(step.undefined(format_args!("a view of shape {shape:?} at byte {shift} of {}", source.shape[0])));
    }
    let (Cells::Whole, [1]) = (source.cells, &*source.strides) else {
        return Err(step.unsupported("a view of bytes that do not lie together"));
    };
    let cells = Cells::Bytes { shift: source.offset + shift, size };
    Ok(MemRef { buffer: source.buffer, offset: 0, strides: row_major(&shape), shape, cells }.into())
}

/// The buffer as a memref without dimensions, offset, sizes and strides.
fn extract_strided_metadata<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let source = step.memref(step.one(0)?)?;
    let base = MemRef { offset: 0, shape: Shape::new(), strides: Shape::new(), ..(**source).clone() };
    let numbers = std::iter::once(&source.offset).chain(&source.shape).chain(&source.strides);
    let values: Values = std::iter::once(base.into()).chain(numbers.map(|&number| Value::index(number))).collect();
    Ok(Flow::Next(values))
}
