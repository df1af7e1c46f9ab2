//! Constants of halves.

use dl_ir::number::ApInt;
use dl_ir::{Attr, OpRef, Type};

/// The constant `op` as vector `ty` of halves.
pub(super) fn halves_of_constant(op: OpRef<'_>, ty: Type) -> Option<Attr> {
    let (cx, value) = (op.cx(), op.attr("value")?);
    let half = cx.ty(ty).element_type()?.id();
    let width = cx.ty(half).int_width()?;
    let split = |number: &ApInt| {
        let high = number.lshr(u64::from(width)).unwrap_or_else(|| ApInt::zero(width));
        [cx.ap_int_attr(half, number.zext_or_trunc(width)), cx.ap_int_attr(half, high.zext_or_trunc(width))]
    };
    let numbers: Vec<ApInt> = if let Some(number) = value.as_ap_int() {
        vec![number.clone()]
    } else {
        let count = if value.is_splat() { 1 } else { usize::try_from(value.ty()?.num_elements()?).ok()? };
        (0..count).map(|index| value.dense_value(index)?.as_ap_int().cloned()).collect::<Option<_>>()?
    };
    let halves: Vec<Attr> = numbers.iter().flat_map(split).collect();
    let count = cx.ty(ty).num_elements()?;
    // A splat has one element for all.
    let halves = if halves.len() == 2 { halves.repeat(usize::try_from(count).ok()? / 2) } else { halves };
    cx.dense_attr(ty, &halves)
}
