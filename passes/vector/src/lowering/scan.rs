//! `vector.scan` as a chain of element-wise operations on the slices along the scanned dimension.

use dl_arith::Build;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{AttrRef, OpDefinition, OpId, OpView, Rewriter};
use dl_vector::types::{extents, is_scalable, kept_dims, vector_type};
use dl_vector::{CombiningKind, ScanOp};

use crate::build::VectorBuild;

/// Adds the pattern.
pub fn scan(patterns: &mut Patterns) {
    patterns.add_fn("vector-lower-scan", Some(ScanOp::NAME), lower);
}

/// An inclusive scan starts with the first slice, an exclusive one with the initial value and never reads the last slice.
fn lower(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = ScanOp::wrap(rw.op(op));
    let (source, initial, loc) = (view.source().id(), view.initial_value().id(), view.0.loc());
    let inclusive = view.inclusive().as_bool().ok_or(NoMatch("no kind of scan"))?;
    let kind = CombiningKind::from_attr(view.kind()).ok_or(NoMatch("no kind"))?;
    let ty = rw.value_type(source);
    let dim = AttrRef::as_int(view.reduction_dim()).and_then(|dim| usize::try_from(dim).ok());
    let dim = dim.filter(|&dim| dim < extents(ty).len()).ok_or(NoMatch("no such dimension"))?;
    if is_scalable(ty, dim) {
        return Err(NoMatch("a number of slices that is not known"));
    }
    let zero = rw.cx().zero_attr(ty.id()).ok_or(NoMatch("elements without zero"))?;
    let (mut sizes, scalable) = kept_dims(ty, |_| true);
    let count = std::mem::replace(&mut sizes[dim], 1);
    let of_initial = rw.value_type(initial);
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let mut scanned = b.constant(zero, ty.id());
    let (mut offsets, mut last, mut before) = (vec![0; sizes.len()], None, None);
    for at in 0..count {
        offsets[dim] = at;
        let slice = (inclusive || at + 1 < count).then(|| b.slice(source, &offsets, &sizes));
        let joining = if inclusive { slice } else { before };
        before = slice;
        let value = match (last, joining) {
            (Some(last), Some(joining)) => b.combine(kind, last, joining, None, None),
            (None, Some(first)) => first,
            (_, None) => {
                let of_slice = vector_type(b.cx(), &sizes, &scalable, ty.element_or_self().id());
                if extents(of_initial).is_empty() {
                    b.broadcast(initial, of_slice)
                } else {
                    b.shape_cast(initial, of_slice)
                }
            }
        };
        scanned = b.with_slice(value, scanned, &offsets);
        last = Some(value);
    }
    let last = last.ok_or(NoMatch("nothing to scan"))?;
    let accumulated = if extents(of_initial).is_empty() {
        let element = b.part(last, &[0]);
        b.broadcast(element, of_initial.id())
    } else {
        let (shape, scalable) = kept_dims(ty, |i| i != dim);
        let reduced = vector_type(b.cx(), &shape, &scalable, ty.element_or_self().id());
        b.shape_cast(last, reduced)
    };
    rw.replace(op, &[scanned, accumulated]);
    Ok(())
}
