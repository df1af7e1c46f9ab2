//! Traits in words.

use dl_ir::opdef::Trait;

use super::markdown::{self, Table};
use super::ops::effects;

/// Traits without parameters: name, and what the operation promises by it.
const FLAGS: &[(Trait, &str, &str)] = &[
    (
        Trait::Pure,
        "Pure",
        "No effect on memory and no undefined behaviour: may be erased when unused, moved and duplicated.",
    ),
    (Trait::NoMemoryEffect, "NoMemoryEffect", "No effect on memory, but may not be executed where it was not before."),
    (
        Trait::RecursiveMemoryEffects,
        "RecursiveMemoryEffects",
        "Its effects on memory are those of the operations in its regions.",
    ),
    (Trait::AlwaysSpeculatable, "AlwaysSpeculatable", "May be executed where it was not before, whatever its effects."),
    (
        Trait::RecursivelySpeculatable,
        "RecursivelySpeculatable",
        "May be executed where it was not before if the operations in its regions may.",
    ),
    (Trait::Commutative, "Commutative", "The order of its operands makes no difference."),
    (Trait::Involution, "Involution", "Applied twice it gives what it was applied to."),
    (Trait::Idempotent, "Idempotent", "Applied twice it gives what it gives when applied once."),
    (Trait::ConstantLike, "ConstantLike", "Takes no operands and has one result, which its attribute says."),
    (Trait::Terminator, "Terminator", "Ends a block, and stands nowhere else."),
    (Trait::ReturnLike, "ReturnLike", "Ends a region and hands its operands to the operation around it."),
    (Trait::IsolatedFromAbove, "IsolatedFromAbove", "Its regions use no value defined outside of them."),
    (Trait::SymbolTable, "SymbolTable", "Symbols defined in its region are looked up by name in it."),
    (Trait::Symbol, "Symbol", "Is known by its `sym_name` in the symbol table around it."),
    (Trait::SingleBlock, "SingleBlock", "Each of its regions has at most one block."),
    (Trait::NoTerminator, "NoTerminator", "The blocks in its regions need no terminator."),
    (Trait::GraphRegion, "GraphRegion", "In its regions, values may be used before they are defined."),
    (Trait::NoRegionArguments, "NoRegionArguments", "The blocks in its regions have no arguments."),
    (
        Trait::AffineScope,
        "AffineScope",
        "What is defined at its top level may be a symbol of affine maps, and its arguments dimensions.",
    ),
    (
        Trait::AutomaticAllocationScope,
        "AutomaticAllocationScope",
        "Memory allocated on the stack in it is freed when it ends.",
    ),
    (
        Trait::AttrSizedOperandSegments,
        "AttrSizedOperandSegments",
        "`operandSegmentSizes` says how many values each operand stands for.",
    ),
    (
        Trait::AttrSizedResultSegments,
        "AttrSizedResultSegments",
        "`resultSegmentSizes` says how many values each result stands for.",
    ),
    (
        Trait::SameVariadicOperandSize,
        "SameVariadicOperandSize",
        "Its operands that stand for any number of values all stand for the same number.",
    ),
    (
        Trait::SameVariadicResultSize,
        "SameVariadicResultSize",
        "Its results that stand for any number of values all stand for the same number.",
    ),
    (Trait::SameOperandsAndResultType, "SameOperandsAndResultType", "All operands and results have one type."),
    (Trait::SameTypeOperands, "SameTypeOperands", "All operands have one type."),
    (
        Trait::SameOperandsAndResultElementType,
        "SameOperandsAndResultElementType",
        "All operands and results have one element type.",
    ),
    (Trait::SameOperandsElementType, "SameOperandsElementType", "All operands have one element type."),
    (Trait::SameOperandsAndResultShape, "SameOperandsAndResultShape", "The shapes of all operands and results agree."),
    (Trait::SameOperandsShape, "SameOperandsShape", "The shapes of all operands agree."),
    (Trait::SameOperandsAndResultRank, "SameOperandsAndResultRank", "All operands and results have one rank."),
    (Trait::Elementwise, "Elementwise", "On vectors and tensors, works on each element for itself."),
    (Trait::Scalarizable, "Scalarizable", "What it does to vectors or tensors it can do to their elements one by one."),
    (Trait::Vectorizable, "Vectorizable", "What it does to scalars it can do to vectors of them."),
    (Trait::Tensorizable, "Tensorizable", "What it does to scalars it can do to tensors of them."),
    (Trait::InferTypes, "InferTypes", "Its result types follow from the rest of it."),
    (Trait::OneResult, "OneResult", "Has exactly one result."),
    (
        Trait::DestinationStyle,
        "DestinationStyle",
        "Its results on tensors take the place of operands that it names: its `outs`.",
    ),
    (Trait::ParallelLoop, "ParallelLoop", "Iterations of its region may run in any order, and at once."),
];

