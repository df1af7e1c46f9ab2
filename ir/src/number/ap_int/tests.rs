use num_bigint::{BigInt, BigUint};
use proptest::prelude::*;

use super::{ApInt, LiteralError};
use crate::types::Signedness::{self, Signed, Signless, Unsigned};

fn text(number: &ApInt) -> String {
    let mut out = String::new();
    number.write_signed(&mut out);
    out
}

fn parse(literal: &str, width: u32, signedness: Signedness) -> Result<String, LiteralError> {
    let digits = literal.strip_prefix('-');
    ApInt::parse_literal(digits.unwrap_or(literal), digits.is_some(), width, signedness).map(|v| text(&v))
}

/// What `mlir-opt` 22 accepts, and prints for signless types.
#[test]
fn literals_fit_as_in_mlir() {
    let accepted = [
        ("255", 8, Signless, "-1"),
        ("128", 8, Signless, "-128"),
        ("-128", 8, Signless, "-128"),
        ("0xFF", 8, Signless, "-1"),
        ("-0x80", 8, Signless, "-128"),
        ("00012", 8, Signless, "12"),
        ("0x0000000000000000000012", 8, Signless, "18"),
        ("1", 1, Signless, "-1"),
        ("-1", 1, Signless, "-1"),
        ("0", 0, Signless, "0"),
        ("0xffFF", 16, Signless, "-1"),
        ("18446744073709551615", 64, Signless, "-1"),
        ("-9223372036854775808", 64, Signless, "-9223372036854775808"),
        ("340282366920938463463374607431768211455", 128, Signless, "-1"),
        ("-170141183460469231731687303715884105728", 128, Signless, "-170141183460469231731687303715884105728"),
        ("127", 8, Signed, "127"),
        ("-128", 8, Signed, "-128"),
        ("-0x80", 8, Signed, "-128"),
        ("-1", 1, Signed, "-1"),
        ("9223372036854775807", 64, Signed, "9223372036854775807"),
        ("255", 8, Unsigned, "-1"),
        ("1", 1, Unsigned, "-1"),
    ];
    for (literal, width, signedness, expected) in accepted {
        assert_eq!(parse(literal, width, signedness).as_deref(), Ok(expected), "{literal} : {signedness:?} {width}");
    }
    let out_of_range = [
        ("256", 8, Signless),
        ("-129", 8, Signless),
        ("-255", 8, Signless),
        ("-0xFF", 8, Signless),
        ("0x1FF", 8, Signless),
        ("-0", 8, Signless),
        ("2", 1, Signless),
        ("-2", 1, Signless),
        ("1", 0, Signless),
        ("-0", 0, Signless),
        ("-9223372036854775809", 64, Signless),
        ("340282366920938463463374607431768211456", 128, Signless),
        ("-170141183460469231731687303715884105729", 128, Signless),
        ("128", 8, Signed),
        ("0x80", 8, Signed),
        ("0xFF", 8, Signed),
        ("1", 1, Signed),
        ("18446744073709551615", 64, Signed),
        ("18446744073709551616", 64, Signed),
        ("256", 8, Unsigned),
    ];
    for (literal, width, signedness) in out_of_range {
        assert_eq!(parse(literal, width, signedness), Err(LiteralError::OutOfRange), "{literal} : {width}");
    }
    assert_eq!(parse("-1", 8, Unsigned), Err(LiteralError::NegativeUnsigned));
    for malformed in ["", "0x", "+1", "1_0", "a", "0xg", "1.0"] {
        assert_eq!(parse(malformed, 8, Signless), Err(LiteralError::Malformed), "{malformed}");
    }
    assert_eq!(parse(&"9".repeat(100_000), 128, Signless), Err(LiteralError::OutOfRange));
}

#[test]
fn equal_numbers_are_equal_whatever_their_origin() {
    for width in [1, 7, 64, 65, 128, 200] {
        let minus_one = ApInt::from_i64(width, -1);
        assert_eq!(ApInt::from_i128(width, -1), minus_one);
        assert_eq!(ApInt::from_bigint(width, BigInt::from(-1)), minus_one);
        assert_eq!(ApInt::zero(width).wrapping_sub(&ApInt::one(width)), minus_one);
        assert_eq!(ApInt::from_le_bytes(width, &[0xFF; 32]), minus_one);
        assert_eq!(ApInt::from_i64(3, -1).sext_or_trunc(width), minus_one);
        assert!(minus_one.is_all_ones() && minus_one.is_negative());
    }
    assert_ne!(ApInt::zero(8), ApInt::zero(9));
}

