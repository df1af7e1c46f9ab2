//! The types of the dialect, and what is an LLVM type: those, and the builtin types that LLVM has too.
//!
//! Parameters of the dialect types, all stored as attributes:
//!
//! | type | parameters |
//! |---|---|
//! | `!llvm.ptr<space>` | address space, `i32` |
//! | `!llvm.array<n x T>` | element type, number of elements as `i64` |
//! | `!llvm.struct<"name", packed (T, U)>` | name (`""` for a literal struct), members (`unit` for an opaque struct), packed or not |
//! | `!llvm.struct<"name">`, within the struct of that name only | name |
//! | `!llvm.func<R (A, B, ...)>` | result (`!llvm.void` for none), array of arguments, whether more may follow |
//! | `!llvm.target<"name", T, 1>` | name, array of types, array of `i32` |
//! | `void`, `token`, `label`, `metadata`, `ppc_fp128`, `x86_amx` | none |
//!
//! Inside another type of the dialect they are written without `!llvm.`.

use dl_ir::typedef::TypeDefinition;
use dl_ir::{AttrRef, Context, FloatKind, Type, TypeData, TypeRef};
use rustc_hash::FxHashSet;

/// `!llvm.ptr` in address space 0.
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

/// `!llvm.struct<(members)>`.
pub fn struct_type(cx: &Context, members: &[Type]) -> Type {
    struct_type_with(cx, "", Some(members), false)
}

/// `!llvm.struct<"name", packed (members)>`; a literal struct when the name is empty, opaque without members.
pub fn struct_type_with(cx: &Context, name: &str, members: Option<&[Type]>, packed: bool) -> Type {
    let members = members.map(|members| members.iter().map(|&ty| cx.type_attr(ty)).collect::<Vec<_>>());
    let members = members.map_or_else(|| cx.unit_attr(), |members| cx.array_attr(&members));
    cx.dialect_type("llvm.struct", &[cx.string_attr(name), members, cx.bool_attr(packed)])
}

/// `!llvm.struct<"name">`: within the body of the struct called `name`, that struct.
pub fn struct_reference(cx: &Context, name: &str) -> Type {
    cx.dialect_type("llvm.struct", &[cx.string_attr(name)])
}

/// Whether `ty` refers to the struct around it.
pub fn is_struct_reference(ty: TypeRef<'_>) -> bool {
    is_struct(ty) && ty.params().len() == 1
}

/// The name of an identified struct.
pub fn struct_name(ty: TypeRef<'_>) -> Option<&str> {
    let name = ty.params().first().filter(|_| is_struct(ty))?;
    ty.cx().attr(*name).as_str().filter(|name| !name.is_empty())
}

/// Whether an identified or literal struct is packed.
pub fn is_packed(ty: TypeRef<'_>) -> bool {
    is_struct(ty) && ty.params().get(2).is_some_and(|&packed| ty.cx().attr(packed).as_bool() == Some(true))
}

/// `member` of a struct with `whole` where it refers to that struct, whose reference is `reference`.
pub fn with_reference_replaced(cx: &Context, member: Type, reference: Type, whole: Type) -> Type {
    if member == reference {
        return whole;
    }
    let replaced = |ty: Type| with_reference_replaced(cx, ty, reference, whole);
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
        let view = cx.ty(member);
        if let Some((element, count)) = array_parts(view) {
            return array_type(cx, replaced(element), count);
        }
        match struct_members(view) {
            Some(members) if struct_name(view).is_none() => {
                let members: Vec<Type> = members.into_iter().map(replaced).collect();
                struct_type_with(cx, "", Some(&members), is_packed(view))
            }
            _ => member,
        }
    })
}

/// `!llvm.array<count x element>`.
pub fn array_type(cx: &Context, element: Type, count: u64) -> Type {
    cx.dialect_type("llvm.array", &[cx.type_attr(element), cx.i64_attr(count.cast_signed())])
}

