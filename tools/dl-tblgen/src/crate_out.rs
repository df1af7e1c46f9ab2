//! A crate for a dialect of one's own: `dl-tblgen my.td -I include --crate-out my-dialect`.
//!
//! The crate builds at once: a manifest, the generated definitions, a `Dialect` that registers them, and a test. From then on it is
//! its owner's: only `src/generated` is written again, by `--update`.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use indexmap::IndexMap;
use serde::Deserialize;
use tblgen::RecordKeeper;

use crate::config::{self, Summaries, Tables};
use crate::emit::{Emitter, Files, Problem};
use crate::model::Dialect;
use crate::ods::{self, Shared};
use crate::{names, read};

/// What is wanted.
#[derive(Debug)]
pub struct Request {
    /// The `TableGen` file.
    pub input: PathBuf,
    /// Where included files are looked for.
    pub include_dirs: Vec<String>,
    /// The folder of the crate.
    pub folder: PathBuf,
    /// The dialect, where the file and what it includes define several.
    pub dialect: Option<String>,
    /// A file with tables for C++ that only this dialect has, as in `ods.toml`.
    pub tables: Option<PathBuf>,
    /// The folder of the project that has `ir/` and `dialects/`.
    pub project: PathBuf,
    /// Whether the crate is there and only its definitions are to be written again.
    pub update: bool,
}

/// The part of an `ods.toml` that has tables.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct OwnTables {
    #[serde(default)]
    tables: Tables,
}

/// What cannot be generated, one line each: `file:line:column: error: unsupported: ...`.
#[derive(Debug)]
pub struct Unsupported(String);

impl Unsupported {
    pub(crate) fn new(lines: String) -> Self {
        Self(lines)
    }
}

impl std::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unsupported {}

/// Writes the crate and says which files.
///
/// # Errors
/// A file that cannot be read or written, a destination that is taken, a dialect that is not there or not the only one, or a list of
/// what is not supported, each with its place in the file.
pub fn write(request: &Request) -> Result<Vec<PathBuf>> {
    let records = records(&request.input, &request.include_dirs)?;
    let crate_name = crate_name(&request.folder)?;
    if request.update {
        if !request.folder.join("src/generated").is_dir() {
            bail!("`{}` has no src/generated, so there is nothing to update", request.folder.display());
        }
    } else {
        check_destination(&request.folder)?;
    }
    let tables: OwnTables = request.tables.as_deref().map(config::read).transpose()?.unwrap_or_default();
    let shared = Shared::read(&request.include_dirs)?;
    let input = request.input.display().to_string();
    let name = choose(&records, &input, request.dialect.as_deref())?;
    let dialect = read::dialect(&records, &name)?;
    if dialect.ops.is_empty() && dialect.types.is_empty() && dialect.attrs.is_empty() {
        bail!("{input}: the dialect '{name}' has no operations, types or attributes");
    }
    let tables = shared.common.tables.with(&tables.tables);
    let (index, summaries) = (ods::index(&records), summaries(&dialect));
    let emitter = Emitter::new(&dialect, &index, &tables, &summaries, &shared.constraints);
    let generated = match emitter.files(&ods::header("dl-tblgen", std::slice::from_ref(&input))) {
        Ok(files) => files,
        Err(problems) => return Err(Unsupported(listed(&problems, &input)).into()),
    };

    let mut files: Vec<(PathBuf, String)> = Vec::new();
    if !request.update {
        let project = request.project.canonicalize().unwrap_or_else(|_| request.project.clone());
        files.push(("Cargo.toml".into(), manifest(&crate_name, &name, &project, &generated)?));
        files.push(("src/lib.rs".into(), library(&dialect, &generated)));
        files.push(("tests/definitions.rs".into(), test(&crate_name, &dialect)));
    }
    files.extend(generated.into_iter().map(|(file, text)| (Path::new("src/generated").join(file), text)));
    write_all(&request.folder, files)
}

/// The records of a file.
///
/// # Errors
/// That it cannot be opened, or is no `TableGen`.
pub(crate) fn records<'s>(input: &Path, include_dirs: &[String]) -> Result<RecordKeeper<'s>> {
    check_input(input)?;
    read::parse_file(&input.display().to_string(), include_dirs)
}

