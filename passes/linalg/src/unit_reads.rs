//! Constants are read without dimensions of extent 1.
//!
//! What is added to each channel is often a constant `C x 1 x 1`, read at `(c, 0, 0)`: so it lines up with `N C H W`. Once the channels are
//! innermost, elements of neighbouring channels are neighbours in memory, but only the constant `C`, read at `(c)`, says so.

use dl_ir::affine::AffineExpr;
use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::interfaces::reassociation::{collapse_state, collapsed_shape};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpId, Rewriter, ValueRef};
use dl_linalg::LinalgOp;
use dl_tensor::CollapseShapeOp;

use crate::generic::{Generic, covers_all_loops};

/// The pattern, for `linalg.generic`.
pub(crate) fn read_without_units(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let affine = cx.affine();
    let view = rw.op(op);
    let nest = LinalgOp::of(view).filter(|_| has_pure_tensor_semantics(view)).ok_or(NoMatch("no nest on tensors"))?;
    let mut new = Generic::of(view).ok_or(NoMatch("its maps are fixed"))?;
    let mut collapsed = Vec::new();
    for (at, input) in nest.inputs().enumerate() {
        let results = affine.map(new.maps[at]).results.to_vec();
        let Some(groups) = without_units(input, |dim| affine.constant_value(results[dim]) == Some(0)) else { continue };
        let kept: Vec<AffineExpr> =
            results.into_iter().filter(|&index| affine.constant_value(index) != Some(0)).collect();
        new.maps[at] = affine.with_results(new.maps[at], kept);
        collapsed.push((at, groups));
    }
    if collapsed.is_empty() || !covers_all_loops(cx, &new.maps) {
        return Err(NoMatch("no dimension of extent 1 is read of a constant"));
    }
    let body = view.region(0).id();
    rw.set_insertion_before(op);
    for (at, groups) in collapsed {
        let ty = rw.value_type(new.inputs[at]);
        let shape = collapsed_shape(ty.shape().unwrap_or_default(), &groups);
        let ty = cx.tensor_type(&shape, ty.element_or_self().id());
        let state = collapse_state::<CollapseShapeOp<'_>>(cx, new.inputs[at], &groups, ty, new.loc);
        new.inputs[at] = rw.create_value(state);
    }
    let replacement = new.create_with_body_of(rw, body);
    let results: Vec<_> = rw.ir().results(replacement).collect();
    rw.replace(op, &results);
    Ok(())
}

/// The dimensions of a constant in groups of one that is kept and those beside it which are not, of extent 1 and read at 0. `None` where all are
/// kept, or none.
fn without_units(input: ValueRef<'_>, at_zero: impl Fn(usize) -> bool) -> Option<Vec<Vec<usize>>> {
    let ty = input.ty();
    let shape = ty.shape().filter(|_| ty.is_ranked_tensor() && ty.encoding().is_none())?;
    input.constant()?;
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut kept = 0;
    for (dim, &extent) in shape.iter().enumerate() {
        let keeps = !at_zero(dim);
        if !keeps && extent != 1 {
            return None;
        }
        kept += usize::from(keeps);
        match groups.last_mut() {
            Some(group) if !keeps || kept == 1 => group.push(dim),
            _ => groups.push(vec![dim]),
        }
    }
    (kept > 0 && kept < shape.len()).then_some(groups)
}
