//! Making operations in a row: what passes have in common.

use std::ops::{Deref, DerefMut};

use dl_ir::{Attr, Context, Loc, OpDefinition, OpState, Rewriter, Type, ValueId};

use crate::{CmpIOp, CmpIPredicate, ConstantOp, IntegerOverflowFlags, SelectOp};

/// A [`Rewriter`] that makes operations of one location at its insertion point.
pub struct Build<'r, 'c> {
    rw: &'r mut Rewriter<'c>,
    /// The location of what is made.
    pub loc: Loc,
}

impl<'c> Deref for Build<'_, 'c> {
    type Target = Rewriter<'c>;
    fn deref(&self) -> &Self::Target {
        self.rw
    }
}

impl DerefMut for Build<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.rw
    }
}

impl<'r, 'c> Build<'r, 'c> {
    /// Makes operations at the insertion point of `rw`.
    pub fn new(rw: &'r mut Rewriter<'c>, loc: Loc) -> Self {
        Self { rw, loc }
    }

    /// The context; outlives borrows of the rewriter.
    pub fn cx(&self) -> &'c Context {
        self.rw.cx()
    }

    /// An operation with these operands and one result of type `ty`.
    pub fn value<T: OpDefinition>(&mut self, operands: &[ValueId], ty: Type) -> ValueId {
        self.value_with::<T>(operands, ty, &[])
    }

    /// The same with attributes.
    pub fn value_with<T: OpDefinition>(&mut self, operands: &[ValueId], ty: Type, attrs: &[(&str, Attr)]) -> ValueId {
        let cx = self.cx();
        let mut state = OpState::of::<T>(self.loc).operands(operands.iter().copied()).results([ty]);
        for &(name, attr) in attrs {
            state.set_attr(cx.ident(name), attr);
        }
        self.rw.create_value(state)
    }

    /// An operation whose one result has the type of its first operand.
    pub fn same<T: OpDefinition>(&mut self, operands: &[ValueId]) -> ValueId {
        let ty = self.ir().value_type(operands[0]);
        self.value::<T>(operands, ty)
    }

    /// The same for integer arithmetic of `arith` with overflow flags.
    pub fn same_with_flags<T: OpDefinition>(&mut self, operands: &[ValueId], flags: IntegerOverflowFlags) -> ValueId {
        let ty = self.ir().value_type(operands[0]);
        let attr = self.cx().dialect_attr("arith.overflow", &[self.cx().i64_attr(flags.0 as i64)]);
        self.value_with::<T>(operands, ty, &[("overflowFlags", attr)])
    }

    /// `arith.constant`.
    pub fn constant(&mut self, value: Attr, ty: Type) -> ValueId {
        self.value_with::<ConstantOp<'_>>(&[], ty, &[("value", value)])
    }

    /// `arith.constant value : index`.
    pub fn constant_index(&mut self, value: i64) -> ValueId {
        let cx = self.cx();
        self.constant(cx.index_attr(value), cx.index_type())
    }

    /// `arith.cmpi` of scalars.
    pub fn compare(&mut self, predicate: CmpIPredicate, lhs: ValueId, rhs: ValueId) -> ValueId {
        let cx = self.cx();
        let attr = cx.i64_attr(predicate.value() as i64);
        self.value_with::<CmpIOp<'_>>(&[lhs, rhs], cx.i1_type(), &[("predicate", attr)])
    }

    /// `arith.select`.
    pub fn select(&mut self, condition: ValueId, yes: ValueId, no: ValueId) -> ValueId {
        let ty = self.ir().value_type(yes);
        self.value::<SelectOp<'_>>(&[condition, yes, no], ty)
    }
}
