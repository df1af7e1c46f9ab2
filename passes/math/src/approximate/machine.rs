//! The operations that functions are made of.

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
    /// To the nearest whole number, to the even one of two.
    fn round(&mut self, a: Self::F) -> Self::F;
    fn abs(&mut self, a: Self::F) -> Self::F;
    fn neg(&mut self, a: Self::F) -> Self::F;
    /// `a < b`, false where one is NaN.
    fn less(&mut self, a: Self::F, b: Self::F) -> Self::C;
    /// `a == b`, false where one is NaN.
    fn equal(&mut self, a: Self::F, b: Self::F) -> Self::C;
    fn select(&mut self, condition: Self::C, yes: Self::F, no: Self::F) -> Self::F;
    /// The integer that is equal to a whole number.
    fn to_int(&mut self, a: Self::F) -> Self::I;
    fn to_float(&mut self, a: Self::I) -> Self::F;
    fn bits(&mut self, a: Self::F) -> Self::I;
    fn of_bits(&mut self, a: Self::I) -> Self::F;
    fn add_int(&mut self, a: Self::I, b: Self::I) -> Self::I;
    fn sub_int(&mut self, a: Self::I, b: Self::I) -> Self::I;
    fn shift_left(&mut self, a: Self::I, by: i32) -> Self::I;
    /// Keeps the sign.
    fn shift_right(&mut self, a: Self::I, by: i32) -> Self::I;

    /// `a * 2^n`, rounded once, for a whole number `n` from -252 to 254, or for NaN.
    fn scale(&mut self, a: Self::F, n: Self::F) -> Self::F {
        self.scale_in_steps(a, n)
    }

    /// [`scale`](Self::scale) by integer arithmetic on exponents.
    fn scale_in_steps(&mut self, a: Self::F, n: Self::F) -> Self::F {
        let n = self.to_int(n);
        // In two steps, as the power alone may not be a number. The first step is exact.
        let half = self.shift_right(n, 1);
        let rest = self.sub_int(n, half);
        let (first, second) = (self.power(half), self.power(rest));
        let scaled = self.mul(a, first);
        self.mul(scaled, second)
    }

    /// `2^n` for `n` from -126 to 127.
    fn power(&mut self, n: Self::I) -> Self::F {
        let bias = self.int(127);
        let biased = self.add_int(n, bias);
        let bits = self.shift_left(biased, 23);
        self.of_bits(bits)
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
