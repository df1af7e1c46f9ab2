//! Floats of 8 bits as numbers.

use crate::DType;

/// The value of an element of a floating-point type of one byte, which is exact.
pub(crate) fn to_f32(dtype: DType, bits: u8) -> f32 {
    let (fraction_bits, bias) = match dtype {
        DType::F8E4M3FN => (3, 7),
        DType::F8E4M3FNUZ => (3, 8),
        DType::F8E5M2 => (2, 15),
        _ => (2, 16),
    };
    let code = bits & 0x7f;
    let is_nan = match dtype {
        DType::F8E4M3FN => code == 0x7f,
        DType::F8E5M2 => code > 0x7c,
        _ => bits == 0x80,
    };
    if is_nan {
        return f32::NAN;
    }
    let (exponent, fraction) = (i32::from(code >> fraction_bits), f32::from(code & ((1 << fraction_bits) - 1)));
    let unit = |exponent: i32| 2_f32.powi(exponent - bias - fraction_bits);
    let magnitude = match exponent {
        _ if dtype == DType::F8E5M2 && code == 0x7c => f32::INFINITY,
        0 => fraction * unit(1),
        _ => (fraction + 2_f32.powi(fraction_bits)) * unit(exponent),
    };
    if bits >= 0x80 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The ends of the ranges, by the tables of the specifications of the formats.
    #[test]
    fn ends_of_the_ranges() {
        let cases = [
            (DType::F8E4M3FN, [(0x01, 2_f32.powi(-9)), (0x08, 2_f32.powi(-6)), (0x7e, 448.0), (0xc1, -2.25)]),
            (DType::F8E4M3FNUZ, [(0x01, 2_f32.powi(-10)), (0x08, 2_f32.powi(-7)), (0x7f, 240.0), (0xc1, -1.125)]),
            (DType::F8E5M2, [(0x01, 2_f32.powi(-16)), (0x7b, 57344.0), (0x7c, f32::INFINITY), (0xc1, -2.5)]),
            (DType::F8E5M2FNUZ, [(0x01, 2_f32.powi(-17)), (0x04, 2_f32.powi(-15)), (0x7f, 57344.0), (0xc1, -1.25)]),
        ];
        for (dtype, values) in cases {
            for (bits, value) in values {
                assert_eq!(to_f32(dtype, bits).to_bits(), value.to_bits(), "{dtype} {bits:#x}");
            }
        }
        let nan = |dtype| (0..=255).filter(|&bits| to_f32(dtype, bits).is_nan()).collect::<Vec<u8>>();
        assert_eq!(nan(DType::F8E4M3FN), [0x7f, 0xff]);
        assert_eq!(nan(DType::F8E4M3FNUZ), [0x80]);
        assert_eq!(nan(DType::F8E5M2), [0x7d, 0x7e, 0x7f, 0xfd, 0xfe, 0xff]);
        assert_eq!(nan(DType::F8E5M2FNUZ), [0x80]);
    }
}
