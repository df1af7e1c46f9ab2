//! Operations on single numbers: bodies of loop nests, and arithmetic on extents.

use dl_arith::{CmpFPredicate, CmpIPredicate};
use dl_ir::interfaces::Index;
use dl_ir::{OpState, Type, ValueId};

use super::Builder;
use crate::element::Element;
use crate::fault::{Outcome, fault};

impl Builder<'_, '_> {
    /// An operation whose result has the type of its first operand.
    pub(crate) fn same(&mut self, name: &'static str, operands: &[ValueId]) -> ValueId {
        let ty = self.type_of(operands[0]);
        self.op(name, operands, ty)
    }

    /// A number of this type; integers are truncated and wrap.
    pub(crate) fn number(&mut self, ty: Type, value: f64) -> ValueId {
        let cx = self.cx();
        let attr = if cx.ty(ty).is_float() { cx.float_attr(ty, value) } else { cx.int_attr(ty, value as i64) };
        self.constant(attr)
    }

    /// An integer of this type.
    pub(crate) fn int(&mut self, ty: Type, value: i64) -> ValueId {
        let attr = self.cx().int_attr(ty, value);
        self.constant(attr)
    }

    fn is_float(&self, value: ValueId) -> bool {
        self.cx().ty(self.type_of(value)).is_float()
    }

    /// The sum. Of `i1`, whether one holds.
    pub(crate) fn add(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.same(if self.is_float(a) { "arith.addf" } else { "arith.addi" }, &[a, b])
    }

    /// The difference.
    pub(crate) fn sub(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.same(if self.is_float(a) { "arith.subf" } else { "arith.subi" }, &[a, b])
    }

    /// The product.
    pub(crate) fn mul(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.same(if self.is_float(a) { "arith.mulf" } else { "arith.muli" }, &[a, b])
    }

    /// The quotient; of integers, rounded towards zero.
    pub(crate) fn div(&mut self, a: ValueId, b: ValueId, element: Element) -> ValueId {
        let name = match element {
            _ if element.is_float() => "arith.divf",
            _ if element.is_signed() => "arith.divsi",
            _ => "arith.divui",
        };
        self.same(name, &[a, b])
    }

    /// The larger one; NaN if one is.
    pub(crate) fn max(&mut self, a: ValueId, b: ValueId, element: Element) -> ValueId {
        let name = match element {
            _ if element.is_float() => "arith.maximumf",
            _ if element.is_signed() => "arith.maxsi",
            _ => "arith.maxui",
        };
        self.same(name, &[a, b])
    }

    /// The smaller one; NaN if one is.
    pub(crate) fn min(&mut self, a: ValueId, b: ValueId, element: Element) -> ValueId {
        let name = match element {
            _ if element.is_float() => "arith.minimumf",
            _ if element.is_signed() => "arith.minsi",
            _ => "arith.minui",
        };
        self.same(name, &[a, b])
    }

    /// The negative.
    pub(crate) fn neg(&mut self, a: ValueId) -> ValueId {
        if self.is_float(a) {
            return self.same("arith.negf", &[a]);
        }
        let zero = self.number(self.type_of(a), 0.0);
        self.sub(zero, a)
    }

    /// `arith.select`.
    pub(crate) fn select(&mut self, condition: ValueId, yes: ValueId, no: ValueId) -> ValueId {
        let ty = self.type_of(yes);
        self.op("arith.select", &[condition, yes, no], ty)
    }

    /// A comparison of integers, by the name of its predicate.
    pub(crate) fn compare_ints(&mut self, predicate: &str, a: ValueId, b: ValueId) -> ValueId {
        let predicate = match predicate {
            "eq" => CmpIPredicate::Eq,
            "ne" => CmpIPredicate::Ne,
            "slt" => CmpIPredicate::Slt,
            "sle" => CmpIPredicate::Sle,
            "sgt" => CmpIPredicate::Sgt,
            "sge" => CmpIPredicate::Sge,
            "ult" => CmpIPredicate::Ult,
            "ule" => CmpIPredicate::Ule,
            "ugt" => CmpIPredicate::Ugt,
            _ => CmpIPredicate::Uge,
        };
        dl_arith::build::compare(self.rw, predicate, a, b, self.loc)
    }

    fn compare_floats(&mut self, predicate: CmpFPredicate, a: ValueId, b: ValueId) -> ValueId {
        let cx = self.cx();
        let predicate = cx.i64_attr(predicate.value() as i64);
        let state = OpState::named("arith.cmpf", self.loc).operands([a, b]).attr(cx, "predicate", predicate);
        self.rw.create_value(state.results([cx.i1_type()]))
    }

