use std::cmp::Ordering;

use num_bigint::BigInt;
use proptest::prelude::*;
use rustc_apfloat::ieee::{BFloat, Double, Float8E4M3FN, Float8E5M2, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};

use super::*;
use crate::number::ApInt;

const SMALL: [FloatKind; 11] = {
    use FloatKind as F;
    [
        F::F4E2M1FN,
        F::F6E2M3FN,
        F::F6E3M2FN,
        F::F8E5M2,
        F::F8E4M3,
        F::F8E4M3FN,
        F::F8E5M2FNUZ,
        F::F8E4M3FNUZ,
        F::F8E4M3B11FNUZ,
        F::F8E3M4,
        F::F8E8M0FNU,
    ]
};

/// Value of an encoding by the text of the format's definition: sign, exponent and fraction bits, bias, and which
/// encodings are special. `None` for NaN.
fn defined_value(kind: FloatKind, bits: u128) -> Option<f64> {
    use FloatKind as F;
    let (exponent_bits, fraction_bits, bias) = match kind {
        F::F4E2M1FN => (2, 1, 1),
        F::F6E2M3FN => (2, 3, 1),
        F::F6E3M2FN => (3, 2, 3),
        F::F8E5M2 => (5, 2, 15),
        F::F8E4M3 | F::F8E4M3FN => (4, 3, 7),
        F::F8E5M2FNUZ => (5, 2, 16),
        F::F8E4M3FNUZ => (4, 3, 8),
        F::F8E4M3B11FNUZ => (4, 3, 11),
        F::F8E3M4 => (3, 4, 3),
        F::F8E8M0FNU => return (bits != 0xFF).then(|| 2f64.powi(bits as i32 - 127)),
        _ => unreachable!("not a small format"),
    };
    let sign = if bits >> (exponent_bits + fraction_bits) == 1 { -1.0 } else { 1.0 };
    let field = (bits >> fraction_bits) as i32 & ((1 << exponent_bits) - 1);
    let fraction = (bits & ((1 << fraction_bits) - 1)) as f64 / f64::from(1 << fraction_bits);
    let highest = field == (1 << exponent_bits) - 1;
    match kind {
        F::F8E5M2 | F::F8E4M3 | F::F8E3M4 if highest => {
            return (fraction == 0.0).then_some(sign * f64::INFINITY);
        }
        F::F8E4M3FN if bits & 0x7F == 0x7F => return None,
        F::F8E5M2FNUZ | F::F8E4M3FNUZ | F::F8E4M3B11FNUZ if bits == 0x80 => return None,
        _ => {}
    }
    Some(if field == 0 {
        sign * fraction * 2f64.powi(1 - bias)
    } else {
        sign * (1.0 + fraction) * 2f64.powi(field - bias)
    })
}

/// All encodings of the formats of at most 8 bits, there and back.
#[test]
fn small_formats_follow_their_definition() {
    for kind in SMALL {
        for bits in 0..1 << kind.width() {
            let (got, context) = (to_f64(kind, bits), format!("{bits:#x} : {}", kind.keyword()));
            match defined_value(kind, bits) {
                None => {
                    assert!(got.is_nan() && is_nan(kind, bits), "{context}");
                    assert!(is_nan(kind, from_f64(kind, f64::NAN).0), "{context}");
                }
                Some(value) => {
                    assert_eq!(got.to_bits(), value.to_bits(), "{context}");
                    assert_eq!(from_f64(kind, value), (bits, false), "{context}");
                    assert_eq!(is_infinite(kind, bits), value.is_infinite(), "{context}");
                    assert_eq!(is_zero(kind, bits), value == 0.0, "{context}");
                    assert_eq!(is_negative(kind, bits), value.is_sign_negative(), "{context}");
                }
            }
        }
        assert_eq!(to_f64(kind, one(kind)).to_bits(), 1f64.to_bits());
    }
}

