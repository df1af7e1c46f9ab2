//! Decimal literals of few digits, which nearly all are.

/// The powers of ten that are exact.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Bytes of the longest literal that is tried: so many digits fit a word.
const LONGEST: usize = 18;

/// The value of a literal as `1.5e+3` whose digits and power of ten are exact: one multiplication or division then rounds as it should. `None`
/// for what needs more, or is no literal.
///
/// The fast path of W. D. Clinger, "How to Read Floating Point Numbers Accurately", PLDI 1990.
pub(super) fn parse(text: &[u8]) -> Option<f64> {
    if text.len() > LONGEST {
        return None;
    }
    let (whole, number, mut rest) = digits(text, 0);
    let (mut fraction, mut number) = (0, number);
    if let [b'.', after @ ..] = rest {
        (fraction, number, rest) = digits(after, number);
    }
    let exponent = match rest {
        [] => 0,
        [b'e' | b'E', exponent @ ..] => signed(exponent)?,
        _ => return None,
    };
    if whole == 0 || number >= 1 << f64::MANTISSA_DIGITS {
        return None;
    }
    let scale = exponent - fraction;
    let power = POWERS.get(usize::try_from(scale.unsigned_abs()).ok()?)?;
    let number = number as f64;
    Some(if scale < 0 { number / power } else { number * power })
}

/// How many digits `text` begins with, the number that they continue, and what follows.
fn digits(text: &[u8], mut number: u64) -> (i64, u64, &[u8]) {
    let mut len = 0;
    while let Some(&digit @ b'0'..=b'9') = text.get(len) {
        number = number * 10 + u64::from(digit - b'0');
        len += 1;
    }
    (len as i64, number, &text[len..])
}

/// The number that `text` is.
fn signed(text: &[u8]) -> Option<i64> {
    let (sign, text) = match text {
        [b'-', text @ ..] => (-1, text),
        [b'+', text @ ..] => (1, text),
        _ => (1, text),
    };
    let (len, number, rest) = digits(text, 0);
    (len > 0 && rest.is_empty()).then_some(sign * number as i64)
}

#[cfg(test)]
mod tests {
    use super::parse;

    /// The standard library rounds every literal as it should.
    #[test]
    fn what_is_read_is_nearest() {
        let mut read = 0;
        let mut number = 1_u64;
        for i in 0..20_000 {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let digits = (number >> 11).checked_shr(i % 60).unwrap_or_default().to_string();
            let (whole, fraction) = digits.split_at(1 + (number >> 7) as usize % digits.len());
            for exponent in ["", "e0", "E5", "e-5", "e+12", "e-22", "e22", "e30"] {
                let text = format!("{whole}.{fraction}{exponent}");
                if let Some(value) = parse(text.as_bytes()) {
                    assert_eq!(value.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
                    read += 1;
                }
            }
        }
        assert!(read > 80_000, "{read}");
    }

    #[test]
    fn what_is_no_literal_is_left() {
        for text in [
            "", ".", "e1", "1e", "1e+", "1.e-", "1.0e1.0", "1.0.0", "-1.0", "+1.0", "1.0f", "0x1", "1 ", "inf",
            "1.0e--1",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn what_is_not_exact_is_left() {
        for text in ["9007199254740993.0", "1.0e24", "1.0e-22", "0.1e-22", "123456789012345678.0", "1.0e999999999999"] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
        assert_eq!(parse(b"9007199254740991.0"), None); // a digit more, with that after the point
        assert_eq!(parse(b"900719925474099.1"), Some(900_719_925_474_099.1));
    }
}
