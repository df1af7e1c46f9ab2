//! Enumerations and bit sets.

use anyhow::Result;
use tblgen::{Record, RecordKeeper};

use super::{def, defs, derived, optional_text, text};
use crate::cpp;
use crate::model::{Enum, EnumCase, EnumRef};

/// The reference to an `EnumInfo`.
pub(super) fn reference(record: Record<'_>) -> Result<EnumRef> {
    Ok(EnumRef { namespace: cpp::normalize(&text(record, "cppNamespace")?), class: text(record, "className")? })
}

/// An `EnumInfo` with its cases.
pub(super) fn read(records: &RecordKeeper<'_>, record: Record<'_>) -> Result<Enum> {
    let cases = defs(record, "enumerants")?.into_iter().map(|case| {
        Ok(EnumCase { symbol: text(case, "symbol")?, keyword: text(case, "str")?, value: case.int_value("value")? })
    });
    let is_set = record.subclass_of("BitEnumBase");
    let wraps = |attr: &Record<'_>| def(*attr, "enum").is_ok_and(|of| of == record);
    let attr = derived(records, "EnumAttr").into_iter().find(wraps).map(|attr| text(attr, "attrName")).transpose()?;
    Ok(Enum {
        name: reference(record)?,
        summary: optional_text(record, "summary").unwrap_or_default(),
        position: super::position(records, record),
        width: u32::try_from(record.int_value("bitwidth")?)?,
        separator: if is_set { optional_text(record, "separator") } else { None },
        cases: cases.collect::<Result<_>>()?,
        attr,
    })
}
