//! `arith-emulate-unsupported-floats`: arithmetic on floats that the target cannot compute with, in a format that it can.

use std::sync::Arc;

use dl_arith::{BitcastOp, ConstantOp, ExtFOp, FastMathFlags, ScalingExtFOp, ScalingTruncFOp, SelectOp, TruncFOp};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::conversion::{
    ConversionPattern, ConversionPatterns, ConversionRewriter, ConversionTarget, Converted, TypeConverter,
};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{Attr, Context, Diagnostic, FloatKind, Ident, Loc, OpDefinition, OpId, OpState, Type, ValueId};
use smallvec::SmallVec;

dl_ir::pass_options! {
    /// Options of [`EmulateUnsupportedFloats`].
    pub struct EmulateUnsupportedFloatsOptions {
        /// Formats without arithmetic on the target
        source_types "source-types": Vec<String> = Vec::new(),
        /// The format to compute in
        target_type "target-type": String = "f32".to_owned(),
    }
}

/// Extends operands of arithmetic to a larger format and truncates results.
#[derive(Clone, Default)]
pub struct EmulateUnsupportedFloats {
    /// The options.
    pub options: EmulateUnsupportedFloatsOptions,
}

/// Operations of `vector` that compute.
const VECTOR_OPS: [&str; 6] = [
    "vector.contract",
    "vector.reduction",
    "vector.multi_reduction",
    "vector.fma",
    "vector.outerproduct",
    "vector.scan",
];

impl Pass for EmulateUnsupportedFloats {
    const INFO: PassInfo =
        PassInfo::new("arith-emulate-unsupported-floats", "Emulate operations on unsupported floats with extf/truncf")
            .title("ArithEmulateUnsupportedFloats");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let fail = |message: String| Err(Diagnostic::error(Loc::UNKNOWN, message).into());
        let unknown =
            |what: &str, name: &str| format!("could not map {what} type '{name}' to a known floating-point type");
        let Some(wide) = float_kind(cx.ctx, &self.options.target_type) else {
            return fail(unknown("target", &self.options.target_type));
        };
        let mut sources = Vec::new();
        for name in &self.options.source_types {
            let Some(kind) = float_kind(cx.ctx, name) else { return fail(unknown("source", name)) };
            sources.push(kind);
        }
        if sources.is_empty() {
            let message = "no source types specified, float emulation will do nothing";
            cx.emit(Diagnostic::warning(Loc::UNKNOWN, message));
        }
        if sources.contains(&wide) {
            return fail("target type cannot be an unsupported source type".to_owned());
        }
        let width = |kind: FloatKind| cx.ctx.ty(cx.ctx.float_type(kind)).int_or_float_width();
        if sources.iter().any(|&source| width(source) >= width(wide)) {
            return fail("unsupported: emulation in a format that is not wider".to_owned());
        }
        let converter = Arc::new(converter(sources, wide));
        let mut target = ConversionTarget::new();
        target.unknown_ops_dynamic(|_| true);
        let legal = Arc::clone(&converter);
        target.dynamic_dialect("arith", move |op| legal.is_legal_op(op));
        for name in VECTOR_OPS {
            let legal = Arc::clone(&converter);
            target.dynamic_op(name, move |op| legal.is_legal_op(op));
        }
        let casts = [ExtFOp::NAME, TruncFOp::NAME, ScalingExtFOp::NAME, ScalingTruncFOp::NAME];
        target.legal_ops(&casts).legal_ops(&[BitcastOp::NAME, ConstantOp::NAME, SelectOp::NAME]);
        let mut patterns = ConversionPatterns::new();
        patterns.add(&converter, Emulate);
        cx.convert_partially(&target, &patterns.freeze())
    }
}

/// The format called `name`.
fn float_kind(cx: &Context, name: &str) -> Option<FloatKind> {
    FloatKind::ALL.into_iter().find(|&kind| cx.ty(cx.float_type(kind)).to_string() == name)
}

/// Floats of `sources` become such of `wide`, also as elements.
fn converter(sources: Vec<FloatKind>, wide: FloatKind) -> TypeConverter {
    let mut converter = TypeConverter::new();
    converter.keep_others().rule(move |_, cx, ty| {
        let view = cx.ty(ty);
        let kind = view.element_or_self().float_kind()?;
        let wide = cx.float_type(wide);
        sources.contains(&kind).then(|| if view.is_shaped() { view.with_element(wide) } else { wide })
    });
    converter.target_materialization(|rw, types, values, loc| {
        let (&[ty], &[value]) = (types, values) else { return None };
        let state = OpState::of::<ExtFOp<'_>>(loc).operands([value]).results([ty]);
        let contract = FastMathFlags::CONTRACT.attr(rw.cx());
        Some(smallvec::smallvec![rw.create_value(state.attr(rw.cx(), "fastmath", contract))])
    });
    converter
}

/// The operation on converted operands, and its results truncated.
struct Emulate;

impl ConversionPattern for Emulate {
    const NAME: &'static str = "arith-emulate-float";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        if view.num_regions() != 0 {
            return Err(NoMatch("it has regions"));
        }
        let (name, loc, old) = (view.name_id(), view.loc(), view.results().types());
        let attrs: Vec<(Ident, Attr)> = view.attrs().map(|(name, attr)| (name, attr.id())).collect();
        let mut new = SmallVec::<[Type; 2]>::new();
        for &ty in &old {
            new.push(rw.convert_type(ty)?);
        }
        rw.set_insertion_before(op);
        let made =
            rw.create(OpState::new(name, loc).operands(operands.all()).results(new.iter().copied()).attrs(attrs));
        let results: SmallVec<[ValueId; 2]> = rw.ir().results(made).collect();
        let contract = FastMathFlags::CONTRACT.attr(rw.cx());
        let mut replacements = SmallVec::<[ValueId; 2]>::new();
        for ((result, &from), &to) in results.into_iter().zip(&new).zip(&old) {
            if from == to {
                replacements.push(result);
                continue;
            }
            let state = OpState::of::<TruncFOp<'_>>(loc).operands([result]).results([to]);
            let state = state.attr(rw.cx(), "fastmath", contract);
            replacements.push(rw.create_value(state));
        }
        rw.replace(op, &replacements);
        Ok(())
    }
}
