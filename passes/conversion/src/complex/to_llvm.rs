//! `convert-complex-to-llvm`: complex numbers are structs of two floats.

use std::sync::Arc;

use dl_arith::Build;
use dl_complex::{AbsOp, AddOp, ConstantOp, CreateOp, DivOp, ImOp, MulOp, ReOp, SubOp};
use dl_ir::pass::{OptionValue, Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionPatterns, ConversionRewriter, Converted, TypeConverter};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{Attr, OpDefinition, OpId, OpState, Type, ValueId};
use dl_llvm::{self as llvm, FAddOp};

use super::arithmetic::{Floats, LLVM};
use super::division::{Parts, algebraic, range_reduced};
use crate::llvm_build::LlvmBuild;
use crate::llvm_types::{LlvmOptions, llvm_target, llvm_type_converter};
use crate::one_to_one::llvm_attrs;

/// How much care is taken of large and small intermediate results of a division.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum ComplexRange {
    /// None.
    #[default]
    Basic,
    /// They stay in range, and infinities are as in C.
    Improved,
    /// None.
    None,
}

impl OptionValue for ComplexRange {
    const KIND: &'static str = "value";
    const CHOICES: &'static [(&'static str, &'static str)] = &[
        ("improved", "Smith's method, and infinities as in C"),
        ("basic", "By the square of the absolute value"),
        ("none", "As basic"),
    ];

    fn parse(text: Option<&str>) -> Result<Self, String> {
        match text {
            Some("improved") => Ok(Self::Improved),
            Some("basic") => Ok(Self::Basic),
            Some("none") => Ok(Self::None),
            Some(other) => Err(format!("Cannot find option named '{other}'!")),
            None => Err("requires a value".to_owned()),
        }
    }

    fn print(&self) -> Option<String> {
        let keyword = match self {
            Self::Improved => "improved",
            Self::Basic => "basic",
            Self::None => "none",
        };
        Some(keyword.to_owned())
    }
}

dl_ir::pass_options! {
    /// Options of [`ConvertComplexToLlvm`].
    pub struct ComplexToLlvmOptions {
        /// How divisions treat intermediate results
        complex_range "complex-range": ComplexRange = ComplexRange::default(),
    }
}

/// Lowers `complex` to `llvm`.
#[derive(Clone, Default)]
pub struct ConvertComplexToLlvm {
    /// The options.
    pub options: ComplexToLlvmOptions,
}

impl Pass for ConvertComplexToLlvm {
    const INFO: PassInfo = PassInfo::new("convert-complex-to-llvm", "Convert Complex dialect to LLVM dialect")
        .title("ConvertComplexToLLVMPass");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let converter = llvm_type_converter(LlvmOptions::default());
        let mut patterns = ConversionPatterns::new();
        populate(&converter, &mut patterns, self.options.complex_range);
        let mut target = llvm_target();
        target.illegal_dialects(&["complex"]);
        cx.convert_partially(&target, &patterns.freeze())
    }
}

