//! Transfers between vectors and memory or tensors.

use dl_ir::affine::AffineMap;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Attr, AttrRef, OpDefinition, OpId, OpRef, OpState, Operands, Rewriter, TypeRef, ValueId, ValueRef};
use smallvec::SmallVec;

use crate::fold::{accessed, are_disjoint, is_in_bounds};
use crate::masks::uniform;
use crate::types::{extents, is_scalable, vector_type};
use crate::{BroadcastOp, TransferReadOp, TransferWriteOp, TransposeOp};

/// What reading and writing have in common.
#[derive(Clone, Copy)]
struct Transfer<'a> {
    op: OpRef<'a>,
    /// Number of the operand that is read or written.
    base_at: usize,
    base: ValueRef<'a>,
    indices: Operands<'a>,
    mask: Option<ValueRef<'a>>,
    vector: TypeRef<'a>,
    map: AffineMap,
    in_bounds: AttrRef<'a>,
}

impl<'a> Transfer<'a> {
    fn of(op: OpRef<'a>) -> Result<Self, NoMatch> {
        let found = if let Some(read) = op.cast::<TransferReadOp<'_>>() {
            read.permutation_map().as_affine_map().map(|map| Self {
                op,
                base_at: 0,
                base: read.base(),
                indices: read.indices(),
                mask: read.mask(),
                vector: read.vector().ty(),
                map,
                in_bounds: read.in_bounds(),
            })
        } else {
            let write = op.cast::<TransferWriteOp<'_>>().ok_or(NoMatch("no transfer"))?;
            write.permutation_map().as_affine_map().map(|map| Self {
                op,
                base_at: 1,
                base: write.base(),
                indices: write.indices(),
                mask: write.mask(),
                vector: write.value_to_store().ty(),
                map,
                in_bounds: write.in_bounds(),
            })
        };
        found.ok_or(NoMatch("no permutation"))
    }

    /// The dimension of the base that each dimension of the vector runs over; `None` for one that is repeated.
    fn dims(&self) -> SmallVec<[Option<usize>; 4]> {
        let affine = self.op.cx().affine();
        affine.map(self.map).results.iter().map(|&e| affine.dim_position(e).map(|dim| dim as usize)).collect()
    }
}

/// Which of the operands of the definition, of reads and of writes, is the mask.
const MASK: usize = 3;

/// What becomes of a transfer that stays one.
enum Change {
    /// Other dimensions are inside the base.
    InBounds(Attr),
    /// There is no mask.
    Unmasked,
    /// It is one from or to another value.
    Base(ValueId),
}

/// A dimension whose indices are known to be inside the base is marked so.
fn in_bounds(transfer: &Transfer<'_>) -> Option<Change> {
    if is_in_bounds(transfer.in_bounds) || transfer.base.ty().element_or_self().is_vector() {
        return None;
    }
    let inside = |(i, dim): (usize, &Option<usize>)| {
        // A repeated dimension is one element of the base, whose other dimensions say where.
        let Some(dim) = *dim else { return true };
        let index = transfer.indices.get(dim).and_then(|index| index.constant()).and_then(AttrRef::as_int);
        let (extent, len) =
            (transfer.base.ty().shape().and_then(|shape| shape.get(dim)), extents(transfer.vector).get(i));
        let (Some(index), Some(&extent), Some(len)) = (index, extent, len) else { return false };
        let end = index.checked_add(*len);
        extent != dl_ir::DYNAMIC
            && !is_scalable(transfer.vector, i)
            && index >= 0
            && end.is_some_and(|end| end <= extent)
    };
    let known: Vec<bool> = transfer.in_bounds.elements().map(|bound| bound.as_bool() == Some(true)).collect();
    let dims = transfer.dims();
    let better: Vec<bool> = dims.iter().enumerate().map(|at| known.get(at.0) == Some(&true) || inside(at)).collect();
    if better == known {
        return None;
    }
    let cx = transfer.op.cx();
    Some(Change::InBounds(cx.array_attr(&better.into_iter().map(|bound| cx.bool_attr(bound)).collect::<Vec<_>>())))
}

/// A mask with all lanes on is not needed.
fn without_mask(transfer: &Transfer<'_>) -> Option<Change> {
    (uniform(transfer.mask?) == Some(true)).then_some(Change::Unmasked)
}

