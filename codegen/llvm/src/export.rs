//! A plain C function for an entry, for objects and libraries that others link.
//!
//! `int32_t name(const dl_tensor *inputs, dl_tensor *outputs)`, with tensors as [`Tensor`] lays them out, checks the inputs against the
//! signature, calls the lowered function, and hands out its results. Nothing but the C library is needed for that.
//!
//! The program must give the buffers of its results away, as ownership-based deallocation makes functions do.

#![expect(unsafe_code, reason = "address arithmetic of inkwell's builder")]

use dl_runtime::c_interface::{MAX_RANK, Status, dtype_code};
use dl_runtime::call::EntryPoint;
use dl_runtime::{ArgType, DType};
use inkwell::{
    AddressSpace, IntPredicate,
    basic_block::BasicBlock,
    builder::{Builder, BuilderError},
    module::Linkage,
    types::{BasicType as _, BasicTypeEnum, IntType, PointerType},
    values::{BasicMetadataValueEnum, BasicValueEnum, FunctionValue, IntValue, PointerValue},
};

use crate::{
    error::{Error, Result},
    jit::packed,
    module::LlvmModule,
};

/// Byte offsets in the C struct of a tensor: where its elements are; what to release when they are no longer needed; how many bytes there
/// are room for; its extents; the number of them; and the type of the elements, as ONNX numbers it.
struct Tensor;

impl Tensor {
    const DATA: u64 = 0;
    const OWNER: u64 = 8;
    const CAPACITY: u64 = 16;
    const SHAPE: u64 = 24;
    const RANK: u64 = Self::SHAPE + 8 * MAX_RANK as u64;
    const DTYPE: u64 = Self::RANK + 4;
    const SIZE: u64 = Self::DTYPE + 4;
}

impl LlvmModule {
    /// Adds the C function `name` for an entry, and makes all other functions internal.
    ///
    /// # Errors
    /// [`Error::Entry`] when the entry is not there, was lowered to another type than its signature says, or takes what the interface cannot
    /// hold.
    pub fn export(&self, entry: &EntryPoint, name: &str) -> Result<()> {
        let types = entry.signature.inputs.iter().chain(&entry.signature.results);
        if types.into_iter().any(|ty| shape(ty).len() > MAX_RANK) {
            let message = format!("unsupported: a tensor with more than {MAX_RANK} dimensions in a C interface");
            return Err(Error::Entry(message));
        }
        let callee = packed::find(self, &self.function_names(), entry)?;
        for function in self.inner().get_functions().filter(|function| function.count_basic_blocks() > 0) {
            function.set_linkage(Linkage::Internal);
        }
        // The program may have a function of that name.
        if let Some(other) = self.inner().get_function(name) {
            other.as_global_value().set_name(&format!("{name}.program"));
        }
        let exporter = Exporter { module: self, builder: self.inner().get_context().create_builder() };
        let function = exporter.declare(name);
        exporter.define(function, entry, callee).map_err(|error| Error::Llvm(format!("exporting '{name}': {error}")))
    }
}

fn shape(ty: &ArgType) -> &[Option<usize>] {
    match ty {
        ArgType::MemRef { shape, .. } => shape,
        ArgType::Scalar(_) => &[],
    }
}

type Built<T> = std::result::Result<T, BuilderError>;

/// A result on its way out.
struct Outgoing {
    dtype: DType,
    /// What was allocated, and where the elements begin.
    allocated: PointerValue<'static>,
    data: PointerValue<'static>,
    extents: Vec<IntValue<'static>>,
    bytes: IntValue<'static>,
}

/// Builds the function.
struct Exporter<'m> {
    module: &'m LlvmModule,
    builder: Builder<'static>,
}

