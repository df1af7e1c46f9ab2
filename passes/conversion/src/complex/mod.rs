//! Complex numbers: as structs of two floats, by arithmetic on their parts, or by calls of the C library.

mod arithmetic;
mod division;
mod standard;
mod to_libm;
mod to_llvm;

pub use standard::{ComplexToStandardOptions, ConvertComplexToStandard};
pub use to_libm::ConvertComplexToLibm;
pub(crate) use to_llvm::populate;
pub use to_llvm::{ComplexRange, ComplexToLlvmOptions, ConvertComplexToLlvm};
