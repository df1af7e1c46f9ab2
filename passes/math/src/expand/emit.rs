//! What expansions are written in.

use dl_arith::{
    AddFOp, AddIOp, AndIOp, BitcastOp, Build, CmpFOp, CmpFPredicate, CmpIOp, CmpIPredicate, DivFOp, FPToSIOp, MulFOp,
    NegFOp, SIToFPOp, ShLIOp, ShRUIOp, SubFOp, SubIOp,
};
use dl_ir::number::float::precision;
use dl_ir::rewrite::NoMatch;
use dl_ir::types::FloatKind;
use dl_ir::{Attr, OpDefinition, OpId, Rewriter, Type, ValueId};
use dl_math::{AbsFOp, CopySignOp};

/// Makes operations on values of the type of the result of one operation, with the fast-math flags of that one.
pub(super) struct Emit<'r, 'c> {
    b: Build<'r, 'c>,
    /// The type.
    pub(super) ty: Type,
    flags: Option<Attr>,
}

/// The format of IEEE floats that have integers of the same width: exponents of `bits` bits, and significands of one more than `fraction`.
#[derive(Clone, Copy)]
pub(super) struct Format {
    pub(super) width: u32,
    pub(super) fraction: u32,
}

impl Format {
    /// What is added to exponents.
    pub(super) fn bias(self) -> i64 {
        (1 << (self.width - self.fraction - 2)) - 1
    }

    /// Where the exponent stands, all ones.
    pub(super) fn exponent_mask(self) -> i64 {
        (1 << (self.width - self.fraction - 1)) - 1
    }
}

impl<'r, 'c> Emit<'r, 'c> {
    /// In the place of `op`.
    pub(super) fn new(rw: &'r mut Rewriter<'c>, op: OpId) -> Self {
        let view = rw.op(op);
        let flags = view.attr("fastmath").filter(|_| dl_arith::flags::fastmath(view) != Default::default());
        let (ty, flags, loc) = (view.result(0).ty().id(), flags.map(|flags| flags.id()), view.loc());
        Self { b: Build::new(rw, loc), ty, flags }
    }

    /// The format of the floats.
    pub(super) fn format(&self) -> Result<Format, NoMatch> {
        let kind = self.b.cx().ty(self.ty).element_or_self().float_kind();
        let kinds = [FloatKind::F16, FloatKind::BF16, FloatKind::F32, FloatKind::F64];
        let kind = kind.filter(|kind| kinds.contains(kind)).ok_or(NoMatch("floats of another format"))?;
        Ok(Format { width: kind.width(), fraction: precision(kind) - 1 })
    }

    /// The type with other elements.
    fn like(&self, element: Type) -> Type {
        let view = self.b.cx().ty(self.ty);
        if view.is_shaped() { view.with_element(element) } else { element }
    }

    /// Integers of this width.
    pub(super) fn int_type(&self, width: u32) -> Type {
        self.like(self.b.cx().int_type(width))
    }

    fn constant(&mut self, element: Attr, ty: Type) -> ValueId {
        let value = self.b.cx().splat_attr(ty, element).unwrap_or(element);
        self.b.constant(value, ty)
    }

    /// A constant of the type.
    pub(super) fn float(&mut self, value: f64) -> ValueId {
        let cx = self.b.cx();
        let element = cx.ty(self.ty).element_or_self().id();
        self.constant(cx.float_attr(element, value), self.ty)
    }

    /// A constant of the integer type `ty`.
    pub(super) fn int(&mut self, value: i64, ty: Type) -> ValueId {
        let cx = self.b.cx();
        let element = cx.ty(ty).element_or_self().id();
        self.constant(cx.int_attr(element, value), ty)
    }

