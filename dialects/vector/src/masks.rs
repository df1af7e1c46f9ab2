//! What is known of masks.

use dl_ir::{AttrRef, OpRef, ValueRef};

use crate::types::{extents, is_scalable};
use crate::{ConstantMaskOp, CreateMaskOp, MaskOp};

/// Whether every lane of `mask` is on, or every one off. `None` where neither is known.
pub fn uniform(mask: ValueRef<'_>) -> Option<bool> {
    if let Some(constant) = mask.constant() {
        return constant.splat_value()?.as_bool();
    }
    let ty = mask.ty();
    let sizes: Vec<Option<i64>> = if let Some(made) = mask.def::<ConstantMaskOp<'_>>() {
        made.mask_dim_sizes().dense_ints().map(Some).collect()
    } else {
        let made = mask.def::<CreateMaskOp<'_>>()?;
        made.operands().iter().map(|size| size.constant().and_then(AttrRef::as_int)).collect()
    };
    if sizes.iter().any(|size| size.is_some_and(|size| size <= 0)) {
        return Some(false);
    }
    let is_constant = mask.def::<ConstantMaskOp<'_>>().is_some();
    let full = |(i, (size, &extent)): (usize, (&Option<i64>, &i64))| {
        // Sizes of constant masks count multiples of what the machine has, those of others elements.
        size.is_some_and(|size| size >= extent) && (is_constant || !is_scalable(ty, i))
    };
    let all =
        if extents(ty).is_empty() { sizes == [Some(1)] } else { sizes.iter().zip(extents(ty)).enumerate().all(full) };
    all.then_some(true)
}

/// Whether `op` is under a `vector.mask`.
pub fn is_masked(op: OpRef<'_>) -> bool {
    op.parent().is_some_and(|parent| parent.is::<MaskOp<'_>>())
}
