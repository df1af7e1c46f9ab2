//! Where attributes of the dialect may stand, and what a data layout may say.

use dl_ir::{AttrRef, Diagnostic, OpRef, TypeData, TypeRef};

use crate::entries::entries;
use crate::generated::{DATA_LAYOUT_SPEC_ATTR_DEF, MAP_ATTR_DEF, TARGET_SYSTEM_SPEC_ATTR_DEF};

/// The name of the attribute that holds the data layout of what is inside an operation.
pub(crate) const DATA_LAYOUT: &str = "dlti.dl_spec";

/// The names that the dialect gives entries of a data layout.
const NAMES: [&str; 9] = [
    "endianness",
    "mangling_mode",
    "default_memory_space",
    "alloca_memory_space",
    "program_memory_space",
    "global_memory_space",
    "stack_alignment",
    "function_pointer_alignment",
    "legal_int_widths",
];

/// Attributes of this dialect on operations of any dialect.
pub(crate) fn verify_op_attr(op: OpRef<'_>, name: &str, attr: AttrRef<'_>) -> Result<(), Diagnostic> {
    if ![&DATA_LAYOUT_SPEC_ATTR_DEF, &MAP_ATTR_DEF, &TARGET_SYSTEM_SPEC_ATTR_DEF]
        .iter()
        .any(|definition| definition.name == name)
    {
        let message = format!("attribute '{name}' not supported by dialect");
        return Err(Diagnostic::error(op.loc(), message));
    }
    if !attr.is_dialect_attr(name) {
        let message = format!("'{name}' is expected to be a #{name} attribute");
        return Err(Diagnostic::error(op.loc(), message));
    }
    let has_layout = ["builtin.module", "gpu.module"].contains(&op.name());
    if name == DATA_LAYOUT && has_layout { verify_layout(op, attr) } else { Ok(()) }
}

fn verify_layout(op: OpRef<'_>, spec: AttrRef<'_>) -> Result<(), Diagnostic> {
    for (key, value) in entries(spec) {
        let verified = match key.as_type() {
            Some(ty) => verify_type_entry(ty, value),
            None => verify_named_entry(key.as_str().unwrap_or_default(), value),
        };
        verified.map_err(|message| Diagnostic::error(op.loc(), message))?;
    }
    Ok(())
}

fn verify_named_entry(key: &str, value: AttrRef<'_>) -> Result<(), String> {
    let Some(name) = key.strip_prefix("dlti.") else { return Ok(()) };
    if !NAMES.contains(&name) {
        return Err(format!("unknown data layout entry name: {key}"));
    }
    if name == "endianness" && !matches!(value.as_str(), Some("big" | "little")) {
        return Err(format!("'{key}' data layout entry is expected to be either 'big' or 'little'"));
    }
    Ok(())
}

fn verify_type_entry(ty: TypeRef<'_>, value: AttrRef<'_>) -> Result<(), String> {
    if ty.is_index() {
        let message = || format!("expected integer attribute in the data layout entry for '{ty}'");
        return if value.is_integer() { Ok(()) } else { Err(message()) };
    }
    let is_numbers =
        |width| value.is_dense_elements() && value.ty().is_some_and(|ty| ty.element_or_self().is_integer_of(width));
    if ty.is_integer() || ty.is_float() {
        let message = || {
            format!("expected a dense i64 elements attribute in the data layout entry #dlti.dl_entry<{ty}, {value}>")
        };
        return if is_numbers(64) { Ok(()) } else { Err(message()) };
    }
    if ty.is_dialect_type("llvm.ptr") {
        let count = value.dense_values().map(|values| values.len());
        let message = || {
            format!(
                "expected layout attribute for '{ty}' to be a dense integer elements attribute with 3 or 4 elements"
            )
        };
        return if matches!(count, Some(3 | 4)) { Ok(()) } else { Err(message()) };
    }
    match ty.data() {
        TypeData::Dialect { .. } if ty.is_dialect_type("llvm.struct") => Ok(()),
        TypeData::Dialect { .. } => Err("data layout specified for a type that does not support it".to_owned()),
        _ => Err("unexpected data layout for a built-in type".to_owned()),
    }
}
