use proptest::prelude::*;
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{BFloat, Double, Float8E4M3FN, Float8E5M2, Half, Quad, Single, X87DoubleExtended};

use super::digits::{Decimal, Leading, leading_digits_exact};
use super::{nearest, parse_decimal, parse_hex, print};
use crate::number::float::codec::{Value, decode};
use crate::number::float::format::{Format, Specials};
use crate::types::FloatKind;

fn text(kind: FloatKind, bits: u128) -> String {
    let mut out = String::new();
    print(kind, bits, &mut out);
    out
}

/// The number of a literal with its sign.
fn decimal(kind: FloatKind, text: &str) -> Option<u128> {
    let digits = text.strip_prefix('-');
    parse_decimal(kind, digits.unwrap_or(text).as_bytes(), digits.is_some())
}

/// The literal on the left, as an attribute, is printed by `mlir-opt` 22 as the text on the right.
#[test]
fn literals_print_as_in_mlir() {
    use FloatKind as F;
    let facts = [
        (F::F32, "1.0", "1.000000e+00"),
        (F::F32, "0.1", "1.000000e-01"),
        (F::F32, "0.3", "3.000000e-01"),
        (F::F32, "0.7", "0.699999988"),
        (F::F32, "-0.0", "-0.000000e+00"),
        (F::F32, "123456.7", "123456.703"),
        (F::F32, "123456.0", "1.234560e+05"),
        (F::F32, "1234560.0", "1.234560e+06"),
        (F::F32, "12345600.0", "1.234560e+07"),
        (F::F32, "1234567.0", "0x4996B438"),
        (F::F32, "9999999.0", "0x4B18967F"),
        (F::F32, "16777216.0", "0x4B800000"),
        (F::F32, "3.14159265358979", "3.14159274"),
        (F::F32, "1.0e-45", "1.401300e-45"),
        (F::F32, "3.4028235e38", "3.40282347E+38"),
        (F::F32, "1.0e40", "0x7F800000"),
        (F::F32, "1.00000005960464477539062500001", "1.000000e+00"),
        (F::F32, "0x7FC00000", "0x7FC00000"),
        (F::F32, "0xFF", "3.573310e-43"),
        (F::F64, "0.1", "1.000000e-01"),
        (F::F64, "0.7", "0.69999999999999996"),
        (F::F64, "1.0e10", "1.000000e+10"),
        (F::F64, "123456789.0", "0x419D6F3454000000"),
        (F::F64, "100000000.5", "100000000.5"),
        (F::F64, "9007199254740993.0", "0x4340000000000000"),
        (F::F64, "3.14159265358979", "3.14159265358979"),
        (F::F64, "1.0e-310", "1.000000e-310"),
        (F::F64, "1.0e300", "1.000000e+300"),
        (F::F64, "2.2250738585072014e-308", "2.2250738585072014E-308"),
        (F::F64, "1.7976931348623157e308", "1.7976931348623157E+308"),
        (F::F64, "1.0e400", "0x7FF0000000000000"),
        (F::F64, "1.0e-99999999999", "0.000000e+00"),
        (
            F::F64,
            "0.000000000000000000000000000000000000000000000000000000000000000000000000001",
            "9.9999999999999995E-76",
        ),
        (F::BF16, "0.1", "1.000980e-01"),
        (F::BF16, "1.0e100", "0x7F80"),
        (F::F16, "0.1", "9.997550e-02"),
        (F::F16, "65504.0", "6.550400e+04"),
        (F::F16, "1.0e100", "0x7C00"),
        (F::TF32, "0.1", "9.997550e-02"),
        (F::TF32, "0x7FC00", "0x7FC00"),
        (F::TF32, "1.0e100", "0x3FC00"),
        (F::F80, "0.1", "0.100000000000000005551"),
        (F::F80, "1.0e100", "1.0000000000000000159E+100"),
        (F::F80, "0xFFFF8000000000000000", "0xFFFF8000000000000000"),
        (F::F80, "0x7FFF0000000000000000", "0x7FFF0000000000000000"),
        (F::F80, "0x00010000000000000001", "0x7FFF0000000000000001"),
        (F::F128, "0.1", "0.100000000000000005551115123125782702"),
        (F::F128, "1.0e400", "0x7FFF0000000000000000000000000000"),
        (F::F8E4M3FN, "0.1", "1.015630e-01"),
        (F::F8E4M3FN, "464.0", "4.480000e+02"),
        (F::F8E4M3FN, "464.1", "0x7F"),
        (F::F8E4M3FN, "-1.0e100", "0xFF"),
        (F::F8E4M3, "247.0", "2.400000e+02"),
        (F::F8E4M3, "248.0", "0x78"),
        (F::F8E3M4, "1.0e100", "0x70"),
        (F::F8E5M2, "61439.0", "5.734400e+04"),
        (F::F8E5M2, "61440.0", "0x7C"),
        (F::F8E5M2FNUZ, "1.0e100", "0x80"),
        (F::F8E5M2FNUZ, "-1.0e-100", "0.000000e+00"),
        (F::F8E4M3FNUZ, "1.0e100", "0x80"),
        (F::F8E4M3B11FNUZ, "-0.0", "0.000000e+00"),
        (F::F8E8M0FNU, "0.0", "5.877470e-39"),
        (F::F8E8M0FNU, "1.49", "1.000000e+00"),
        (F::F8E8M0FNU, "1.5", "2.000000e+00"),
        (F::F8E8M0FNU, "5.0", "4.000000e+00"),
        (F::F8E8M0FNU, "6.0", "8.000000e+00"),
        (F::F8E8M0FNU, "2.0e38", "1.701410e+38"),
        (F::F8E8M0FNU, "3.0e38", "0xFF"),
        (F::F6E2M3FN, "-1000.0", "-7.500000e+00"),
        (F::F6E3M2FN, "1000.0", "2.800000e+01"),
        (F::F4E2M1FN, "1000.0", "6.000000e+00"),
        (F::F4E2M1FN, "0.25", "0.000000e+00"),
        (F::F4E2M1FN, "0.75", "1.000000e+00"),
        (F::F4E2M1FN, "5.0", "4.000000e+00"),
    ];
    for (kind, literal, expected) in facts {
        let bits = if literal.starts_with("0x") { parse_hex(kind, literal) } else { decimal(kind, literal) };
        let bits = bits.expect(literal);
        assert_eq!(text(kind, bits), expected, "{literal} : {}", kind.keyword());
    }
}

