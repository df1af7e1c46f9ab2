//! MLIR text to LLVM IR: what `mlir-translate` prints, and what is refused.

use dl_codegen_llvm::{Error, LlvmModule};

/// The error's text for a module that must be refused.
fn error(text: &str) -> String {
    LlvmModule::from_mlir(text, "test.mlir").map(|_| ()).unwrap_err().to_string()
}

#[test]
fn prints_what_mlir_translate_prints() {
    let text = "llvm.func @twice(%a: i32) -> i32 {
      %0 = llvm.add %a, %a : i32
      llvm.return %0 : i32
    }";
    // From mlir-translate 22 --mlir-to-llvmir.
    let expected = "\
; ModuleID = 'LLVMDialectModule'
source_filename = \"LLVMDialectModule\"

define i32 @twice(i32 %0) {
  %2 = add i32 %0, %0
  ret i32 %2
}

!llvm.module.flags = !{!0}

!0 = !{i32 2, !\"Debug Info Version\", i32 3}
";
    assert_eq!(LlvmModule::from_mlir(text, "test.mlir").unwrap().to_llvm_ir_text(), expected);
}

#[test]
fn the_generic_form_is_accepted() {
    let text = r#""builtin.module"() ({
      "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i64 (i64)>, linkage = #llvm.linkage<external>,
          sym_name = "same", visibility_ = 0 : i64}> ({
      ^bb0(%arg0: i64):
        "llvm.return"(%arg0) : (i64) -> ()
      }) : () -> ()
    }) : () -> ()"#;
    let module = LlvmModule::from_mlir(text, "test.mlir").unwrap();
    assert_eq!(module.function_names(), ["same"]);
}

#[test]
fn the_module_says_its_target() {
    let text = r#"module attributes {llvm.target_triple = "aarch64-unknown-linux-gnu",
        dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<"dlti.endianness", "little">>} {}"#;
    let ir = LlvmModule::from_mlir(text, "test.mlir").unwrap().to_llvm_ir_text();
    assert!(ir.contains("target triple = \"aarch64-unknown-linux-gnu\""), "{ir}");
    assert!(ir.contains("target datalayout = \"e"), "{ir}");
}

#[test]
fn syntax_errors_have_positions() {
    assert_eq!(
        error("llvm.func @f() {\n  llvm.return %x : i32\n}"),
        "test.mlir:2:15: error: use of undeclared SSA value name"
    );
    assert_eq!(
        error("module {\n  llvm.func @f() {\n    llvm.retrun\n  }\n}"),
        "test.mlir:3:5: error: custom op 'llvm.retrun' is unknown"
    );
    assert_eq!(error("module {\n  \0\n}"), "test.mlir:2:3: error: unexpected zero byte");
}

#[test]
fn verification_errors_have_positions() {
    assert_eq!(
        error("llvm.func @f(%a: i32) -> i64 {\n  llvm.return %a : i32\n}"),
        "test.mlir:2:3: error: 'llvm.return' op mismatching result types\n\
         test.mlir:1:1: note: when returning from function"
    );
}

#[test]
fn notes_follow_their_error() {
    assert_eq!(
        error("llvm.func @f()\nllvm.func @f()"),
        "test.mlir:2:1: error: redefinition of symbol named 'f'\n\
         test.mlir:1:1: note: see existing symbol definition here"
    );
}

#[test]
fn operations_of_other_dialects_are_unsupported() {
    let generic = "llvm.func @f(%a: i32) -> i32 {\n  \
        %0 = \"arith.addi\"(%a, %a) : (i32, i32) -> i32\n  \
        %1 = \"arith.muli\"(%0, %a) : (i32, i32) -> i32\n  \
        llvm.return %1 : i32\n}";
    assert_eq!(
        error(generic),
        "test.mlir:2:8: error: unsupported: 'arith.addi' op has no translation to LLVM IR; \
         lower it to the llvm dialect first\n\
         test.mlir:3:8: error: unsupported: 'arith.muli' op has no translation to LLVM IR; \
         lower it to the llvm dialect first"
    );
    let pretty = "func.func @f() {\n  return\n}";
    assert_eq!(
        error(pretty),
        "test.mlir:1:1: error: unsupported: 'func.func' op has no translation to LLVM IR; \
         lower it to the llvm dialect first"
    );
    let cast = "llvm.func @f(%a: i64) {\n  \
        %0 = builtin.unrealized_conversion_cast %a : i64 to index\n  llvm.return\n}";
    assert_eq!(
        error(cast),
        "test.mlir:2:8: error: unsupported: 'builtin.unrealized_conversion_cast' op has no \
         translation to LLVM IR; lower it to the llvm dialect first"
    );
}

#[test]
fn locations_in_the_text_are_used() {
    let text = "llvm.func @f(%a: i64) {\n  \
        %0 = \"x.y\"(%a) : (i64) -> i64 loc(\"model.onnx\":7:3)\n  llvm.return\n}";
    assert!(error(text).starts_with("model.onnx:7:3: error: unsupported: 'x.y' op"));
    let named = text.replace("loc(\"model", "loc(\"layer1\"(\"model").replace("7:3)", "7:3))");
    assert!(error(&named).starts_with("model.onnx:7:3: error: unsupported: 'x.y' op"));
}

#[test]
fn errors_are_values_with_parts() {
    let Err(Error::Mlir(diagnostics)) = LlvmModule::from_mlir("foo.bar", "a.mlir") else {
        panic!("an unknown operation parsed");
    };
    assert_eq!(diagnostics.len(), 1);
    let position = diagnostics[0].position.as_ref().unwrap();
    assert_eq!((position.file.as_str(), position.line, position.column), ("a.mlir", 1, 1));
}

#[test]
fn reports_name_the_severity_once() {
    let mlir = LlvmModule::from_mlir("foo.bar", "a.mlir").map(|_| ()).unwrap_err();
    assert!(mlir.report().to_string().starts_with("a.mlir:1:1: error: unsupported: 'foo.bar'"));
    let other = Error::Target("unknown target 'x'".to_owned());
    assert_eq!(other.report().to_string(), "error: unknown target 'x'");
}

#[test]
fn deep_nesting_is_refused_and_what_is_allowed_is_survived() {
    let nested = |levels: usize| {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        format!("module attributes {{\n  a.b = {open}{close}\n}} {{}}")
    };
    assert_eq!(error(&nested(600)), "test.mlir:2:520: error: nested deeper than 512 levels");
    assert!(LlvmModule::from_mlir(nested(500), "test.mlir").is_ok());
    let structs = format!("{}i8{}", "struct<(".repeat(250), ")>".repeat(250));
    let text = format!("llvm.func @f(!llvm.{structs})");
    assert!(LlvmModule::from_mlir(text, "test.mlir").is_ok());
    let regions = format!("{}{}", "module {\n".repeat(500), "}\n".repeat(500));
    assert!(LlvmModule::from_mlir(regions, "test.mlir").is_ok());
}
