//! The `scf` dialect: structured control flow.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own.

#![forbid(unsafe_code)]

mod assembly;
mod canonicalize;
mod generated;
mod interfaces;
mod interpret;
mod trips;
mod verify;

pub use generated::*;

use dl_ir::dialect::CustomDirective;
use dl_ir::interfaces::{LoopLike, RegionBranchOp};
use dl_ir::{Arena, Context, Dialect, DialectBuilder, OpRef, OpState, Type};
use smallvec::SmallVec;

/// The `scf` dialect.
pub struct Scf;

impl Dialect for Scf {
    fn namespace(&self) -> &'static str {
        "scf"
    }

    fn register(&self, builder: &mut DialectBuilder) {
        interpret::register(builder);
        let switch_cases = CustomDirective { parse: assembly::parse_switch_cases, print: assembly::print_switch_cases };
        builder.ops(OPS).inlining(&dl_ir::interfaces::InlineAnywhereAndInside).directive("SwitchCases", switch_cases);
        register_loops(builder);
        builder
            .on::<IfOp<'_>>()
            .parse(assembly::parse_if)
            .print(assembly::print_if)
            .verify(verify::verify_if)
            .verify_regions(dl_ir::interfaces::verify_region_branch)
            .infer_types(infer_if)
            .canonicalize(canonicalize::if_patterns)
            .interface::<dyn RegionBranchOp>(Box::new(interfaces::If));
        builder
            .on::<ExecuteRegionOp<'_>>()
            .parse(assembly::parse_execute_region)
            .print(assembly::print_execute_region)
            .verify(verify::verify_execute_region)
            .verify_regions(dl_ir::interfaces::verify_region_branch)
            .canonicalize(canonicalize::execute_region_patterns)
            .interface::<dyn RegionBranchOp>(Box::new(interfaces::ExecuteRegion));
        builder
            .on::<IndexSwitchOp<'_>>()
            .verify(verify::verify_index_switch)
            .canonicalize(canonicalize::index_switch_patterns)
            .interface::<dyn RegionBranchOp>(Box::new(interfaces::IndexSwitch));
    }
}

fn register_loops(builder: &mut DialectBuilder) {
    builder
        .on::<ForOp<'_>>()
        .parse(assembly::parse_for)
        .print(assembly::print_for)
        .verify(verify::verify_for)
        .verify_regions(verify::verify_for_regions)
        .canonicalize(canonicalize::for_patterns)
        .speculatable(interfaces::ends)
        .interface::<dyn RegionBranchOp>(Box::new(interfaces::For))
        .interface::<dyn LoopLike>(Box::new(interfaces::For));
    builder
        .on::<WhileOp<'_>>()
        .parse(assembly::parse_while)
        .print(assembly::print_while)
        .verify(verify::verify_while)
        .verify_regions(dl_ir::interfaces::verify_region_branch)
        .canonicalize(canonicalize::while_patterns)
        .interface::<dyn RegionBranchOp>(Box::new(interfaces::While))
        .interface::<dyn LoopLike>(Box::new(interfaces::While));
    builder
        .on::<ParallelOp<'_>>()
        .parse(assembly::parse_parallel)
        .print(assembly::print_parallel)
        .verify(verify::verify_parallel)
        .canonicalize(canonicalize::parallel_patterns)
        .interface::<dyn RegionBranchOp>(Box::new(interfaces::Parallel))
        .interface::<dyn LoopLike>(Box::new(interfaces::Parallel));
    builder.on::<ReduceOp<'_>>().verify_regions(verify::verify_reduce);
    builder.on::<ReduceReturnOp<'_>>().verify(verify::verify_reduce_return);
    builder
        .on::<ForallOp<'_>>()
        .parse(assembly::parse_forall)
        .print(assembly::print_forall)
        .verify(verify::verify_forall)
        .canonicalize(canonicalize::forall_patterns)
        .interface::<dyn RegionBranchOp>(Box::new(interfaces::Forall))
        .interface::<dyn LoopLike>(Box::new(interfaces::Forall));
    builder
        .on::<InParallelOp<'_>>()
        .parse(assembly::parse_in_parallel)
        .print(assembly::print_in_parallel)
        .verify(verify::verify_in_parallel);
}

/// The results of an `if` are what its `then` region yields.
#[expect(clippy::unnecessary_wraps, reason = "has the type of all such hooks")]
fn infer_if(cx: &Context, ir: &Arena, state: &OpState) -> Result<SmallVec<[Type; 2]>, String> {
    let entry = state.regions.first().and_then(|&region| ir.entry_block(region));
    let end = entry.and_then(|block| ir.last_op(block)).filter(|&end| OpRef::new(cx, ir, end).is::<YieldOp<'_>>());
    // A region whose end is still to come yields nothing.
    let Some(end) = end else { return Ok(SmallVec::new()) };
    Ok(ir.operands(end).map(|value| ir.value_type(value)).collect())
}

/// Lower bounds, upper bounds and steps of a `forall`, with [`DYNAMIC`](dl_ir::DYNAMIC) where an operand holds them.
pub fn forall_bounds(op: ForallOp<'_>) -> [Vec<i64>; 3] {
    [op.static_lower_bound(), op.static_upper_bound(), op.static_step()].map(|all| all.dense_ints().collect())
}
