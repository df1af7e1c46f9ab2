//! How values lie in memory: least significant byte first, everything aligned to its own size, as on x86-64, 64-bit Arm and 64-bit RISC-V where
//! a module says nothing else.

use dl_ir::TypeRef;

use crate::interpret::Pointer;
use crate::types::{array_parts, is_ptr, struct_members};

/// The largest alignment of a number.
const MOST_ALIGN: u64 = 16;

/// Bits of a number, a pointer, or a vector of them.
pub fn bits(ty: TypeRef<'_>) -> Option<u64> {
    if is_ptr(ty) {
        return Some(8 * Pointer::SIZE as u64);
    }
    match ty.shape() {
        Some(shape) if ty.is_vector() && !ty.is_scalable_vector() => {
            let count: i64 = shape.iter().product();
            bits(ty.element_type()?)?.checked_mul(u64::try_from(count).ok()?)
        }
        _ => ty.int_or_float_width().map(u64::from),
    }
}

/// Bytes that a value takes without what comes after it, and its alignment.
///
/// # Errors
/// That the type has no size, or one that is not known here.
pub fn stored(ty: TypeRef<'_>) -> Result<(u64, u64), String> {
    let cx = ty.cx();
    if let Some(bits) = bits(ty) {
        let bytes = bits.div_ceil(8);
        let most = if ty.is_vector() { u64::MAX } else { MOST_ALIGN };
        return Ok((bytes, bytes.max(1).next_power_of_two().min(most)));
    }
    if let Some((element, count)) = array_parts(ty) {
        let element = cx.ty(element);
        let bytes = size(element)?.checked_mul(count).ok_or("unsupported: an array so large")?;
        return Ok((bytes, stored(element)?.1));
    }
    if let Some(members) = struct_members(ty) {
        let (mut end, mut most) = (0_u64, 1);
        for member in members {
            let (start, align) = (aligned(end, cx.ty(member), is_packed(ty))?, stored(cx.ty(member))?.1);
            end = start + size(cx.ty(member))?;
            most = if is_packed(ty) { 1 } else { most.max(align) };
        }
        return Ok((end.next_multiple_of(most), most));
    }
    Err(format!("unsupported: the size of '{ty}'"))
}

/// Whether members follow each other without gaps.
fn is_packed(ty: TypeRef<'_>) -> bool {
    ty.params().get(2).is_some_and(|&packed| ty.cx().attr(packed).as_bool().unwrap_or(false))
}

/// Where a value of type `ty` may begin from `at` on.
fn aligned(at: u64, ty: TypeRef<'_>, packed: bool) -> Result<u64, String> {
    Ok(if packed { at } else { at.next_multiple_of(stored(ty)?.1) })
}

/// Bytes from one value of type `ty` to the next one.
///
/// # Errors
/// That the type has no size, or one that is not known here.
pub fn size(ty: TypeRef<'_>) -> Result<u64, String> {
    let (bytes, align) = stored(ty)?;
    bytes.checked_next_multiple_of(align).ok_or_else(|| "unsupported: a type so large".to_owned())
}

/// The type of member `index` of a struct, and how many bytes before it there are.
///
/// # Errors
/// That the type is no struct, has no such member, or has one without a size.
pub fn member(ty: TypeRef<'_>, index: usize) -> Result<(dl_ir::Type, u64), String> {
    let members = struct_members(ty).ok_or_else(|| format!("unsupported: members of '{ty}'"))?;
    let mut end = 0;
    for (at, &member) in members.iter().enumerate() {
        let start = aligned(end, ty.cx().ty(member), is_packed(ty))?;
        if at == index {
            return Ok((member, start));
        }
        end = start + size(ty.cx().ty(member))?;
    }
    Err(format!("undefined behaviour: member {index} of '{ty}'"))
}
