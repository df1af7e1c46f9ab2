//! Copies of buffers as vectors.

use dl_arith::Build;
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpId, Rewriter};
use dl_memref::CopyOp;
use dl_passes_vector::build::VectorBuild;

use super::legality::check_sizes;
use super::ports::{Excess, read_whole, write_whole};

/// Copies a buffer of known extents by reading and writing it as one vector.
pub(crate) fn vectorize_copy(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let copy = CopyOp(rw.op(op));
    let (source, target) = (copy.source(), copy.target());
    let ty = source.ty();
    let element = ty.element_or_self();
    let known = ty.has_static_shape() && ty.shape() == target.ty().shape();
    let shape = ty.shape().filter(|shape| known && check_sizes(shape, &[]).is_ok());
    let shape = shape.filter(|_| element.is_int_or_index_or_float());
    let (shape, element) = (shape.ok_or(NoMatch("no vector of the buffer"))?.to_vec(), element.id());
    let (source, target, loc) = (source.id(), target.id(), copy.0.loc());
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let vector = b.cx().vector_type(&shape, element);
    let mut read = read_whole(&mut b, source, vector, None, Excess::OutOfBounds);
    if shape.is_empty() {
        let element = b.part(read, &[]);
        read = b.broadcast(element, vector);
    }
    write_whole(&mut b, read, target, None, Excess::OutOfBounds);
    rw.erase(op);
    Ok(())
}