/// Adds the patterns.
pub(crate) fn populate(converter: &Arc<TypeConverter>, patterns: &mut ConversionPatterns, range: ComplexRange) {
    patterns
        .add(converter, Abs)
        .add(converter, Binary::<AddOp<'static>>::new(|f, x, y| [f.add(x[0], y[0]), f.add(x[1], y[1])]))
        .add(converter, Constant)
        .add(converter, Create)
        .add(converter, Part::<ImOp<'static>>::new(1))
        .add(converter, Binary::<MulOp<'static>>::new(multiply))
        .add(converter, Part::<ReOp<'static>>::new(0))
        .add(converter, Binary::<SubOp<'static>>::new(|f, x, y| [f.sub(x[0], y[0]), f.sub(x[1], y[1])]))
        .add(
            converter,
            Binary::<DivOp<'static>>::new(match range {
                ComplexRange::Improved => range_reduced,
                ComplexRange::Basic | ComplexRange::None => algebraic,
            }),
        );
}

fn multiply(f: &mut Floats<'_, '_, '_>, x: Parts, y: Parts) -> Parts {
    let (re_re, im_im) = (f.mul(y[0], x[0]), f.mul(y[1], x[1]));
    let real = f.sub(re_re, im_im);
    let (im_re, re_im) = (f.mul(x[1], y[0]), f.mul(x[0], y[1]));
    [real, f.add(im_re, re_im)]
}

/// Real and imaginary part of a struct.
fn parts(b: &mut Build<'_, '_>, value: ValueId) -> Parts {
    [b.extract(value, &[0]), b.extract(value, &[1])]
}

/// The struct of two parts.
fn whole(b: &mut Build<'_, '_>, ty: Type, parts: Parts) -> ValueId {
    let empty = b.poison(ty);
    let real = b.insert(empty, parts[0], &[0]);
    b.insert(real, parts[1], &[1])
}

/// The fast-math flags of an operation as those of LLVM.
fn flags(op: OpId, rw: &ConversionRewriter<'_>) -> Option<Attr> {
    let name = rw.cx().ident("fastmathFlags");
    llvm_attrs::<FAddOp<'_>>(rw.op(op)).into_iter().find(|(n, _)| *n == name).map(|(_, attr)| attr)
}

/// How a number is made of two.
type Make = fn(&mut Floats<'_, '_, '_>, Parts, Parts) -> Parts;

/// An operation on two numbers.
struct Binary<S> {
    make: Make,
    of: std::marker::PhantomData<fn() -> S>,
}

impl<S> Binary<S> {
    const fn new(make: Make) -> Self {
        Self { make, of: std::marker::PhantomData }
    }
}

impl<S: OpDefinition + 'static> ConversionPattern for Binary<S> {
    const NAME: &'static str = S::NAME;
    const ROOT: Option<&'static str> = Some(S::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (loc, flags) = (rw.op(op).loc(), flags(op, rw));
        let ty = rw.convert_type(rw.op(op).result(0).ty().id())?;
        let mut b = Build::new(rw, loc);
        let (x, y) = (parts(&mut b, operands.one(0)), parts(&mut b, operands.one(1)));
        let empty = b.poison(ty);
        let [real, imaginary] = (self.make)(&mut Floats { b: &mut b, names: &LLVM, flags }, x, y);
        let value = b.insert(empty, real, &[0]);
        let value = b.insert(value, imaginary, &[1]);
        rw.replace(op, &[value]);
        Ok(())
    }
}

/// One part of a number.
struct Part<S> {
    at: i64,
    of: std::marker::PhantomData<fn() -> S>,
}

impl<S> Part<S> {
    const fn new(at: i64) -> Self {
        Self { at, of: std::marker::PhantomData }
    }
}

impl<S: OpDefinition + 'static> ConversionPattern for Part<S> {
    const NAME: &'static str = S::NAME;
    const ROOT: Option<&'static str> = Some(S::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let loc = rw.op(op).loc();
        let value = Build::new(rw, loc).extract(operands.one(0), &[self.at]);
        rw.replace(op, &[value]);
        Ok(())
    }
}

/// The root of the sum of squares.
struct Abs;

impl ConversionPattern for Abs {
    const NAME: &'static str = "complex-abs-to-llvm";
    const ROOT: Option<&'static str> = Some(AbsOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (loc, flags) = (rw.op(op).loc(), flags(op, rw));
        let mut b = Build::new(rw, loc);
        let x = parts(&mut b, operands.one(0));
        let mut f = Floats { b: &mut b, names: &LLVM, flags };
        let squares = x.map(|part| f.mul(part, part));
        let norm = f.add(squares[0], squares[1]);
        let value = b.same::<llvm::SqrtOp<'_>>(&[norm]);
        rw.replace(op, &[value]);
        Ok(())
    }
}

struct Constant;

impl ConversionPattern for Constant {
    const NAME: &'static str = "complex-constant-to-llvm";
    const ROOT: Option<&'static str> = Some(ConstantOp::NAME);

    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), rw.op(op));
        let (value, loc) = (view.attr("value").ok_or(NoMatch("no value"))?.id(), view.loc());
        let ty = rw.convert_type(view.result(0).ty().id())?;
        rw.replace_with(op, OpState::of::<llvm::ConstantOp<'_>>(loc).attr(cx, "value", value).results([ty]));
        Ok(())
    }
}

struct Create;

impl ConversionPattern for Create {
    const NAME: &'static str = "complex-create-to-llvm";
    const ROOT: Option<&'static str> = Some(CreateOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let loc = rw.op(op).loc();
        let ty = rw.convert_type(rw.op(op).result(0).ty().id())?;
        let value = whole(&mut Build::new(rw, loc), ty, [operands.one(0), operands.one(1)]);
        rw.replace(op, &[value]);
        Ok(())
    }
}
