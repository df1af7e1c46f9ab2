//! Modules in parts that are compiled at the same time.
//!
//! LLVM compiles a module on one thread. Of a large one each part is a module of its own, in a context of its own, which has some of the functions
//! and declares the others. Which functions are together depends on the module alone, and so does the code: not on how many threads there are.
//! Functions of different parts are not inlined into each other.

#![expect(
    unsafe_code,
    reason = "calls C++ and is called back with a value, reads bitcode into a context that is owned"
)]

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use inkwell::GlobalVisibility;
use inkwell::llvm_sys::{
    bit_reader::LLVMParseBitcodeInContext2,
    prelude::{LLVMModuleRef, LLVMValueRef},
};
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::{Linkage, Module};
use inkwell::passes::PassBuilderOptions;
use inkwell::values::{AsValueRef, FunctionValue, GlobalValue};

use crate::error::{Error, Result};
use crate::heap;
use crate::module::LlvmModule;
use crate::options::CodegenOptions;
use crate::target::Target;

/// Instructions from which on a part pays for what it costs to make.
const PART: usize = 2048;
/// Most parts of a module.
const MAX_PARTS: usize = 16;
/// Bytes of stack of a thread: what LLVM has where it makes threads itself.
const STACK: usize = 8 << 20;
/// What the names of functions and variables begin with that were internal before a part used those of another: the program may have its own of
/// a name that this process has too.
const OWN: &str = "_dl_own_";

type Keeps = unsafe extern "C" fn(data: *mut c_void, value: LLVMValueRef) -> bool;

unsafe extern "C" {
    fn dl_llvm_is_divisible(module: LLVMModuleRef) -> bool;
    fn dl_llvm_copy_definitions(module: LLVMModuleRef, keeps: Keeps, data: *mut c_void) -> LLVMModuleRef;
}

/// The object files of a module that is not optimized yet: one, or as many as it has parts. Constants that were handed over are not in them.
///
/// # Errors
/// [`Error::Llvm`] when LLVM has no code for it.
pub(crate) fn objects(module: LlvmModule, target: &Target) -> Result<Vec<Vec<u8>>> {
    // What no entry reaches would otherwise have to be compiled: another part might call it.
    let options = PassBuilderOptions::create();
    let dropped = module.inner().run_passes("globaldce", target.machine(), options);
    dropped.map_err(|error| Error::Llvm(error.to_string()))?;
    let functions = functions(module.inner());
    let instructions: usize = functions.iter().map(|(_, instructions)| instructions).sum();
    let count = (instructions / PART).min(MAX_PARTS);
    // SAFETY: the module is live.
    if count < 2 || !unsafe { dl_llvm_is_divisible(module.inner().as_mut_ptr()) } {
        return Ok(vec![module.into_object(target)?]);
    }
    let parts = divide(module.inner(), functions, count);
    drop(module);
    heap::give_back();
    compile(&parts, &target.options())
}

/// The functions that have a body, and how many instructions that has.
fn functions(module: &Module<'static>) -> Vec<(FunctionValue<'static>, usize)> {
    let instructions = |function: &FunctionValue<'static>| {
        function.get_basic_block_iter().map(|block| block.get_instructions().count()).sum::<usize>()
    };
    module.get_functions().map(|function| (function, instructions(&function))).filter(|&(_, count)| count > 0).collect()
}

/// Bitcode of `count` modules, each with some of the functions. They are of about the same size, as far as functions are. The first has the
/// largest function, from which the others are called, and the variables, which others are handed.
fn divide(module: &Module<'static>, mut functions: Vec<(FunctionValue<'static>, usize)>, count: usize) -> Vec<Vec<u8>> {
    functions.sort_by_key(|&(_, instructions)| std::cmp::Reverse(instructions));
    let (mut sizes, mut part_of) = (vec![0; count], BTreeMap::new());
    for (function, instructions) in functions {
        let part = (0..count).min_by_key(|&part| sizes[part]).unwrap_or_default();
        sizes[part] += instructions;
        part_of.insert(function.as_value_ref(), part);
        share(function.as_global_value());
    }
    for variable in module.get_globals().filter(|variable| variable.get_initializer().is_some()) {
        part_of.insert(variable.as_value_ref(), 0);
        share(variable);
    }
    (0..count).map(|part| bitcode(module, &Definitions { part_of: &part_of, part })).collect()
}

