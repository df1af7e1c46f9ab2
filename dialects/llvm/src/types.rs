//! What is an LLVM type: the builtin types that LLVM has too, and the types of this dialect.
//!
//! `!llvm.struct` has three parameters: its name (empty for a literal struct), its members (`unit` for an opaque struct) and
//! whether it is packed.

use dl_ir::{FloatKind, Type, TypeData, TypeRef};

/// A float that LLVM has.
pub fn is_float(ty: TypeRef<'_>) -> bool {
    use FloatKind::{BF16, F16, F32, F64, F80, F128};
    ty.is_dialect_type("llvm.ppc_fp128")
        || ty.float_kind().is_some_and(|k| matches!(k, BF16 | F16 | F32 | F64 | F80 | F128))
}

/// A vector that LLVM has: of one dimension, its elements signless integers, floats or pointers.
pub fn is_vector(ty: TypeRef<'_>) -> bool {
    let element =
        |e: TypeRef<'_>| e.is_signless_integer() || is_float(e) || e.is_dialect_type("llvm.ptr");
    ty.is_vector() && ty.rank() == Some(1) && ty.element_type().is_some_and(element)
}

/// A type that LLVM has. Members of structs and arrays are not looked at: they are checked when such a type is made.
pub fn is_compatible(ty: TypeRef<'_>) -> bool {
    ty.is_signless_integer() || is_float(ty) || is_vector(ty) || is_own(ty)
}

/// A type whose values can be in memory.
pub fn is_loadable(ty: TypeRef<'_>) -> bool {
    let without_values = ty.is_dialect_type("llvm.void") || ty.is_dialect_type("llvm.func");
    is_compatible(ty) && !without_values && !is_opaque_struct(ty)
}

/// A struct whose members are not known.
pub fn is_opaque_struct(ty: TypeRef<'_>) -> bool {
    ty.is_dialect_type("llvm.struct")
        && ty.params().get(1).is_some_and(|&body| ty.cx().attr(body).is_unit())
}

/// A pointer in address space 0.
pub fn is_in_default_space(ty: TypeRef<'_>) -> bool {
    ty.is_dialect_type("llvm.ptr")
        && ty.params().first().is_none_or(|&space| ty.cx().attr(space).as_int() == Some(0))
}

/// A type of another dialect: such types say themselves whether they can be in memory.
pub fn is_sized_type_of_a_dialect(ty: TypeRef<'_>) -> bool {
    matches!(ty.data(), TypeData::Dialect { .. }) && !is_own(ty)
}

/// `!llvm.struct<(T, i1)>`: what comparing and exchanging a `T` gives.
pub fn struct_of_it_and_bool(ty: TypeRef<'_>) -> Option<Type> {
    let cx = ty.cx();
    let members = [cx.type_attr(ty.id()), cx.type_attr(cx.i1_type())];
    Some(cx.dialect_type(
        "llvm.struct",
        &[cx.string_attr(""), cx.array_attr(&members), cx.bool_attr(false)],
    ))
}

/// A type of this dialect.
fn is_own(ty: TypeRef<'_>) -> bool {
    matches!(ty.data(), TypeData::Dialect { name, .. } if ty.cx().str(*name).starts_with("llvm."))
}
