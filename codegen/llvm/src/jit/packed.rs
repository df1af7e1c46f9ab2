//! One function type for all entries.
//!
//! Rust cannot call a function whose parameter list is known at run time only, so each entry gets a generated function
//! `void (ptr slots)`, which [`dl_runtime::call`] describes: it loads what the entry takes, a memref as the members of its descriptor one by
//! one, calls it, and stores what it returns: one descriptor or scalar, or a struct of all the results.
//!
//! That is the calling convention of MLIR's lowered functions themselves. Their C interface (`_mlir_ciface_*`) would do as well, but
//! exists only where the program asked for it.

#![expect(unsafe_code, reason = "address arithmetic of inkwell's builder")]

use dl_runtime::call::{EntryPoint, unknown};
use dl_runtime::{ArgType, DType, descriptor};
use inkwell::{
    AddressSpace,
    builder::Builder,
    module::Linkage,
    types::{BasicType as _, BasicTypeEnum},
    values::{BasicMetadataValueEnum, BasicValueEnum, FunctionValue, PointerValue},
};

use crate::{
    error::{Error, Result},
    module::LlvmModule,
};

/// The generated function's symbol.
pub(super) fn name(entry: &str) -> String {
    format!("_dl_packed_{entry}")
}

/// Adds the generated function of each entry, and makes all others internal: what no entry reaches need not be compiled.
///
/// # Errors
/// [`Error::Entry`] when a function is not there or has another type than its signature says.
pub(super) fn add(module: &LlvmModule, entries: &[EntryPoint]) -> Result<()> {
    let defined = module.function_names();
    let callees = entries.iter().map(|entry| find(module, &defined, entry)).collect::<Result<Vec<_>>>()?;
    for name in &defined {
        if let Some(function) = module.inner().get_function(name) {
            function.set_linkage(Linkage::Internal);
        }
    }
    for (entry, callee) in entries.iter().zip(callees) {
        Generator { module, builder: module.inner().get_context().create_builder() }
            .add(entry, callee)
            .map_err(|error| Error::Llvm(format!("calling '{}': {error}", entry.name)))?;
    }
    Ok(())
}

/// The function of an entry, if it is there and fits the signature.
fn find(module: &LlvmModule, defined: &[String], entry: &EntryPoint) -> Result<FunctionValue<'static>> {
    let function = module
        .inner()
        .get_function(&entry.name)
        .filter(|function| function.count_basic_blocks() > 0)
        .ok_or_else(|| Error::Entry(unknown(&entry.name, defined)))?;
    let ty = function.get_type();
    let parameters: Vec<BasicTypeEnum<'static>> =
        entry.signature.inputs.iter().flat_map(|ty| parameter_types(module, ty)).collect();
    let found: Vec<_> = ty.get_param_types();
    let parameters_fit = found.len() == parameters.len()
        && found.iter().zip(&parameters).all(|(found, &expected)| *found == expected.into());
    if parameters_fit && !ty.is_var_arg() && ty.get_return_type() == return_type(module, entry) {
        return Ok(function);
    }
    let expected = match return_type(module, entry) {
        Some(result) => result.fn_type(&as_metadata(&parameters), false),
        None => module.inner().get_context().void_type().fn_type(&as_metadata(&parameters), false),
    };
    Err(Error::Entry(format!(
        "function '{}' was lowered to '{}', but its signature calls for '{}'",
        entry.name,
        ty.print_to_string().to_string(),
        expected.print_to_string().to_string()
    )))
}

fn as_metadata(types: &[BasicTypeEnum<'static>]) -> Vec<inkwell::types::BasicMetadataTypeEnum<'static>> {
    types.iter().map(|&ty| ty.into()).collect()
}

/// The parameters that one argument is lowered to.
fn parameter_types(module: &LlvmModule, ty: &ArgType) -> Vec<BasicTypeEnum<'static>> {
    match ty {
        ArgType::MemRef { shape, .. } => {
            (0..descriptor::words(shape.len())).map(|word| word_type(module, word)).collect()
        }
        ArgType::Scalar(dtype) => vec![scalar_type(module, *dtype)],
    }
}

/// What the function returns; `None` for nothing.
fn return_type(module: &LlvmModule, entry: &EntryPoint) -> Option<BasicTypeEnum<'static>> {
    let context = module.inner().get_context();
    let types: Vec<BasicTypeEnum<'static>> = entry
        .signature
        .results
        .iter()
        .map(|ty| match ty {
            ArgType::MemRef { shape, .. } => {
                let (pointer, word) = (word_type(module, 0), word_type(module, 2));
                let extents: BasicTypeEnum<'static> = word.array_type(shape.len() as u32).into();
                let mut members = vec![pointer, pointer, word];
                if !shape.is_empty() {
                    members.extend([extents, extents]);
                }
                context.struct_type(&members, false).into()
            }
            ArgType::Scalar(dtype) => scalar_type(module, *dtype),
        })
        .collect();
    match types.as_slice() {
        [] => None,
        [ty] => Some(*ty),
        types => Some(context.struct_type(types, false).into()),
    }
}

