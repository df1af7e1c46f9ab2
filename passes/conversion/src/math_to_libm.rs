//! `convert-math-to-libm`: functions of single floats become calls of the C library; vectors go element by element, narrow floats as `f32`.

use dl_arith::{Build, ExtFOp, TruncFOp};
use dl_func::{CallOp, FuncOp};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::conversion::{
    ConversionPattern, ConversionPatterns, ConversionRewriter, ConversionTarget, Converted,
};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::symbol::VISIBILITY;
use dl_ir::types::FloatKind;
use dl_ir::{Loc, OpId, OpState, Type, ValueId};
use dl_passes_vector::build::{VectorBuild, positions};
use dl_vector::types::extents;

/// Calls the C library for `math` operations.
#[derive(Clone, Copy, Default)]
pub struct ConvertMathToLibm;

/// The functions of the library for `f64`; those for `f32` end in `f`.
const FUNCTIONS: [(&str, &str); 33] = [
    ("math.absf", "fabs"),
    ("math.acos", "acos"),
    ("math.acosh", "acosh"),
    ("math.asin", "asin"),
    ("math.asinh", "asinh"),
    ("math.atan2", "atan2"),
    ("math.atan", "atan"),
    ("math.atanh", "atanh"),
    ("math.cbrt", "cbrt"),
    ("math.ceil", "ceil"),
    ("math.cos", "cos"),
    ("math.cosh", "cosh"),
    ("math.erf", "erf"),
    ("math.erfc", "erfc"),
    ("math.exp", "exp"),
    ("math.exp2", "exp2"),
    ("math.expm1", "expm1"),
    ("math.floor", "floor"),
    ("math.fma", "fma"),
    ("math.log", "log"),
    ("math.log2", "log2"),
    ("math.log10", "log10"),
    ("math.log1p", "log1p"),
    ("math.powf", "pow"),
    ("math.roundeven", "roundeven"),
    ("math.round", "round"),
    ("math.sin", "sin"),
    ("math.sinh", "sinh"),
    ("math.sqrt", "sqrt"),
    ("math.rsqrt", "rsqrt"),
    ("math.tan", "tan"),
    ("math.tanh", "tanh"),
    ("math.trunc", "trunc"),
];

impl Pass for ConvertMathToLibm {
    const INFO: PassInfo = PassInfo::new("convert-math-to-libm", "Convert Math dialect to libm calls")
        .title("ConvertMathToLibmPass")
        .on("builtin.module");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = ConversionPatterns::new();
        patterns.add_untyped(Call);
        let mut target = ConversionTarget::new();
        target.legal_dialects(&["arith", "builtin", "func", "vector"]).illegal_dialects(&["math"]);
        cx.convert_partially(&target, &patterns.freeze())
    }
}

/// One operation on scalars or vectors.
struct Call;

impl ConversionPattern for Call {
    const NAME: &'static str = "math-to-libm";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        let known = FUNCTIONS.iter().find(|(name, _)| *name == view.name()).map(|(_, function)| *function);
        let function = known.ok_or(NoMatch("the library has no such function"))?;
        let (name, loc, cx) = (view.name_id(), view.loc(), rw.cx());
        let ty = rw.value_type(rw.ir().result(op, 0));
        let operands = operands.all();
        if ty.is_vector() {
            if ty.is_scalable_vector() {
                return Err(NoMatch("a vector of unknown length"));
            }
            let element = ty.element_or_self().id();
            let zero = cx.zero_attr(ty.id()).ok_or(NoMatch("elements without zero"))?;
            let mut b = Build::new(rw, loc);
            let start = b.constant(zero, ty.id());
            let value = positions(extents(ty)).fold(start, |whole, at| {
                let parts: Vec<ValueId> = operands.iter().map(|&operand| b.part(operand, &at)).collect();
                let part = b.create_value(OpState::new(name, loc).operands(parts).results([element]));
                b.with_part(part, whole, &at)
            });
            rw.replace(op, &[value]);
            return Ok(());
        }
        match ty.float_kind().ok_or(NoMatch("no float"))? {
            FloatKind::F16 | FloatKind::BF16 => {
                let mut b = Build::new(rw, loc);
                let wide = cx.f32_type();
                let operands: Vec<ValueId> =
                    operands.iter().map(|&operand| b.value::<ExtFOp<'_>>(&[operand], wide)).collect();
                let value = b.create_value(OpState::new(name, loc).operands(operands).results([wide]));
                let value = b.value::<TruncFOp<'_>>(&[value], ty.id());
                rw.replace(op, &[value]);
            }
            FloatKind::F32 => call(op, rw, loc, &format!("{function}f"), &operands, ty.id()),
            FloatKind::F64 => call(op, rw, loc, function, &operands, ty.id()),
            _ => return Err(NoMatch("the library has no function of this type")),
        }
        Ok(())
    }
}

/// Replaces `op` by a call of an external function without side effects.
fn call(op: OpId, rw: &mut ConversionRewriter<'_>, loc: Loc, function: &str, operands: &[ValueId], ty: Type) {
    let (cx, name) = (rw.cx(), function.to_owned());
    let of_function = cx.function_type(&vec![ty; operands.len()], &[ty]);
    rw.declare_symbol(function, move |rw| {
        let cx = rw.cx();
        let state = OpState::of::<FuncOp<'_>>(Loc::UNKNOWN)
            .attr(cx, "sym_name", cx.string_attr(&name))
            .attr(cx, "function_type", cx.type_attr(of_function))
            .attr(cx, VISIBILITY, cx.string_attr("private"))
            .attr(cx, "llvm.readnone", cx.unit_attr());
        rw.create_isolated(state, 1);
    });
    let state = OpState::of::<CallOp<'_>>(loc).operands(operands.iter().copied()).results([ty]);
    rw.replace_with(op, state.attr(cx, "callee", cx.symbol_ref_attr(function)));
}
