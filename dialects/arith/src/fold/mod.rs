//! Folds: what an operation equals when operands are constant or related.
//!
//! Equations are written above the line that applies them; `c` is a constant. A fold makes no operation and changes none.

mod bits;
mod cast;
mod compare;
mod extended;
mod float;
mod int;

pub(crate) use bits::{andi, ori, shli, shrsi, shrui, xori};
pub(crate) use cast::{
    bitcast, extf, extsi, extui, fptosi, fptoui, index_cast, index_castui, sitofp, truncf, trunci, uitofp,
};
pub(crate) use compare::{cmpf, cmpi, select};
pub(crate) use extended::{addui_extended, mulsi_extended, mului_extended};
pub(crate) use float::{addf, divf, maximumf, maxnumf, minimumf, minnumf, mulf, negf, remf, subf};
pub(crate) use int::{
    addi, ceildivsi, ceildivui, divsi, divui, floordivsi, maxsi, maxui, minsi, minui, muli, remsi, remui, subi,
};

use dl_ir::dialect::{Folded, folded};
use dl_ir::number::ApInt;
use dl_ir::{Attr, FloatKind, OpRef};

use crate::constants::{is_all_ones, is_int_one, is_int_zero, is_poison, map_float, map_floats, map_ints};

/// The constant operands of an operation being folded.
#[derive(Clone, Copy)]
struct Consts<'a> {
    op: OpRef<'a>,
    list: &'a [Option<Attr>],
}

impl<'a> Consts<'a> {
    fn new(op: OpRef<'a>, list: &'a [Option<Attr>]) -> Self {
        Self { op, list }
    }

    fn get(self, index: usize) -> Option<Attr> {
        self.list.get(index).copied().flatten()
    }

    fn is_zero(self, index: usize) -> bool {
        self.get(index).is_some_and(|c| is_int_zero(self.op.cx(), c))
    }

    fn is_one(self, index: usize) -> bool {
        self.get(index).is_some_and(|c| is_int_one(self.op.cx(), c))
    }

    fn is_all_ones(self, index: usize) -> bool {
        self.get(index).is_some_and(|c| is_all_ones(self.op.cx(), c))
    }

    /// The first constant operand that is poison.
    fn poison(self) -> Option<Attr> {
        self.list.iter().copied().flatten().find(|&c| is_poison(self.op.cx(), c))
    }

    fn ints(self, f: impl FnMut(ApInt, ApInt) -> Option<ApInt>) -> Option<Folded> {
        if let Some(poison) = self.poison() {
            return folded(poison);
        }
        let result = self.op.result(0).ty().id();
        map_ints(self.op.cx(), result, [self.get(0)?, self.get(1)?], f).and_then(folded)
    }

    fn float(self, f: impl FnMut(FloatKind, u128) -> Option<u128>) -> Option<Folded> {
        if let Some(poison) = self.poison() {
            return folded(poison);
        }
        let result = self.op.result(0).ty().id();
        map_float(self.op.cx(), result, self.get(0)?, f).and_then(folded)
    }

    fn floats(self, f: impl FnMut(FloatKind, u128, u128) -> Option<u128>) -> Option<Folded> {
        if let Some(poison) = self.poison() {
            return folded(poison);
        }
        let result = self.op.result(0).ty().id();
        map_floats(self.op.cx(), result, [self.get(0)?, self.get(1)?], f).and_then(folded)
    }
}

/// The zero of the type of result 0; `None` for dynamic shapes.
fn zero_of_result(op: OpRef<'_>) -> Option<Attr> {
    op.cx().zero_attr(op.result(0).ty().id())
}
