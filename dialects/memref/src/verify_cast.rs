//! Casts and views: which type may follow from which.

use dl_ir::affine::AffineMap;
use dl_ir::interfaces::offset_size_stride::{
    Slice, verify_dynamic_counts, verify_in_bounds, verify_offset_size_stride, verify_same_lengths,
};
use dl_ir::types::StridedLayout;
use dl_ir::{DYNAMIC, Diagnostic, OpRef, TypeRef};

use crate::layout;
use crate::verify::fault;

/// Whether two numbers may be the same.
fn compatible(a: i64, b: i64) -> bool {
    a == DYNAMIC || b == DYNAMIC || a == b
}

/// Whether `memref.cast` may go from one type to the other: nothing that both know differs.
pub fn are_cast_compatible(from: TypeRef<'_>, to: TypeRef<'_>) -> bool {
    if from.element_type() != to.element_type() || from.memory_space() != to.memory_space() {
        return false;
    }
    let (Some(a), Some(b)) = (from.shape(), to.shape()) else {
        // One of them, not both, has no rank.
        return from.has_rank() || to.has_rank();
    };
    if a.len() != b.len() || !a.iter().zip(b).all(|(&a, &b)| compatible(a, b)) {
        return false;
    }
    if from.memref_layout() == to.memref_layout() {
        return true;
    }
    let (Some(x), Some(y)) = (from.strided_layout(), to.strided_layout()) else { return false };
    let strides = x.strides.iter().zip(&y.strides).enumerate();
    let stride_fits = |(i, (&x, &y)): (usize, (&i64, &i64))| a[i] == 1 || compatible(x, y);
    compatible(x.offset, y.offset) && strides.into_iter().all(stride_fits)
}

fn cast_error(op: OpRef<'_>) -> Diagnostic {
    op.error(format_args!(
        "operand type '{}' and result type '{}' are cast incompatible",
        op.operand(0).ty(),
        op.result(0).ty()
    ))
}

pub(crate) fn cast(op: OpRef<'_>) -> Result<(), Diagnostic> {
    if are_cast_compatible(op.operand(0).ty(), op.result(0).ty()) { Ok(()) } else { Err(cast_error(op)) }
}

/// Only the memory space may differ.
pub(crate) fn memory_space_cast(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (from, to) = (op.operand(0).ty(), op.result(0).ty());
    let same = from.element_type() == to.element_type()
        && from.shape() == to.shape()
        && from.memref_layout() == to.memref_layout();
    if same { Ok(()) } else { Err(cast_error(op)) }
}

/// Sizes, strides and offset of the result are those given.
pub(crate) fn reinterpret_cast(op: OpRef<'_>) -> Result<(), Diagnostic> {
    verify_same_lengths(op, true)?;
    verify_dynamic_counts(op)?;
    let (source, result) = (op.operand(0).ty(), op.result(0).ty());
    let lengths = |name: &str| op.attr(name).map_or(0, |attr| attr.dense_ints().count());
    let rank = result.rank().unwrap_or(0);
    for (word, name, expected) in
        [("offset", "static_offsets", 1), ("size", "static_sizes", rank), ("stride", "static_strides", rank)]
    {
        let found = lengths(name);
        if found != expected {
            return Err(fault(op, format_args!("expected {expected} {word} values, got {found}")));
        }
    }
    if source.memory_space() != result.memory_space() {
        return Err(fault(
            op,
            format_args!(
                "different memory spaces specified for source type '{source}' and result memref type '{result}'"
            ),
        ));
    }
    if source.element_type() != result.element_type() {
        return Err(fault(
            op,
            format_args!(
                "different element types specified for source type '{source}' and result memref type '{result}'"
            ),
        ));
    }
    let given = |name: &str| op.attr(name).into_iter().flat_map(|attr| attr.dense_ints());
    // What is given at run time is not known, so the result must not know it either.
    let fits = |given: i64, known: i64| known == DYNAMIC || given == known;
    for (i, (size, &extent)) in given("static_sizes").zip(result.shape().unwrap_or(&[])).enumerate() {
        if !fits(size, extent) {
            return Err(fault(
                op,
                format_args!("expected result type with size = {} instead of {extent} in dim = {i}", text(size)),
            ));
        }
    }
    let Some(layout) = result.strided_layout() else {
        return Err(fault(op, format_args!("expected result type to have strided layout but found '{result}'")));
    };
    if let Some(offset) = given("static_offsets").next().filter(|&offset| !fits(offset, layout.offset)) {
        return Err(fault(
            op,
            format_args!("expected result type with offset = {} instead of {}", text(offset), text(layout.offset)),
        ));
    }
    for (i, (stride, &found)) in given("static_strides").zip(&layout.strides).enumerate() {
        if !fits(stride, found) {
            return Err(fault(
                op,
                format_args!(
                    "expected result type with stride = {} instead of {} in dim = {i}",
                    text(stride),
                    text(found)
                ),
            ));
        }
    }
    Ok(())
}

fn text(value: i64) -> String {
    if value == DYNAMIC { "dynamic".to_owned() } else { value.to_string() }
}