/// The numbers half way between neighbours go to the one with an even encoding; a little to either side, to the closer one.
#[test]
fn small_formats_round_to_nearest_even() {
    for kind in SMALL {
        let positive = 0..1u128 << (kind.width() - u32::from(kind != FloatKind::F8E8M0FNU));
        let mut finite: Vec<_> =
            positive.filter_map(|b| defined_value(kind, b).filter(|v| v.is_finite()).map(|v| (v, b))).collect();
        finite.sort_by(|a, b| a.0.total_cmp(&b.0));
        for pair in finite.windows(2) {
            let ((low, low_bits), (high, high_bits)) = (pair[0], pair[1]);
            let middle = f64::midpoint(low, high);
            // With no fraction bits every significand is odd, and ties go to the greater exponent.
            let even = if kind == FloatKind::F8E8M0FNU || high_bits % 2 == 0 { high_bits } else { low_bits };
            for (value, expected) in [(middle.next_down(), low_bits), (middle, even), (middle.next_up(), high_bits)] {
                assert_eq!(from_f64(kind, value), (expected, true), "{value} : {}", kind.keyword());
                if kind != FloatKind::F8E8M0FNU && expected != 0 {
                    assert_eq!(from_f64(kind, -value).0, neg(kind, expected), "-{value} : {}", kind.keyword());
                }
            }
        }
    }
}

/// Beyond half a unit above the largest number there is infinity, NaN, or the largest number.
#[test]
fn overflow_follows_the_format() {
    for kind in FloatKind::ALL {
        if kind.width() >= 64 {
            continue;
        }
        let top = to_f64(kind, largest(kind, false));
        let beyond = infinity(kind, false).or(nan(kind)).unwrap_or(largest(kind, false));
        for value in [top * 2.0, 1e300, f64::INFINITY] {
            assert_eq!(from_f64(kind, value).0, beyond, "{value} : {}", kind.keyword());
        }
        assert_eq!(from_f64(kind, top), (largest(kind, false), false));
        assert_eq!(add(kind, largest(kind, false), largest(kind, false)), beyond, "{}", kind.keyword());
    }
    assert_eq!(largest(FloatKind::F8E4M3FN, true), 0xFE);
    assert_eq!(largest(FloatKind::F32, false), f32::MAX.to_bits().into());
    assert_eq!(infinity(FloatKind::F80, true), Some(0xFFFF_8000_0000_0000_0000));
    assert_eq!(nan(FloatKind::F32), Some(0x7FC0_0000));
    assert_eq!(nan(FloatKind::F4E2M1FN), None);
}

/// Sums and products of all pairs of small numbers: exact in `f64`, so one rounding remains.
#[test]
fn small_arithmetic_rounds_the_exact_result() {
    for kind in SMALL {
        for a in 0..1 << kind.width() {
            for b in 0..1 << kind.width() {
                let (Some(x), Some(y)) = (defined_value(kind, a), defined_value(kind, b)) else {
                    assert!(is_nan(kind, add(kind, a, b)) && compare(kind, a, b).is_none());
                    continue;
                };
                let expected = |v: f64| from_f64(kind, if v.is_nan() { f64::NAN } else { v }).0;
                if kind != FloatKind::F8E8M0FNU {
                    assert_eq!(add(kind, a, b), expected(x + y));
                    assert_eq!(sub(kind, a, b), expected(x - y));
                }
                assert_eq!(mul(kind, a, b), expected(x * y));
                assert_eq!(compare(kind, a, b), x.partial_cmp(&y));
            }
        }
    }
}

/// The formats of at most 16 bits that an independent implementation has.
#[test]
fn half_precision_agrees_with_the_reference() {
    fn check<F: Float + FloatConvert<Double>>(kind: FloatKind) {
        for bits in 0..1u128 << kind.width() {
            let exact: Double = F::from_bits(bits).convert(&mut false).value;
            if exact.is_nan() {
                assert!(is_nan(kind, bits));
            } else {
                assert_eq!(u128::from(to_f64(kind, bits).to_bits()), exact.to_bits(), "{bits:#x} : {}", kind.keyword());
            }
        }
    }
    check::<Half>(FloatKind::F16);
    check::<BFloat>(FloatKind::BF16);
    check::<Float8E5M2>(FloatKind::F8E5M2);
    check::<Float8E4M3FN>(FloatKind::F8E4M3FN);
}

/// A conversion of the reference, to compare bits of.
fn reference_convert<A: Float + FloatConvert<B>, B: Float>(bits: u128) -> (u128, bool) {
    let mut lost = false;
    let value = A::from_bits(bits).convert_r(Round::NearestTiesToEven, &mut lost).value;
    (value.to_bits(), lost)
}

