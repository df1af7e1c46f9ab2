//! Named operations: their loop nests and bodies as data.
//!
//! The table describes each operation that is more than its name: which loops it runs, how they index the operands, and which of a
//! few bodies it computes. Source of the facts: the operation definition files of MLIR (LLVM 22).

mod maps;
mod table;

pub use crate::assembly::named::{elementwise_body, named_op};
pub use maps::{NamedNest, Windows, default_maps};

use dl_ir::affine::AffineMap;
use maps::match_windows;
pub use table::NAMED;

use crate::{BinaryFn, IteratorType, TernaryFn, TypeFn, UnaryFn};

/// A named operation.
#[derive(Debug)]
pub struct NamedOp {
    /// Full name.
    pub name: &'static str,
    /// Its loops.
    pub nest: Nest,
    /// What it computes at each point.
    pub body: Body,
}

/// The loops of a named operation and how they index its operands.
#[derive(Clone, Copy, Debug)]
pub enum Nest {
    /// One parallel loop for each dimension of the first init; every operand has that shape or is a scalar.
    Elementwise,
    /// The maps of the attribute `indexing_maps`, with these iterators.
    Attr(&'static str),
    /// These iterators, and for each operand a map. Iterators are written `p` (parallel) and `r` (reduction), maps as one word a
    /// result: `3` is `d3`, `1+2` is `d1 + d2`, and `1s+4t` is `d1 * stride + d4 * dilation` with the next stride and dilation.
    Fixed(&'static str, &'static [&'static str]),
}

/// What a named operation computes at each point, from one element of each operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Body {
    /// A function of the input.
    Unary(UnaryFn),
    /// A function of both inputs.
    Binary(BinaryFn),
    /// A function of three inputs.
    Ternary(TernaryFn),
    /// The input, converted as the attribute `cast` says.
    Copy,
    /// The input, converted.
    Fill,
    /// The input as it is.
    Move,
    /// `out + a * b`, the inputs converted as the attribute `cast` says.
    MultiplyAdd,
    /// `out + (a - a_zero) * (b - b_zero)`; the zero points are the last two inputs.
    QuantizedMultiplyAdd,
    /// The function of `out` and the converted first input.
    Pool(BinaryFn, TypeFn),
    /// A pseudo-random number between the first two inputs, from the third one and the position.
    Random,
}

impl Nest {
    /// The strides and dilations with which a nest of fixed maps has `maps` for its operands.
    pub fn windows(self, cx: &dl_ir::Context, maps: &[AffineMap]) -> Option<Windows> {
        match self {
            Self::Fixed(letters, words) => match_windows(cx.affine(), letters.len() as u32, words, maps),
            Self::Elementwise | Self::Attr(_) => None,
        }
    }

    /// Whether windows move over the first input: whether this is a convolution, or pooling.
    pub fn has_windows(self) -> bool {
        matches!(self, Self::Fixed(_, [input, ..]) if input.contains('+'))
    }

    /// The iterators, for as many loops as the rank of the first init where that decides.
    pub fn iterators(self, rank: usize) -> Vec<IteratorType> {
        match self {
            Self::Elementwise => vec![IteratorType::Parallel; rank],
            Self::Attr(letters) | Self::Fixed(letters, _) => iterators(letters),
        }
    }
}

/// The iterators that the letters `p` and `r` stand for.
fn iterators(letters: &str) -> Vec<IteratorType> {
    letters.bytes().map(|b| if b == b'r' { IteratorType::Reduction } else { IteratorType::Parallel }).collect()
}

impl Body {
    /// Number of operands of an operation with this body.
    pub fn num_operands(self) -> usize {
        match self {
            Self::Unary(_) | Self::Copy | Self::Fill | Self::Move => 2,
            Self::Binary(_) | Self::MultiplyAdd | Self::Pool(..) => 3,
            Self::Ternary(_) | Self::Random => 4,
            Self::QuantizedMultiplyAdd => 5,
        }
    }
}
