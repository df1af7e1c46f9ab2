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
    if ty.is_integer() || ty.is_float() || ty.is_dialect_type("llvm.ppc_fp128") {
        return verify_number_entry(ty, value);
    }
    match ty.data() {
        TypeData::Dialect { .. } if ty.is_dialect_type("llvm.ptr") => verify_pointer_entry(ty, value),
        TypeData::Dialect { .. } if ty.is_dialect_type("llvm.struct") => verify_struct_entry(ty, value),
        TypeData::Dialect { .. } if ty.is_dialect_type("llvm.array") => Ok(()),
        TypeData::Dialect { .. } => Err("data layout specified for a type that does not support it".to_owned()),
        _ => Err("unexpected data layout for a built-in type".to_owned()),
    }
}

/// The alignment that is required, and the preferred one.
fn verify_number_entry(ty: TypeRef<'_>, value: AttrRef<'_>) -> Result<(), String> {
    let fail = |message: &str| Err(format!("{message} data layout entry #dlti.dl_entry<{ty}, {value}>"));
    let Some(numbers) = integers(value).filter(|_| are_i64(value)) else {
        return fail("expected a dense i64 elements attribute in the");
    };
    match *numbers {
        [_] => Ok(()),
        [abi, preferred] if preferred < abi => {
            fail("preferred alignment is expected to be greater than or equal to the abi alignment in")
        }
        [_, _] => Ok(()),
        _ => fail("expected 1 or 2 elements in the"),
    }
}

/// Size, alignments, and the size of an index.
fn verify_pointer_entry(ty: TypeRef<'_>, value: AttrRef<'_>) -> Result<(), String> {
    let numbers = integers(value).unwrap_or_default();
    let ([_, abi, preferred] | [_, abi, preferred, _]) = *numbers else {
        return Err(format!(
            "expected layout attribute for '{ty}' to be a dense integer elements attribute with 3 or 4 elements"
        ));
    };
    if !are_i64(value) {
        return Err(format!("expected i64 parameters for '{ty}'"));
    }
    verify_order(abi, preferred)
}

/// The alignments of all structs, said of the one without a name and members.
fn verify_struct_entry(ty: TypeRef<'_>, value: AttrRef<'_>) -> Result<(), String> {
    let numbers = integers(value).unwrap_or_default();
    let ([abi] | [abi, _]) = *numbers else {
        return Err(format!(
            "expected layout attribute for '{ty}' to be a dense integer elements attribute of 1 or 2 elements"
        ));
    };
    if !are_i64(value) {
        return Err(format!("expected i64 entries for '{ty}'"));
    }
    if !["!llvm.struct<()>", "!llvm.struct<packed ()>"].contains(&ty.to_string().as_str()) {
        return Err(format!("unexpected layout attribute for struct '{ty}'"));
    }
    verify_order(abi, numbers.get(1).copied().unwrap_or(abi))
}

fn verify_order(abi: i64, preferred: i64) -> Result<(), String> {
    let message = "preferred alignment is expected to be at least as large as ABI alignment";
    if preferred >= abi { Ok(()) } else { Err(message.to_owned()) }
}

/// The most numbers that are looked at: entries have fewer, and one number may stand for any count of them.
const MOST: usize = 8;

/// The integers of `dense<...>`, at least the first of them.
fn integers(value: AttrRef<'_>) -> Option<Vec<i64>> {
    value.dense_values()?.take(MOST).map(AttrRef::as_int).collect()
}

fn are_i64(value: AttrRef<'_>) -> bool {
    value.ty().is_some_and(|ty| ty.element_or_self().is_integer_of(64))
}
