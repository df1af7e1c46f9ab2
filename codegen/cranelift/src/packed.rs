//! One function type for all entries: [`dl_runtime::call`] describes it.
//!
//! The function loads what the entry takes from the slots, calls it, and stores what it returns.

use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, types};
use cranelift_module::{FuncId, Linkage};
use dl_ir::{Context, Diagnostics, Loc, OpRef, Type, TypeRef};
use dl_llvm::{array_type, func_type, ptr_type, struct_type, void_type};
use dl_runtime::call::{EntryPoint, unknown};
use dl_runtime::{ArgType, DType, descriptor};

use crate::abi::Abi;
use crate::function::{ACCESS, Function, Outcome};
use crate::lanes::Parts;
use crate::unit::Unit;

/// Checks that the function of an entry is there, and was lowered to what its signature calls for.
///
/// # Errors
/// What is there instead.
pub(crate) fn check(root: OpRef<'_>, entry: &EntryPoint) -> Result<(), String> {
    let functions = root.regions().flat_map(dl_ir::RegionRef::ops).filter(|op| op.name() == "llvm.func");
    let defined: Vec<OpRef<'_>> = functions.filter(|op| !op.region(0).is_empty()).collect();
    let names: Vec<&str> = defined.iter().filter_map(|op| op.symbol_name()).collect();
    let function = defined.iter().find(|op| op.symbol_name() == Some(&entry.name));
    let function = function.ok_or_else(|| unknown(&entry.name, &names))?;
    let found = crate::abi::function_type(*function);
    let found =
        found.map_err(|what| format!("unsupported on the cranelift back end: function '{}': {what}", entry.name))?;
    let expected = lowered_type(root.cx(), entry);
    if found == expected {
        return Ok(());
    }
    Err(format!("function '{}' was lowered to '{found}', but its signature calls for '{expected}'", entry.name))
}

/// The type that the function of this signature is lowered to.
fn lowered_type<'c>(cx: &'c Context, entry: &EntryPoint) -> TypeRef<'c> {
    let mut params = Vec::new();
    for input in &entry.signature.inputs {
        match input {
            ArgType::MemRef { shape, .. } => {
                params.extend([ptr_type(cx), ptr_type(cx)]);
                params.extend(std::iter::repeat_n(cx.i64_type(), descriptor::words(shape.len()) - 2));
            }
            ArgType::Scalar(dtype) => params.push(scalar_type(cx, *dtype)),
        }
    }
    let result = |ty: &ArgType| match ty {
        ArgType::MemRef { shape, .. } => {
            let mut members = vec![ptr_type(cx), ptr_type(cx), cx.i64_type()];
            if !shape.is_empty() {
                let extents = array_type(cx, cx.i64_type(), shape.len() as u64);
                members.extend([extents, extents]);
            }
            struct_type(cx, &members)
        }
        ArgType::Scalar(dtype) => scalar_type(cx, *dtype),
    };
    let results: Vec<Type> = entry.signature.results.iter().map(result).collect();
    let result = match results.as_slice() {
        [] => void_type(cx),
        [only] => *only,
        several => struct_type(cx, several),
    };
    cx.ty(func_type(cx, result, &params, false))
}

fn scalar_type(cx: &Context, dtype: DType) -> Type {
    use dl_ir::FloatKind;
    match dtype {
        DType::Bool => cx.i1_type(),
        DType::I8 | DType::U8 | DType::F8E4M3FN | DType::F8E4M3FNUZ | DType::F8E5M2 | DType::F8E5M2FNUZ => {
            cx.int_type(8)
        }
        DType::I16 | DType::U16 => cx.int_type(16),
        DType::I32 | DType::U32 => cx.i32_type(),
        DType::I64 | DType::U64 => cx.i64_type(),
        DType::F16 => cx.float_type(FloatKind::F16),
        DType::BF16 => cx.float_type(FloatKind::BF16),
        DType::F32 => cx.float_type(FloatKind::F32),
        DType::F64 => cx.float_type(FloatKind::F64),
    }
}

/// Adds the function for an entry, which was [checked](check).
///
/// # Errors
/// What Cranelift does not do.
pub(crate) fn add<'a>(unit: &mut Unit<'a>, cx: &'a Context, entry: &EntryPoint) -> Result<FuncId, Diagnostics> {
    let failed = |what: String| {
        let message = format!("unsupported on the cranelift back end: calls of '{}': {what}", entry.name);
        Diagnostics::from(dl_ir::Diagnostic::error(Loc::UNKNOWN, message))
    };
    let mut signature = Signature::new(unit.conv);
    signature.params.push(AbiParam::new(types::I64));
    let name = format!("_dl_packed_{}", entry.name);
    let declared = unit.module.declare_function(&name, Linkage::Local, &signature);
    let id = declared.map_err(|error| failed(error.to_string()))?;
    let (callee, callee_abi) = unit.declared(&entry.name).map_err(failed)?;
    let abi = Abi { signature, is_indirect: false, result: None };
    let body = |builder: cranelift_frontend::FunctionBuilder<'_>, unit: &mut Unit<'a>| {
        let mut function = Function::bare(builder, unit);
        function.call_packed(cx, entry, callee, &callee_abi)?;
        function.finish();
        Ok(())
    };
    let defined = unit.function(id, &abi, body);
    defined.map_err(|error| failed(error.unwrap_or_else(|error| error.to_string())))?;
    Ok(id)
}

impl Function<'_, '_, '_> {
    fn call_packed(&mut self, cx: &Context, entry: &EntryPoint, callee: FuncId, abi: &Abi) -> Outcome<()> {
        let block = self.b.create_block();
        self.b.append_block_params_for_function_params(block);
        self.b.switch_to_block(block);
        let slots = self.b.block_params(block)[0];
        let mut args = Parts::new();
        for (index, input) in entry.signature.inputs.iter().enumerate() {
            let slot = self.b.ins().load(types::I64, ACCESS, slots, 8 * index as i32);
            match input {
                ArgType::MemRef { shape, .. } => {
                    for word in 0..descriptor::words(shape.len()) {
                        args.push(self.b.ins().load(types::I64, ACCESS, slot, 8 * word as i32));
                    }
                }
                ArgType::Scalar(dtype) => {
                    let shape = self.shape(cx.ty(scalar_type(cx, *dtype)))?;
                    args.extend(self.load(&shape, slot, 0)?.parts);
                }
            }
        }
        let index = 8 * entry.signature.inputs.len() as i32;
        let returned =
            abi.result.as_ref().map(|(shape, _)| (shape.clone(), self.b.ins().load(types::I64, ACCESS, slots, index)));
        // The result buffer is laid out as memory for such a result is.
        if let (Some((_, slot)), true) = (&returned, abi.is_indirect) {
            args.insert(0, *slot);
        }
        let function = self.unit.func_ref(callee, self.b.func);
        let call = self.b.ins().call(function, &args);
        if let (Some((shape, slot)), false) = (returned, abi.is_indirect) {
            let parts = self.b.inst_results(call).into();
            self.store(&crate::lanes::Held { shape, parts }, slot, 0)?;
        }
        self.b.ins().return_(&[]);
        Ok(())
    }
}
