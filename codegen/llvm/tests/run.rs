//! Programs compiled into this process and run; every expected value is worked out by hand.

use std::slice::from_ref;

use dl_codegen_llvm::{CodegenOptions, Error, LlvmModule, OptLevel, Target};
use dl_runtime::call::{CompiledModule, EntryPoint};
use dl_runtime::{ArgType, Array, DType, Signature, alloc};

const ADD: &str = include_str!("programs/add.mlir");

/// Compiles `text` with one entry.
fn compile(text: &str, name: &str, inputs: &[ArgType], results: &[ArgType]) -> Result<CompiledModule, Error> {
    compile_at(OptLevel::O2, text, name, inputs, results)
}

fn compile_at(
    opt_level: OptLevel,
    text: &str,
    name: &str,
    inputs: &[ArgType],
    results: &[ArgType],
) -> Result<CompiledModule, Error> {
    let signature = Signature { inputs: inputs.to_vec(), results: results.to_vec() };
    let entry = EntryPoint { name: name.to_owned(), signature };
    let options = CodegenOptions { opt_level, ..CodegenOptions::default() };
    compile_for(text, &[entry], &options)
}

fn compile_for(text: &str, entries: &[EntryPoint], options: &CodegenOptions) -> Result<CompiledModule, Error> {
    let module = LlvmModule::from_mlir(text, "test.mlir")?;
    let target = Target::new(options, &module)?;
    module.compile(entries, &target)
}

fn f32s(shape: &[usize], values: &[f32]) -> Array {
    Array::from_slice(shape, values).unwrap()
}

fn f32x4() -> ArgType {
    ArgType::memref(DType::F32, &[4])
}

#[test]
fn a_fresh_buffer_is_returned_at_every_level() {
    for level in [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3] {
        let module = compile_at(level, ADD, "add", &[f32x4(), f32x4()], &[f32x4()]).unwrap();
        let mut args = [f32s(&[4], &[1.0, 2.0, 3.0, 4.0]), f32s(&[4], &[0.5, 0.25, -3.0, 1e10])];
        let results = module.run("add", &mut args).unwrap();
        assert_eq!(results, [f32s(&[4], &[1.5, 2.25, 0.0, 1e10])]);
    }
}

#[test]
fn one_call_is_made_many_times() {
    let module = compile(ADD, "add", &[f32x4(), f32x4()], &[f32x4()]).unwrap();
    let mut args = [f32s(&[4], &[1.0; 4]), f32s(&[4], &[2.0; 4])];
    let mut call = module.prepare("add", &mut args).unwrap();
    for _ in 0..3 {
        call.invoke();
    }
    assert_eq!(call.results().unwrap(), [f32s(&[4], &[3.0; 4])]);
    call.invoke();
    assert_eq!(call.results().unwrap(), [f32s(&[4], &[3.0; 4])]);
}

#[test]
fn threads_share_a_module() {
    let module = compile(ADD, "add", &[f32x4(), f32x4()], &[f32x4()]).unwrap();
    std::thread::scope(|scope| {
        for i in 0..4_u8 {
            let module = &module;
            scope.spawn(move || {
                for _ in 0..100 {
                    let x = f32::from(i);
                    let mut args = [f32s(&[4], &[x; 4]), f32s(&[4], &[x; 4])];
                    let results = module.run("add", &mut args).unwrap();
                    assert_eq!(results, [f32s(&[4], &[2.0 * x; 4])]);
                }
            });
        }
    });
}