fn same_or_nan(kind: FloatKind, got: u128, expected: u128) -> bool {
    got == expected || (is_nan(kind, got) && is_nan(kind, expected))
}

/// Bit patterns with fractions that are often near a tie of a narrower format.
fn patterns() -> impl Strategy<Value = u128> {
    (any::<u128>(), 0u32..128, -2i128..3)
        .prop_map(|(bits, shift, nudge)| (bits >> shift << shift).wrapping_add_signed(nudge))
}

fn f64_bits() -> impl Strategy<Value = u128> {
    // The exponents of the narrower formats, each with a fraction that is often a tie.
    (any::<u64>(), 0u32..52, -1i64..2, 850u64..1200).prop_map(|(bits, shift, nudge, field)| {
        let bits = (bits >> shift << shift).wrapping_add_signed(nudge);
        u128::from(bits & !(0x7FF << 52) | field << 52)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn conversions_agree_with_the_reference(bits in patterns(), double in f64_bits()) {
        use FloatKind as F;
        macro_rules! check {
            ($bits:expr, $($from:ident: $A:ty => $to:ident: $B:ty),* $(,)?) => {$({
                let bits: u128 = $bits & (u128::MAX >> (128 - F::$from.width()));
                if !is_nan(F::$from, bits) {
                    prop_assert_eq!(
                        convert(F::$from, bits, F::$to),
                        reference_convert::<$A, $B>(bits),
                        "{:#x} : {} to {}", bits, F::$from.keyword(), F::$to.keyword()
                    );
                }
            })*};
        }
        check!(double, F64: Double => F32: Single, F64: Double => F16: Half, F64: Double => BF16: BFloat,
            F64: Double => F8E5M2: Float8E5M2, F64: Double => F8E4M3FN: Float8E4M3FN,
            F64: Double => F80: X87DoubleExtended, F64: Double => F128: Quad);
        check!(bits, F128: Quad => F80: X87DoubleExtended, F128: Quad => F64: Double, F80: X87DoubleExtended => F64: Double,
            F80: X87DoubleExtended => F128: Quad, F32: Single => F128: Quad, F16: Half => F80: X87DoubleExtended,
            BF16: BFloat => F16: Half, F32: Single => F16: Half);
        // Exponents that a narrow format can hold, in a wide one.
        let quad = convert(F::F64, double, F::F128).0 ^ (bits & 0xFFFF_FFFF);
        check!(quad, F128: Quad => F32: Single, F128: Quad => F16: Half, F128: Quad => F64: Double,
            F128: Quad => F80: X87DoubleExtended);
    }

    #[test]
    fn narrow_arithmetic_agrees_with_the_reference(a in patterns(), b in patterns(), c in patterns()) {
        macro_rules! check {
            ($($kind:ident: $F:ty),*) => {$({
                let kind = FloatKind::$kind;
                let cut = |bits: u128| bits >> (128 - kind.width());
                let (a, b, c) = (cut(a), cut(b), cut(c));
                let (x, y, z) = (<$F>::from_bits(a), <$F>::from_bits(b), <$F>::from_bits(c));
                for (name, got, expected) in [
                    ("add", add(kind, a, b), (x + y).value),
                    ("sub", sub(kind, a, b), (x - y).value),
                    ("mul", mul(kind, a, b), (x * y).value),
                    ("div", div(kind, a, b), (x / y).value),
                    ("rem", rem(kind, a, b), (x % y).value),
                    ("fma", fma(kind, a, b, c), x.mul_add(y, z).value),
                ] {
                    let expected = expected.to_bits();
                    prop_assert!(same_or_nan(kind, got, expected), "{} {a:#x} {b:#x} {c:#x} : {} is {got:#x}, not {expected:#x}",
                        name, kind.keyword());
                }
                prop_assert_eq!(compare(kind, a, b), x.partial_cmp(&y));
                prop_assert!(same_or_nan(kind, minimum(kind, a, b), x.minimum(y).to_bits()));
                prop_assert!(same_or_nan(kind, maximum(kind, a, b), x.maximum(y).to_bits()));
                prop_assert_eq!(neg(kind, a), (-x).to_bits());
                prop_assert_eq!(abs(kind, a), x.abs().to_bits());
            })*};
        }
        check!(F8E5M2: Float8E5M2, F16: Half, BF16: BFloat, F32: Single, F64: Double, F128: Quad);
    }

    /// `f32` and `f64` against the processor.
    #[test]
    fn native_arithmetic_agrees(a: f32, b: f32, c: f32, x: f64, y: f64, z: f64) {
        let kind = FloatKind::F32;
        let [p, q, r] = [a, b, c].map(|v| u128::from(v.to_bits()));
        for (got, expected) in [
            (add(kind, p, q), a + b), (mul(kind, p, q), a * b), (div(kind, p, q), a / b), (rem(kind, p, q), a % b),
            (fma(kind, p, q, r), a.mul_add(b, c)),
        ] {
            prop_assert!(same_or_nan(kind, got, expected.to_bits().into()));
        }
        let kind = FloatKind::F64;
        let [p, q, r] = [x, y, z].map(|v| u128::from(v.to_bits()));
        for (got, expected) in [(div(kind, p, q), x / y), (rem(kind, p, q), x % y), (fma(kind, p, q, r), x.mul_add(y, z))] {
            prop_assert!(same_or_nan(kind, got, expected.to_bits().into()));
        }
    }

    /// A sum that is near a tie, where rounding twice goes wrong.
    #[test]
    fn fused_sums_round_once(a: u32, b: u32, shift in 0i32..60, negative: bool) {
        let kind = FloatKind::F32;
        let (a, b) = (f32::from_bits(a & 0x007F_FFFF | 0x3F80_0000), f32::from_bits(b & 0x007F_F000 | 0x3F80_0000));
        let c = 2f32.powi(-shift) * if negative { -1.0 } else { 1.0 };
        let got = fma(kind, a.to_bits().into(), b.to_bits().into(), c.to_bits().into());
        prop_assert_eq!(got, a.mul_add(b, c).to_bits().into());
    }

    #[test]
    fn integers_agree_with_the_reference(value: i128, shift in 0u32..128) {
        let value = value >> shift;
        let integer = ApInt::from_i128(128, value);
        macro_rules! check {
            ($($kind:ident: $F:ty),*) => {$({
                let kind = FloatKind::$kind;
                prop_assert_eq!(from_int(kind, &integer, true), <$F>::from_i128(value).value.to_bits());
                prop_assert_eq!(from_int(kind, &integer, false), <$F>::from_u128(value as u128).value.to_bits());
            })*};
        }
        check!(F16: Half, BF16: BFloat, F32: Single, F64: Double, F80: X87DoubleExtended, F128: Quad, F8E5M2: Float8E5M2);
        prop_assert_eq!(from_int(FloatKind::F32, &integer, true), (value as f32).to_bits().into());
        prop_assert_eq!(from_int(FloatKind::F64, &integer, true), (value as f64).to_bits().into());
    }

    #[test]
    fn truncation_to_integers(value in prop_oneof![any::<f64>(), -1e20..1e20f64, -300.0..300.0f64]) {
        let bits = value.to_bits().into();
        let in_range = |min: f64, end: f64| value.trunc() >= min && value.trunc() < end;
        macro_rules! check {
            ($($width:literal $signed:literal $T:ty: $min:expr, $end:expr);*) => {$(
                let got = to_int(FloatKind::F64, bits, $width, $signed);
                let expected = in_range($min, $end).then_some(value as $T);
                prop_assert_eq!(got.as_ref().and_then(ApInt::to_i128).map(|v| v as $T), expected, "{}", value);
            )*};
        }
        check!(8 true i8: -128.0, 128.0; 8 false u8: 0.0, 256.0; 32 true i32: -(2f64.powi(31)), 2f64.powi(31);
            64 true i64: -(2f64.powi(63)), 2f64.powi(63); 64 false u64: 0.0, 2f64.powi(64));
    }
}

/// A sticky bit far below decides, and integers wider than any significand overflow.
#[test]
fn wide_integers_round_once() {
    let tie = (BigInt::from(1) << 200u32) + (BigInt::from(1) << 176u32);
    let above: BigInt = &tie + 1;
    let number = |v: &BigInt| from_int(FloatKind::F32, &ApInt::from_bigint(300, v.clone()), true);
    // 2^200 is beyond `f32`; in `f64` the tie of 24 bits is exact.
    assert_eq!(number(&tie), infinity(FloatKind::F32, false).unwrap());
    assert_eq!(number(&-&tie), infinity(FloatKind::F32, true).unwrap());
    let tie: BigInt = (BigInt::from(1) << 200u32) + (BigInt::from(1) << 147u32);
    let double = |v: &BigInt| from_int(FloatKind::F64, &ApInt::from_bigint(300, v.clone()), true) as u64;
    assert_eq!(double(&tie), 2f64.powi(200).to_bits());
    assert_eq!(double(&(&tie + 1)), 2f64.powi(200).next_up().to_bits());
    assert_eq!(double(&above), (2f64.powi(200) + 2f64.powi(176)).to_bits());
    assert_eq!(from_int(FloatKind::F128, &ApInt::min_signed(20_000), true), infinity(FloatKind::F128, true).unwrap());
}

#[test]
fn nan_keeps_its_payload_and_its_place() {
    use FloatKind as F;
    let payload = 0xFFA0_2000;
    assert_eq!(convert(F::F32, payload, F::F64), (0xFFFC_0400_0000_0000, false));
    assert_eq!(convert(F::F64, 0x7FF0_0000_0000_0001, F::F32), (0x7FC0_0000, true));
    assert_eq!(convert(F::F8E5M2FNUZ, 0x80, F::F32), (0x7FC0_0000, false));
    assert_eq!(convert(F::F32, 0xFFC0_0000, F::F8E4M3FN), (0xFF, false));
    // The first operand that is NaN wins, made quiet.
    assert_eq!(add(F::F32, 0x7F80_0001, 0x7FC0_0002), 0x7FC0_0001);
    assert_eq!(mul(F::F32, 0, 0x7FC0_0002), 0x7FC0_0002);
    assert_eq!(sub(F::F32, 0x7F80_0000, 0x7F80_0000), 0x7FC0_0000);
    assert_eq!(neg(F::F8E4M3FNUZ, 0), 0);
    assert_eq!((neg(F::F8E4M3FNUZ, 0x80), abs(F::F8E4M3FNUZ, 0x80)), (0x80, 0x80));
}

#[test]
fn minima_and_maxima_of_zeros_and_nan() {
    let kind = FloatKind::F32;
    let (zero, minus_zero, nan) = (0, 0x8000_0000, 0x7FC0_0000);
    assert_eq!((minimum(kind, zero, minus_zero), minimum(kind, minus_zero, zero)), (minus_zero, minus_zero));
    assert_eq!((maximum(kind, zero, minus_zero), maximum(kind, minus_zero, zero)), (zero, zero));
    assert_eq!((minimum(kind, nan, zero), maximum(kind, zero, nan)), (nan, nan));
    assert_eq!((minnum(kind, nan, zero), maxnum(kind, zero, nan), minnum(kind, nan, nan)), (zero, zero, nan));
    assert_eq!(compare(kind, zero, minus_zero), Some(Ordering::Equal));
    assert_eq!(compare(kind, nan, zero), None);
}

#[test]
fn inclusion_is_of_all_values() {
    use FloatKind as F;
    for (narrow, wide) in [
        (F::F16, F::F32),
        (F::BF16, F::F32),
        (F::F32, F::F64),
        (F::F64, F::F80),
        (F::F80, F::F128),
        (F::F4E2M1FN, F::F8E4M3FN),
        (F::F8E5M2, F::F16),
        (F::F8E8M0FNU, F::F32),
        (F::F8E4M3FNUZ, F::F16),
    ] {
        assert!(is_included(narrow, wide), "{narrow:?} in {wide:?}");
        assert!(!is_included(wide, narrow), "{wide:?} in {narrow:?}");
    }
    // More precision but less range, a negative zero, infinities, powers of two beyond the range.
    for (one, other) in [
        (F::F16, F::BF16),
        (F::BF16, F::F16),
        (F::F8E4M3FN, F::F8E4M3FNUZ),
        (F::F8E5M2, F::F8E5M2FNUZ),
        (F::F8E8M0FNU, F::F16),
        (F::F8E8M0FNU, F::BF16),
    ] {
        let lossless = (one, other) == (F::F8E8M0FNU, F::BF16);
        assert_eq!(is_included(one, other), lossless, "{one:?} in {other:?}");
    }
}
