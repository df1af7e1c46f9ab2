//! Constraints as `static` items.

use super::Emitter;
use super::layout::quoted;
use crate::cpp;
use crate::model::{Constraint, ConstraintKind, Form};
use crate::names;

impl Emitter<'_> {
    /// The name of the constant for `constraint`, which becomes one of the dialect where the core has none.
    /// `place` names a constraint without words, as `print_source`.
    pub(super) fn constraint(&self, constraint: &Constraint, place: &str) -> String {
        if let Some(record) = &constraint.record
            && self.common.contains_key(record)
        {
            return names::constant_case(record);
        }
        if let Some((name, _)) = self.common.iter().find(|(_, c)| same(c, constraint)) {
            return names::constant_case(name);
        }
        let mut local = self.local.borrow_mut();
        if let Some((name, _)) = local.iter().find(|(_, c)| same(c, constraint)) {
            return name.clone();
        }
        let name = match &constraint.record {
            Some(record) => names::constant_case(names::without_prefix(record)),
            None if constraint.summary.is_empty() => names::constant_case(place),
            None => names::constant_of_summary(&constraint.summary),
        };
        let name = self.free_name(name, constraint, &local);
        local.insert(name.clone(), constraint.clone());
        self.needed_at.borrow_mut().insert(name.clone(), self.at.borrow().clone());
        name
    }

    /// `name`, or one like it that nothing else has.
    fn free_name(
        &self,
        name: String,
        constraint: &Constraint,
        local: &indexmap::IndexMap<String, Constraint>,
    ) -> String {
        let is_enum = |name: &str| self.dialect.enums.iter().any(|e| names::constant_case(&e.name.class) == name);
        let is_common = |name: &str| self.common.keys().any(|c| names::constant_case(c) == name);
        let taken = |name: &str| local.contains_key(name) || is_enum(name) || is_common(name);
        if !taken(&name) {
            return name;
        }
        if matches!(constraint.kind, ConstraintKind::Attr(_) | ConstraintKind::Number(_) | ConstraintKind::Flag(_))
            && !name.ends_with("_ATTR")
            && !taken(&(name.clone() + "_ATTR"))
        {
            return name + "_ATTR";
        }
        let prefixed = format!("{}_{name}", self.dialect.name.to_uppercase());
        if !taken(&prefixed) {
            return prefixed;
        }
        let numbered = (2..=local.len() + 2).map(|n| format!("{name}_{n}"));
        numbered.into_iter().find(|name| !taken(name)).unwrap_or(name)
    }

    /// The file of the constraints that the dialect does not share.
    pub(super) fn local_constraints(&self) -> Option<String> {
        let local = self.local.borrow().clone();
        if local.is_empty() {
            return None;
        }
        let mut local: Vec<_> = local.into_iter().collect();
        local.sort_by(|a, b| a.0.cmp(&b.0));
        let statics = self.constraint_statics(local.iter().map(|(name, c)| (name.clone(), c)));
        let mut uses = String::from("//! Constraints of this dialect alone.\n\n");
        for (what, line) in [
            ("Cow::", "use std::borrow::Cow;\n\n"),
            ("FloatKind::", "use dl_ir::FloatKind;\n"),
            ("leaves::", "use dl_ir::constraints::leaves;\n"),
        ] {
            if statics.contains(what) {
                uses += line;
            }
        }
        let opdef: Vec<&str> = ["AttrConstraint", "AttrForm", "TypeClass", "TypeConstraint"]
            .into_iter()
            .filter(|name| statics.contains(name))
            .collect();
        uses += &format!("use dl_ir::opdef::{{{}}};\n", opdef.join(", "));
        let enums: Vec<String> = self.dialect.enums.iter().map(|e| names::constant_case(&e.name.class)).collect();
        let enums: Vec<String> = enums
            .into_iter()
            .filter(|e| {
                statics.contains(&format!("(&{e})"))
                    || statics.contains(&format!(", &{e})"))
                    || statics.contains(&format!("(&{e},"))
            })
            .collect();
        if !enums.is_empty() {
            uses += &format!("\nuse super::enums::{{{}}};\n", enums.join(", "));
        }
        Some(format!("{uses}\n{statics}"))
    }

    /// One `static` each.
    pub(super) fn constraint_statics<'c>(&self, constraints: impl Iterator<Item = (String, &'c Constraint)>) -> String {
        constraints.map(|(name, constraint)| self.constraint_static(&name, constraint)).collect::<Vec<_>>().join("\n")
    }

    fn constraint_static(&self, name: &str, constraint: &Constraint) -> String {
        self.enter(self.needed_at.borrow().get(name).and_then(Option::as_ref));
        let place = format!("`{}` ({name})", constraint.summary);
        let summary = quoted(&constraint.summary);
        let value = match &constraint.kind {
            ConstraintKind::Type { builder, class } => {
                let closure = self.closure(&constraint.predicate, "t", &place);
                // A call that builds no type on its own has no text in the table.
                let text = builder.as_ref().map(|call| self.type_text(call, &place)).filter(|text| !text.is_empty());
                let of = class.map(|class| format!(".of(TypeClass::{class})")).unwrap_or_default();
                match text {
                    Some(text) => {
                        format!(
                            "TypeConstraint = TypeConstraint::buildable({summary}, {closure}, {}){of}",
                            quoted(&text)
                        )
                    }
                    None => format!("TypeConstraint = TypeConstraint::new({summary}, {closure}){of}"),
                }
            }
            ConstraintKind::Attr(form) | ConstraintKind::Number(form) | ConstraintKind::Flag(form) => {
                let closure = self.closure(&constraint.predicate, "a", &place);
                let form = self.form(form, &place);
                let native = match constraint.kind {
                    ConstraintKind::Number(_) => ".number()",
                    ConstraintKind::Flag(_) => ".flag()",
                    _ => "",
                };
                // What these ask of a number is a type.
                let by_type = if matches!(name, "ANY_ATTR" | "TYPED_ATTR_INTERFACE") { ".by_type()" } else { "" };
                format!("AttrConstraint = AttrConstraint::new({summary}, {closure}, {form}){native}{by_type}")
            }
        };
        let doc = match &constraint.kind {
            ConstraintKind::Attr(Form::Dialect(name)) if constraint.summary.is_empty() => {
                format!("An attribute `#{name}`")
            }
            _ => sentence(&constraint.summary),
        };
        format!("/// {doc}.\npub static {name}: {value};\n")
    }

    fn form(&self, form: &Form, place: &str) -> String {
        let borrowed = |text: &str| format!("Cow::Borrowed({})", quoted(text));
        match form {
            Form::Any => "AttrForm::Any".to_owned(),
            Form::Typed(call) => {
                format!("AttrForm::Typed({})", borrowed(&self.type_text(call, place)))
            }
            Form::SymbolName => "AttrForm::SymbolName".to_owned(),
            Form::SymbolRef => "AttrForm::SymbolRef".to_owned(),
            Form::Array => "AttrForm::Array".to_owned(),
            Form::Unit => "AttrForm::Unit".to_owned(),
            Form::Type => "AttrForm::Type".to_owned(),
            Form::String => "AttrForm::String".to_owned(),
            Form::DenseArray(element) => format!("AttrForm::DenseArray({})", borrowed(element)),
            Form::Enum(of) => format!("AttrForm::Enum(&{})", self.enum_path(of)),
            Form::NamedEnum(of, word) => {
                format!("AttrForm::NamedEnum(&{}, {})", self.enum_path(of), borrowed(word))
            }
            // Builtin attributes have no name to leave out.
            Form::Dialect(name) if name.starts_with("builtin.") => "AttrForm::Any".to_owned(),
            Form::Dialect(name) => format!("AttrForm::Dialect({})", borrowed(name)),
            Form::Class(class) => match self.attr_of_class(class) {
                Some(name) => format!("AttrForm::Dialect({})", borrowed(name)),
                None => "AttrForm::Any".to_owned(),
            },
        }
    }

    /// The text of a type without parameters that the definitions of a dialect have.
    fn plain_type_text(&self, call: &str) -> Option<String> {
        let class = plain_class(call)?;
        let (_, name) = self.index.types.iter().find(|(known, _)| known == class)?;
        Some(format!("!{name}"))
    }

    /// The text of the type that the C++ `call` builds.
    fn type_text(&self, call: &str, place: &str) -> String {
        let call = cpp::normalize(call);
        self.tables.types.get(&call).or_else(|| self.plain_type_text(&call)).unwrap_or_else(|| {
            self.problem(format!("no entry in [types] for `{call}`, needed by {place}"));
            String::new()
        })
    }
}

/// The class whose only value the C++ `call` builds.
fn plain_class(call: &str) -> Option<&str> {
    let inner = call.strip_prefix("$_builder.getType<").and_then(|rest| rest.strip_suffix(">()"));
    inner.or_else(|| call.strip_suffix("::get($_builder.getContext())"))
}

/// Whether two constraints say the same, whatever their records are called.
fn same(a: &Constraint, b: &Constraint) -> bool {
    a.summary == b.summary && a.kind == b.kind && a.predicate == b.predicate
}

/// With a capital letter, without the space before it and without what Rust documentation would read as a link.
fn sentence(text: &str) -> String {
    let text = text.trim().trim_end_matches('.').replace('[', "\\[").replace('<', "\\<");
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => "A constraint without a name".to_owned(),
    }
}
