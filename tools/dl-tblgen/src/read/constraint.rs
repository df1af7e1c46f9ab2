//! Constraints on types, attributes and properties.

use anyhow::{Result, bail};
use tblgen::Record;

use super::{def, defs, enums, optional_text, text};
use crate::cpp;
use crate::model::{Constraint, ConstraintKind, Form, Predicate};

/// Classes of attributes that say of another one whether it may be missing.
pub(super) const WRAPPERS: [&str; 3] = ["OptionalAttr", "DefaultValuedOptionalAttr", "DefaultValuedAttr"];

/// A constraint on types. `record` is a `TypeConstraint` that is not variadic.
pub(super) fn of_type(record: Record<'_>) -> Result<Constraint> {
    let builder = optional_text(record, "builderCall");
    Ok(Constraint {
        record: name(record),
        summary: text(record, "summary")?,
        predicate: predicate(def(record, "predicate")?)?,
        kind: ConstraintKind::Type { builder: builder.filter(|call| !call.is_empty()), class: class(record)? },
    })
}

/// The kind of shaped type that the C++ class of a constraint is for.
fn class(record: Record<'_>) -> Result<Option<&'static str>> {
    Ok(match text(record, "cppType")?.trim_start_matches("::") {
        "mlir::VectorType" => Some("Vector"),
        "mlir::RankedTensorType" => Some("RankedTensor"),
        "mlir::MemRefType" => Some("MemRef"),
        _ => None,
    })
}

/// A constraint on attributes. `record` is an `Attr` that is neither optional nor has a default.
pub(super) fn of_attr(record: Record<'_>) -> Result<Constraint> {
    let form = form(record)?;
    let predicate = match &form {
        Form::Enum(name) => Predicate::Enum(name.clone()),
        _ => predicate(def(record, "predicate")?)?,
    };
    Ok(Constraint {
        record: name(record),
        summary: text(record, "summary")?,
        predicate,
        kind: ConstraintKind::Attr(form),
    })
}

/// A constraint on the attribute that stands for a property in the generic form.
pub(super) fn of_property(record: Record<'_>) -> Result<Constraint> {
    let (predicate, kind) = if record.subclass_of("EnumProp") {
        let of = enums::reference(def(record, "enum")?)?;
        let form = match optional_text(record, "mnemonic") {
            Some(mnemonic) => Form::NamedEnum(of.clone(), mnemonic),
            None => Form::Enum(of.clone()),
        };
        (Predicate::Enum(of), ConstraintKind::Number(form))
    } else if record.subclass_of("_cls_UnitProp") || text(record, "interfaceType")? == "bool" {
        (Predicate::Leaf("isa<UnitProp>($_self)".to_owned()), ConstraintKind::Flag(Form::Unit))
    } else {
        bail!("unsupported: property '{}' of type {}", record.name()?, text(record, "interfaceType")?);
    };
    Ok(Constraint { record: name(record), summary: text(record, "summary")?, predicate, kind })
}

/// A predicate with all below it.
pub(super) fn predicate(record: Record<'_>) -> Result<Predicate> {
    if record.subclass_of("CPred") {
        return Ok(Predicate::Leaf(text(record, "predExpr")?));
    }
    let mut children = defs(record, "children")?.into_iter().map(predicate).collect::<Result<Vec<_>>>()?;
    let mut only = || if children.len() == 1 { children.pop().map(Box::new) } else { None };
    Ok(match (def(record, "kind")?.name()?, record) {
        ("PredCombinerAnd", _) => Predicate::And(children),
        ("PredCombinerOr", _) => Predicate::Or(children),
        ("PredCombinerNot", _) if let Some(child) = only() => Predicate::Not(child),
        ("PredCombinerSubstLeaves", r) if let Some(child) = only() => {
            Predicate::Subst { pattern: text(r, "pattern")?, replacement: text(r, "replacement")?, child }
        }
        ("PredCombinerConcat", r) if let Some(child) = only() => {
            Predicate::Concat { prefix: text(r, "prefix")?, child, suffix: text(r, "suffix")? }
        }
        (kind, _) => bail!("unsupported: predicate of kind {kind}"),
    })
}

/// How `$attr` is written in a declarative format.
fn form(record: Record<'_>) -> Result<Form> {
    if record.subclass_of("ConfinedAttr") || WRAPPERS.iter().any(|class| record.subclass_of(class)) {
        return form(def(record, "baseAttr")?);
    }
    Ok(if record.subclass_of("AttrDef") {
        Form::Dialect(text(record, "attrName")?)
    } else if record.subclass_of("EnumAttrInfo") {
        Form::Enum(enums::reference(record)?)
    } else if record.subclass_of("DialectAttr") {
        Form::Class(cpp::normalize(&text(record, "storageType")?))
    } else if is(record, "SymbolNameAttr") {
        Form::SymbolName
    } else if is(record, "UnitAttr") {
        Form::Unit
    } else if record.subclass_of("TypeAttrBase") {
        Form::Type
    } else if record.subclass_of("DenseArrayAttrBase") {
        Form::DenseArray(dense_element(record)?.to_owned())
    } else if record.subclass_of("StringBasedAttr") {
        Form::String
    } else if matches!(storage(record).as_deref(), Some("SymbolRefAttr" | "FlatSymbolRefAttr")) {
        Form::SymbolRef
    } else if storage(record).as_deref() == Some("ArrayAttr") {
        Form::Array
    } else {
        let builder = record.optional_def_value("valueType").and_then(|ty| optional_text(ty, "builderCall"));
        match builder.filter(|call| !call.is_empty() && !call.contains("NoneType")) {
            Some(call) => Form::Typed(call),
            None => Form::Any,
        }
    })
}

/// The C++ class of an attribute.
fn storage(record: Record<'_>) -> Option<String> {
    optional_text(record, "storageType").map(|class| cpp::normalize(&class))
}

/// The element type of a `DenseArrayAttrBase`.
fn dense_element(record: Record<'_>) -> Result<&'static str> {
    const ELEMENTS: &[(&str, &str)] =
        &[("Bool", "i1"), ("I8", "i8"), ("I16", "i16"), ("I32", "i32"), ("I64", "i64"), ("F32", "f32"), ("F64", "f64")];
    let storage = text(record, "storageType")?;
    match ELEMENTS.iter().find(|(name, _)| storage.contains(&format!("Dense{name}ArrayAttr"))) {
        Some((_, element)) => Ok(element),
        None => bail!("unsupported: dense array attribute of class {storage}"),
    }
}

fn is(record: Record<'_>, name: &str) -> bool {
    record.name().is_ok_and(|n| n == name)
}

fn name(record: Record<'_>) -> Option<String> {
    if record.anonymous() { None } else { record.name().ok().map(str::to_owned) }
}
