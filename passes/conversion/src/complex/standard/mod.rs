//! `convert-complex-to-standard`: complex numbers as arithmetic on their parts.

mod elementary;
mod polar;
mod power;
mod simple;
mod tangent;

use dl_arith::Build;
use dl_complex::{CreateOp, ImOp, ReOp};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::conversion::{
    ConversionPattern, ConversionPatterns, ConversionRewriter, ConversionTarget, Converted,
};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, TypeData, ValueId};

use super::arithmetic::{ARITH, Floats};
use super::division::{Parts, algebraic, range_reduced};
use super::to_llvm::ComplexRange;

dl_ir::pass_options! {
    /// Options of [`ConvertComplexToStandard`].
    pub struct ComplexToStandardOptions {
        /// How divisions treat intermediate results
        complex_range "complex-range": ComplexRange = ComplexRange::Improved,
    }
}

/// Lowers `complex` to `arith` and `math`, but for making numbers of their parts and taking them apart.
#[derive(Clone, Default)]
pub struct ConvertComplexToStandard {
    /// The options.
    pub options: ComplexToStandardOptions,
}

/// The value of an operation, made of the values of its operands.
type Make = fn(&mut Floats<'_, '_, '_>, &[ValueId]) -> ValueId;

/// How each operation is made, but for divisions.
const MADE: [(&str, Make); 23] = [
    ("complex.abs", polar::abs),
    ("complex.add", simple::add),
    ("complex.angle", polar::angle),
    ("complex.atan2", elementary::atan2),
    ("complex.conj", simple::conj),
    ("complex.cos", elementary::cos),
    ("complex.eq", simple::equal),
    ("complex.exp", elementary::exp),
    ("complex.expm1", elementary::exp_minus_one),
    ("complex.log", elementary::log),
    ("complex.log1p", elementary::log_of_one_plus),
    ("complex.mul", simple::mul),
    ("complex.neg", simple::neg),
    ("complex.neq", simple::different),
    ("complex.pow", power::pow),
    ("complex.powi", power::pow_of_integer),
    ("complex.rsqrt", polar::rsqrt),
    ("complex.sign", simple::sign),
    ("complex.sin", elementary::sin),
    ("complex.sqrt", polar::sqrt),
    ("complex.sub", simple::sub),
    ("complex.tan", tangent::tan),
    ("complex.tanh", tangent::tanh),
];

impl Pass for ConvertComplexToStandard {
    const INFO: PassInfo = PassInfo::new("convert-complex-to-standard", "Convert Complex dialect to standard dialect")
        .title("ConvertComplexToStandardPass");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let divide = match self.options.complex_range {
            ComplexRange::Improved => range_reduced,
            ComplexRange::Basic | ComplexRange::None => algebraic,
        };
        let mut patterns = ConversionPatterns::new();
        patterns.add_untyped(InParts { divide });
        let mut target = ConversionTarget::new();
        target.legal_dialects(&["arith", "math"]).legal_ops(&[CreateOp::NAME, ImOp::NAME, ReOp::NAME]);
        target.illegal_ops(&MADE.map(|(name, _)| name)).illegal_ops(&[dl_complex::DivOp::NAME]);
        cx.convert_partially(&target, &patterns.freeze())
    }
}

/// Any operation on complex numbers.
struct InParts {
    divide: fn(&mut Floats<'_, '_, '_>, Parts, Parts) -> Parts,
}

impl ConversionPattern for InParts {
    const NAME: &'static str = "complex-to-standard";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        let known = MADE.iter().find(|(name, _)| *name == view.name()).map(|(_, make)| *make);
        let is_division = view.is::<dl_complex::DivOp<'_>>();
        if known.is_none() && !is_division {
            return Err(NoMatch("not made of operations on the parts"));
        }
        let flags = view.attr_or_default("fastmath").map(|flags| flags.id());
        let (loc, operands) = (view.loc(), operands.all());
        let mut b = Build::new(rw, loc);
        let mut f = Floats { b: &mut b, names: &ARITH, flags };
        let value = if let Some(make) = known {
            make(&mut f, &operands)
        } else {
            let (x, y) = (f.parts(operands[0]), f.parts(operands[1]));
            let quotient = (self.divide)(&mut f, x, y);
            f.number(quotient)
        };
        rw.replace(op, &[value]);
        Ok(())
    }
}

impl Floats<'_, '_, '_> {
    /// The real part of a number.
    fn re(&mut self, z: ValueId) -> ValueId {
        self.part(ReOp::NAME, z)
    }

    /// The imaginary part of a number.
    fn im(&mut self, z: ValueId) -> ValueId {
        self.part(ImOp::NAME, z)
    }

    fn part(&mut self, name: &'static str, z: ValueId) -> ValueId {
        let cx = self.b.cx();
        let ty = cx.ty(self.b.ir().value_type(z));
        let element = ty.element_type().expect("a complex number").id();
        let state = OpState::named(name, self.b.loc).operands([z]).results([element]);
        self.b.create_value(state)
    }

    /// A constant of the type of the parts of `z`.
    fn part_constant(&mut self, z: ValueId, value: f64) -> ValueId {
        let cx = self.b.cx();
        let element = cx.ty(self.b.ir().value_type(z)).element_type().expect("a complex number").id();
        self.b.constant(cx.float_attr(element, value), element)
    }

    /// Real and imaginary part.
    fn parts(&mut self, z: ValueId) -> Parts {
        [self.re(z), self.im(z)]
    }

    /// The number of two parts.
    fn number(&mut self, parts: Parts) -> ValueId {
        let cx = self.b.cx();
        let ty = cx.intern_type(TypeData::Complex(self.b.ir().value_type(parts[0])));
        let state = OpState::of::<CreateOp<'_>>(self.b.loc).operands(parts).results([ty]);
        self.b.create_value(state)
    }

    /// The absolute value of a number, as one operation.
    fn abs_of(&mut self, z: ValueId) -> ValueId {
        let cx = self.b.cx();
        let element = cx.ty(self.b.ir().value_type(z)).element_type().expect("a complex number").id();
        let state = OpState::named("complex.abs", self.b.loc).operands([z]).results([element]);
        let state = state.maybe_attr(cx, "fastmath", self.flags);
        self.b.create_value(state)
    }
}
