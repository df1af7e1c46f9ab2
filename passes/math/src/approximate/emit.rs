//! The operations as IR.

use dl_arith::{
    AddFOp, AddIOp, BitcastOp, Build, CmpFOp, CmpFPredicate, DivFOp, FPToSIOp, MulFOp, NegFOp, SIToFPOp, ShLIOp,
    ShRSIOp, SubFOp, SubIOp,
};
use dl_ir::{Attr, OpState, Type, TypeRef, ValueId};
use dl_llvm::{CallIntrinsicOp, ConstantOp};
use dl_math::{AbsFOp, FmaOp, RoundEvenOp};

use super::machine::Machine;
use super::pass::Scaling;

/// Makes operations on values of one type: f32, or vectors of it.
pub(super) struct Emit<'r, 'c> {
    b: Build<'r, 'c>,
    float: Type,
    int: Type,
    condition: Type,
    scaling: Scaling,
}

impl<'r, 'c> Emit<'r, 'c> {
    pub(super) fn new(b: Build<'r, 'c>, ty: Type, scaling: Scaling) -> Self {
        let cx = b.cx();
        let view = cx.ty(ty);
        let like = |element: Type| if view.is_vector() { view.with_element(element) } else { element };
        Self { float: ty, int: like(cx.i32_type()), condition: like(cx.i1_type()), scaling, b }
    }

    /// A constant for all lanes.
    fn constant(&mut self, value: Attr, ty: Type) -> ValueId {
        // A number of the element type is a splat of any static vector type of it; scalable ones have static shapes, too.
        let value = self.b.cx().splat_attr(ty, value).unwrap_or(value);
        self.b.constant(value, ty)
    }

    fn compare(&mut self, predicate: CmpFPredicate, a: ValueId, b: ValueId) -> ValueId {
        let attr = self.b.cx().i64_attr(predicate.value() as i64);
        self.b.value_with::<CmpFOp<'_>>(&[a, b], self.condition, &[("predicate", attr)])
    }
}

/// The AVX-512 instruction that multiplies by a power of two, as an LLVM intrinsic, for vectors of so many lanes: its name, and the width of its
/// mask.
fn scale_intrinsic(ty: TypeRef<'_>) -> Option<(&'static str, u32)> {
    match ty.shape().filter(|_| ty.is_vector() && !ty.is_scalable_vector())? {
        [4] => Some(("llvm.x86.avx512.mask.scalef.ps.128", 8)),
        [8] => Some(("llvm.x86.avx512.mask.scalef.ps.256", 8)),
        [16] => Some(("llvm.x86.avx512.mask.scalef.ps.512", 16)),
        _ => None,
    }
}

impl Machine for Emit<'_, '_> {
    type F = ValueId;
    type I = ValueId;
    type C = ValueId;

    fn float(&mut self, value: f32) -> ValueId {
        let attr = self.b.cx().f32_attr(value);
        self.constant(attr, self.float)
    }

    fn int(&mut self, value: i32) -> ValueId {
        let attr = self.b.cx().i32_attr(value);
        self.constant(attr, self.int)
    }

    fn add(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.b.same::<AddFOp<'_>>(&[a, b])
    }

    fn sub(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.b.same::<SubFOp<'_>>(&[a, b])
    }

    fn mul(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.b.same::<MulFOp<'_>>(&[a, b])
    }

    fn div(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.b.same::<DivFOp<'_>>(&[a, b])
    }

    fn fma(&mut self, a: ValueId, b: ValueId, c: ValueId) -> ValueId {
        self.b.same::<FmaOp<'_>>(&[a, b, c])
    }

    fn round(&mut self, a: ValueId) -> ValueId {
        self.b.same::<RoundEvenOp<'_>>(&[a])
    }

    fn abs(&mut self, a: ValueId) -> ValueId {
        self.b.same::<AbsFOp<'_>>(&[a])
    }

    fn neg(&mut self, a: ValueId) -> ValueId {
        self.b.same::<NegFOp<'_>>(&[a])
    }

    fn less(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.compare(CmpFPredicate::Olt, a, b)
    }

    fn equal(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.compare(CmpFPredicate::Oeq, a, b)
    }

    fn select(&mut self, condition: ValueId, yes: ValueId, no: ValueId) -> ValueId {
        self.b.select(condition, yes, no)
    }

    fn to_int(&mut self, a: ValueId) -> ValueId {
        self.b.value::<FPToSIOp<'_>>(&[a], self.int)
    }

    fn to_float(&mut self, a: ValueId) -> ValueId {
        self.b.value::<SIToFPOp<'_>>(&[a], self.float)
    }

    fn bits(&mut self, a: ValueId) -> ValueId {
        self.b.value::<BitcastOp<'_>>(&[a], self.int)
    }

    fn of_bits(&mut self, a: ValueId) -> ValueId {
        self.b.value::<BitcastOp<'_>>(&[a], self.float)
    }

    fn add_int(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.b.same::<AddIOp<'_>>(&[a, b])
    }

    fn sub_int(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.b.same::<SubIOp<'_>>(&[a, b])
    }

    fn shift_left(&mut self, a: ValueId, by: i32) -> ValueId {
        let by = self.int(by);
        self.b.same::<ShLIOp<'_>>(&[a, by])
    }

    fn shift_right(&mut self, a: ValueId, by: i32) -> ValueId {
        let by = self.int(by);
        self.b.same::<ShRSIOp<'_>>(&[a, by])
    }

    fn scale(&mut self, a: ValueId, n: ValueId) -> ValueId {
        let cx = self.b.cx();
        let intrinsic = scale_intrinsic(cx.ty(self.float)).filter(|_| self.scaling == Scaling::Avx512);
        let Some((name, mask_bits)) = intrinsic else { return self.scale_in_steps(a, n) };
        let mut constant = |bits: u32, value: i64| {
            let ty = cx.int_type(bits);
            self.b.value_with::<ConstantOp<'_>>(&[], ty, &[("value", cx.int_attr(ty, value))])
        };
        let mut operands = vec![a, n, a, constant(mask_bits, -1)];
        if mask_bits == 16 {
            // Rounding as the thread has it.
            operands.push(constant(32, 4));
        }
        let state = OpState::of::<CallIntrinsicOp<'_>>(self.b.loc)
            .attr(cx, "intrin", cx.string_attr(name))
            .attr(cx, "op_bundle_sizes", cx.dense_i32_array(&[]))
            .operand_segments(cx, &[operands.len(), 0])
            .operands(operands)
            .results([self.float]);
        self.b.create_value(state)
    }
}
