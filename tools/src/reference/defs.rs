//! The sections of types, attributes and enumerations.

use dl_ir::opdef::{EnumDef, EnumStorage, Format};
use dl_ir::typedef::{AttrDefinition, ParamDef, ParamKind, ParamPresence, TypeDefinition};

use super::markdown::{self, Table};
use super::{Dialect, attr_link, enum_link};

pub(super) fn type_section(def: &TypeDefinition, all: &[Dialect<'_>], example: &str) -> String {
    section("Type", '!', &def.name, &def.summary, &def.format, &def.params, all, example)
}

pub(super) fn attr_section(def: &AttrDefinition, all: &[Dialect<'_>], example: &str) -> String {
    section("Attribute", '#', &def.name, &def.summary, &def.format, &def.params, all, example)
}

#[expect(clippy::too_many_arguments, reason = "the fields of two types that are alike")]
fn section(
    what: &str,
    sigil: char,
    name: &str,
    summary: &str,
    format: &Format,
    params: &[ParamDef],
    all: &[Dialect<'_>],
    example: &str,
) -> String {
    let mut text = format!("\n### {what} `{sigil}{name}`\n\n{}\n", markdown::prose(summary));
    if let Format::Declarative(format) = format {
        text += &markdown::code("text", &syntax(sigil, name, format));
    }
    text += &markdown::code("mlir", example);
    let mut table = Table::new(["parameter", "what it holds", ""]);
    for param in params {
        let presence = match &param.presence {
            ParamPresence::Required => String::new(),
            ParamPresence::Optional => "may be missing".to_owned(),
            ParamPresence::Default(value) => format!("`{value}` where it is missing"),
        };
        table.row([format!("`{}`", param.name), kind(&param.kind, all), presence]);
    }
    text + &table.text()
}

/// What is written. Where the format has no angle brackets of its own, the name stands in those of the dialect.
fn syntax(sigil: char, name: &str, format: &str) -> String {
    let own = ["", "`<`", "(`<`", "( `<`"]
        .iter()
        .any(|start| if start.is_empty() { format.is_empty() } else { format.starts_with(start) });
    match name.split_once('.') {
        Some((dialect, mnemonic)) if !own => format!("{sigil}{dialect}<{mnemonic} {format}>"),
        _ => format!("{sigil}{name} {format}").trim_end().to_owned(),
    }
}

fn kind(of: &ParamKind, all: &[Dialect<'_>]) -> String {
    match of {
        ParamKind::Attr => "an attribute".to_owned(),
        ParamKind::AttrOf(name) => format!("{}, written without that name", attr_link(name, all)),
        ParamKind::Type => "a type".to_owned(),
        ParamKind::Bool => "`true` or `false`".to_owned(),
        ParamKind::Int(width) => format!("an integer of {width} bits"),
        ParamKind::Uint(width) => format!("an unsigned integer of {width} bits"),
        ParamKind::BigInt => "an integer of any width".to_owned(),
        ParamKind::Str => "a string".to_owned(),
        ParamKind::Enum(e) => enum_link(e, all),
        ParamKind::Array(element) => format!("a list; in it, {}", kind(element, all)),
        ParamKind::Hook(name) => format!("written as `custom<{name}>` says"),
    }
}

pub(super) fn enum_section(e: &EnumDef) -> String {
    let mut text = format!("\n### Enumeration `{}`\n\n{}\n\n", e.name, markdown::prose(e.summary.trim()));
    text += &match (&e.storage, e.separator) {
        (EnumStorage::Integer(width), None) => format!("One of the cases, stored as an integer of {width} bits.\n"),
        (EnumStorage::Integer(width), Some(separator)) => {
            format!(
                "Any set of the cases, with `{}` between them, stored as an integer of {width} bits.\n",
                separator.trim()
            )
        }
        (EnumStorage::Dialect(name), None) => format!("One of the cases, stored as `#{name}<...>`.\n"),
        (EnumStorage::Dialect(name), Some(separator)) => {
            format!("Any set of the cases, with `{}` between them, stored as `#{name}<...>`.\n", separator.trim())
        }
    };
    let mut table = Table::new(["case", "value"]);
    for (keyword, value) in e.cases {
        table.row([format!("`{keyword}`"), value.to_string()]);
    }
    text + &table.text()
}
