//! From loop nests on tensors to vector code for a described CPU.
//!
//! [`AttachTarget`] writes the description of a CPU (`dl_machine`) on the module. The other passes read it from there and know no machine
//! besides. [`contraction`] makes register-blocked nests of matrix products and all that resembles them, [`ParallelizeLoops`] gives loops to
//! several threads. [`ConvertVectorToAmx`] uses matrix registers. [`EmulateFloats`] does without what the CPU lacks, and [`EmulateF8`] without
//! what all of them lack. [`ListKernels`] says what came of it all. [`DetachTarget`] ends it.

#![forbid(unsafe_code)]

mod amx;
mod attach;
pub mod contraction;
mod emulate;
mod emulate_f8;
mod kernels;
mod parallel;

pub use amx::ConvertVectorToAmx;
pub use attach::{AttachTarget, AttachTargetOptions, DetachTarget};
pub use contraction::LowerContractions;
pub use contraction::winograd::{Winograd, WinogradOptions};
pub use emulate::EmulateFloats;
pub use emulate_f8::EmulateF8;
pub use kernels::{ListKernels, ListKernelsOptions};
pub use parallel::{ParallelizeLoops, ParallelizeLoopsOptions};

use dl_ir::pass::PassRegistry;

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry.pass::<AttachTarget>().pass::<DetachTarget>().pass::<EmulateFloats>().pass::<LowerContractions>();
    registry.pass::<ConvertVectorToAmx>().pass::<EmulateF8>().pass::<ListKernels>().pass::<ParallelizeLoops>();
    registry.pass::<Winograd>();
}
