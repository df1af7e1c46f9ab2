//! A dialect of `TableGen` as one of IRDL: `dl-tblgen my.td --to-irdl FILE`, for `dl-opt --irdl-file` and `mlir-opt --irdl-file`.
//!
//! IRDL says less than ODS does: its constraints are types, attributes, what they are made of, and combinations of these. What it cannot say
//! becomes the least that it can say and that holds wherever the original does, with a comment of what was meant; a dialect of which that is not wanted is
//! refused.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::cpp;
use crate::crate_out::{self, Unsupported};
use crate::emit::Index;
use crate::model::{Arity, Dialect, Op, Predicate, Presence, Trait, Value};
use crate::{names, ods, read};

/// What is wanted.
#[derive(Debug)]
pub struct Request {
    /// The `TableGen` file.
    pub input: PathBuf,
    /// Where included files are looked for.
    pub include_dirs: Vec<String>,
    /// The dialect, where the file and what it includes define several.
    pub dialect: Option<String>,
    /// The file to write.
    pub output: PathBuf,
    /// Whether what IRDL cannot say may become less.
    pub widen: bool,
}

/// Writes the file.
///
/// # Errors
/// A file that cannot be read or written, a dialect that is not there or not the only one, or a list of what IRDL cannot say.
pub fn write(request: &Request) -> Result<()> {
    let input = request.input.display().to_string();
    let records = crate_out::records(&request.input, &request.include_dirs)?;
    let name = crate_out::choose(&records, &input, request.dialect.as_deref())?;
    let dialect = read::dialect(&records, &name)?;
    let mut writer = Writer {
        dialect: &dialect,
        index: &ods::index(&records),
        text: String::new(),
        lost: Vec::new(),
        impossible: Vec::new(),
    };
    writer.dialect();
    let listed = |problems: &[(Option<String>, String)]| {
        let line = |(at, what): &(Option<String>, String)| {
            format!("{}: error: unsupported: {what}", at.as_deref().unwrap_or(&input))
        };
        problems.iter().map(line).collect::<Vec<_>>().join("\n")
    };
    if !writer.impossible.is_empty() {
        return Err(Unsupported::new(listed(&writer.impossible)).into());
    }
    if !request.widen && !writer.lost.is_empty() {
        let hint = "note: '--widen' leaves out what irdl cannot say, with a comment";
        return Err(Unsupported::new(format!("{}\n{hint}", listed(&writer.lost))).into());
    }
    let header = format!("// The dialect '{name}' of {}, by dl-tblgen.\n", file_name(&request.input));
    fs::write(&request.output, header + &writer.text)
        .with_context(|| format!("cannot write {}", request.output.display()))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A set of types or attributes, as IRDL has them.
#[derive(Clone, PartialEq, Debug)]
enum Set {
    Any,
    /// One, by its text.
    Is(String),
    /// All with this definition: a builtin one in quotes, or a symbol.
    Base(String),
    AnyOf(Vec<Set>),
    AllOf(Vec<Set>),
}

/// A set, and whether it has no more than what was meant.
type Widened = (Set, bool);

struct Writer<'a> {
    dialect: &'a Dialect,
    index: &'a Index,
    text: String,
    /// What IRDL cannot say: where, and what.
    lost: Vec<(Option<String>, String)>,
    /// What it cannot define at all.
    impossible: Vec<(Option<String>, String)>,
}