/// The type of one word of a descriptor: two pointers, then integers.
fn word_type(module: &LlvmModule, word: usize) -> BasicTypeEnum<'static> {
    let context = module.inner().get_context();
    if word < 2 { context.ptr_type(AddressSpace::default()).into() } else { context.i64_type().into() }
}

/// The type of a scalar argument or result.
fn scalar_type(module: &LlvmModule, dtype: DType) -> BasicTypeEnum<'static> {
    let context = module.inner().get_context();
    match dtype {
        DType::Bool => context.bool_type().into(),
        DType::I8 | DType::U8 | DType::F8E4M3FN | DType::F8E4M3FNUZ | DType::F8E5M2 | DType::F8E5M2FNUZ => {
            context.i8_type().into()
        }
        DType::I16 | DType::U16 => context.i16_type().into(),
        DType::I32 | DType::U32 => context.i32_type().into(),
        DType::I64 | DType::U64 => context.i64_type().into(),
        DType::F16 => context.f16_type().into(),
        DType::BF16 => context.bf16_type().into(),
        DType::F32 => context.f32_type().into(),
        DType::F64 => context.f64_type().into(),
    }
}

/// Builds one generated function.
struct Generator<'m> {
    module: &'m LlvmModule,
    builder: Builder<'static>,
}

type Built<T> = std::result::Result<T, inkwell::builder::BuilderError>;

impl Generator<'_> {
    fn add(&self, entry: &EntryPoint, callee: FunctionValue<'static>) -> Built<()> {
        let inner = self.module.inner();
        let context = inner.get_context();
        let slot_type = context.ptr_type(AddressSpace::default());
        let ty = context.void_type().fn_type(&[slot_type.into()], false);
        let function = inner.add_function(&name(&entry.name), ty, Some(Linkage::External));
        self.builder.position_at_end(context.append_basic_block(function, ""));
        let slots = function.get_first_param().map(BasicValueEnum::into_pointer_value);
        let slots = slots.unwrap_or_else(|| slot_type.const_null());

        let mut arguments: Vec<BasicMetadataValueEnum<'static>> = Vec::new();
        for (index, input) in entry.signature.inputs.iter().enumerate() {
            let slot = self.load_word(slots, index, slot_type.into())?.into_pointer_value();
            match input {
                ArgType::MemRef { shape, .. } => {
                    for word in 0..descriptor::words(shape.len()) {
                        let ty = word_type(self.module, word);
                        arguments.push(self.load_word(slot, word, ty)?.into());
                    }
                }
                ArgType::Scalar(DType::Bool) => {
                    // In memory a truth value is a byte.
                    let byte = self.builder.build_load(context.i8_type(), slot, "")?;
                    let (byte, bit) = (byte.into_int_value(), context.bool_type());
                    arguments.push(self.builder.build_int_truncate(byte, bit, "")?.into());
                }
                ArgType::Scalar(dtype) => {
                    let ty = scalar_type(self.module, *dtype);
                    arguments.push(self.builder.build_load(ty, slot, "")?.into());
                }
            }
        }
        let returned = self.builder.build_call(callee, &arguments, "")?.try_as_basic_value();
        if let Some(value) = returned.basic() {
            let slot = self.load_word(slots, entry.signature.inputs.len(), slot_type.into())?;
            self.builder.build_store(slot.into_pointer_value(), value)?;
        }
        self.builder.build_return(None)?;
        Ok(())
    }

    /// Loads word `index` after `base` as a value of type `ty`.
    fn load_word(
        &self,
        base: PointerValue<'static>,
        index: usize,
        ty: BasicTypeEnum<'static>,
    ) -> Built<BasicValueEnum<'static>> {
        let word = self.module.inner().get_context().i64_type();
        let index = word.const_int(index as u64, false);
        // SAFETY: the caller of the generated function passes as many slots, and descriptors of as many words, as it loads.
        let address = unsafe { self.builder.build_in_bounds_gep(word, base, &[index], "")? };
        self.builder.build_load(ty, address, "")
    }
}
