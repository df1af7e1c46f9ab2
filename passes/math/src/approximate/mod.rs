//! `math-approximate`: elementary functions of f32 as arithmetic, for scalars and vectors; two of f64 by others.
//!
//! A call of a library function for each lane becomes a dozen instructions for all of them. Each function is written once, in [`functions`], over
//! the operations of [`Machine`]: the pass makes operations of `arith` and `math` of them, the tests compute with them.
//!
//! Each of a dozen operations waits for the one before. Neighbours that compute the same function, as loops have them that compute several vectors at a time,
//! are expanded together, operation by operation: a processor finds in the others what to do meanwhile. It is a fifth of the time of a softmax on a Zen 3.
//!
//! Functions of f64 are left to the C library and the back end, all but `expm1` and `log1p`: `convert-math-to-llvm` makes `exp(x) - 1` and `log(1 + x)` of
//! them, as upstream has it, which loses the digits of small numbers. Here they become `exp` and `log` with what those lose, to 3 ULP.
//!
//! # Errors
//! In units in the last place (ULP) of the exact result, the largest over all floats:
//!
//! | function | error | method |
//! |---|---|---|
//! | `exp`, `exp2` | 1.2, 1.0 | two-part reduction, polynomial of degree 6 on a half octave to either side |
//! | `expm1` | 1.6 | the same reduction, `2^n expm1(r) + (2^n - 1)` |
//! | `log`, `log2`, `log10` | 1.0 | exponent and a mantissa around one, polynomial of degree 8 behind the square |
//! | `log1p` | 1.6 | `log` of the rounded sum, and what rounding took from it |
//! | `tanh` | 5.6 | odd rational function of degree 9 over 8 |
//! | `erf` | 6.3 | odd rational function of degree 11 over 10 |
//!
//! The tests hold each to this. Infinities, NaN, zeros of either sign, subnormal arguments and results, and the thresholds of overflow are as in IEEE 754.
//!
//! # Sources
//! Coefficients of `exp2`, `tanh` and `erf`: weighted least squares, iterated to the least largest error. Those of the logarithm: the Cephes library.

mod emit;
mod functions;
mod machine;
#[cfg(test)]
mod model;
mod pass;

pub use pass::{ApproximateOptions, MathApproximate, Scaling};
