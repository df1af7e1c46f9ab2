//! Constants that are handed over beside a module: read in place by code that runs here, and part of files of code.

#![expect(unsafe_code, reason = "calls a function of a shared library that was just made")]

use std::process::Command;

use bytes::Bytes;
use dl_codegen_llvm::{CodegenOptions, Constant, EmitKind, Error, LlvmModule, Target};
use dl_runtime::call::EntryPoint;
use dl_runtime::{ArgType, Array, DType, Signature};

const LOOK_UP: &str = r"
llvm.mlir.global external constant @squares() {alignment = 64 : i64} : !llvm.array<300 x i32>
llvm.func @look_up(%at: i64) -> i32 {
  %table = llvm.mlir.addressof @squares : !llvm.ptr
  %place = llvm.getelementptr %table[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %value = llvm.load %place : !llvm.ptr -> i32
  llvm.return %value : i32
}
";

/// 0, 1, 4 .. as bytes that begin `shift` behind a place that is aligned to 64.
fn squares(shift: usize) -> Constant {
    let numbers: Vec<u8> = (0..300_i32).flat_map(|i| (i * i).to_le_bytes()).collect();
    let mut room = vec![0; 64 + shift];
    room.reserve_exact(numbers.len() + 64);
    let begin = room.as_ptr().align_offset(64) + shift;
    room.resize(begin, 0);
    room.extend(numbers);
    let bytes = Bytes::from(room).slice(begin..);
    Constant { name: "squares".to_owned(), bytes, element: 4, alignment: 64 }
}

fn look_up(constant: Constant) -> Result<LlvmModule, Error> {
    Ok(LlvmModule::from_mlir(LOOK_UP, "test.mlir")?.with_constants(vec![constant]))
}

fn emit(kind: EmitKind, options: &CodegenOptions) -> Result<Vec<u8>, Error> {
    let mut module = look_up(squares(0))?;
    let target = Target::new(options, &module)?;
    module.optimize(&target)?;
    module.emit(kind, &target)
}

#[test]
fn code_in_place_reads_them_at_any_alignment() {
    for shift in [0, 4, 1] {
        let module = look_up(squares(shift)).unwrap();
        let target = Target::new(&CodegenOptions::default(), &module).unwrap();
        let signature =
            Signature { inputs: vec![ArgType::Scalar(DType::I64)], results: vec![ArgType::Scalar(DType::I32)] };
        let entry = EntryPoint { name: "look_up".to_owned(), signature };
        let compiled = module.compile(&[entry], &target).unwrap();
        for at in [0_i64, 17, 299] {
            let results = compiled.run("look_up", &mut [Array::from_slice(&[], &[at]).unwrap()]).unwrap();
            let expected = i32::try_from(at * at).unwrap();
            assert_eq!(results, [Array::from_slice(&[], &[expected]).unwrap()]);
        }
    }
}

#[test]
fn an_object_file_has_them_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let (object, path) = (folder.path().join("table.o"), folder.path().join("table.so"));
    std::fs::write(&object, emit(EmitKind::Obj, &CodegenOptions::default()).unwrap()).unwrap();
    assert!(Command::new("cc").arg("-shared").arg("-o").arg(&path).arg(&object).status().unwrap().success());
    // SAFETY: the library has no initializers, and the function this type.
    let square = unsafe {
        let library = libloading::Library::new(&path).unwrap();
        let look_up: libloading::Symbol<'_, unsafe extern "C" fn(i64) -> i32> = library.get(b"look_up").unwrap();
        look_up(250)
    };
    assert_eq!(square, 62_500);
}

#[test]
fn numbers_have_the_byte_order_of_the_machine() {
    let options = |triple: &str| CodegenOptions { target_triple: Some(triple.to_owned()), ..CodegenOptions::default() };
    let text = |triple| String::from_utf8(emit(EmitKind::LlvmIr, &options(triple)).unwrap()).unwrap();
    // 0, 1, 4, 9.
    let little = r#"c"\00\00\00\00\01\00\00\00\04\00\00\00\09\00\00\00"#;
    assert!(text("aarch64-unknown-linux-gnu").contains(little));
    let big = r#"c"\00\00\00\00\00\00\00\01\00\00\00\04\00\00\00\09"#;
    assert!(text("s390x-unknown-linux-gnu").contains(big));
}

#[test]
fn one_that_the_module_does_not_declare_is_refused() {
    let constant = Constant { name: "cubes".to_owned(), ..squares(0) };
    let mut module = look_up(constant).unwrap();
    let target = Target::new(&CodegenOptions::default(), &module).unwrap();
    module.optimize(&target).unwrap();
    let error = module.emit(EmitKind::Obj, &target).unwrap_err().to_string();
    assert!(error.contains("constant 'cubes' is not declared"), "{error}");
}
