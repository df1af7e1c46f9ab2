//! Padded tensors that vectors are read from, written to or inserted with: the transfers pad.
//!
//! All of these pad behind the source only, by one value.

use dl_arith::{Build, constant, index_value};
use dl_ir::effects::is_memory_effect_free;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::interfaces::{Index, index_list};
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{AttrRef, DYNAMIC, OpDefinition, OpId, Rewriter, TypeRef, ValueId, ValueRef};
use dl_passes_vector::transfer::{Direction, Transfer, in_bounds, in_bounds_attr};
use dl_tensor::{CastOp, ExtractSliceOp, InsertSliceOp, PadOp};
use dl_vector::{TransferReadOp, TransferWriteOp, is_masked};

use super::legality::check_sizes;

/// Adds the patterns.
pub(crate) fn add_pad_patterns(patterns: &mut Patterns) {
    patterns.add(PadIntoUsers);
}

/// The users of `tensor.pad` that can do the padding themselves.
struct PadIntoUsers;

impl Pattern for PadIntoUsers {
    const NAME: &'static str = "tensor-pad-into-transfers";
    const ROOT: Option<&'static str> = Some(PadOp::NAME);
    const BENEFIT: u16 = 2;

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let padding = Padding::of(rw, op)?;
        let users: Vec<(OpId, usize)> =
            PadOp(rw.op(op)).result().uses().map(|(user, operand)| (user.id(), operand)).collect();
        let mut changed = false;
        for (user, operand) in users {
            if !rw.ir().is_live(user) {
                continue;
            }
            changed |= match rw.op(user).name() {
                TransferReadOp::NAME => read(rw, user, &padding).is_ok(),
                TransferWriteOp::NAME => write(rw, user, &padding).is_ok(),
                InsertSliceOp::NAME if operand == 0 => insert(rw, user, &padding).is_ok(),
                _ => false,
            };
        }
        if changed { Ok(()) } else { Err(NoMatch("no user that can pad by itself")) }
    }
}

/// A tensor that is padded behind its source.
struct Padding {
    op: OpId,
    source: ValueId,
}

impl Padding {
    fn of(rw: &Rewriter<'_>, op: OpId) -> Result<Self, NoMatch> {
        let pad = PadOp(rw.op(op));
        let low = index_list::mixed(&pad.static_low().as_i64_array().unwrap_or_default(), pad.low());
        let is_zero = |index: &Index| match *index {
            Index::Static(amount) => amount == 0,
            Index::Value(value) => rw.value(value).constant().and_then(AttrRef::as_int) == Some(0),
        };
        if !low.iter().all(is_zero) {
            return Err(NoMatch("elements that move"));
        }
        only_padding(rw, op)?;
        Ok(Self { op, source: pad.source().id() })
    }
}

/// The value that a tensor is padded with, perhaps inside of the padding, where nobody can tell how often that is found out.
pub(crate) fn only_padding<'a>(rw: &'a Rewriter<'_>, op: OpId) -> Result<ValueRef<'a>, NoMatch> {
    let pad = PadOp(rw.op(op));
    let body = pad.0.region(0).entry().ok_or(NoMatch("no body"))?;
    let border = body.last_op().filter(|end| end.num_operands() == 1).ok_or(NoMatch("no padding"))?.operand(0);
    if !is_memory_effect_free(pad.0) {
        return Err(NoMatch("a padding that can be observed"));
    }
    let is_one = !border.is_defined_in(pad.0) || border.constant().is_some();
    if is_one { Ok(border) } else { Err(NoMatch("a padding that differs from place to place")) }
}

/// The same, outside of the padding.
pub(crate) fn padding_value(rw: &mut Rewriter<'_>, op: OpId) -> Result<ValueId, NoMatch> {
    let border = only_padding(rw, op)?;
    let (own, loc) = (border.id(), rw.op(op).loc());
    let known = border.constant().filter(|_| border.is_defined_in(rw.op(op))).map(AttrRef::id);
    let Some(known) = known else { return Ok(own) };
    rw.set_insertion_before(op);
    Ok(constant(rw, known, loc))
}

/// What is read beyond the source is the padding.
fn read(rw: &mut Rewriter<'_>, op: OpId, padding: &Padding) -> Rewrite {
    let view = rw.op(op);
    if !in_bounds(view).iter().all(|&bound| bound) || is_masked(view) {
        return Err(NoMatch("the padding of the read may be used"));
    }
    let transfer = Transfer::of(view).filter(|transfer| transfer.mask.is_none()).ok_or(NoMatch("a masked read"))?;
    let Direction::Read { vector, .. } = transfer.direction else { return Err(NoMatch("no read")) };
    let bounds = vec![false; in_bounds(view).len()];
    let (cx, loc) = (rw.cx(), view.loc());
    let direction = Direction::Read { vector, padding: padding_value(rw, padding.op)? };
    let state = Transfer { base: padding.source, direction, ..transfer }.state(cx, loc, in_bounds_attr(cx, &bounds));
    rw.replace_with(op, state);
    Ok(())
}

