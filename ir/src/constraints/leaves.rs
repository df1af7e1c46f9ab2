//! Questions about types and attributes that generated constraints ask. All are false for what they are not about.

use smallvec::SmallVec;

use crate::attributes::{AttrData, AttrRef};
use crate::opdef::EnumDef;
use crate::types::{FloatKind, Type, TypeRef};
use crate::view::OpRef;

// Types.

/// A vector or a tensor: its content is a value, not memory.
pub fn has_value_semantics(ty: TypeRef<'_>) -> bool {
    ty.is_vector() || ty.is_tensor()
}

/// Whether it is `si{width}`.
pub fn is_signed_integer_of(ty: TypeRef<'_>, width: u32) -> bool {
    ty.is_signed_integer() && ty.is_integer_of(width)
}

/// Whether it is `ui{width}`.
pub fn is_unsigned_integer_of(ty: TypeRef<'_>, width: u32) -> bool {
    ty.is_unsigned_integer() && ty.is_integer_of(width)
}

/// A float of this format.
pub fn is_float(ty: TypeRef<'_>, kind: FloatKind) -> bool {
    ty.float_kind() == Some(kind)
}

/// Ranked, with `rank` dimensions.
pub fn rank_is(ty: TypeRef<'_>, rank: usize) -> bool {
    ty.rank() == Some(rank)
}

/// Ranked, with `rank` dimensions or more.
pub fn rank_is_at_least(ty: TypeRef<'_>, rank: usize) -> bool {
    ty.rank().is_some_and(|r| r >= rank)
}

/// Ranked, with more than `rank` dimensions.
pub fn rank_is_more_than(ty: TypeRef<'_>, rank: usize) -> bool {
    ty.rank().is_some_and(|r| r > rank)
}

/// A memref whose address is an offset and a sum of index times stride.
pub fn is_strided_memref(ty: TypeRef<'_>) -> bool {
    let Some(rank) = ty.rank() else { return false };
    let simple = |l: AttrRef<'_>| l.is_strided() || l.is_identity_layout(rank);
    ty.is_ranked_memref() && (ty.memref_layout().is_none_or(simple) || ty.strided_layout().is_some())
}

// Attributes.

/// An integer of type `i{width}`.
pub fn is_signless(attr: AttrRef<'_>, width: u32) -> bool {
    attr.is_integer() && attr.ty().is_some_and(|ty| ty.is_signless_integer_of(width))
}

/// An integer of type `si{width}`.
pub fn is_signed(attr: AttrRef<'_>, width: u32) -> bool {
    attr.is_integer() && attr.ty().is_some_and(|ty| is_signed_integer_of(ty, width))
}

/// An integer of type `ui{width}`.
pub fn is_unsigned(attr: AttrRef<'_>, width: u32) -> bool {
    attr.is_integer() && attr.ty().is_some_and(|ty| is_unsigned_integer_of(ty, width))
}

/// An integer of `width` bits, signless or not.
pub fn has_width(attr: AttrRef<'_>, width: u32) -> bool {
    attr.is_integer() && attr.ty().is_some_and(|ty| ty.is_integer_of(width))
}

/// An integer of type `index`.
pub fn is_of_index(attr: AttrRef<'_>) -> bool {
    attr.is_integer() && attr.ty().is_some_and(TypeRef::is_index)
}

/// A float of this format.
pub fn is_of_float(attr: AttrRef<'_>, kind: FloatKind) -> bool {
    attr.is_float() && attr.ty().is_some_and(|ty| is_float(ty, kind))
}

/// An integer of at least `limit`.
pub fn is_at_least(attr: AttrRef<'_>, limit: i64) -> bool {
    attr.as_int().is_some_and(|value| value >= limit)
}

/// An integer of at most `limit`.
pub fn is_at_most(attr: AttrRef<'_>, limit: i64) -> bool {
    attr.as_int().is_some_and(|value| value <= limit)
}

/// An integer with one bit set.
pub fn is_power_of_two(attr: AttrRef<'_>) -> bool {
    attr.as_int().is_some_and(|value| value.count_ones() == 1)
}

/// Whether it is `array<i{width}: ...>`.
pub fn is_dense_array(attr: AttrRef<'_>, width: u32) -> bool {
    dense_array_element(attr).is_some_and(|ty| ty.is_signless_integer_of(width))
}

/// `array<...>` of floats of this format.
pub fn is_dense_float_array(attr: AttrRef<'_>, kind: FloatKind) -> bool {
    dense_array_element(attr).is_some_and(|ty| is_float(ty, kind))
}

/// `array<i64: ...>` in ascending order.
pub fn is_sorted(attr: AttrRef<'_>) -> bool {
    attr.is_dense_array() && attr.dense_ints().is_sorted()
}

/// `array<i64: ...>` without two equal numbers side by side.
pub fn has_no_equal_neighbours(attr: AttrRef<'_>) -> bool {
    attr.is_dense_array() && attr.dense_ints().zip(attr.dense_ints().skip(1)).all(|(a, b)| a != b)
}

