//! Tensors that are padded, packed, unpacked or inserted, as one read and one write.

use dl_arith::{Build, index_value};
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::interfaces::{Index, index_list, reify_shapes};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{AttrRef, DYNAMIC, OpDefinition, OpId, OpRef, Rewriter, ValueId, ValueRef};
use dl_linalg::{FillOp, PackOp, UnPackOp};
use dl_passes_vector::build::VectorBuild;
use dl_tensor::build::empty;
use dl_tensor::{EmptyOp, InsertSliceOp, PadOp};
use dl_vector::types::vector_type;
use dl_vector::{BroadcastOp, TransferWriteOp};

use super::Request;
use super::legality::check_sizes;
use super::pads::{only_padding, padding_value};
use super::ports::{Excess, read_whole, write_whole};

/// Makes vectors of `op`, if it is one of these.
///
/// # Errors
/// Why that cannot be done; nothing has been changed then.
pub(super) fn vectorize_relayout(rw: &mut Rewriter<'_>, op: OpId, request: &Request) -> Rewrite {
    let view = rw.op(op);
    if !is_relayout(view) {
        return Err(NoMatch("no loop nest"));
    }
    if request.scalable.contains(&true) && !view.is::<UnPackOp<'_>>() {
        return Err(NoMatch("a kind of operation without scalable vectors"));
    }
    let has_elements = view.operand(0).ty().element_or_self().is_int_or_index_or_float();
    if !has_elements {
        return Err(NoMatch("elements that vectors do not have"));
    }
    match view.name() {
        PadOp::NAME => pad(rw, op, request),
        PackOp::NAME => pack(rw, op, request),
        UnPackOp::NAME => unpack(rw, op, request),
        InsertSliceOp::NAME => insert(rw, op, request),
        _ => Err(NoMatch("no loop nest")),
    }
}

/// Whether vectors are made of `op` by [`vectorize_relayout`].
pub(crate) fn is_relayout(op: OpRef<'_>) -> bool {
    [PadOp::NAME, PackOp::NAME, UnPackOp::NAME, InsertSliceOp::NAME].contains(&op.name())
}

fn shape_of(value: ValueRef<'_>) -> &[i64] {
    value.ty().shape().unwrap_or(&[])
}

fn pad(rw: &mut Rewriter<'_>, op: OpId, request: &Request) -> Rewrite {
    let pad = PadOp(rw.op(op));
    let (source, result, loc) = (pad.source().id(), pad.result().ty(), pad.0.loc());
    let (shape, element) = (result.shape().unwrap_or(&[]).to_vec(), result.element_or_self().id());
    if request.sizes.is_empty() {
        return Err(NoMatch("sizes must be told"));
    }
    check_sizes(&shape, &request.sizes)?;
    let low = index_list::mixed(&pad.static_low().as_i64_array().unwrap_or_default(), pad.low());
    let is_none = |amount: &Index| match *amount {
        Index::Static(amount) => amount == 0,
        Index::Value(value) => rw.value(value).constant().and_then(AttrRef::as_int) == Some(0),
    };
    // Of a dimension of one element either that is the padding, or there is none before it.
    if !low.iter().zip(&shape).all(|(amount, &extent)| is_none(amount) || extent == 1) {
        return Err(NoMatch("elements that move"));
    }
    only_padding(rw, op)?;
    rw.set_insertion_before(op);
    let extents = reify_shapes(rw, op).and_then(|mut all| all.pop()).ok_or(NoMatch("no extents"))?;
    let padding = padding_value(rw, op)?;
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let ty = b.cx().vector_type(&request.sizes, element);
    let read = read_whole(&mut b, source, ty, Some(padding), Excess::Masked);
    let dest = empty(&mut b, &extents, element, loc);
    let written = write_whole(&mut b, read, dest, None, Excess::Masked);
    rw.replace(op, &written.into_iter().collect::<Vec<_>>());
    Ok(())
}

/// How a packed tensor relates to the one that it is made of.
struct Tiles {
    /// The dimensions of the packed tensor in the order in which they are parts of dimensions of the other.
    order: Vec<usize>,
    /// For each dimension of the other whether it is tiled, so that two of these are its parts.
    tiled: Vec<bool>,
}

