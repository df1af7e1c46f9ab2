//! From the [model](crate::model) to Rust.

mod constraints;
mod defaults;
mod defs;
mod enums;
mod formats;
mod layout;
mod ops;
mod predicate;

use std::cell::RefCell;

use indexmap::{IndexMap, IndexSet};

use crate::config::{Summaries, Tables};
use crate::cpp;
use crate::model::{Constraint, Dialect, EnumRef};
use crate::names;

/// What the files say beyond the dialect in question.
#[derive(Debug, Default)]
pub struct Index {
    /// C++ class and name of dialect types.
    pub types: Vec<(String, String)>,
    /// C++ class and name of dialect attributes.
    pub attrs: Vec<(String, String)>,
    /// Dialect, C++ class and name of operations.
    pub ops: Vec<(String, String, String)>,
    /// C++ name space and name of dialects.
    pub namespaces: Vec<(String, String)>,
}

impl Index {
    /// Adds what other files mention.
    pub fn add(&mut self, other: Self) {
        fn merge<T: PartialEq>(into: &mut Vec<T>, from: Vec<T>) {
            for item in from {
                if !into.contains(&item) {
                    into.push(item);
                }
            }
        }
        merge(&mut self.types, other.types);
        merge(&mut self.attrs, other.attrs);
        merge(&mut self.ops, other.ops);
        merge(&mut self.namespaces, other.namespaces);
    }
}

/// The files of `src/generated/`: name and content, not yet formatted.
pub type Files = Vec<(&'static str, String)>;

/// What generated text may do.
const ALLOW: &str = "#![allow(clippy::doc_markdown, clippy::redundant_closure, clippy::redundant_closure_for_method_calls, reason = \"written by a program\")]\n";

/// Something that the tables or the records do not say.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Problem {
    /// Where it was met, `file:line:column`.
    pub position: Option<String>,
    /// What is missing or wrong.
    pub text: String,
}

/// Writes one dialect.
pub struct Emitter<'a> {
    dialect: &'a Dialect,
    index: &'a Index,
    tables: &'a Tables,
    summaries: &'a Summaries,
    /// Constraints of the core, by the name of their record.
    common: &'a IndexMap<String, Constraint>,
    problems: RefCell<IndexSet<Problem>>,
    /// Where the record is that is being written.
    at: RefCell<Option<String>>,
    /// Constraints that this dialect defines, by constant.
    local: RefCell<IndexMap<String, Constraint>>,
    /// Where the record is that first needed each of them.
    needed_at: RefCell<IndexMap<String, Option<String>>>,
    /// Names of enumerations that are referred to.
    enums: RefCell<IndexSet<String>>,
}

impl<'a> Emitter<'a> {
    /// An emitter for `dialect`. `common` are the constraints that the core already has.
    pub fn new(
        dialect: &'a Dialect,
        index: &'a Index,
        tables: &'a Tables,
        summaries: &'a Summaries,
        common: &'a IndexMap<String, Constraint>,
    ) -> Self {
        Self {
            dialect,
            index,
            tables,
            summaries,
            common,
            problems: RefCell::default(),
            at: RefCell::default(),
            local: RefCell::default(),
            needed_at: RefCell::default(),
            enums: RefCell::default(),
        }
    }

    /// The files of the dialect's crate.
    ///
    /// # Errors
    /// Everything that has no counterpart in the tables or no summary, one line each.
    pub fn files(&self, header: &str) -> Result<Files, Vec<Problem>> {
        let ops = self.ops();
        let attrs = self.defs(&self.dialect.attrs, "AttrDefinition", "attribute", &self.summaries.attrs);
        let types = self.defs(&self.dialect.types, "TypeDefinition", "type", &self.summaries.types);
        let constraints = self.local_constraints();
        let enums = self.enum_definitions();
        self.finish(
            header,
            [
                ("enums.rs", enums),
                ("attrs.rs", attrs),
                ("types.rs", types),
                ("constraints.rs", constraints),
                ("ops.rs", ops),
            ],
        )
    }