/// What is written to a padded tensor, of which the padding is then cut off, need not be padded.
fn write(rw: &mut Rewriter<'_>, op: OpId, padding: &Padding) -> Rewrite {
    let view = rw.op(op);
    let transfer = Transfer::of(view).filter(|transfer| transfer.mask.is_none()).ok_or(NoMatch("a masked write"))?;
    let Direction::Write { vector, .. } = transfer.direction else { return Err(NoMatch("no write")) };
    if is_masked(view) || rw.value_type(vector).rank() == Some(0) || transfer.base == vector {
        return Err(NoMatch("a masked write, or one of an element"));
    }
    let padded = PadOp(rw.op(padding.op)).result();
    let written = view.results().iter().next().filter(|written| written.has_one_use());
    let cut = written.and_then(|written| written.uses().next()).and_then(|(user, _)| user.cast::<ExtractSliceOp<'_>>());
    let cut = cut.filter(|_| transfer.base == padded.id()).ok_or(NoMatch("the padding is not cut off"))?;
    let slice = Slice::of(cut.0).filter(Slice::has_unit_strides).ok_or(NoMatch("strides other than 1"))?;
    let starts = slice.offsets.iter().all(|&offset| offset == Index::Static(0));
    if !starts || !has_size_of(rw.value(padding.source), &slice, cut.result().ty()) {
        return Err(NoMatch("not as much is cut off as was padded"));
    }
    let (cx, loc, cut) = (rw.cx(), view.loc(), cut.0.id());
    let bounds = vec![false; in_bounds(view).len()];
    let result = Some(rw.value_type(padding.source).id());
    let direction = Direction::Write { vector, result };
    let state = Transfer { base: padding.source, direction, ..transfer }.state(cx, loc, in_bounds_attr(cx, &bounds));
    rw.set_insertion_before(op);
    let value = rw.create_value(state);
    rw.replace(cut, &[value]);
    rw.erase(op);
    Ok(())
}

/// Whether a slice of these sizes is as large as `tensor`.
fn has_size_of(tensor: ValueRef<'_>, slice: &Slice, ty: TypeRef<'_>) -> bool {
    let (Some(from), Some(to)) = (tensor.ty().shape(), ty.shape()) else { return false };
    if from != to {
        return tensor.def::<CastOp<'_>>().is_some_and(|cast| has_size_of(cast.source(), slice, ty));
    }
    if !from.contains(&DYNAMIC) {
        return true;
    }
    let made = tensor.def::<CastOp<'_>>().map_or(tensor, |cast| cast.source());
    let before = made.def::<ExtractSliceOp<'_>>().and_then(|made| Slice::of(made.0));
    before.is_some_and(|before| {
        before.sizes.len() == from.len()
            && slice.sizes.len() == from.len()
            && (0..from.len()).all(|dim| from[dim] != DYNAMIC || before.sizes[dim] == slice.sizes[dim])
    })
}

/// A padded tensor that is inserted as a whole is read as a vector and written.
fn insert(rw: &mut Rewriter<'_>, op: OpId, padding: &Padding) -> Rewrite {
    let insert = InsertSliceOp(rw.op(op));
    let padded = insert.source();
    let shape = padded.ty().shape().filter(|_| padded.ty().has_static_shape()).ok_or(NoMatch("unknown extents"))?;
    let element = padded.ty().element_or_self();
    check_sizes(shape, &[])?;
    let slice = Slice::of(insert.0).filter(Slice::has_unit_strides).ok_or(NoMatch("strides other than 1"))?;
    let lead = slice.sizes.len() - shape.len();
    let wanted = std::iter::repeat_n(1, lead).chain(shape.iter().copied()).map(Index::Static);
    let is_whole = slice.sizes.iter().copied().eq(wanted);
    if !is_whole || insert.dest() == padded || !element.is_int_or_index_or_float() {
        return Err(NoMatch("not inserted as a whole along the last dimensions"));
    }
    let (dest, loc, rank) = (insert.dest(), insert.0.loc(), shape.len());
    let (dest, result, vector) = (dest.id(), dest.ty().id(), rw.cx().vector_type(shape, element.id()));
    let cx = rw.cx();
    let value = padding_value(rw, padding.op)?;
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let zero = b.constant_index(0);
    let read = Transfer {
        base: padding.source,
        indices: std::iter::repeat_n(zero, rank).collect(),
        map: cx.affine().identity_map(rank as u32),
        mask: None,
        direction: Direction::Read { vector, padding: value },
    };
    let read = b.create_value(read.state(cx, loc, in_bounds_attr(cx, &vec![false; rank])));
    let indices = slice.offsets.iter().map(|&offset| index_value(&mut b, offset, loc)).collect();
    let write = Transfer {
        base: dest,
        indices,
        map: cx.affine().minor_identity_map((lead + rank) as u32, rank as u32),
        mask: None,
        direction: Direction::Write { vector: read, result: Some(result) },
    };
    rw.replace_with(op, write.state(cx, loc, in_bounds_attr(cx, &vec![true; rank])));
    Ok(())
}
