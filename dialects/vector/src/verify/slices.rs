//! Slices given by offsets, sizes and strides.

use dl_ir::OpRef;

use super::{Verified, array_ints, extents};
use crate::types::{is_scalable, vector_type};

/// Each of `values` is at least `lowest` and below `limit`.
fn confined(
    op: OpRef<'_>,
    values: &[i64],
    lowest: i64,
    limit: impl Fn(usize) -> i64,
    what: &str,
    by_dim: bool,
) -> Verified {
    for (i, &value) in values.iter().enumerate() {
        let limit = limit(i);
        if !(lowest..limit).contains(&value) {
            let dim = if by_dim { format!(" dimension {i}") } else { String::new() };
            return Err(op.error(format_args!("expected {what}{dim} to be confined to [{lowest}, {limit})")));
        }
    }
    Ok(())
}

pub(crate) fn extract_strided_slice(op: OpRef<'_>) -> Verified {
    let [offsets, sizes, strides] = ["offsets", "sizes", "strides"].map(|name| array_ints(op.attr(name)));
    if offsets.len() != sizes.len() || offsets.len() != strides.len() {
        return Err(op.error("expected offsets, sizes and strides attributes of same size"));
    }
    let source = op.operand(0).ty();
    let shape = extents(source);
    if offsets.len() > shape.len() {
        return Err(op.error("expected offsets attribute of rank no greater than vector rank"));
    }
    confined(op, &offsets, 0, |i| shape[i], "offsets", true)?;
    confined(op, &sizes, 1, |i| shape[i].saturating_add(1), "sizes", true)?;
    confined(op, &strides, 1, |_| 2, "strides", false)?;
    let sums: Vec<i64> = offsets.iter().zip(&sizes).map(|(a, b)| a.saturating_add(*b)).collect();
    confined(op, &sums, 1, |i| shape[i].saturating_add(1), "sum(offsets, sizes)", true)?;
    for i in 0..sizes.len() {
        if is_scalable(source, i) && sizes[i] != shape[i] {
            return Err(op.error(format_args!(
                "expected size at idx={i} to match the corresponding base size from the input vector ({} vs {})",
                sizes[i], shape[i]
            )));
        }
    }
    let result_shape: Vec<i64> = sizes.iter().chain(&shape[sizes.len()..]).copied().collect();
    let cx = op.cx();
    let expected = vector_type(cx, &result_shape, source.scalable_dims(), source.element_or_self().id());
    if op.result(0).ty().id() == expected {
        return Ok(());
    }
    Err(op.error(format_args!("expected result type to be '{}'", cx.ty(expected))))
}

pub(crate) fn insert_strided_slice(op: OpRef<'_>) -> Verified {
    let [offsets, strides] = ["offsets", "strides"].map(|name| array_ints(op.attr(name)));
    let (source, dest) = (op.operand(0).ty(), op.operand(1).ty());
    let (from, to) = (extents(source), extents(dest));
    if offsets.len() != to.len() {
        return Err(op.error("expected offsets of same size as destination vector rank"));
    }
    if strides.len() != from.len() {
        return Err(op.error("expected strides of same size as source vector rank"));
    }
    let Some(leading) = to.len().checked_sub(from.len()) else {
        return Err(op.error("expected source rank to be no greater than destination rank"));
    };
    confined(op, &offsets, 0, |i| to[i], "offsets", true)?;
    confined(op, &strides, 1, |_| 2, "strides", false)?;
    let inner = |i: usize| if i < leading { 1 } else { from[i - leading] };
    let sums: Vec<i64> = offsets.iter().enumerate().map(|(i, &offset)| offset.saturating_add(inner(i))).collect();
    confined(op, &sums, 1, |i| to[i].saturating_add(1), "sum(offsets, source vector shape)", true)?;
    for (i, &extent) in from.iter().enumerate() {
        let [in_source, in_dest] =
            [(source, i), (dest, leading + i)].map(|(ty, i)| ty.scalable_dims().get(i).copied().unwrap_or(false));
        if in_source != in_dest {
            return Err(op.error(format_args!("mismatching scalable flags (at source vector idx={i})")));
        }
        let base = to[leading + i];
        if in_source && extent != base {
            return Err(op.error(format_args!(
                "expected size at idx={i} to match the corresponding base size from the input vector ({extent} vs {base})"
            )));
        }
    }
    Ok(())
}
