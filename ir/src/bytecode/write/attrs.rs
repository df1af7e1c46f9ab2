//! Encodings of the attributes and locations of the `builtin` dialect, and of those that dialects declare.

use std::borrow::Cow;

use super::sink::{Key, Sink};
use crate::attributes::{Attr, AttrData, DenseElement};
use crate::bytecode::custom::{FieldEncoding, Resolved};
use crate::bytecode::encoding::attr_code as code;
use crate::context::Context;
use crate::location::{Loc, LocData, LocKind};
use crate::number::ApInt;
use crate::typedef::ParamPresence;

/// Writes an attribute. `false`, and nothing is written, when it has no encoding but its text.
pub(super) fn encode(cx: &Context, key: Key, sink: &mut impl Sink) -> bool {
    match key {
        Key::Attr(attr) => encode_attr(cx, attr, sink),
        Key::Loc(loc) => {
            encode_loc(cx, loc, sink);
            true
        }
        Key::Name(name) => {
            sink.varint(code::STRING);
            sink.string(cx.str(name).as_bytes());
            true
        }
        Key::FlatSymbol(root) => {
            sink.varint(code::FLAT_SYMBOL_REF);
            sink.name(root);
            true
        }
    }
}

fn encode_attr(cx: &Context, attr: Attr, sink: &mut impl Sink) -> bool {
    match cx.attr_data(attr) {
        AttrData::Array(elements) => {
            sink.varint(code::ARRAY);
            sink.list(elements.iter(), |sink, &element| sink.attr(element));
        }
        AttrData::Dictionary(entries) => {
            sink.varint(code::DICTIONARY);
            sink.list(entries.iter(), |sink, &(name, value)| {
                sink.name(name);
                sink.attr(value);
            });
        }
        AttrData::String { value, ty: None } => {
            sink.varint(code::STRING);
            sink.string(value);
        }
        AttrData::String { value, ty: Some(ty) } => {
            sink.varint(code::STRING_WITH_TYPE);
            sink.string(value);
            sink.ty(*ty);
        }
        AttrData::SymbolRef { root, nested } if nested.is_empty() => {
            sink.varint(code::FLAT_SYMBOL_REF);
            sink.name(*root);
        }
        AttrData::SymbolRef { root, nested } => {
            sink.varint(code::SYMBOL_REF);
            sink.name(*root);
            sink.list(nested.iter(), |sink, &name| sink.flat_symbol(name));
        }
        AttrData::Type(ty) => {
            sink.varint(code::TYPE);
            sink.ty(*ty);
        }
        AttrData::Unit => sink.varint(code::UNIT),
        AttrData::Integer { ty, value } => {
            sink.varint(code::INTEGER);
            sink.ty(*ty);
            encode_int(value, sink);
        }
        AttrData::Float { ty, bits } => {
            let Some(kind) = cx.ty(*ty).float_kind() else { return false };
            sink.varint(code::FLOAT);
            sink.ty(*ty);
            encode_int(&ApInt::from_u128(kind.width(), bits.get()), sink);
        }
        AttrData::Location(loc) => encode_loc(cx, *loc, sink),
        AttrData::DenseResource { ty, key } => {
            sink.varint(code::DENSE_RESOURCE);
            sink.ty(*ty);
            sink.resource(*key);
        }
        AttrData::DenseArray { element, data } => {
            let width = cx.ty(*element).int_or_float_width().unwrap_or(8);
            sink.varint(code::DENSE_ARRAY);
            sink.ty(*element);
            sink.varint((data.len() / (width as usize).div_ceil(8).max(1)) as u64);
            sink.blob(|| Cow::Borrowed(data));
        }
        AttrData::DenseElements { ty, data } => {
            let Some(element) = cx.ty(*ty).element_type().and_then(DenseElement::of) else { return false };
            sink.varint(code::DENSE_ELEMENTS);
            sink.ty(*ty);
            sink.blob(|| data.to_raw(element));
        }
        AttrData::DenseStrings { ty, values } => {
            let is_splat = values.len() == 1;
            sink.varint(code::DENSE_STRINGS);
            sink.ty(*ty);
            sink.varint(u64::from(is_splat));
            values.iter().for_each(|value| sink.string(value));
        }
        AttrData::SparseElements { ty, indices, values } => {
            sink.varint(code::SPARSE_ELEMENTS);
            sink.ty(*ty);
            sink.attr(*indices);
            sink.attr(*values);
        }
        AttrData::Distinct { referenced, .. } => {
            sink.varint(code::DISTINCT);
            sink.attr(*referenced);
        }
        AttrData::Dialect { name, params } => return encode_dialect_attr(cx, cx.str(*name), params, sink),
        AttrData::AffineMap(_) | AttrData::IntegerSet(_) | AttrData::Strided { .. } | AttrData::Opaque { .. } => {
            return false;
        }
    }
    true
}

/// An integer of known width: a byte, a number, or a list of the words that are not zero at its end.
fn encode_int(value: &ApInt, sink: &mut impl Sink) {
    let width = value.width();
    if width <= 64 {
        let bits = value.to_u64().unwrap_or_default();
        return if width <= 8 { sink.byte(bits as u8) } else { sink.signed_varint(bits.cast_signed()) };
    }
    let words: Vec<u64> = value.to_biguint().iter_u64_digits().collect();
    // Zero has a word as well.
    sink.varint(words.len().max(1) as u64);
    for word in words.iter().copied().chain(words.is_empty().then_some(0)) {
        sink.signed_varint(word.cast_signed());
    }
}

