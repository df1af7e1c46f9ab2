//! The `affine` dialect: loops and accesses that affine maps describe.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own. [`compose`] brings maps with their operands
//! into canonical form; [`apply`] makes operations of them, [`expand`] arithmetic; [`scope`] says which values may be their operands.
//! [`constraints`] gathers what is known of values, for exact answers.

#![forbid(unsafe_code)]

pub mod apply;
mod assembly;
mod canonicalize;
pub mod compose;
pub mod constrained;
pub mod constraints;
mod dma;
pub mod expand;
mod fold;
mod generated;
mod inlining;
mod interfaces;
mod interpret;
mod lists;
mod ranges;
pub mod scope;
mod verify;

pub use canonicalize::add_constant_result_patterns;
pub use dma::{AffineDmaStartOp, AffineDmaWaitOp, DmaPosition, dma_parts};
pub use generated::*;
pub use ranges::bounds_within;

use dl_ir::affine::AffineMap;
use dl_ir::interfaces::{LoopLike, RegionBranchOp};
use dl_ir::{AttrRef, Context, Dialect, DialectBuilder, Loc, OpState, RegionId, ValueId};

/// The `affine` dialect.
pub struct Affine;

impl Dialect for Affine {
    fn namespace(&self) -> &'static str {
        "affine"
    }

    fn register(&self, builder: &mut DialectBuilder) {
        builder
            .ops(OPS)
            .directive("DynamicIndexList", lists::INDEX_LIST_IN_PARENS)
            .inlining(&inlining::Rules)
            .materialize_constant(dl_arith::materialize_constant);
        dma::register(builder);
        interpret::register(builder);
        register_maps(builder);
        register_accesses(builder);
        register_control_flow(builder);
    }
}

