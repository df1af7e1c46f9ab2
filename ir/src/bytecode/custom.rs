//! Encodings of dialect attributes and types as data: a dialect that upstream gives encodings of its own declares them as a table.

use crate::attributes::Attr;
use crate::context::Context;
use crate::typedef::{AttrDefinition, ParamKind};
use crate::types::Type;

/// The encoding of one attribute of a dialect: its code, which is its position in the table of the dialect, and its parameters in
/// the order in which they are encoded.
#[derive(Clone, Copy, Debug)]
pub struct AttrEncoding {
    /// `dialect.mnemonic`.
    pub name: &'static str,
    /// Name and encoding of each parameter. One that is not named here has no place in the encoding: an attribute in which it is
    /// there is encoded as text.
    pub fields: &'static [(&'static str, FieldEncoding)],
}

/// How a parameter is encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldEncoding {
    /// A number that is not negative.
    VarInt,
    /// A number that may be missing, with a flag in its lowest bit.
    OptionalVarInt,
    /// A byte, 0 or 1.
    Bool,
    /// A string of the string table, stored as a string attribute.
    String,
    /// An attribute.
    Attr,
    /// An attribute that may be missing.
    OptionalAttr,
    /// A byte that says whether there are any, then a list of attributes, none of which is missing.
    AttrList,
    /// The same with numbers.
    VarIntList,
}

/// The encoding of one type of a dialect, whose code is the position in the table of the dialect. It is for reading: types are written as text,
/// which a dialect reads as well.
#[derive(Clone, Copy, Debug)]
pub struct TypeEncoding {
    /// How the parameters are encoded, in order.
    pub fields: &'static [TypeField],
    /// The type with these parameters, of which there is one for each field; or what is wrong with them.
    pub make: fn(&Context, &[Attr]) -> Result<Type, String>,
}

/// How a parameter of a type is encoded, and which attribute stands for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeField {
    /// A number that is not negative, below 2^63: an `i64`.
    VarInt,
    /// A number: an `i64`.
    SignedVarInt,
    /// An `f64`, its bits as a signed number.
    F64,
    /// A type.
    Type,
    /// An attribute.
    Attr,
    /// How many there are, then as many numbers: an `array<i64>`.
    SignedVarIntList,
    /// The same with `f64`: an array of floats.
    F64List,
}

/// The encodings of a dialect, resolved: for each code, the definition and the position of each parameter.
pub(super) struct Resolved<'c> {
    pub(super) definition: &'c AttrDefinition,
    /// Position and encoding of each parameter that is encoded.
    pub(super) fields: Vec<(usize, FieldEncoding)>,
}

impl<'c> Resolved<'c> {
    /// The entry `encoding`, if the attribute is declared, has those parameters, and each can be printed here.
    pub(super) fn of(cx: &'c Context, encoding: &AttrEncoding) -> Option<Self> {
        let definition = &*cx.attr_definition(cx.find_ident(encoding.name)?)?.definition;
        let has_text = |kind: &ParamKind| !matches!(kind, ParamKind::Hook(name) if cx.find_param_hook(name).is_none());
        let field = |&(name, kind): &(&str, FieldEncoding)| {
            let at = definition.param(name)?;
            has_text(&definition.params[at].kind).then_some((at, kind))
        };
        let fields = encoding.fields.iter().map(field).collect::<Option<_>>()?;
        Some(Self { definition, fields })
    }
}
