//! The `math` dialect: functions of integers and floats.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own. Functions of constants are folded as far as the host
//! computes them: for `f32` and `f64`, and for every format where the result is exact.

#![forbid(unsafe_code)]

mod fold;
mod generated;
mod interpret;

pub use generated::*;

use dl_ir::{Dialect, DialectBuilder};

/// The `math` dialect.
pub struct Math;

impl Dialect for Math {
    fn namespace(&self) -> &'static str {
        "math"
    }

    fn register(&self, b: &mut DialectBuilder) {
        b.ops(OPS).inlining(&dl_ir::interfaces::InlineAnywhere).materialize_constant(dl_arith::materialize_constant);
        interpret::register(b);
        b.on::<AbsFOp<'_>>().fold(fold::absf);
        b.on::<AbsIOp<'_>>().fold(fold::absi);
        b.on::<AcosOp<'_>>().fold(fold::acos);
        b.on::<AcoshOp<'_>>().fold(fold::acosh);
        b.on::<AsinOp<'_>>().fold(fold::asin);
        b.on::<AsinhOp<'_>>().fold(fold::asinh);
        b.on::<AtanOp<'_>>().fold(fold::atan);
        b.on::<Atan2Op<'_>>().fold(fold::atan2);
        b.on::<AtanhOp<'_>>().fold(fold::atanh);
        b.on::<CeilOp<'_>>().fold(fold::ceil);
        b.on::<CopySignOp<'_>>().fold(fold::copysign);
        b.on::<CosOp<'_>>().fold(fold::cos);
        b.on::<CoshOp<'_>>().fold(fold::cosh);
        b.on::<CountLeadingZerosOp<'_>>().fold(fold::ctlz);
        b.on::<CountTrailingZerosOp<'_>>().fold(fold::cttz);
        b.on::<CtPopOp<'_>>().fold(fold::ctpop);
        b.on::<ErfOp<'_>>().fold(fold::erf);
        b.on::<ErfcOp<'_>>().fold(fold::erfc);
        b.on::<ExpOp<'_>>().fold(fold::exp);
        b.on::<Exp2Op<'_>>().fold(fold::exp2);
        b.on::<ExpM1Op<'_>>().fold(fold::expm1);
        b.on::<FloorOp<'_>>().fold(fold::floor);
        b.on::<IPowIOp<'_>>().fold(fold::ipowi);
        b.on::<IsFiniteOp<'_>>().fold(fold::isfinite);
        b.on::<IsInfOp<'_>>().fold(fold::isinf);
        b.on::<IsNaNOp<'_>>().fold(fold::isnan);
        b.on::<IsNormalOp<'_>>().fold(fold::isnormal);
        b.on::<LogOp<'_>>().fold(fold::log);
        b.on::<Log10Op<'_>>().fold(fold::log10);
        b.on::<Log1pOp<'_>>().fold(fold::log1p);
        b.on::<Log2Op<'_>>().fold(fold::log2);
        b.on::<PowFOp<'_>>().fold(fold::powf);
        b.on::<RoundOp<'_>>().fold(fold::round);
        b.on::<RoundEvenOp<'_>>().fold(fold::roundeven);
        b.on::<SinOp<'_>>().fold(fold::sin);
        b.on::<SincosOp<'_>>().result_names(|_, name| {
            name(0, "sin");
            name(1, "cos");
        });
        b.on::<SinhOp<'_>>().fold(fold::sinh);
        b.on::<SqrtOp<'_>>().fold(fold::sqrt);
        b.on::<TanOp<'_>>().fold(fold::tan);
        b.on::<TanhOp<'_>>().fold(fold::tanh);
        b.on::<TruncOp<'_>>().fold(fold::trunc);
    }
}
