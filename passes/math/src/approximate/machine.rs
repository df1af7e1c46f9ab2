//! The operations that functions are made of.

/// What a float of at most 2^21 is added to, so that the sum is rounded to a whole number, which its last bits have; twice the bias of exponents is
/// added, too.
pub(super) const SHIFT: f32 = 12_582_912.0 + 254.0;

/// A whole number.
#[derive(Clone, Copy)]
pub(super) struct Whole<F> {
    pub number: F,
    /// The sum with [`SHIFT`].
    pub shifted: F,
}

/// Computes with f32, 32-bit integers and conditions, of one lane or of many.
pub(super) trait Machine {
    /// Floats.
    type F: Copy;
    /// Integers.
    type I: Copy;
    /// Conditions.
    type C: Copy;

    fn float(&mut self, value: f32) -> Self::F;
    fn int(&mut self, value: i32) -> Self::I;
    fn add(&mut self, a: Self::F, b: Self::F) -> Self::F;
    fn sub(&mut self, a: Self::F, b: Self::F) -> Self::F;
    fn mul(&mut self, a: Self::F, b: Self::F) -> Self::F;
    fn div(&mut self, a: Self::F, b: Self::F) -> Self::F;
    /// `a * b + c`, rounded once.
    fn fma(&mut self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    fn abs(&mut self, a: Self::F) -> Self::F;
    fn neg(&mut self, a: Self::F) -> Self::F;
    /// `a < b`, false where one is NaN.
    fn less(&mut self, a: Self::F, b: Self::F) -> Self::C;
    /// `a == b`, false where one is NaN.
    fn equal(&mut self, a: Self::F, b: Self::F) -> Self::C;
    fn select(&mut self, condition: Self::C, yes: Self::F, no: Self::F) -> Self::F;
    fn to_float(&mut self, a: Self::I) -> Self::F;
    fn bits(&mut self, a: Self::F) -> Self::I;
    fn of_bits(&mut self, a: Self::I) -> Self::F;
    fn sub_int(&mut self, a: Self::I, b: Self::I) -> Self::I;
    fn shift_left(&mut self, a: Self::I, by: i32) -> Self::I;
    /// Keeps the sign.
    fn shift_right(&mut self, a: Self::I, by: i32) -> Self::I;

    /// `a * 2^n`, rounded once, for `n` from -252 to 254, or for NaN.
    fn scale(&mut self, a: Self::F, n: Whole<Self::F>) -> Self::F {
        self.scale_in_steps(a, n)
    }

    /// [`scale`](Self::scale) by integer arithmetic on exponents.
    fn scale_in_steps(&mut self, a: Self::F, n: Whole<Self::F>) -> Self::F {
        // In two steps, as the power alone may not be a number. The first step is exact. Half of the number has the bias of an exponent once,
        // and so has the other half.
        let bits = self.bits(n.shifted);
        let half = self.shift_right(bits, 1);
        let (half, both) = (self.shift_left(half, 23), self.shift_left(bits, 23));
        let rest = self.sub_int(both, half);
        let (first, second) = (self.of_bits(half), self.of_bits(rest));
        let scaled = self.mul(a, first);
        self.mul(scaled, second)
    }

    /// `2^(n - 1)` for `n` from -125 to 128.
    fn half_power(&mut self, n: Whole<Self::F>) -> Self::F {
        let bits = self.bits(n.shifted);
        let bias_and_one = self.int(128);
        let biased = self.sub_int(bits, bias_and_one);
        let bits = self.shift_left(biased, 23);
        self.of_bits(bits)
    }

    /// The whole number next to `shifted - SHIFT`, for a sum `shifted` that was rounded once.
    fn unshift(&mut self, shifted: Self::F) -> Whole<Self::F> {
        let shift = self.float(SHIFT);
        Whole { number: self.sub(shifted, shift), shifted }
    }

    /// The greater one; `b` where one is NaN or both are equal.
    fn max(&mut self, a: Self::F, b: Self::F) -> Self::F {
        let greater = self.less(b, a);
        self.select(greater, a, b)
    }

    /// The lesser one; `b` where one is NaN or both are equal.
    fn min(&mut self, a: Self::F, b: Self::F) -> Self::F {
        let less = self.less(a, b);
        self.select(less, a, b)
    }

    /// `x` between `low` and `high`; NaN stays.
    fn clamp(&mut self, x: Self::F, low: f32, high: f32) -> Self::F {
        let (low, high) = (self.float(low), self.float(high));
        let x = self.max(low, x);
        self.min(high, x)
    }

    /// A polynomial with these coefficients, that of the highest power last.
    fn polynomial(&mut self, x: Self::F, coefficients: &[f32]) -> Self::F {
        let mut coefficients = coefficients.iter().rev();
        let first = coefficients.next().copied().unwrap_or(0.0);
        let mut sum = self.float(first);
        for &coefficient in coefficients {
            let coefficient = self.float(coefficient);
            sum = self.fma(sum, x, coefficient);
        }
        sum
    }
}
