//! Definitions of dialect types and attributes as data.
//!
//! One engine parses and prints any of them from its parameters and format. Parameters are stored as attributes, in the order
//! of the definition; an absent optional one is the `unit` attribute (see [`TypeData::Dialect`](crate::TypeData::Dialect)).

use std::borrow::Cow;

use crate::opdef::{EnumDef, Format, List, Str};

/// The definition of a type, `!dialect.mnemonic<...>`.
#[derive(Clone, Debug)]
pub struct TypeDefinition {
    /// `dialect.mnemonic`.
    pub name: Str,
    /// One line: what it is.
    pub summary: Str,
    /// Parameters in order.
    pub params: List<ParamDef>,
    /// What follows the name. [`Format::Generic`] is nothing.
    pub format: Format,
}

/// The definition of an attribute, `#dialect.mnemonic<...>`.
#[derive(Clone, Debug)]
pub struct AttrDefinition {
    /// `dialect.mnemonic`.
    pub name: Str,
    /// One line: what it is.
    pub summary: Str,
    /// Parameters in order.
    pub params: List<ParamDef>,
    /// What follows the name. [`Format::Generic`] is nothing.
    pub format: Format,
}

macro_rules! constructors {
    ($name:ident) => {
        impl $name {
            /// One without parameters: its name is all of its text.
            pub const fn plain(name: &'static str, summary: &'static str) -> Self {
                Self::new(name, summary, &[], Format::Generic)
            }

            /// One with a declarative format.
            pub const fn declarative(
                name: &'static str,
                summary: &'static str,
                params: &'static [ParamDef],
                format: &'static str,
            ) -> Self {
                Self::new(name, summary, params, Format::Declarative(Cow::Borrowed(format)))
            }

            /// One whose dialect parses and prints it.
            pub const fn custom(name: &'static str, summary: &'static str, params: &'static [ParamDef]) -> Self {
                Self::new(name, summary, params, Format::Custom)
            }

            const fn new(
                name: &'static str,
                summary: &'static str,
                params: &'static [ParamDef],
                format: Format,
            ) -> Self {
                let (name, summary) = (Cow::Borrowed(name), Cow::Borrowed(summary));
                Self { name, summary, params: Cow::Borrowed(params), format }
            }

            /// The position of the parameter `name`.
            pub fn param(&self, name: &str) -> Option<usize> {
                self.params.iter().position(|param| param.name == name)
            }
        }
    };
}

constructors!(TypeDefinition);
constructors!(AttrDefinition);

/// A parameter of a type or attribute.
#[derive(Clone, Debug)]
pub struct ParamDef {
    /// Name in the format and in `struct(params)`, as ODS spells it: `isOptimized`.
    pub name: Str,
    /// What it holds.
    pub kind: ParamKind,
    /// Whether it may be missing.
    pub presence: ParamPresence,
}

/// Whether a parameter may be missing from the text.
#[derive(Clone, Debug)]
pub enum ParamPresence {
    /// It must be there.
    Required,
    /// It may be missing, and is then the `unit` attribute.
    Optional,
    /// Missing means this value, given as it would be written. It is stored, and not printed.
    Default(Str),
}

impl ParamDef {
    /// A parameter that must be there.
    pub const fn required(name: &'static str, kind: ParamKind) -> Self {
        Self { name: Cow::Borrowed(name), kind, presence: ParamPresence::Required }
    }

    /// A parameter that may be missing.
    pub const fn optional(name: &'static str, kind: ParamKind) -> Self {
        Self { name: Cow::Borrowed(name), kind, presence: ParamPresence::Optional }
    }

    /// A parameter that is `default` when it is missing.
    pub const fn with_default(name: &'static str, kind: ParamKind, default: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), kind, presence: ParamPresence::Default(Cow::Borrowed(default)) }
    }
}

/// What a parameter holds, which says how it is written and stored.
#[derive(Clone, Debug)]
pub enum ParamKind {
    /// An attribute, written in full.
    Attr,
    /// The attribute of this name (`dialect.mnemonic`), written without `#name`.
    AttrOf(Str),
    /// A type; stored as a type attribute.
    Type,
    /// `true` or `false`.
    Bool,
    /// A number, stored as an integer of so many bits.
    Int(u32),
    /// A number that is never negative, stored as an integer of so many bits.
    Uint(u32),
    /// A number of any size with its width in its type.
    BigInt,
    /// `"text"`.
    Str,
    /// A keyword, or several with a separator; stored as an integer of 64 bits.
    Enum(&'static EnumDef),
    /// Several, with commas; stored as an array.
    Array(&'static ParamKind),
    /// What the directive of this name, which the dialect registers, parses and prints.
    Hook(Str),
}
