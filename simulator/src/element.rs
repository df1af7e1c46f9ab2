//! Element types: sizes, names, and exact conversions to and from `f32`.

use std::fmt;
use std::str::FromStr;

use half::{bf16, f16};

/// The type of the numbers that an instruction works on. Stored little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ElementType {
    /// Signed, 8 bits.
    I8,
    /// Unsigned, 8 bits.
    U8,
    /// Signed, 32 bits.
    I32,
    /// OCP 8-bit float: 4 bits of exponent, 3 of mantissa, no infinity.
    F8E4M3FN,
    /// OCP 8-bit float: 5 bits of exponent, 2 of mantissa.
    F8E5M2,
    /// IEEE half precision.
    F16,
    /// The upper half of an IEEE single.
    BF16,
    /// IEEE single precision.
    F32,
}

impl ElementType {
    /// All types, in the order of their codes in a program.
    pub const ALL: [Self; 8] =
        [Self::I8, Self::U8, Self::I32, Self::F8E4M3FN, Self::F8E5M2, Self::F16, Self::BF16, Self::F32];

    /// Bytes of an element.
    pub const fn size(self) -> u64 {
        match self {
            Self::I8 | Self::U8 | Self::F8E4M3FN | Self::F8E5M2 => 1,
            Self::F16 | Self::BF16 => 2,
            Self::I32 | Self::F32 => 4,
        }
    }

    /// Whether it is a floating-point type.
    pub const fn is_float(self) -> bool {
        !matches!(self, Self::I8 | Self::U8 | Self::I32)
    }

    /// The name in descriptions and programs, as in MLIR.
    pub const fn name(self) -> &'static str {
        match self {
            Self::I8 => "i8",
            Self::U8 => "ui8",
            Self::I32 => "i32",
            Self::F8E4M3FN => "f8E4M3FN",
            Self::F8E5M2 => "f8E5M2",
            Self::F16 => "f16",
            Self::BF16 => "bf16",
            Self::F32 => "f32",
        }
    }

    /// The least and the greatest value of an integer type.
    pub const fn integer_range(self) -> (i64, i64) {
        match self {
            Self::I8 => (-128, 127),
            Self::U8 => (0, 255),
            _ => (i32::MIN as i64, i32::MAX as i64),
        }
    }

    /// An integer in the first bytes of `bytes`.
    pub(crate) fn read_integer(self, bytes: &[u8]) -> i32 {
        match self {
            Self::I8 => i32::from(bytes[0].cast_signed()),
            Self::U8 => i32::from(bytes[0]),
            _ => i32::from_le_bytes(array(bytes)),
        }
    }

    /// Writes the integer `value`, which is in range, to the first bytes of `bytes`.
    pub(crate) fn write_integer(self, value: i32, bytes: &mut [u8]) {
        let size = self.size() as usize;
        bytes[..size].copy_from_slice(&value.to_le_bytes()[..size]);
    }

    /// A number in the first bytes of `bytes`. Exact for all types but `i32`, which rounds to nearest even.
    pub(crate) fn read_f32(self, bytes: &[u8]) -> f32 {
        match self {
            Self::I8 | Self::U8 | Self::I32 => self.read_integer(bytes) as f32,
            Self::F8E4M3FN => decode_f8e4m3fn(bytes[0]),
            Self::F8E5M2 => f16::from_bits(u16::from(bytes[0]) << 8).to_f32(),
            Self::F16 => f16::from_le_bytes(array(bytes)).to_f32(),
            Self::BF16 => bf16::from_le_bytes(array(bytes)).to_f32(),
            Self::F32 => f32::from_le_bytes(array(bytes)),
        }
    }

    /// Writes `value`, rounded to nearest even; integers saturate, and NaN becomes zero there.
    pub(crate) fn write_f32(self, value: f32, bytes: &mut [u8]) {
        match self {
            Self::I8 | Self::U8 | Self::I32 => {
                let (least, greatest) = self.integer_range();
                // A float to integer conversion saturates, and NaN becomes zero.
                let rounded = f64::from(value).round_ties_even() as i64;
                self.write_integer(rounded.clamp(least, greatest) as i32, bytes);
            }
            Self::F8E4M3FN => bytes[0] = encode_f8(value, 3, 7, 0x7e, 0x7f),
            Self::F8E5M2 => {
                let above = if value.is_nan() { 0x7e } else { 0x7c };
                bytes[0] = encode_f8(value, 2, 15, 0x7b, above);
            }
            Self::F16 => bytes[..2].copy_from_slice(&f16::from_f32(value).to_le_bytes()),
            Self::BF16 => bytes[..2].copy_from_slice(&bf16::from_f32(value).to_le_bytes()),
            Self::F32 => bytes[..4].copy_from_slice(&value.to_le_bytes()),
        }
    }
}

