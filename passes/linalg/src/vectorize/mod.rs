//! Loop nests on buffers as loops over vectors: the pass `linalg-vectorize`.
//!
//! One loop of the nest becomes the *lane loop*: its iterations are computed `lanes` at a time. The others stay loops, the parallel ones
//! outside and the reductions inside, so that what a reduction adds up stays in registers:
//!
//! ```text
//! lane loop parallel                     lane loop a reduction
//!   for the other parallel loops           for all parallel loops
//!     for the lane loop, by lanes            accumulators = neutral element
//!       load accumulators                    for the other reductions
//!       for the reductions                     for the lane loop, by lanes x accumulators
//!         body                                   body
//!       store                                combine accumulators and lanes, then with the init; store
//! ```
//!
//! An operand is read and written as vectors where the lane loop runs along its contiguous last dimension, and as one element for all lanes
//! where the lane loop does not index it. What is the same for all lanes is computed once, outside of the lane loop. What is left of the lane loop
//! behind the last full vector runs under a mask, or element by element where the body may not run on lanes that are off.
//!
//! Where operands lie along two loops, as those of a transposition, square blocks are transposed in registers (`across`).
//!
//! The parts: `plan` says what can be done and whether it pays (legality, profitability), `reduction` how a reduction combines, `emit` makes the
//! loops and `body` what is in them. `streams` finds outputs that are written past the caches, `ahead` inputs that are asked for early. `copies` makes loop nests of copies between strided buffers.
//!
//! # Order of reductions
//! A lane loop that is a reduction adds up in another order than the nest says. That changes integers, minima and maxima not at all, but sums and
//! products of floats are rounded differently. It is done where their operation says `fastmath<reassoc>`, or everywhere under the option
//! `reassociate-fp-reductions`.

mod across;
mod ahead;
mod body;
mod copies;
mod emit;
mod loops;
mod pass;
mod plan;
mod reduction;
mod streams;

pub use pass::{Vectorize, VectorizeOptions, vector_obstacle};
