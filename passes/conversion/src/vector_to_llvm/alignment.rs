//! The alignment that accesses have by LLVM's default data layout.

use dl_ir::rewrite::NoMatch;
use dl_ir::{AttrRef, TypeData, TypeRef};

/// Bytes that a value of `ty` is best aligned to. `None` for a type without size.
fn preferred(ty: TypeRef<'_>) -> Option<i64> {
    match ty.data() {
        TypeData::Integer { width, .. } => Some(i64::from(width.div_ceil(8).max(1).next_power_of_two().min(8))),
        TypeData::Float(kind) => Some(i64::from(kind.width().div_ceil(8).next_power_of_two())),
        TypeData::Vector { shape, element, .. } => {
            let element = allocated(ty.cx().ty(*element))?;
            let count = shape.iter().try_fold(1_i64, |n, &extent| n.checked_mul(extent))?;
            let bits = element.checked_mul(count)?;
            Some(u64::try_from(bits).ok()?.div_ceil(8).checked_next_power_of_two()? as i64)
        }
        TypeData::Dialect { .. } if dl_llvm::types::is_ptr(ty) => Some(8),
        TypeData::Dialect { .. } => {
            if let Some((element, _)) = dl_llvm::types::array_parts(ty) {
                return preferred(ty.cx().ty(element));
            }
            let members = dl_llvm::types::struct_members(ty)?;
            let all: Option<Vec<i64>> = members.into_iter().map(|member| preferred(ty.cx().ty(member))).collect();
            // A struct prefers 8 bytes.
            Some(all?.into_iter().max().unwrap_or(1).max(8))
        }
        _ => None,
    }
}

/// Bits of an element of a vector.
fn allocated(ty: TypeRef<'_>) -> Option<i64> {
    if dl_llvm::types::is_ptr(ty) {
        return Some(64);
    }
    ty.int_or_float_width().map(i64::from)
}

/// The alignment of an access: the one given, else that of the vector or of an element, both as LLVM has them.
///
/// # Errors
/// That the type has no size.
pub(super) fn of_access(
    given: Option<AttrRef<'_>>,
    vector: TypeRef<'_>,
    element: TypeRef<'_>,
    by_vector: bool,
) -> Result<i64, NoMatch> {
    if let Some(given) = given.and_then(AttrRef::as_int).filter(|&given| given > 0) {
        return Ok(given);
    }
    preferred(if by_vector { vector } else { element }).ok_or(NoMatch("a type without alignment"))
}