/// `dense<...>` of integers or indices.
pub fn is_dense_int_elements(attr: AttrRef<'_>) -> bool {
    dense_element(attr).is_some_and(|ty| ty.is_integer() || ty.is_index())
}

/// Whether it is `dense<...>` of floats.
pub fn is_dense_float_elements(attr: AttrRef<'_>) -> bool {
    dense_element(attr).is_some_and(TypeRef::is_float)
}

/// Whether it is `dense<...>` of strings.
pub fn is_dense_string_elements(attr: AttrRef<'_>) -> bool {
    matches!(attr.data(), AttrData::DenseStrings { .. })
}

/// Whether it is `dense<...>` of `i{width}`.
pub fn elements_are_signless(attr: AttrRef<'_>, width: u32) -> bool {
    dense_element(attr).is_some_and(|ty| ty.is_signless_integer_of(width))
}

/// `dense<...>` of integers of `width` bits, signless or not.
pub fn elements_have_width(attr: AttrRef<'_>, width: u32) -> bool {
    dense_element(attr).is_some_and(|ty| ty.is_integer_of(width))
}

/// Whether it is `dense<...>` of `index`.
pub fn elements_are_index(attr: AttrRef<'_>) -> bool {
    dense_element(attr).is_some_and(TypeRef::is_index)
}

/// `dense<...>` of floats of this format.
pub fn elements_are_float(attr: AttrRef<'_>, kind: FloatKind) -> bool {
    dense_element(attr).is_some_and(|ty| is_float(ty, kind))
}

/// `dense<...>` of this shape.
pub fn elements_have_shape(attr: AttrRef<'_>, shape: &[i64]) -> bool {
    attr.ty().and_then(TypeRef::shape) == Some(shape)
}

/// Whether it is `loc(...)`.
pub fn is_location(attr: AttrRef<'_>) -> bool {
    matches!(attr.data(), AttrData::Location(_))
}

/// Any attribute of a dialect, also of one that is not registered.
pub fn is_dialect_attr(attr: AttrRef<'_>) -> bool {
    matches!(attr.data(), AttrData::Dialect { .. } | AttrData::Opaque { .. })
}

/// A value of the enumeration, stored as it says: one of its cases, or for a bit set, a union of some or of none.
pub fn is_case(attr: AttrRef<'_>, of: &EnumDef) -> bool {
    use crate::opdef::EnumStorage;
    let stored = match of.storage {
        EnumStorage::Integer(width) => is_signless(attr, width),
        EnumStorage::Dialect(name) => attr.is_dialect_attr(name),
    };
    let is_none = |value: u64| value == 0 && of.separator.is_some();
    stored && attr.enum_value().is_some_and(|value| is_none(value) || of.has(value))
}

fn dense_array_element(attr: AttrRef<'_>) -> Option<TypeRef<'_>> {
    match attr.data() {
        AttrData::DenseArray { element, .. } => Some(attr.cx().ty(*element)),
        _ => None,
    }
}

fn dense_element(attr: AttrRef<'_>) -> Option<TypeRef<'_>> {
    match attr.data() {
        AttrData::DenseElements { ty, .. } => attr.cx().ty(*ty).element_type(),
        _ => None,
    }
}

// Types that follow from types.

/// The type itself: for what has the type of something else.
pub fn itself(ty: TypeRef<'_>) -> Option<Type> {
    Some(ty.id())
}

/// The element type of a shaped or complex type.
pub fn element_type(ty: TypeRef<'_>) -> Option<Type> {
    ty.element_type().map(TypeRef::id)
}

/// `i1`, or the same shape of `i1`: what a comparison gives.
pub fn i1_same_shape(ty: TypeRef<'_>) -> Option<Type> {
    Some(ty.with_element(ty.cx().i1_type()))
}

/// The inputs of a function type.
pub fn inputs(ty: TypeRef<'_>) -> Option<SmallVec<[Type; 4]>> {
    ty.is_function().then(|| ty.inputs().into())
}

/// The results of a function type.
pub fn results(ty: TypeRef<'_>) -> Option<SmallVec<[Type; 4]>> {
    ty.is_function().then(|| ty.results().into())
}

/// The element type of a static shape once for each element. `None` above 2^24 elements: nobody writes them one by one.
pub fn one_type_an_element(ty: TypeRef<'_>) -> Option<SmallVec<[Type; 4]>> {
    let count = ty.num_elements().filter(|&n| n <= 1 << 24)?;
    Some(SmallVec::from_elem(ty.element_type()?.id(), usize::try_from(count).ok()?))
}

// Conditions on operations.

/// A result has the element type of an operand; a type that is not shaped counts as its own element type.
pub fn result_has_element_of(op: OpRef<'_>, result: usize, operand: usize) -> bool {
    let result = op.results().get(result).map(|value| value.ty().element_or_self());
    result == op.operands().get(operand).map(|value| value.ty().element_or_self())
}

/// The first two operands have one element type.
pub fn first_two_operands_have_one_element_type(op: OpRef<'_>) -> bool {
    let element = |index| op.operands().get(index).map(|value| value.ty().element_or_self());
    element(0) == element(1)
}
