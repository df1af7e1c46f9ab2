//! Modules as assembly and object files, for this machine and for others.

use std::process::Command;

use dl_codegen_llvm::{CodegenOptions, EmitKind, Error, LlvmModule, OptLevel, Target};

const ADD: &str = include_str!("programs/add.mlir");

/// Translates, optimizes and emits.
fn emit(text: &str, kind: EmitKind, options: &CodegenOptions) -> Result<Vec<u8>, Error> {
    let mut module = LlvmModule::from_mlir(text, "test.mlir")?;
    let target = Target::new(options, &module)?;
    module.optimize(&target)?;
    module.emit(kind, &target)
}

fn emit_text(text: &str, kind: EmitKind, options: &CodegenOptions) -> String {
    String::from_utf8(emit(text, kind, options).unwrap()).unwrap()
}

fn for_cpu(triple: &str, cpu: &str) -> CodegenOptions {
    CodegenOptions {
        target_triple: Some(triple.to_owned()),
        target_cpu: Some(cpu.to_owned()),
        ..CodegenOptions::default()
    }
}

const X86_64: &str = "x86_64-unknown-linux-gnu";

/// What `nm` says about a file: `T add` and so on.
fn symbols(path: &std::path::Path, dynamic: bool) -> Vec<String> {
    let mut command = Command::new("nm");
    if dynamic {
        command.arg("--dynamic");
    }
    let output = command.arg(path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| {
            let mut words = line.split_whitespace().rev();
            let (name, kind) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
            format!("{kind} {}", name.split('@').next().unwrap_or(name))
        })
        .collect()
}

#[test]
fn loops_become_vector_code_of_full_width() {
    let options = for_cpu(X86_64, "znver4");
    let assembly = emit_text(ADD, EmitKind::Asm, &options);
    assert!(assembly.contains("add:"), "{assembly}");
    assert!(assembly.contains("vaddps") && assembly.contains("%zmm"), "{assembly}");
    let narrow = emit_text(ADD, EmitKind::Asm, &for_cpu(X86_64, "znver3"));
    assert!(narrow.contains("%ymm") && !narrow.contains("%zmm"), "{narrow}");
}

#[test]
fn the_level_decides() {
    let options = CodegenOptions { opt_level: OptLevel::O0, ..for_cpu(X86_64, "znver4") };
    assert!(!emit_text(ADD, EmitKind::Asm, &options).contains("vaddps"));
    let ir = emit_text(ADD, EmitKind::LlvmIr, &options);
    assert!(!ir.contains("vector.body") && ir.contains("\"target-cpu\"=\"znver4\""), "{ir}");
    let ir = emit_text(ADD, EmitKind::LlvmIr, &for_cpu(X86_64, "znver4"));
    assert!(ir.contains("<16 x float>") && ir.contains("target triple = \"x86_64-"), "{ir}");
}

#[test]
fn features_add_to_the_cpu() {
    let mut options = for_cpu(X86_64, "x86-64");
    let text = "llvm.func @f(%a: f32, %b: f32, %c: f32) -> f32 {
      %0 = llvm.intr.fma(%a, %b, %c) : (f32, f32, f32) -> f32
      llvm.return %0 : f32
    }";
    assert!(emit_text(text, EmitKind::Asm, &options).contains("fmaf@PLT"));
    options.target_features = "+fma".to_owned();
    assert!(emit_text(text, EmitKind::Asm, &options).contains("vfmadd"));
}

#[test]
fn other_machines() {
    let options =
        CodegenOptions { target_triple: Some("aarch64-unknown-linux-gnu".to_owned()), ..CodegenOptions::default() };
    let assembly = emit_text(ADD, EmitKind::Asm, &options);
    assert!(assembly.contains("fadd\tv") && assembly.contains("bl\tmalloc"), "{assembly}");
}

#[test]
fn an_object_file_defines_the_functions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("add.o");
    std::fs::write(&path, emit(ADD, EmitKind::Obj, &CodegenOptions::default()).unwrap()).unwrap();
    let symbols = symbols(&path, false);
    for expected in ["T add", "T _mlir_ciface_add", "U malloc"] {
        assert!(symbols.iter().any(|symbol| symbol == expected), "{expected} in {symbols:?}");
    }
}

#[test]
fn targets_that_do_not_exist() {
    let message = |options: &CodegenOptions| emit("module {}", EmitKind::Asm, options).unwrap_err().to_string();
    let mut options = CodegenOptions { target_triple: Some("pdp11-dec-unix".to_owned()), ..CodegenOptions::default() };
    assert_eq!(message(&options), "unknown target 'pdp11-dec-unix'");
    options.target_triple = Some("riscv64-unknown-linux-gnu".to_owned());
    options.target_cpu = Some("native".to_owned());
    assert_eq!(message(&options), "target CPU 'native' is not a CPU of target 'riscv64-unknown-linux-gnu'");
    options.target_cpu = None;
    options.target_features = "v".to_owned();
    assert_eq!(message(&options), "target feature 'v' does not start with '+' or '-'");
    options.target_features = "+m,+w".to_owned();
    assert_eq!(message(&options), "'w' is not a feature of riscv64");
    options = for_cpu(X86_64, "zenver4");
    assert_eq!(message(&options), "'zenver4' is not a CPU of x86_64; did you mean 'znver4'?");
    options.target_cpu = Some("quantum".to_owned());
    assert_eq!(message(&options), "'quantum' is not a CPU of x86_64");
}

/// Loading the shared libraries takes longer than compiling a small program: `docs/decisions/0012-llvm-in-the-program.md`.
#[test]
#[cfg(target_os = "linux")]
fn llvm_is_in_the_program() {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    assert!(!maps.contains("libLLVM") && !maps.contains("libMLIR"), "{maps}");
}
