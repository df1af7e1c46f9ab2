//! `convert-to-llvm`: all lowerings to `llvm` in one conversion.

use std::sync::Arc;

use dl_ir::Diagnostics;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::conversion::{ConversionPatterns, TypeConverter};

use super::arith_to_llvm::Arith;
use super::cf_to_llvm::Cf;
use super::complex::ComplexRange;
use super::dialect_to_llvm::LoweredDialect;
use super::index_to_llvm::Index;
use super::llvm_types::{LlvmOptions, llvm_target, llvm_type_converter};
use super::memref_to_llvm::AllocationOptions;
use super::ub_to_llvm::Ub;
use super::vector_to_llvm::VectorToLlvmOptions;

dl_ir::pass_options! {
    /// Options of [`ConvertToLlvm`].
    pub struct ConvertToLlvmOptions {
        /// Test conversion patterns of only the specified dialects
        filter_dialects "filter-dialects": Vec<String> = Vec::new(),
        /// Take the width of an index from the data layout
        dynamic "dynamic": bool = false,
        /// Accepted for upstream's sake: patterns match fully before they change anything
        allow_pattern_rollback "allow-pattern-rollback": bool = true,
    }
}

/// Lowers every dialect that has a lowering to `llvm`.
#[derive(Clone, Default)]
pub struct ConvertToLlvm {
    /// The options.
    pub options: ConvertToLlvmOptions,
}

type Populate = fn(&Arc<TypeConverter>, &mut ConversionPatterns, LlvmOptions);

/// The dialects that have lowerings, by name.
const LOWERINGS: [(&str, Populate); 9] = [
    ("arith", |converter, patterns, _| Arith::populate(converter, patterns)),
    ("cf", |converter, patterns, _| Cf::populate(converter, patterns)),
    ("complex", |converter, patterns, _| super::complex::populate(converter, patterns, ComplexRange::default())),
    ("func", super::func_to_llvm::populate),
    ("index", |converter, patterns, _| Index::populate(converter, patterns)),
    ("math", |converter, patterns, _| super::math_to_llvm::populate(converter, patterns, true)),
    ("memref", |converter, patterns, _| {
        super::memref_to_llvm::populate(converter, patterns, AllocationOptions::default());
    }),
    ("ub", |converter, patterns, _| Ub::populate(converter, patterns)),
    ("vector", |converter, patterns, _| {
        super::vector_to_llvm::populate(
            converter,
            patterns,
            &VectorToLlvmOptions { force_32bit_vector_indices: false, ..Default::default() },
        );
    }),
];

impl Pass for ConvertToLlvm {
    const INFO: PassInfo =
        PassInfo::new("convert-to-llvm", "Convert to LLVM via dialect interfaces found in the input IR")
            .title("ConvertToLLVMPass");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let wanted = &self.options.filter_dialects;
        let mut unknown = Diagnostics::default();
        for name in wanted.iter().filter(|name| cx.ctx.dialect(name).is_none()) {
            unknown.push(cx.root().error(format_args!("dialect not loaded: {name}")));
        }
        if !unknown.is_empty() {
            return Err(unknown);
        }
        let options =
            if self.options.dynamic { LlvmOptions::with_index_bits_or_layout(0, cx) } else { LlvmOptions::default() };
        let converter = llvm_type_converter(options);
        let mut patterns = ConversionPatterns::new();
        for (name, populate) in LOWERINGS {
            if wanted.is_empty() || wanted.iter().any(|each| each == name) {
                populate(&converter, &mut patterns, options);
            }
        }
        cx.convert_partially(&llvm_target(), &patterns.freeze())
    }
}