/// Lets other parts see a definition.
fn share(definition: GlobalValue<'static>) {
    if matches!(definition.get_linkage(), Linkage::Internal | Linkage::Private) {
        let name = format!("{OWN}{}", definition.get_name().to_string_lossy());
        definition.set_linkage(Linkage::External);
        definition.set_visibility(GlobalVisibility::Hidden);
        definition.set_name(&name);
    }
}

/// Which definitions a part has.
struct Definitions<'a> {
    /// The part that has a definition.
    part_of: &'a BTreeMap<LLVMValueRef, usize>,
    part: usize,
}

/// Bitcode of a module with some of the definitions.
fn bitcode(module: &Module<'static>, definitions: &Definitions<'_>) -> Vec<u8> {
    let data: *const Definitions<'_> = definitions;
    // SAFETY: the module is live, and `keeps` gets the definitions that it expects, during the call only. The copy is ours, in the context of the
    // module, which outlives it here.
    let part: Module<'static> =
        unsafe { Module::new(dl_llvm_copy_definitions(module.as_mut_ptr(), keeps, data.cast_mut().cast())) };
    part.write_bitcode_to_memory().as_slice().to_vec()
}

/// # Safety
/// `data` is a [`Definitions`].
unsafe extern "C" fn keeps(data: *mut c_void, value: LLVMValueRef) -> bool {
    // SAFETY: upheld by the caller.
    let definitions = unsafe { &*data.cast::<Definitions<'_>>() };
    definitions.part_of.get(&value) == Some(&definitions.part)
}

/// Compiles parts, the next one on whichever thread is free.
fn compile(parts: &[Vec<u8>], options: &CodegenOptions) -> Result<Vec<Vec<u8>>> {
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get).min(parts.len());
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some((at, bitcode)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, parts.get(at)?)))
        {
            done.push((at, compile_part(bitcode, options)));
        }
        done
    };
    let mut done = thread::scope(|scope| {
        let spawn = |_| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let workers: Vec<_> = (0..threads).map(spawn).collect();
        let mut done = Vec::new();
        for worker in workers {
            match worker.map(thread::ScopedJoinHandle::join) {
                Ok(Ok(parts)) => done.extend(parts),
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                // The others do its work.
                Err(_) => {}
            }
        }
        done
    });
    // Where the system gives no thread at all.
    done.extend(work());
    done.sort_by_key(|&(at, _)| at);
    done.into_iter().map(|(_, object)| object).collect()
}

