//! Traits of operations.

use anyhow::{Result, bail};
use tblgen::Record;

use super::{def, defs, optional_text, text};
use crate::cpp;
use crate::model::Trait;

/// Relations among values, and the field that names them.
const MATCHES: [&str; 5] =
    ["AllTypesMatch", "AllElementTypesMatch", "AllShapesMatch", "AllRanksMatch", "AllElementCountsMatch"];

/// One element type for each element of a shaped type, as a transformer.
const ELEMENT_TYPES: &str = "SmallVector<Type>($_self.getNumElements(), $_self.getElementType())";

/// Lists that are traits in their own right.
const LISTS: [&str; 3] = ["Pure", "AlwaysSpeculatable", "RecursivelySpeculatable"];

/// The traits of an `Op`, each once, lists spread out.
pub(super) fn read(op: Record<'_>) -> Result<Vec<Trait>> {
    let mut traits = Vec::new();
    for record in defs(op, "traits")? {
        flatten(record, &mut traits)?;
    }
    Ok(traits)
}

/// The effects of records such as `MemRead`, each once.
pub(super) fn effects(decorators: Vec<Record<'_>>) -> Result<Vec<&'static str>> {
    let mut effects = Vec::new();
    for decorator in decorators.into_iter().filter(|d| d.subclass_of("SideEffect")) {
        let effect = match cpp::last_name(&text(decorator, "effect")?) {
            "Read" => "READ",
            "Write" => "WRITE",
            "Allocate" => "ALLOCATE",
            "Free" => "FREE",
            other => bail!("unsupported: side effect {other}"),
        };
        if !effects.contains(&effect) {
            effects.push(effect);
        }
    }
    Ok(effects)
}

fn flatten(record: Record<'_>, traits: &mut Vec<Trait>) -> Result<()> {
    let found = if LISTS.contains(&record.name()?) {
        Trait::Named(record.name()?.to_owned())
    } else if record.subclass_of("TraitList") {
        for child in defs(record, "traits")? {
            flatten(child, traits)?;
        }
        return Ok(());
    } else if record.subclass_of("MemoryEffects") {
        match effects(defs(record, "effects")?)? {
            none if none.is_empty() => Trait::Named("NoMemoryEffect".to_owned()),
            effects => Trait::Effects(effects),
        }
    } else if let Some(class) = MATCHES.into_iter().find(|class| record.subclass_of(class)) {
        let values = record.list_of_strings_value("values")?;
        Trait::Match(class, values.into_iter().map(str::to_owned).collect())
    } else if record.subclass_of("TypesMatchWith") {
        Trait::TypesMatch {
            summary: text(record, "summary")?,
            from: text(record, "lhs")?,
            to: text(record, "rhs")?,
            transform: cpp::normalize(&text(record, "transformer")?),
        }
    } else if record.subclass_of("ShapedTypeMatchesElementCountAndTypes") {
        Trait::TypesMatch {
            summary: text(record, "summary")?,
            from: text(record, "shaped")?,
            to: text(record, "elements")?,
            transform: ELEMENT_TYPES.to_owned(),
        }
    } else if record.subclass_of("PredOpTrait") {
        let predicate = def(record, "predicate")?;
        let leaf = predicate.subclass_of("CPred").then(|| text(predicate, "predExpr")).transpose()?;
        Trait::Predicate { summary: text(record, "summary")?, leaf: leaf.map(|leaf| cpp::normalize(&leaf)) }
    } else if let Some(name) = optional_text(record, "cppInterfaceName") {
        Trait::Interface(cpp::last_name(&name).to_owned())
    } else {
        let class = cpp::normalize(&text(record, "trait")?);
        let class = class.trim_end_matches("::Impl");
        match class.split_once('<') {
            Some(("HasParent", parents)) => {
                let parents = parents.trim_end_matches('>').split(',').map(|p| p.trim().to_owned());
                Trait::HasParent(parents.collect())
            }
            Some(("SingleBlockImplicitTerminator", terminator)) => {
                Trait::ImplicitTerminator(terminator.trim_end_matches('>').to_owned())
            }
            _ => Trait::Named(class.trim_start_matches("OpTrait::").to_owned()),
        }
    };
    if !traits.contains(&found) {
        traits.push(found);
    }
    Ok(())
}
