//! Attributes and types with parameters.

use anyhow::Result;
use tblgen::{Record, RecordKeeper};

use super::{optional_text, text};
use crate::model::{Format, Param, ParameterizedDef, Presence};

/// An `AttrDef` or `TypeDef`; `name_field` holds its full name.
pub(super) fn read(records: &RecordKeeper<'_>, record: Record<'_>, name_field: &str) -> Result<ParameterizedDef> {
    let dag = record.dag_value("parameters")?;
    let params = dag.args().map(|(name, init)| {
        let name = name.unwrap_or_default().to_owned();
        if let Ok(cpp_type) = String::try_from(init) {
            return Ok(Param { name, class: None, cpp_type, presence: Presence::Required });
        }
        let param = Record::try_from(init)?;
        Ok(Param { name, class: class(param), cpp_type: text(param, "cppType")?, presence: presence(param) })
    });
    let format = match optional_text(record, "assemblyFormat") {
        Some(format) => Format::Declarative(format),
        None if record.bit_value("hasCustomAssemblyFormat")? => Format::Custom,
        None => Format::Generic,
    };
    Ok(ParameterizedDef {
        name: text(record, name_field)?,
        class: text(record, "cppClassName")?,
        summary: optional_text(record, "summary").unwrap_or_default(),
        position: super::position(records, record),
        params: params.collect::<Result<_>>()?,
        format,
    })
}

/// The most special of its classes.
fn class(param: Record<'_>) -> Option<String> {
    let last = param.direct_super_classes().last()?;
    last.name().ok().map(str::to_owned)
}

fn presence(param: Record<'_>) -> Presence {
    let optional = ["OptionalParameter", "OptionalArrayRefParameter"];
    match optional_text(param, "defaultValue") {
        Some(_) if optional.iter().any(|class| param.subclass_of(class)) => Presence::Optional,
        Some(default) if !default.is_empty() => Presence::Default(default),
        _ => Presence::Required,
    }
}