#[test]
fn scalars_of_every_type() {
    let cases = [
        ("i1", "llvm.xor %x, %x : i1", DType::Bool, vec![1_u8], vec![0_u8]),
        ("i8", "llvm.add %x, %x : i8", DType::I8, vec![0xff], vec![0xfe]),
        ("i8", "llvm.udiv %x, %x : i8", DType::U8, vec![200], vec![1]),
        ("i16", "llvm.mul %x, %x : i16", DType::I16, vec![3, 1], vec![9, 6]),
        ("i32", "llvm.sub %x, %x : i32", DType::U32, vec![1, 2, 3, 4], vec![0; 4]),
        ("i64", "llvm.add %x, %x : i64", DType::I64, vec![1; 8], vec![2; 8]),
        // 1.5 + 1.5 = 3 in each floating-point type.
        ("f16", "llvm.fadd %x, %x : f16", DType::F16, vec![0, 0x3e], vec![0, 0x42]),
        ("bf16", "llvm.fadd %x, %x : bf16", DType::BF16, vec![0xc0, 0x3f], vec![0x40, 0x40]),
        ("f32", "llvm.fadd %x, %x : f32", DType::F32, vec![0, 0, 0xc0, 0x3f], vec![0, 0, 0x40, 0x40]),
        (
            "f64",
            "llvm.fadd %x, %x : f64",
            DType::F64,
            vec![0, 0, 0, 0, 0, 0, 0xf8, 0x3f],
            vec![0, 0, 0, 0, 0, 0, 8, 0x40],
        ),
    ];
    for (ty, operation, dtype, input, expected) in cases {
        let text = format!("llvm.func @f(%x: {ty}) -> {ty} {{ %0 = {operation} llvm.return %0 : {ty} }}");
        let scalar = [ArgType::Scalar(dtype)];
        let module = compile(&text, "f", &scalar, &scalar).unwrap();
        let results = module.run("f", &mut [Array::from_bytes(dtype, &[], &input).unwrap()]).unwrap();
        assert_eq!(results, [Array::from_bytes(dtype, &[], &expected).unwrap()], "{operation}");
    }
}

