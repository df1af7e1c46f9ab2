//! `test-cf-assert`: assertions that fail say so, and the program goes on.

use std::sync::Arc;

use dl_ir::pass::PassInfo;
use dl_ir::rewrite::conversion::{ConversionPatterns, TypeConverter};
use dl_passes_conversion::{AssertToLlvm, DialectToLlvm, LoweredDialect};

/// `cf.assert`, and nothing else of `cf`.
#[derive(Clone, Default)]
pub struct Assertions;

/// Lowers assertions to messages.
pub type TestCfAssert = DialectToLlvm<Assertions>;

impl LoweredDialect for Assertions {
    const INFO: PassInfo =
        PassInfo::new("test-cf-assert", "Function pass to test cf.assert lowering to LLVM without abort");

    fn populate(converter: &Arc<TypeConverter>, patterns: &mut ConversionPatterns) {
        patterns.add(converter, AssertToLlvm { aborts: false });
    }
}
