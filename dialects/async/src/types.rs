//! The types of the dialect.

use dl_ir::{Context, Type, TypeRef};

/// `!async.value<ty>`.
pub fn value_type(cx: &Context, ty: Type) -> Type {
    cx.dialect_type("async.value", &[cx.type_attr(ty)])
}

/// `!async.token`.
pub fn token_type(cx: &Context) -> Type {
    cx.dialect_type("async.token", &[])
}

/// The type of what is in a value; `None` for other types.
pub fn awaited(ty: TypeRef<'_>) -> Option<Type> {
    let param = *ty.params().first().filter(|_| ty.is_dialect_type("async.value"))?;
    ty.cx().attr(param).as_type().map(TypeRef::id)
}

/// A token.
pub fn is_token(ty: TypeRef<'_>) -> bool {
    ty.is_dialect_type("async.token")
}

/// A value.
pub fn is_value(ty: TypeRef<'_>) -> bool {
    ty.is_dialect_type("async.value")
}
