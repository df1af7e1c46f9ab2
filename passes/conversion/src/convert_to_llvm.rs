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

type Populate = fn(&Arc<TypeConverter>, &mut ConversionPatterns);

/// The dialects that have lowerings, by name.
const LOWERINGS: [(&str, Populate); 9] = [
    ("arith", Arith::populate),
    ("cf", Cf::populate),
    ("complex", |converter, patterns| super::complex::populate(converter, patterns, ComplexRange::default())),
    ("func", |converter, patterns| super::func_to_llvm::populate(converter, patterns, LlvmOptions::default())),
    ("index", Index::populate),
    ("math", |converter, patterns| super::math_to_llvm::populate(converter, patterns, true)),
    ("memref", |converter, patterns| {
        super::memref_to_llvm::populate(converter, patterns, AllocationOptions::default());
    }),
    ("ub", Ub::populate),
    ("vector", |converter, patterns| {
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
        let converter = llvm_type_converter(LlvmOptions::default());
        let mut patterns = ConversionPatterns::new();
        for (name, populate) in LOWERINGS {
            if wanted.is_empty() || wanted.iter().any(|each| each == name) {
                populate(&converter, &mut patterns);
            }
        }
        cx.convert_partially(&llvm_target(), &patterns.freeze())
    }
}
