//! Programs compiled into this process, for the tests of this crate.

#![allow(dead_code, reason = "each test file is a crate of its own and uses a part of this")]

use dl_codegen_cranelift::{TargetOptions, compile};
use dl_ir::diagnostics::{ColorChoice, Renderer};
use dl_ir::text::parse_source;
use dl_ir::{Context, Diagnostics, OpRef, verify};
use dl_runtime::call::{CompiledModule, EntryPoint};
use dl_runtime::{ArgType, Array, DType, Element, Signature};

/// The options that tests compile with: for this machine.
pub(crate) fn options() -> TargetOptions {
    TargetOptions { optimize: true, ..TargetOptions::default() }
}

/// Compiles `text` with one entry; the messages where that fails.
pub(crate) fn try_compile(
    text: &str,
    name: &str,
    inputs: &[ArgType],
    results: &[ArgType],
    options: &TargetOptions,
) -> Result<CompiledModule, String> {
    let mut cx = Context::new();
    cx.register(&dl_llvm::Llvm);
    let source = cx.add_source("test.mlir", text);
    let parsed = parse_source(&cx, &source).map_err(|errors| render(&cx, &errors))?;
    verify::verify(&cx, &parsed.module).map_err(|errors| render(&cx, &errors))?;
    let signature = Signature { inputs: inputs.to_vec(), results: results.to_vec() };
    let entry = EntryPoint { name: name.to_owned(), signature };
    compile(OpRef::root(&cx, &parsed.module), &[entry], options).map_err(|errors| render(&cx, &errors))
}

/// Reads `text` and hands the module to `then`.
pub(crate) fn with_module<T>(text: &str, then: impl FnOnce(OpRef<'_>) -> Result<T, Diagnostics>) -> Result<T, String> {
    let mut cx = Context::new();
    cx.register(&dl_llvm::Llvm);
    let source = cx.add_source("test.mlir", text);
    let parsed = parse_source(&cx, &source).map_err(|errors| render(&cx, &errors))?;
    then(OpRef::root(&cx, &parsed.module)).map_err(|errors| render(&cx, &errors))
}

fn render(cx: &Context, errors: &Diagnostics) -> String {
    let renderer = Renderer::new(cx, ColorChoice::Never);
    errors.iter().map(|error| renderer.render(error)).collect()
}

pub(crate) fn compile_one(text: &str, name: &str, inputs: &[ArgType], results: &[ArgType]) -> CompiledModule {
    try_compile(text, name, inputs, results, &options()).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

/// Calls the function `f` of a program with scalars, one result.
pub(crate) fn call<T: Element>(text: &str, args: &mut [Array], result: DType) -> T {
    let inputs: Vec<ArgType> = args.iter().map(type_of).collect();
    let module = compile_one(text, "f", &inputs, &[ArgType::Scalar(result)]);
    let results = module.run("f", args).unwrap();
    bytemuck::pod_read_unaligned(results[0].bytes())
}

/// The type of an array as an argument: a scalar where it has no dimensions.
pub(crate) fn type_of(array: &Array) -> ArgType {
    if array.shape().is_empty() {
        ArgType::Scalar(array.dtype())
    } else {
        ArgType::memref(array.dtype(), array.shape())
    }
}

/// A scalar argument.
pub(crate) fn scalar<T: Element>(value: T) -> Array {
    Array::from_slice(&[], &[value]).unwrap()
}

/// A buffer argument.
pub(crate) fn buffer<T: Element>(values: &[T]) -> Array {
    Array::from_slice(&[values.len()], values).unwrap()
}

/// The elements of a buffer.
pub(crate) fn elements<T: Element>(array: &Array) -> Vec<T> {
    array.bytes().chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect()
}

/// Calls `f` of a program, which writes to its buffers.
pub(crate) fn run_on(text: &str, args: &mut [Array]) {
    let inputs: Vec<ArgType> = args.iter().map(type_of).collect();
    compile_one(text, "f", &inputs, &[]).run("f", args).unwrap();
}

/// Parameters of a lowered function for buffers of rank 1, the elements of the first at `%a1`, of the second at `%b1`, ...
pub(crate) fn buffers(names: &[&str]) -> String {
    let one =
        |name: &&str| format!("%{name}0: !llvm.ptr, %{name}1: !llvm.ptr, %{name}2: i64, %{name}3: i64, %{name}4: i64");
    names.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Numbers without a pattern, the same ones each time (`splitmix64`, Steele, Lea and Flood 2014).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One that is often at an end of the range.
    pub(crate) fn edgy(&mut self) -> u64 {
        match self.next() % 8 {
            0 => 0,
            1 => u64::MAX,
            2 => 1,
            3 => 1 << (self.next() % 64),
            4 => (1 << (self.next() % 64)) - 1,
            _ => self.next(),
        }
    }
}
