//! The kinds of types that transformations handle.

use dl_ir::{Attr, Context, TypeRef};

/// What a value of a transformation stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Operations.
    Op,
    /// Values.
    Value,
    /// Attributes.
    Param,
}

/// The kind of `ty`; `None` for types that transformations do not handle.
pub fn kind(ty: TypeRef<'_>) -> Option<Kind> {
    if is_op_handle(ty) {
        Some(Kind::Op)
    } else if is_value_handle(ty) {
        Some(Kind::Value)
    } else if is_param(ty) {
        Some(Kind::Param)
    } else {
        None
    }
}

/// A handle on operations.
pub fn is_op_handle(ty: TypeRef<'_>) -> bool {
    ["transform.any_op", "transform.op", "pdl.operation"].iter().any(|name| ty.is_dialect_type(name))
}

/// A handle on values.
pub fn is_value_handle(ty: TypeRef<'_>) -> bool {
    ty.is_dialect_type("transform.any_value")
}

/// A parameter.
pub fn is_param(ty: TypeRef<'_>) -> bool {
    ["any_param", "param", "affine_map", "type"].iter().any(|name| ty.is_dialect_type(&format!("transform.{name}")))
}

/// Parameters that say their type are integers of 64 bits at most.
pub(crate) fn verify_param(cx: &Context, params: &[Attr]) -> Result<(), String> {
    let width = params.first().and_then(|&ty| cx.attr(ty).as_type()?.int_width());
    if width.is_some_and(|width| width <= 64) {
        return Ok(());
    }
    Err("only supports integer types with width <=64".to_owned())
}

/// A handle on operations of the given name.
pub fn is_handle_on(ty: TypeRef<'_>, name: &str) -> bool {
    let param = ty.params().first().filter(|_| ty.is_dialect_type("transform.op"));
    param.is_some_and(|&param| ty.cx().attr(param).as_str() == Some(name))
}
