//! A nest that reads a tensor expanded by dimensions of extent 1 reads the tensor itself.

use dl_ir::affine::AffineExpr;
use dl_ir::interfaces::{has_pure_tensor_semantics, reassociation};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpId, Rewriter, ValueRef};
use dl_linalg::LinalgOp;
use dl_tensor::ExpandShapeOp;

use crate::generic::{Generic, covers_all_loops};

/// For each dimension of the tensor that `value` is an expansion of the one of `value` that it became, if there is one besides dimensions of
/// extent 1; and that tensor.
fn source(value: ValueRef<'_>) -> Option<(ValueRef<'_>, Vec<Option<usize>>)> {
    let expand = value.def::<ExpandShapeOp<'_>>()?;
    let groups = reassociation::groups(expand.0.attr("reassociation")?);
    let shape = value.ty().shape()?;
    let plain = value.ty().encoding().is_none();
    let one = |group: &Vec<usize>| {
        let mut wide = group.iter().copied().filter(|&dim| shape.get(dim) != Some(&1));
        let found = wide.next();
        wide.next().is_none().then_some(found)
    };
    let dims: Option<Vec<Option<usize>>> = groups.iter().map(one).collect();
    // A tensor of rank 0 has no groups.
    let source = expand.0.operand(0);
    Some((source, dims.filter(|dims| plain && Some(dims.len()) == source.ty().shape().map(<[i64]>::len))?))
}

/// The pattern, for `linalg.generic`.
pub(super) fn read_unexpanded(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let affine = cx.affine();
    let view = rw.op(op);
    let nest = LinalgOp::of(view).filter(|_| has_pure_tensor_semantics(view)).ok_or(NoMatch("no nest on tensors"))?;
    let mut new = Generic::of(view).ok_or(NoMatch("its maps are fixed"))?;
    let mut changed = false;
    for (at, input) in nest.inputs().enumerate() {
        let Some((source, dims)) = source(input) else { continue };
        let results = affine.map(new.maps[at]).results.to_vec();
        let index = |dim: &Option<usize>| -> Option<AffineExpr> {
            dim.map_or(Some(affine.constant(0)), |dim| results.get(dim).copied())
        };
        let Some(indices) = dims.iter().map(index).collect::<Option<Vec<_>>>() else { continue };
        new.inputs[at] = source.id();
        new.maps[at] = affine.with_results(new.maps[at], indices);
        changed = true;
    }
    if !changed || !covers_all_loops(cx, &new.maps) {
        return Err(NoMatch("nothing expanded is read"));
    }
    let body = view.region(0).id();
    rw.set_insertion_before(op);
    let replacement = new.create_with_body_of(rw, body);
    let results: Vec<_> = rw.ir().results(replacement).collect();
    rw.replace(op, &results);
    Ok(())
}