    /// Whether `a` compares to `b` as asked for; no order holds of NaN.
    pub(crate) fn compare(&mut self, order: Order, a: ValueId, b: ValueId, element: Element) -> ValueId {
        if element.is_float() {
            let predicate = match order {
                Order::Equal => CmpFPredicate::Oeq,
                Order::Less => CmpFPredicate::Olt,
                Order::LessOrEqual => CmpFPredicate::Ole,
                Order::Greater => CmpFPredicate::Ogt,
                Order::GreaterOrEqual => CmpFPredicate::Oge,
            };
            return self.compare_floats(predicate, a, b);
        }
        let signed = element.is_signed();
        let predicate = match order {
            Order::Equal => "eq",
            Order::Less if signed => "slt",
            Order::Less => "ult",
            Order::LessOrEqual if signed => "sle",
            Order::LessOrEqual => "ule",
            Order::Greater if signed => "sgt",
            Order::Greater => "ugt",
            Order::GreaterOrEqual if signed => "sge",
            Order::GreaterOrEqual => "uge",
        };
        self.compare_ints(predicate, a, b)
    }

    /// Whether it is NaN.
    pub(crate) fn is_nan(&mut self, a: ValueId) -> ValueId {
        self.compare_floats(CmpFPredicate::Uno, a, a)
    }

    /// The negation of an `i1`.
    pub(crate) fn not(&mut self, a: ValueId) -> ValueId {
        let one = self.int(self.cx().i1_type(), 1);
        self.same("arith.xori", &[a, one])
    }

    /// The index of loop `dim` in the body of a loop nest.
    pub(crate) fn loop_index(&mut self, dim: usize) -> ValueId {
        let cx = self.cx();
        let state = OpState::named("linalg.index", self.loc).attr(cx, "dim", cx.i64_attr(dim as i64));
        self.rw.create_value(state.results([cx.index_type()]))
    }

    /// An integer as an index, taken with its sign.
    pub(crate) fn cast_to_index(&mut self, value: ValueId, element: Element) -> ValueId {
        let ty = self.cx().index_type();
        self.op(if element.is_signed() { "arith.index_cast" } else { "arith.index_castui" }, &[value], ty)
    }

    // Arithmetic on extents and positions: done now where both are known.

    /// `a + b`.
    ///
    /// # Errors
    /// Overflow.
    pub(crate) fn index_add(&mut self, a: Index, b: Index) -> Outcome<Index> {
        match (a, b) {
            (Index::Static(0), other) | (other, Index::Static(0)) => Ok(other),
            _ => self.index_op("arith.addi", a, b, i64::checked_add),
        }
    }

    /// `a - b`.
    ///
    /// # Errors
    /// Overflow.
    pub(crate) fn index_sub(&mut self, a: Index, b: Index) -> Outcome<Index> {
        match (a, b) {
            (other, Index::Static(0)) => Ok(other),
            _ if a == b => Ok(Index::Static(0)),
            _ => self.index_op("arith.subi", a, b, i64::checked_sub),
        }
    }

    /// `a * b`.
    ///
    /// # Errors
    /// Overflow.
    pub(crate) fn index_mul(&mut self, a: Index, b: Index) -> Outcome<Index> {
        match (a, b) {
            (Index::Static(1), other) | (other, Index::Static(1)) => Ok(other),
            (Index::Static(0), _) | (_, Index::Static(0)) => Ok(Index::Static(0)),
            _ => self.index_op("arith.muli", a, b, i64::checked_mul),
        }
    }

    /// `a / b`, rounded towards zero.
    ///
    /// # Errors
    /// Division by zero that is known.
    pub(crate) fn index_div(&mut self, a: Index, b: Index) -> Outcome<Index> {
        match (a, b) {
            (other, Index::Static(1)) => Ok(other),
            _ => self.index_op("arith.divsi", a, b, i64::checked_div),
        }
    }

    /// The smaller one.
    ///
    /// # Errors
    /// Never.
    pub(crate) fn index_min(&mut self, a: Index, b: Index) -> Outcome<Index> {
        if a == b { Ok(a) } else { self.index_op("arith.minsi", a, b, |a, b| Some(a.min(b))) }
    }

    /// The larger one.
    ///
    /// # Errors
    /// Never.
    pub(crate) fn index_max(&mut self, a: Index, b: Index) -> Outcome<Index> {
        if a == b { Ok(a) } else { self.index_op("arith.maxsi", a, b, |a, b| Some(a.max(b))) }
    }

    fn index_op(
        &mut self,
        name: &'static str,
        a: Index,
        b: Index,
        fold: impl Fn(i64, i64) -> Option<i64>,
    ) -> Outcome<Index> {
        if let (Index::Static(x), Index::Static(y)) = (a, b) {
            let folded = fold(x, y).ok_or_else(|| fault!("{x} and {y}: '{name}' overflows or divides by zero"))?;
            return Ok(Index::Static(folded));
        }
        let (x, y) = (self.index(a), self.index(b));
        Ok(Index::Value(self.same(name, &[x, y])))
    }

    /// The product of indices.
    ///
    /// # Errors
    /// Overflow.
    pub(crate) fn index_product(&mut self, factors: impl IntoIterator<Item = Index>) -> Outcome<Index> {
        let (mut known, mut values) = (Index::Static(1), Vec::new());
        for factor in factors {
            match factor {
                Index::Static(_) => known = self.index_mul(known, factor)?,
                Index::Value(_) => values.push(factor),
            }
        }
        values.into_iter().try_fold(known, |product, factor| self.index_mul(product, factor))
    }
}

/// An order of two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}
