//! What a function's arguments and results are called outside, and what their types leave open.
//!
//! Importers put these attributes on arguments and results; whoever calls the function, or writes a header for it, reads them. No pass does.

use dl_ir::interfaces::function::{ARG_ATTRS, RES_ATTRS};
use dl_ir::{Attr, AttrRef, Context, OpRef};

/// The attribute with the name of an argument or a result, a text.
pub const NAME: &str = "dl.name";
/// The attribute of an argument or a result whose integers, which have no sign in the program, are unsigned.
pub const UNSIGNED: &str = "dl.unsigned";

/// The attributes of one argument or result.
pub fn attrs(cx: &Context, name: &str, unsigned: bool) -> Attr {
    let mut entries = vec![(cx.ident(NAME), cx.string_attr(name))];
    if unsigned {
        entries.push((cx.ident(UNSIGNED), cx.unit_attr()));
    }
    cx.dictionary_attr(&entries)
}

/// What is said of one argument or result.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Port<'a> {
    /// Its name, if it has one.
    pub name: Option<&'a str>,
    /// Whether its integers are unsigned.
    pub unsigned: bool,
}

/// What is said of argument `index` of a function.
pub fn argument(function: OpRef<'_>, index: usize) -> Port<'_> {
    port(function, ARG_ATTRS, index)
}

/// What is said of result `index` of a function.
pub fn result(function: OpRef<'_>, index: usize) -> Port<'_> {
    port(function, RES_ATTRS, index)
}

fn port<'a>(function: OpRef<'a>, list: &str, index: usize) -> Port<'a> {
    let attrs = function.attr(list).and_then(|list| list.elements().nth(index));
    let name = attrs.and_then(|attrs| attrs.get(NAME)).and_then(AttrRef::as_str);
    Port { name, unsigned: attrs.is_some_and(|attrs| attrs.get(UNSIGNED).is_some()) }
}
