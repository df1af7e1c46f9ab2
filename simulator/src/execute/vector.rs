//! What the vector unit computes.

use std::f32::consts::FRAC_1_SQRT_2;

use super::Cx;
use super::gather::{gather_tile, scatter_tile};
use crate::ElementType;
use crate::program::{BinaryOp, Pool, PoolOp, ReduceOp, Requantize, Scale, UnaryOp, Vector, VectorOp};

pub(super) fn run(cx: &mut Cx<'_>, vector: &Vector) -> Result<(), String> {
    let [from, to] = vector.op.types();
    let first = gather_tile(cx, vector.first, vector.first_shape(), from.size())?;
    let second = match (vector.second, vector.second_shape()) {
        (Some(tile), Some((element, shape))) => gather_tile(cx, tile, shape, element.size())?,
        _ => Vec::new(),
    };
    let shape = vector.destination_shape();
    let mut out = vec![0; (shape[0] * shape[1] * to.size()) as usize];
    let columns = vector.columns as usize;
    match vector.op {
        VectorOp::Binary(op, element) => {
            let operands = elements(&first, element).zip(elements(&second, element));
            results(&mut out, to).zip(operands).for_each(|(out, (a, b))| binary(op, element, a, b, out));
        }
        VectorOp::Unary(op, ..) => {
            results(&mut out, to).zip(elements(&first, from)).for_each(|(out, a)| unary(op, from, to, a, out));
        }
        VectorOp::Reduce(op, ..) => {
            let rows = first.chunks_exact(columns * from.size() as usize);
            results(&mut out, to).zip(rows).for_each(|(out, row)| reduce(op, from, to, elements(row, from), out));
        }
        VectorOp::Requantize(requantize) => {
            for (i, (out, a)) in results(&mut out, to).zip(elements(&first, from)).enumerate() {
                to.write_integer(narrowed(&requantize, scale_of(&requantize, &second, i % columns), a), out);
            }
        }
        VectorOp::Dequantize(requantize) => {
            for (i, (out, a)) in results(&mut out, to).zip(elements(&first, from)).enumerate() {
                let Scale::Float(scale) = scale_of(&requantize, &second, i % columns) else { continue };
                let value = i64::from(from.read_integer(a)) - i64::from(requantize.zero_point);
                to.write_f32(value as f32 * scale, out);
            }
        }
        VectorOp::Pool(pool) => pool_windows(&pool, &first, columns, &mut out),
    }
    scatter_tile(cx, vector.destination, shape, to.size(), &out);
    Ok(())
}

fn elements(bytes: &[u8], element: ElementType) -> impl Iterator<Item = &[u8]> {
    bytes.chunks_exact(element.size() as usize)
}

fn results(bytes: &mut [u8], element: ElementType) -> impl Iterator<Item = &mut [u8]> {
    bytes.chunks_exact_mut(element.size() as usize)
}

fn binary(op: BinaryOp, element: ElementType, a: &[u8], b: &[u8], out: &mut [u8]) {
    if element.is_float() {
        let (a, b) = (element.read_f32(a), element.read_f32(b));
        let value = match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Max => greater(a, b),
            BinaryOp::Min => -greater(-a, -b),
            BinaryOp::Div => a / b,
        };
        return element.write_f32(value, out);
    }
    let (a, b) = (i64::from(element.read_integer(a)), i64::from(element.read_integer(b)));
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Max => a.max(b),
        BinaryOp::Min => a.min(b),
        // No program that is checked divides integers.
        BinaryOp::Div => 0,
    };
    let value = if element == ElementType::I32 { value as i32 } else { saturated(value, element) };
    element.write_integer(value, out);
}

/// The greater one; NaN if one is NaN; of zeros, the positive one.
fn greater(a: f32, b: f32) -> f32 {
    if a.is_nan() || b.is_nan() {
        f32::NAN
    } else if a > b || (a >= b && a.is_sign_positive()) {
        a
    } else {
        b
    }
}

fn saturated(value: i64, element: ElementType) -> i32 {
    let (least, greatest) = element.integer_range();
    value.clamp(least, greatest) as i32
}

