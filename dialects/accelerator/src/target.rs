//! `#accelerator.target`: the machine that a launch is for.
//!
//! The attribute has the fields of a description in TOML, so it can be read beside one, and `dl_simulator::machine` is all that knows what they
//! mean.

use dl_ir::{Attr, AttrRef, Context, Ident, OpRef};
use dl_simulator::Machine;
use toml::{Table, Value};

use crate::{LaunchOp, TARGET_ATTR_DEF};

/// The attribute of a module that says which machine its launches are to be for.
pub const NAME: &str = "accelerator.target";

/// Descriptions nested deeper than this are refused: none of the fields that there are is.
const MOST_DEPTH: usize = 8;

/// The attribute for the description `text` in TOML.
///
/// # Errors
/// All that is wrong with it, each with its line.
pub fn from_toml(cx: &Context, text: &str) -> Result<Attr, String> {
    Machine::parse(text).map_err(|errors| errors.to_string())?;
    let table: Table = text.parse().map_err(|error: toml::de::Error| error.to_string())?;
    let description = attr_of_table(cx, &table)?;
    Ok(cx.dialect_attr(&TARGET_ATTR_DEF.name, &[description]))
}

fn attr_of_table(cx: &Context, table: &Table) -> Result<Attr, String> {
    let entry = |(name, value): (&String, &Value)| Ok((cx.ident(name), attr_of_value(cx, value)?));
    let entries: Vec<(Ident, Attr)> = table.iter().map(entry).collect::<Result<_, String>>()?;
    Ok(cx.dictionary_attr(&entries))
}

fn attr_of_value(cx: &Context, value: &Value) -> Result<Attr, String> {
    Ok(match value {
        Value::String(text) => cx.string_attr(text),
        Value::Integer(number) => cx.i64_attr(*number),
        Value::Boolean(flag) => cx.bool_attr(*flag),
        Value::Array(values) => {
            let elements: Vec<Attr> =
                values.iter().map(|value| attr_of_value(cx, value)).collect::<Result<_, String>>()?;
            cx.array_attr(&elements)
        }
        Value::Table(table) => attr_of_table(cx, table)?,
        Value::Float(_) | Value::Datetime(_) => return Err(format!("unsupported: the value {value} in a description")),
    })
}

/// The machine that the attribute describes.
///
/// # Errors
/// What is wrong with the description.
pub fn machine(attr: AttrRef<'_>) -> Result<Machine, String> {
    let description = attr.params().first().filter(|_| attr.is_dialect_attr(&TARGET_ATTR_DEF.name));
    let description = description.ok_or("expected the description of a machine, '#accelerator.target'")?;
    let Value::Table(table) = value_of_attr(attr.cx().attr(*description), MOST_DEPTH)? else {
        return Err("expected a dictionary with the fields of a description".to_owned());
    };
    Machine::parse(&table.to_string()).map_err(|errors| {
        // Lines are those of a text that nobody has seen.
        let messages: Vec<&str> = errors.0.iter().map(|error| error.message.as_str()).collect();
        messages.join("; ")
    })
}

fn value_of_attr(attr: AttrRef<'_>, depth: usize) -> Result<Value, String> {
    let Some(depth) = depth.checked_sub(1) else { return Err("a description is not nested that deep".to_owned()) };
    if let Some(text) = attr.as_str() {
        return Ok(Value::String(text.to_owned()));
    }
    if let Some(flag) = attr.as_bool() {
        return Ok(Value::Boolean(flag));
    }
    if let Some(number) = attr.as_int() {
        return Ok(Value::Integer(number));
    }
    if attr.is_array() {
        return attr
            .elements()
            .map(|element| value_of_attr(element, depth))
            .collect::<Result<_, _>>()
            .map(Value::Array);
    }
    if attr.is_dictionary() {
        let cx = attr.cx();
        let entry =
            |&(name, value): &(Ident, Attr)| Ok((cx.str(name).to_owned(), value_of_attr(cx.attr(value), depth)?));
        return attr.entries().iter().map(entry).collect::<Result<Table, String>>().map(Value::Table);
    }
    Err(format!("expected a text, a number, a truth value, a list or a dictionary in a description, but got {attr}"))
}

/// The machine that a launch is for.
///
/// # Errors
/// What is wrong with its description.
pub fn of_launch(launch: LaunchOp<'_>) -> Result<Machine, String> {
    machine(launch.target())
}

/// The description that a module has for launches to come.
pub fn of_module(module: OpRef<'_>) -> Option<Attr> {
    module.attr(NAME).map(AttrRef::id)
}

/// Descriptions are long, and printed once.
pub(crate) fn alias_name(mnemonic: &str) -> Option<&'static str> {
    (mnemonic == "target").then_some("target")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_holds_all_of_a_description() {
        let mut cx = Context::new();
        cx.register(&crate::Accelerator);
        for file in ["edge-8", "tile-16", "matrix-128", "mesh-4"] {
            let path = format!("{}/../../simulator/targets/{file}.toml", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(path).unwrap();
            let attr = from_toml(&cx, &text).unwrap();
            assert_eq!(machine(cx.attr(attr)).unwrap(), Machine::parse(&text).unwrap(), "{file}");
        }
    }

    #[test]
    fn wrong_descriptions_are_refused() {
        let cx = Context::new();
        assert!(from_toml(&cx, "name = \"m\"").unwrap_err().contains("missing field 'clock-mhz'"));
        assert!(machine(cx.attr(cx.unit_attr())).is_err());
    }
}
