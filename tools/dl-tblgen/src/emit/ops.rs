//! Operations as `op!` items.

use indexmap::IndexSet;

use super::layout::{literal, quoted, section};
use super::{Emitter, formats};
use crate::cpp;
use crate::model::{Arity, Attr, Format, Op, Presence, Region, Trait, Value};
use crate::names;

impl Emitter<'_> {
    /// The file of the operations.
    pub(super) fn ops(&self) -> Option<String> {
        if self.dialect.ops.is_empty() {
            return None;
        }
        let items: Vec<String> = self.dialect.ops.iter().map(|op| self.op(op)).collect();
        let body = format!("dl_ir::op! {{\n{}}}\n", items.join("\n"));
        let mut views =
            String::from("/// The operations of the dialect, by name.\npub static OPS: &[dl_ir::OpEntry] = &[\n");
        for op in &self.dialect.ops {
            views += &format!("    <{}<'_> as dl_ir::OpDefinition>::ENTRY,\n", op.view);
        }
        views += "];\n";

        let mut uses = String::from("//! Operations of the dialect.\n\n");
        let word = |c: char| !c.is_ascii_alphanumeric() && c != '_';
        let words: IndexSet<&str> = body.split(word).collect();
        let mut common: Vec<String> = self
            .common
            .keys()
            .map(|name| names::constant_case(name))
            .filter(|name| words.contains(name.as_str()))
            .collect();
        let local = self.local.borrow();
        common.retain(|name| !local.contains_key(name));
        common.sort();
        if body.contains(" leaves::") {
            common.push("leaves".to_owned());
        }
        if !common.is_empty() {
            uses += &format!("use dl_ir::constraints::{{{}}};\n\n", common.join(", "));
        }
        let mut mine: Vec<&str> = local.keys().map(String::as_str).filter(|name| words.contains(name)).collect();
        mine.sort_unstable();
        if !mine.is_empty() {
            uses += &format!("use super::constraints::{{{}}};\n\n", mine.join(", "));
        }
        Some(format!("{uses}{body}\n{views}"))
    }

    fn op(&self, op: &Op) -> String {
        self.enter(op.position.as_ref());
        let short = op.name.split_once('.').map_or(op.name.as_str(), |(_, short)| short);
        let summary = self.summary(&self.summaries.ops, "ops", short);
        let mut text = format!("    /// {summary}\n    {} = {} {{\n", op.view, quoted(&op.name));
        let operands: Vec<String> = op
            .operands
            .iter()
            .enumerate()
            .map(|(i, v)| self.value(&op.view, v, &unnamed("operand", i, &op.operands)))
            .collect();
        let attrs: Vec<String> = op.attrs.iter().map(|attr| self.attr(op, attr)).collect();
        let results: Vec<String> = op
            .results
            .iter()
            .enumerate()
            .map(|(i, v)| self.value(&op.view, v, &unnamed("result", i, &op.results)))
            .collect();
        let regions: Vec<String> = op.regions.iter().map(|region| self.region(op, region)).collect();
        let successors = op.successors.iter().map(|successor| {
            format!("{}: {}()", accessor(&successor.name), if successor.variadic { "Variadic" } else { "Single" })
        });
        let successors: Vec<String> = successors.collect();
        let mut traits = Vec::new();
        for found in &op.traits {
            let found = self.op_trait(op, found);
            if !found.is_empty() && !traits.contains(&found) {
                traits.push(found);
            }
        }
        let pure = traits.iter().any(|t| t == "Pure");
        traits.retain(|t| !(pure && (t == "NoMemoryEffect" || t == "AlwaysSpeculatable")));
        traits.sort_by_key(|t| (t.starts_with("Interface("), t.contains('(')));
        text += &section(8, "operands", &operands, false);
        text += &section(8, "attrs", &attrs, false);
        text += &section(8, "results", &results, false);
        text += &section(8, "regions", &regions, false);
        text += &section(8, "successors", &successors, false);
        text += &section(8, "traits", &traits, true);
        match &op.format {
            Format::Generic => {}
            Format::Custom => text += "        format: custom,\n",
            Format::Declarative(format) => {
                text += &literal(8, "format: ", &formats::one_line(format));
            }
        }
        self.check_names(op);
        text + "    }\n"
    }

    fn value(&self, op: &str, value: &Value, unnamed: &str) -> String {
        let name = value.name.as_deref().unwrap_or(unnamed);
        let constraint = self.constraint(&value.constraint, &format!("{op}_{}", names::snake_case(name)));
        let name = accessor(name);
        let effects = value.effects.iter().fold(String::new(), |text, effect| text + ", " + effect);
        match &value.arity {
            Arity::Single => format!("{name}: Single({constraint}{effects})"),
            Arity::Optional => format!("{name}: Optional({constraint}{effects})"),
            Arity::Variadic => format!("{name}: Variadic({constraint}{effects})"),
            Arity::Groups(sizes) => {
                format!("{name}: Groups({}, {constraint}{effects})", quoted(sizes))
            }
        }
    }

    fn attr(&self, op: &Op, attr: &Attr) -> String {
        let constraint = self.constraint(&attr.constraint, &format!("{}_{}", op.view, attr.name));
        let presence = match &attr.presence {
            Presence::Required => format!("Required({constraint})"),
            Presence::Optional => format!("Optional({constraint})"),
            Presence::Default(value) => {
                format!("Default({constraint}, {})", quoted(&self.default_text(&op.name, attr, value)))
            }
            Presence::OptionalDefault(value) => {
                format!("OptionalDefault({constraint}, {})", quoted(&self.default_text(&op.name, attr, value)))
            }
        };
        format!("{} {}: {presence}", names::snake_case(&attr.name), quoted(&attr.name))
    }

    fn region(&self, op: &Op, region: &Region) -> String {
        let predicate = cpp::normalize(&region.predicate);
        let number = |prefix: &str| predicate.strip_prefix(prefix)?.strip_suffix(')')?.parse::<u32>().ok();
        let (count, n) = if predicate == "true" {
            ("Any", None)
        } else if let Some(n) = number("hasNItems($_self, ") {
            ("Exactly", Some(n))
        } else if let Some(n) = number("hasNItemsOrMore($_self, ") {
            ("AtLeast", Some(n))
        } else if let Some(n) = number("hasNItemsOrLess($_self, ") {
            ("AtMost", Some(n))
        } else {
            self.problem(format!("unsupported: region constraint `{predicate}` of {}", op.name));
            ("Any", None)
        };
        let n = n.map(|n| n.to_string());
        let arguments: Vec<&str> = region.variadic.then_some("variadic").into_iter().chain(n.as_deref()).collect();
        format!("{}: {count}({})", accessor(&region.name), arguments.join(" "))
    }

    fn op_trait(&self, op: &Op, found: &Trait) -> String {
        let list = |names: &[String]| names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ");
        match found {
            Trait::Named(name) => self.tables.traits.get(name).unwrap_or_else(|| {
                self.problem(format!("no entry in [traits] for `{name}`, needed by {}", op.name));
                String::new()
            }),
            Trait::Interface(name) => {
                self.tables.interfaces.get(name).unwrap_or_else(|| format!("Interface({})", quoted(name)))
            }
            Trait::Effects(effects) => format!("MemoryEffects({})", effects.join(", ")),
            Trait::HasParent(classes) => {
                let parents: Vec<String> = classes.iter().map(|class| quoted(&self.op_of(op, class))).collect();
                format!("HasParent({})", parents.join(", "))
            }
            Trait::ImplicitTerminator(class) => {
                format!("SingleBlockImplicitTerminator({})", quoted(&self.op_of(op, class)))
            }
            Trait::Match(class, values) => format!("{class}({})", list(values)),
            Trait::TypesMatch { summary, from, to, transform } => {
                let function = self.tables.transforms.get(transform).unwrap_or_else(|| {
                    self.problem(format!("no entry in [transforms] for `{transform}`, needed by {}", op.name));
                    String::new()
                });
                let many = |v: &&Value| v.name.as_ref() == Some(to) && v.arity == Arity::Variadic;
                let range = op.operands.iter().chain(&op.results).find(many).is_some();
                let class = if range { "RangedTypesMatchWith" } else { "TypesMatchWith" };
                format!("{class}({}, {}, {}, {function})", quoted(summary), quoted(from), quoted(to))
            }
            Trait::Predicate { summary, leaf } => {
                let by_leaf = leaf.as_ref().and_then(|leaf| self.tables.conditions.get(leaf));
                let function = by_leaf.or_else(|| self.tables.conditions.get(summary)).unwrap_or_else(|| {
                    self.problem(format!("no entry in [conditions] for `{summary}`, needed by {}", op.name));
                    String::new()
                });
                format!("Predicate({}, {function})", quoted(summary))
            }
        }
    }

    fn op_of(&self, op: &Op, class: &str) -> String {
        self.op_name(class).map_or_else(
            || {
                self.problem(format!("no operation has the class `{class}`, needed by {}", op.name));
                String::new()
            },
            str::to_owned,
        )
    }

    /// Names of accessors must differ, and formats may only use names that are there.
    fn check_names(&self, op: &Op) {
        let values = op.operands.iter().chain(&op.results).filter_map(|v| v.name.as_deref());
        let others = op.attrs.iter().map(|a| a.name.as_str()).chain(op.regions.iter().map(|r| r.name.as_str()));
        let successors = op.successors.iter().map(|s| s.name.as_str());
        let mut declared = IndexSet::new();
        let mut accessors = IndexSet::new();
        for name in values.chain(others).chain(successors) {
            declared.insert(name);
            if !accessors.insert(names::snake_case(name)) {
                self.problem(format!("{} has two things called '{name}'", op.name));
            }
        }
        if let Format::Declarative(format) = &op.format {
            for name in formats::names_in(format) {
                if !declared.contains(name.as_str()) {
                    self.problem(format!("the format of {} uses '${name}', which is not declared", op.name));
                }
            }
        }
    }
}

/// The name of the accessor of an operand, result, region or successor, followed by its own where that differs.
fn accessor(name: &str) -> String {
    let accessor = names::snake_case(name);
    if accessor == name { accessor } else { format!("{accessor} {}", quoted(name)) }
}

/// The name of an operand or result that has none in ODS.
fn unnamed(what: &str, index: usize, values: &[Value]) -> String {
    match (values.len(), &values[index].arity) {
        (1, Arity::Variadic) => format!("{what}s"),
        (1, _) => what.to_owned(),
        _ => format!("{what}_{index}"),
    }
}
