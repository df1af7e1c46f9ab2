//! Whether the iterations of a loop may run at the same time.

use dl_ir::effects::effects_of;
use dl_ir::opdef::Effects;
use dl_ir::walk::ops_in_arena;
use dl_ir::{OpRef, ValueRef};
use dl_passes_transforms::alias::{is_allocated, underlying};
use dl_scf::ForOp;

use super::access::{Access, accesses, is_apart};
use super::span::Linear;

/// Whether no iteration of the loop touches memory that another one writes. `step` is how far apart values of its variable are.
///
/// A buffer that is written must be allocated in the iteration, or else in the function, and the iterations must be apart in one of its
/// dimensions. Cost O(operations in the loop x dimensions).
pub(super) fn is_independent(of: ForOp<'_>, step: i64) -> bool {
    let op = of.0;
    let Some(variable) = of.region().entry().and_then(|body| body.args().next()) else { return false };
    let is_inside = |value: ValueRef<'_>| value.defining_op().is_some_and(|op| of.0.is_ancestor_of(op.id()));
    let mut all: Vec<Access<'_>> = Vec::new();
    for inner in ops_in_arena(op.arena(), op.id()).into_iter().filter(|&inner| inner != op.id()) {
        let inner = OpRef::new(op.cx(), op.arena(), inner);
        let Some(found) = accesses(inner, variable) else { return false };
        let frees =
            inner.num_regions() == 0 && effects_of(inner).is_some_and(|effects| effects.contains(Effects::FREE));
        if frees && !inner.operands().iter().all(|memory| is_inside(underlying(memory))) {
            return false;
        }
        // What is allocated in an iteration is its own.
        all.extend(found.into_iter().filter(|access| !(is_allocated(access.buffer) && is_inside(access.buffer))));
    }
    all.iter().filter(|access| access.writes).all(|write| {
        is_allocated(write.buffer)
            && all.iter().all(|other| other.buffer == write.buffer || is_apart(write.buffer, other.buffer))
            && are_apart_in_some_dimension(&all, write.buffer, step)
    })
}

/// Whether there is a dimension of `buffer` along which each iteration has elements of its own.
fn are_apart_in_some_dimension(all: &[Access<'_>], buffer: ValueRef<'_>, step: i64) -> bool {
    let rank = buffer.ty().rank().unwrap_or(0);
    (0..rank).any(|dim| are_apart_along(&all.iter().filter(|access| access.buffer == buffer), dim, step).is_some())
}

/// The same for one dimension: all that an iteration touches lies in an interval that moves along by at least its length.
fn are_apart_along<'x, 'a: 'x>(
    accesses: &(impl Iterator<Item = &'x Access<'a>> + Clone),
    dim: usize,
    step: i64,
) -> Option<()> {
    let first = accesses.clone().next()?.part.as_ref()?.get(dim)?.as_ref()?;
    // The interval moves with one factor, which is among those of any of the accesses.
    first.low.iter().map(|bound| bound.factor).filter(|&factor| factor != 0).find_map(|factor| {
        let (mut low, mut high) = (i64::MAX, i64::MIN);
        accesses.clone().try_for_each(|access| {
            let span = access.part.as_ref()?.get(dim)?.as_ref()?;
            let with_factor = |bounds: &[Linear]| -> Vec<i64> {
                bounds.iter().filter(|bound| bound.factor == factor).map(|bound| bound.constant).collect()
            };
            low = low.min(with_factor(&span.low).into_iter().max()?);
            high = high.max(with_factor(&span.high).into_iter().min()?);
            Some(())
        })?;
        let length = high.checked_sub(low)?.checked_add(1)?;
        (factor.checked_mul(step)?.checked_abs()? >= length).then_some(())
    })
}