fn compile_part(bitcode: &[u8], options: &CodegenOptions) -> Result<Vec<u8>> {
    let buffer = MemoryBuffer::create_from_memory_range_copy(bitcode, "part");
    let module = LlvmModule::create(|context| {
        let mut module = std::ptr::null_mut();
        // SAFETY: the context and the buffer are live. Where the bitcode is not right there is no module.
        unsafe { LLVMParseBitcodeInContext2(context, buffer.as_mut_ptr(), &raw mut module) };
        module
    });
    let module = module.ok_or_else(|| Error::Llvm("a part of the module cannot be read".to_owned()))?;
    let target = Target::new(options, &module)?;
    module.into_object(&target)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use dl_runtime::call::EntryPoint;
    use dl_runtime::{ArgType, Array, DType, Signature};

    use super::*;
    use crate::jit::{Objects, link};

    const FUNCTIONS: u64 = 10;
    const STEPS: u64 = 500;

    /// Functions of two instructions a step, each of which calls the next, reads its number from a table, and counts; the last has a name of the
    /// runtime. `main` is the first. Another function, which is called from nowhere, could not be linked.
    fn program(variable: &str) -> String {
        let mut text = format!(
            "llvm.mlir.global internal constant @table(dense<[{}]> : tensor<{FUNCTIONS}xi64>) : !llvm.array<{FUNCTIONS} x i64>
             llvm.mlir.global internal {variable} @count(0 : i64) : i64
             llvm.func @dl_parallel_for(%x: i64) -> i64 {{ llvm.return %x : i64 }}
             llvm.func @nobody_has_this(i64) -> i64
             llvm.func @nobody_calls_this(%x: i64) -> i64 {{
               %y = llvm.call @nobody_has_this(%x) : (i64) -> i64
               llvm.return %y : i64
             }}",
            (0..FUNCTIONS).map(|at| (7 * at).to_string()).collect::<Vec<_>>().join(", ")
        );
        for at in 0..FUNCTIONS {
            let name = |at: u64| match at {
                0 => "main".to_owned(),
                FUNCTIONS => "dl_parallel_for".to_owned(),
                at => format!("f{at}"),
            };
            write!(
                text,
                "llvm.func @{}(%x0: i64) -> i64 {{
                   %one = llvm.mlir.constant(1 : i64) : i64
                   %at = llvm.mlir.constant({at} : i64) : i64
                   %table = llvm.mlir.addressof @table : !llvm.ptr
                   %place = llvm.getelementptr %table[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i64
                   %number = llvm.load %place : !llvm.ptr -> i64
                   %count = llvm.mlir.addressof @count : !llvm.ptr
                   %before = llvm.load %count : !llvm.ptr -> i64
                   %after = llvm.add %before, %one : i64
                   llvm.store %after, %count : i64, !llvm.ptr\n",
                name(at)
            )
            .unwrap();
            for step in 0..STEPS {
                let next = step + 1;
                write!(
                    text,
                    "%y{step} = llvm.mul %x{step}, %x0 : i64
                     %x{next} = llvm.xor %y{step}, %number : i64\n"
                )
                .unwrap();
            }
            write!(
                text,
                "%called = llvm.call @{}(%x{STEPS}) : (i64) -> i64
                 %result = llvm.add %called, %after : i64
                 llvm.return %result : i64 }}\n",
                name(at + 1)
            )
            .unwrap();
        }
        text
    }

    /// What `main` answers, from the definition of [`program`].
    fn expected(x: u64, count: &mut u64) -> u64 {
        let (mut x, mut result) = (x, 0_u64);
        for at in 0..FUNCTIONS {
            *count += 1;
            result = result.wrapping_add(*count);
            x = (0..STEPS).fold(x, |y, _| y.wrapping_mul(x) ^ (7 * at));
        }
        result.wrapping_add(x)
    }

    fn entry() -> EntryPoint {
        let number = vec![ArgType::Scalar(DType::I64)];
        EntryPoint { name: "main".to_owned(), signature: Signature { inputs: number.clone(), results: number } }
    }

    fn compiled(text: &str) -> Objects {
        let module = LlvmModule::from_mlir(text, "test.mlir").unwrap();
        let options = CodegenOptions { opt_level: crate::OptLevel::O1, ..CodegenOptions::default() };
        let target = Target::new(&options, &module).unwrap();
        module.objects(&[entry()], &target).unwrap()
    }

    #[test]
    fn parts_call_each_other_and_share_variables() {
        let objects = compiled(&program(""));
        // Each function has 11 instructions besides its steps.
        assert_eq!(objects.count(), (FUNCTIONS * (2 * STEPS + 10)) as usize / PART);
        let module = link(&objects, &[entry()], Vec::new()).unwrap();
        let mut count = 0;
        for x in [3_u64, 12_345_677, u64::MAX] {
            let results = module.run("main", &mut [Array::from_slice(&[], &[x as i64]).unwrap()]).unwrap();
            assert_eq!(results, [Array::from_slice(&[], &[expected(x, &mut count) as i64]).unwrap()]);
        }
    }

    #[test]
    fn the_same_module_gives_the_same_code() {
        assert_eq!(compiled(&program("")), compiled(&program("")));
    }

    #[test]
    fn what_is_tied_together_stays_together() {
        assert_eq!(compiled(&program("thread_local")).count(), 1);
    }

    #[test]
    fn a_small_module_is_one_part() {
        let text = "llvm.func @main(%x: i64) -> i64 { llvm.return %x : i64 }";
        assert_eq!(compiled(text).count(), 1);
    }

    #[test]
    fn objects_are_read_as_they_were_written() {
        let objects = compiled(&program(""));
        let bytes = objects.to_bytes();
        assert_eq!(Objects::from_bytes(&bytes), Some(objects));
        for length in [1, 8, bytes.len() - 1] {
            assert_eq!(Objects::from_bytes(&bytes[..length]), None, "{length}");
        }
    }
}