/// `!llvm.func<result (params)>`, with `...` where `variadic`.
pub fn func_type(cx: &Context, result: Type, params: &[Type], variadic: bool) -> Type {
    let params: Vec<_> = params.iter().map(|&ty| cx.type_attr(ty)).collect();
    cx.dialect_type("llvm.func", &[cx.type_attr(result), cx.array_attr(&params), cx.bool_attr(variadic)])
}

/// Members of a struct type, which may [refer](is_struct_reference) to it; `None` for other types and opaque structs.
pub fn struct_members(ty: TypeRef<'_>) -> Option<Vec<Type>> {
    let cx = ty.cx();
    let body = ty.is_dialect_type("llvm.struct").then(|| ty.params().get(1)).flatten()?;
    let body = cx.attr(*body);
    body.is_array().then(|| body.elements().filter_map(AttrRef::as_type).map(TypeRef::id).collect())
}

/// Element type and length of an array type.
pub fn array_parts(ty: TypeRef<'_>) -> Option<(Type, u64)> {
    let cx = ty.cx();
    let [element, count] = ty.is_dialect_type("llvm.array").then(|| ty.params())? else {
        return None;
    };
    Some((cx.attr(*element).as_type()?.id(), cx.attr(*count).as_ap_int()?.to_u64()?))
}

/// Result, parameters and whether more may follow, of a function type.
pub fn func_parts(ty: TypeRef<'_>) -> Option<(Type, Vec<Type>, bool)> {
    let cx = ty.cx();
    let [result, params, variadic] = ty.is_dialect_type("llvm.func").then(|| ty.params())? else {
        return None;
    };
    let params = cx.attr(*params).elements().filter_map(AttrRef::as_type).map(TypeRef::id).collect();
    Some((cx.attr(*result).as_type()?.id(), params, cx.attr(*variadic).as_bool()?))
}

