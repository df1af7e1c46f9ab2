//! What definitions do not say of single operations. What depends on the machine is in [`body`].

pub(crate) mod body;

use dl_ir::{AttrRef, DYNAMIC, Diagnostic, OpRef, OpView, ValueRef};

use crate::{BinaryKind, BinaryOp, DmaStartOp, LaunchOp, MatmulTileOp, PoolOp, RequantizeOp, target};

type Verified = Result<(), Diagnostic>;

fn shape(value: ValueRef<'_>) -> Vec<i64> {
    value.ty().shape().unwrap_or_default().to_vec()
}

/// Extents that may be equal: unknown ones may be anything.
fn agree(a: i64, b: i64) -> bool {
    a == b || a == DYNAMIC || b == DYNAMIC
}

fn same_element(op: OpRef<'_>, a: (&str, ValueRef<'_>), b: (&str, ValueRef<'_>)) -> Verified {
    let [x, y] = [a.1, b.1].map(|value| value.ty().element_or_self());
    if x == y {
        return Ok(());
    }
    Err(op.error(format_args!("expected {} and {} of one element type, but got '{x}' and '{y}'", a.0, b.0)))
}

fn same_shape(op: OpRef<'_>, a: (&str, ValueRef<'_>), b: (&str, ValueRef<'_>)) -> Verified {
    let (x, y) = (shape(a.1), shape(b.1));
    if x.len() == y.len() && x.iter().zip(&y).all(|(&x, &y)| agree(x, y)) {
        return Ok(());
    }
    let (x, y) = (a.1.ty(), b.1.ty());
    Err(op.error(format_args!("expected {} and {} of one shape, but got '{x}' and '{y}'", a.0, b.0)))
}

/// Its description is one.
pub(crate) fn launch(op: OpRef<'_>) -> Verified {
    let machine = target::of_launch(LaunchOp::wrap(op));
    machine.map(|_| ()).map_err(|message| op.error(format_args!("has a wrong description of a machine: {message}")))
}

/// The destination has the shape of the source and what is put around it.
pub(crate) fn dma_start(op: OpRef<'_>) -> Verified {
    let dma = DmaStartOp::wrap(op);
    same_element(op, ("source", dma.source()), ("destination", dma.destination()))?;
    let (source, destination) = (shape(dma.source()), shape(dma.destination()));
    if source.len() != destination.len() {
        let (source, destination) = (source.len(), destination.len());
        return Err(op.error(format_args!("expected a destination of rank {source}, but got {destination}")));
    }
    let (low, high) = match (dma.low(), dma.high(), dma.value()) {
        (None, None, None) => (vec![0; source.len()], vec![0; source.len()]),
        (Some(low), Some(high), Some(value)) => {
            let element = dma.source().ty().element_or_self();
            if value.ty() != Some(element) {
                return Err(
                    op.error(format_args!("expected padding with a value of type '{element}', but got {value}"))
                );
            }
            (low.as_i64_array().unwrap_or_default(), high.as_i64_array().unwrap_or_default())
        }
        _ => return Err(op.error("expected 'low', 'high' and 'value' of padding together")),
    };
    if low.len() != source.len() || high.len() != source.len() || low.iter().chain(&high).any(|&extent| extent < 0) {
        return Err(op.error(format_args!("expected padding of {} extents of 0 or more on each side", source.len())));
    }
    for (i, (&from, &to)) in source.iter().zip(&destination).enumerate() {
        let padded = from.checked_add(low[i]).and_then(|extent| extent.checked_add(high[i]));
        if from != DYNAMIC && !padded.is_some_and(|padded| agree(padded, to)) {
            let padded = padded.unwrap_or(i64::MAX);
            return Err(
                op.error(format_args!("expected extent {padded} of dimension {i} of the destination, but got {to}"))
            );
        }
    }
    Ok(())
}

/// `m x k`, `k x n` and `m x n`.
pub(crate) fn matmul_tile(op: OpRef<'_>) -> Verified {
    let matmul = MatmulTileOp::wrap(op);
    let [lhs, rhs, sums] = [matmul.lhs(), matmul.rhs(), matmul.sums()].map(shape);
    for (what, a, b) in [("k", lhs[1], rhs[0]), ("m", lhs[0], sums[0]), ("n", rhs[1], sums[1])] {
        if !agree(a, b) {
            return Err(
                op.error(format_args!("expected tiles of m x k, k x n and m x n, but got {a} and {b} for {what}"))
            );
        }
    }
    Ok(())
}