#[test]
fn what_is_no_literal_is_refused() {
    for text in ["inf", "nan", "-inf", "", ".", "1.0e", "0x10", "1.0 ", "1_0.0"] {
        assert_eq!(decimal(FloatKind::F32, text), None, "{text}");
    }
    for text in ["0x", "1", "0x+1", "0xG", "0x1FFFFFFFF", "-0x1"] {
        assert_eq!(parse_hex(FloatKind::F32, text), None, "{text}");
    }
    assert_eq!(parse_hex(FloatKind::F4E2M1FN, "0x1F"), None);
    assert_eq!(parse_hex(FloatKind::F4E2M1FN, "0x000F"), Some(0xF));
    assert_eq!(parse_hex(FloatKind::F32, "0x0"), Some(0));
}

/// What upstream prints, by an independent port of its number class.
fn reference<F: Float>(bits: u128) -> String {
    let number = F::from_bits(bits);
    if number.is_finite() {
        let short = format!("{number:#0$.6}", 0);
        if F::from_str_r(&short, rustc_apfloat::Round::NearestTiesToEven).is_ok_and(|n| n.value.bitwise_eq(number)) {
            return short;
        }
        let full = number.to_string();
        if full.contains('.') {
            return full;
        }
    }
    format!("0x{:X}", number.to_bits())
}

fn check_against_reference<F: Float>(kind: FloatKind, bits: u128) {
    assert_eq!(text(kind, bits), reference::<F>(bits), "{bits:#x} : {}", kind.keyword());
}

/// All bit patterns of the formats of 16 bits and less that the reference has.
#[test]
fn small_formats_print_as_the_reference() {
    for bits in 0..1 << 8 {
        check_against_reference::<Float8E5M2>(FloatKind::F8E5M2, bits);
        check_against_reference::<Float8E4M3FN>(FloatKind::F8E4M3FN, bits);
    }
    for bits in 0..1 << 16 {
        check_against_reference::<Half>(FloatKind::F16, bits);
        check_against_reference::<BFloat>(FloatKind::BF16, bits);
    }
}