/// The type of what lies at `position` in an aggregate: a struct or an array, nested or not.
pub fn element_at(cx: &Context, aggregate: Type, position: &[i64]) -> Option<Type> {
    position.iter().try_fold(aggregate, |ty, &at| {
        let at = usize::try_from(at).ok()?;
        let view = cx.ty(ty);
        if let Some(members) = struct_members(view) {
            let member = *members.get(at)?;
            return Some(match struct_name(view) {
                Some(name) => with_reference_replaced(cx, member, struct_reference(cx, name), ty),
                None => member,
            });
        }
        let (element, count) = array_parts(view)?;
        ((at as u64) < count).then_some(element)
    })
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

/// Address space of a pointer.
pub fn address_space(ty: TypeRef<'_>) -> Option<u32> {
    let space = ty.params().first().filter(|_| is_ptr(ty))?;
    ty.cx().attr(*space).as_int().and_then(|n| u32::try_from(n).ok())
}

/// Whether a function type ends with `...`.
pub fn is_variadic_func(ty: TypeRef<'_>) -> bool {
    func_parts(ty).is_some_and(|(.., variadic)| variadic)
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

/// No value: the result of a function without one.
pub static VOID: TypeDefinition = TypeDefinition::plain("llvm.void", "No value: the result of a function without one.");
/// What ties some intrinsics together.
pub static TOKEN: TypeDefinition = TypeDefinition::plain("llvm.token", "What ties some intrinsics together.");
/// A block.
pub static LABEL: TypeDefinition = TypeDefinition::plain("llvm.label", "A block.");
/// Metadata as an argument.
pub static METADATA: TypeDefinition = TypeDefinition::plain("llvm.metadata", "Metadata as an argument.");

/// Types that MLIR has in the dialect without a definition in ODS.
pub static TYPES_WITHOUT_ODS: &[&TypeDefinition] = &[&VOID, &TOKEN, &LABEL, &METADATA];

/// A float that LLVM has.
pub fn is_float(ty: TypeRef<'_>) -> bool {
    use FloatKind::{BF16, F16, F32, F64, F80, F128};
    ty.is_dialect_type("llvm.ppc_fp128")
        || ty.float_kind().is_some_and(|k| matches!(k, BF16 | F16 | F32 | F64 | F80 | F128))
}

/// A vector that LLVM has: of one dimension, its elements signless integers, floats or pointers.
pub fn is_vector(ty: TypeRef<'_>) -> bool {
    let element = |e: TypeRef<'_>| e.is_signless_integer() || is_float(e) || e.is_dialect_type("llvm.ptr");
    ty.is_vector() && ty.rank() == Some(1) && ty.element_type().is_some_and(element)
}

/// A type that LLVM has. Members of structs and arrays are not looked at: they are checked when such a type is made.
pub fn is_compatible(ty: TypeRef<'_>) -> bool {
    ty.is_signless_integer() || is_float(ty) || is_vector(ty) || is_own(ty)
}

/// A type that LLVM has, and so are those that it is made of. Costs O(types in it).
pub fn is_compatible_throughout(ty: TypeRef<'_>) -> bool {
    let cx = ty.cx();
    let (mut pending, mut seen) = (vec![ty.id()], FxHashSet::default());
    while let Some(ty) = pending.pop() {
        if !seen.insert(ty) {
            continue;
        }
        let view = cx.ty(ty);
        if !is_compatible(view) {
            return false;
        }
        pending.extend(struct_members(view).into_iter().flatten());
        pending.extend(array_parts(view).map(|(element, _)| element));
        if let Some((result, params, _)) = func_parts(view) {
            pending.push(result);
            pending.extend(params);
        }
    }
    true
}

/// A type whose values can be in memory.
pub fn is_loadable(ty: TypeRef<'_>) -> bool {
    let without_values = ty.is_dialect_type("llvm.void") || ty.is_dialect_type("llvm.func");
    is_compatible(ty) && !without_values && !is_opaque_struct(ty) && is_storable_target(ty)
}

/// The name of a target extension type.
fn target_name(ty: TypeRef<'_>) -> Option<&str> {
    let name = ty.params().first().filter(|_| ty.is_dialect_type("llvm.target"))?;
    ty.cx().attr(*name).as_str()
}

/// Whether a target extension type has a zero. Source of this and the two below: the properties that LLVM gives such types.
pub fn has_zero(ty: TypeRef<'_>) -> bool {
    target_name(ty).is_some_and(|name| name.starts_with("spirv."))
}

/// Whether a target extension type can be the type of a global.
pub fn can_be_global(ty: TypeRef<'_>) -> bool {
    has_zero(ty) || target_name(ty) == Some("amdgcn.named.barrier")
}

/// Whether values of a target extension type can be in memory; true of all other types.
pub fn is_storable_target(ty: TypeRef<'_>) -> bool {
    target_name(ty).is_none_or(|name| name == "aarch64.svcount" || has_zero(ty))
}

/// A struct whose members are not known.
pub fn is_opaque_struct(ty: TypeRef<'_>) -> bool {
    ty.is_dialect_type("llvm.struct") && ty.params().get(1).is_some_and(|&body| ty.cx().attr(body).is_unit())
}

/// A pointer in address space 0.
pub fn is_in_default_space(ty: TypeRef<'_>) -> bool {
    ty.is_dialect_type("llvm.ptr") && ty.params().first().is_none_or(|&space| ty.cx().attr(space).as_int() == Some(0))
}

/// A type of another dialect: such types say themselves whether they can be in memory.
pub fn is_sized_type_of_a_dialect(ty: TypeRef<'_>) -> bool {
    matches!(ty.data(), TypeData::Dialect { .. }) && !is_own(ty)
}

/// `!llvm.struct<(T, i1)>`: what comparing and exchanging a `T` gives.
pub fn struct_of_it_and_bool(ty: TypeRef<'_>) -> Option<Type> {
    let cx = ty.cx();
    let members = [ty.id(), cx.i1_type()];
    Some(struct_type(cx, &members))
}

/// A type of this dialect.
fn is_own(ty: TypeRef<'_>) -> bool {
    matches!(ty.data(), TypeData::Dialect { name, .. } if ty.cx().str(*name).starts_with("llvm."))
}
