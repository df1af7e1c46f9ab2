//! Conversions of 16-bit floats that code calls on processors without instructions for them.
//!
//! The names and types are those of compiler-rt, which not every C compiler's own library has. Results are rounded once, to nearest, ties
//! to even. A 16-bit float travels in the low bits of a floating-point register, so it is declared here as the `f32` whose low 16 bits it is.

use half::{bf16, f16};

fn in_register(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits))
}

/// `value` as an `f32` that rounds on to any shorter format as `value` itself would: cut off, with the last bit set if anything was lost
/// ("round to odd", Boldo and Melquiond 2008).
fn round_to_odd(value: f64) -> f32 {
    let nearest = value as f32;
    let wide = f64::from(nearest);
    if wide.total_cmp(&value).is_eq() || !nearest.is_finite() {
        return nearest;
    }
    let away = u32::from(wide.abs() > value.abs());
    f32::from_bits((nearest.to_bits() - away) | 1)
}

extern "C" fn truncate_f32_to_bf16(value: f32) -> f32 {
    in_register(bf16::from_f32(value).to_bits())
}

extern "C" fn truncate_f64_to_bf16(value: f64) -> f32 {
    in_register(bf16::from_f32(round_to_odd(value)).to_bits())
}

extern "C" fn truncate_f32_to_f16(value: f32) -> f32 {
    in_register(f16::from_f32(value).to_bits())
}

extern "C" fn truncate_f64_to_f16(value: f64) -> f32 {
    in_register(f16::from_f32(round_to_odd(value)).to_bits())
}

extern "C" fn extend_f16_to_f32(register: f32) -> f32 {
    let low_bits = register.to_bits() & 0xffff;
    f16::from_bits(low_bits as u16).to_f32()
}

/// The conversions by the names under which compiled programs know them.
pub(crate) fn symbols() -> [(&'static str, usize); 5] {
    [
        ("__truncsfbf2", truncate_f32_to_bf16 as extern "C" fn(f32) -> f32 as usize),
        ("__truncdfbf2", truncate_f64_to_bf16 as extern "C" fn(f64) -> f32 as usize),
        ("__truncsfhf2", truncate_f32_to_f16 as extern "C" fn(f32) -> f32 as usize),
        ("__truncdfhf2", truncate_f64_to_f16 as extern "C" fn(f64) -> f32 as usize),
        ("__extendhfsf2", extend_f16_to_f32 as extern "C" fn(f32) -> f32 as usize),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    // Expected bits by hand: sign, exponent and mantissa of each format, rounded to nearest, ties to even.
    #[test]
    fn values_are_rounded_once() {
        assert_eq!(truncate_f32_to_bf16(3.0).to_bits(), 0x4040);
        assert_eq!(truncate_f32_to_bf16(f32::from_bits(0x3f80_8000)).to_bits(), 0x3f80, "a tie goes to even");
        assert_eq!(truncate_f64_to_bf16(1.0 + 2f64.powi(-8) + 2f64.powi(-40)).to_bits(), 0x3f81, "not first to f32");
        assert_eq!(truncate_f32_to_f16(65520.0).to_bits(), 0x7c00, "too large is infinity");
        assert_eq!(truncate_f64_to_f16(1.0 + 2f64.powi(-11) + 2f64.powi(-40)).to_bits(), 0x3c01, "not first to f32");
    }

    #[test]
    fn only_the_low_bits_are_read() {
        assert_eq!(extend_f16_to_f32(f32::from_bits(0x1234_3e00)).to_bits(), 1.5_f32.to_bits());
    }
}
