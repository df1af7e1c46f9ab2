//! `convert-math-to-llvm`: functions that LLVM has intrinsics for.

use std::sync::Arc;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionPatterns, ConversionRewriter, Converted, TypeConverter};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{Attr, OpDefinition, OpId, OpState, Type, ValueId};
use dl_llvm::types::struct_type;
use dl_llvm::{self as llvm, ConstantOp, FAddOp, FDivOp, FSubOp, IsFPClassOp};
use dl_math as math;

use super::llvm_types::{LlvmOptions, llvm_target, llvm_type_converter};
use super::one_to_one::{Attrs, OneToOne, llvm_attrs, replace_elementwise};
use crate::llvm_build::LlvmBuild;
use dl_arith::Build;

dl_ir::pass_options! {
    /// Options of [`ConvertMathToLlvm`].
    pub struct MathToLlvmOptions {
        /// Enable approximation of Log1p.
        approximate_log1p "approximate-log1p": bool = true,
    }
}

/// Lowers `math` to `llvm`, as far as there are intrinsics.
#[derive(Clone, Default)]
pub struct ConvertMathToLlvm {
    /// The options.
    pub options: MathToLlvmOptions,
}

impl Pass for ConvertMathToLlvm {
    const INFO: PassInfo =
        PassInfo::new("convert-math-to-llvm", "Convert Math dialect to LLVM dialect").title("ConvertMathToLLVMPass");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let converter = llvm_type_converter(LlvmOptions::default());
        let mut patterns = ConversionPatterns::new();
        populate(&converter, &mut patterns, self.options.approximate_log1p);
        cx.convert_partially(&llvm_target(), &patterns.freeze())
    }
}

/// Adds the patterns. `log1p` is imprecise near zero where it is approximated.
pub(crate) fn populate(converter: &Arc<TypeConverter>, patterns: &mut ConversionPatterns, approximate_log1p: bool) {
    macro_rules! one_to_one {
        ($($from:ident => $to:ident),* $(,)?) => {
            $(patterns.add(converter, OneToOne::<math::$from<'static>, llvm::$to<'static>>::new());)*
        };
    }
    one_to_one! {
        AbsFOp => FAbsOp, CeilOp => FCeilOp, CopySignOp => CopySignOp, CosOp => CosOp, CoshOp => CoshOp,
        CtPopOp => CtPopOp, Exp2Op => Exp2Op, ExpOp => ExpOp, FloorOp => FFloorOp, FmaOp => FMAOp,
        Log10Op => Log10Op, Log2Op => Log2Op, LogOp => LogOp, PowFOp => PowOp, FPowIOp => PowIOp,
        RoundEvenOp => RoundEvenOp, RoundOp => RoundOp, SinOp => SinOp, SinhOp => SinhOp, SqrtOp => SqrtOp,
        TanOp => TanOp, TanhOp => TanhOp, AcosOp => ACosOp, AsinOp => ASinOp, AtanOp => ATanOp,
        Atan2Op => ATan2Op, TruncOp => FTruncOp,
    }
    patterns
        .add(converter, IntFlag::<math::AbsIOp<'static>, llvm::AbsOp<'static>>::new("is_int_min_poison"))
        .add(
            converter,
            IntFlag::<math::CountLeadingZerosOp<'static>, llvm::CountLeadingZerosOp<'static>>::new("is_zero_poison"),
        )
        .add(
            converter,
            IntFlag::<math::CountTrailingZerosOp<'static>, llvm::CountTrailingZerosOp<'static>>::new("is_zero_poison"),
        )
        .add(converter, IsClass::<math::IsNaNOp<'static>>::new(CLASS_NAN))
        .add(converter, IsClass::<math::IsFiniteOp<'static>>::new(CLASS_FINITE))
        .add(converter, IsClass::<math::IsInfOp<'static>>::new(CLASS_INFINITE))
        .add(converter, IsClass::<math::IsNormalOp<'static>>::new(CLASS_NORMAL))
        .add(converter, ExpM1)
        .add(converter, Rsqrt)
        .add(converter, Sincos);
    if approximate_log1p {
        patterns.add(converter, Log1p);
    }
}

/// Signalling and quiet NaN.
const CLASS_NAN: i32 = 0x3;
/// Zeros, subnormal and normal numbers of both signs.
const CLASS_FINITE: i32 = 0x1f8;
/// Infinities of both signs. Upstream has no lowering for this one, nor for the next.
const CLASS_INFINITE: i32 = 0x204;
/// Normal numbers of both signs.
const CLASS_NORMAL: i32 = 0x108;

/// An integer intrinsic with a flag, which is false.
struct IntFlag<S, T> {
    flag: &'static str,
    of: std::marker::PhantomData<fn() -> (S, T)>,
}

impl<S, T> IntFlag<S, T> {
    const fn new(flag: &'static str) -> Self {
        Self { flag, of: std::marker::PhantomData }
    }
}

impl<S: OpDefinition + 'static, T: OpDefinition + 'static> ConversionPattern for IntFlag<S, T> {
    const NAME: &'static str = S::NAME;
    const ROOT: Option<&'static str> = Some(S::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let attrs = llvm_attrs::<T>(rw.op(op));
        let (flag, cx) = (self.flag, rw.cx());
        replace_elementwise(op, operands, rw, &|b, operands, ty| {
            let state = OpState::of::<T>(b.loc).operands(operands.iter().copied()).results([ty]);
            b.create_value(state.attrs(attrs.iter().copied()).attr(cx, flag, cx.bool_attr(false)))
        })
    }
}

/// A test whether a float is of some class.
struct IsClass<S> {
    bits: i32,
    of: std::marker::PhantomData<fn() -> S>,
}

impl<S> IsClass<S> {
    const fn new(bits: i32) -> Self {
        Self { bits, of: std::marker::PhantomData }
    }
}

impl<S: OpDefinition + 'static> ConversionPattern for IsClass<S> {
    const NAME: &'static str = S::NAME;
    const ROOT: Option<&'static str> = Some(S::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let bits = self.bits;
        replace_elementwise(op, operands, rw, &|b, operands, ty| {
            let bits = b.cx().i32_attr(bits);
            b.value_with::<IsFPClassOp<'_>>(operands, ty, &[("bit", bits)])
        })
    }
}

/// An operation of `T` with flags.
fn flagged<T: OpDefinition>(b: &mut Build<'_, '_>, operands: &[ValueId], ty: Type, attrs: &Attrs) -> ValueId {
    let state = OpState::of::<T>(b.loc).operands(operands.iter().copied()).results([ty]);
    b.create_value(state.attrs(attrs.iter().copied()))
}

/// The constant one of a float or vector type.
fn one(b: &Build<'_, '_>, ty: Type) -> Option<Attr> {
    let (cx, view) = (b.cx(), b.cx().ty(ty));
    let one = cx.one_attr(view.element_or_self().id())?;
    if view.is_vector() { cx.splat_attr(ty, one) } else { Some(one) }
}

/// A function of one float by the given steps; the one gets the constant one.
fn with_one(
    op: OpId,
    operands: Converted<'_>,
    rw: &mut ConversionRewriter<'_>,
    steps: &dyn Fn(&mut Build<'_, '_>, ValueId, ValueId, Type) -> ValueId,
) -> Rewrite {
    replace_elementwise(op, operands, rw, &|b, operands, ty| {
        let value = one(b, ty).expect("a float or a vector of floats");
        let one = b.value_with::<ConstantOp<'_>>(&[], ty, &[("value", value)]);
        steps(b, operands[0], one, ty)
    })
}

/// `expm1(x)` is `exp(x) - 1`.
struct ExpM1;

impl ConversionPattern for ExpM1 {
    const NAME: &'static str = "math-expm1-to-llvm";
    const ROOT: Option<&'static str> = Some(math::ExpM1Op::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let exp = llvm_attrs::<llvm::ExpOp<'_>>(rw.op(op));
        let sub = llvm_attrs::<FSubOp<'_>>(rw.op(op));
        with_one(op, operands, rw, &|b, x, one, ty| {
            let power = flagged::<llvm::ExpOp<'_>>(b, &[x], ty, &exp);
            flagged::<FSubOp<'_>>(b, &[power, one], ty, &sub)
        })
    }
}

