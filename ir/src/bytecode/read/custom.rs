//! Attributes and types of dialects with encodings of their own.

use super::cursor::{Cursor, Read};
use super::entries::Decoder;
use crate::attributes::{Attr, AttrData};
use crate::bytecode::custom::{FieldEncoding, Resolved, TypeEncoding, TypeField};
use crate::context::Context;
use crate::text::text_of;
use crate::typedef::{ParamDef, ParamKind, ParamPresence};
use crate::types::{FloatKind, Type};

impl<'b> Decoder<'_, '_, 'b> {
    /// An attribute, after its code.
    pub(super) fn encoded_attr(&mut self, encoding: &Resolved<'_>, cursor: &mut Cursor<'b>) -> Read<Attr> {
        let cx = self.cx;
        let definition = encoding.definition;
        let mut params = vec![cx.unit_attr(); definition.params.len()];
        for &(at, kind) in &encoding.fields {
            let param = &definition.params[at];
            if let Some(value) = self.field(kind, param, cursor)? {
                // A zero that need not be given has no name.
                let is_required = matches!(param.presence, ParamPresence::Required);
                let is_absent = !is_required && cx.attr(value).as_int() == Some(0);
                if !is_absent && let Some(wanted) = misfit(cx, &param.kind, value) {
                    let (name, value) = (&definition.name, cx.attr(value));
                    let message = format!("parameter '{}' of '{name}' is {value}, not {wanted}", param.name);
                    return Err(cursor.fault(message));
                }
                params[at] = value;
            } else if !matches!(param.presence, ParamPresence::Optional) {
                let message = format!("'{}' misses its parameter '{}'", definition.name, param.name);
                return Err(cursor.fault(message));
            }
        }
        Ok(cx.dialect_attr(&definition.name, &params))
    }

    /// A type, after its code.
    pub(super) fn encoded_type(&mut self, encoding: &TypeEncoding, cursor: &mut Cursor<'b>) -> Read<Type> {
        let params: Vec<Attr> =
            encoding.fields.iter().map(|&field| self.type_field(field, cursor)).collect::<Read<_>>()?;
        (encoding.make)(self.cx, &params).map_err(|message| cursor.fault(message))
    }

    fn type_field(&mut self, field: TypeField, cursor: &mut Cursor<'b>) -> Read<Attr> {
        let cx = self.cx;
        let float = |bits: i64| cx.float_attr(cx.float_type(FloatKind::F64), f64::from_bits(bits.cast_unsigned()));
        Ok(match field {
            TypeField::VarInt => {
                let value = cursor.varint()?;
                let value = i64::try_from(value).map_err(|_| cursor.fault(format!("number {value} is too large")))?;
                cx.i64_attr(value)
            }
            TypeField::SignedVarInt => cx.i64_attr(cursor.signed_varint()?),
            TypeField::F64 => float(cursor.signed_varint()?),
            TypeField::Type => cx.type_attr(self.ty(cursor)?),
            TypeField::Attr => self.attr(cursor)?,
            TypeField::SignedVarIntList => cx.dense_i64_array(&self.list(cursor, |_, cursor| cursor.signed_varint())?),
            TypeField::F64List => {
                let list = self.list(cursor, |_, cursor| cursor.signed_varint().map(float))?;
                cx.array_attr(&list)
            }
        })
    }

    fn field(&mut self, kind: FieldEncoding, param: &ParamDef, cursor: &mut Cursor<'b>) -> Read<Option<Attr>> {
        let cx = self.cx;
        // A parameter that may be missing is missing where it has the value that stands for that.
        let is_optional = matches!(param.presence, ParamPresence::Optional);
        Ok(match kind {
            FieldEncoding::VarInt => {
                let value = cursor.varint()?;
                if value == 0 && is_optional { None } else { Some(self.number(&param.kind, value, cursor)?) }
            }
            FieldEncoding::OptionalVarInt => {
                let (value, is_there) = cursor.varint_with_flag()?;
                if is_there { Some(self.number(&param.kind, value, cursor)?) } else { None }
            }
            FieldEncoding::Bool => {
                let value = cursor.byte()? != 0;
                if !value && is_optional { None } else { Some(cx.bool_attr(value)) }
            }
            FieldEncoding::String => {
                let value = self.strings.at(cursor)?.into();
                Some(cx.intern_attr(AttrData::String { value, ty: None }))
            }
            FieldEncoding::Attr => Some(self.attr(cursor)?),
            FieldEncoding::OptionalAttr => self.optional_attr(cursor)?,
            FieldEncoding::AttrList | FieldEncoding::VarIntList => {
                if cursor.byte()? == 0 {
                    return Ok(None);
                }
                let element = match &param.kind {
                    ParamKind::Array(element) => *element,
                    other => other,
                };
                let list = self.list(cursor, |d, cursor| {
                    if kind == FieldEncoding::VarIntList {
                        let value = cursor.varint()?;
                        return d.number(element, value, cursor);
                    }
                    d.optional_attr(cursor)?.ok_or_else(|| cursor.fault("a list with a missing attribute in it"))
                })?;
                if list.is_empty() && is_optional { None } else { Some(cx.array_attr(&list)) }
            }
        })
    }

    /// The attribute that stores the number `value` of a parameter of this kind.
    fn number(&self, kind: &ParamKind, value: u64, cursor: &Cursor<'_>) -> Read<Attr> {
        let width = match kind {
            ParamKind::Int(width) | ParamKind::Uint(width) => *width,
            _ => 64,
        };
        if width < 64 && value >> width != 0 {
            return Err(cursor.fault(format!("number {value} does not fit {width} bits")));
        }
        Ok(self.cx.int_attr(self.cx.int_type(width), value.cast_signed()))
    }
}

/// What a parameter of this kind should be, where `value` is something else.
fn misfit(cx: &Context, kind: &ParamKind, value: Attr) -> Option<String> {
    let view = cx.attr(value);
    match kind {
        ParamKind::AttrOf(name) if !view.is_dialect_attr(name) => Some(format!("an attribute '#{name}'")),
        ParamKind::Str if !view.is_string() => Some("a string".to_owned()),
        ParamKind::Enum(def) if !view.as_int().is_some_and(|value| def.has(value as u64)) => {
            Some(format!("a case of '{}'", def.name))
        }
        ParamKind::Hook(name) => {
            let hook = cx.find_param_hook(name)?;
            text_of(cx, |p| (hook.print)(&[value], p)).is_empty().then(|| "a code that has a name".to_owned())
        }
        ParamKind::Array(element) => view.elements().find_map(|each| misfit(cx, element, each.id())),
        _ => None,
    }
}