fn unary(op: UnaryOp, from: ElementType, to: ElementType, a: &[u8], out: &mut [u8]) {
    if !from.is_float() && !to.is_float() {
        let a = i64::from(from.read_integer(a));
        let value = match op {
            UnaryOp::Copy => Some(a),
            UnaryOp::Relu => Some(a.max(0)),
            UnaryOp::Neg => Some(-a),
            UnaryOp::Abs => Some(a.abs()),
            _ => None,
        };
        if let Some(value) = value {
            return to.write_integer(saturated(value, to), out);
        }
    }
    let a = from.read_f32(a);
    let wide = f64::from(a);
    let value = match op {
        UnaryOp::Copy => a,
        UnaryOp::Relu => greater(a, 0.0),
        UnaryOp::Neg => -a,
        UnaryOp::Abs => a.abs(),
        UnaryOp::Exp => libm::exp(wide) as f32,
        UnaryOp::Tanh => libm::tanh(wide) as f32,
        UnaryOp::Sigmoid => 1.0 / (1.0 + libm::exp(-wide) as f32),
        UnaryOp::Gelu => a * (1.0 + libm::erf((a * FRAC_1_SQRT_2).into()) as f32) * 0.5,
        UnaryOp::Reciprocal => 1.0 / a,
        UnaryOp::Sqrt => libm::sqrt(wide) as f32,
        UnaryOp::Rsqrt => 1.0 / libm::sqrt(wide) as f32,
    };
    to.write_f32(value, out);
}

fn reduce<'a>(op: ReduceOp, from: ElementType, to: ElementType, row: impl Iterator<Item = &'a [u8]>, out: &mut [u8]) {
    if from.is_float() {
        let values = row.map(|a| from.read_f32(a));
        let value = match op {
            ReduceOp::Sum => values.fold(0.0, |sum, a| sum + a),
            ReduceOp::Max => values.reduce(greater).unwrap_or(f32::NEG_INFINITY),
            ReduceOp::Min => -values.map(|a| -a).reduce(greater).unwrap_or(f32::NEG_INFINITY),
        };
        return to.write_f32(value, out);
    }
    let values = row.map(|a| from.read_integer(a));
    let value = match op {
        ReduceOp::Sum => values.fold(0, i32::wrapping_add),
        ReduceOp::Max => values.max().unwrap_or_default(),
        ReduceOp::Min => values.min().unwrap_or_default(),
    };
    to.write_integer(value, out);
}

/// The scale of a column.
fn scale_of(requantize: &Requantize, table: &[u8], column: usize) -> Scale {
    match requantize.scale {
        Scale::FixedPerColumn => Scale::Fixed {
            multiplier: ElementType::I32.read_integer(&table[column * 8..]),
            shift: ElementType::I32.read_integer(&table[column * 8 + 4..]),
        },
        Scale::FloatPerColumn => Scale::Float(ElementType::F32.read_f32(&table[column * 4..])),
        scale => scale,
    }
}

fn narrowed(requantize: &Requantize, scale: Scale, a: &[u8]) -> i32 {
    let zero_point = requantize.zero_point;
    match scale {
        Scale::Fixed { multiplier, shift } => {
            let scaled = multiply_by_quantized_multiplier(requantize.from.read_integer(a), multiplier, shift);
            saturated(i64::from(scaled) + i64::from(zero_point), requantize.to)
        }
        Scale::Float(scale) => scaled_to_integer(requantize.from.read_f32(a), scale, zero_point, requantize.to),
        Scale::FixedPerColumn | Scale::FloatPerColumn => zero_point,
    }
}

/// `value * multiplier * 2^(shift - 31)`, rounded as gemmlowp and TFLite round: a saturating rounding doubling high multiplication, after a shift to the
/// left (saturating) if `shift` is positive; then a shift to the right that rounds halves away from zero, if it is negative.
pub fn multiply_by_quantized_multiplier(value: i32, multiplier: i32, shift: i32) -> i32 {
    let left = shift.clamp(0, 31);
    let shifted = (i64::from(value) << left).clamp(i32::MIN.into(), i32::MAX.into());
    let product = shifted * i64::from(multiplier);
    let nudge = if product >= 0 { 1 << 30 } else { 1 - (1 << 30) };
    let high = ((product + nudge) / (1 << 31)).min(i32::MAX.into());
    let right = (-shift).clamp(0, 31);
    let mask = (1_i64 << right) - 1;
    let threshold = (mask >> 1) + i64::from(high < 0);
    ((high >> right) + i64::from(high & mask > threshold)) as i32
}

