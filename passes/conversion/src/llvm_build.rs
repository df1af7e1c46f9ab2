//! Making `llvm` operations in a row.

use dl_ir::{OpId, OpState, Type, ValueId};
use dl_llvm::types::{element_at, ptr_type};
use dl_llvm::{
    AddOp, CallOp, ConstantOp, ExtractValueOp, GEPNoWrapFlags, GEPOp, InsertValueOp, IntegerOverflowFlags, LoadOp,
    MulOp, PoisonOp, StoreOp, ZeroOp,
};
use smallvec::SmallVec;

use dl_arith::Build;

/// An index of an address computation.
#[derive(Clone, Copy)]
pub(crate) enum Index {
    /// Known.
    Constant(i32),
    /// A value.
    Value(ValueId),
}

/// What stands in the constant indices for one that is a value.
const DYNAMIC_INDEX: i32 = i32::MIN;

/// What a [`Build`] can make of the `llvm` dialect.
pub(crate) trait LlvmBuild {
    /// `llvm.mlir.constant(value : index) : ty`.
    fn llvm_index(&mut self, ty: Type, value: i64) -> ValueId;

    /// `llvm.mlir.constant(value : ty) : ty`.
    fn llvm_int(&mut self, ty: Type, value: i64) -> ValueId;

    /// `llvm.mlir.poison`.
    fn poison(&mut self, ty: Type) -> ValueId;

    /// `llvm.mlir.zero`.
    fn llvm_zero(&mut self, ty: Type) -> ValueId;

    /// `llvm.extractvalue container[position]`.
    ///
    /// # Panics
    /// When the aggregate has no such part.
    fn extract(&mut self, container: ValueId, position: &[i64]) -> ValueId;

    /// `llvm.insertvalue value, container[position]`.
    fn insert(&mut self, container: ValueId, value: ValueId, position: &[i64]) -> ValueId;

    /// `llvm.getelementptr`: the address of an element, the base pointing to elements of type `element`.
    fn gep(&mut self, base: ValueId, element: Type, indices: &[Index], flags: GEPNoWrapFlags) -> ValueId;

    /// `llvm.load` of a `ty`.
    fn llvm_load(&mut self, ty: Type, address: ValueId) -> ValueId;

    /// `llvm.store`.
    fn llvm_store(&mut self, value: ValueId, address: ValueId);

    /// `llvm.alloca` of `count` elements of type `element`.
    fn alloca(&mut self, element: Type, count: ValueId) -> ValueId;

    /// `llvm.call @callee(args)`.
    fn llvm_call(&mut self, callee: &str, args: &[ValueId], result: Option<Type>) -> OpId;

    /// The parts of `llvm.call` without what is called.
    fn call_state(&self, args: &[ValueId], result: Option<Type>) -> OpState;

    /// A product that may be assumed not to overflow as `flags` says.
    fn llvm_mul(&mut self, a: ValueId, b: ValueId, flags: IntegerOverflowFlags) -> ValueId;

    /// A sum that may be assumed not to overflow as `flags` says.
    fn llvm_add(&mut self, a: ValueId, b: ValueId, flags: IntegerOverflowFlags) -> ValueId;
}

impl LlvmBuild for Build<'_, '_> {
    fn llvm_index(&mut self, ty: Type, value: i64) -> ValueId {
        let attr = self.cx().index_attr(value);
        self.value_with::<ConstantOp<'_>>(&[], ty, &[("value", attr)])
    }

    fn llvm_int(&mut self, ty: Type, value: i64) -> ValueId {
        let attr = self.cx().int_attr(ty, value);
        self.value_with::<ConstantOp<'_>>(&[], ty, &[("value", attr)])
    }

    fn poison(&mut self, ty: Type) -> ValueId {
        self.value::<PoisonOp<'_>>(&[], ty)
    }

    fn llvm_zero(&mut self, ty: Type) -> ValueId {
        self.value::<ZeroOp<'_>>(&[], ty)
    }

