//! The types of the dialect, and what is an LLVM type: those, and the builtin types that LLVM has too.
//!
//! Parameters of the dialect types, all stored as attributes:
//!
//! | type | parameters |
//! |---|---|
//! | `!llvm.ptr<space>` | address space, `i32` |
//! | `!llvm.array<n x T>` | element type, number of elements as `i64` |
//! | `!llvm.struct<"name", packed (T, U)>` | name (`""` for a literal struct), members (`unit` for an opaque struct), packed or not |
//! | `!llvm.func<R (A, B, ...)>` | result (`!llvm.void` for none), array of arguments, whether more may follow |
//! | `!llvm.target<"name", T, 1>` | name, array of types, array of `i32` |
//! | `void`, `token`, `label`, `metadata`, `ppc_fp128`, `x86_amx` | none |
//!
//! Inside another type of the dialect they are written without `!llvm.`: see [`syntax`](crate::type_syntax).

use dl_ir::typedef::TypeDefinition;
use dl_ir::{Attr, AttrRef, Context, FloatKind, Type, TypeData, TypeRef};

/// The type of what returns nothing.
pub static VOID: TypeDefinition = TypeDefinition::plain("llvm.void", "No value.");
/// Ties operations together that must not be separated.
pub static TOKEN: TypeDefinition = TypeDefinition::plain("llvm.token", "Ties operations together.");
/// The address of a block.
pub static LABEL: TypeDefinition = TypeDefinition::plain("llvm.label", "The address of a block.");
/// Metadata as an operand.
pub static METADATA: TypeDefinition = TypeDefinition::plain("llvm.metadata", "Metadata as an operand.");

/// `!llvm.ptr`.
pub fn ptr_type(cx: &Context) -> Type {
    ptr_type_in(cx, 0)
}

/// `!llvm.ptr<space>`.
pub fn ptr_type_in(cx: &Context, space: u32) -> Type {
    cx.dialect_type("llvm.ptr", &[cx.int_attr(cx.i32_type(), i64::from(space))])
}

/// `!llvm.void`.
pub fn void_type(cx: &Context) -> Type {
    cx.dialect_type("llvm.void", &[])
}

/// `!llvm.array<count x element>`.
pub fn array_type(cx: &Context, element: Type, count: u64) -> Type {
    cx.dialect_type("llvm.array", &[cx.type_attr(element), cx.int_attr(cx.i64_type(), count as i64)])
}

/// `!llvm.struct<(members)>`.
pub fn struct_type(cx: &Context, members: &[Type]) -> Type {
    struct_type_with(cx, "", Some(members), false)
}

/// `!llvm.struct<"name", packed (members)>`; a literal struct when the name is empty, opaque without members.
pub fn struct_type_with(cx: &Context, name: &str, members: Option<&[Type]>, packed: bool) -> Type {
    let members = members.map_or_else(|| cx.unit_attr(), |members| type_list(cx, members));
    cx.dialect_type("llvm.struct", &[cx.string_attr(name), members, cx.bool_attr(packed)])
}

/// `!llvm.func<result (args, ...)>`, with the `...` where `variadic` holds.
pub fn func_type(cx: &Context, result: Type, args: &[Type], variadic: bool) -> Type {
    cx.dialect_type("llvm.func", &[cx.type_attr(result), type_list(cx, args), cx.bool_attr(variadic)])
}

fn type_list(cx: &Context, types: &[Type]) -> Attr {
    let attrs: Vec<Attr> = types.iter().map(|&ty| cx.type_attr(ty)).collect();
    cx.array_attr(&attrs)
}

/// `!llvm.ptr` in any address space.
pub fn is_ptr(ty: TypeRef<'_>) -> bool {
    ty.is_dialect_type("llvm.ptr")
}

/// `!llvm.void`.
pub fn is_void(ty: TypeRef<'_>) -> bool {
    ty.is_dialect_type("llvm.void")
}

/// `!llvm.struct`.
pub fn is_struct(ty: TypeRef<'_>) -> bool {
    ty.is_dialect_type("llvm.struct")
}

/// `!llvm.array`.
pub fn is_array(ty: TypeRef<'_>) -> bool {
    ty.is_dialect_type("llvm.array")
}

/// `!llvm.func`.
pub fn is_func(ty: TypeRef<'_>) -> bool {
    ty.is_dialect_type("llvm.func")
}

/// Parameter `index` of a dialect type.
pub(crate) fn param(ty: TypeRef<'_>, index: usize) -> Option<AttrRef<'_>> {
    ty.params().get(index).map(|&attr| ty.cx().attr(attr))
}

/// Address space of a pointer.
pub fn address_space(ty: TypeRef<'_>) -> Option<u32> {
    if is_ptr(ty) { param(ty, 0)?.as_int().and_then(|n| u32::try_from(n).ok()) } else { None }
}

/// Element type of an array.
pub fn array_element(ty: TypeRef<'_>) -> Option<TypeRef<'_>> {
    if is_array(ty) { param(ty, 0)?.as_type() } else { None }
}

/// Number of elements of an array.
pub fn array_len(ty: TypeRef<'_>) -> Option<u64> {
    if is_array(ty) { param(ty, 1)?.as_ap_int()?.to_u64() } else { None }
}

/// Members of a struct; `None` for other types and opaque structs.
pub fn struct_members(ty: TypeRef<'_>) -> Option<Vec<TypeRef<'_>>> {
    let members = param(ty, 1).filter(|members| is_struct(ty) && members.is_array())?;
    members.elements().map(AttrRef::as_type).collect()
}

/// Result of a function type.
pub fn func_result(ty: TypeRef<'_>) -> Option<TypeRef<'_>> {
    if is_func(ty) { param(ty, 0)?.as_type() } else { None }
}

/// Arguments of a function type.
pub fn func_args(ty: TypeRef<'_>) -> Option<Vec<TypeRef<'_>>> {
    if is_func(ty) { param(ty, 1)?.elements().map(AttrRef::as_type).collect() } else { None }
}

/// Whether a function type ends with `...`.
pub fn func_is_variadic(ty: TypeRef<'_>) -> bool {
    is_func(ty) && param(ty, 2).and_then(AttrRef::as_bool).unwrap_or(false)
}

/// The type at `position` inside nested structs and arrays.
pub fn type_at<'c>(ty: TypeRef<'c>, position: &[i64]) -> Option<TypeRef<'c>> {
    position.iter().try_fold(ty, |ty, &index| {
        let index = usize::try_from(index).ok()?;
        if is_array(ty) {
            return array_element(ty).filter(|_| array_len(ty).is_some_and(|len| (index as u64) < len));
        }
        struct_members(ty)?.get(index).copied()
    })
}

/// A type that may be a member of a struct or element of an array: anything but what has no size.
pub fn is_element(ty: TypeRef<'_>) -> bool {
    !["llvm.void", "llvm.label", "llvm.metadata", "llvm.func", "llvm.token"].iter().any(|name| ty.is_dialect_type(name))
}

/// A type that a function may return.
pub fn is_func_result(ty: TypeRef<'_>) -> bool {
    !["llvm.func", "llvm.metadata", "llvm.label"].iter().any(|name| ty.is_dialect_type(name))
}

/// A type that a function may take.
pub fn is_func_arg(ty: TypeRef<'_>) -> bool {
    !["llvm.void", "llvm.func"].iter().any(|name| ty.is_dialect_type(name))
}

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
