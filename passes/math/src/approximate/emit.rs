//! The operations as IR.

use dl_arith::{
    AddFOp, BitcastOp, Build, CmpFOp, CmpFPredicate, DivFOp, MulFOp, NegFOp, SIToFPOp, ShLIOp, ShRSIOp, SubFOp, SubIOp,
};
use dl_ir::{Attr, OpDefinition, OpState, Type, TypeRef, ValueId};
use dl_llvm::{CallIntrinsicOp, ConstantOp};
use dl_math::{AbsFOp, FmaOp};

use super::machine::{Machine, Whole};
use super::pass::Scaling;

/// Values that are computed side by side at most.
pub(super) const MOST: usize = 4;

/// Values that are computed side by side; behind the last of fewer than [`MOST`], the first again.
pub(super) type Side = [ValueId; MOST];

/// Makes operations on values of one type: f32, or vectors of it; or f64, of whose bits nothing is asked. For several values, each operation is made
/// for all of them before the next one: a processor that waits for one of them finds the others nearby.
pub(super) struct Emit<'r, 'c> {
    b: Build<'r, 'c>,
    count: usize,
    float: Type,
    int: Type,
    condition: Type,
    scaling: Scaling,
}

impl<'r, 'c> Emit<'r, 'c> {
    /// Makes operations for `count` values of type `ty`.
    pub(super) fn new(b: Build<'r, 'c>, count: usize, ty: Type, scaling: Scaling) -> Self {
        let cx = b.cx();
        let view = cx.ty(ty);
        let like = |element: Type| if view.is_vector() { view.with_element(element) } else { element };
        Self { float: ty, int: like(cx.i32_type()), condition: like(cx.i1_type()), scaling, count, b }
    }

    /// What the operation `T` computes.
    pub(super) fn function<T: OpDefinition>(&mut self, a: Side) -> Side {
        self.each([a], |build, values| build.same::<T>(&values))
    }

    /// A constant for all lanes.
    fn constant(&mut self, value: Attr, ty: Type) -> Side {
        // A number of the element type is a splat of any static vector type of it; scalable ones have static shapes, too.
        let value = self.b.cx().splat_attr(ty, value).unwrap_or(value);
        [self.b.constant(value, ty); MOST]
    }

    /// An operation for each of the values, with these operands.
    fn each<const N: usize>(
        &mut self,
        operands: [Side; N],
        mut make: impl FnMut(&mut Build<'r, 'c>, [ValueId; N]) -> ValueId,
    ) -> Side {
        let mut made = operands[0];
        for at in 0..self.count {
            made[at] = make(&mut self.b, operands.map(|side| side[at]));
        }
        let first = made[0];
        made[self.count..].fill(first);
        made
    }

    fn compare(&mut self, predicate: CmpFPredicate, a: Side, b: Side) -> Side {
        let attr = self.b.cx().i64_attr(predicate.value() as i64);
        let ty = self.condition;
        self.each([a, b], |build, [a, b]| build.value_with::<CmpFOp<'_>>(&[a, b], ty, &[("predicate", attr)]))
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
    type F = Side;
    type I = Side;
    type C = Side;

    fn float(&mut self, value: f32) -> Side {
        let cx = self.b.cx();
        let attr = cx.float_attr(cx.ty(self.float).element_or_self().id(), value.into());
        self.constant(attr, self.float)
    }

    fn int(&mut self, value: i32) -> Side {
        let attr = self.b.cx().i32_attr(value);
        self.constant(attr, self.int)
    }

    fn add(&mut self, a: Side, b: Side) -> Side {
        self.each([a, b], |build, values| build.same::<AddFOp<'_>>(&values))
    }

    fn sub(&mut self, a: Side, b: Side) -> Side {
        self.each([a, b], |build, values| build.same::<SubFOp<'_>>(&values))
    }

    fn mul(&mut self, a: Side, b: Side) -> Side {
        self.each([a, b], |build, values| build.same::<MulFOp<'_>>(&values))
    }

    fn div(&mut self, a: Side, b: Side) -> Side {
        self.each([a, b], |build, values| build.same::<DivFOp<'_>>(&values))
    }

    fn fma(&mut self, a: Side, b: Side, c: Side) -> Side {
        self.each([a, b, c], |build, values| build.same::<FmaOp<'_>>(&values))
    }

    fn abs(&mut self, a: Side) -> Side {
        self.each([a], |build, values| build.same::<AbsFOp<'_>>(&values))
    }

    fn neg(&mut self, a: Side) -> Side {
        self.each([a], |build, values| build.same::<NegFOp<'_>>(&values))
    }

    fn less(&mut self, a: Side, b: Side) -> Side {
        self.compare(CmpFPredicate::Olt, a, b)
    }

    fn equal(&mut self, a: Side, b: Side) -> Side {
        self.compare(CmpFPredicate::Oeq, a, b)
    }

    fn select(&mut self, condition: Side, yes: Side, no: Side) -> Side {
        self.each([condition, yes, no], |build, [condition, yes, no]| build.select(condition, yes, no))
    }

    fn to_float(&mut self, a: Side) -> Side {
        let ty = self.float;
        self.each([a], |build, values| build.value::<SIToFPOp<'_>>(&values, ty))
    }

    fn bits(&mut self, a: Side) -> Side {
        let ty = self.int;
        self.each([a], |build, values| build.value::<BitcastOp<'_>>(&values, ty))
    }

    fn of_bits(&mut self, a: Side) -> Side {
        let ty = self.float;
        self.each([a], |build, values| build.value::<BitcastOp<'_>>(&values, ty))
    }

    fn sub_int(&mut self, a: Side, b: Side) -> Side {
        self.each([a, b], |build, values| build.same::<SubIOp<'_>>(&values))
    }

    fn shift_left(&mut self, a: Side, by: i32) -> Side {
        let by = self.int(by);
        self.each([a, by], |build, values| build.same::<ShLIOp<'_>>(&values))
    }

    fn shift_right(&mut self, a: Side, by: i32) -> Side {
        let by = self.int(by);
        self.each([a, by], |build, values| build.same::<ShRSIOp<'_>>(&values))
    }

    fn scale(&mut self, a: Side, n: Whole<Side>) -> Side {
        let cx = self.b.cx();
        let intrinsic = scale_intrinsic(cx.ty(self.float)).filter(|_| self.scaling == Scaling::Avx512);
        let Some((name, mask_bits)) = intrinsic else { return self.scale_in_steps(a, n) };
        let mut constant = |bits: u32, value: i64| {
            let ty = cx.int_type(bits);
            self.b.value_with::<ConstantOp<'_>>(&[], ty, &[("value", cx.int_attr(ty, value))])
        };
        let mut behind = vec![constant(mask_bits, -1)];
        if mask_bits == 16 {
            // Rounding as the thread has it.
            behind.push(constant(32, 4));
        }
        let ty = self.float;
        self.each([a, n.number], |build, [a, n]| {
            let operands = [a, n, a].into_iter().chain(behind.iter().copied());
            let state = OpState::of::<CallIntrinsicOp<'_>>(build.loc)
                .attr(cx, "intrin", cx.string_attr(name))
                .attr(cx, "op_bundle_sizes", cx.dense_i32_array(&[]))
                .operand_segments(cx, &[3 + behind.len(), 0])
                .operands(operands)
                .results([ty]);
            build.create_value(state)
        })
    }
}
