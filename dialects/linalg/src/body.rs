//! Bodies of named operations: scalar operations for one point of the loop nest.

use dl_arith::{
    AddFOp, AddIOp, AndIOp, DivFOp, DivSIOp, DivUIOp, ExtFOp, ExtSIOp, ExtUIOp, FPToSIOp, FPToUIOp, IndexCastOp,
    MaxSIOp, MaxUIOp, MaximumFOp, MinSIOp, MinUIOp, MinimumFOp, MulFOp, MulIOp, NegFOp, OrIOp, SIToFPOp, SelectOp,
    SubFOp, SubIOp, TruncFOp, TruncIOp, UIToFPOp,
};
use dl_ir::number::float;
use dl_ir::{Context, FloatKind, Loc, OpDefinition, OpState, RegionId, Rewriter, Type, TypeRef, ValueId};

use crate::named::Body;
use crate::{BinaryFn, IndexOp, TernaryFn, TypeFn, UnaryFn, YieldOp};

/// Fills `region` with the block that computes `body` from arguments of these types, the last one that of the init.
///
/// # Errors
/// Element types that the function does not take.
pub fn build_body(
    rw: &mut Rewriter<'_>,
    region: RegionId,
    args: &[Type],
    body: Body,
    cast: TypeFn,
    loc: Loc,
) -> Result<(), String> {
    let point = rw.insertion_point();
    let block = rw.append_block(region, args);
    rw.set_insertion_to_end(block);
    let values: Vec<ValueId> = rw.block(block).args().map(|v| v.id()).collect();
    let result = Scalars { rw, loc }.compute(body, cast, &values);
    if let Ok(value) = result {
        rw.create(OpState::of::<YieldOp<'_>>(loc).operands([value]));
    }
    rw.set_insertion_point(point);
    result.map(|_| ())
}

/// What an element type is, as far as bodies distinguish.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Complex,
    Float,
    Integer,
    Bool,
}

fn kind(ty: TypeRef<'_>) -> Option<Kind> {
    if ty.is_complex() {
        Some(Kind::Complex)
    } else if ty.is_float() {
        Some(Kind::Float)
    } else if ty.is_integer_of(1) {
        Some(Kind::Bool)
    } else if ty.is_integer() || ty.is_index() {
        Some(Kind::Integer)
    } else {
        None
    }
}

/// Makes scalar operations at the insertion point.
struct Scalars<'r, 'a> {
    rw: &'r mut Rewriter<'a>,
    loc: Loc,
}

