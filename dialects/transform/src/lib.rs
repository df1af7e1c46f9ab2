//! The `transform` dialect: transformations of IR as IR.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own, with those that other dialects add.
//! [`types`] tells handles from parameters.

#![forbid(unsafe_code)]

mod assembly;
mod consumed;
mod generated;
mod interfaces;
pub mod types;
mod verify;
mod verify_match;
mod verify_patterns;
mod verify_sizes;
mod verify_structured;
mod verify_symbols;

pub use generated::*;

use dl_ir::interfaces::function::{parse_function, print_function};
use dl_ir::interfaces::{FunctionOp, SymbolUser};
use dl_ir::{Dialect, DialectBuilder};

/// The `transform` dialect.
pub struct Transform;

impl Dialect for Transform {
    fn namespace(&self) -> &'static str {
        "transform"
    }

    fn register(&self, builder: &mut DialectBuilder) {
        // Other dialects upstream add operations to it.
        builder
            .ops(OPS)
            .types(TYPES)
            .attrs(ATTRS)
            .enums(ENUMS)
            .verify_type("transform.param", types::verify_param)
            .verify_op_attr(verify::verify_attr)
            .partial();
        assembly::register(builder);
        builder
            .on::<SequenceOp<'_>>()
            .default_dialect("transform")
            .verify(verify::verify_sequence)
            .verify_regions(verify::verify_consumed_once);
        builder.on::<WithPDLPatternsOp<'_>>().default_dialect("transform").verify(verify::verify_with_patterns);
        builder.on::<AlternativesOp<'_>>().verify_in_place(verify::verify_alternatives);
        builder.on::<ForeachOp<'_>>().verify(verify::verify_foreach);
        builder.on::<NumAssociationsOp<'_>>().verify(verify::verify_num_associations);
        builder.on::<TuneKnobOp<'_>>().verify(verify::verify_knob);
        builder.on::<TuneAlternativesOp<'_>>().verify(verify::verify_tune_alternatives);
        builder.on::<ApplyRegisteredPassOp<'_>>().verify(verify::verify_registered_pass);
        builder.on::<SplitHandleOp<'_>>().verify(verify::verify_split_handle);
        builder.on::<FuseOp<'_>>().verify(verify_structured::verify_fuse);
        builder.on::<SplitOp<'_>>().verify(verify_sizes::verify_split);
        builder.on::<PackOp<'_>>().verify(verify_sizes::verify);
        builder.on::<PackGreedilyOp<'_>>().verify(verify_structured::verify_pack_greedily);
        builder.on::<PackTransposeOp<'_>>().verify(verify_structured::verify_pack_transpose);
        builder.on::<PadOp<'_>>().verify(verify_structured::verify_pad);
        builder.on::<PadTilingInterfaceOp<'_>>().verify(verify_sizes::verify);
        builder.on::<TileUsingForOp<'_>>().verify(verify_structured::verify_tile_using_for);
        builder.on::<TileUsingForallOp<'_>>().verify(verify_structured::verify_tile_using_forall);
        builder.on::<VectorizeOp<'_>>().verify(verify_sizes::verify);
        builder.on::<ApplyPatternsOp<'_>>().verify_regions(verify_patterns::verify_apply_patterns);
        builder.on::<ApplyConversionPatternsOp<'_>>().verify_regions(verify_patterns::verify_conversion_patterns);
        builder.on::<ApplyToLLVMConversionPatternsOp<'_>>().verify(verify_patterns::verify_dialect_to_llvm);
        builder.on::<SimplifyBoundedAffineOpsOp<'_>>().verify(verify_patterns::verify_bounded_values);
        builder.on::<InterchangeOp<'_>>().verify(verify_structured::verify_interchange);
        builder.on::<MultiTileSizesOp<'_>>().verify(verify_structured::verify_same_results);
        builder.on::<ContinuousTileSizesOp<'_>>().verify(verify_structured::verify_same_results);
        builder.on::<ReplaceOp<'_>>().verify(verify_structured::verify_replace);
        builder.on::<GetOperandOp<'_>>().verify(verify_match::verify_get);
        builder.on::<GetResultOp<'_>>().verify(verify_match::verify_get);
        builder.on::<MatchStructuredOp<'_>>().verify(verify_match::verify_structured);
        builder.on::<MatchStructuredBodyOp<'_>>().verify(verify_match::verify_body);
        builder.on::<MatchStructuredDimOp<'_>>().verify(verify_match::verify_dim);
        builder.on::<MatchStructuredInputOp<'_>>().verify(verify_match::verify_operand);
        builder.on::<MatchStructuredInitOp<'_>>().verify(verify_match::verify_operand);
        builder.on::<MatchStructuredResultOp<'_>>().verify(verify_match::verify_result);
        builder.on::<MatchStructuredClassifyContractionDimsOp<'_>>().verify(verify_match::verify_predicate);
        builder.on::<MatchStructuredClassifyConvolutionDimsOp<'_>>().verify(verify_match::verify_predicate);
        builder.on::<MatchStructuredNumInitsOp<'_>>().verify(verify_match::verify_predicate);
        builder.on::<MatchStructuredNumInputsOp<'_>>().verify(verify_match::verify_predicate);
        builder.on::<MatchStructuredRankOp<'_>>().verify(verify_match::verify_predicate);
        builder.on::<IncludeOp<'_>>().interface::<dyn SymbolUser>(Box::new(verify_symbols::Include));
        builder.on::<CollectMatchingOp<'_>>().interface::<dyn SymbolUser>(Box::new(verify_symbols::CollectMatching));
        builder
            .on::<NamedSequenceOp<'_>>()
            .parse(parse_function)
            .print(print_function)
            .verify(verify_symbols::verify_named_sequence)
            .verify_in_place(verify_symbols::verify_place)
            .interface::<dyn FunctionOp>(Box::new(interfaces::Function));
        builder.on::<SplitOp<'_>>().parse(assembly::parse_split).print(assembly::print_split);
        builder
            .on::<ForeachMatchOp<'_>>()
            .verify(verify_symbols::verify_foreach_match)
            .result_names(assembly::foreach_match_names)
            .interface::<dyn SymbolUser>(Box::new(verify_symbols::ForeachMatch));
    }
}
