//! Operations.

use anyhow::{Result, bail};
use tblgen::Record;

use super::{arguments, constraint, def, defs, optional_text, text, traits};
use crate::model::{Arity, Attr, Format, Op, Presence, Region, Successor, Value};
use crate::names;

/// An `Op`.
pub(super) fn read(record: Record<'_>) -> Result<Op> {
    let dialect = text(def(record, "opDialect")?, "name")?;
    let mut op = Op {
        name: format!("{dialect}.{}", text(record, "opName")?),
        view: view_name(record.name()?),
        summary: optional_text(record, "summary").unwrap_or_default(),
        position: None,
        operands: Vec::new(),
        attrs: Vec::new(),
        results: Vec::new(),
        regions: Vec::new(),
        successors: Vec::new(),
        traits: traits::read(record)?,
        format: match optional_text(record, "assemblyFormat") {
            Some(format) => Format::Declarative(format),
            None if record.bit_value("hasCustomAssemblyFormat")? => Format::Custom,
            None => Format::Generic,
        },
    };
    for (name, argument) in arguments(record, "arguments")? {
        let (argument, effects) = variable(argument)?;
        if argument.subclass_of("TypeConstraint") {
            op.operands.push(value(name, argument, effects)?);
        } else if let Some(name) = name {
            op.attrs.push(attr(name, argument)?);
        } else {
            bail!("unsupported: attribute without a name");
        }
    }
    for (name, result) in arguments(record, "results")? {
        let (result, effects) = variable(result)?;
        op.results.push(value(name, result, effects)?);
    }
    for (name, region) in arguments(record, "regions")? {
        op.regions.push(Region {
            name: name.unwrap_or("region").to_owned(),
            predicate: text(def(region, "predicate")?, "predExpr")?,
            variadic: region.subclass_of("VariadicRegion"),
        });
    }
    for (name, successor) in arguments(record, "successors")? {
        let variadic = successor.subclass_of("VariadicSuccessor");
        op.successors.push(Successor { name: name.unwrap_or("successor").to_owned(), variadic });
    }
    Ok(op)
}

/// `Arith_AddIOp` is `AddIOp`, `LLVM_masked_compressstore` is `MaskedCompressstoreOp`.
fn view_name(record: &str) -> String {
    let name = names::camel_case(names::without_prefix(record));
    if name.ends_with("Op") { name } else { name + "Op" }
}

/// Takes an `OpVariable` apart: the constraint and the effects on memory.
fn variable(argument: Record<'_>) -> Result<(Record<'_>, Vec<&'static str>)> {
    if !argument.subclass_of("OpVariable") {
        return Ok((argument, Vec::new()));
    }
    Ok((def(argument, "constraint")?, traits::effects(defs(argument, "decorators")?)?))
}

fn value(name: Option<&str>, record: Record<'_>, effects: Vec<&'static str>) -> Result<Value> {
    let (arity, base) = if record.subclass_of("VariadicOfVariadic") {
        (Arity::Groups(text(record, "segmentAttrName")?), def(record, "baseType")?)
    } else if record.subclass_of("Variadic") {
        (Arity::Variadic, def(record, "baseType")?)
    } else if record.subclass_of("Optional") {
        (Arity::Optional, def(record, "baseType")?)
    } else {
        (Arity::Single, record)
    };
    Ok(Value { name: name.map(str::to_owned), arity, constraint: constraint::of_type(base)?, effects })
}

fn attr(name: &str, record: Record<'_>) -> Result<Attr> {
    let name = name.to_owned();
    if record.subclass_of("Property") {
        let presence = match optional_text(record, "defaultValue") {
            Some(default) if !default.is_empty() => Presence::Default(default),
            _ => Presence::Required,
        };
        return Ok(Attr { name, constraint: constraint::of_property(record)?, presence });
    }
    if !record.subclass_of("Attr") {
        bail!("unsupported: argument '{name}' is no type, attribute or property");
    }
    let mut base = record;
    while constraint::WRAPPERS.iter().any(|class| base.subclass_of(class)) {
        base = def(base, "baseAttr")?;
    }
    let is_unit = base.name().is_ok_and(|n| n == "UnitAttr");
    let default = optional_text(record, "defaultValue").filter(|default| !default.is_empty() && !is_unit);
    let presence = match (record.bit_value("isOptional")? || is_unit, default) {
        (true, Some(default)) => Presence::OptionalDefault(default),
        (true, None) => Presence::Optional,
        (false, Some(default)) => Presence::Default(default),
        (false, None) => Presence::Required,
    };
    Ok(Attr { name, constraint: constraint::of_attr(base)?, presence })
}