/// The page of traits.
pub(super) fn page() -> String {
    let sections = FLAGS.iter().map(|(_, name, words)| format!("\n## `{name}`\n\n{words}\n"));
    format!(
        "# Traits\n\nWhat an operation promises to passes, and the verifier checks where it can. [All dialects](README.md)\n{}",
        sections.collect::<String>()
    )
}

/// The traits of an operation: conditions that it must meet as a list, then flags, then interfaces.
pub(super) fn of_op(traits: &[Trait]) -> String {
    let mut text = String::new();
    let mut conditions = Table::new(["condition"]);
    for condition in traits.iter().filter_map(condition) {
        conditions.row([condition]);
    }
    text += &conditions.text();
    let flags: Vec<String> = traits
        .iter()
        .filter_map(Trait::flag)
        .filter_map(|bit| FLAGS.iter().find(|(of, ..)| of.flag() == Some(bit)))
        .map(|(_, name, _)| markdown::link(name, "traits.md", &markdown::anchor(name)))
        .collect();
    if !flags.is_empty() {
        text += &format!("\nTraits: {}\n", flags.join(", "));
    }
    let interface = |of: &Trait| match of {
        Trait::Interface(name) => Some(format!("`{name}`")),
        _ => None,
    };
    let interfaces: Vec<String> = traits.iter().filter_map(interface).collect();
    if !interfaces.is_empty() {
        text += &format!("\nInterfaces: {}\n", interfaces.join(", "));
    }
    text
}

/// A trait with parameters in words; `None` for flags and interfaces.
fn condition(of: &Trait) -> Option<String> {
    let all = |names: &[dl_ir::opdef::Str], what: &str| format!("{} have one {what}", markdown::list(names, "and"));
    Some(match of {
        Trait::HasParent(names) => format!("stands in {}", markdown::list(names, "or")),
        Trait::SingleBlockImplicitTerminator(name) => {
            format!("each region is one block that `{name}` ends, which the pretty form may leave out")
        }
        Trait::MemoryEffects(of) => format!("memory that no operand names is {}", effects(*of)),
        Trait::AllTypesMatch(names) => all(names, "type"),
        Trait::AllElementTypesMatch(names) => all(names, "element type"),
        Trait::AllShapesMatch(names) => all(names, "shape"),
        Trait::AllRanksMatch(names) => all(names, "rank"),
        Trait::AllElementCountsMatch(names) => all(names, "number of elements"),
        Trait::TypesMatchWith { summary, .. }
        | Trait::RangedTypesMatchWith { summary, .. }
        | Trait::Predicate { summary, .. } => markdown::prose(summary),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_is_described_once() {
        let mut bits: Vec<u64> = FLAGS.iter().map(|(of, ..)| of.flag().expect("a flag")).collect();
        bits.sort_unstable();
        // The flags are the low bits, without gaps.
        let all: Vec<u64> = (0..bits.len()).map(|bit| 1 << bit).collect();
        assert_eq!(bits, all);
        assert_eq!(Trait::ParallelLoop.flag(), bits.last().copied(), "the last flag of `Trait`");
        assert!(FLAGS.iter().all(|(of, name, _)| format!("{of:?}") == *name));
    }
}
