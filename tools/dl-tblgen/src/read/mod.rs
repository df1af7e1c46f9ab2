//! From `TableGen` records to the [model](crate::model).

mod constraint;
mod enums;
mod op;
mod params;
mod traits;

use anyhow::{Context, Result, bail};
use tblgen::error::{SourceError, SourceLoc as _, TableGenError};
use tblgen::{Record, RecordKeeper, TableGenParser};

use crate::model::{Constraint, Dialect};

/// Parses `files`, paths as an `include` directive has them, found in `include_dirs`.
///
/// # Errors
/// When a file is missing or is no `TableGen`; what is wrong has then been printed by `TableGen` itself.
pub fn parse<'s>(files: &[String], include_dirs: &[String]) -> Result<RecordKeeper<'s>> {
    let lines: Vec<String> = files
        .iter()
        .map(|file| {
            format!(
                "include \"{file}\"
"
            )
        })
        .collect();
    let source = lines.concat();
    let parser = TableGenParser::new().add_source(&source)?;
    let parser = include_dirs.iter().fold(parser, |parser, dir| parser.add_include_directory(dir));
    parser.parse().with_context(|| format!("cannot read {}", files.join(", ")))
}

/// Parses one file, a path.
///
/// # Errors
/// As [`parse`].
pub fn parse_file<'s>(file: &str, include_dirs: &[String]) -> Result<RecordKeeper<'s>> {
    let parser = TableGenParser::new().add_source_file(file);
    let parser = include_dirs.iter().fold(parser, |parser, dir| parser.add_include_directory(dir));
    parser.parse().map_err(|_| anyhow::anyhow!("cannot read {file}: what is wrong with it is above"))
}

/// Everything that belongs to the dialect `name`.
pub fn dialect(records: &RecordKeeper<'_>, name: &str) -> Result<Dialect> {
    let Some(record) = derived(records, "Dialect").into_iter().find(|d| text(*d, "name").is_ok_and(|n| n == name))
    else {
        bail!("no dialect '{name}' is defined");
    };
    let belongs = |r: &Record<'_>, field: &str| r.def_value(field).is_ok_and(|d| d == record);

    let mut dialect = Dialect { name: name.to_owned(), ..Dialect::default() };
    for record in derived(records, "Op").into_iter().filter(|r| belongs(r, "opDialect")) {
        let position = position(records, record);
        let mut op = op::read(record).with_context(|| match &position {
            Some(position) => format!("{position}: in operation {}", record.name().unwrap_or("?")),
            None => format!("in operation {}", record.name().unwrap_or("?")),
        })?;
        op.position = position;
        dialect.ops.push(op);
    }
    for record in derived(records, "EnumInfo") {
        dialect.enums.push(enums::read(records, record)?);
    }
    for record in derived(records, "AttrDef").into_iter().filter(|r| belongs(r, "dialect")) {
        dialect.attrs.push(params::read(records, record, "attrName")?);
    }
    for record in derived(records, "TypeDef").into_iter().filter(|r| belongs(r, "dialect")) {
        dialect.types.push(params::read(records, record, "typeName")?);
    }
    dialect.ops.sort_by(|a, b| a.name.cmp(&b.name));
    dialect.attrs.sort_by(|a, b| a.name.cmp(&b.name));
    dialect.types.sort_by(|a, b| a.name.cmp(&b.name));
    dialect.enums.sort_by(|a, b| a.name.class.cmp(&b.name.class));
    Ok(dialect)
}

/// The constraints on types and attributes that have a name, by name.
pub fn named_constraints(records: &RecordKeeper<'_>) -> Result<Vec<Constraint>> {
    let named = |class| derived(records, class).into_iter().filter(|r| !r.anonymous());
    let mut constraints = Vec::new();
    for record in named("TypeConstraint") {
        constraints.push(constraint::of_type(record)?);
    }
    for record in named("Attr").filter(|r| !r.subclass_of("EnumInfo") && !r.subclass_of("EnumCase")) {
        constraints.push(constraint::of_attr(record)?);
    }
    Ok(constraints)
}