    fn finish(&self, header: &str, parts: [(&'static str, Option<String>); 5]) -> Result<Files, Vec<Problem>> {
        let problems = self.problems.take();
        if !problems.is_empty() {
            return Err(problems.into_iter().collect());
        }
        let mut files = Files::new();
        let mut modules = format!("{header}\n//! The definitions of the `{}` dialect.\n\n{ALLOW}\n", self.dialect.name);
        for (file, content) in parts {
            if let Some(content) = content {
                let module = file.trim_end_matches(".rs");
                modules += &format!("mod {module};\n");
                files.push((file, format!("{header}\n{content}")));
            }
        }
        modules.push('\n');
        for (file, _) in &files {
            modules += &format!("pub use {}::*;\n", file.trim_end_matches(".rs"));
        }
        files.insert(0, ("mod.rs", modules));
        Ok(files)
    }

    fn problem(&self, text: String) {
        let position = self.at.borrow().clone();
        self.problems.borrow_mut().insert(Problem { position, text });
    }

    /// From here on, problems are at this place.
    fn enter(&self, position: Option<&String>) {
        *self.at.borrow_mut() = position.cloned();
    }

    /// A summary, or a problem.
    fn summary(&self, of: &IndexMap<String, String>, section: &str, name: &str) -> String {
        of.get(name).cloned().unwrap_or_else(|| {
            self.problem(format!("no summary in [{section}] for {name}"));
            String::new()
        })
    }

    /// The Rust path of an enumeration's definition.
    fn enum_path(&self, of: &EnumRef) -> String {
        let constant = names::constant_case(&of.class);
        match self.owner(&of.namespace) {
            Some(owner) if owner != self.dialect.name => format!("dl_{owner}::{constant}"),
            _ => {
                self.enums.borrow_mut().insert(of.class.clone());
                constant
            }
        }
    }

    /// The dialect that a C++ name space belongs to.
    fn owner(&self, namespace: &str) -> Option<&str> {
        let inside =
            |outer: &str| namespace.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
        let owners = self.index.namespaces.iter().filter(|(outer, _)| !outer.is_empty() && inside(outer));
        owners.max_by_key(|(outer, _)| outer.len()).map(|(_, name)| name.as_str())
    }

    /// The name, `dialect.mnemonic`, of the attribute that a C++ class implements.
    fn attr_of_class(&self, class: &str) -> Option<&str> {
        self.index.attrs.iter().find(|(c, _)| c == class).map(|(_, name)| name.as_str())
    }

    /// The name of the operation that a C++ class, perhaps qualified, implements.
    fn op_name(&self, class: &str) -> Option<&str> {
        let name = cpp::last_name(class);
        let namespace = class.strip_suffix(name).map_or("", |n| n.trim_end_matches("::"));
        let dialect = self.owner(namespace).unwrap_or(&self.dialect.name);
        let ops = || self.index.ops.iter().filter(|(_, class, _)| class == name);
        ops().find(|(of, ..)| of == dialect).or_else(|| ops().next()).map(|(.., name)| name.as_str())
    }
}

/// The constraints of the core as a Rust file, with the problems met.
pub fn common_constraints(
    constraints: &IndexMap<String, Constraint>,
    tables: &Tables,
    header: &str,
) -> Result<String, Vec<Problem>> {
    let (dialect, index, summaries, none) =
        (Dialect::default(), Index::default(), Summaries::default(), IndexMap::new());
    let emitter = Emitter::new(&dialect, &index, tables, &summaries, &none);
    let text = emitter.constraint_statics(constraints.iter().map(|(name, c)| (names::constant_case(name), c)));
    let problems = emitter.problems.take();
    if problems.is_empty() {
        let uses = "use std::borrow::Cow;\n\nuse super::leaves;\nuse crate::opdef::{AttrConstraint, AttrForm, TypeClass, TypeConstraint};\nuse crate::types::FloatKind;\n";
        Ok(format!(
            "{header}\n//! The constraints on types and attributes that every dialect shares.\n\n{ALLOW}\n{uses}\n{text}"
        ))
    } else {
        Err(problems.into_iter().collect())
    }
}