    /// The number that `value` is, the same for all elements.
    pub(super) fn constant_of(&self, value: ValueId) -> Option<dl_ir::AttrRef<'_>> {
        let attr = dl_ir::ValueRef::new(self.b.cx(), self.b.ir(), value).constant()?;
        if attr.ty().is_some_and(dl_ir::TypeRef::is_shaped) { attr.splat_value() } else { Some(attr) }
    }

    /// What a value consists of.
    pub(super) fn element_of(&self, value: ValueId) -> dl_ir::TypeRef<'_> {
        self.b.value_type(value).element_or_self()
    }

    /// Bits of the integers that the type consists of.
    pub(super) fn element_width(&self) -> Option<u32> {
        self.b.cx().ty(self.ty).element_or_self().int_width()
    }

    /// An operation on floats.
    pub(super) fn on<T: OpDefinition>(&mut self, operands: &[ValueId]) -> ValueId {
        match self.flags {
            Some(flags) => self.b.value_with::<T>(operands, self.ty, &[("fastmath", flags)]),
            None => self.b.value::<T>(operands, self.ty),
        }
    }

    /// An operation on integers of one type.
    pub(super) fn on_ints<T: OpDefinition>(&mut self, operands: &[ValueId]) -> ValueId {
        self.b.same::<T>(operands)
    }

    pub(super) fn add(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.on::<AddFOp<'_>>(&[a, b])
    }

    pub(super) fn sub(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.on::<SubFOp<'_>>(&[a, b])
    }

    pub(super) fn mul(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.on::<MulFOp<'_>>(&[a, b])
    }

    pub(super) fn div(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.on::<DivFOp<'_>>(&[a, b])
    }

    pub(super) fn neg(&mut self, a: ValueId) -> ValueId {
        self.on::<NegFOp<'_>>(&[a])
    }

    pub(super) fn abs(&mut self, a: ValueId) -> ValueId {
        self.on::<AbsFOp<'_>>(&[a])
    }

    /// `a` with the sign of `sign`.
    pub(super) fn copy_sign(&mut self, a: ValueId, sign: ValueId) -> ValueId {
        self.on::<CopySignOp<'_>>(&[a, sign])
    }

    pub(super) fn compare(&mut self, predicate: CmpFPredicate, a: ValueId, b: ValueId) -> ValueId {
        let (cx, ty) = (self.b.cx(), self.like(self.b.cx().i1_type()));
        let predicate = cx.i64_attr(predicate.value() as i64);
        self.b.value_with::<CmpFOp<'_>>(&[a, b], ty, &[("predicate", predicate)])
    }

    pub(super) fn compare_ints(&mut self, predicate: CmpIPredicate, a: ValueId, b: ValueId) -> ValueId {
        let (cx, ty) = (self.b.cx(), self.like(self.b.cx().i1_type()));
        let predicate = cx.i64_attr(predicate.value() as i64);
        self.b.value_with::<CmpIOp<'_>>(&[a, b], ty, &[("predicate", predicate)])
    }

    pub(super) fn select(&mut self, condition: ValueId, yes: ValueId, no: ValueId) -> ValueId {
        self.b.select(condition, yes, no)
    }

    /// An operation from one type to another.
    pub(super) fn cast<T: OpDefinition>(&mut self, a: ValueId, ty: Type) -> ValueId {
        self.b.value::<T>(&[a], ty)
    }

    pub(super) fn shift_left(&mut self, a: ValueId, by: ValueId) -> ValueId {
        self.on_ints::<ShLIOp<'_>>(&[a, by])
    }

    pub(super) fn add_ints(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.on_ints::<AddIOp<'_>>(&[a, b])
    }

    /// `a` without what stands behind the point. Undefined unless it fits into 64 bits.
    pub(super) fn truncate(&mut self, a: ValueId) -> ValueId {
        let long = self.int_type(64);
        let whole = self.cast::<FPToSIOp<'_>>(a, long);
        let truncated = self.cast::<SIToFPOp<'_>>(whole, self.ty);
        self.copy_sign(truncated, a)
    }

    /// Whether `a` is so large that it is whole, or infinite, or no number.
    pub(super) fn is_whole(&mut self, a: ValueId, format: Format) -> ValueId {
        let ty = self.int_type(format.width);
        let fraction = self.int(i64::from(format.fraction), ty);
        let (mask, bias) = (self.int(format.exponent_mask(), ty), self.int(format.bias(), ty));
        let bits = self.cast::<BitcastOp<'_>>(a, ty);
        let shifted = self.on_ints::<ShRUIOp<'_>>(&[bits, fraction]);
        let biased = self.on_ints::<AndIOp<'_>>(&[shifted, mask]);
        let exponent = self.on_ints::<SubIOp<'_>>(&[biased, bias]);
        self.compare_ints(CmpIPredicate::Sge, exponent, fraction)
    }
}