fn register_maps(builder: &mut DialectBuilder) {
    builder
        .on::<AffineApplyOp<'_>>()
        .parse(assembly::parse_apply)
        .print(assembly::print_apply)
        .verify(verify::verify_apply)
        .fold(fold::fold_apply)
        .canonicalize(canonicalize::apply_patterns);
    builder
        .on::<AffineMinOp<'_>>()
        .parse(assembly::parse_min_max)
        .print(assembly::print_apply)
        .verify(verify::verify_min_max)
        .fold(fold::fold_min_max)
        .canonicalize(canonicalize::min_max_patterns::<AffineMinOp<'_>>);
    builder
        .on::<AffineMaxOp<'_>>()
        .parse(assembly::parse_min_max)
        .print(assembly::print_apply)
        .verify(verify::verify_min_max)
        .fold(fold::fold_min_max)
        .canonicalize(canonicalize::min_max_patterns::<AffineMaxOp<'_>>);
    builder
        .on::<AffineDelinearizeIndexOp<'_>>()
        .verify(verify::verify_delinearize)
        .fold(fold::fold_delinearize)
        .canonicalize(canonicalize::delinearize_patterns);
    builder
        .on::<AffineLinearizeIndexOp<'_>>()
        .verify(verify::verify_linearize)
        .fold(fold::fold_linearize)
        .canonicalize(canonicalize::linearize_patterns);
}

fn register_accesses(builder: &mut DialectBuilder) {
    builder
        .on::<AffineLoadOp<'_>>()
        .parse(assembly::parse_load)
        .print(assembly::print_load)
        .verify_regions(verify::verify_load)
        .fold_in_place(canonicalize::access_source_of_cast::<0>)
        .canonicalize(canonicalize::load_patterns);
    builder
        .on::<AffineStoreOp<'_>>()
        .parse(assembly::parse_store)
        .print(assembly::print_store)
        .verify_regions(verify::verify_store)
        .fold_in_place(canonicalize::access_source_of_cast::<1>)
        .canonicalize(canonicalize::compose_operands::<AffineStoreOp<'_>>);
    builder
        .on::<AffineVectorLoadOp<'_>>()
        .parse(assembly::parse_vector_load)
        .print(assembly::print_vector_load)
        .verify_regions(verify::verify_vector_load)
        .canonicalize(canonicalize::compose_operands::<AffineVectorLoadOp<'_>>);
    builder
        .on::<AffineVectorStoreOp<'_>>()
        .parse(assembly::parse_vector_store)
        .print(assembly::print_vector_store)
        .verify_regions(verify::verify_vector_store)
        .canonicalize(canonicalize::compose_operands::<AffineVectorStoreOp<'_>>);
    builder
        .on::<AffinePrefetchOp<'_>>()
        .parse(assembly::parse_prefetch)
        .print(assembly::print_prefetch)
        .verify_regions(verify::verify_prefetch)
        .fold_in_place(canonicalize::access_source_of_cast::<0>)
        .canonicalize(canonicalize::compose_operands::<AffinePrefetchOp<'_>>);
}

fn register_control_flow(builder: &mut DialectBuilder) {
    builder
        .on::<AffineForOp<'_>>()
        .parse(assembly::parse_for)
        .print(assembly::print_for)
        .verify_regions(verify::verify_for_regions)
        .canonicalize(canonicalize::for_patterns)
        .speculatable(interfaces::ends)
        .interface::<dyn RegionBranchOp>(Box::new(interfaces::For))
        .interface::<dyn LoopLike>(Box::new(interfaces::For));
    builder
        .on::<AffineIfOp<'_>>()
        .parse(assembly::parse_if)
        .print(assembly::print_if)
        .verify_regions(verify::verify_if)
        .canonicalize(canonicalize::if_patterns)
        .interface::<dyn RegionBranchOp>(Box::new(interfaces::If));
    builder
        .on::<AffineParallelOp<'_>>()
        .parse(assembly::parse_parallel)
        .print(assembly::print_parallel)
        .verify_regions(verify::verify_parallel)
        .canonicalize(canonicalize::parallel_patterns)
        .interface::<dyn LoopLike>(Box::new(interfaces::Parallel));
    builder.on::<AffineYieldOp<'_>>().verify(verify::verify_yield);
}

/// A bound of an `affine.for` about to be made.
#[derive(Clone, Debug)]
pub struct ForBound {
    /// Its map; the loop runs from the greatest result of the lower one to the least of the upper one.
    pub map: AffineMap,
    /// The operands of the map, dimensions first.
    pub operands: Vec<ValueId>,
}

impl ForBound {
    /// A number.
    pub fn constant(cx: &Context, value: i64) -> Self {
        Self { map: cx.affine().constant_map(value), operands: Vec::new() }
    }

    /// A value that may be a symbol.
    pub fn symbol(cx: &Context, value: ValueId) -> Self {
        let affine = cx.affine();
        Self { map: affine.intern_map(0, 1, [affine.symbol(0)]), operands: vec![value] }
    }
}

impl AffineForOp<'_> {
    /// The parts of a loop with this body, whose block has the induction variable and the carried values as arguments.
    pub fn state(
        cx: &Context,
        lower: &ForBound,
        upper: &ForBound,
        step: i64,
        inits: &[ValueId],
        body: RegionId,
        loc: Loc,
    ) -> OpState {
        OpState::of::<Self>(loc)
            .operands(lower.operands.iter().chain(&upper.operands).chain(inits).copied())
            .attr(cx, "lowerBoundMap", cx.affine_map_attr(lower.map))
            .attr(cx, "upperBoundMap", cx.affine_map_attr(upper.map))
            .attr(cx, "step", cx.index_attr(step))
            .operand_segments(cx, &[lower.operands.len(), upper.operands.len(), inits.len()])
            .region(body)
    }

    /// The lower bound where it is a number.
    pub fn constant_lower_bound(self) -> Option<i64> {
        constant_bound(self.lower_bound_map())
    }

    /// The upper bound where it is a number.
    pub fn constant_upper_bound(self) -> Option<i64> {
        constant_bound(self.upper_bound_map())
    }
}

fn constant_bound(map: AttrRef<'_>) -> Option<i64> {
    map.cx().affine().single_constant_result(map.as_affine_map()?)
}
