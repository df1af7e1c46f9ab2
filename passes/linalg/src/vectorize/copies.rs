//! Copies of buffers whose elements do not lie side by side, as loop nests.

use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpId, OpState, Rewriter};
use dl_linalg::named::Body;
use dl_linalg::{CopyOp, TypeFn, build_body};
use dl_memref::layout::is_contiguous;

/// A copy from or to a strided layout becomes a loop nest, which is vectorized as any other. One between buffers without gaps is left for
/// `memcpy`.
pub(super) fn strided_copy(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let copy = dl_memref::CopyOp(rw.op(op));
    let (source, target) = (copy.source(), copy.target());
    if source.ty().strided_layout().is_none() || target.ty().strided_layout().is_none() {
        return Err(NoMatch("no strides to compute addresses with"));
    }
    if is_contiguous(source.ty()) && is_contiguous(target.ty()) {
        return Err(NoMatch("one copy of memory"));
    }
    let element = |ty: dl_ir::TypeRef<'_>| Some(ty.element_type()?.id());
    let types = element(source.ty()).zip(element(target.ty())).ok_or(NoMatch("not memrefs"))?;
    let (operands, loc) = ([source.id(), target.id()], copy.0.loc());
    rw.set_insertion_before(op);
    let region = rw.new_region();
    build_body(rw, region, &[types.0, types.1], Body::Copy, TypeFn::CastSigned, loc).map_err(|_| NoMatch("no body"))?;
    rw.create(OpState::of::<CopyOp<'_>>(loc).operands(operands).operand_segments(rw.cx(), &[1, 1]).region(region));
    rw.erase(op);
    Ok(())
}
