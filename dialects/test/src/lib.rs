//! The `test` dialect: operations that tests are written in, known to `dl-opt` as they are to `mlir-opt`.
//!
//! An operation here has a trait, an interface, a fold or a pattern, so that a test can see what a pass makes of that alone, and no meaning
//! besides. Operations that are not defined here are accepted, and nothing is known about them. Names and forms are those of MLIR's
//! dialect of this name, of which this is the part that tests of other dialects and passes use.

#![forbid(unsafe_code)]

mod assembly;
mod interfaces;
mod ops;
mod ranges;
mod rewrites;
mod slots;
mod sparse;

pub use ops::*;
pub use sparse::SparseTensor;

use dl_ir::dialect::SignatureAttr;
use dl_ir::interfaces::{
    BranchOp as BranchInterface, CallOp, DestinationStyle, DestructurableAllocation, InferIntRange, InitsAt,
    InlineAnywhereAndInside, LoopLike, MaterializesConstants, PromotableAllocation, RecordRanges, RegionBranchOp,
};
use dl_ir::opdef::Effects;
use dl_ir::typedef::TypeDefinition;
use dl_ir::{Dialect, DialectBuilder, OpRef};

/// A type that memrefs may hold.
static MEMREF_ELEMENT: TypeDefinition = TypeDefinition::plain("test.memref_element", "A type that memrefs may hold.");

/// The `test` dialect.
pub struct Test;

impl Dialect for Test {
    fn namespace(&self) -> &'static str {
        "test"
    }

    fn register(&self, b: &mut DialectBuilder) {
        b.ops(OPS)
            .types(&[&MEMREF_ELEMENT])
            .memref_elements(&["test.memref_element"])
            .allow_unknown_ops()
            .partial()
            .inlining(&InlineAnywhereAndInside)
            .verify_signature_attr(verify_signature_attr)
            .materialize_constant(dl_arith::materialize_constant);
        b.on::<BrOp<'_>>().interface::<dyn BranchInterface>(Box::new(interfaces::Branch));
        b.on::<BufferBasedOp<'_>>().interface::<dyn DestinationStyle>(Box::new(InitsAt(1)));
        b.on::<RegionBufferBasedOp<'_>>().interface::<dyn DestinationStyle>(Box::new(InitsAt(1)));
        // Were reading all that it does, it would be dead.
        b.on::<ReadBufferOp<'_>>().effects(|_| Effects::READ.union(Effects::WRITE));
        b.on::<SideEffectOp<'_>>().effects(listed_effects);
        b.on::<OpWithMemreadOp<'_>>().effects(|_| Effects::READ);
        b.on::<OpWithMemwriteOp<'_>>().effects(|_| Effects::WRITE);
        b.on::<ConditionallySpeculatableOp<'_>>().speculatable(|op| op.operand(0).constant().is_some());
        b.on::<GraphLoopOp<'_>>().interface::<dyn LoopLike>(Box::new(interfaces::Unordered));
        b.on::<DestinationStyleOp<'_>>().interface::<dyn DestinationStyle>(Box::new(InitsAt(1)));
        b.on::<RegionIfOp<'_>>()
            .parse(assembly::parse_region_if)
            .print(assembly::print_region_if)
            .interface::<dyn RegionBranchOp>(Box::new(interfaces::Joined));
        b.on::<ParseCustomOperationNameApiOp<'_>>()
            .parse(assembly::parse_operation_name)
            .print(assembly::print_operation_name);
        b.on::<OneRegionOp<'_>>().interface::<dyn MaterializesConstants>(Box::new(interfaces::KeepsConstants));
        b.on::<CallOnDeviceOp<'_>>().interface::<dyn CallOp>(Box::new(interfaces::CallOnDevice));
        b.on::<MultiSlotAllocaOp<'_>>()
            .interface::<dyn PromotableAllocation>(Box::new(slots::Alloca))
            .interface::<dyn DestructurableAllocation>(Box::new(slots::Alloca));
        b.on::<WithBoundsOp<'_>>().interface::<dyn InferIntRange>(Box::new(ranges::Bounds));
        b.on::<ReflectBoundsOp<'_>>()
            .interface::<dyn InferIntRange>(Box::new(ranges::Reflection))
            .interface::<dyn RecordRanges>(Box::new(ranges::Reflection));
        b.on::<OpNormRetOp<'_>>().result_names(|_, name| {
            name(0, "Y");
            name(1, "Z");
        });
        b.on::<FoldToCallOp<'_>>().canonicalize(rewrites::becomes_call);
        b.on::<DialectCanonicalizableOp<'_>>().canonicalize(rewrites::canonicalizable);
        b.on::<OpWithRegionPatternOp<'_>>().canonicalize(rewrites::with_region);
        b.on::<OpWithRegionFoldOp<'_>>().fold(rewrites::fold_to_operands);
        b.on::<OpWithVariadicResultsAndFolderOp<'_>>().fold(rewrites::fold_to_operands);
    }
}

/// No argument or result may have `test.invalid_attr`.
fn verify_signature_attr(_: OpRef<'_>, attr: SignatureAttr<'_>) -> Result<(), String> {
    if attr.name == "test.invalid_attr" { Err("invalid to use 'test.invalid_attr'".to_owned()) } else { Ok(()) }
}

/// The effects that the attribute `effects` lists, a dictionary for each.
fn listed_effects(op: OpRef<'_>) -> Effects {
    let all = op.attr("effects").into_iter().flat_map(|all| all.elements());
    all.map(|each| match each.get("effect").and_then(|effect| effect.as_str()) {
        Some("allocate") => Effects::ALLOCATE,
        Some("free") => Effects::FREE,
        Some("read") => Effects::READ,
        _ => Effects::WRITE,
    })
    .fold(Effects::NONE, Effects::union)
}
