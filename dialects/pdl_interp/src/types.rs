//! Types that follow from others.

use dl_ir::{Type, TypeRef};
use dl_pdl::types::{element, range_type, value_type};

/// The type of a value, or of a list of values, whose type or types have the type `ty`.
pub(crate) fn value_of_type(ty: TypeRef<'_>) -> Option<Type> {
    let value = value_type(ty.cx());
    Some(if element(ty).is_some() { range_type(ty.cx(), value) } else { value })
}
