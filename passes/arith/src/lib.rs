//! Passes on the `arith` dialect.

#![forbid(unsafe_code)]

mod int_range_narrowing;
mod int_range_optimizations;
mod unsigned_when_equivalent;

pub use int_range_narrowing::{IntRangeNarrowing, IntRangeNarrowingOptions};
pub use int_range_optimizations::IntRangeOptimizations;
pub use unsigned_when_equivalent::UnsignedWhenEquivalent;

use dl_ir::pass::PassRegistry;

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry.pass::<IntRangeNarrowing>();
    registry.pass::<IntRangeOptimizations>();
    registry.pass::<UnsignedWhenEquivalent>();
}
