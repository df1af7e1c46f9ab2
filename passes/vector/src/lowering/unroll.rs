//! Taking the leading dimensions of an operation apart.

use dl_arith::Build;
use dl_ir::{TypeRef, ValueId};
use dl_vector::types::is_scalable;

use crate::build::{VectorBuild, positions};

/// The extents of the leading dimensions that are taken apart to be left with `rank` of them: none that is scalable. `None` where there is
/// nothing to take apart.
pub(super) fn leading(ty: TypeRef<'_>, rank: usize) -> Option<&[i64]> {
    let shape = ty.shape()?;
    let outer = shape.len().checked_sub(rank)?;
    let fixed = (0..outer).take_while(|&i| !is_scalable(ty, i)).count();
    (fixed > 0).then(|| &shape[..fixed])
}

/// Puts together in `initial` what `part` makes for each position of the leading dimensions.
pub(super) fn unrolled(
    b: &mut Build<'_, '_>,
    leading: &[i64],
    initial: ValueId,
    mut part: impl FnMut(&mut Build<'_, '_>, &[i64]) -> ValueId,
) -> ValueId {
    positions(leading).fold(initial, |whole, position| {
        let part = part(b, &position);
        b.with_part(part, whole, &position)
    })
}