/// What each operation class is called, in every dialect that the files mention: `("scf", "YieldOp", "scf.yield")`.
pub fn op_names(records: &RecordKeeper<'_>) -> Vec<(String, String, String)> {
    let names = derived(records, "Op").into_iter().filter_map(|record| {
        let dialect = text(record.def_value("opDialect").ok()?, "name").ok()?;
        let name = format!("{dialect}.{}", text(record, "opName").ok()?);
        Some((dialect, crate::names::without_prefix(record.name().ok()?).to_owned(), name))
    });
    names.collect()
}

/// The C++ class and name space of each dialect attribute or type, with its name.
pub fn def_classes(records: &RecordKeeper<'_>, class: &str, name_field: &str) -> Vec<(String, String)> {
    let classes = derived(records, class).into_iter().filter_map(|record| {
        let namespace = match optional_text(record, "cppNamespace") {
            Some(namespace) => namespace,
            None => text(def(record, "dialect").ok()?, "cppNamespace").ok()?,
        };
        let class = format!("{namespace}::{}", text(record, "cppClassName").ok()?);
        let name = text(record, name_field).ok()?;
        (!name.is_empty()).then(|| (crate::cpp::normalize(&class), name))
    });
    classes.collect()
}

/// The C++ name space of each dialect.
pub fn dialect_namespaces(records: &RecordKeeper<'_>) -> Vec<(String, String)> {
    let dialects = derived(records, "Dialect").into_iter();
    dialects
        .filter_map(|d| Some((crate::cpp::normalize(&text(d, "cppNamespace").ok()?), text(d, "name").ok()?)))
        .collect()
}

/// The dialects that the files define, by name, with where they do.
pub fn dialects(records: &RecordKeeper<'_>) -> Result<Vec<(String, Option<String>)>> {
    derived(records, "Dialect").into_iter().map(|d| Ok((text(d, "name")?, position(records, d)))).collect()
}

/// Where a record is defined, `file:line:column`. `TableGen` tells it only as part of an error message.
fn position(records: &RecordKeeper<'_>, record: Record<'_>) -> Option<String> {
    let error = SourceError::new(record.source_location(), TableGenError::InvalidSource);
    let message = error.add_source_info(records.source_info()).to_string();
    let (position, _) = message.split_once(": error:")?;
    // Before it come lines that say from where the file was included.
    position.lines().last().map(str::to_owned)
}

/// The definitions of a class; none where no file defines the class.
fn derived<'a>(records: &'a RecordKeeper<'_>, class: &str) -> Vec<Record<'a>> {
    records.all_derived_definitions_if_defined(class).collect()
}

/// A string field.
fn text(record: Record<'_>, field: &str) -> Result<String> {
    record.str_value(field).map(str::to_owned).map_err(|e| located(record, field, &e))
}

/// A string field that may be unset or missing.
fn optional_text(record: Record<'_>, field: &str) -> Option<String> {
    record.optional_str_value(field).ok().flatten().map(str::to_owned)
}

/// The arguments of a dag field: names and records.
fn arguments<'a>(record: Record<'a>, field: &str) -> Result<Vec<(Option<&'a str>, Record<'a>)>> {
    let dag = record.dag_value(field).map_err(|e| located(record, field, &e))?;
    dag.args().map(|(name, init)| Ok((name, Record::try_from(init).map_err(|e| located(record, field, &e))?))).collect()
}

/// A field that is another record.
fn def<'a>(record: Record<'a>, field: &str) -> Result<Record<'a>> {
    record.def_value(field).map_err(|e| located(record, field, &e))
}

/// A list of records.
fn defs<'a>(record: Record<'a>, field: &str) -> Result<Vec<Record<'a>>> {
    record.list_of_defs_value(field).map_err(|e| located(record, field, &e))
}

fn located(record: Record<'_>, field: &str, error: &tblgen::Error) -> anyhow::Error {
    anyhow::anyhow!("{error} in field '{field}' of '{}'", record.name().unwrap_or("?"))
}