#[test]
fn scalars_and_memrefs_mix_in_arguments_and_results() {
    // Returns (b, x[i], x) for a flag, an index and a buffer: a struct with padding after its first member.
    let text = "
!memref = !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
llvm.func @f(%b: i1, %x0: !llvm.ptr, %x1: !llvm.ptr, %x2: i64, %x3: i64, %x4: i64, %x5: i64, %x6: i64,
             %i: i64) -> !llvm.struct<(i1, f64, struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>)> {
  %p = llvm.getelementptr %x1[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f64
  %v = llvm.load %p : !llvm.ptr -> f64
  %0 = llvm.mlir.poison : !memref
  %1 = llvm.insertvalue %x0, %0[0] : !memref
  %2 = llvm.insertvalue %x1, %1[1] : !memref
  %3 = llvm.insertvalue %x2, %2[2] : !memref
  %4 = llvm.insertvalue %x3, %3[3, 0] : !memref
  %5 = llvm.insertvalue %x4, %4[3, 1] : !memref
  %6 = llvm.insertvalue %x5, %5[4, 0] : !memref
  %7 = llvm.insertvalue %x6, %6[4, 1] : !memref
  %r0 = llvm.mlir.poison : !llvm.struct<(i1, f64, !memref)>
  %r1 = llvm.insertvalue %b, %r0[0] : !llvm.struct<(i1, f64, !memref)>
  %r2 = llvm.insertvalue %v, %r1[1] : !llvm.struct<(i1, f64, !memref)>
  %r3 = llvm.insertvalue %7, %r2[2] : !llvm.struct<(i1, f64, !memref)>
  llvm.return %r3 : !llvm.struct<(i1, f64, !memref)>
}";
    let matrix = ArgType::MemRef { dtype: DType::F64, shape: vec![None, Some(2)] };
    let (flag, index) = (ArgType::Scalar(DType::Bool), ArgType::Scalar(DType::I64));
    let module =
        compile(text, "f", &[flag.clone(), matrix.clone(), index], &[flag, ArgType::Scalar(DType::F64), matrix])
            .unwrap();
    let x = Array::from_slice(&[3, 2], &[0.0_f64, 1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
    let flag = Array::from_bytes(DType::Bool, &[], &[1]).unwrap();
    let mut args = [flag.clone(), x.clone(), Array::from_slice(&[], &[4_i64]).unwrap()];
    let results = module.run("f", &mut args).unwrap();
    // The returned buffer is the argument's own: copied, not freed.
    assert_eq!(results, [flag, Array::from_slice(&[], &[4.0_f64]).unwrap(), x.clone()]);
    assert_eq!(args[1], x);
}

#[test]
fn a_program_may_write_to_its_arguments() {
    let text = "llvm.func @f(%0: !llvm.ptr, %x: !llvm.ptr, %2: i64) {
      %seven = llvm.mlir.constant(7 : i32) : i32
      llvm.store %seven, %x : i32, !llvm.ptr
      llvm.return
    }";
    let module = compile(text, "f", &[ArgType::memref(DType::I32, &[])], &[]).unwrap();
    let mut args = [Array::from_slice(&[], &[1_i32]).unwrap()];
    assert_eq!(module.run("f", &mut args).unwrap(), []);
    assert_eq!(args, [Array::from_slice(&[], &[7_i32]).unwrap()]);
}

#[test]
fn a_constant_is_returned_and_not_freed() {
    // As memref.get_global is lowered: the allocated pointer is a mark, not an address.
    let text = "
!memref = !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
llvm.mlir.global private constant @c(dense<[1.0, 2.0]> : tensor<2xf32>) {alignment = 64 : i64} : !llvm.array<2 x f32>
llvm.func @f() -> !memref {
  %zero = llvm.mlir.constant(0 : index) : i64
  %one = llvm.mlir.constant(1 : index) : i64
  %two = llvm.mlir.constant(2 : index) : i64
  %data = llvm.mlir.addressof @c : !llvm.ptr
  %mark = llvm.mlir.constant(3735928559 : index) : i64
  %allocated = llvm.inttoptr %mark : i64 to !llvm.ptr
  %0 = llvm.mlir.poison : !memref
  %1 = llvm.insertvalue %allocated, %0[0] : !memref
  %2 = llvm.insertvalue %data, %1[1] : !memref
  %3 = llvm.insertvalue %zero, %2[2] : !memref
  %4 = llvm.insertvalue %two, %3[3, 0] : !memref
  %5 = llvm.insertvalue %one, %4[4, 0] : !memref
  llvm.return %5 : !memref
}";
    let module = compile(text, "f", &[], &[ArgType::memref(DType::F32, &[2])]).unwrap();
    for _ in 0..2 {
        assert_eq!(module.run("f", &mut []).unwrap(), [f32s(&[2], &[1.0, 2.0])]);
    }
}

/// Two results of one buffer of four integers 0, 1, 2, 3: all of it, and its odd elements as a strided view.
const TWO_VIEWS: &str = "
!memref = !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
!pair = !llvm.struct<(!memref, !memref)>
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @f() -> !pair {
  %zero = llvm.mlir.constant(0 : index) : i64
  %one = llvm.mlir.constant(1 : index) : i64
  %two = llvm.mlir.constant(2 : index) : i64
  %four = llvm.mlir.constant(4 : index) : i64
  %bytes = llvm.mlir.constant(65536 : index) : i64
  %buffer = llvm.call @malloc(%bytes) : (i64) -> !llvm.ptr
  %values = llvm.mlir.constant(dense<[0, 1, 2, 3]> : vector<4xi32>) : vector<4xi32>
  llvm.store %values, %buffer : vector<4xi32>, !llvm.ptr
  %0 = llvm.mlir.poison : !memref
  %1 = llvm.insertvalue %buffer, %0[0] : !memref
  %2 = llvm.insertvalue %buffer, %1[1] : !memref
  %3 = llvm.insertvalue %zero, %2[2] : !memref
  %4 = llvm.insertvalue %four, %3[3, 0] : !memref
  %all = llvm.insertvalue %one, %4[4, 0] : !memref
  %5 = llvm.insertvalue %one, %2[2] : !memref
  %6 = llvm.insertvalue %two, %5[3, 0] : !memref
  %odd = llvm.insertvalue %two, %6[4, 0] : !memref
  %7 = llvm.mlir.poison : !pair
  %8 = llvm.insertvalue %all, %7[0] : !pair
  %9 = llvm.insertvalue %odd, %8[1] : !pair
  llvm.return %9 : !pair
}";

#[test]
fn results_that_share_a_buffer_are_freed_once() {
    let results = [ArgType::memref(DType::I32, &[4]), ArgType::memref(DType::I32, &[2])];
    let module = compile(TWO_VIEWS, "f", &[], &results).unwrap();
    let before = alloc::live_bytes();
    for _ in 0..100 {
        let arrays = module.run("f", &mut []).unwrap();
        assert_eq!(arrays[0], Array::from_slice(&[4], &[0_i32, 1, 2, 3]).unwrap());
        assert_eq!(arrays[1], Array::from_slice(&[2], &[1_i32, 3]).unwrap());
    }
    // Other tests run beside this one, but none holds as much as a hundred of these buffers.
    assert!(alloc::live_bytes() < before + 100 * 65536);
}

#[test]
fn a_result_that_breaks_the_signature_is_an_error() {
    let results = [ArgType::memref(DType::I32, &[4]), ArgType::memref(DType::I32, &[3])];
    let module = compile(TWO_VIEWS, "f", &[], &results).unwrap();
    assert_eq!(module.run("f", &mut []).unwrap_err().to_string(), "result 2 of 'f': expected int32 [3], got int32 [2]");
}

#[test]
fn the_mathematical_library_is_there() {
    let text = "llvm.func @f(%x: f64) -> f64 {
      %0 = llvm.call @erf(%x) : (f64) -> f64
      llvm.return %0 : f64
    }
    llvm.func @erf(f64) -> f64";
    let scalar = [ArgType::Scalar(DType::F64)];
    let module = compile(text, "f", &scalar, &scalar).unwrap();
    let results = module.run("f", &mut [Array::from_slice(&[], &[1.0_f64]).unwrap()]).unwrap();
    let erf = results[0].as_slice::<f64>().unwrap()[0];
    assert!((erf - 0.842_700_792_949_714_9).abs() < 1e-15, "{erf}");
}

#[test]
fn unknown_entries_name_the_known_ones() {
    let error = compile(ADD, "sub", &[], &[]).unwrap_err();
    assert_eq!(error.to_string(), "no function 'sub': the module defines add, _mlir_ciface_add");
    let error = compile(ADD, "malloc", &[], &[]).unwrap_err();
    assert!(error.to_string().starts_with("no function 'malloc'"));
    let module = compile(ADD, "add", &[f32x4(), f32x4()], &[f32x4()]).unwrap();
    let error = module.run("sub", &mut []).unwrap_err();
    assert_eq!(error.to_string(), "no function 'sub': the module defines add");
}

#[test]
fn a_signature_of_another_type_is_refused() {
    let text = "llvm.func @f(%x: i32) -> f32 { %0 = llvm.sitofp %x : i32 to f32 llvm.return %0 : f32 }";
    let (int, float) = (ArgType::Scalar(DType::I32), ArgType::Scalar(DType::F32));
    assert!(compile(text, "f", from_ref(&int), from_ref(&float)).is_ok());
    let message =
        |inputs: &[ArgType], results: &[ArgType]| compile(text, "f", inputs, results).unwrap_err().to_string();
    assert_eq!(
        message(from_ref(&float), from_ref(&float)),
        "function 'f' was lowered to 'float (i32)', but its signature calls for 'float (float)'"
    );
    assert_eq!(
        message(from_ref(&int), &[]),
        "function 'f' was lowered to 'float (i32)', but its signature calls for 'void (i32)'"
    );
    assert_eq!(
        message(&[int.clone(), int], &[ArgType::memref(DType::F32, &[2])]),
        "function 'f' was lowered to 'float (i32)', but its signature calls for \
         '{ ptr, ptr, i64, [1 x i64], [1 x i64] } (i32, i32)'"
    );
}

#[test]
fn wrong_arguments_are_refused() {
    let module = compile(ADD, "add", &[f32x4(), f32x4()], &[f32x4()]).unwrap();
    let x = f32s(&[4], &[0.0; 4]);
    let message = |args: &mut [Array]| module.run("add", args).unwrap_err().to_string();
    assert_eq!(message(&mut [x.clone()]), "expected 2 inputs (float32 [4], float32 [4]), got 1");
    assert_eq!(message(&mut [x.clone(), f32s(&[2, 2], &[0.0; 4])]), "input 2: expected float32 [4], got float32 [2x2]");
    assert_eq!(
        message(&mut [Array::from_slice(&[4], &[0_i32; 4]).unwrap(), x]),
        "input 1: expected float32 [4], got int32 [4]"
    );
}

#[test]
fn calls_to_functions_that_nobody_has_are_an_error() {
    let text = "llvm.func @nobody_has_this()
      llvm.func @f() { llvm.call @nobody_has_this() : () -> () llvm.return }";
    let error = compile(text, "f", &[], &[]).unwrap_err().to_string();
    assert!(error.contains("Symbols not found: [ nobody_has_this ]"), "{error}");
}

#[test]
fn code_for_another_machine_does_not_run_here() {
    let other = if cfg!(target_arch = "x86_64") { "aarch64" } else { "x86_64" };
    let options =
        CodegenOptions { target_triple: Some(format!("{other}-unknown-linux-gnu")), ..CodegenOptions::default() };
    let error = compile_for("module {}", &[], &options).unwrap_err();
    assert_eq!(error.to_string(), format!("code for target '{other}-unknown-linux-gnu' does not run on this machine"));
}

#[test]
fn constructors_are_unsupported() {
    let text = "llvm.func @init() { llvm.return }
      llvm.mlir.global_ctors ctors = [@init], priorities = [0 : i32], data = [#llvm.zero]";
    let error = compile(text, "init", &[], &[]).unwrap_err();
    assert_eq!(error.to_string(), "unsupported: global constructors in a module that is run in place");
}