/// `saturate(round(value * scale) + zero_point)`: the product is rounded to `f32`, then to the nearest integer, halves to even.
pub fn scaled_to_integer(value: f32, scale: f32, zero_point: i32, to: ElementType) -> i32 {
    // The conversion saturates, and NaN becomes zero; the bounds keep the sum from overflowing.
    let rounded = (value * scale).round_ties_even().clamp(-4e9, 4e9) as i64;
    saturated(rounded + i64::from(zero_point), to)
}

fn pool_windows(pool: &Pool, pixels: &[u8], channels: usize, out: &mut [u8]) {
    let Pool { op, element, image: [_, width], window: [high, wide], steps: [down, across] } = *pool;
    let size = element.size() as usize;
    let output_width = pool.output().map_or(1, |[_, width]| width as usize);
    let pixel =
        |y: usize, x: usize, channel: usize| &pixels[((y * width as usize + x) * channels + channel) * size..][..size];
    for (i, out) in out.chunks_exact_mut(size).enumerate() {
        let (at, channel) = (i / channels, i % channels);
        let (top, left) = (at / output_width * down as usize, at % output_width * across as usize);
        let window = (top..top + high as usize)
            .flat_map(|y| (left..left + wide as usize).map(move |x| (y, x)))
            .map(|(y, x)| pixel(y, x, channel));
        match op {
            PoolOp::Max => reduce(ReduceOp::Max, element, element, window, out),
            PoolOp::Average => average(element, i64::from(high) * i64::from(wide), window, out),
        }
    }
}

fn average<'a>(element: ElementType, count: i64, window: impl Iterator<Item = &'a [u8]>, out: &mut [u8]) {
    if element.is_float() {
        let sum = window.fold(0.0, |sum, a| sum + element.read_f32(a));
        return element.write_f32(sum / count as f32, out);
    }
    let sum: i64 = window.map(|a| i64::from(element.read_integer(a))).sum();
    let half = if sum >= 0 { count / 2 } else { -(count / 2) };
    element.write_integer(((sum + half) / count) as i32, out);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn rounding_is_that_of_gemmlowp() {
        // A multiplier of 2^30 and a shift of 1 is a factor of one; with smaller shifts halves go away from zero.
        let half = 1 << 30;
        let scaled = |value, shift| multiply_by_quantized_multiplier(value, half, shift);
        assert_eq!([scaled(5, 1), scaled(-5, 1)], [5, -5]);
        assert_eq!([scaled(5, 0), scaled(-5, 0), scaled(4, 0)], [3, -2, 2]);
        assert_eq!([scaled(10, -1), scaled(-10, -1), scaled(6, -1)], [3, -3, 2]);
        assert_eq!(multiply_by_quantized_multiplier(i32::MAX, i32::MAX, 30), i32::MAX - 1);
    }

    proptest! {
        /// Never further than one from the exact product: two roundings, each by at most a half.
        #[test]
        fn fixed_scales_are_close(value in -(1_i32 << 24)..1 << 24, multiplier in 1_i32 << 30..i32::MAX, shift in -20_i32..6) {
            let exact = f64::from(value) * f64::from(multiplier) * 2.0_f64.powi(shift - 31);
            let scaled = f64::from(multiply_by_quantized_multiplier(value, multiplier, shift));
            prop_assert!((scaled - exact).abs() <= 1.0, "{scaled} {exact}");
        }
    }

    #[test]
    fn floats_round_to_even() {
        let i8 = |value, scale| scaled_to_integer(value, scale, 3, ElementType::I8);
        assert_eq!([i8(5.0, 0.5), i8(7.0, 0.5), i8(-5.0, 0.5), i8(1e9, 1.0), i8(f32::NAN, 1.0)], [5, 7, 1, 127, 3]);
    }
}
