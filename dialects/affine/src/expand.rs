//! Affine expressions as arithmetic.

use dl_arith::{AddIOp, Build, CmpIPredicate, DivSIOp, IntegerOverflowFlags, MulIOp, RemSIOp, SubIOp};
use dl_ir::ValueId;
use dl_ir::affine::{AffineExpr, AffineExprData, AffineMap, AffineOp};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The values of dimensions and symbols.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    dims: &'a [ValueId],
    symbols: &'a [ValueId],
}

impl<'a> Inputs<'a> {
    /// Of a map or set with so many dimensions: symbols follow in `operands`.
    ///
    /// # Panics
    /// When there are fewer operands.
    pub fn split(operands: &'a [ValueId], num_dims: u32) -> Self {
        let (dims, symbols) = operands.split_at(num_dims as usize);
        Self { dims, symbols }
    }
}

/// The value of each result of `map`, whose inputs are `operands`.
pub fn expand_map(b: &mut Build<'_, '_>, map: AffineMap, operands: &[ValueId]) -> SmallVec<[ValueId; 4]> {
    let data = b.cx().affine().map(map);
    let inputs = Inputs::split(operands, data.num_dims);
    data.results.iter().map(|&expr| expand_expr(b, expr, inputs)).collect()
}

/// The value of `expr`. Parts that occur repeatedly are computed once.
pub fn expand_expr(b: &mut Build<'_, '_>, expr: AffineExpr, inputs: Inputs<'_>) -> ValueId {
    let affine = b.cx().affine();
    let mut known = FxHashMap::default();
    for part in affine.post_order(&[expr]) {
        if let AffineExprData::Binary { op, lhs, rhs } = affine.expr(part) {
            let lhs = operand(b, lhs, inputs, &known);
            let rhs = operand(b, rhs, inputs, &known);
            known.insert(part, binary(b, op, lhs, rhs));
        }
    }
    operand(b, expr, inputs, &known)
}

fn operand(
    b: &mut Build<'_, '_>,
    expr: AffineExpr,
    inputs: Inputs<'_>,
    known: &FxHashMap<AffineExpr, ValueId>,
) -> ValueId {
    match b.cx().affine().expr(expr) {
        AffineExprData::Dim(position) => inputs.dims[position as usize],
        AffineExprData::Symbol(position) => inputs.symbols[position as usize],
        AffineExprData::Constant(value) => b.constant_index(value),
        AffineExprData::Binary { .. } => known[&expr],
    }
}

fn binary(b: &mut Build<'_, '_>, op: AffineOp, lhs: ValueId, rhs: ValueId) -> ValueId {
    match op {
        AffineOp::Add => b.same::<AddIOp<'_>>(&[lhs, rhs]),
        AffineOp::Mul => b.same_with_flags::<MulIOp<'_>>(&[lhs, rhs], IntegerOverflowFlags::NSW),
        AffineOp::Mod => modulo(b, lhs, rhs),
        AffineOp::FloorDiv => floordiv(b, lhs, rhs),
        AffineOp::CeilDiv => ceildiv(b, lhs, rhs),
    }
}

/// The remainder has the sign of the dividend: a negative one moves up by the modulus, which is positive.
fn modulo(b: &mut Build<'_, '_>, lhs: ValueId, rhs: ValueId) -> ValueId {
    let remainder = b.same::<RemSIOp<'_>>(&[lhs, rhs]);
    let zero = b.constant_index(0);
    let negative = b.compare(CmpIPredicate::Slt, remainder, zero);
    let moved = b.same::<AddIOp<'_>>(&[remainder, rhs]);
    b.select(negative, moved, remainder)
}

/// `a floordiv b` is `-1 - (-1 - a) / b` for negative `a`, `a / b` otherwise.
fn floordiv(b: &mut Build<'_, '_>, lhs: ValueId, rhs: ValueId) -> ValueId {
    let zero = b.constant_index(0);
    let minus_one = b.constant_index(-1);
    let negative = b.compare(CmpIPredicate::Slt, lhs, zero);
    let mirrored = b.same::<SubIOp<'_>>(&[minus_one, lhs]);
    let dividend = b.select(negative, mirrored, lhs);
    let quotient = b.same::<DivSIOp<'_>>(&[dividend, rhs]);
    let mirrored = b.same::<SubIOp<'_>>(&[minus_one, quotient]);
    b.select(negative, mirrored, quotient)
}

/// `a ceildiv b` is `-(-a / b)` for `a` up to zero, `(a - 1) / b + 1` otherwise.
fn ceildiv(b: &mut Build<'_, '_>, lhs: ValueId, rhs: ValueId) -> ValueId {
    let zero = b.constant_index(0);
    let one = b.constant_index(1);
    let not_positive = b.compare(CmpIPredicate::Sle, lhs, zero);
    let negated = b.same::<SubIOp<'_>>(&[zero, lhs]);
    let less_one = b.same::<SubIOp<'_>>(&[lhs, one]);
    let dividend = b.select(not_positive, negated, less_one);
    let quotient = b.same::<DivSIOp<'_>>(&[dividend, rhs]);
    let negated = b.same::<SubIOp<'_>>(&[zero, quotient]);
    let plus_one = b.same::<AddIOp<'_>>(&[quotient, one]);
    b.select(not_positive, negated, plus_one)
}
