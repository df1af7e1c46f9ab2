//! `arith-expand`: operations that not every target has, by simpler ones of `arith`.

mod f8;
mod floats;
mod ints;
mod scaling;

pub use f8::f8_conversions;
pub use floats::bf16_conversions;
pub use ints::rounded_divisions;

use dl_arith::{
    CeilDivSIOp, CeilDivUIOp, ExtFOp, FloorDivSIOp, MaxNumFOp, MaxSIOp, MaxUIOp, MaximumFOp, MinNumFOp, MinSIOp,
    MinUIOp, MinimumFOp, ScalingExtFOp, ScalingTruncFOp, TruncFOp,
};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::conversion::{ConversionPatterns, ConversionTarget};
use dl_ir::{FloatKind, OpDefinition, OpRef, ValueRef};

dl_ir::pass_options! {
    /// Options of [`ArithExpand`].
    pub struct ArithExpandOptions {
        /// Expand conversions between bf16 and f32
        include_bf16 "include-bf16": bool = false,
        /// Expand conversions from and to f4E2M1FN
        include_f4e2m1 "include-f4e2m1": bool = false,
        /// Expand conversions from and to floats of 8 bits with a sign
        include_f8 "include-f8": bool = false,
        /// Expand conversions from and to f8E8M0FNU
        include_f8e8m0 "include-f8e8m0": bool = false,
        /// Let maximumf and minimumf tell zeros of both signs apart, as they are defined; without, the second operand is taken, as by upstream
        signed_zeros "signed-zeros": bool = false,
    }
}

/// Expands rounded divisions, minima and maxima, conversions with a scale, and those of small floats that are asked for.
#[derive(Clone, Default)]
pub struct ArithExpand {
    /// The options.
    pub options: ArithExpandOptions,
}

impl Pass for ArithExpand {
    const INFO: PassInfo =
        PassInfo::new("arith-expand", "Legalize Arith ops to be convertible to LLVM.").title("ArithExpandOpsPass");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let ArithExpandOptions {
            include_bf16: bf16,
            include_f4e2m1: f4,
            include_f8: signed_f8,
            include_f8e8m0: f8e8m0,
            signed_zeros,
        } = self.options;
        let mut target = ConversionTarget::new();
        target
            .legal_dialects(&["arith", "vector"])
            .illegal_ops(&[
                CeilDivSIOp::NAME,
                CeilDivUIOp::NAME,
                FloorDivSIOp::NAME,
                MaxSIOp::NAME,
                MaxUIOp::NAME,
                MinSIOp::NAME,
                MinUIOp::NAME,
                MaximumFOp::NAME,
                MinimumFOp::NAME,
                MaxNumFOp::NAME,
                MinNumFOp::NAME,
                ScalingExtFOp::NAME,
                ScalingTruncFOp::NAME,
            ])
            .dynamic_op(ExtFOp::NAME, move |op| {
                let (from, to) = kinds(op);
                !(bf16 && (from, to) == (Some(FloatKind::BF16), Some(FloatKind::F32))
                    || signed_f8 && f8::is_signed_f8(from)
                    || f8e8m0 && from == Some(FloatKind::F8E8M0FNU)
                    || f4 && from == Some(FloatKind::F4E2M1FN))
            })
            .dynamic_op(TruncFOp::NAME, move |op| {
                let (from, to) = kinds(op);
                !(bf16 && (from, to) == (Some(FloatKind::F32), Some(FloatKind::BF16))
                    || signed_f8 && f8::is_signed_f8(to)
                    || f8e8m0 && to == Some(FloatKind::F8E8M0FNU)
                    || f4 && to == Some(FloatKind::F4E2M1FN))
            });
        let mut patterns = ConversionPatterns::new();
        patterns
            .add_rewrites(rounded_divisions())
            .add_rewrites(scaling::patterns())
            .add_rewrites(ints::extrema(signed_zeros));
        if bf16 {
            patterns.add_rewrites(bf16_conversions());
        }
        if signed_f8 {
            patterns.add_rewrites(f8_conversions());
        }
        if f8e8m0 {
            patterns.add_rewrites(floats::f8e8m0_patterns());
        }
        if f4 {
            patterns.add_rewrites(floats::f4e2m1_patterns());
        }
        cx.convert_partially(&target, &patterns.freeze())
    }
}

/// The floats of 8 bits that have a sign, which `include-f8` is about.
pub const SIGNED_F8: [FloatKind; 7] = [
    FloatKind::F8E5M2,
    FloatKind::F8E4M3,
    FloatKind::F8E4M3FN,
    FloatKind::F8E5M2FNUZ,
    FloatKind::F8E4M3FNUZ,
    FloatKind::F8E4M3B11FNUZ,
    FloatKind::F8E3M4,
];

/// The formats of operand and result of a cast between floats.
fn kinds(op: OpRef<'_>) -> (Option<FloatKind>, Option<FloatKind>) {
    let kind = |value: ValueRef<'_>| value.ty().element_or_self().float_kind();
    (kind(op.operand(0)), kind(op.result(0)))
}
