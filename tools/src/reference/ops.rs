//! The section of one operation.

use dl_ir::interp::Interpret;
use dl_ir::opdef::{
    Arity, AttrConstraint, AttrDef, AttrForm, BlockCount, Effects, Format, Presence, RegionDef, Trait, ValueDef,
};
use dl_ir::{Context, OpDef};

use super::markdown::{self, Table};
use super::{Dialect, attr_link, enum_link, traits};

pub(super) fn section(cx: &Context, def: &OpDef, all: &[Dialect<'_>], example: &str) -> String {
    let mut text = format!("\n### `{}`\n\n{}\n", def.name, markdown::prose(def.summary.trim()));
    match &def.format {
        Format::Declarative(format) => text += &markdown::code("text", &format!("{} {}", def.name, unspaced(format))),
        Format::Generic => text += "\nHas the generic form only.\n",
        Format::Custom => {}
    }
    text += &markdown::code("mlir", example);
    text += &values("operand", &def.operands);
    let mut attrs = Table::new(["attribute", "what it holds", ""]);
    for attr in def.attrs.iter() {
        attrs.row([format!("`{}`", attr.name), constraint(&attr.constraint, all), presence(attr)]);
    }
    text += &attrs.text();
    text += &values("result", &def.results);
    let mut regions = Table::new(["region", "blocks"]);
    for region in def.regions.iter() {
        regions.row([format!("`{}`", region.name), blocks(region)]);
    }
    text += &regions.text();
    let mut successors = Table::new(["successor", "how many"]);
    for successor in def.successors.iter() {
        let many = if successor.variadic { "any number" } else { "one" };
        successors.row([format!("`{}`", successor.name), many.to_owned()]);
    }
    text += &successors.text();
    text += &traits::of_op(&def.traits);
    text += &behaviour(cx, def);
    text
}

/// The format on one line.
fn unspaced(format: &str) -> String {
    format.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn values(what: &'static str, defs: &[ValueDef]) -> String {
    let mut table = Table::new([what, "type", ""]);
    for def in defs {
        let arity = match def.arity {
            Arity::Single => String::new(),
            Arity::Optional => "may be missing".to_owned(),
            Arity::Variadic => "any number".to_owned(),
            Arity::Groups(sizes) => format!("groups of any number, sizes in `{sizes}`"),
        };
        let effects = effects(def.effects);
        let notes: Vec<String> = [arity, effects].into_iter().filter(|note| !note.is_empty()).collect();
        table.row([format!("`{}`", def.name), markdown::prose(&def.constraint.summary), notes.join("; ")]);
    }
    table.text()
}

/// What is done to memory, in words.
pub(super) fn effects(effects: Effects) -> String {
    let all = [
        (Effects::READ, "read"),
        (Effects::WRITE, "written"),
        (Effects::ALLOCATE, "allocated"),
        (Effects::FREE, "freed"),
    ];
    let words: Vec<&str> = all.iter().filter(|(bit, _)| effects.contains(*bit)).map(|&(_, word)| word).collect();
    words.join(", ")
}

fn constraint(constraint: &AttrConstraint, all: &[Dialect<'_>]) -> String {
    let words = markdown::prose(&constraint.summary);
    match &constraint.form {
        AttrForm::Enum(e) | AttrForm::NamedEnum(e, _) => format!("{words}: {}", enum_link(e, all)),
        AttrForm::Dialect(name) => format!("{words}: {}", attr_link(name, all)),
        _ => words,
    }
}

fn presence(attr: &AttrDef) -> String {
    match &attr.presence {
        Presence::Required => String::new(),
        Presence::Optional => "may be missing".to_owned(),
        Presence::Default(value) | Presence::OptionalDefault(value) => format!("`{value}` where it is missing"),
    }
}

fn blocks(region: &RegionDef) -> String {
    let count = match region.blocks {
        BlockCount::Any => "any number".to_owned(),
        BlockCount::Exactly(1) => "one".to_owned(),
        BlockCount::Exactly(n) => n.to_string(),
        BlockCount::AtLeast(n) => format!("{n} or more"),
        BlockCount::AtMost(n) => format!("up to {n}"),
    };
    if region.variadic { format!("{count}, in any number of regions") } else { count }
}

/// What is attached to the operation besides its definition.
fn behaviour(cx: &Context, def: &OpDef) -> String {
    let Some(info) = cx.find_op(&def.name) else { return String::new() };
    let hooks = &info.hooks;
    let verified = hooks.verify.is_some()
        || hooks.verify_kind.is_some()
        || hooks.verify_regions.is_some()
        || hooks.verify_in_place.is_some();
    let all = [
        (verified, "is verified beyond what stands here"),
        (hooks.fold.is_some(), "folds"),
        (info.is_canonicalized(), "has canonicalization patterns"),
        (hooks.infer_types.is_some() || def.traits.iter().any(infers), "infers its result types"),
        (info.interface::<dyn Interpret>().is_some(), "runs in the interpreter"),
    ];
    let words: Vec<&str> = all.iter().filter(|(has, _)| *has).map(|&(_, word)| word).collect();
    match words.split_last() {
        None => String::new(),
        Some((only, [])) => format!("\nIt {only}.\n"),
        Some((last, rest)) => format!("\nIt {} and {last}.\n", rest.join(", ")),
    }
}

fn infers(of: &Trait) -> bool {
    matches!(of, Trait::SameOperandsAndResultType)
}
