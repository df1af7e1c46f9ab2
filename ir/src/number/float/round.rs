//! Rounding to integral values.

use rustc_apfloat::ieee::{Quad, X87DoubleExtended};
use rustc_apfloat::{Float, Round};

use super::{from_f64, is_nan, to_f64};
use crate::types::FloatKind;

/// Which integral value stands for a number between two of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// The larger one.
    Up,
    /// The smaller one.
    Down,
    /// The nearest one, and of two the even one.
    NearestEven,
}

/// The integral value that stands for a number, with its sign. Infinities and NaN stay.
pub fn round_to_integral(kind: FloatKind, bits: u128, rounding: Rounding) -> u128 {
    if is_nan(kind, bits) {
        return bits;
    }
    let mode = match rounding {
        Rounding::Up => Round::TowardPositive,
        Rounding::Down => Round::TowardNegative,
        Rounding::NearestEven => Round::NearestTiesToEven,
    };
    let narrow = match rounding {
        Rounding::Up => f64::ceil,
        Rounding::Down => f64::floor,
        Rounding::NearestEven => f64::round_ties_even,
    };
    match kind {
        FloatKind::F80 => X87DoubleExtended::from_bits(bits).round_to_integral(mode).value.to_bits(),
        FloatKind::F128 => Quad::from_bits(bits).round_to_integral(mode).value.to_bits(),
        // Every other format is a part of `f64`, and so are its integral values.
        _ => from_f64(kind, narrow(to_f64(kind, bits))).0,
    }
}
