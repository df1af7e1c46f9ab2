//! One element as text, in a column whose width fits all that are shown.

use half::{bf16, f16};

use crate::{DType, f8};

/// Digits after the point at most.
const PRECISION: usize = 8;

/// The common form of the elements shown.
#[derive(Default)]
pub(super) struct Column {
    style: Style,
    /// Characters of every element.
    width: usize,
}

/// How floating-point elements are written; integers and `bool` have one form only.
#[derive(Clone, Copy, Default)]
enum Style {
    /// `1.25`, padded on the right so that the points align under one another.
    Fixed {
        /// Characters kept for the digits after the point.
        fraction: usize,
    },
    /// `1.250e+00`.
    Scientific {
        /// Digits after the point.
        fraction: usize,
        /// Digits of the exponent.
        exponent: usize,
    },
    #[default]
    Integer,
}

impl Column {
    /// The column for these elements, each given by its bytes.
    pub(super) fn fit(dtype: DType, elements: &[&[u8]]) -> Self {
        let values: Vec<Float> = elements.iter().filter_map(|bytes| Float::read(dtype, bytes)).collect();
        let mut column = Self { style: Style::of(dtype, &values), width: 0 };
        let width = elements.iter().map(|bytes| column.format(dtype, bytes).len()).max();
        column.width = width.unwrap_or(0);
        column
    }

    /// One element, padded on the left to the column's width.
    pub(super) fn format(&self, dtype: DType, bytes: &[u8]) -> String {
        let text = match Float::read(dtype, bytes) {
            Some(value) => self.style.format(&value),
            None => format_integer(dtype, bytes),
        };
        format!("{text:>width$}", width = self.width)
    }
}

impl Style {
    /// Fixed point, unless the values are huge, tiny or far apart.
    fn of(dtype: DType, values: &[Float]) -> Self {
        if values.is_empty() {
            return Self::Integer;
        }
        let finite: Vec<&Float> = values.iter().filter(|value| value.value.is_finite()).collect();
        let magnitudes = || finite.iter().map(|value| value.value.abs()).filter(|&x| x != 0.0);
        let (largest, smallest) = (magnitudes().fold(0.0, f64::max), magnitudes().fold(f64::INFINITY, f64::min));
        if magnitudes().next().is_some() && (largest >= huge(dtype) || smallest < 1e-4 || largest / smallest > 1000.0) {
            let parts = || finite.iter().map(|value| value.scientific());
            let fraction = parts().map(|(mantissa, _)| fraction_digits(&mantissa)).max();
            let exponent = parts().map(|(_, e)| e.abs().to_string().len()).max();
            Self::Scientific { fraction: fraction.unwrap_or(0), exponent: exponent.unwrap_or(0).max(2) }
        } else {
            let fraction = finite.iter().map(|value| fraction_digits(&value.fixed())).max();
            Self::Fixed { fraction: fraction.unwrap_or(0) }
        }
    }

    fn format(self, value: &Float) -> String {
        let special = if value.value.is_nan() {
            Some("nan")
        } else if value.value.is_infinite() {
            Some(if value.value > 0.0 { "inf" } else { "-inf" })
        } else {
            None
        };
        if let Some(text) = special {
            return text.to_owned();
        }
        match self {
            Self::Fixed { fraction } => {
                let text = value.fixed();
                let point = usize::from(!text.contains('.'));
                let padding = fraction - fraction_digits(&text);
                format!("{text}{}{}", &"."[..point], " ".repeat(padding))
            }
            Self::Scientific { fraction, exponent } => {
                let (mantissa, e) = value.scientific();
                let point = usize::from(!mantissa.contains('.'));
                let padding = fraction - fraction_digits(&mantissa);
                let sign = if e < 0 { '-' } else { '+' };
                let (e, zeros) = (e.abs(), "0".repeat(padding));
                format!("{mantissa}{}{zeros}e{sign}{e:0exponent$}", &"."[..point])
            }
            Self::Integer => unreachable!("floats have a floating-point style"),
        }
    }
}

/// A floating-point element.
struct Float {
    value: f64,
    /// Shortest digits that read back as the same value of the element's own type: `[-]d[.ddd]e[-]d`.
    shortest: String,
}

