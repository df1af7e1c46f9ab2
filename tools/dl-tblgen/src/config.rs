//! What people write beside the ODS: which files make up a dialect, what its C++ fragments mean, and the summaries.

use std::path::Path;

use anyhow::{Context, Result};
use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::cpp::Table;

/// The meaning of C++ fragments in Rust.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tables {
    /// Leaves of predicates; `{}` is the type or attribute in question.
    pub leaves: Table,
    /// Classes that `isa<...>` asks for; `{}` is the type or attribute in question.
    pub classes: Table,
    /// C++ around or instead of `$_self`.
    pub wraps: IndexMap<String, Wrap>,
    /// Transformations of types: paths of Rust functions.
    pub transforms: Table,
    /// Conditions on operations, by their C++ or the words of their message: Rust functions.
    pub conditions: Table,
    /// Traits: what stands in the definition, or nothing for one that says nothing here.
    pub traits: Table,
    /// Interfaces that are traits.
    pub interfaces: Table,
    /// C++ that builds a type: its text.
    pub types: Table,
    /// Kinds of parameters by C++ type or by class of record. In the latter, `@` is the name of the parameter.
    pub params: Table,
    /// Default values by `op.attribute`, as attribute text.
    pub defaults: Table,
}

/// A predicate on something reached from the subject.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrap {
    /// The name that the C++ gives to what is reached, where it gives one.
    #[serde(default)]
    pub bind: String,
    /// The Rust name for it in `rust`.
    pub var: String,
    /// The Rust expression; `{}` is the subject and `@` the predicate on what is reached.
    pub rust: String,
}

impl Tables {
    /// The entries of both, those of `other` first.
    pub fn with(&self, other: &Self) -> Self {
        let mut wraps = other.wraps.clone();
        for (key, wrap) in &self.wraps {
            wraps.entry(key.clone()).or_insert_with(|| wrap.clone());
        }
        Self {
            leaves: self.leaves.with(&other.leaves),
            classes: self.classes.with(&other.classes),
            wraps,
            transforms: self.transforms.with(&other.transforms),
            conditions: self.conditions.with(&other.conditions),
            traits: self.traits.with(&other.traits),
            interfaces: self.interfaces.with(&other.interfaces),
            types: self.types.with(&other.types),
            params: self.params.with(&other.params),
            defaults: self.defaults.with(&other.defaults),
        }
    }
}

/// The file `tables.toml` of the generator: what all dialects share.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Common {
    /// The files whose named constraints become the constraints of the core.
    pub files: Vec<String>,
    /// Constraints among them that are left out.
    pub skip: Vec<String>,
    /// Fragments of any dialect.
    pub tables: Tables,
}

/// The file `ods.toml` of a dialect crate.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The name of the dialect in the IR.
    pub dialect: String,
    /// Its `TableGen` files, as `include` directives have them.
    pub files: Vec<String>,
    /// Files that cannot be read together with those, since both define a record of one name.
    #[serde(default)]
    pub apart: Vec<Apart>,
    /// Fragments of this dialect.
    #[serde(default)]
    pub tables: Tables,
}

/// `TableGen` files that are read by themselves.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Apart {
    /// The files, as `include` directives have them.
    pub files: Vec<String>,
    /// What goes before the names of their Rust views: `Tune` makes `TuneAlternativesOp` of `AlternativesOp`.
    #[serde(default)]
    pub prefix: String,
}

impl Manifest {
    /// All files of the dialect.
    pub fn all_files(&self) -> Vec<String> {
        self.files.iter().chain(self.apart.iter().flat_map(|apart| &apart.files)).cloned().collect()
    }
}

/// The file `ods/summaries.toml` of a dialect crate: one line on each thing, in our own words.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Summaries {
    /// Operations, by name without the dialect.
    pub ops: IndexMap<String, String>,
    /// Enumerations, by class.
    pub enums: IndexMap<String, String>,
    /// Attributes, by name without the dialect.
    pub attrs: IndexMap<String, String>,
    /// Types, by name without the dialect.
    pub types: IndexMap<String, String>,
}

/// Reads a TOML file.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    toml::from_str(&text).with_context(|| format!("in {}", path.display()))
}
