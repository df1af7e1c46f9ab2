//! The small library on both sides of a compiled program.
//!
//! * What the program calls: [`alloc`] (its `malloc` and `free`), [`parallel`] (its loops on several threads), [`kernels`] (which of its kernels runs when), [`mod@print`] (what
//!   `vector.print` lowers to), copies of memrefs of any rank, conversions of 16-bit floats where the processor has none, and mathematical
//!   functions. [`symbols`] lists them by name, for a just-in-time linker.
//! * What a caller of the program needs: [`Array`] values with [`.npy`](npy) files as their outside form, the [`Signature`] they are
//!   checked against, the memref [`descriptor`] they are passed through, the [`call`], and what C callers agree
//!   on with it, the [`c_interface`].
//!
//! Nothing here knows LLVM or the compiler's IR, so any back end, interpreter or simulator can share it.

mod array;
mod copy;
mod display;
mod dtype;
mod f8;
mod half_floats;
mod math;
mod signature;

pub mod alloc;
pub mod c_interface;
pub mod call;
pub mod descriptor;
pub mod kernels;
pub mod npy;
pub mod parallel;
pub mod print;

pub use array::{Array, ArrayError, Element};
pub use dtype::DType;
pub use signature::{ArgType, MismatchError, Signature};

/// The functions a compiled program may call, by symbol name, with their addresses.
///
/// The allocator appears under the C names and under the generic names of the memref lowering (`use-generic-functions`), so that every
/// buffer of a program linked against this list belongs to [`alloc`].
pub fn symbols() -> impl Iterator<Item = (&'static str, usize)> {
    let memory = alloc::symbols().into_iter();
    let own = memory.chain(copy::symbols()).chain(parallel::symbols()).chain(print::symbols());
    own.chain(half_floats::symbols()).chain(math::symbols()).chain(kernels::symbols())
}
