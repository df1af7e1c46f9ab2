//! Passes and pipelines that tests are written with, known to `dl-opt` as they are to `mlir-opt`.
//!
//! Their names begin with `test-`. Each is a way to run what a pass of the project does: on some functions only, without an effect that ends the
//! program, or together with others.

#![forbid(unsafe_code)]

mod assertions;
mod erase_schedule;
mod lower_to_llvm;
mod single_fold;
mod wide_int;

pub use assertions::TestCfAssert;
pub use erase_schedule::TestEraseSchedule;
pub use single_fold::{TestSingleFold, TestSingleFoldOptions};
pub use wide_int::{TestArithEmulateWideInt, TestArithEmulateWideIntOptions};

use dl_ir::pass::PassRegistry;

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry
        .pass::<TestArithEmulateWideInt>()
        .pass::<TestCfAssert>()
        .pass::<TestEraseSchedule>()
        .pass::<TestSingleFold>();
    lower_to_llvm::register(registry);
}