/// A transfer from or to a cast that forgets extents or strides is one from or to its operand. A write to a tensor has a result of
/// that type; there, casting is for the tensor's own patterns.
fn of_cast(transfer: &Transfer<'_>) -> Option<Change> {
    let cast = transfer.base.defining_op()?;
    let is_cast = cast.is::<dl_memref::CastOp<'_>>() || (cast.is::<dl_tensor::CastOp<'_>>() && transfer.base_at == 0);
    let source = Some(cast).filter(|_| is_cast).map(|cast| cast.operand(0))?;
    let forgets = |(a, b): (&i64, &i64)| a == b || *b == dl_ir::DYNAMIC;
    let (from, to) = (source.ty().shape()?, transfer.base.ty().shape()?);
    from.iter().zip(to).all(forgets).then(|| Change::Base(source.id()))
}

/// What is known of a transfer from its types and operands.
pub(crate) fn fold_transfer(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let transfer = Transfer::of(rw.op(op))?;
    let change = in_bounds(&transfer).or_else(|| without_mask(&transfer)).or_else(|| of_cast(&transfer));
    let base_at = transfer.base_at;
    match change.ok_or(NoMatch("nothing more is known"))? {
        Change::InBounds(bounds) => rw.set_attr(op, cx.ident("in_bounds"), bounds),
        Change::Unmasked => rw.set_operand_group(op, MASK, &[]),
        Change::Base(source) => rw.set_operand(op, base_at, source),
    }
    Ok(())
}

