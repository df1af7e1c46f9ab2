//! Elementary functions of complex numbers in double precision: the textbook formulas on `libm`'s real functions, with principal values
//! where there are several.

/// A complex number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct C(pub(super) f64, pub(super) f64);

impl C {
    const ONE: Self = Self(1.0, 0.0);
    const I: Self = Self(0.0, 1.0);

    /// The distance from the origin.
    pub(super) fn abs(self) -> f64 {
        libm::hypot(self.0, self.1)
    }

    /// The angle from the positive real axis, in `[-π, π]`.
    pub(super) fn angle(self) -> f64 {
        libm::atan2(self.1, self.0)
    }

    fn is_zero(self) -> bool {
        self.0 == 0.0 && self.1 == 0.0
    }

    fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }

    pub(super) fn times(self, other: Self) -> Self {
        Self(self.0 * other.0 - self.1 * other.1, self.0 * other.1 + self.1 * other.0)
    }

    fn scaled(self, by: f64) -> Self {
        Self(self.0 * by, self.1 * by)
    }

    /// The quotient, by Smith's method (R. L. Smith, "Algorithm 116: Complex division", 1962), which neither overflows nor underflows on the
    /// way.
    pub(super) fn over(self, other: Self) -> Self {
        let Self(a, b) = self;
        let Self(c, d) = other;
        if c.abs() >= d.abs() {
            let (ratio, whole) = (d / c, c + d * (d / c));
            Self((a + b * ratio) / whole, (b - a * ratio) / whole)
        } else {
            let (ratio, whole) = (c / d, d + c * (c / d));
            Self((a * ratio + b) / whole, (b * ratio - a) / whole)
        }
    }

    pub(super) fn exp(self) -> Self {
        let radius = libm::exp(self.0);
        // A real number stays one: there is no product of infinity and zero.
        if self.1 == 0.0 { Self(radius, self.1) } else { Self(radius * libm::cos(self.1), radius * libm::sin(self.1)) }
    }

    /// `exp(z) - 1`, also where `exp(z)` is near to 1.
    pub(super) fn expm1(self) -> Self {
        let half = libm::sin(self.1 / 2.0);
        Self(libm::expm1(self.0) * libm::cos(self.1) - 2.0 * half * half, libm::exp(self.0) * libm::sin(self.1))
    }

    pub(super) fn log(self) -> Self {
        Self(libm::log(self.abs()), self.angle())
    }

    /// `log(1 + z)`, also where `z` is small.
    pub(super) fn log1p(self) -> Self {
        let Self(x, y) = self;
        let re = if x.abs() < 0.5 && y.abs() < 0.5 {
            libm::log1p(x * (2.0 + x) + y * y) / 2.0
        } else {
            libm::log(libm::hypot(1.0 + x, y))
        };
        Self(re, libm::atan2(y, 1.0 + x))
    }

    pub(super) fn sqrt(self) -> Self {
        if self.is_zero() {
            return Self(0.0, self.1);
        }
        let half = libm::sqrt(f64::midpoint(self.0.abs(), self.abs()));
        let other = self.1.abs() / (2.0 * half);
        let (re, im) = if self.0 >= 0.0 { (half, other) } else { (other, half) };
        Self(re, im.copysign(self.1))
    }

    pub(super) fn rsqrt(self) -> Self {
        Self::ONE.over(self.sqrt())
    }

    /// `z` by its distance from the origin; the origin itself.
    pub(super) fn sign(self) -> Self {
        if self.is_zero() { self } else { self.scaled(1.0 / self.abs()) }
    }

    pub(super) fn sin(self) -> Self {
        Self(libm::sin(self.0) * libm::cosh(self.1), libm::cos(self.0) * libm::sinh(self.1))
    }

    pub(super) fn cos(self) -> Self {
        Self(libm::cos(self.0) * libm::cosh(self.1), -libm::sin(self.0) * libm::sinh(self.1))
    }

    pub(super) fn tanh(self) -> Self {
        // From there on it is 1 to the last bit, and the formula would overflow.
        if self.0.abs() > 20.0 {
            let small = 4.0 * libm::sin(self.1) * libm::cos(self.1) * libm::exp(-2.0 * self.0.abs());
            return Self(1.0_f64.copysign(self.0), small);
        }
        let whole = libm::cosh(2.0 * self.0) + libm::cos(2.0 * self.1);
        Self(libm::sinh(2.0 * self.0) / whole, libm::sin(2.0 * self.1) / whole)
    }

    /// `tan(z) = -i tanh(iz)`.
    pub(super) fn tan(self) -> Self {
        let Self(re, im) = Self(-self.1, self.0).tanh();
        Self(im, -re)
    }

    /// `exp(w log z)`; zero to the power of zero is one.
    pub(super) fn pow(self, exponent: Self) -> Self {
        if exponent.is_zero() {
            return Self::ONE;
        }
        if self.is_zero() && exponent.0 > 0.0 {
            return Self(0.0, 0.0);
        }
        exponent.times(self.log()).exp()
    }

    /// By squaring; negative powers are those of the inverse.
    pub(super) fn powi(self, exponent: i64) -> Self {
        let (mut result, mut square, mut left) = (Self::ONE, self, exponent.unsigned_abs());
        while left > 0 {
            if left & 1 == 1 {
                result = result.times(square);
            }
            square = square.times(square);
            left >>= 1;
        }
        if exponent < 0 { Self::ONE.over(result) } else { result }
    }

    /// `atan2(y, x) = -i log((x + iy) / sqrt(x² + y²))`.
    pub(super) fn atan2(self, x: Self) -> Self {
        let y = self;
        let radius = x.times(x).plus(y.times(y)).sqrt();
        let Self(re, im) = x.plus(Self::I.times(y)).over(radius).log();
        Self(im, -re)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from Python's `cmath`.
    #[test]
    fn functions_have_the_values_of_cmath() {
        let near = |C(a, b): C, C(c, d): C| {
            assert!((a - c).abs() < 1e-12 && (b - d).abs() < 1e-12, "{a} + {b}i, not {c} + {d}i");
        };
        near(C(-3.0, 4.0).sqrt(), C(1.0, 2.0));
        near(C(-3.0, 4.0).log(), C(1.609_437_912_434_100_3, 2.214_297_435_588_181));
        near(C(0.5, -1.5).sin(), C(1.127_805_246_805_699_8, -1.868_618_519_182_646_8));
        near(C(0.5, -1.5).tanh(), C(2.124_799_127_742_997, -0.255_149_221_813_651_8));
        near(C(0.5, -1.5).tan(), C(0.079_324_454_803_956_7, -0.944_372_986_422_621_5));
        near(C(25.0, 1.0).tanh(), C(1.0, 0.0));
        near(C(0.5, 2.0).exp(), C(-0.686_110_141_149_843_1, 1.499_178_009_000_394_8));
        near(C(-3.0, 4.0).pow(C(0.5, -1.0)), C(17.942_606_816_839, -9.855_490_195_363));
        near(C(1.0, 1.0).powi(-3), C(-0.25, -0.25));
        near(C(1.0, 2.0).over(C(3.0, -4.0)), C(-0.2, 0.4));
        near(C(0.5, 0.25).atan2(C(-1.5, 0.75)), C(2.930_165_690_523_323, -0.261_492_138_795_671_96));
        near(C(1e-9, 1e-9).log1p(), C(1e-9, 1e-9));
        near(C(1e-9, 1e-9).expm1(), C(1e-9, 1e-9));
    }
}