impl Tiles {
    fn of(outer_perm: AttrRef<'_>, inner_dims: AttrRef<'_>, rank: usize) -> Self {
        let list = |attr: AttrRef<'_>| -> Vec<usize> {
            attr.dense_ints().filter_map(|dim| usize::try_from(dim).ok()).collect()
        };
        let (perm, inner) = (list(outer_perm), list(inner_dims));
        let mut order = Vec::new();
        for dim in 0..rank {
            order.push(perm.iter().position(|&at| at == dim).unwrap_or(dim));
            order.extend(inner.iter().position(|&at| at == dim).map(|at| rank + at));
        }
        Self { order, tiled: (0..rank).map(|dim| inner.contains(&dim)).collect() }
    }

    /// The entries of a packed tensor in that order.
    fn unpacked<T: Copy>(&self, list: &[T]) -> Vec<T> {
        self.order.iter().map(|&at| list[at]).collect()
    }

    /// The entries of the parts of each dimension as one.
    fn joined<T: Copy>(&self, parts: &[T], join: impl Fn(T, T) -> Option<T>) -> Option<Vec<T>> {
        let mut parts = parts.iter().copied();
        let mut next = |&tiled: &bool| {
            let count = parts.next()?;
            if tiled { join(count, parts.next()?) } else { Some(count) }
        };
        self.tiled.iter().map(&mut next).collect()
    }

    /// From that order back to the packed tensor.
    fn inverse(&self) -> Vec<i64> {
        let place = |dim: usize| self.order.iter().position(|&at| at == dim);
        (0..self.order.len()).filter_map(place).map(|at| at as i64).collect()
    }
}

const OVERFLOW: NoMatch = NoMatch("more elements than can be counted");

fn pack(rw: &mut Rewriter<'_>, op: OpId, request: &Request) -> Rewrite {
    let pack = PackOp(rw.op(op));
    let (source, dest, loc) = (pack.source(), pack.dest(), pack.0.loc());
    let element = dest.ty().element_or_self().id();
    let rank = shape_of(source).len();
    if pack.padding_value().is_some_and(|padding| padding.constant().is_none()) {
        return Err(NoMatch("a padding that is not known"));
    }
    let known: Vec<i64> = pack.static_inner_tiles().dense_ints().collect();
    let tile = |tile: Index| match tile {
        Index::Static(tile) => Some(tile),
        Index::Value(tile) => rw.value(tile).constant().and_then(AttrRef::as_int),
    };
    let inner: Option<Vec<i64>> = index_list::mixed(&known, pack.inner_tiles()).into_iter().map(tile).collect();
    let inner = inner.ok_or(NoMatch("tiles that are not known"))?;
    let is_told = !request.sizes.is_empty();
    let known = source.ty().has_static_shape() && dest.ty().has_static_shape();
    if !is_told && !known {
        return Err(NoMatch("an extent that is not known"));
    }
    let sizes = if is_told { request.sizes.clone() } else { shape_of(dest).to_vec() };
    check_sizes(shape_of(dest), &sizes)?;
    // Tiles are not split.
    if sizes[rank..] != inner {
        return Err(NoMatch("vectors that do not hold whole tiles"));
    }
    let tiles = Tiles::of(pack.outer_dims_perm(), pack.inner_dims_pos(), rank);
    let parts = tiles.unpacked(&sizes);
    let joined = tiles.joined(&parts, i64::checked_mul).ok_or(OVERFLOW)?;
    let (source, dest, padding) = (source.id(), dest.id(), pack.padding_value().map(|padding| padding.id()));
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let cx = b.cx();
    let excess = if is_told { Excess::Masked } else { Excess::OutOfBounds };
    let read = read_whole(&mut b, source, cx.vector_type(&joined, element), padding, excess);
    let expanded = b.shape_cast(read, cx.vector_type(&parts, element));
    let packed = b.transpose(expanded, &tiles.inverse());
    let written = write_whole(&mut b, packed, dest, None, Excess::Masked);
    rw.replace(op, &written.into_iter().collect::<Vec<_>>());
    Ok(())
}