/// Powers of two and of ten, and their neighbours, are where the cases differ.
#[test]
fn edges_print_as_the_reference() {
    let powers_of_two = (0..255u32).map(|field| field << 23);
    let powers_of_ten = (-45..39).map(|e| format!("1e{e}").parse::<f32>().unwrap().to_bits());
    for bits in powers_of_two.chain(powers_of_ten).flat_map(|b| b.saturating_sub(3)..b + 3) {
        check_against_reference::<Single>(FloatKind::F32, bits.into());
    }
    let powers_of_two = (0..2047u64).step_by(5).map(|field| field << 52);
    let powers_of_ten = (-324..309).step_by(3).map(|e| format!("1e{e}").parse::<f64>().unwrap().to_bits());
    for bits in powers_of_two.chain(powers_of_ten).flat_map(|b| b.saturating_sub(2)..b + 2) {
        check_against_reference::<Double>(FloatKind::F64, bits.into());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5000))]

    #[test]
    fn any_f32_prints_as_the_reference(bits: u32) {
        check_against_reference::<Single>(FloatKind::F32, bits.into());
    }

    #[test]
    fn any_f64_prints_as_the_reference(bits: u64) {
        check_against_reference::<Double>(FloatKind::F64, bits.into());
    }

    /// Short decimals are what people write.
    #[test]
    fn short_decimals_print_as_the_reference(digits in 0u32..10_000_000, exponent in -12i32..12) {
        let value: f64 = format!("{digits}e{exponent}").parse().unwrap();
        check_against_reference::<Double>(FloatKind::F64, value.to_bits().into());
        check_against_reference::<Single>(FloatKind::F32, (value as f32).to_bits().into());
    }

    /// Numbers of the wide formats that are an `f64`.
    #[test]
    fn wide_formats_print_as_the_reference(value: f64) {
        let bits = |kind| crate::number::float::from_f64(kind, value).0;
        check_against_reference::<X87DoubleExtended>(FloatKind::F80, bits(FloatKind::F80));
        check_against_reference::<Quad>(FloatKind::F128, bits(FloatKind::F128));
    }

    /// The fast digits are those of exact arithmetic, with any number of digits.
    #[test]
    fn fast_digits_are_exact(value in any::<f64>().prop_filter("not zero", |v| *v != 0.0), count in 1u32..=17) {
        let Value::Finite { significand, exponent, .. } = decode(FloatKind::F64, value.to_bits().into()) else {
            unreachable!("the strategy makes finite numbers")
        };
        if let Some(leading) = Leading::new(significand as u64, exponent) {
            let trim = |mut d: Decimal| {
                while d.digits.is_multiple_of(10) {
                    d = Decimal { digits: d.digits / 10, exponent: d.exponent + 1 };
                }
                d
            };
            let exact = leading_digits_exact(significand, exponent, count);
            prop_assert_eq!(trim(leading.shorten(count)), trim(exact));
        }
    }

    /// The nearest number to a decimal, against the standard library.
    #[test]
    fn nearest_is_correctly_rounded(digits in 1u64.., exponent in -345i32..310) {
        let text = format!("{digits}e{exponent}");
        let decimal = Decimal { digits: digits.into(), exponent };
        prop_assert_eq!(nearest(FloatKind::F64, decimal), text.parse::<f64>().unwrap().to_bits().into());
        prop_assert_eq!(nearest(FloatKind::F32, decimal), text.parse::<f32>().unwrap().to_bits().into());
    }
}

/// Every bit pattern of every format of at most 19 bits, and a sample of the others: what is printed reads back.
#[test]
fn printed_numbers_read_back() {
    for kind in FloatKind::ALL {
        let all = kind.width() <= 19;
        let step = if all { 1 } else { (1 << kind.width().min(127)) / 99_991 };
        for i in 0..if all { 1 << kind.width() } else { 99_991u128 } {
            let bits = i * step;
            let printed = text(kind, bits);
            let read = decimal(kind, &printed).or_else(|| parse_hex(kind, &printed)).expect(&printed);
            let unnormal = Format::of(kind).stores_integer_bit && matches!(decode(kind, bits), Value::Nan { .. });
            assert!(read == bits || unnormal, "{bits:#x} : {} reads back as {read:#x}", kind.keyword());
        }
        assert!(kind.width() > 8 || Format::of(kind).specials != Specials::Ieee || text(kind, 0) == "0.000000e+00");
    }
}
