//! The types of the dialect: handles on what a pattern speaks of, and lists of them.

use dl_ir::{Context, Type, TypeData, TypeRef};

/// A type of the dialect.
pub fn is_handle(ty: TypeRef<'_>) -> bool {
    matches!(ty.data(), TypeData::Dialect { name, .. } if ty.cx().str(*name).starts_with("pdl."))
}

/// `!pdl.value`.
pub fn value_type(cx: &Context) -> Type {
    cx.dialect_type("pdl.value", &[])
}

/// `!pdl.range<element>`.
pub fn range_type(cx: &Context, element: Type) -> Type {
    cx.dialect_type("pdl.range", &[cx.type_attr(element)])
}

/// The list type of elements of type `element`, for any.
pub fn range_of(element: TypeRef<'_>) -> Option<Type> {
    Some(range_type(element.cx(), element.id()))
}

/// The element type of a list; `None` for other types.
pub fn element(ty: TypeRef<'_>) -> Option<TypeRef<'_>> {
    let param = *ty.params().first().filter(|_| ty.is_dialect_type("pdl.range"))?;
    ty.cx().attr(param).as_type()
}

/// The element type of a list, any other type itself.
pub fn element_or_self(ty: TypeRef<'_>) -> TypeRef<'_> {
    element(ty).unwrap_or(ty)
}