/// As `TableGen` tools say it.
fn check_input(input: &Path) -> Result<()> {
    match fs::File::open(input) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!("could not open input file '{}': No such file or directory", input.display())
        }
        Err(error) => bail!("could not open input file '{}': {error}", input.display()),
    }
}

/// A folder that is missing or empty.
fn check_destination(folder: &Path) -> Result<()> {
    match fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => bail!(
                "destination `{}` already exists and is not empty; `--update` writes its definitions again",
                folder.display()
            ),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => bail!("destination `{}` is no folder to write to: {error}", folder.display()),
    }
}

/// The name of the folder, which must do as the name of a crate.
fn crate_name(folder: &Path) -> Result<String> {
    let absolute = std::path::absolute(folder).with_context(|| format!("cannot use `{}`", folder.display()))?;
    let name = absolute.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !starts || !name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)) {
        bail!("`{name}` cannot be the name of a crate: use letters, digits, `-` and `_`, and begin with a letter");
    }
    Ok(name)
}

/// The dialect that is asked for, or the only one that the file itself defines.
pub(crate) fn choose(records: &RecordKeeper<'_>, input: &str, wanted: Option<&str>) -> Result<String> {
    let all = read::dialects(records)?;
    let list = |names: &[&str]| names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ");
    if let Some(name) = wanted {
        let known: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
        if !known.contains(&name) {
            bail!("{input}: no dialect '{name}' is defined, only {}", list(&known));
        }
        return Ok(name.to_owned());
    }
    let is_here = |position: &Option<String>| position.as_ref().is_some_and(|at| at.starts_with(&format!("{input}:")));
    let here = || all.iter().filter(|(_, position)| is_here(position));
    let candidates: Vec<&str> = match here().count() {
        0 => all.iter().map(|(name, _)| name.as_str()).collect(),
        _ => here().map(|(name, _)| name.as_str()).collect(),
    };
    match candidates.as_slice() {
        [] => bail!("{input}: no dialect is defined"),
        [name] => Ok((*name).to_owned()),
        several => bail!("{input}: {} are defined; choose one with `--dialect`", list(several)),
    }
}

/// The summaries in the user's own records; a name where there is none.
fn summaries(dialect: &Dialect) -> Summaries {
    let short = |name: &str| name.split_once('.').map_or(name, |(_, short)| short).to_owned();
    let line = |summary: &str, name: &str| {
        let text = summary.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut chars = text.chars();
        match chars.next() {
            None => format!("`{name}`."),
            Some(first) => {
                let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
                format!("{}{}{end}", first.to_uppercase(), chars.as_str())
            }
        }
    };
    let collect = |items: Vec<(String, &str, &str)>| -> IndexMap<String, String> {
        items.into_iter().map(|(key, summary, name)| (key, line(summary, name))).collect()
    };
    Summaries {
        ops: collect(dialect.ops.iter().map(|op| (short(&op.name), op.summary.as_str(), op.name.as_str())).collect()),
        enums: collect(
            dialect.enums.iter().map(|e| (e.name.class.clone(), e.summary.as_str(), e.name.class.as_str())).collect(),
        ),
        attrs: collect(dialect.attrs.iter().map(|a| (short(&a.name), a.summary.as_str(), a.name.as_str())).collect()),
        types: collect(dialect.types.iter().map(|t| (short(&t.name), t.summary.as_str(), t.name.as_str())).collect()),
    }
}

