//! `convert-func-to-llvm`: functions, calls and returns.
//!
//! # Calling convention
//! * A ranked memref is passed as its parts, one argument each: two pointers, offset, sizes, strides. With
//!   `use-bare-ptr-memref-call-conv` it is passed as one pointer, if its type says all else.
//! * An unranked memref is passed as its rank and a pointer to its descriptor.
//! * Several results are returned as one struct.
//! * A function with `llvm.emit_c_interface` gets a wrapper `_mlir_ciface_NAME` that takes a pointer to the descriptor for each
//!   memref, and a pointer to put a result into that is a memref or one of several.

mod calls;
mod function;
mod wrapper;

use std::sync::Arc;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::conversion::{ConversionPatterns, TypeConverter};

use super::llvm_types::{LlvmOptions, llvm_target, llvm_type_converter};

dl_ir::pass_options! {
    /// Options of [`ConvertFuncToLlvm`].
    pub struct FuncToLlvmOptions {
        /// Bitwidth of the index type, 0 to use size of machine word
        index_bitwidth "index-bitwidth": u32 = 0,
        /// Replace FuncOp's MemRef arguments with bare pointers to the MemRef element types
        bare_pointers "use-bare-ptr-memref-call-conv": bool = false,
    }
}

/// Lowers `func` to `llvm`.
#[derive(Clone, Default)]
pub struct ConvertFuncToLlvm {
    /// The options.
    pub options: FuncToLlvmOptions,
}

impl Pass for ConvertFuncToLlvm {
    const INFO: PassInfo = PassInfo::new("convert-func-to-llvm", "Convert from the Func dialect to the LLVM dialect")
        .title("ConvertFuncToLLVMPass")
        .on("builtin.module");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let options = LlvmOptions {
            bare_pointers: self.options.bare_pointers,
            ..LlvmOptions::with_index_bits_or_layout(self.options.index_bitwidth, cx)
        };
        let converter = llvm_type_converter(options);
        let mut patterns = ConversionPatterns::new();
        populate(&converter, &mut patterns, options);
        cx.convert_partially(&llvm_target(), &patterns.freeze())
    }
}

/// Adds the patterns.
pub(crate) fn populate(converter: &Arc<TypeConverter>, patterns: &mut ConversionPatterns, options: LlvmOptions) {
    patterns
        .add(converter, function::Func(options))
        .add(converter, calls::Call(options))
        .add(converter, calls::CallIndirect(options))
        .add(converter, calls::Return(options))
        .add(converter, calls::Constant);
}