impl Exporter<'_> {
    fn pointer(&self) -> PointerType<'static> {
        self.module.inner().get_context().ptr_type(AddressSpace::default())
    }

    fn word(&self) -> IntType<'static> {
        self.module.inner().get_context().i64_type()
    }

    fn int(&self) -> IntType<'static> {
        self.module.inner().get_context().i32_type()
    }

    fn declare(&self, name: &str) -> FunctionValue<'static> {
        let (int, pointer) = (self.int(), self.pointer());
        let ty = int.fn_type(&[pointer.into(), pointer.into()], false);
        self.module.inner().add_function(name, ty, Some(Linkage::External))
    }

    /// A function of the C library.
    fn library(
        &self,
        name: &str,
        result: Option<BasicTypeEnum<'static>>,
        parameters: &[BasicTypeEnum<'static>],
    ) -> FunctionValue<'static> {
        let parameters: Vec<_> = parameters.iter().map(|&ty| ty.into()).collect();
        let ty = match result {
            Some(result) => result.fn_type(&parameters, false),
            None => self.module.inner().get_context().void_type().fn_type(&parameters, false),
        };
        self.module.inner().get_function(name).unwrap_or_else(|| self.module.inner().add_function(name, ty, None))
    }

    fn define(
        &self,
        function: FunctionValue<'static>,
        entry: &EntryPoint,
        callee: FunctionValue<'static>,
    ) -> Built<()> {
        let parameter = |at: u32| {
            function.get_nth_param(at).map_or_else(|| self.pointer().const_null(), BasicValueEnum::into_pointer_value)
        };
        let (inputs, outputs) = (parameter(0), parameter(1));
        self.builder.position_at_end(self.block(function));
        let mut arguments: Vec<BasicMetadataValueEnum<'static>> = Vec::new();
        for (number, ty) in entry.signature.inputs.iter().enumerate() {
            self.argument(function, inputs, number, ty, &mut arguments)?;
        }
        let returned = self.builder.build_call(callee, &arguments, "")?.try_as_basic_value().basic();
        let count = entry.signature.results.len();
        let mut outgoing = Vec::new();
        for (number, ty) in entry.signature.results.iter().enumerate() {
            let value = match returned {
                Some(BasicValueEnum::StructValue(all)) if count > 1 => {
                    self.builder.build_extract_value(all, number as u32, "")?
                }
                Some(value) => value,
                None => break,
            };
            let result = self.outgoing(function, ty, value)?;
            let result = self.of_its_own(function, result, &outgoing)?;
            outgoing.push(result);
        }
        let mut answer = self.int().const_zero();
        for (number, result) in outgoing.iter().enumerate() {
            let failed = self.hand_out(function, outputs, number, result)?;
            let is_first = self.builder.build_int_compare(IntPredicate::EQ, answer, self.int().const_zero(), "")?;
            answer = self.builder.build_select(is_first, failed, answer, "")?.into_int_value();
        }
        self.builder.build_return(Some(&answer))?;
        Ok(())
    }

    fn block(&self, function: FunctionValue<'static>) -> BasicBlock<'static> {
        self.module.inner().get_context().append_basic_block(function, "")
    }

    /// The address `offset` bytes after `base`.
    fn address(&self, base: PointerValue<'static>, offset: u64) -> Built<PointerValue<'static>> {
        let byte = self.module.inner().get_context().i8_type();
        // SAFETY: the caller of the function passes as many tensors as its header says, each of this layout.
        unsafe { self.builder.build_in_bounds_gep(byte, base, &[self.word().const_int(offset, false)], "") }
    }

    fn load(
        &self,
        base: PointerValue<'static>,
        offset: u64,
        ty: BasicTypeEnum<'static>,
    ) -> Built<BasicValueEnum<'static>> {
        self.builder.build_load(ty, self.address(base, offset)?, "")
    }

    fn store(
        &self,
        base: PointerValue<'static>,
        offset: u64,
        value: impl inkwell::values::BasicValue<'static>,
    ) -> Built<()> {
        self.builder.build_store(self.address(base, offset)?, value)?;
        Ok(())
    }

    /// Returns with an error unless `holds`.
    fn check(
        &self,
        function: FunctionValue<'static>,
        holds: IntValue<'static>,
        error: Status,
        number: usize,
    ) -> Built<()> {
        let (good, bad) = (self.block(function), self.block(function));
        self.builder.build_conditional_branch(holds, good, bad)?;
        self.builder.position_at_end(bad);
        self.builder.build_return(Some(&self.code(error, number)))?;
        self.builder.position_at_end(good);
        Ok(())
    }

    fn code(&self, error: Status, number: usize) -> IntValue<'static> {
        self.int().const_int((number as u64) << 8 | error as u64, false)
    }

    /// Checks an input and adds what the lowered function takes for it.
    fn argument(
        &self,
        function: FunctionValue<'static>,
        inputs: PointerValue<'static>,
        number: usize,
        ty: &ArgType,
        arguments: &mut Vec<BasicMetadataValueEnum<'static>>,
    ) -> Built<()> {
        let base = self.address(inputs, number as u64 * Tensor::SIZE)?;
        let expected = |value: u64| self.int().const_int(value, false);
        let dtype = self.load(base, Tensor::DTYPE, self.int().into())?.into_int_value();
        let code = expected(u64::from(dtype_code(ty.dtype())));
        let same = self.builder.build_int_compare(IntPredicate::EQ, dtype, code, "")?;
        self.check(function, same, Status::DType, number)?;
        let rank = self.load(base, Tensor::RANK, self.int().into())?.into_int_value();
        let same = self.builder.build_int_compare(IntPredicate::EQ, rank, expected(shape(ty).len() as u64), "")?;
        self.check(function, same, Status::Rank, number)?;
        let mut extents = Vec::new();
        for (dim, known) in shape(ty).iter().enumerate() {
            let extent = self.load(base, Tensor::SHAPE + 8 * dim as u64, self.word().into())?.into_int_value();
            let (predicate, bound) = match *known {
                Some(known) => (IntPredicate::EQ, known as u64),
                None => (IntPredicate::SGE, 0),
            };
            let holds = self.builder.build_int_compare(predicate, extent, self.word().const_int(bound, false), "")?;
            self.check(function, holds, Status::Shape, number)?;
            extents.push(extent);
        }
        let data = self.load(base, Tensor::DATA, self.pointer().into())?.into_pointer_value();
        let there = self.builder.build_is_not_null(data, "")?;
        self.check(function, there, Status::Null, number)?;
        match ty {
            ArgType::Scalar(DType::Bool) => {
                let context = self.module.inner().get_context();
                let byte = self.builder.build_load(context.i8_type(), data, "")?.into_int_value();
                arguments.push(self.builder.build_int_truncate(byte, context.bool_type(), "")?.into());
            }
            ArgType::Scalar(dtype) => {
                arguments.push(self.builder.build_load(packed::scalar_type(self.module, *dtype), data, "")?.into());
            }
            ArgType::MemRef { .. } => {
                let mut strides = Vec::new();
                let mut stride = self.word().const_int(1, false);
                for &extent in extents.iter().rev() {
                    strides.push(stride);
                    stride = self.builder.build_int_mul(stride, extent, "")?;
                }
                let words: [BasicMetadataValueEnum<'static>; 3] =
                    [data.into(), data.into(), self.word().const_zero().into()];
                arguments.extend(words);
                arguments.extend(extents.iter().map(|&extent| BasicMetadataValueEnum::from(extent)));
                arguments.extend(strides.iter().rev().map(|&stride| BasicMetadataValueEnum::from(stride)));
            }
        }
        Ok(())
    }

    /// The parts of a result. A scalar is put into memory.
    fn outgoing(
        &self,
        function: FunctionValue<'static>,
        ty: &ArgType,
        value: BasicValueEnum<'static>,
    ) -> Built<Outgoing> {
        let dtype = ty.dtype();
        let size = self.word().const_int(dtype.size() as u64, false);
        let BasicValueEnum::StructValue(descriptor) = value else {
            let memory = self.allocate(function, size)?;
            let stored = match value {
                BasicValueEnum::IntValue(bit) if dtype == DType::Bool => {
                    let byte = self.module.inner().get_context().i8_type();
                    self.builder.build_int_z_extend(bit, byte, "")?.into()
                }
                other => other,
            };
            self.builder.build_store(memory, stored)?;
            return Ok(Outgoing { dtype, allocated: memory, data: memory, extents: Vec::new(), bytes: size });
        };
        let member = |at: u32| self.builder.build_extract_value(descriptor, at, "");
        let (allocated, aligned) = (member(0)?.into_pointer_value(), member(1)?.into_pointer_value());
        let offset = self.builder.build_int_mul(member(2)?.into_int_value(), size, "")?;
        let byte = self.module.inner().get_context().i8_type();
        // SAFETY: the descriptor says where in its buffer the elements begin.
        let data = unsafe { self.builder.build_in_bounds_gep(byte, aligned, &[offset], "")? };
        let (mut extents, mut bytes) = (Vec::new(), size);
        for dim in 0..shape(ty).len() as u32 {
            let sizes = member(3)?.into_array_value();
            let extent = self.builder.build_extract_value(sizes, dim, "")?.into_int_value();
            bytes = self.builder.build_int_mul(bytes, extent, "")?;
            extents.push(extent);
        }
        Ok(Outgoing { dtype, allocated, data, extents, bytes })
    }

    /// The result with a copy of its elements, if its buffer is also that of one before: a program may return a value twice.
    fn of_its_own(&self, function: FunctionValue<'static>, result: Outgoing, before: &[Outgoing]) -> Built<Outgoing> {
        let mut shared = self.module.inner().get_context().bool_type().const_zero();
        for other in before {
            let same = self.builder.build_int_compare(IntPredicate::EQ, result.allocated, other.allocated, "")?;
            shared = self.builder.build_or(shared, same, "")?;
        }
        if before.is_empty() {
            return Ok(result);
        }
        let own = self.builder.get_insert_block().unwrap_or_else(|| self.block(function));
        let [copy, next] = std::array::from_fn(|_| self.block(function));
        self.builder.build_conditional_branch(shared, copy, next)?;
        self.builder.position_at_end(copy);
        // The C library may answer null for no bytes.
        let bytes = self.builder.build_or(result.bytes, self.word().const_int(1, false), "")?;
        let memory = self.allocate(function, bytes)?;
        self.builder.build_memcpy(memory, 1, result.data, 1, result.bytes)?;
        let copied = self.builder.get_insert_block().unwrap_or(copy);
        self.builder.build_unconditional_branch(next)?;
        self.builder.position_at_end(next);
        let pick = |old: PointerValue<'static>| -> Built<PointerValue<'static>> {
            let pick = self.builder.build_phi(self.pointer(), "")?;
            pick.add_incoming(&[(&old, own), (&memory, copied)]);
            Ok(pick.as_basic_value().into_pointer_value())
        };
        let (allocated, data) = (pick(result.allocated)?, pick(result.data)?);
        Ok(Outgoing { allocated, data, ..result })
    }

    /// Memory from the C library, or an error from the function.
    fn allocate(&self, function: FunctionValue<'static>, bytes: IntValue<'static>) -> Built<PointerValue<'static>> {
        let malloc = self.library("malloc", Some(self.pointer().into()), &[self.word().into()]);
        let memory = self.builder.build_call(malloc, &[bytes.into()], "")?.try_as_basic_value().basic();
        let memory = memory.map_or_else(|| self.pointer().const_null(), BasicValueEnum::into_pointer_value);
        let there = self.builder.build_is_not_null(memory, "")?;
        self.check(function, there, Status::Memory, 0)?;
        Ok(memory)
    }

    /// Gives an output its extents, and the buffer of the result or a copy of what is in it. Answers an error, or 0.
    fn hand_out(
        &self,
        function: FunctionValue<'static>,
        outputs: PointerValue<'static>,
        number: usize,
        result: &Outgoing,
    ) -> Built<IntValue<'static>> {
        let base = self.address(outputs, number as u64 * Tensor::SIZE)?;
        let (word, int) = (self.word(), self.int());
        self.store(base, Tensor::RANK, int.const_int(result.extents.len() as u64, false))?;
        self.store(base, Tensor::DTYPE, int.const_int(u64::from(dtype_code(result.dtype)), false))?;
        for (dim, &extent) in result.extents.iter().enumerate() {
            self.store(base, Tensor::SHAPE + 8 * dim as u64, extent)?;
        }
        let [give, copy, fits, release, done] = std::array::from_fn(|_| self.block(function));
        let given = self.load(base, Tensor::DATA, self.pointer().into())?.into_pointer_value();
        let without = self.builder.build_is_null(given, "")?;
        self.builder.build_conditional_branch(without, give, copy)?;

        self.builder.position_at_end(give);
        self.store(base, Tensor::DATA, result.data)?;
        self.store(base, Tensor::OWNER, result.allocated)?;
        self.store(base, Tensor::CAPACITY, result.bytes)?;
        self.builder.build_unconditional_branch(done)?;

        self.builder.position_at_end(copy);
        let capacity = self.load(base, Tensor::CAPACITY, word.into())?.into_int_value();
        let enough = self.builder.build_int_compare(IntPredicate::UGE, capacity, result.bytes, "")?;
        self.builder.build_conditional_branch(enough, fits, release)?;
        self.builder.position_at_end(fits);
        self.builder.build_memcpy(given, 1, result.data, 1, result.bytes)?;
        self.builder.build_unconditional_branch(release)?;

        self.builder.position_at_end(release);
        let failed = self.builder.build_phi(int, "")?;
        let (zero, error) = (int.const_zero(), self.code(Status::Capacity, number));
        failed.add_incoming(&[(&error, copy), (&zero, fits)]);
        let free = self.library("free", None, &[self.pointer().into()]);
        self.builder.build_call(free, &[result.allocated.into()], "")?;
        self.builder.build_unconditional_branch(done)?;

        self.builder.position_at_end(done);
        let answer = self.builder.build_phi(int, "")?;
        let failed = failed.as_basic_value().into_int_value();
        answer.add_incoming(&[(&zero, give), (&failed, release)]);
        Ok(answer.as_basic_value().into_int_value())
    }
}
