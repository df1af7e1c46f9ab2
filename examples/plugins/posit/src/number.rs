//! Posits in Rust: arithmetic on exact numbers, rounded once.

/// How many bits of a significand are kept besides the first one, more than any posit here has; a last bit that is set also stands for what is cut off.
const FRACTION: u32 = 64;

/// What an encoding stands for: a real number, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Number {
    Zero,
    NotReal,
    /// `±significand * 2^exponent`; the significand is not zero.
    Real {
        negative: bool,
        significand: u128,
        exponent: i32,
    },
}

use Number::{NotReal, Real, Zero};

/// The encoding of NaR.
fn not_real(bits: u32) -> u64 {
    1 << (bits - 1)
}

/// The low `bits` bits.
fn low(x: u64, bits: u32) -> u64 {
    x & (u64::MAX >> (64 - bits))
}

fn decode(x: u64, bits: u32) -> Number {
    let x = low(x, bits);
    if x == 0 {
        return Zero;
    }
    if x == not_real(bits) {
        return NotReal;
    }
    let negative = x >> (bits - 1) == 1;
    let magnitude = if negative { low(x.wrapping_neg(), bits) } else { x };
    // What follows the sign, at the top of a word.
    let body = magnitude << (64 - bits + 1);
    let run = if body >> 63 == 1 { body.leading_ones() } else { body.leading_zeros() } as i32;
    let regime = if body >> 63 == 1 { run - 1 } else { -run };
    let rest = body << (run + 1);
    let (exponent, fraction) = ((rest >> 62) as i32, rest << 2);
    // Fractions here have 27 bits at most: they are in the upper half.
    let significand = u128::from((1 << 32) | (fraction >> 32));
    Real { negative, significand, exponent: 4 * regime + exponent - 32 }
}

fn encode(number: Number, bits: u32) -> u64 {
    let (negative, significand, exponent) = match number {
        Zero => return 0,
        NotReal => return not_real(bits),
        Real { negative, significand, exponent } => (negative, significand, exponent),
    };
    let top = 127 - significand.leading_zeros();
    let scale = exponent + top as i32;
    let significand =
        if top <= FRACTION { significand << (FRACTION - top) } else { shift_right(significand, top - FRACTION) };
    let fraction = significand & ((1 << FRACTION) - 1);
    // Regimes beyond these are those of the largest and the least number.
    let last = bits as i32;
    let regime = scale.div_euclid(4).clamp(1 - last, last - 2);
    let (run, regime) =
        if regime >= 0 { (regime + 2, ((1_u128 << (regime + 1)) - 1) << 1) } else { (1 - regime, 1_u128) };
    let text = ((regime << 2 | scale.rem_euclid(4) as u128) << FRACTION) | fraction;
    let cut = run as u32 + 2 + FRACTION - (bits - 1);
    let (body, rest, half) = (text >> cut, text & ((1 << cut) - 1), 1_u128 << (cut - 1));
    let up = rest > half || (rest == half && body & 1 == 1);
    // A number that is not zero never becomes zero.
    let body = (body as u64 + u64::from(up)).max(1);
    if negative { low(body.wrapping_neg(), bits) } else { body }
}

/// `x / 2^by`, with the last bit set where what is cut off is not zero.
fn shift_right(x: u128, by: u32) -> u128 {
    match x.checked_shr(by) {
        Some(shifted) if by == 0 || x << (128 - by) == 0 => shifted,
        Some(shifted) => shifted | 1,
        None => u128::from(x != 0),
    }
}

/// `x + y`.
pub(crate) fn add(x: u64, y: u64, bits: u32) -> u64 {
    let (a, b) = match (decode(x, bits), decode(y, bits)) {
        (NotReal, _) | (_, NotReal) => return not_real(bits),
        (Zero, _) => return low(y, bits),
        (_, Zero) => return low(x, bits),
        pair => pair,
    };
    let (Real { negative, significand, exponent }, Real { negative: other, significand: small, exponent: least }) =
        (if magnitude(a) >= magnitude(b) { (a, b) } else { (b, a) })
    else {
        unreachable!("other numbers have been handled")
    };
    // Significands have 33 bits. Both are shifted by 64 for what the smaller one has below the larger one.
    let (large, small) = (significand << FRACTION, shift_right(small << FRACTION, (exponent - least).unsigned_abs()));
    let sum = if negative == other { large + small } else { large - small };
    let exponent = exponent - FRACTION as i32;
    encode(if sum == 0 { Zero } else { Real { negative, significand: sum, exponent } }, bits)
}

/// By which the absolute values of two numbers are compared: significands have 33 bits.
fn magnitude(number: Number) -> (i32, u128) {
    if let Real { significand, exponent, .. } = number { (exponent, significand) } else { (i32::MIN, 0) }
}

/// `-x`.
pub(crate) fn neg(x: u64, bits: u32) -> u64 {
    low(x.wrapping_neg(), bits)
}

/// `x - y`.
pub(crate) fn sub(x: u64, y: u64, bits: u32) -> u64 {
    add(x, neg(y, bits), bits)
}

/// `x * y`.
pub(crate) fn mul(x: u64, y: u64, bits: u32) -> u64 {
    let product = match (decode(x, bits), decode(y, bits)) {
        (NotReal, _) | (_, NotReal) => NotReal,
        (Zero, _) | (_, Zero) => Zero,
        (Real { negative, significand, exponent }, Real { negative: other, significand: second, exponent: and }) => {
            Real { negative: negative != other, significand: significand * second, exponent: exponent + and }
        }
    };
    encode(product, bits)
}

/// `x / y`.
pub(crate) fn div(x: u64, y: u64, bits: u32) -> u64 {
    let quotient = match (decode(x, bits), decode(y, bits)) {
        (NotReal, _) | (_, NotReal | Zero) => NotReal,
        (Zero, _) => Zero,
        (Real { negative, significand, exponent }, Real { negative: other, significand: divisor, exponent: less }) => {
            let dividend = significand << FRACTION;
            let significand = dividend / divisor | u128::from(dividend % divisor != 0);
            Real { negative: negative != other, significand, exponent: exponent - less - FRACTION as i32 }
        }
    };
    encode(quotient, bits)
}

/// The number that an encoding stands for: exact, or NaN.
pub(crate) fn to_f64(x: u64, bits: u32) -> f64 {
    match decode(x, bits) {
        Zero => 0.0,
        NotReal => f64::NAN,
        Real { negative, significand, exponent } => {
            let magnitude = significand as f64 * 2_f64.powi(exponent);
            if negative { -magnitude } else { magnitude }
        }
    }
}

/// The posit nearest to `x`.
pub(crate) fn from_f64(x: f64, bits: u32) -> u64 {
    let (word, exponent) = (x.to_bits(), (x.to_bits() >> 52 & 0x7ff) as i32);
    let fraction = u128::from(word & ((1 << 52) - 1));
    let number = match exponent {
        0x7ff => NotReal,
        0 if fraction == 0 => Zero,
        // What has no leading one is smaller than any posit, and is one that is not zero.
        0 => Real { negative: x < 0.0, significand: fraction, exponent: -1074 },
        _ => Real { negative: x < 0.0, significand: fraction | 1 << 52, exponent: exponent - 1075 },
    };
    encode(number, bits)
}