impl Scalars<'_, '_> {
    fn compute(&mut self, body: Body, cast: TypeFn, args: &[ValueId]) -> Result<ValueId, String> {
        let out = *args.last().expect("a body has an argument for its init");
        let to = self.ty(out);
        match body {
            Body::Unary(function) => self.unary(function, args[0]),
            Body::Binary(function) => self.binary(function, args[0], args[1]),
            Body::Ternary(TernaryFn::Select) => {
                let ty = self.ty(args[1]);
                Ok(self.op::<SelectOp<'_>>(&args[..3], ty))
            }
            Body::Copy => Ok(self.cast(args[0], to, cast)),
            Body::Move => Ok(args[0]),
            Body::Fill => Ok(self.cast(args[0], to, TypeFn::CastSigned)),
            Body::MultiplyAdd => {
                let (a, b) = (self.cast(args[0], to, cast), self.cast(args[1], to, cast));
                let product = self.binary(BinaryFn::Mul, a, b)?;
                self.binary(BinaryFn::Add, out, product)
            }
            Body::QuantizedMultiplyAdd => {
                let a = self.minus_zero_point(args[0], args[2], to)?;
                let b = self.minus_zero_point(args[1], args[3], to)?;
                let product = self.binary(BinaryFn::Mul, a, b)?;
                self.binary(BinaryFn::Add, out, product)
            }
            Body::Pool(function, cast) => {
                let element = self.cast(args[0], to, cast);
                self.binary(function, out, element)
            }
            Body::Random => self.random(args, to),
        }
    }

    fn ty(&self, value: ValueId) -> Type {
        self.rw.value_type(value).id()
    }

    fn cx(&self) -> &Context {
        self.rw.cx()
    }

    fn op<T: OpDefinition>(&mut self, operands: &[ValueId], ty: Type) -> ValueId {
        self.rw.create_value(OpState::of::<T>(self.loc).operands(operands.iter().copied()).results([ty]))
    }

    fn named(&mut self, name: &'static str, operands: &[ValueId], ty: Type) -> ValueId {
        self.rw.create_value(OpState::named(name, self.loc).operands(operands.iter().copied()).results([ty]))
    }

    fn minus_zero_point(&mut self, value: ValueId, zero: ValueId, to: Type) -> Result<ValueId, String> {
        let value = self.cast(value, to, TypeFn::CastSigned);
        let zero = self.cast(zero, to, TypeFn::CastSigned);
        self.binary(BinaryFn::Sub, value, zero)
    }

    /// `value` converted to `to`; `value` itself where no conversion is known, for the verifier to report.
    fn cast(&mut self, value: ValueId, to: Type, how: TypeFn) -> ValueId {
        let cx = self.rw.cx();
        let (source, target) = (self.rw.value_type(value), cx.ty(to));
        if source.id() == to {
            return value;
        }
        let unsigned = how == TypeFn::CastUnsigned;
        let operands = [value];
        if let Some(width) = target.int_width() {
            if source.is_float() {
                return if unsigned {
                    self.op::<FPToUIOp<'_>>(&operands, to)
                } else {
                    self.op::<FPToSIOp<'_>>(&operands, to)
                };
            }
            if source.is_index() {
                return self.op::<IndexCastOp<'_>>(&operands, to);
            }
            return match source.int_width() {
                Some(from) if from > width => self.op::<TruncIOp<'_>>(&operands, to),
                Some(from) if from < width && unsigned => self.op::<ExtUIOp<'_>>(&operands, to),
                Some(from) if from < width => self.op::<ExtSIOp<'_>>(&operands, to),
                _ => value,
            };
        }
        let Some(kind) = target.float_kind() else { return value };
        if source.is_integer() {
            return if unsigned {
                self.op::<UIToFPOp<'_>>(&operands, to)
            } else {
                self.op::<SIToFPOp<'_>>(&operands, to)
            };
        }
        match source.float_kind() {
            Some(from) if from.width() > kind.width() => self.op::<TruncFOp<'_>>(&operands, to),
            Some(from) if from.width() < kind.width() => self.op::<ExtFOp<'_>>(&operands, to),
            _ => value,
        }
    }

    fn unary(&mut self, function: UnaryFn, value: ValueId) -> Result<ValueId, String> {
        let ty = self.ty(value);
        if kind(self.cx().ty(ty)) != Some(Kind::Float) {
            return Err("unsupported non numeric type".to_owned());
        }
        let operands = [value];
        let name = match function {
            UnaryFn::Exp => "math.exp",
            UnaryFn::Log => "math.log",
            UnaryFn::Abs => "math.absf",
            UnaryFn::Ceil => "math.ceil",
            UnaryFn::Floor => "math.floor",
            UnaryFn::Round => "math.round",
            UnaryFn::Sqrt => "math.sqrt",
            UnaryFn::Rsqrt => "math.rsqrt",
            UnaryFn::Tanh => "math.tanh",
            UnaryFn::Erf => "math.erf",
            UnaryFn::Negf => return Ok(self.op::<NegFOp<'_>>(&operands, ty)),
            UnaryFn::Square => return Ok(self.op::<MulFOp<'_>>(&[value, value], ty)),
            UnaryFn::Reciprocal => {
                let one = self.cx().float_attr(ty, 1.0);
                let one = dl_arith::constant(self.rw, one, self.loc);
                return Ok(self.op::<DivFOp<'_>>(&[one, value], ty));
            }
        };
        Ok(self.named(name, &operands, ty))
    }

    fn binary(&mut self, function: BinaryFn, a: ValueId, b: ValueId) -> Result<ValueId, String> {
        use BinaryFn as F;
        let ty = self.ty(a);
        let kinds = (kind(self.cx().ty(ty)), kind(self.cx().ty(self.ty(b))));
        let (Some(kind), true) = (kinds.0, kinds.0 == kinds.1) else {
            return Err("unsupported non numeric type".to_owned());
        };
        let operands = [a, b];
        let unsupported = |what: &str| Err(format!("unsupported operation: {what}"));
        Ok(match (function, kind) {
            (F::Add, Kind::Complex) => self.named("complex.add", &operands, ty),
            (F::Add, Kind::Float) => self.op::<AddFOp<'_>>(&operands, ty),
            (F::Add, Kind::Bool) => self.op::<OrIOp<'_>>(&operands, ty),
            (F::Add, Kind::Integer) => self.op::<AddIOp<'_>>(&operands, ty),
            (F::Sub, Kind::Complex) => self.named("complex.sub", &operands, ty),
            (F::Sub, Kind::Float) => self.op::<SubFOp<'_>>(&operands, ty),
            (F::Sub, Kind::Bool) => return unsupported("sub with bools"),
            (F::Sub, Kind::Integer) => self.op::<SubIOp<'_>>(&operands, ty),
            (F::Mul, Kind::Complex) => self.named("complex.mul", &operands, ty),
            (F::Mul, Kind::Float) => self.op::<MulFOp<'_>>(&operands, ty),
            (F::Mul, Kind::Bool) => self.op::<AndIOp<'_>>(&operands, ty),
            (F::Mul, Kind::Integer) => self.op::<MulIOp<'_>>(&operands, ty),
            (F::Div, Kind::Complex) => self.named("complex.div", &operands, ty),
            (F::Div, Kind::Float) => self.op::<DivFOp<'_>>(&operands, ty),
            (F::Div, Kind::Bool) => return unsupported("div with bools"),
            (F::Div, Kind::Integer) => self.op::<DivSIOp<'_>>(&operands, ty),
            (F::DivUnsigned, Kind::Integer) => self.op::<DivUIOp<'_>>(&operands, ty),
            (F::DivUnsigned, _) => return unsupported("unsigned div not on uint"),
            (F::MaxUnsigned, Kind::Float | Kind::Bool) => return unsupported("unsigned max not on uint"),
            (F::MinUnsigned, Kind::Float | Kind::Bool) => return unsupported("unsigned min not on uint"),
            (F::MaxSigned, Kind::Float) => self.op::<MaximumFOp<'_>>(&operands, ty),
            (F::MinSigned, Kind::Float) => self.op::<MinimumFOp<'_>>(&operands, ty),
            (F::MaxSigned, Kind::Integer | Kind::Bool) => self.op::<MaxSIOp<'_>>(&operands, ty),
            (F::MinSigned, Kind::Integer | Kind::Bool) => self.op::<MinSIOp<'_>>(&operands, ty),
            (F::MaxUnsigned, Kind::Integer) => self.op::<MaxUIOp<'_>>(&operands, ty),
            (F::MinUnsigned, Kind::Integer) => self.op::<MinUIOp<'_>>(&operands, ty),
            (F::Powf, Kind::Float) => self.named("math.powf", &operands, ty),
            (_, Kind::Complex) => return unsupported("ordering of complex numbers"),
            (F::Powf, _) => return unsupported("powf on other than floats"),
        })
    }

    /// A linear congruential generator over row and column, scaled to the range between the first two arguments.
    fn random(&mut self, args: &[ValueId], to: Type) -> Result<ValueId, String> {
        let (f64_type, i32_type) = (self.cx().float_type(FloatKind::F64), self.cx().i32_type());
        let half = self.int_constant(2_147_483_647);
        let half = self.cast(half, f64_type, TypeFn::CastSigned);
        let column = self.index(1);
        let row = self.index(0);
        let row = self.binary(BinaryFn::Add, row, args[2])?;
        let row = self.step(row, i32_type)?;
        let both = self.binary(BinaryFn::Add, column, row)?;
        let number = self.step(both, i32_type)?;
        let number = self.cast(number, f64_type, TypeFn::CastSigned);
        let number = self.binary(BinaryFn::Add, half, number)?;
        let range = self.binary(BinaryFn::Sub, args[1], args[0])?;
        let (scale, _) = float::from_f64(FloatKind::F64, 2.328_306_4e-10);
        let scale = self.cx().float_bits_attr(f64_type, scale);
        let scale = dl_arith::constant(self.rw, scale, self.loc);
        let scale = self.binary(BinaryFn::Mul, range, scale)?;
        let scaled = self.binary(BinaryFn::Mul, number, scale)?;
        let result = self.binary(BinaryFn::Add, scaled, args[0])?;
        Ok(self.cast(result, to, TypeFn::CastSigned))
    }

    /// `x * 1103515245 + 12345` in 32 bits.
    fn step(&mut self, x: ValueId, i32_type: Type) -> Result<ValueId, String> {
        let factor = self.int_constant(1_103_515_245);
        let factor = self.cast(factor, i32_type, TypeFn::CastSigned);
        let product = self.binary(BinaryFn::Mul, x, factor)?;
        let addend = self.int_constant(12345);
        let addend = self.cast(addend, i32_type, TypeFn::CastSigned);
        self.binary(BinaryFn::Add, product, addend)
    }

    fn int_constant(&mut self, value: i64) -> ValueId {
        let attr = self.cx().i64_attr(value);
        dl_arith::constant(self.rw, attr, self.loc)
    }

    /// The index of loop `dim` as an `i32`.
    fn index(&mut self, dim: i64) -> ValueId {
        let cx = self.rw.cx();
        let (index, i32_type) = (cx.index_type(), cx.i32_type());
        let state = OpState::of::<IndexOp<'_>>(self.loc).attr(cx, "dim", cx.i64_attr(dim)).results([index]);
        let value = self.rw.create_value(state);
        self.op::<IndexCastOp<'_>>(&[value], i32_type)
    }
}