pub(crate) fn binary(op: OpRef<'_>) -> Verified {
    let binary = BinaryOp::wrap(op);
    for other in [("right operand", binary.rhs()), ("destination", binary.destination())] {
        same_element(op, ("left operand", binary.lhs()), other)?;
        same_shape(op, ("left operand", binary.lhs()), other)?;
    }
    let element = binary.lhs().ty().element_or_self();
    if BinaryKind::from_attr(binary.kind()) == Some(BinaryKind::Div) && !element.is_float() {
        return Err(op.error(format_args!("expected floats to divide, but got '{element}'")));
    }
    Ok(())
}

pub(crate) fn unary(op: OpRef<'_>) -> Verified {
    same_shape(op, ("source", op.operand(0)), ("destination", op.operand(1)))
}

/// One element for each row.
pub(crate) fn reduce(op: OpRef<'_>) -> Verified {
    let (from, to) = (shape(op.operand(0)), shape(op.operand(1)));
    if agree(from[0], to[0]) && agree(to[1], 1) {
        return Ok(());
    }
    let (from, to) = (op.operand(0).ty(), op.operand(1).ty());
    Err(op.error(format_args!("expected a destination with the rows of '{from}' and one column, but got '{to}'")))
}

/// As many pixels as windows.
pub(crate) fn pool(op: OpRef<'_>) -> Verified {
    let pool = PoolOp::wrap(op);
    same_element(op, ("source", pool.source()), ("destination", pool.destination()))?;
    let pair = |name: &str, list: AttrRef<'_>| match list.as_i64_array().as_deref() {
        Some(&[a, b]) if a > 0 && b > 0 => Ok([a, b]),
        _ => Err(op.error(format_args!("expected two positive extents of '{name}', but got {list}"))),
    };
    let image = pair("image", pool.image())?;
    let (window, strides) = (pair("window", pool.window())?, pair("strides", pool.strides())?);
    if window[0] > image[0] || window[1] > image[1] {
        return Err(op.error("expected a window that fits the image"));
    }
    let windows: Option<[i64; 2]> = (0..2)
        .map(|i| Some((image[i] - window[i]) / strides[i] + 1))
        .collect::<Option<Vec<_>>>()
        .and_then(|v| v.try_into().ok());
    let pixels = |extents: [i64; 2]| extents[0].checked_mul(extents[1]).unwrap_or(i64::MAX);
    let (from, to) = (shape(pool.source()), shape(pool.destination()));
    let made = pixels(windows.unwrap_or_default());
    if !agree(from[0], pixels(image)) || !agree(to[0], made) || !agree(from[1], to[1]) {
        let (all, from, to) = (pixels(image), pool.source().ty(), pool.destination().ty());
        return Err(op.error(format_args!("expected {all} rows that become {made}, but got '{from}' and '{to}'")));
    }
    Ok(())
}

/// One way to say by how much.
pub(crate) fn scaling(op: OpRef<'_>) -> Verified {
    let view = RequantizeOp(op);
    same_shape(op, ("source", view.source()), ("destination", view.destination()))?;
    let ways = [view.scale().is_some(), view.fixed().is_some(), view.scales().is_some()];
    if ways.iter().filter(|way| **way).count() != 1 {
        return Err(op.error("expected one of 'scale', 'fixed' and 'scales'"));
    }
    if let Some(fixed) = view.fixed()
        && fixed.dense_ints().count() != 2
    {
        return Err(op.error("expected 'fixed' to be multiplier and shift"));
    }
    if let Some(scales) = view.scales() {
        let (found, columns) = (shape(scales), shape(view.source())[1]);
        let each = if scales.ty().element_or_self().is_float() { 1 } else { 2 };
        if !agree(found[0], columns) || !agree(found[1], each) {
            let ty = scales.ty();
            return Err(op.error(format_args!("expected scales of {columns} rows and {each} columns, but got '{ty}'")));
        }
    }
    Ok(())
}