/// The first bytes, as many as an element has.
fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[..N]);
    array
}

fn decode_f8e4m3fn(bits: u8) -> f32 {
    let (exponent, mantissa) = (i32::from(bits >> 3 & 15), f32::from(bits & 7));
    let magnitude = match (exponent, bits & 7) {
        (15, 7) => f32::NAN,
        (0, _) => mantissa * 2.0_f32.powi(-9),
        _ => (8.0 + mantissa) * 2.0_f32.powi(exponent - 10),
    };
    if bits & 0x80 == 0 { magnitude } else { -magnitude }
}

/// The 8-bit float nearest to `value`, ties to even. `largest` are the bits of the greatest finite magnitude, `above` stand for what rounds
/// to more than that, and for NaN.
fn encode_f8(value: f32, mantissa_bits: i32, bias: i32, largest: u8, above: u8) -> u8 {
    let sign = if value.is_sign_negative() { 0x80 } else { 0 };
    let magnitude = f64::from(value.abs());
    if !magnitude.is_finite() {
        return sign | above;
    }
    // Bits of a double: exact, and every finite f32 is normal there.
    let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(1 - bias);
    // In units of the last place. The implicit one of a normal number carries into the exponent.
    let units = (magnitude * 2.0_f64.powi(mantissa_bits - exponent)).round_ties_even() as i64;
    let bits = (i64::from(exponent + bias - 1) << mantissa_bits) + units;
    if bits > i64::from(largest) { sign | above } else { sign | bits as u8 }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ElementType {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|element| element.name() == text).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every 8-bit float that is a number survives a trip through f32.
    #[test]
    fn small_floats_round_trip() {
        for element in [ElementType::F8E4M3FN, ElementType::F8E5M2] {
            for bits in 0..=255_u8 {
                let value = element.read_f32(&[bits]);
                let mut again = [0];
                element.write_f32(value, &mut again);
                assert!(value.is_nan() || again[0] == bits, "{element} {bits:#x}: {value} is {again:x?}");
            }
        }
    }

    /// Values from the OCP specification of 8-bit floats.
    #[test]
    fn small_floats_round_to_nearest_even() {
        let encoded = |element: ElementType, value: f32| {
            let mut bytes = [0];
            element.write_f32(value, &mut bytes);
            bytes[0]
        };
        let e4m3 = |value| encoded(ElementType::F8E4M3FN, value);
        assert_eq!([e4m3(448.0), e4m3(1.0), e4m3(2.0_f32.powi(-9)), e4m3(-0.0)], [0x7e, 0x38, 0x01, 0x80]);
        // Halfway between 448 and 480, which is not a number: to even, which is 448; a little above is too large.
        assert_eq!([e4m3(464.0), e4m3(465.0), e4m3(f32::INFINITY)], [0x7e, 0x7f, 0x7f]);
        // Halfway between 1 and 1.125, and between 1.125 and 1.25.
        assert_eq!([e4m3(1.0625), e4m3(1.1875)], [0x38, 0x3a]);
        let e5m2 = |value| encoded(ElementType::F8E5M2, value);
        assert_eq!([e5m2(57344.0), e5m2(61440.0), e5m2(2.0_f32.powi(-17)), e5m2(1.0)], [0x7b, 0x7c, 0x00, 0x3c]);
    }

    #[test]
    fn integers_saturate() {
        let mut bytes = [0; 4];
        let mut written = |element: ElementType, value| {
            element.write_f32(value, &mut bytes);
            element.read_integer(&bytes)
        };
        assert_eq!(written(ElementType::I8, 300.0), 127);
        assert_eq!(written(ElementType::I8, 2.5), 2);
        assert_eq!(written(ElementType::I8, -3.5), -4);
        assert_eq!(written(ElementType::U8, -1.0), 0);
        assert_eq!(written(ElementType::I32, 4e9), i32::MAX);
        assert_eq!(written(ElementType::I32, f32::NAN), 0);
    }
}
