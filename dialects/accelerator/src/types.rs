//! The types and attributes of the dialect, and what element types of the IR are on a machine.

use dl_ir::types::{Signedness, TypeData};
use dl_ir::{Attr, Context, FloatKind, Type, TypeRef};
use dl_simulator::ElementType;

use crate::MEMORY_ATTR_DEF;

/// `!accelerator.token`.
pub fn token_type(cx: &Context) -> Type {
    cx.dialect_type("accelerator.token", &[])
}

/// `#accelerator.memory<"name">`.
pub fn memory_attr(cx: &Context, name: &str) -> Attr {
    cx.dialect_attr(&MEMORY_ATTR_DEF.name, &[cx.string_attr(name)])
}

/// The memory that a buffer of type `ty` is in, by its name in the description of the machine.
pub fn memory_of(ty: TypeRef<'_>) -> Option<&str> {
    let space = ty.memory_space().filter(|space| space.is_dialect_attr(&MEMORY_ATTR_DEF.name))?;
    let name = *space.params().first()?;
    space.cx().attr(name).as_str()
}

/// The element type of a machine that `ty`, of an element or of what has elements, stands for.
pub fn element_type(ty: TypeRef<'_>) -> Option<ElementType> {
    ty.element_or_self().to_string().parse().ok()
}

/// The type that stands for an element type of a machine; [`element_type`] is the way back.
pub fn of_element(cx: &Context, element: ElementType) -> Type {
    match element {
        ElementType::I8 => cx.int_type(8),
        ElementType::U8 => cx.intern_type(TypeData::Integer { width: 8, signedness: Signedness::Unsigned }),
        ElementType::I32 => cx.i32_type(),
        ElementType::F8E4M3FN => cx.float_type(FloatKind::F8E4M3FN),
        ElementType::F8E5M2 => cx.float_type(FloatKind::F8E5M2),
        ElementType::F16 => cx.float_type(FloatKind::F16),
        ElementType::BF16 => cx.float_type(FloatKind::BF16),
        ElementType::F32 => cx.f32_type(),
    }
}

/// A matrix in `memory`, its rows `stride` elements apart.
pub fn matrix_type(cx: &Context, [rows, columns]: [i64; 2], stride: i64, element: Type, memory: Attr) -> Type {
    let layout = (stride != columns).then(|| cx.strided_attr(&[stride, 1], 0));
    cx.memref_type_with(&[rows, columns], element, layout, Some(memory))
}