impl Float {
    /// The element, if its type is a floating-point type.
    fn read(dtype: DType, bytes: &[u8]) -> Option<Self> {
        let (value, shortest) = match dtype {
            DType::F8E4M3FN | DType::F8E4M3FNUZ | DType::F8E5M2 | DType::F8E5M2FNUZ => {
                let value = f8::to_f32(dtype, bytes[0]);
                (f64::from(value), format!("{value:e}"))
            }
            DType::F16 => {
                let exact: f16 = bytemuck::pod_read_unaligned(bytes);
                let value = exact.to_f32();
                (f64::from(value), shortest_half(value, |x| f16::from_f32(x) == exact))
            }
            DType::BF16 => {
                let exact: bf16 = bytemuck::pod_read_unaligned(bytes);
                let value = exact.to_f32();
                (f64::from(value), shortest_half(value, |x| bf16::from_f32(x) == exact))
            }
            DType::F32 => {
                let value: f32 = bytemuck::pod_read_unaligned(bytes);
                (f64::from(value), format!("{value:e}"))
            }
            DType::F64 => {
                let value: f64 = bytemuck::pod_read_unaligned(bytes);
                (value, format!("{value:e}"))
            }
            _ => return None,
        };
        Some(Self { value, shortest })
    }

    /// Mantissa and exponent, rounded to [`PRECISION`] digits after the point. The value is finite.
    fn scientific(&self) -> (String, i32) {
        let rounded;
        let mut text = self.shortest.as_str();
        if fraction_digits(text.split('e').next().unwrap_or(text)) > PRECISION {
            rounded = format!("{:.PRECISION$e}", self.value);
            text = &rounded;
        }
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        (trim_zeros(mantissa).to_owned(), exponent.parse().unwrap_or(0))
    }

    /// Positional digits, rounded to [`PRECISION`] digits after the point; no point when there are none. The value is finite and its
    /// magnitude is below 1e8 where this is called, so the text is short.
    fn fixed(&self) -> String {
        let (mantissa, exponent) = self.shortest.split_once('e').unwrap_or((&self.shortest, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        let (sign, digits) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
        let digits = digits.replace('.', "");
        let fraction = digits.len() as i32 - 1 - exponent;
        if fraction > PRECISION as i32 {
            return trim_zeros(&format!("{:.PRECISION$}", self.value)).to_owned();
        }
        // Place the point among the shortest digits; the binary value's own digits would go on past them.
        let point = exponent + 1;
        let text = if point <= 0 {
            format!("{sign}0.{}{digits}", "0".repeat(-point as usize))
        } else if point as usize >= digits.len() {
            format!("{sign}{digits}{}", "0".repeat(point as usize - digits.len()))
        } else {
            format!("{sign}{}.{}", &digits[..point as usize], &digits[point as usize..])
        };
        trim_zeros(&text).to_owned()
    }
}

/// Shortest decimal that `same` still takes for the value. `f16` needs at most five digits, `bf16` four.
fn shortest_half(value: f32, same: impl Fn(f32) -> bool) -> String {
    (0..5)
        .map(|precision| format!("{value:.precision$e}"))
        .find(|text| text.parse().is_ok_and(&same))
        .unwrap_or_else(|| format!("{value:e}"))
}

/// Where a value has more digits before the point than its type can tell apart, [`PRECISION`] at most.
fn huge(dtype: DType) -> f64 {
    match dtype {
        DType::F8E4M3FN | DType::F8E4M3FNUZ | DType::F8E5M2 | DType::F8E5M2FNUZ | DType::BF16 => 1e2,
        DType::F16 => 1e3,
        DType::F32 => 1e6,
        _ => 1e8,
    }
}

/// Digits after the point.
fn fraction_digits(text: &str) -> usize {
    text.split_once('.').map_or(0, |(_, fraction)| fraction.len())
}

/// Without the zeros that end the fraction, and without the point if it ends so.
fn trim_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

fn format_integer(dtype: DType, bytes: &[u8]) -> String {
    fn read<T: bytemuck::AnyBitPattern + ToString>(bytes: &[u8]) -> String {
        bytemuck::pod_read_unaligned::<T>(bytes).to_string()
    }
    match dtype {
        DType::Bool => if bytes == [0] { "False" } else { "True" }.to_owned(),
        DType::I8 => read::<i8>(bytes),
        DType::I16 => read::<i16>(bytes),
        DType::I32 => read::<i32>(bytes),
        DType::I64 => read::<i64>(bytes),
        DType::U8 => read::<u8>(bytes),
        DType::U16 => read::<u16>(bytes),
        DType::U32 => read::<u32>(bytes),
        DType::U64 => read::<u64>(bytes),
        DType::F8E4M3FN
        | DType::F8E4M3FNUZ
        | DType::F8E5M2
        | DType::F8E5M2FNUZ
        | DType::F16
        | DType::BF16
        | DType::F32
        | DType::F64 => {
            unreachable!("read as a floating-point element")
        }
    }
}
