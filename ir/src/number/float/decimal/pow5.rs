//! Powers of five as 128-bit floating-point numbers.

/// Powers up to this one fit 128 bits and are exact.
const STEP: i32 = 55;

/// 5^0 to 5^54, exact.
const FINE: [u128; STEP as usize] = {
    let mut powers = [1; STEP as usize];
    let mut i = 1;
    while i < powers.len() {
        powers[i] = powers[i - 1] * 5;
        i += 1;
    }
    powers
};

/// The smallest multiple of [`STEP`] in [`COARSE`], as the number of steps.
const LOWEST: i32 = -7;

/// 5^(55 i) for i from [`LOWEST`] to 20: covers every power that an `f64` needs.
const COARSE: [Power; 28] = {
    let step = Power::exact(FINE[STEP as usize - 1] * 5);
    let mut powers = [Power::exact(1); 28];
    let zero = -LOWEST as usize;
    let mut i = zero + 1;
    while i < powers.len() {
        powers[i] = powers[i - 1].times(step);
        i += 1;
    }
    let inverse = step.reciprocal();
    let mut i = zero;
    while i > 0 {
        powers[i - 1] = powers[i].times(inverse);
        i -= 1;
    }
    powers
};

/// `mantissa` · 2^`exponent`, the top bit of the mantissa being set.
///
/// At most the true value, and less by under 2^-120 of it: each of the at most 22 multiplications that make an entry
/// drops less than one unit of 2^-127.
#[derive(Clone, Copy, Debug)]
pub(super) struct Power {
    pub(super) mantissa: u128,
    pub(super) exponent: i32,
}

impl Power {
    const fn exact(value: u128) -> Self {
        let shift = value.leading_zeros();
        Self { mantissa: value << shift, exponent: -(shift as i32) }
    }

    const fn times(self, other: Self) -> Self {
        let (high, low) = widening_mul(self.mantissa, other.mantissa);
        let exponent = self.exponent + other.exponent + 128;
        if high >> 127 == 1 {
            Self { mantissa: high, exponent }
        } else {
            Self { mantissa: high << 1 | low >> 127, exponent: exponent - 1 }
        }
    }

    /// 1 / self, rounded down. The mantissa must not be a power of two.
    const fn reciprocal(self) -> Self {
        // 2^255 / mantissa by long division: it lies between 2^127 and 2^128.
        let (mut quotient, mut remainder) = (0u128, 1u128 << 127);
        let mut i = 0;
        while i < 128 {
            let carry = remainder >> 127 == 1;
            remainder <<= 1;
            quotient <<= 1;
            if carry || remainder >= self.mantissa {
                remainder = remainder.wrapping_sub(self.mantissa);
                quotient |= 1;
            }
            i += 1;
        }
        Self { mantissa: quotient, exponent: -self.exponent - 255 }
    }
}

/// 5^`power`, for powers from -385 to 1154.
pub(super) fn pow5(power: i32) -> Power {
    let (steps, rest) = (power.div_euclid(STEP), power.rem_euclid(STEP));
    let fine = Power::exact(FINE[rest as usize]);
    if steps == 0 { fine } else { COARSE[(steps - LOWEST) as usize].times(fine) }
}

/// Whether [`pow5`] of this power is exact.
pub(super) fn is_exact(power: i32) -> bool {
    (0..STEP).contains(&power)
}

/// The high and low halves of the product.
const fn widening_mul(a: u128, b: u128) -> (u128, u128) {
    const LOW: u128 = u64::MAX as u128;
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let (low, cross) = (a0 * b0, a1 * b0);
    let middle = a0 * b1 + (low >> 64) + (cross & LOW);
    (a1 * b1 + (middle >> 64) + (cross >> 64), middle << 64 | (low & LOW))
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;

    /// Against exact integers: 5^p, or 2^n / 5^-p, cut to 128 bits.
    #[test]
    fn powers_are_close_from_below() {
        for power in LOWEST * STEP..(LOWEST + COARSE.len() as i32) * STEP {
            let exact = if power >= 0 {
                BigUint::from(5u8).pow(power as u32) << 256
            } else {
                (BigUint::from(1u8) << 2000u32) / BigUint::from(5u8).pow(-power as u32)
            };
            let scale = if power >= 0 { 256 } else { 2000 };
            let top = exact.bits() as i32 - 128;
            let (exact, got) = (exact >> top, pow5(power));
            assert_eq!(got.exponent, top - scale, "5^{power}");
            let below = exact - got.mantissa;
            assert!(below <= BigUint::from(if is_exact(power) { 0u8 } else { 128 }), "5^{power} is {below} too small");
        }
    }
}