/// `log1p(x)` as `log(1 + x)`, which loses precision near zero.
struct Log1p;

impl ConversionPattern for Log1p {
    const NAME: &'static str = "math-log1p-to-llvm";
    const ROOT: Option<&'static str> = Some(math::Log1pOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let add = llvm_attrs::<FAddOp<'_>>(rw.op(op));
        let log = llvm_attrs::<llvm::LogOp<'_>>(rw.op(op));
        with_one(op, operands, rw, &|b, x, one, ty| {
            let sum = flagged::<FAddOp<'_>>(b, &[one, x], ty, &add);
            flagged::<llvm::LogOp<'_>>(b, &[sum], ty, &log)
        })
    }
}

/// `rsqrt(x)` is `1 / sqrt(x)`.
struct Rsqrt;

impl ConversionPattern for Rsqrt {
    const NAME: &'static str = "math-rsqrt-to-llvm";
    const ROOT: Option<&'static str> = Some(math::RsqrtOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let sqrt = llvm_attrs::<llvm::SqrtOp<'_>>(rw.op(op));
        let div = llvm_attrs::<FDivOp<'_>>(rw.op(op));
        with_one(op, operands, rw, &|b, x, one, ty| {
            let root = flagged::<llvm::SqrtOp<'_>>(b, &[x], ty, &sqrt);
            flagged::<FDivOp<'_>>(b, &[one, root], ty, &div)
        })
    }
}

/// `sincos`: the intrinsic gives both in a struct.
struct Sincos;

impl ConversionPattern for Sincos {
    const NAME: &'static str = "math-sincos-to-llvm";
    const ROOT: Option<&'static str> = Some(math::SincosOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        let (loc, attrs) = (view.loc(), llvm_attrs::<llvm::SincosOp<'_>>(view));
        let ty = rw.convert_type(view.result(0).ty().id())?;
        if dl_llvm::types::array_parts(rw.cx().ty(ty)).is_some() {
            return Err(NoMatch("a vector of several dimensions"));
        }
        let mut b = Build::new(rw, loc);
        let both = struct_type(b.cx(), &[ty, ty]);
        let both = flagged::<llvm::SincosOp<'_>>(&mut b, &[operands.one(0)], both, &attrs);
        let (sine, cosine) = (b.extract(both, &[0]), b.extract(both, &[1]));
        rw.replace(op, &[sine, cosine]);
        Ok(())
    }
}
