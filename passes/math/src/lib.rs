//! Transforms of `math` operations. Names, options and results are those of `mlir-opt`.

#![forbid(unsafe_code)]

mod approximate;
mod expand;
mod extend_to_supported_types;
mod round_in_range;
mod sincos_fusion;
mod uplift_to_fma;

pub use approximate::{ApproximateOptions, MathApproximate, Scaling};
pub use expand::{MathExpandOps, MathExpandOpsOptions};
pub use extend_to_supported_types::{ExtendOptions, MathExtendToSupportedTypes};
pub use round_in_range::MathRoundInRange;
pub use sincos_fusion::MathSincosFusion;
pub use uplift_to_fma::MathUpliftToFma;

use dl_ir::pass::PassRegistry;

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry.pass::<MathApproximate>();
    registry.pass::<MathExpandOps>();
    registry.pass::<MathExtendToSupportedTypes>();
    registry.pass::<MathRoundInRange>();
    registry.pass::<MathSincosFusion>();
    registry.pass::<MathUpliftToFma>();
}
