//! The `gpu` dialect: kernels, their launch, and what runs in them.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own. [`types`] says what the types are.

#![forbid(unsafe_code)]

mod assembly;
mod attributes;
mod generated;
mod interfaces;
pub mod types;
mod verify;
mod verify_kernel;

pub use generated::*;

use dl_ir::interfaces::{FunctionOp, SymbolUser};
use dl_ir::{AttrRef, Dialect, DialectBuilder, OpRef, ValueRef};

/// The attribute of functions that are kernels.
pub const KERNEL: &str = "gpu.kernel";

/// The `gpu` dialect.
pub struct Gpu;

impl Dialect for Gpu {
    fn namespace(&self) -> &'static str {
        "gpu"
    }

    fn register(&self, builder: &mut DialectBuilder) {
        builder
            .ops(OPS)
            .inlining(&dl_ir::interfaces::InlineAnywhere)
            .types(types::TYPES)
            .attrs(ATTRS)
            .enums(ENUMS)
            .verify_op_attr(verify_kernel::verify_attr)
            .verify_attr("gpu.kernel_metadata", attributes::verify_kernel)
            .verify_attr("gpu.object", attributes::verify_object)
            .verify_attr("gpu.select_object", attributes::verify_select_object);
        assembly::register(builder);
        builder.on::<BlockDimOp<'_>>().result_names(assembly::position_name);
        builder.on::<BlockIdOp<'_>>().result_names(assembly::position_name);
        builder.on::<ClusterBlockIdOp<'_>>().result_names(assembly::position_name);
        builder.on::<ClusterDimOp<'_>>().result_names(assembly::position_name);
        builder.on::<ClusterDimBlocksOp<'_>>().result_names(assembly::position_name);
        builder.on::<ClusterIdOp<'_>>().result_names(assembly::position_name);
        builder.on::<GlobalIdOp<'_>>().result_names(assembly::position_name);
        builder.on::<GridDimOp<'_>>().result_names(assembly::position_name);
        builder.on::<ThreadIdOp<'_>>().result_names(assembly::position_name);
        builder.on::<ShuffleOp<'_>>().result_names(assembly::shuffle_names);
        builder
            .on::<GPUFuncOp<'_>>()
            .parse(assembly::parse_func)
            .print(assembly::print_func)
            .verify(verify_kernel::verify_func)
            .interface::<dyn FunctionOp>(Box::new(interfaces::Function));
        builder
            .on::<LaunchOp<'_>>()
            .parse(assembly::parse_launch)
            .print(assembly::print_launch)
            .verify_regions(verify_kernel::verify_launch);
        builder.on::<LaunchFuncOp<'_>>().interface::<dyn SymbolUser>(Box::new(verify_kernel::Launch));
        builder.on::<ReturnOp<'_>>().verify(verify_kernel::verify_return);
        builder
            .on::<WarpExecuteOnLane0Op<'_>>()
            .parse(assembly::parse_warp)
            .print(assembly::print_warp)
            .verify(verify_kernel::verify_warp);
        builder.on::<AllReduceOp<'_>>().verify_in_place(verify::verify_all_reduce);
        builder.on::<SubgroupReduceOp<'_>>().verify(verify::verify_subgroup_reduce);
        builder.on::<RotateOp<'_>>().verify(verify::verify_rotate);
        builder.on::<MemcpyOp<'_>>().verify(verify::verify_memcpy);
        builder.on::<SubgroupMmaLoadMatrixOp<'_>>().verify(verify::verify_load_matrix);
        builder.on::<SubgroupMmaStoreMatrixOp<'_>>().verify(verify::verify_store_matrix);
        builder.on::<SubgroupMmaComputeOp<'_>>().verify(verify::verify_compute_matrix);
        builder.on::<AllocOp<'_>>().verify(verify::verify_alloc);
        builder.on::<DynamicSharedMemoryOp<'_>>().verify(verify::verify_dynamic_shared_memory);
    }
}

/// How many of the buffers that the function or launch `op` brings are shared by the workgroup.
pub fn workgroup_count(op: OpRef<'_>) -> usize {
    let count = op.attr("workgroup_attributions").and_then(AttrRef::as_int);
    count.and_then(|count| usize::try_from(count).ok()).unwrap_or(0)
}

/// The sizes of the clusters of a launch, if it has any.
pub fn cluster_sizes(launch: LaunchOp<'_>) -> Option<[ValueRef<'_>; 3]> {
    Some([launch.cluster_size_x()?, launch.cluster_size_y()?, launch.cluster_size_z()?])
}
