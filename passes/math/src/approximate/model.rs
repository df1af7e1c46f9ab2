//! The functions computed in Rust, operation by operation as compiled code does it, against f64.
//!
//! Each test takes every float of a sample that is dense in all binades: all exponents and signs, and mantissas in steps.

use super::functions;
use super::machine::Machine;

/// Computes.
struct Model;

impl Machine for Model {
    type F = f32;
    type I = i32;
    type C = bool;

    fn float(&mut self, value: f32) -> f32 {
        value
    }
    fn int(&mut self, value: i32) -> i32 {
        value
    }
    fn add(&mut self, a: f32, b: f32) -> f32 {
        a + b
    }
    fn sub(&mut self, a: f32, b: f32) -> f32 {
        a - b
    }
    fn mul(&mut self, a: f32, b: f32) -> f32 {
        a * b
    }
    fn div(&mut self, a: f32, b: f32) -> f32 {
        a / b
    }
    fn fma(&mut self, a: f32, b: f32, c: f32) -> f32 {
        // The product of two f32 is exact in f64; the sum is rounded twice, which moves it by far less than is measured here.
        (f64::from(a) * f64::from(b) + f64::from(c)) as f32
    }
    fn abs(&mut self, a: f32) -> f32 {
        a.abs()
    }
    fn neg(&mut self, a: f32) -> f32 {
        -a
    }
    fn less(&mut self, a: f32, b: f32) -> bool {
        a < b
    }
    #[expect(clippy::float_cmp, reason = "this is the comparison")]
    fn equal(&mut self, a: f32, b: f32) -> bool {
        a == b
    }
    fn select(&mut self, condition: bool, yes: f32, no: f32) -> f32 {
        if condition { yes } else { no }
    }
    fn to_float(&mut self, a: i32) -> f32 {
        a as f32
    }
    fn bits(&mut self, a: f32) -> i32 {
        a.to_bits().cast_signed()
    }
    fn of_bits(&mut self, a: i32) -> f32 {
        f32::from_bits(a.cast_unsigned())
    }
    fn sub_int(&mut self, a: i32, b: i32) -> i32 {
        a.wrapping_sub(b)
    }
    fn shift_left(&mut self, a: i32, by: i32) -> i32 {
        a.wrapping_shl(by.cast_unsigned())
    }
    fn shift_right(&mut self, a: i32, by: i32) -> i32 {
        a.wrapping_shr(by.cast_unsigned())
    }
}

/// Distance between neighbours of the sample among all floats of a sign: a prime, so that mantissas of all kinds occur.
const STEP: usize = 10_007;

/// Floats of both signs, all exponents, infinities, NaN, and what is close to where functions change.
fn sample() -> impl Iterator<Item = f32> {
    let corners = [
        0.0_f32,
        f32::MIN_POSITIVE,
        1.0,
        0.5,
        2.0,
        3.92,
        9.02,
        87.336_54,
        88.722_84,
        103.972_08,
        104.0,
        128.0,
        149.0,
        1e-6,
    ];
    let near = corners.into_iter().flat_map(|corner| {
        let bits = corner.to_bits();
        (bits.saturating_sub(200)..bits + 200).map(f32::from_bits)
    });
    let spread = (0..=0x7fc0_0000_u32).step_by(STEP).map(f32::from_bits);
    let positive = near.chain(spread).chain([f32::INFINITY, f32::NAN]);
    positive.flat_map(|x| [x, -x])
}

/// The error of `got` against the exact `expected`, in units in the last place of that.
#[expect(clippy::float_cmp, reason = "infinities are equal or not")]
fn ulps(got: f32, expected: f64) -> f64 {
    let rounded = expected as f32;
    if rounded.is_nan() || got.is_nan() {
        return if rounded.is_nan() == got.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if rounded.is_infinite() || got.is_infinite() {
        // At the threshold either may be right.
        let close = (expected.abs() / f64::from(f32::MAX) - 1.0).abs() < 1e-6;
        return if rounded == got || (close && got.is_sign_positive() == rounded.is_sign_positive()) {
            0.0
        } else {
            f64::INFINITY
        };
    }
    let exponent = expected.abs().max(f64::from(f32::MIN_POSITIVE)).log2().floor();
    (f64::from(got) - expected).abs() / (exponent - 23.0).exp2()
}

/// The largest error of `function` over the sample, and where it is. Zeros must have the sign that they should have.
fn worst(function: fn(&mut Model, f32) -> f32, exact: fn(f64) -> f64) -> (f64, f32) {
    let mut worst = (0.0, 0.0);
    for x in sample() {
        let (got, expected) = (function(&mut Model, x), exact(f64::from(x)));
        if x == 0.0 && expected == 0.0 {
            assert_eq!(got.to_bits(), (expected as f32).to_bits(), "the sign of zero at {x:?}");
        }
        let error = ulps(got, expected);
        if error > worst.0 {
            worst = (error, x);
        }
    }
    worst
}

macro_rules! bounds {
    ($($name:ident: $bound:literal, $exact:expr;)*) => {$(
        #[test]
        fn $name() {
            let (error, at) = worst(functions::$name, $exact);
            assert!(error <= $bound, "error of {error} ULP at {at:?}");
        }
    )*};
}

bounds! {
    exp: 1.2, f64::exp;
    exp2: 1.0, f64::exp2;
    expm1: 1.6, f64::exp_m1;
    log: 1.0, f64::ln;
    log2: 1.0, f64::log2;
    log10: 1.0, f64::log10;
    log1p: 1.6, f64::ln_1p;
    tanh: 5.6, f64::tanh;
    erf: 6.3, libm::erf;
}

/// As the functions of f64 are computed, by others that are exact but for the rounding.
#[test]
fn by_other_functions() {
    fn exp(_: &mut Model, x: f32) -> f32 {
        f64::from(x).exp() as f32
    }
    fn log(_: &mut Model, x: f32) -> f32 {
        f64::from(x).ln() as f32
    }
    let (error, at) = worst(|m, x| functions::expm1_by(m, x, exp, log), f64::exp_m1);
    assert!(error <= 3.0, "error of {error} ULP at {at:?}");
    let (error, at) = worst(|m, x| functions::log1p_by(m, x, log), f64::ln_1p);
    assert!(error <= 1.6, "error of {error} ULP at {at:?}");
}

#[test]
fn special_values_are_kept() {
    let m = &mut Model;
    let infinity = f32::INFINITY;
    assert_eq!((functions::exp(m, infinity), functions::exp(m, -infinity)), (infinity, 0.0));
    assert_eq!((functions::exp2(m, infinity), functions::exp2(m, -infinity)), (infinity, 0.0));
    assert_eq!((functions::expm1(m, infinity), functions::expm1(m, -infinity)), (infinity, -1.0));
    assert_eq!((functions::tanh(m, infinity), functions::tanh(m, -infinity)), (1.0, -1.0));
    assert_eq!((functions::erf(m, infinity), functions::erf(m, -infinity)), (1.0, -1.0));
    assert_eq!((functions::log(m, infinity), functions::log(m, -0.0)), (infinity, -infinity));
    assert_eq!((functions::log1p(m, infinity), functions::log1p(m, -1.0)), (infinity, -infinity));
    for function in
        [functions::exp::<Model>, functions::expm1, functions::log, functions::log1p, functions::tanh, functions::erf]
    {
        assert!(function(m, f32::NAN).is_nan());
    }
    assert!(
        functions::log(m, -1.0).is_nan()
            && functions::log2(m, -infinity).is_nan()
            && functions::log1p(m, -2.0).is_nan()
    );
}
