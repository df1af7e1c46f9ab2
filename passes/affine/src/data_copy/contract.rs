//! Buffers of which each iteration uses a part of its own, made as small as that part.

use dl_affine::{AffineLoadOp, AffineStoreOp};
use dl_ir::{AttrRef, BlockRef, OpId, OpRef, OpState, Rewriter, ValueId};
use dl_memref::{AllocOp, DeallocOp};

use super::emit::Copy;
use super::region::Region;
use crate::access::{Access, level_of, levels_around};
use crate::dependence::{Meeting, meeting};
use crate::footprint::element_bytes;
use crate::loops;

/// What iterations of a loop use of a buffer that nothing else uses.
struct Part {
    region: Region,
    accesses: Vec<OpId>,
    deallocations: Vec<OpId>,
}

/// The part of `memref` that one iteration of `innermost` uses. `None` where the buffer is not allocated by `memref.alloc`, something but this loop
/// uses it, an iteration reads what another one wrote, or the part is not smaller than the buffer.
fn part(rw: &Rewriter<'_>, memref: ValueId, innermost: OpId) -> Option<Part> {
    let (looping, value) = (rw.op(innermost), rw.value(memref));
    let shape = value.ty().shape().filter(|_| value.ty().has_identity_layout())?;
    let maker = value.def::<AllocOp<'_>>()?;
    let (mut accesses, mut deallocations) = (Vec::new(), Vec::new());
    for (user, _) in value.uses() {
        if user.is::<DeallocOp<'_>>() {
            deallocations.push(user.id());
        } else {
            let is_element = user.is::<AffineLoadOp<'_>>() || user.is::<AffineStoreOp<'_>>();
            let access = Access::of(user).filter(|access| is_element && access.memref == value);
            accesses.push(access.filter(|_| looping.is_ancestor_of(user.id()))?);
        }
    }
    let levels = levels_around(maker.0, looping)?..level_of(loops::view(rw, innermost))? + 1;
    let stays = |written: &Access<'_>, read: &Access<'_>| match meeting(written, read) {
        Meeting::Never => true,
        Meeting::Unknown => false,
        Meeting::Where(pair) => levels.clone().all(|level| !pair.carried_at(level).is_possible()),
    };
    let (writes, reads): (Vec<&Access<'_>>, Vec<_>) = accesses.iter().partition(|access| access.is_write);
    if !writes.iter().all(|written| reads.iter().all(|read| stays(written, read))) {
        return None;
    }
    let last = loops::terminator(rw, innermost);
    let body = rw.block(loops::body(rw, innermost));
    let range: Vec<OpRef<'_>> = body.ops().filter(|op| op.id() != last).collect();
    let mut region: Option<Region> = None;
    for access in &accesses {
        let Some(one) = Region::of(access, &range).ok()? else { continue };
        region = Some(match region {
            Some(region) => region.union(&one, shape)?,
            None => one,
        });
    }
    let region = region?;
    let whole = shape.iter().try_fold(1_i64, |count, &size| count.checked_mul(size).filter(|_| size >= 0));
    let is_smaller = region.count()? > 0 && whole.is_none_or(|whole| region.count() < Some(whole));
    is_smaller.then(|| Part { region, accesses: accesses.iter().map(|access| access.op.id()).collect(), deallocations })
}

/// Gives the loop `innermost` a smaller buffer for `memref`, if each of its iterations uses a part of its own and nothing else uses any. It is
/// allocated at the start of the block where the old one was, in the space that `space` says for its bytes, or in that of the old one.
pub(crate) fn contract(rw: &mut Rewriter<'_>, memref: ValueId, innermost: OpId, space: impl Fn(u64) -> Option<u64>) {
    let Some(Part { region, accesses, deallocations }) = part(rw, memref, innermost) else { return };
    let (cx, old) = (rw.cx(), rw.value(memref));
    let (ty, Some(maker)) = (old.ty(), old.defining_op()) else { return };
    let (loc, block, maker) = (maker.loc(), maker.block().map(BlockRef::id), maker.id());
    let count = region.count().and_then(|count| u64::try_from(count).ok());
    let bytes = element_bytes(ty).zip(count).and_then(|(bytes, count)| bytes.checked_mul(count));
    let given = bytes.and_then(space).map(|space| cx.int_attr(cx.int_type(64), space.cast_signed()));
    let space = given.or_else(|| ty.memory_space().map(AttrRef::id));
    let sizes: Vec<i64> = region.sides.iter().map(|side| side.size).collect();
    let made = cx.memref_type_with(&sizes, ty.element_or_self().id(), None, space);
    if let Some(block) = block {
        rw.set_insertion_to_start(block);
    }
    let state = OpState::of::<AllocOp<'_>>(loc).operand_segments(cx, &[0, 0]);
    let buffer = rw.create_value(state.results([made]));
    let copy = Copy { memref, region: &region, buffer };
    accesses.into_iter().for_each(|access| copy.redirect(rw, access));
    deallocations.into_iter().for_each(|op| rw.set_operand(op, 0, buffer));
    rw.erase(maker);
}