/// The result is the slice of the source, perhaps without dimensions of size 1.
pub(crate) fn subview(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let (source, result) = (op.operand(0).ty(), op.result(0).ty());
    verify_offset_size_stride(op, source.rank().unwrap_or(0))?;
    if source.memory_space() != result.memory_space() {
        return Err(fault(
            op,
            format_args!(
                "different memory spaces specified for base memref type '{source}' and subview memref type '{result}'"
            ),
        ));
    }
    let (Some(slice), Some(base)) = (Slice::of(op), source.strided_layout()) else {
        return Err(fault(op, format_args!("base type '{source}' is not strided")));
    };
    let inferred = layout::sliced(&base, &slice);
    let shape: Vec<i64> = slice.sizes.iter().map(|size| size.extent()).collect();
    let expected = op.cx().ty(op.cx().strided_memref_type(
        &shape,
        source.element_or_self().id(),
        &inferred,
        source.memory_space().map(|space| space.id()),
    ));
    let reduced = |what: &str| {
        fault(
            op,
            format_args!(
                "expected result type to be '{expected}' or a rank-reduced version. (mismatch of result {what}), but got \
             '{result}'"
            ),
        )
    };
    let found = result.shape().unwrap_or(&[]);
    if found.len() > shape.len() {
        return Err(fault(
            op,
            format_args!("expected result rank to be smaller or equal to the source rank, but got '{result}'"),
        ));
    }
    let Some(layout) = result.strided_layout() else { return Err(reduced("layout")) };
    let dropped = dropped_dims(&shape, &inferred.strides, found, &layout.strides).ok_or_else(|| reduced("sizes"))?;
    if source.element_type() != result.element_type() {
        return Err(fault(
            op,
            format_args!("expected result element type to be '{}', but got '{result}'", source.element_or_self()),
        ));
    }
    if layout.offset != inferred.offset {
        return Err(reduced("layout"));
    }
    let kept = inferred.strides.iter().zip(&dropped).filter(|(_, dropped)| !**dropped).map(|(&stride, _)| stride);
    if kept.ne(layout.strides.iter().copied()) {
        return Err(reduced("layout"));
    }
    verify_in_bounds(op, source.shape().unwrap_or(&[]))
}

/// Whether `reduced` is `shape` without some dimensions of size 1.
fn is_reduced(shape: &[i64], reduced: &[i64]) -> bool {
    let mut wanted = reduced.iter().peekable();
    let fits = shape.iter().all(|extent| wanted.next_if_eq(&extent).is_some() || *extent == 1);
    fits && wanted.peek().is_none()
}

/// Which dimensions of size 1 of `shape` are left out of `reduced`. `None` when it is no reduced shape. Where several could be, the
/// strides decide.
pub(crate) fn dropped_dims(
    shape: &[i64],
    strides: &[i64],
    reduced: &[i64],
    reduced_strides: &[i64],
) -> Option<Vec<bool>> {
    let mut dropped = vec![false; shape.len()];
    let mut next = 0;
    for (i, &extent) in shape.iter().enumerate() {
        let left = shape.len() - i;
        let wanted = reduced.len() - next;
        let fits = next < reduced.len() && reduced[next] == extent;
        let stride_fits = fits && (extent != 1 || reduced_strides.get(next) == strides.get(i) || left == wanted);
        // Of several that it could be, the first is left out.
        let count = |list: &[i64]| list.iter().filter(|stride| strides.get(i) == Some(stride)).count();
        let spare = extent == 1
            && left > wanted
            && count(strides.get(i..).unwrap_or(&[])) > count(reduced_strides.get(next..).unwrap_or(&[]))
            && is_reduced(&shape[i + 1..], &reduced[next..]);
        if stride_fits && !spare {
            next += 1;
        } else if extent == 1 && left > wanted {
            dropped[i] = true;
        } else if fits {
            next += 1;
        } else {
            return None;
        }
    }
    (next == reduced.len()).then_some(dropped)
}

/// The map is a permutation and the result has the permuted shape and strides.
pub(crate) fn transpose(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let Some(map) = op.attr("permutation").and_then(|attr| attr.as_affine_map()) else {
        return Ok(());
    };
    let (source, result, affine) = (op.operand(0).ty(), op.result(0).ty(), op.cx().affine());
    if !affine.is_permutation(map) {
        return Err(op.error("expected a permutation map"));
    }
    if affine.map(map).num_dims as usize != source.rank().unwrap_or(0) {
        return Err(op.error("expected a permutation map of same rank as the input"));
    }
    let Some((shape, layout)) = transposed(source, map) else { return Ok(()) };
    let same = result.shape() == Some(&shape[..]) && result.strided_layout().as_ref() == Some(&layout);
    if same && source.element_type() == result.element_type() {
        return Ok(());
    }
    let space = source.memory_space().map(|space| space.id());
    let expected = op.cx().strided_memref_type(&shape, source.element_or_self().id(), &layout, space);
    Err(op.error(format_args!(
        "result type '{result}' is not equivalent to the canonical transposed input type '{}'",
        op.cx().ty(expected)
    )))
}

/// Shape and layout after a permutation: dimension i of the result is dimension `map[i]` of the source.
pub(crate) fn transposed(source: TypeRef<'_>, map: AffineMap) -> Option<(Vec<i64>, StridedLayout)> {
    let positions = source.cx().affine().result_positions(map)?;
    let (shape, layout) = (source.shape()?, source.strided_layout()?);
    let pick =
        |list: &[i64]| -> Option<Vec<i64>> { positions.iter().map(|&i| list.get(i as usize).copied()).collect() };
    Some((pick(shape)?, StridedLayout { strides: pick(&layout.strides)?, offset: layout.offset }))
}