fn unpack(rw: &mut Rewriter<'_>, op: OpId, request: &Request) -> Rewrite {
    let unpack = UnPackOp(rw.op(op));
    let (source, dest, loc) = (unpack.source(), unpack.dest(), unpack.0.loc());
    let element = dest.ty().element_or_self().id();
    let rank = shape_of(dest).len();
    let is_told = !request.sizes.is_empty();
    let known = source.ty().has_static_shape() && dest.ty().has_static_shape();
    if !is_told && !known {
        return Err(NoMatch("an extent that is not known"));
    }
    let sizes = if is_told { request.sizes.clone() } else { shape_of(source).to_vec() };
    check_sizes(shape_of(source), &sizes)?;
    let tiles = Tiles::of(unpack.outer_dims_perm(), unpack.inner_dims_pos(), rank);
    let marks: Vec<bool> = (0..sizes.len()).map(|dim| request.scalable.get(dim).copied().unwrap_or(false)).collect();
    // Where a tile does not fill its vector, the elements behind it would not be the next ones.
    let own = shape_of(source);
    let splits = (rank..sizes.len()).any(|dim| own[dim] != DYNAMIC && own[dim] != sizes[dim]);
    if splits || marks.iter().filter(|&&mark| mark).count() > 1 {
        return Err(NoMatch("vectors that do not hold whole tiles"));
    }
    let joined = tiles.joined(&tiles.unpacked(&sizes), i64::checked_mul).ok_or(OVERFLOW)?;
    let joined_marks = tiles.joined(&tiles.unpacked(&marks), |a, b| Some(a || b)).ok_or(OVERFLOW)?;
    let order: Vec<i64> = tiles.order.iter().map(|&at| at as i64).collect();
    let (source, dest) = (source.id(), dest.id());
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let cx = b.cx();
    let excess = if is_told { Excess::Masked } else { Excess::OutOfBounds };
    let read = read_whole(&mut b, source, vector_type(cx, &sizes, &marks, element), None, excess);
    let moved = b.transpose(read, &order);
    let collapsed = b.shape_cast(moved, vector_type(cx, &joined, &joined_marks, element));
    let written = write_whole(&mut b, collapsed, dest, None, excess);
    rw.replace(op, &written.into_iter().collect::<Vec<_>>());
    Ok(())
}

/// How many writes to a tensor are looked at.
const MOST_STEPS: usize = 64;

/// The one value that all elements of a tensor or vector are.
fn only_value(mut value: ValueRef<'_>) -> Option<ValueRef<'_>> {
    for _ in 0..MOST_STEPS {
        let maker = value.defining_op()?;
        if maker.is::<BroadcastOp<'_>>() {
            return Some(maker.operand(0)).filter(|scalar| !scalar.ty().is_vector());
        }
        if maker.is::<FillOp<'_>>() {
            return Some(maker.operand(0));
        }
        if !maker.is::<TransferWriteOp<'_>>() && !maker.is::<InsertSliceOp<'_>>() {
            return None;
        }
        value = if maker.is::<TransferWriteOp<'_>>() { maker.operand(0) } else { maker.operand(1) };
    }
    None
}

fn insert(rw: &mut Rewriter<'_>, op: OpId, request: &Request) -> Rewrite {
    let insert = InsertSliceOp(rw.op(op));
    let (source, dest, loc) = (insert.source(), insert.dest(), insert.0.loc());
    let slice = Slice::of(insert.0).filter(Slice::has_unit_strides).ok_or(NoMatch("strides other than 1"))?;
    let (from, to) = (shape_of(source), shape_of(dest));
    let lead = to.len() - from.len();
    let sizes: Vec<i64> = slice.sizes.iter().map(|size| size.extent()).collect();
    if sizes[lead..] != *from || sizes[..lead].iter().any(|&size| size != 1) {
        return Err(NoMatch("not along the last dimensions"));
    }
    let is_told = !request.sizes.is_empty();
    if is_told {
        check_sizes(from, &request.sizes)?;
    }
    let mut vector = request.sizes.clone();
    if !is_told {
        let extent = |(&from, &to): (&i64, &i64)| if from == DYNAMIC { to } else { from };
        vector = from.iter().zip(&to[lead..]).map(extent).collect();
    }
    check_sizes(&vector, &[])?;
    let padding = only_value(dest);
    // What is written beyond the source must be what is there, and must be there.
    let covers = |at: usize| vector[at] == from[at];
    if !(0..from.len()).all(covers) {
        let is_filled =
            |value: ValueRef<'_>| value.def::<FillOp<'_>>().is_some() || value.def::<EmptyOp<'_>>().is_some();
        let starts = (0..from.len()).all(|at| covers(at) || slice.offsets[lead + at] == Index::Static(0));
        if !is_filled(dest) || !starts {
            return Err(NoMatch("elements behind the source"));
        }
    }
    let (source, dest, padding) = (source.id(), dest.id(), padding.map(|padding| padding.id()));
    let element = rw.value_type(source).element_or_self().id();
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let cx = b.cx();
    let padding = padding.or_else(|| cx.zero_attr(element).map(|zero| b.constant(zero, element)));
    // Not used, but made by mlir-opt too.
    b.constant_index(0);
    let ty = cx.vector_type(&vector, element);
    let excess = if is_told { Excess::Masked } else { Excess::OutOfBounds };
    let read = read_whole(&mut b, source, ty, padding, excess);
    let indices = slice.offsets.iter().map(|&offset| index_value(&mut b, offset, loc)).collect();
    let written: Vec<ValueId> = write_whole(&mut b, read, dest, Some(indices), excess).into_iter().collect();
    rw.replace(op, &written);
    Ok(())
}
