//! Slices with dimensions of extent 1 become slices of lower rank and reshapes.

use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpId, Rewriter, TypeRef};
use dl_tensor::build::{collapse, insert_slice_state, parallel_insert_slice_state};
use dl_tensor::{ExtractSliceOp, ParallelInsertSliceOp, extract_slice_state};

use super::reduce::expanded;

/// The groups that drop the dimensions of extent 1: each goes with the next one that stays, the last ones with that before.
fn groups_without_units(ty: TypeRef<'_>) -> Option<Vec<Vec<usize>>> {
    let shape = ty.shape().filter(|_| ty.encoding().is_none())?;
    let (mut groups, mut group) = (Vec::<Vec<usize>>::new(), Vec::new());
    for (dim, &extent) in shape.iter().enumerate() {
        group.push(dim);
        if extent != 1 {
            groups.push(std::mem::take(&mut group));
        }
    }
    if let Some(last) = groups.last_mut() {
        last.extend(group);
    }
    (groups.len() < shape.len()).then_some(groups)
}

/// A slice with dimensions of extent 1 is a slice of lower rank, expanded.
pub(super) fn reduce_extract(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let extract = ExtractSliceOp(rw.op(op));
    let ty = extract.result().ty();
    let groups = groups_without_units(ty).ok_or(NoMatch("no dimension of extent 1"))?;
    let slice = Slice::of(extract.0).ok_or(NoMatch("no slice"))?;
    let shape: Vec<i64> = slice.sizes.iter().map(|size| size.extent()).filter(|&extent| extent != 1).collect();
    if shape.len() != groups.len() {
        return Err(NoMatch("extents that the type does not have"));
    }
    let reduced = cx.tensor_type(&shape, ty.element_or_self().id());
    let (source, loc, ty) = (extract.source().id(), extract.0.loc(), ty.id());
    rw.set_insertion_before(op);
    let state = extract_slice_state(rw, source, &slice, reduced, loc);
    let value = rw.create_value(state);
    let state = expanded(rw, value, ty, &groups, loc, cx);
    rw.replace_with(op, state);
    Ok(())
}

/// Inserting a tensor with dimensions of extent 1 is inserting it without them.
pub(super) fn reduce_insert(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let groups = groups_without_units(view.operand(0).ty()).ok_or(NoMatch("no dimension of extent 1"))?;
    let slice = Slice::of(view).ok_or(NoMatch("no slice"))?;
    let (source, dest, loc) = (view.operand(0).id(), view.operand(1).id(), view.loc());
    let parallel = view.is::<ParallelInsertSliceOp<'_>>();
    let anchor = if parallel { view.parent().map(|parent| parent.id()).ok_or(NoMatch("no parent"))? } else { op };
    rw.set_insertion_before(anchor);
    let source = collapse(rw, source, &groups, loc);
    let state = if parallel {
        parallel_insert_slice_state(rw, source, dest, &slice, loc)
    } else {
        insert_slice_state(rw, source, dest, &slice, loc)
    };
    rw.replace_with(op, state);
    Ok(())
}