impl Writer<'_> {
    fn dialect(&mut self) {
        let _ = writeln!(self.text, "irdl.dialect @{} {{", self.dialect.name);
        for (keyword, definitions) in [("type", &self.dialect.types), ("attribute", &self.dialect.attrs)] {
            for definition in definitions {
                let names: Vec<String> = definition.params.iter().map(|param| names::snake_case(&param.name)).collect();
                let symbol = self.symbol(&definition.name, definition.position.as_ref());
                let open = if names.is_empty() { "" } else { " {" };
                let _ = writeln!(self.text, "  irdl.{keyword} @{symbol}{open}");
                for name in &names {
                    let _ = writeln!(self.text, "    %{name} = irdl.any");
                }
                if !names.is_empty() {
                    let list: Vec<String> = names.iter().map(|name| format!("{name}: %{name}")).collect();
                    let _ = writeln!(self.text, "    irdl.parameters({})\n  }}", list.join(", "));
                }
            }
        }
        for op in &self.dialect.ops {
            self.op(op);
        }
        self.text += "}\n";
    }

    /// The name without the dialect. In IRDL it is of lower case letters, digits and underscores.
    fn symbol<'n>(&mut self, name: &'n str, position: Option<&String>) -> &'n str {
        let short = name.split_once('.').map_or(name, |(_, short)| short);
        if !short.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_') {
            self.impossible.push((position.cloned(), format!("the name '{name}' is none that irdl takes")));
        }
        short
    }

    /// Notes that something is lost, here and in a comment.
    fn lose(&mut self, op: &Op, what: &str) {
        let _ = writeln!(self.text, "    // Not said: {what}.");
        self.lost.push((op.position.clone(), format!("irdl cannot say of '{}': {what}", op.name)));
    }

    fn op(&mut self, op: &Op) {
        let symbol = self.symbol(&op.name, op.position.as_ref());
        let _ = writeln!(self.text, "  irdl.operation @{symbol} {{");
        // Values that have one type share a constraint: in IRDL a constraint stands for one type each time.
        let together = together(op);
        let mut shared: Option<String> = None;
        let (mut count, mut lists) = (0, [("operands", Vec::new()), ("results", Vec::new())]);
        for (list, values) in [(0, &op.operands), (1, &op.results)] {
            for (at, value) in values.iter().enumerate() {
                let name = value.name.clone().unwrap_or_else(|| format!("value{at}"));
                let is_shared = together.contains(&name);
                let constraint = match (&shared, is_shared) {
                    (Some(constraint), true) => constraint.clone(),
                    _ => self.constraint(op, &name, &value.constraint.predicate, &value.constraint.summary, &mut count),
                };
                if is_shared {
                    shared = Some(constraint.clone());
                }
                lists[list].1.push(format!("{}: {}{constraint}", names::snake_case(&name), arity(value)));
            }
        }
        let mut attrs = Vec::new();
        for attr in &op.attrs {
            if attr.presence == Presence::Required {
                let constraint =
                    self.constraint(op, &attr.name, &attr.constraint.predicate, &attr.constraint.summary, &mut count);
                attrs.push(format!("\"{}\" = {constraint}", attr.name));
            } else {
                self.lose(op, &format!("attribute '{}' may be missing", attr.name));
            }
        }
        let mut regions = Vec::new();
        for region in &op.regions {
            if region.variadic {
                self.lose(op, &format!("'{}' is any number of regions", region.name));
                continue;
            }
            let predicate = cpp::normalize(&region.predicate);
            let size = predicate.strip_prefix("hasNItems($_self, ").and_then(|rest| rest.strip_suffix(')'));
            if size.is_none() && predicate != "true" {
                self.lose(op, &format!("region '{}' satisfies '{predicate}'", region.name));
            }
            let size = size.map_or_else(String::new, |size| format!(" with size {size}"));
            let _ = writeln!(self.text, "    %{count} = irdl.region{size}");
            regions.push(format!("{}: %{count}", names::snake_case(&region.name)));
            count += 1;
        }
        if !op.successors.is_empty() {
            self.lose(op, "it has successors");
        }
        for each in op.traits.iter().filter(|each| !is_said(each)) {
            self.lose(op, &format!("trait {each:?}"));
        }
        for (keyword, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            let _ = writeln!(self.text, "    irdl.{keyword}({})", list.join(", "));
        }
        if !attrs.is_empty() {
            let _ = writeln!(self.text, "    irdl.attributes {{{}}}", attrs.join(", "));
        }
        if !regions.is_empty() && !op.regions.iter().any(|region| region.variadic) {
            let _ = writeln!(self.text, "    irdl.regions({})", regions.join(", "));
        }
        self.text += "  }\n";
    }

    /// The name of the constraint for a predicate, which is written.
    fn constraint(&mut self, op: &Op, name: &str, predicate: &Predicate, summary: &str, count: &mut usize) -> String {
        let (set, is_exact) = self.set(predicate);
        if !is_exact {
            self.lose(op, &format!("'{name}' is {summary}"));
        }
        self.write(&set, count)
    }

    fn write(&mut self, set: &Set, count: &mut usize) -> String {
        let text = match set {
            Set::Any => "any".to_owned(),
            Set::Is(text) => format!("is {text}"),
            Set::Base(name) => format!("base {name}"),
            Set::AnyOf(parts) | Set::AllOf(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.write(part, count)).collect();
                let keyword = if matches!(set, Set::AnyOf(_)) { "any_of" } else { "all_of" };
                format!("{keyword}({})", parts.join(", "))
            }
        };
        let name = format!("%{count}");
        *count += 1;
        let _ = writeln!(self.text, "    {name} = irdl.{text}");
        name
    }

    /// The least set that IRDL can say and that has all that a predicate holds of.
    fn set(&self, predicate: &Predicate) -> Widened {
        match predicate {
            Predicate::And(children) => {
                let children: Vec<Widened> = children.iter().map(|child| self.set(child)).collect();
                let is_exact = children.iter().all(|child| child.1);
                (combined(children, Set::Any, Set::AllOf), is_exact)
            }
            Predicate::Or(children) => {
                let children: Vec<Widened> = children.iter().map(|child| self.set(child)).collect();
                let is_exact = children.iter().all(|child| child.1);
                if children.iter().any(|child| child.0 == Set::Any) {
                    return (Set::Any, children.contains(&(Set::Any, true)));
                }
                (combined(children, Set::Any, Set::AnyOf), is_exact)
            }
            Predicate::Leaf(text) => self.leaf(&cpp::normalize(text)).map_or((Set::Any, false), |set| (set, true)),
            Predicate::Not(_) | Predicate::Subst { .. } | Predicate::Concat { .. } | Predicate::Enum(_) => {
                (Set::Any, false)
            }
        }
    }

    fn leaf(&self, text: &str) -> Option<Set> {
        if text == "true" {
            return Some(Set::Any);
        }
        if let Some((classes, "$_self")) = cpp::isa(text) {
            let mut sets: Vec<Set> = classes.into_iter().map(|class| self.class(class)).collect::<Option<_>>()?;
            return Some(if sets.len() == 1 { sets.remove(0) } else { Set::AnyOf(sets) });
        }
        let call = text.strip_prefix("$_self.is")?.strip_suffix(')')?;
        let (kind, width) = call.split_once('(')?;
        let is = |prefix: &str| Set::Is(format!("{prefix}{width}"));
        let floats = ["BF16", "F16", "F32", "F64", "F80", "F128", "TF32"];
        match (kind, width.parse::<u32>().is_ok()) {
            ("SignlessInteger", true) => Some(is("i")),
            ("SignedInteger", true) => Some(is("si")),
            ("UnsignedInteger", true) => Some(is("ui")),
            ("Integer", true) => Some(Set::AnyOf(vec![is("i"), is("si"), is("ui")])),
            ("Index", false) => Some(Set::Is("index".to_owned())),
            (kind, false) if floats.contains(&kind) && width.is_empty() => Some(Set::Is(kind.to_lowercase())),
            _ => None,
        }
    }

    /// What is an instance of a C++ class.
    fn class(&self, class: &str) -> Option<Set> {
        let base = |name: &str| Set::Base(format!("\"{name}\""));
        let both = |x: &str, y: &str| Set::AnyOf(vec![base(x), base(y)]);
        Some(match class {
            "IntegerType" => base("!builtin.integer"),
            "IndexType" => Set::Is("index".to_owned()),
            "NoneType" => Set::Is("none".to_owned()),
            "ComplexType" => base("!builtin.complex"),
            "FunctionType" => base("!builtin.function"),
            "TupleType" => base("!builtin.tuple"),
            "VectorType" => base("!builtin.vector"),
            "RankedTensorType" => base("!builtin.tensor"),
            "UnrankedTensorType" => base("!builtin.unranked_tensor"),
            "TensorType" => both("!builtin.tensor", "!builtin.unranked_tensor"),
            "MemRefType" => base("!builtin.memref"),
            "UnrankedMemRefType" => base("!builtin.unranked_memref"),
            "BaseMemRefType" => both("!builtin.memref", "!builtin.unranked_memref"),
            "IntegerAttr" => base("#builtin.integer"),
            "FloatAttr" => base("#builtin.float"),
            "StringAttr" => base("#builtin.string"),
            "ArrayAttr" => base("#builtin.array"),
            "DictionaryAttr" => base("#builtin.dictionary"),
            "SymbolRefAttr" => base("#builtin.symbol_ref"),
            "TypeAttr" => base("#builtin.type"),
            "UnitAttr" => base("#builtin.unit"),
            class => {
                let known = self.index.types.iter().chain(&self.index.attrs).find(|(known, _)| known == class)?;
                let (dialect, name) = known.1.split_once('.')?;
                (dialect == self.dialect.name).then(|| Set::Base(format!("@{dialect}::@{name}")))?
            }
        })
    }
}

