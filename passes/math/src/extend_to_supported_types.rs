//! `math-extend-to-supported-types`: functions of narrow floats, computed in a wider type.

use std::sync::Arc;

use dl_arith::{ExtFOp, FastMathFlags, TruncFOp};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::conversion::{
    ConversionPattern, ConversionPatterns, ConversionRewriter, ConversionTarget, Converted, TypeConverter,
};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::types::FloatKind;
use dl_ir::{Context, Diagnostic, Loc, OpDefinition, OpId, OpState, Type};
use smallvec::SmallVec;

dl_ir::pass_options! {
    /// Options of [`MathExtendToSupportedTypes`].
    pub struct ExtendOptions {
        /// Types besides f32 and f64 that functions are computed in
        extra_types "extra-types": Vec<String> = Vec::new(),
        /// The type that the others are widened to
        target_type "target-type": String = "f32".to_owned(),
    }
}

/// Widens the operands of `math` operations and narrows the results. `math.fma` stays as it is.
#[derive(Clone, Default)]
pub struct MathExtendToSupportedTypes {
    /// The options.
    pub options: ExtendOptions,
}

fn float_type(name: &str, what: &str) -> Result<FloatKind, Diagnostic> {
    FloatKind::ALL.into_iter().find(|kind| kind.keyword() == name).ok_or_else(|| {
        let why = format!("could not map {what} type '{name}' to a known floating-point type");
        Diagnostic::error(Loc::UNKNOWN, why)
    })
}

/// What a type becomes: `None` for one that is not of floats.
fn widened(cx: &Context, ty: Type, kept: &[FloatKind], target: FloatKind) -> Type {
    let view = cx.ty(ty);
    match view.element_or_self().float_kind() {
        Some(kind) if !kept.contains(&kind) => {
            let target = cx.float_type(target);
            if view.is_shaped() { view.with_element(target) } else { target }
        }
        _ => ty,
    }
}

impl Pass for MathExtendToSupportedTypes {
    const INFO: PassInfo =
        PassInfo::new("math-extend-to-supported-types", "Legalize floating-point math ops on low-precision floats")
            .title("MathExtendToSupportedTypes");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let target_type = float_type(&self.options.target_type, "target")?;
        let mut kept = vec![FloatKind::F32, FloatKind::F64];
        for name in &self.options.extra_types {
            kept.push(float_type(name, "source")?);
        }
        let mut converter = TypeConverter::new();
        let kinds = kept.clone();
        converter.rule(move |_, cx, ty| Some(widened(cx, ty, &kinds, target_type)));
        converter.target_materialization(|rw, types, values, loc| {
            let (&[ty], &[value]) = (types, values) else { return None };
            let contract = FastMathFlags::CONTRACT.attr(rw.cx());
            let state = OpState::of::<ExtFOp<'_>>(loc).operands([value]).results([ty]);
            let state = state.attr(rw.cx(), "fastmath", contract);
            Some(smallvec::smallvec![rw.create_value(state)])
        });
        let converter = Arc::new(converter);
        let mut patterns = ConversionPatterns::new();
        patterns.add(&converter, Widen);
        let mut target = ConversionTarget::new();
        target.legal_ops(&[dl_math::FmaOp::NAME, ExtFOp::NAME, TruncFOp::NAME]).unknown_ops_dynamic(move |op| {
            let is_kept = |ty: dl_ir::TypeRef<'_>| widened(op.cx(), ty.id(), &kept, target_type) == ty.id();
            let types = op.operands().iter().chain(op.results().iter()).map(|value| value.ty());
            op.info().dialect() != "math" || types.into_iter().all(is_kept)
        });
        cx.convert_partially(&target, &patterns.freeze())
    }
}

/// Any operation, with operands and results of the wider types.
struct Widen;

impl ConversionPattern for Widen {
    const NAME: &'static str = "math-extend-to-supported-type";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), rw.op(op));
        if view.num_regions() > 0 || view.num_successors() > 0 {
            return Err(NoMatch("not a function of numbers"));
        }
        let (name, loc) = (view.name_id(), view.loc());
        let attrs: Vec<_> = view.attrs().map(|(name, value)| (name, value.id())).collect();
        let old: SmallVec<[Type; 2]> = view.results().types().into_iter().collect();
        let new: Result<SmallVec<[Type; 2]>, NoMatch> = old.iter().map(|&ty| rw.convert_type(ty)).collect();
        let new = new?;
        rw.set_insertion_before(op);
        let state = OpState::new(name, loc).operands(operands.all()).results(new.iter().copied()).attrs(attrs);
        let wide = rw.create(state);
        let mut values: SmallVec<[_; 2]> = rw.ir().results(wide).collect();
        for (value, (&old, &new)) in values.iter_mut().zip(old.iter().zip(&new)) {
            if old != new {
                let contract = FastMathFlags::CONTRACT.attr(cx);
                let state = OpState::of::<TruncFOp<'_>>(loc).operands([*value]).results([old]);
                *value = rw.create_value(state.attr(cx, "fastmath", contract));
            }
        }
        rw.replace(op, &values);
        Ok(())
    }
}