#[test]
fn edges_of_every_width() {
    for width in [1, 2, 8, 63, 64, 65, 127, 128, 129, 1000] {
        let (min, max, one) = (ApInt::min_signed(width), ApInt::max_signed(width), ApInt::one(width));
        assert!(min.is_min_signed() && max.is_max_signed() && min.is_negative() && !max.is_negative());
        assert_eq!(max.sadd_overflow(&one), if width == 1 { (one.clone(), false) } else { (min.clone(), true) });
        assert_eq!(min.sdiv(&ApInt::all_ones(width)), None);
        assert_eq!(min.srem(&ApInt::all_ones(width)), Some(ApInt::zero(width)));
        assert_eq!(min.sdiv(&ApInt::zero(width)), None);
        assert_eq!(one.udiv(&ApInt::zero(width)), None);
        assert_eq!(one.urem(&ApInt::zero(width)), None);
        assert_eq!(one.shl(width.into()), None);
        assert_eq!(one.shl(u64::from(width) - 1), Some(min.clone()));
        assert_eq!(min.ashr(u64::from(width) - 1), Some(ApInt::all_ones(width)));
        assert_eq!((min.trailing_zeros(), min.leading_zeros(), min.count_ones()), (width - 1, 0, 1));
        assert_eq!(ApInt::zero(width).leading_zeros(), width);
        assert_eq!(ApInt::zero(width).trailing_zeros(), width);
    }
    assert_eq!(ApInt::zero(0).to_i64(), Some(0));
    assert!(!ApInt::zero(0).is_negative());
}

/// The value of a mathematical integer in `width` bits, signed, and whether it fits.
fn wrap(width: u32, exact: &BigInt) -> (BigInt, bool) {
    let modulus = BigInt::from(1) << width;
    let mut low = exact % &modulus;
    if low < BigInt::ZERO {
        low += &modulus;
    }
    if low >= BigInt::from(1) << (width - 1) {
        low -= &modulus;
    }
    (low.clone(), low == *exact)
}

fn operands() -> impl Strategy<Value = (u32, Vec<u8>, Vec<u8>, u64)> {
    let bytes = || {
        prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..20),
            (any::<i8>(), any::<bool>()).prop_map(|(v, high)| if high {
                vec![0, v as u8]
            } else {
                i128::from(v).to_le_bytes().to_vec()
            }),
        ]
    };
    (prop_oneof![1u32..10, 60u32..70, 120u32..140], bytes(), bytes(), 0u64..140)
}

