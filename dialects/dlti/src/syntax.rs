//! Text forms.

use dl_ir::dialect::AttrSyntax;
use dl_ir::text::{AsmPrinter, OpParser, Parsed};
use dl_ir::typedef::AttrDefinition;
use dl_ir::{Attr, DialectBuilder, Loc};
use rustc_hash::FxHashSet;

use crate::entries::key_and_value;
use crate::generated::{
    DATA_LAYOUT_ENTRY_ATTR_DEF, DATA_LAYOUT_SPEC_ATTR_DEF, MAP_ATTR_DEF, TARGET_DEVICE_SPEC_ATTR_DEF,
    TARGET_SYSTEM_SPEC_ATTR_DEF,
};

/// Registers the text forms.
pub(crate) fn register(builder: &mut DialectBuilder) {
    builder
        .attr_syntax(&DATA_LAYOUT_ENTRY_ATTR_DEF.name, AttrSyntax { parse: parse_entry, print: print_entry })
        .attr_syntax(
            &DATA_LAYOUT_SPEC_ATTR_DEF.name,
            AttrSyntax { parse: |p| parse_list(p, &DATA_LAYOUT_SPEC_ATTR_DEF), print: print_list },
        )
        .attr_syntax(&MAP_ATTR_DEF.name, AttrSyntax { parse: |p| parse_list(p, &MAP_ATTR_DEF), print: print_list })
        .attr_syntax(
            &TARGET_DEVICE_SPEC_ATTR_DEF.name,
            AttrSyntax { parse: |p| parse_list(p, &TARGET_DEVICE_SPEC_ATTR_DEF), print: print_list },
        )
        .attr_syntax(
            &TARGET_SYSTEM_SPEC_ATTR_DEF.name,
            AttrSyntax { parse: |p| parse_list(p, &TARGET_SYSTEM_SPEC_ATTR_DEF), print: print_list },
        );
}

/// `<key, value>`.
fn parse_entry(p: &mut OpParser<'_>) -> Parsed<Attr> {
    p.parse_less()?;
    let loc = p.loc();
    let key = p.parse_attribute(None)?;
    let view = p.cx().attr(key);
    if !view.is_type() && !view.is_string() {
        return Err(p.error_at(loc, "expected a type or a quoted string"));
    }
    p.parse_comma()?;
    let value = p.parse_attribute(None)?;
    p.parse_greater()?;
    Ok(p.cx().dialect_attr(&DATA_LAYOUT_ENTRY_ATTR_DEF.name, &[key, value]))
}

fn print_entry(params: &[Attr], p: &mut AsmPrinter<'_>) {
    let &[key, value] = params else { return };
    p.text("<");
    p.attr(key);
    p.text(", ");
    p.attr(value);
    p.text(">");
}

/// `<key = value, ...>`, where an entry may be written as an attribute of its own as well.
fn parse_list(p: &mut OpParser<'_>, definition: &AttrDefinition) -> Parsed<Attr> {
    let (cx, start) = (p.cx(), p.loc());
    let is_system = definition.name == TARGET_SYSTEM_SPEC_ATTR_DEF.name;
    p.parse_less()?;
    let mut all = Vec::new();
    let mut keys = FxHashSet::default();
    while !p.parse_optional_greater() {
        if !all.is_empty() && !p.parse_optional_comma() {
            return Err(p.expected("expected '>'"));
        }
        let entry = parse_list_entry(p, is_system)?;
        if let Some((key, value)) = key_and_value(cx.attr(entry)) {
            if !is_system && key.as_str() == Some("") {
                return Err(p.error_at(start, "empty string as DLTI key is not allowed"));
            }
            if is_system && !value.is_dialect_attr(&TARGET_DEVICE_SPEC_ATTR_DEF.name) {
                let message = format!("value associated with key {key} is not a DLTI device spec");
                return Err(p.error_at(start, message));
            }
            if !keys.insert(key.id()) {
                let what = if is_system { "device ID in dlti.target_system_spec" } else { "DLTI key" };
                return Err(p.error_at(start, format!("repeated {what}: {key}")));
            }
        }
        all.push(entry);
    }
    if all.is_empty() && (is_system || definition.name == TARGET_DEVICE_SPEC_ATTR_DEF.name) {
        return Err(p.error_at(start, "no DLTI entries provided"));
    }
    Ok(cx.dialect_attr(&definition.name, &[cx.array_attr(&all)]))
}

/// `key = value` or `#dlti.dl_entry<key, value>`. A key is a type or a string, and only the latter names a device.
fn parse_list_entry(p: &mut OpParser<'_>, is_system: bool) -> Parsed<Attr> {
    let (cx, loc): (_, Loc) = (p.cx(), p.loc());
    let first = p.parse_attribute(None)?;
    let view = cx.attr(first);
    if view.is_dialect_attr(&DATA_LAYOUT_ENTRY_ATTR_DEF.name) {
        return Ok(first);
    }
    if !view.is_string() && (is_system || !view.is_type()) {
        return Err(p.error_at(loc, "invalid kind of attribute specified"));
    }
    p.parse_equal()?;
    let value = p.parse_attribute(None)?;
    Ok(cx.dialect_attr(&DATA_LAYOUT_ENTRY_ATTR_DEF.name, &[first, value]))
}

fn print_list(params: &[Attr], p: &mut AsmPrinter<'_>) {
    let cx = p.cx();
    p.text("<");
    let each = params.iter().flat_map(|&array| cx.attr(array).elements()).filter_map(key_and_value);
    p.comma_separated(each, |p, (key, value)| {
        p.attr(key.id());
        p.text(" = ");
        p.attr(value.id());
    });
    p.text(">");
}