fn encode_loc(cx: &Context, loc: Loc, sink: &mut impl Sink) {
    let Some(data) = cx.loc_data(loc) else {
        if !matches!(loc.kind(), LocKind::Position(_)) || !sink.position(loc) {
            sink.varint(code::UNKNOWN_LOC);
        }
        return;
    };
    match data {
        LocData::FileRange { file, start, end } if start == end => {
            sink.varint(code::FILE_LINE_COL_LOC);
            sink.name(*file);
            sink.varint(u64::from(start.0));
            sink.varint(u64::from(start.1));
        }
        LocData::FileRange { file, start, end } => {
            sink.varint(code::FILE_LINE_COL_RANGE);
            sink.name(*file);
            let numbers: &[u32] = match (start, end) {
                (start, end) if start.1 == 0 && start.0 == end.0 && end.1 == 0 => &[start.0],
                (start, end) if start.0 == end.0 => &[start.0, start.1, end.1],
                (start, end) => &[start.0, start.1, end.0, end.1],
            };
            sink.list(numbers.iter(), |sink, &number| sink.varint(u64::from(number)));
        }
        LocData::Name { name, child } => {
            sink.varint(code::NAME_LOC);
            sink.name(*name);
            sink.loc(*child);
        }
        LocData::CallSite { callee, caller } => {
            sink.varint(code::CALL_SITE_LOC);
            sink.loc(*callee);
            sink.loc(*caller);
        }
        LocData::Fused { locs, metadata } => {
            sink.varint(if metadata.is_none() { code::FUSED_LOC } else { code::FUSED_LOC_WITH_METADATA });
            sink.list(locs.iter(), |sink, &loc| sink.loc(loc));
            if let Some(metadata) = metadata {
                sink.attr(*metadata);
            }
        }
    }
}

/// An attribute of a dialect that declares encodings. Text, where a parameter is there that the encoding has no place for, or where one
/// has a value that it cannot hold.
fn encode_dialect_attr(cx: &Context, name: &str, params: &[Attr], sink: &mut impl Sink) -> bool {
    let Some(dialect) = name.split_once('.').and_then(|(dialect, _)| cx.dialect(dialect)) else { return false };
    let found = dialect.attr_encodings.iter().position(|encoding| encoding.name == name);
    let Some((code, encoding)) = found.and_then(|code| Some((code, Resolved::of(cx, &dialect.attr_encodings[code])?)))
    else {
        return false;
    };
    let unit = cx.unit_attr();
    let has_place = |at: usize| encoding.fields.iter().any(|&(field, _)| field == at);
    if (0..params.len()).any(|at| params[at] != unit && !has_place(at)) {
        return false;
    }
    let optional = |at: usize| matches!(encoding.definition.params[at].presence, ParamPresence::Optional);
    let value = |at: usize| params.get(at).copied().filter(|&value| !(optional(at) && value == unit));
    if !encoding.fields.iter().all(|&(at, kind)| fits(cx, kind, value(at))) {
        return false;
    }
    let number = |attr: Attr| cx.attr(attr).as_ap_int().and_then(ApInt::to_u64).unwrap_or_default();
    sink.varint(code as u64);
    for &(at, kind) in &encoding.fields {
        let value = value(at);
        match kind {
            FieldEncoding::VarInt => sink.varint(value.map_or(0, number)),
            FieldEncoding::OptionalVarInt => sink.varint_with_flag(value.map_or(0, number), value.is_some()),
            FieldEncoding::Bool => sink.byte(value.map_or(0, number) as u8),
            FieldEncoding::String => {
                let bytes = value.and_then(|value| cx.attr(value).string_bytes());
                sink.string(bytes.unwrap_or_default());
            }
            FieldEncoding::Attr => value.into_iter().for_each(|value| sink.attr(value)),
            FieldEncoding::OptionalAttr => sink.optional_attr(value),
            FieldEncoding::AttrList | FieldEncoding::VarIntList => {
                let elements = value.map(|value| cx.attr(value).elements());
                let Some(elements) = elements.filter(|elements| elements.len() > 0) else {
                    sink.byte(0);
                    continue;
                };
                sink.byte(1);
                sink.list(elements, |sink, element| match kind {
                    FieldEncoding::VarIntList => sink.varint(number(element.id())),
                    _ => sink.optional_attr(Some(element.id())),
                });
            }
        }
    }
    true
}

/// Whether the encoding `kind` can hold the parameter `value`.
fn fits(cx: &Context, kind: FieldEncoding, value: Option<Attr>) -> bool {
    let Some(value) = value else { return kind != FieldEncoding::Attr && kind != FieldEncoding::String };
    let view = cx.attr(value);
    let is_number =
        |attr: crate::attributes::AttrRef<'_>| attr.as_ap_int().is_some_and(|value| value.to_u64().is_some());
    match kind {
        FieldEncoding::VarInt | FieldEncoding::Bool => is_number(view),
        FieldEncoding::OptionalVarInt => view.as_ap_int().and_then(ApInt::to_u64).is_some_and(|value| value >> 63 == 0),
        FieldEncoding::String => view.is_string() && view.ty().is_none(),
        FieldEncoding::Attr | FieldEncoding::OptionalAttr => true,
        FieldEncoding::AttrList => view.is_array(),
        FieldEncoding::VarIntList => view.is_array() && view.elements().all(is_number),
    }
}