proptest! {
    /// Every operation against the mathematical integers.
    #[test]
    fn operations_agree_with_integers((width, a, b, shift) in operands()) {
        let (a, b) = (ApInt::from_le_bytes(width, &a), ApInt::from_le_bytes(width, &b));
        let (sa, sb) = (a.to_bigint_signed(), b.to_bigint_signed());
        let (ua, ub) = (a.to_biguint(), b.to_biguint());
        let fits_unsigned = |v: &BigInt| *v >= BigInt::ZERO && *v < BigInt::from(1) << width;

        for (got, exact) in [
            (a.sadd_overflow(&b), &sa + &sb),
            (a.ssub_overflow(&b), &sa - &sb),
            (a.smul_overflow(&b), &sa * &sb),
        ] {
            let (value, fits) = wrap(width, &exact);
            prop_assert_eq!((got.0.to_bigint_signed(), got.1), (value, !fits));
        }
        let (ia, ib) = (BigInt::from(ua.clone()), BigInt::from(ub.clone()));
        for (got, exact) in [
            (a.uadd_overflow(&b), &ia + &ib),
            (a.usub_overflow(&b), &ia - &ib),
            (a.umul_overflow(&b), &ia * &ib),
        ] {
            prop_assert_eq!((got.0.to_bigint_signed(), got.1), (wrap(width, &exact).0, !fits_unsigned(&exact)));
        }
        prop_assert_eq!(a.neg().to_bigint_signed(), wrap(width, &-&sa).0);
        prop_assert_eq!(a.scmp(&b), sa.cmp(&sb));
        prop_assert_eq!(a.ucmp(&b), ua.cmp(&ub));
        prop_assert_eq!(a.and(&b).to_biguint(), &ua & &ub);
        prop_assert_eq!(a.or(&b).to_biguint(), &ua | &ub);
        prop_assert_eq!(a.xor(&b).to_biguint(), &ua ^ &ub);
        prop_assert_eq!(a.not().to_bigint_signed(), -&sa - 1);

        if !b.is_zero() {
            prop_assert_eq!(a.udiv(&b).unwrap().to_biguint(), &ua / &ub);
            prop_assert_eq!(a.urem(&b).unwrap().to_biguint(), &ua % &ub);
            prop_assert_eq!(a.ceildiv_unsigned(&b).unwrap().to_biguint(), (&ua + &ub - 1u8) / &ub);
            prop_assert_eq!(a.srem(&b).unwrap().to_bigint_signed(), &sa % &sb);
            let truncated = &sa / &sb;
            let exact = &truncated * &sb == sa;
            let negative = (sa < BigInt::ZERO) != (sb < BigInt::ZERO);
            let floor = if !exact && negative { &truncated - 1 } else { truncated.clone() };
            let ceil = if !exact && !negative { &truncated + 1 } else { truncated.clone() };
            for (got, exact) in [(a.sdiv(&b), truncated), (a.floordiv_signed(&b), floor), (a.ceildiv_signed(&b), ceil)] {
                let (value, fits) = wrap(width, &exact);
                prop_assert_eq!(got.map(|v| v.to_bigint_signed()), fits.then_some(value));
            }
        }

        if shift < u64::from(width) {
            prop_assert_eq!(a.shl(shift).unwrap().to_bigint_signed(), wrap(width, &(&sa << shift)).0);
            prop_assert_eq!(a.lshr(shift).unwrap().to_biguint(), &ua >> shift);
            prop_assert_eq!(a.ashr(shift).unwrap().to_bigint_signed(), &sa >> shift);
        } else {
            prop_assert_eq!((a.shl(shift), a.lshr(shift), a.ashr(shift)), (None, None, None));
        }
        let other = shift as u32 + 1;
        prop_assert_eq!(a.sext_or_trunc(other).to_bigint_signed(), wrap(other, &sa).0);
        prop_assert_eq!(a.zext_or_trunc(other).to_bigint_signed(), wrap(other, &ia).0);
        prop_assert_eq!(u64::from(a.count_ones()), ua.count_ones());
        prop_assert_eq!(u64::from(a.width() - a.leading_zeros()), ua.bits());
    }

    /// Bytes and text give the number back.
    #[test]
    fn bytes_and_text_round_trip((width, a, _, _) in operands()) {
        let a = ApInt::from_le_bytes(width, &a);
        let mut bytes = vec![7];
        a.write_le_bytes(&mut bytes);
        prop_assert_eq!(bytes.len(), 1 + ApInt::byte_len(width));
        prop_assert_eq!(&ApInt::from_le_bytes(width, &bytes[1..]), &a);

        let mut unsigned = String::new();
        a.write_unsigned(&mut unsigned);
        prop_assert_eq!(&unsigned, &a.to_biguint().to_string());
        prop_assert_eq!(ApInt::parse_literal(&unsigned, false, width, Unsigned), Ok(a.clone()));
        let mut hex = String::new();
        a.write_hex(&mut hex);
        prop_assert_eq!(ApInt::parse_literal(&hex, false, width, Signless), Ok(a.clone()));
        let signed = text(&a);
        prop_assert_eq!(&signed, &a.to_bigint_signed().to_string());
        if signed != "0" {
            let digits = signed.trim_start_matches('-');
            let parsed = ApInt::parse_literal(digits, signed.len() != digits.len(), width, Signed);
            prop_assert_eq!(parsed, Ok(a.clone()));
        }
        prop_assert_eq!(a.to_u64(), u64::try_from(&a.to_biguint()).ok());
        prop_assert_eq!(a.to_i64(), i64::try_from(&a.to_bigint_signed()).ok());
        prop_assert_eq!(a.to_i128(), i128::try_from(&a.to_bigint_signed()).ok());
        prop_assert_eq!(BigUint::from(a.to_u128().unwrap_or(0)) == a.to_biguint(), a.to_u128().is_some());
    }
}
