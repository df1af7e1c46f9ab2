//! `convert-math-to-funcs`: operations on integers become calls of functions that compute them.

mod functions;

use dl_arith::Build;
use dl_func::CallOp;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::conversion::{
    ConversionPattern, ConversionPatterns, ConversionRewriter, ConversionTarget, Converted,
};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpDefinition, OpId, OpRef, OpState, TypeRef, ValueId};
use dl_math::{CountLeadingZerosOp, FPowIOp, IPowIOp};
use dl_passes_vector::build::{VectorBuild, positions};
use dl_vector::types::extents;

use functions::Function;

dl_ir::pass_options! {
    /// Options of [`ConvertMathToFuncs`].
    pub struct MathToFuncsOptions {
        /// The least width of the exponent of a math.fpowi that is converted
        min_width_of_fpowi_exponent "min-width-of-fpowi-exponent": u32 = 1,
        /// Convert math.ctlz too, for targets that have no such instruction
        convert_ctlz "convert-ctlz": bool = false,
    }
}

/// Calls functions for `math.ipowi`, `math.fpowi` and, where asked for, `math.ctlz`. The functions are added to the module, to be linked
/// once; vectors go element by element.
#[derive(Clone, Default)]
pub struct ConvertMathToFuncs {
    /// The options.
    pub options: MathToFuncsOptions,
}

impl Pass for ConvertMathToFuncs {
    const INFO: PassInfo =
        PassInfo::new("convert-math-to-funcs", "Convert Math operations to calls of outlined implementations.")
            .title("ConvertMathToFuncs")
            .on("builtin.module");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let least = self.options.min_width_of_fpowi_exponent;
        let mut target = ConversionTarget::new();
        target.legal_dialects(&["arith", "cf", "func", "scf", "vector"]);
        target.dynamic_op(IPowIOp::NAME, |op| !is_integer(op.result(0).ty()));
        target.dynamic_op(FPowIOp::NAME, move |op| !is_wide_power(op, least));
        if self.options.convert_ctlz {
            target.dynamic_op(CountLeadingZerosOp::NAME, |op| !is_integer(op.result(0).ty()));
        }
        let mut patterns = ConversionPatterns::new();
        patterns.add_untyped(Outline::<IPowIOp<'static>>::new());
        patterns.add_untyped(Outline::<FPowIOp<'static>>::new());
        if self.options.convert_ctlz {
            patterns.add_untyped(Outline::<CountLeadingZerosOp<'static>>::new());
        }
        cx.convert_partially(&target, &patterns.freeze())
    }
}

/// Whether it is of integers, not of `index`.
fn is_integer(ty: TypeRef<'_>) -> bool {
    ty.element_or_self().is_integer()
}

/// Whether a `math.fpowi` has an exponent of at least so many bits.
fn is_wide_power(op: OpRef<'_>, least: u32) -> bool {
    op.operand(1).ty().element_or_self().int_width().is_some_and(|width| width >= least)
}

/// One operation: a vector is taken apart, a scalar becomes a call.
struct Outline<S>(std::marker::PhantomData<fn() -> S>);

impl<S> Outline<S> {
    const fn new() -> Self {
        Self(std::marker::PhantomData)
    }
}

impl<S: OpDefinition + 'static> ConversionPattern for Outline<S> {
    const NAME: &'static str = S::NAME;
    const ROOT: Option<&'static str> = Some(S::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), rw.op(op));
        let (loc, ty) = (view.loc(), cx.ty(view.result(0).ty().id()));
        let operands = operands.all();
        if ty.is_vector() {
            return in_elements(op, rw, ty, &operands);
        }
        let types: Vec<TypeRef<'_>> = operands.iter().map(|&operand| rw.value_type(operand)).collect();
        let function = Function::of(S::NAME, &types).ok_or(NoMatch("no function computes this"))?;
        let (name, state) = (function.name(), OpState::of::<CallOp<'_>>(loc).operands(operands).results([ty.id()]));
        rw.declare_symbol(&name, move |rw| function.define(rw));
        rw.replace_with(op, state.attr(cx, "callee", cx.symbol_ref_attr(&name)));
        Ok(())
    }
}

/// Makes `op` of vectors one of scalars for each element.
fn in_elements(op: OpId, rw: &mut ConversionRewriter<'_>, ty: TypeRef<'_>, operands: &[ValueId]) -> Rewrite {
    if ty.is_scalable_vector() {
        return Err(NoMatch("a vector of unknown length"));
    }
    let (cx, view) = (rw.cx(), rw.op(op));
    let (name, loc, element) = (view.name_id(), view.loc(), ty.element_or_self().id());
    let attrs: Vec<_> = view.attrs().map(|(name, value)| (name, value.id())).collect();
    let zero = cx.zero_attr(ty.id()).ok_or(NoMatch("elements without zero"))?;
    let mut b = Build::new(rw, loc);
    let start = b.constant(zero, ty.id());
    let value = positions(extents(ty)).fold(start, |whole, at| {
        let parts: Vec<ValueId> = operands.iter().map(|&operand| b.part(operand, &at)).collect();
        let state = OpState::new(name, loc).operands(parts).results([element]).attrs(attrs.iter().copied());
        let part = b.create_value(state);
        b.with_part(part, whole, &at)
    });
    rw.replace(op, &[value]);
    Ok(())
}