/// The parts as one set, without those that say nothing, and each once.
fn combined(parts: Vec<Widened>, none: Set, several: fn(Vec<Set>) -> Set) -> Set {
    let mut sets: Vec<Set> = Vec::new();
    for (set, _) in parts {
        if set != Set::Any && !sets.contains(&set) {
            sets.push(set);
        }
    }
    match sets.len() {
        0 => none,
        1 => sets.remove(0),
        _ => several(sets),
    }
}

fn arity(value: &Value) -> &'static str {
    match value.arity {
        Arity::Single => "",
        Arity::Optional => "optional ",
        Arity::Variadic | Arity::Groups(_) => "variadic ",
    }
}

/// The values of which a trait says that they have one type.
fn together(op: &Op) -> Vec<String> {
    let names = |values: &[Value]| -> Vec<String> {
        values
            .iter()
            .enumerate()
            .map(|(at, value)| value.name.clone().unwrap_or_else(|| format!("value{at}")))
            .collect()
    };
    let (operands, results) = (names(&op.operands), names(&op.results));
    let mut all = Vec::new();
    for each in &op.traits {
        match each {
            Trait::Named(name) if name == "SameOperandsAndResultType" => {
                all.extend(operands.iter().chain(&results).cloned());
            }
            Trait::Named(name) if name == "SameTypeOperands" => all.extend(operands.iter().cloned()),
            Trait::Match("AllTypesMatch", values)
                if values.iter().all(|value| operands.contains(value) || results.contains(value)) =>
            {
                all.extend(values.iter().cloned());
            }
            _ => {}
        }
    }
    all
}

/// Whether the definition in IRDL says it, or it says nothing of what is right.
fn is_said(each: &Trait) -> bool {
    const NO_CONDITION: [&str; 10] = [
        "Pure",
        "NoMemoryEffect",
        "AlwaysSpeculatable",
        "AlwaysSpeculatableImplTrait",
        "Commutative",
        "Idempotent",
        "Involution",
        "SameOperandsAndResultType",
        "SameTypeOperands",
        "AttrSizedOperandSegments",
    ];
    match each {
        Trait::Named(name) => NO_CONDITION.contains(&name.as_str()),
        Trait::Interface(_) | Trait::Effects(_) => true,
        Trait::Match(class, _) => *class == "AllTypesMatch",
        _ => false,
    }
}
