//! What the definitions of types and attributes are called.

use dl_ir::location::LocData;
use dl_ir::{Attr, AttrData, Context, Type, TypeData};

/// The types of the `builtin` dialect but floating-point formats, which are called as they are written.
const BUILTIN_TYPES: &[&str] = &[
    "complex",
    "function",
    "index",
    "integer",
    "memref",
    "none",
    "opaque",
    "tensor",
    "tuple",
    "unranked_memref",
    "unranked_tensor",
    "vector",
];

/// The attributes of the `builtin` dialect.
const BUILTIN_ATTRS: &[&str] = &[
    "affine_map",
    "array",
    "dense_array",
    "dense_resource_elements",
    "dense_string_elements",
    "dense_int_or_fp_elements",
    "dictionary",
    "distinct",
    "file_line_range",
    "call_site_loc",
    "float",
    "fused_loc",
    "integer",
    "integer_set",
    "name_loc",
    "opaque",
    "sparse_elements",
    "strided_layout",
    "string",
    "symbol_ref",
    "type",
    "unit",
    "unknown_loc",
];

/// `dialect.mnemonic` of a type.
pub(super) fn name_of_type(cx: &Context, ty: Type) -> String {
    let builtin = match cx.type_data(ty) {
        TypeData::Integer { .. } => "integer",
        TypeData::Index => "index",
        TypeData::Float(kind) => kind.keyword(),
        TypeData::None => "none",
        TypeData::Complex(_) => "complex",
        TypeData::Vector { .. } => "vector",
        TypeData::RankedTensor { .. } => "tensor",
        TypeData::UnrankedTensor { .. } => "unranked_tensor",
        TypeData::MemRef { .. } => "memref",
        TypeData::UnrankedMemRef { .. } => "unranked_memref",
        TypeData::Function { .. } => "function",
        TypeData::Tuple(_) => "tuple",
        TypeData::Opaque { .. } => "opaque",
        TypeData::Dialect { name, .. } => return cx.str(*name).to_owned(),
    };
    format!("builtin.{builtin}")
}

/// `dialect.mnemonic` of an attribute.
pub(super) fn name_of_attr(cx: &Context, attr: Attr) -> String {
    let builtin = match cx.attr_data(attr) {
        AttrData::Unit => "unit",
        AttrData::Integer { .. } => "integer",
        AttrData::Float { .. } => "float",
        AttrData::String { .. } => "string",
        AttrData::Type(_) => "type",
        AttrData::Array(_) => "array",
        AttrData::Dictionary(_) => "dictionary",
        AttrData::SymbolRef { .. } => "symbol_ref",
        AttrData::DenseElements { .. } => "dense_int_or_fp_elements",
        AttrData::DenseStrings { .. } => "dense_string_elements",
        AttrData::DenseResource { .. } => "dense_resource_elements",
        AttrData::SparseElements { .. } => "sparse_elements",
        AttrData::DenseArray { .. } => "dense_array",
        AttrData::AffineMap(_) => "affine_map",
        AttrData::IntegerSet(_) => "integer_set",
        AttrData::Strided { .. } => "strided_layout",
        AttrData::Location(loc) => match cx.loc_data(*loc) {
            Some(LocData::Name { .. }) => "name_loc",
            Some(LocData::CallSite { .. }) => "call_site_loc",
            Some(LocData::Fused { .. }) => "fused_loc",
            None if loc.is_unknown() => "unknown_loc",
            None | Some(LocData::FileRange { .. }) => "file_line_range",
        },
        AttrData::Distinct { .. } => "distinct",
        AttrData::Opaque { .. } => "opaque",
        AttrData::Dialect { name, .. } => return cx.str(*name).to_owned(),
    };
    format!("builtin.{builtin}")
}

/// Whether there is a type called `name`.
pub(super) fn is_type(cx: &Context, name: &str) -> bool {
    match name.strip_prefix("builtin.") {
        Some(name) => BUILTIN_TYPES.contains(&name) || dl_ir::FloatKind::ALL.iter().any(|kind| kind.keyword() == name),
        None => cx.type_definition(cx.ident(name)).is_some(),
    }
}

/// Whether there is an attribute called `name`.
pub(super) fn is_attr(cx: &Context, name: &str) -> bool {
    match name.strip_prefix("builtin.") {
        Some(name) => BUILTIN_ATTRS.contains(&name),
        None => cx.attr_definition(cx.ident(name)).is_some(),
    }
}
