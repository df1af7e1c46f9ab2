//! `finalize-memref-to-llvm`: what is left of `memref` becomes pointers and [descriptors](super::descriptor).
//!
//! Subviews and reshapes are first taken apart by `expand-strided-metadata`.

mod access;
mod allocate;
mod atomic;
mod copy;
mod global;
mod metadata;
mod reshape;
mod scope;

pub(crate) use access::element_address_with;

use std::sync::Arc;

use dl_ir::OpDefinition;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::conversion::{ConversionPatterns, TypeConverter};

use super::llvm_types::{LlvmOptions, llvm_target, llvm_type_converter};

dl_ir::pass_options! {
    /// Options of [`FinalizeMemrefToLlvm`].
    pub struct MemrefToLlvmOptions {
        /// Bitwidth of the index type, 0 to use size of machine word
        index_bitwidth "index-bitwidth": u32 = 0,
        /// Use aligned_alloc in place of malloc for heap allocations
        use_aligned_alloc "use-aligned-alloc": bool = false,
        /// Use generic allocation and deallocation functions instead of the classic 'malloc', 'aligned_alloc' and 'free' functions
        use_generic_functions "use-generic-functions": bool = false,
    }
}

/// How memory is allocated.
#[derive(Clone, Copy, Default)]
pub(crate) struct AllocationOptions {
    /// Let the allocator align.
    pub(crate) aligned: bool,
    /// Call functions that a runtime defines for this.
    pub(crate) generic: bool,
}

/// Lowers `memref` to `llvm`.
#[derive(Clone, Default)]
pub struct FinalizeMemrefToLlvm {
    /// The options.
    pub options: MemrefToLlvmOptions,
}

impl Pass for FinalizeMemrefToLlvm {
    const INFO: PassInfo =
        PassInfo::new("finalize-memref-to-llvm", "Finalize MemRef dialect to LLVM dialect conversion")
            .title("FinalizeMemRefToLLVMConversionPass")
            .on("builtin.module");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let options = LlvmOptions::with_index_bits_or_layout(self.options.index_bitwidth, cx);
        let converter = llvm_type_converter(options);
        let allocation =
            AllocationOptions { aligned: self.options.use_aligned_alloc, generic: self.options.use_generic_functions };
        let mut patterns = ConversionPatterns::new();
        populate(&converter, &mut patterns, allocation);
        let mut target = llvm_target();
        target.legal_ops(&[dl_func::FuncOp::NAME]);
        cx.convert_partially(&target, &patterns.freeze())
    }
}

/// Adds the patterns.
pub(crate) fn populate(
    converter: &Arc<TypeConverter>,
    patterns: &mut ConversionPatterns,
    allocation: AllocationOptions,
) {
    patterns
        .add(converter, allocate::Alloc(allocation))
        .add(converter, allocate::Alloca)
        .add(converter, allocate::Dealloc(allocation))
        .add(converter, global::Global)
        .add(converter, global::GetGlobal)
        .add(converter, access::Load)
        .add(converter, access::Store)
        .add(converter, access::Prefetch)
        .add(converter, access::AssumeAlignment)
        .add(converter, atomic::AtomicRmw)
        .add(converter, atomic::GenericAtomicRmw)
        .add(converter, copy::Copy)
        .add(converter, metadata::Dim)
        .add(converter, metadata::Rank)
        .add(converter, metadata::ExtractAlignedPointer)
        .add(converter, metadata::ExtractStridedMetadata)
        .add(converter, reshape::Cast)
        .add(converter, reshape::MemorySpaceCast)
        .add(converter, reshape::ReinterpretCast)
        .add(converter, reshape::Transpose)
        .add(converter, reshape::View)
        .add(converter, scope::AllocaScope);
}
