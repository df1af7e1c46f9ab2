//! `convert-complex-to-libm`: functions of complex numbers become calls of the C library.

use dl_func::{CallOp, FuncOp};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::conversion::{
    ConversionPattern, ConversionPatterns, ConversionRewriter, ConversionTarget, Converted,
};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::symbol::VISIBILITY;
use dl_ir::types::FloatKind;
use dl_ir::{Loc, OpId, OpState};

/// The functions of the library for `f64`; those for `f32` end in `f`.
const FUNCTIONS: [(&str, &str); 10] = [
    ("complex.pow", "cpow"),
    ("complex.sqrt", "csqrt"),
    ("complex.tanh", "ctanh"),
    ("complex.cos", "ccos"),
    ("complex.sin", "csin"),
    ("complex.conj", "conj"),
    ("complex.log", "clog"),
    ("complex.abs", "cabs"),
    ("complex.angle", "carg"),
    ("complex.tan", "ctan"),
];

/// Calls the C library for `complex` operations.
#[derive(Clone, Copy, Default)]
pub struct ConvertComplexToLibm;

impl Pass for ConvertComplexToLibm {
    const INFO: PassInfo = PassInfo::new("convert-complex-to-libm", "Convert Complex dialect to libm calls")
        .title("ConvertComplexToLibm")
        .on("builtin.module");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = ConversionPatterns::new();
        patterns.add_untyped(Call);
        let mut target = ConversionTarget::new();
        target.legal_dialects(&["func"]).illegal_ops(&FUNCTIONS.map(|(name, _)| name));
        cx.convert_partially(&target, &patterns.freeze())
    }
}

/// One operation.
struct Call;

impl ConversionPattern for Call {
    const NAME: &'static str = "complex-to-libm";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), rw.op(op));
        let known = FUNCTIONS.iter().find(|(name, _)| *name == view.name()).map(|(_, function)| *function);
        let function = known.ok_or(NoMatch("the library has no such function"))?;
        let loc = view.loc();
        let (inputs, ty) = (view.operands().types(), view.result(0).ty());
        let number = ty.element_type().unwrap_or(ty);
        let name = match number.float_kind() {
            Some(FloatKind::F32) => format!("{function}f"),
            Some(FloatKind::F64) => function.to_owned(),
            _ => return Err(NoMatch("the library has no function of this type")),
        };
        let ty = ty.id();
        let (of_function, symbol) = (cx.function_type(&inputs, &[ty]), name.clone());
        rw.declare_symbol(&name, move |rw| {
            let cx = rw.cx();
            let state = OpState::of::<FuncOp<'_>>(Loc::UNKNOWN)
                .attr(cx, "sym_name", cx.string_attr(&symbol))
                .attr(cx, "function_type", cx.type_attr(of_function))
                .attr(cx, VISIBILITY, cx.string_attr("private"));
            rw.create_isolated(state, 1);
        });
        let state = OpState::of::<CallOp<'_>>(loc).operands(operands.all()).results([ty]);
        rw.replace_with(op, state.attr(cx, "callee", cx.symbol_ref_attr(&name)));
        Ok(())
    }
}