/// What is read where the same elements have just been written to a tensor, in another order or repeated, is what was written.
fn read_of_written(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let read = TransferReadOp(rw.op(op));
    let write = read.base().def::<TransferWriteOp<'_>>().ok_or(NoMatch("nothing was written"))?;
    let unmasked = read.mask().is_none() && write.mask().is_none();
    let same_place = write.indices().iter().eq(read.indices().iter());
    let (from, to) = (Transfer::of(write.0)?, Transfer::of(read.0)?);
    let vectors = read.base().ty().element_or_self().is_vector();
    if !unmasked || !same_place || vectors || !is_in_bounds(write.in_bounds()) || !is_in_bounds(read.in_bounds()) {
        return Err(NoMatch("not the same elements"));
    }
    let (written, wanted) = (from.dims(), to.dims());
    let mut used = vec![false; written.len()];
    // Dimensions that were not written come first: those that are repeated, and those of extent 1.
    let (mut added, mut origin) = (Vec::new(), Vec::new());
    for (i, dim) in wanted.iter().enumerate() {
        let at = dim.and_then(|dim| written.iter().position(|&each| each == Some(dim)));
        if let Some(at) = at {
            let same = extents(from.vector)[at] == extents(to.vector)[i]
                && is_scalable(from.vector, at) == is_scalable(to.vector, i);
            if !same || std::mem::replace(&mut used[at], true) {
                return Err(NoMatch("more, or less, is read"));
            }
            origin.push(Some(at));
        } else {
            let one = extents(to.vector)[i] == 1 && !is_scalable(to.vector, i);
            if dim.is_some() && !one {
                return Err(NoMatch("more is read"));
            }
            added.push(i);
            origin.push(None);
        }
    }
    if !used.iter().all(|&used| used) {
        return Err(NoMatch("less is read"));
    }
    let mut shape: Vec<i64> = added.iter().map(|&i| extents(to.vector)[i]).collect();
    let mut scalable: Vec<bool> = added.iter().map(|&i| is_scalable(to.vector, i)).collect();
    shape.extend(extents(from.vector));
    scalable.extend((0..written.len()).map(|i| is_scalable(from.vector, i)));
    let mut next = 0;
    let permutation: Vec<i64> = origin
        .iter()
        .map(|at| {
            let Some(at) = at else {
                next += 1;
                return next - 1;
            };
            (added.len() + at) as i64
        })
        .collect();
    let element = from.vector.element_or_self().id();
    let (mut value, loc, result) = (write.value_to_store().id(), read.0.loc(), to.vector.id());
    let middle = vector_type(cx, &shape, &scalable, element);
    if rw.value_type(value).id() != middle {
        value = rw.create_value(OpState::of::<BroadcastOp<'_>>(loc).operands([value]).results([middle]));
    }
    if permutation.iter().enumerate().all(|(i, &at)| i as i64 == at) {
        rw.replace(op, &[value]);
        return Ok(());
    }
    let state = OpState::of::<TransposeOp<'_>>(loc).operands([value]);
    rw.replace_with(op, state.attr(cx, "permutation", cx.dense_i64_array(&permutation)).results([result]));
    Ok(())
}

/// A write to a tensor is not needed where the same elements are written again, with only others written in between.
fn write_again(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let write = TransferWriteOp(rw.op(op));
    let same = |a: TransferWriteOp<'_>, b: TransferWriteOp<'_>| {
        a.indices().iter().eq(b.indices().iter())
            && a.mask() == b.mask()
            && a.value_to_store().ty() == b.value_to_store().ty()
            && a.permutation_map() == b.permutation_map()
    };
    let (mut last, mut before) = (write, write.base().def::<TransferWriteOp<'_>>());
    while let Some(earlier) = before {
        if same(write, earlier) {
            let (last, base) = (last.0.id(), earlier.base().id());
            rw.set_operand(last, 1, base);
            return Ok(());
        }
        let only_here = earlier.result().is_some_and(|result| result.has_one_use());
        let apart = accessed(earlier.0).zip(accessed(write.0)).is_some_and(|(a, b)| are_disjoint(&a, &b));
        if !only_here || !apart {
            break;
        }
        (last, before) = (earlier, earlier.base().def::<TransferWriteOp<'_>>());
    }
    Err(NoMatch("nothing that was written is written again"))
}

/// Writing a whole tensor of which a leading part is then put into another is writing to that part of the other.
fn write_to_slice(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let insert = rw.op(op);
    let extract = insert.operand(0).def::<dl_tensor::ExtractSliceOp<'_>>().ok_or(NoMatch("no slice is inserted"))?;
    let write = extract.source().def::<TransferWriteOp<'_>>().ok_or(NoMatch("nothing was written"))?;
    let (Some(taken), Some(put)) = (Slice::of(extract.0), Slice::of(insert)) else { return Err(NoMatch("no slice")) };
    let (part, transfer) = (insert.operand(0).ty(), Transfer::of(write.0)?);
    let ranks = [part, insert.operand(1).ty(), transfer.base.ty()].map(|ty| ty.rank());
    let used_once = insert.operand(0).has_one_use() && extract.source().has_one_use();
    if !used_once || ranks.iter().any(|rank| *rank != ranks[0]) || write.mask().is_some() {
        return Err(NoMatch("used elsewhere, of another rank, or masked"));
    }
    if !taken.has_unit_strides() || !put.has_unit_strides() || !taken.has_zero_offsets() || taken.sizes != put.sizes {
        return Err(NoMatch("no leading part"));
    }
    let (dims, shape) = (transfer.dims(), transfer.base.ty().shape().unwrap_or(&[]));
    let all = dims.len() == shape.len()
        && dims.iter().enumerate().all(|(i, dim)| dim.is_some_and(|dim| shape[dim] == extents(transfer.vector)[i]));
    let at_zero = transfer.indices.iter().all(|i| i.constant().and_then(AttrRef::as_int) == Some(0));
    if !all || !at_zero || transfer.vector.is_scalable_vector() || transfer.base.ty().element_or_self().is_vector() {
        return Err(NoMatch("elements of the tensor are left"));
    }
    let fits = |(i, dim): (usize, &Option<usize>)| {
        let size = dim.and_then(|dim| taken.sizes.get(dim)).and_then(|size| size.as_static());
        cx.bool_attr(size == Some(extents(transfer.vector)[i]))
    };
    let bounds = cx.array_attr(&dims.iter().enumerate().map(fits).collect::<Vec<_>>());
    let (vector, indices, map) = (write.value_to_store().id(), write.indices().ids(), write.permutation_map().id());
    let (loc, part_type, dest) = (write.0.loc(), part.id(), insert.operand(1).id());
    let segments = [1, 1, indices.len(), 0];
    let slice = dl_tensor::extract_slice_state(rw, dest, &put, part_type, loc);
    let slice = rw.create_value(slice);
    let state = OpState::of::<TransferWriteOp<'_>>(loc)
        .operands([vector, slice])
        .operands(indices)
        .operand_segments(cx, &segments)
        .attr(cx, "permutation_map", map)
        .attr(cx, "in_bounds", bounds)
        .results([part_type]);
    let written = rw.create_value(state);
    rw.set_operand(op, 0, written);
    Ok(())
}

pub(crate) fn transfer_read(patterns: &mut Patterns) {
    patterns.add_fn("vector-read-of-written", Some(TransferReadOp::NAME), read_of_written);
}

pub(crate) fn transfer_write(patterns: &mut Patterns) {
    patterns.add_fn("vector-write-again", Some(TransferWriteOp::NAME), write_again).add_fn(
        "vector-write-to-slice",
        Some(dl_tensor::InsertSliceOp::NAME),
        write_to_slice,
    );
}