    fn extract(&mut self, container: ValueId, position: &[i64]) -> ValueId {
        let cx = self.cx();
        let ty = element_at(cx, self.ir().value_type(container), position).expect("a part of the aggregate");
        let attr = cx.dense_i64_array(position);
        self.value_with::<ExtractValueOp<'_>>(&[container], ty, &[("position", attr)])
    }

    fn insert(&mut self, container: ValueId, value: ValueId, position: &[i64]) -> ValueId {
        let (ty, attr) = (self.ir().value_type(container), self.cx().dense_i64_array(position));
        self.value_with::<InsertValueOp<'_>>(&[container, value], ty, &[("position", attr)])
    }

    fn gep(&mut self, base: ValueId, element: Type, indices: &[Index], flags: GEPNoWrapFlags) -> ValueId {
        let cx = self.cx();
        let pointer = self.ir().value_type(base);
        let mut operands: SmallVec<[ValueId; 4]> = smallvec::smallvec![base];
        let mut constants: SmallVec<[i32; 4]> = SmallVec::new();
        for &index in indices {
            match index {
                Index::Constant(value) => constants.push(value),
                Index::Value(value) => {
                    constants.push(DYNAMIC_INDEX);
                    operands.push(value);
                }
            }
        }
        let attrs = [
            ("rawConstantIndices", cx.dense_i32_array(&constants)),
            ("elem_type", cx.type_attr(element)),
            ("noWrapFlags", cx.i32_attr(flags.0 as i32)),
        ];
        self.value_with::<GEPOp<'_>>(&operands, pointer, &attrs)
    }

    fn llvm_load(&mut self, ty: Type, address: ValueId) -> ValueId {
        self.value::<LoadOp<'_>>(&[address], ty)
    }

    fn llvm_store(&mut self, value: ValueId, address: ValueId) {
        let state = OpState::of::<StoreOp<'_>>(self.loc).operands([value, address]);
        self.create(state);
    }

    fn alloca(&mut self, element: Type, count: ValueId) -> ValueId {
        let cx = self.cx();
        let attr = cx.type_attr(element);
        self.value_with::<dl_llvm::AllocaOp<'_>>(&[count], ptr_type(cx), &[("elem_type", attr)])
    }

    fn llvm_call(&mut self, callee: &str, args: &[ValueId], result: Option<Type>) -> OpId {
        let cx = self.cx();
        let callee = cx.symbol_ref_attr(callee);
        let state = self.call_state(args, result).attr(cx, "callee", callee);
        self.create(state)
    }

    fn call_state(&self, args: &[ValueId], result: Option<Type>) -> OpState {
        let cx = self.cx();
        OpState::of::<CallOp<'_>>(self.loc)
            .operands(args.iter().copied())
            .results(result)
            .attr(cx, "op_bundle_sizes", cx.dense_i32_array(&[]))
            .operand_segments(cx, &[args.len(), 0])
    }

    fn llvm_mul(&mut self, a: ValueId, b: ValueId, flags: IntegerOverflowFlags) -> ValueId {
        with_overflow::<MulOp<'_>>(self, a, b, flags)
    }

    fn llvm_add(&mut self, a: ValueId, b: ValueId, flags: IntegerOverflowFlags) -> ValueId {
        with_overflow::<AddOp<'_>>(self, a, b, flags)
    }
}

/// Arithmetic on integers that may be assumed not to overflow as `flags` says.
fn with_overflow<T: dl_ir::OpDefinition>(
    build: &mut Build<'_, '_>,
    a: ValueId,
    b: ValueId,
    flags: IntegerOverflowFlags,
) -> ValueId {
    let (ty, attr) = (build.ir().value_type(a), build.cx().i32_attr(flags.0 as i32));
    build.value_with::<T>(&[a, b], ty, &[("overflowFlags", attr)])
}
