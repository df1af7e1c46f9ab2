//! Passes on the `arith` dialect.

#![forbid(unsafe_code)]

mod emulate_unsupported_floats;
mod expand;
mod int_range_narrowing;
mod int_range_optimizations;
mod simplify;
mod unsigned_when_equivalent;
pub mod wide_int;

pub use emulate_unsupported_floats::{EmulateUnsupportedFloats, EmulateUnsupportedFloatsOptions};
pub use expand::{ArithExpand, ArithExpandOptions, SIGNED_F8, bf16_conversions, f8_conversions, rounded_divisions};
pub use int_range_narrowing::{IntRangeNarrowing, IntRangeNarrowingOptions};
pub use int_range_optimizations::IntRangeOptimizations;
pub use simplify::ArithSimplify;
pub use unsigned_when_equivalent::UnsignedWhenEquivalent;
pub use wide_int::{ArithEmulateWideInt, EmulateWideIntOptions};

use dl_ir::pass::PassRegistry;

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry.pass::<ArithEmulateWideInt>();
    registry.pass::<ArithExpand>();
    registry.pass::<ArithSimplify>();
    registry.pass::<EmulateUnsupportedFloats>();
    registry.pass::<IntRangeNarrowing>();
    registry.pass::<IntRangeOptimizations>();
    registry.pass::<UnsignedWhenEquivalent>();
}
