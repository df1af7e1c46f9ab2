//! The passes that lower one dialect to `llvm` and ask no more than how wide an index is.

use std::marker::PhantomData;
use std::sync::Arc;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::conversion::{ConversionPatterns, TypeConverter};

use super::llvm_types::{LlvmOptions, llvm_target, llvm_type_converter};

dl_ir::pass_options! {
    /// Options of [`DialectToLlvm`].
    pub struct DialectToLlvmOptions {
        /// Bitwidth of the index type, 0 to use size of machine word
        index_bitwidth "index-bitwidth": u32 = 0,
    }
}

/// A dialect that is lowered to `llvm`.
pub trait LoweredDialect: Clone + Default + Send + Sync + 'static {
    /// The pass.
    const INFO: PassInfo;

    /// The dialects of which no operation may be left.
    const ILLEGAL: &'static [&'static str] = &[];

    /// Adds the patterns.
    fn populate(converter: &Arc<TypeConverter>, patterns: &mut ConversionPatterns);
}

/// Lowers `D` to `llvm`.
#[derive(Clone, Default)]
pub struct DialectToLlvm<D> {
    /// The options.
    pub options: DialectToLlvmOptions,
    dialect: PhantomData<D>,
}

impl<D: LoweredDialect> Pass for DialectToLlvm<D> {
    const INFO: PassInfo = D::INFO;

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let converter = llvm_type_converter(LlvmOptions::with_index_bits(self.options.index_bitwidth));
        let mut patterns = ConversionPatterns::new();
        D::populate(&converter, &mut patterns);
        let mut target = llvm_target();
        target.illegal_dialects(D::ILLEGAL);
        cx.convert_partially(&target, &patterns.freeze())
    }
}