/// All problems, one a line, each with its place. What has no entry in a table is not supported without one.
fn listed(problems: &[Problem], input: &str) -> String {
    let line = |problem: &Problem| {
        let place = problem.position.as_deref().unwrap_or(input);
        let what = if problem.text.starts_with("no ") { "unsupported: " } else { "" };
        format!("{place}: error: {what}{}", problem.text)
    };
    problems.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The crates of this project that `text` refers to, `dl_arith` as `arith`.
fn dialects_in(generated: &Files) -> Vec<String> {
    let mut found = Vec::new();
    for (_, text) in generated {
        for rest in text.split("dl_").skip(1) {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            if after.starts_with("::") && name != "ir" && !found.iter().any(|known| known == name) {
                found.push(name.to_owned());
            }
        }
    }
    found.sort();
    found
}

fn manifest(crate_name: &str, dialect: &str, project: &Path, generated: &Files) -> Result<String> {
    let path = |folder: PathBuf| -> Result<String> {
        if !folder.join("Cargo.toml").is_file() {
            bail!("`{}` is no crate of this project; name the folder of a checkout with `--project`", folder.display());
        }
        let value = toml::Value::String(folder.display().to_string());
        Ok(value.to_string())
    };
    let mut text = format!(
        "[package]\nname = \"{crate_name}\"\ndescription = \"The `{dialect}` dialect.\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
         publish = false\n\n[dependencies]\n"
    );
    for name in dialects_in(generated) {
        text +=
            &format!("dl-{} = {{ path = {} }}\n", name.replace('_', "-"), path(project.join("dialects").join(&name))?);
    }
    text += &format!(
        "dl-ir = {{ path = {} }}\n\n# A workspace of its own, wherever it lies.\n[workspace]\n",
        path(project.join("ir"))?
    );
    Ok(text)
}

fn library(dialect: &Dialect, generated: &Files) -> String {
    let name = &dialect.name;
    let view = names::camel_case(name);
    let has = |file: &str| generated.iter().any(|(known, _)| *known == file);
    let all = [
        ("ops.rs", ".ops(OPS)"),
        ("types.rs", ".types(TYPES)"),
        ("attrs.rs", ".attrs(ATTRS)"),
        ("enums.rs", ".enums(ENUMS)"),
    ];
    let calls: String = all.iter().filter(|(file, _)| has(file)).map(|&(_, call)| call).collect();
    format!(
        r#"//! The `{name}` dialect.
//!
//! `generated` holds the definitions, written by `dl-tblgen`. What they cannot say (verifiers, folds, patterns, text forms written by
//! hand, interfaces) is attached in `register`.

#![forbid(unsafe_code)]

mod generated;

pub use generated::*;

use dl_ir::{{Dialect, DialectBuilder}};

/// The `{name}` dialect.
pub struct {view};

impl Dialect for {view} {{
    fn namespace(&self) -> &'static str {{
        "{name}"
    }}

    fn register(&self, b: &mut DialectBuilder) {{
        b{calls};
    }}
}}
"#
    )
}

fn test(crate_name: &str, dialect: &Dialect) -> String {
    let (name, view) = (&dialect.name, names::camel_case(&dialect.name));
    let module = crate_name.replace('-', "_");
    let count = dialect.ops.len();
    format!(
        r#"//! The definitions are sound: all are registered, their formats compile, and their defaults are what they should be.

use dl_ir::Context;
use dl_ir::opdef::Format;
use dl_ir::text::CompiledFormat;
use {module}::{view};

fn context() -> Context {{
    let mut cx = Context::new();
    cx.register(&{view});
    cx
}}

#[test]
fn operations_are_registered() {{
    let cx = context();
    assert_eq!(cx.ops().filter(|op| op.dialect() == "{name}" && op.is_registered()).count(), {count});
}}

#[test]
fn formats_compile() {{
    let cx = context();
    for op in cx.ops().filter(|op| op.dialect() == "{name}") {{
        let declarative = op.def.as_ref().is_some_and(|def| matches!(def.format, Format::Declarative(_)));
        if let (true, Err(message)) = (declarative, CompiledFormat::of(&cx, cx.op_name(&op.name))) {{
            panic!("{{}}: {{message}}", op.name);
        }}
    }}
}}

#[test]
fn defaults_satisfy_their_constraints() {{
    let cx = context();
    for op in cx.ops().filter(|op| op.dialect() == "{name}") {{
        let attrs = op.def.iter().flat_map(|def| def.attrs.iter());
        for (attr, default) in attrs.zip(op.defaults(&cx)) {{
            let holds = default.is_none_or(|value| attr.constraint.matches(cx.attr(value)));
            assert!(holds, "{{}}: the default of '{{}}'", op.name, attr.name);
        }}
    }}
}}
"#
    )
}

/// Formats everything, and then writes it: all or, if a text does not format, nothing.
fn write_all(folder: &Path, files: Vec<(PathBuf, String)>) -> Result<Vec<PathBuf>> {
    let mut ready = Vec::new();
    for (path, text) in files {
        let is_rust = path.extension().is_some_and(|extension| extension == "rs");
        let text = if is_rust {
            ods::formatted(Path::new("."), &text).with_context(|| format!("cannot format {}", path.display()))?
        } else {
            text
        };
        ready.push((folder.join(path), text));
    }
    for (path, text) in &ready {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
        }
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(ready.into_iter().map(|(path, _)| path).collect())
}
