//! The `linalg` dialect: linear algebra on tensors and memrefs.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own. Named operations carry a body that their pretty
//! form leaves out; [`named`] describes their loops and bodies as data, and [`LinalgOp`] reads the loop nest of any of them.

#![forbid(unsafe_code)]

mod assembly;
mod body;
pub mod build;
mod canonicalize;
mod effects;
mod extents;
mod generated;
mod interpret;
pub mod named;
mod nests;
mod structured;
mod tiling;
mod verify;

pub use body::build_body;
pub use canonicalize::add_fill_patterns;
pub use extents::{extent, operand_extents};
pub use generated::*;
pub use structured::{LinalgOp, LinalgStructured};

use dl_ir::dialect::{OpBuilder, RegionArgNames, ResultNames};
use dl_ir::interfaces::index_list::DYNAMIC_INDEX_LIST;
use dl_ir::interfaces::{DestinationStyle, InitsAt, ReifyRankedShapedType, Relayout, Tiling};
use dl_ir::{Dialect, DialectBuilder};

use named::{NAMED, NamedNest, NamedOp};

/// The `linalg` dialect.
pub struct Linalg;

impl Dialect for Linalg {
    fn namespace(&self) -> &'static str {
        "linalg"
    }

    fn register(&self, b: &mut DialectBuilder) {
        b.ops(OPS)
            .inlining(&dl_ir::interfaces::InlineAnywhereAndInside)
            .attrs(ATTRS)
            .enums(ENUMS)
            .directive("DynamicIndexList", DYNAMIC_INDEX_LIST)
            .verify_op_attr(verify::op_attr);
        b.materialize_constant(dl_arith::materialize_constant);
        interpret::register(b);
        for op in NAMED {
            register_named(b, op);
        }
        b.on::<FillOp<'_>>().verify_regions(verify::fill);
        b.on::<MatmulOp<'_>>().verify(verify::matmul);
        b.on::<BatchMatmulOp<'_>>().verify(verify::batched_matmul);
        b.on::<BatchReduceMatmulOp<'_>>().verify(verify::batched_matmul);
        nest(b.on::<GenericOp<'_>>(), nests::GenericNest)
            .parse(assembly::parse_generic)
            .print(assembly::print_generic)
            .region_arg_names(assembly::generic_argument_names as RegionArgNames)
            .verify_regions(verify::structured)
            .canonicalize(canonicalize::generic);
        nest(b.on::<ContractOp<'_>>(), nests::ContractNest)
            .parse(assembly::parse_contract)
            .print(assembly::print_contract)
            .hides_regions()
            .verify(verify::contract)
            .verify_regions(verify::structured);
        nest(b.on::<ElementwiseOp<'_>>(), nests::ElementwiseNest)
            .parse(assembly::parse_elementwise)
            .print(assembly::print_elementwise)
            .hides_regions()
            .verify_regions(verify::structured);
        register_payload(b);
        register_others(b);
        extents::register(b);
    }
}

/// Attaches what every loop nest has: inputs before inits, maps and iterators, effects, patterns.
fn nest(op: OpBuilder<'_>, nest: impl LinalgStructured + 'static) -> OpBuilder<'_> {
    op.interface::<dyn DestinationStyle>(Box::new(InitsAt(1)))
        .interface::<dyn LinalgStructured>(Box::new(nest))
        .interface::<dyn ReifyRankedShapedType>(Box::new(extents::Nest))
        .interface::<dyn Tiling>(Box::new(tiling::NestTiling))
        .effects(effects::structured)
        .speculatable(effects::is_speculatable_nest)
}

fn register_named(b: &mut DialectBuilder, op: &'static NamedOp) {
    nest(b.op(op.name), NamedNest(op))
        .parse(assembly::parse_named)
        .print(assembly::print_named)
        .hides_regions()
        .verify_regions(verify::structured);
}

fn register_payload(b: &mut DialectBuilder) {
    let names = assembly::payload_argument_names as RegionArgNames;
    nest(b.on::<MapOp<'_>>(), nests::MapNest)
        .parse(assembly::parse_map)
        .print(assembly::print_map)
        .result_names(assembly::mapped as ResultNames)
        .region_arg_names(names)
        .verify(verify::map)
        .verify_regions(verify::structured);
    nest(b.on::<ReduceOp<'_>>(), nests::ReduceNest)
        .parse(assembly::parse_reduce)
        .print(assembly::print_reduce)
        .result_names(assembly::reduced as ResultNames)
        .region_arg_names(names)
        .verify(verify::reduce)
        .verify_regions(verify::structured);
    nest(b.on::<TransposeOp<'_>>(), nests::TransposeNest)
        .parse(assembly::parse_transpose)
        .print(assembly::print_transpose)
        .hides_regions()
        .result_names(assembly::transposed as ResultNames)
        .verify_regions(verify::transpose)
        .canonicalize(canonicalize::transpose);
    nest(b.on::<BroadcastOp<'_>>(), nests::BroadcastNest)
        .parse(assembly::parse_broadcast)
        .print(assembly::print_broadcast)
        .hides_regions()
        .result_names(assembly::broadcasted as ResultNames)
        .verify_regions(verify::broadcast)
        .canonicalize(canonicalize::broadcast);
}

/// `pack` and `unpack`.
struct Relaid;

impl Relayout for Relaid {}

fn register_others(b: &mut DialectBuilder) {
    let style = |at: usize| -> Box<dyn DestinationStyle> { Box::new(InitsAt(at)) };
    b.on::<YieldOp<'_>>().parse(assembly::parse_yield).print(assembly::print_yield).verify(verify::yield_op);
    b.on::<IndexOp<'_>>().verify(verify::index);
    b.on::<SoftmaxOp<'_>>()
        .interface::<dyn DestinationStyle>(style(1))
        .effects(effects::destination)
        .verify(verify::softmax);
    b.on::<PackOp<'_>>()
        .interface::<dyn DestinationStyle>(style(1))
        .interface::<dyn Relayout>(Box::new(Relaid))
        .result_names(assembly::packed as ResultNames)
        .verify(verify::pack)
        .speculatable(effects::is_speculatable_pack)
        .fold(canonicalize::fold_pack)
        .canonicalize(canonicalize::pack);
    b.on::<UnPackOp<'_>>()
        .interface::<dyn DestinationStyle>(style(1))
        .interface::<dyn Relayout>(Box::new(Relaid))
        .result_names(assembly::unpacked as ResultNames)
        .verify(verify::unpack)
        .speculatable(effects::has_static_shapes)
        .fold(canonicalize::fold_unpack)
        .canonicalize(canonicalize::unpack);
    b.on::<WinogradFilterTransformOp<'_>>().interface::<dyn DestinationStyle>(style(1)).verify(verify::winograd_filter);
    b.on::<WinogradInputTransformOp<'_>>().interface::<dyn DestinationStyle>(style(1)).verify(verify::winograd_input);
    b.on::<WinogradOutputTransformOp<'_>>().interface::<dyn DestinationStyle>(style(1)).verify(verify::winograd_output);
}
