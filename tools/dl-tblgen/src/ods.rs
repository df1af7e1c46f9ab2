//! The generated files of a workspace: writing them and telling whether they are fresh.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use indexmap::IndexMap;
use tblgen::RecordKeeper;

use crate::config::{self, Common, Manifest, Summaries};
use crate::emit::{self, Emitter, Index};
use crate::model::{Constraint, Dialect};
use crate::read;

/// The command that writes the files.
pub const REPAIR: &str = "cargo xtask ods";

/// A file to be written.
#[derive(Debug)]
pub struct Output {
    /// Where.
    pub path: PathBuf,
    /// What.
    pub text: String,
}

/// Every generated file of the workspace at `root`: the constraints of the core, and those of each `dialects/*/ods.toml`.
///
/// # Errors
/// When a file cannot be read, or with a list of everything that has no entry in a table or no summary.
pub fn outputs(root: &Path, include_dirs: &[String]) -> Result<Vec<Output>> {
    let Shared { common, constraints } = Shared::read(include_dirs)?;
    let mut problems = Vec::new();
    let mut outputs = Vec::new();
    match emit::common_constraints(&constraints, &common.tables, &header(REPAIR, &common.files)) {
        Ok(text) => {
            outputs.push(Output { path: root.join("ir/src/constraints/generated.rs"), text });
        }
        Err(found) => problems.extend(found.into_iter().map(|problem| problem.text)),
    }
    for folder in dialect_folders(root)? {
        let manifest: Manifest = config::read(&folder.join("ods.toml"))?;
        let summaries: Summaries = config::read(&folder.join("ods/summaries.toml"))?;
        // A dialect of this project has its own files beside its tables.
        let include_dirs: Vec<String> =
            include_dirs.iter().cloned().chain([folder.join("ods").to_string_lossy().into_owned()]).collect();
        let (mut dialect, mut index) = read_files(&manifest.files, &include_dirs, &manifest.dialect)?;
        for apart in &manifest.apart {
            let (mut more, more_index) = read_files(&apart.files, &include_dirs, &manifest.dialect)?;
            more.ops.iter_mut().for_each(|op| op.view.insert_str(0, &apart.prefix));
            dialect.add(more);
            index.add(more_index);
        }
        let tables = common.tables.with(&manifest.tables);
        let header = header(REPAIR, &manifest.all_files());
        match Emitter::new(&dialect, &index, &tables, &summaries, &constraints).files(&header) {
            Ok(files) => outputs.extend(files.into_iter().map(|(name, text)| {
                let path = folder.join("src/generated").join(name);
                Output { path, text }
            })),
            Err(found) => {
                problems.extend(found.into_iter().map(|problem| format!("{}: {}", manifest.dialect, problem.text)));
            }
        }
    }
    if !problems.is_empty() {
        bail!("the definitions cannot be generated:\n  {}", problems.join("\n  "));
    }
    for output in &mut outputs {
        output.text =
            formatted(root, &output.text).with_context(|| format!("cannot format {}", output.path.display()))?;
    }
    Ok(outputs)
}

/// What `files` say of the dialect `name`, and what they mention of others.
fn read_files(files: &[String], include_dirs: &[String], name: &str) -> Result<(Dialect, Index)> {
    let records = read::parse(files, include_dirs)?;
    Ok((read::dialect(&records, name)?, index(&records)))
}

/// What `records` mention.
pub(crate) fn index(records: &RecordKeeper<'_>) -> Index {
    Index {
        types: read::def_classes(records, "TypeDef", "typeName"),
        attrs: read::def_classes(records, "AttrDef", "attrName"),
        ops: read::op_names(records),
        namespaces: read::dialect_namespaces(records),
    }
}

/// What all dialects share.
pub(crate) struct Shared {
    /// The tables.
    pub(crate) common: Common,
    /// The constraints of the core, by the name of their record.
    pub(crate) constraints: IndexMap<String, Constraint>,
}

impl Shared {
    /// Reads the tables and the `TableGen` files of the core.
    pub(crate) fn read(include_dirs: &[String]) -> Result<Self> {
        let common: Common = toml::from_str(include_str!("../tables.toml")).context("in tables.toml")?;
        let records = read::parse(&common.files, include_dirs)?;
        let constraints = read::named_constraints(&records)?.into_iter();
        let named = constraints.filter_map(|constraint| Some((constraint.record.clone()?, constraint)));
        let constraints = named.filter(|(name, _)| !common.skip.contains(name)).collect();
        Ok(Self { common, constraints })
    }
}

/// Those whose file on disk is missing or different.
pub fn stale(outputs: &[Output]) -> Vec<&Path> {
    let differs = |o: &&Output| std::fs::read_to_string(&o.path).map_or(true, |text| text != o.text);
    outputs.iter().filter(differs).map(|o| o.path.as_path()).collect()
}

/// Writes those that differ and says which.
pub fn write(outputs: &[Output]) -> Result<Vec<&Path>> {
    let stale = stale(outputs);
    for output in outputs.iter().filter(|o| stale.contains(&o.path.as_path())) {
        if let Some(folder) = output.path.parent() {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        }
        std::fs::write(&output.path, &output.text)
            .with_context(|| format!("cannot write {}", output.path.display()))?;
    }
    Ok(stale)
}

/// The crates that have an `ods.toml`, by name.
fn dialect_folders(root: &Path) -> Result<Vec<PathBuf>> {
    let dialects = root.join("dialects");
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(&dialects).with_context(|| format!("cannot read {}", dialects.display()))? {
        let folder = entry?.path();
        if folder.join("ods.toml").is_file() {
            folders.push(folder);
        }
    }
    folders.sort();
    Ok(folders)
}

/// The first line of a generated file.
pub(crate) fn header(command: &str, files: &[String]) -> String {
    let files: Vec<&str> = files.iter().map(|file| file.rsplit('/').next().unwrap_or(file)).collect();
    format!("// @generated by `{command}` from {}. Do not edit.\n", files.join(", "))
}

/// `text` as rustfmt has it, with the settings of the workspace.
pub(crate) fn formatted(root: &Path, text: &str) -> Result<String> {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024"])
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot run rustfmt")?;
    let mut input = rustfmt.stdin.take().context("rustfmt has no input")?;
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = rustfmt.wait_with_output()?;
    writer.join().map_err(|_| anyhow::anyhow!("writing to rustfmt failed"))??;
    if !output.status.success() {
        bail!("rustfmt does not take the generated text");
    }
    Ok(String::from_utf8(output.stdout)?)
}
