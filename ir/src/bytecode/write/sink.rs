//! What encodings of attributes and types are written to: once to number what they refer to, once to write them.

use std::borrow::Cow;

use crate::attributes::Attr;
use crate::entity::Ident;
use crate::location::Loc;
use crate::types::Type;

/// What is an attribute in a file. Here some of it has handles of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Key {
    /// Any other attribute.
    Attr(Attr),
    /// A location.
    Loc(Loc),
    /// A string without a type: names are such attributes.
    Name(Ident),
    /// A symbol without nested ones.
    FlatSymbol(Ident),
}

/// Takes an encoding.
pub(super) trait Sink {
    /// A reference to an attribute.
    fn attr(&mut self, attr: Attr);
    /// A reference to an attribute that may be missing.
    fn optional_attr(&mut self, attr: Option<Attr>);
    /// A reference to a location.
    fn loc(&mut self, loc: Loc);
    /// A reference to a string attribute.
    fn name(&mut self, name: Ident);
    /// A reference to a symbol without nested ones.
    fn flat_symbol(&mut self, root: Ident);
    /// A reference to a type.
    fn ty(&mut self, ty: Type);
    /// A reference to a resource of the `builtin` dialect.
    fn resource(&mut self, key: Ident);
    /// A reference to a string of the string table.
    fn string(&mut self, bytes: &[u8]);
    /// A number.
    fn varint(&mut self, value: u64);
    /// A byte.
    fn byte(&mut self, value: u8);
    /// Length and bytes.
    fn blob<'a>(&mut self, bytes: impl FnOnce() -> Cow<'a, [u8]>);
    /// The source position `loc` as file, line and column. `false` when it has none.
    fn position(&mut self, loc: Loc) -> bool;

    /// A number that may be negative.
    fn signed_varint(&mut self, value: i64) {
        self.varint(crate::bytecode::encoding::zigzag(value));
    }

    /// A number with a flag in its lowest bit.
    fn varint_with_flag(&mut self, value: u64, flag: bool) {
        self.varint(value << 1 | u64::from(flag));
    }

    /// How many there are, then each.
    fn list<T>(&mut self, items: impl ExactSizeIterator<Item = T>, mut each: impl FnMut(&mut Self, T)) {
        self.varint(items.len() as u64);
        for item in items {
            each(self, item);
        }
    }
}
