// RUN: dl-opt %s --ensure-debug-info-scope-on-llvm-func --split-input-file --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: dl-opt %s --ensure-debug-info-scope-on-llvm-func='emission-kind=Full' --split-input-file --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=FULL
// RUN: not dl-opt %s --ensure-debug-info-scope-on-llvm-func='emission-kind=Some' 2>&1 | FileCheck %s --check-prefix=KIND

// A definition has an identity and the compile unit of the module; a declaration has neither. Functions share the unit.
// CHECK-LABEL: llvm.func @definition
//       CHECK:   llvm.return loc("folder/file.mlir":10:4)
//  CHECK-NEXT: } loc(fused<#llvm.di_subprogram<id = distinct[0]<>, compileUnit = <id = distinct[1]<>, sourceLanguage = DW_LANG_C, file = <"module.mlir" in "folder">, producer = "MLIR", isOptimized = true, emissionKind = LineTablesOnly>, scope = #llvm.di_file<"file.mlir" in "folder">, name = "definition", linkageName = "definition", file = <"file.mlir" in "folder">, line = 9, scopeLine = 9, subprogramFlags = "Definition|Optimized", type = <callingConvention = DW_CC_normal>>>["folder/file.mlir":9:8])
// CHECK-LABEL: llvm.func @other
//       CHECK: } loc(fused<#llvm.di_subprogram<id = distinct[2]<>, compileUnit = <id = distinct[1]<>
// CHECK-LABEL: llvm.func @declaration
//  CHECK-SAME:   loc(fused<#llvm.di_subprogram<scope = #llvm.di_file<"file.mlir" in "">, name = "declaration", linkageName = "declaration", file = <"file.mlir" in "">, line = 3, scopeLine = 3, subprogramFlags = Optimized, type = <callingConvention = DW_CC_normal>>>["file.mlir":3:4])
// FULL: emissionKind = Full>
// KIND: Cannot find option named 'Some'
module {
  llvm.func @definition() {
    llvm.return loc("folder/file.mlir":10:4)
  } loc("folder/file.mlir":9:8)
  llvm.func @other() {
    llvm.return loc("file.mlir":2:1)
  } loc("file.mlir":1:1)
  llvm.func @declaration() loc("file.mlir":3:4)
} loc("folder/module.mlir":4:5)

// -----

// What comes from another file has a scope of its own; of a call that was inlined, the callee.
// CHECK-LABEL: llvm.func @files
//       CHECK:   llvm.call @declaration() : () -> () loc(callsite(fused<#llvm.di_lexical_block_file<scope = #llvm.di_subprogram<{{.*}}>, file = <"c.mlir" in "b">, discriminator = 0>>["b/c.mlir":3:4] at "d":5:6))
//       CHECK:   llvm.return loc(fused<#llvm.di_lexical_block_file<scope = #llvm.di_subprogram<{{.*}}>, file = <"x" in "">, discriminator = 0>>["x":7:8])
//       CHECK: file = <"caller" in "">, line = 5, {{.*}}[callsite("callee":3:4 at "caller":5:6)])
module {
  llvm.func @declaration() loc("d":5:6)
  llvm.func @files() {
    llvm.call @declaration() : () -> () loc(callsite("b/c.mlir":3:4 at "d":5:6))
    llvm.return loc("x":7:8)
  } loc(callsite("callee":3:4 at "caller":5:6))
} loc("m":1:1)

// -----

// What is there already stays: a subprogram, and the compile unit of the module.
// CHECK-LABEL: llvm.func @has_one
//       CHECK: loc(fused<#llvm.di_subprogram<id = distinct[0]<>, compileUnit = <id = distinct[1]<>, sourceLanguage = DW_LANG_C, file = <"a" in "b">, isOptimized = false, emissionKind = Full>, name = "there", subprogramFlags = Definition>>["f":42:1])
// CHECK-LABEL: llvm.func @gets_one
//       CHECK: compileUnit = <id = distinct[1]<>, sourceLanguage = DW_LANG_C, file = <"a" in "b">, isOptimized = false, emissionKind = Full>
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = <"a" in "b">, isOptimized = false, emissionKind = Full>
#there = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, name = "there", subprogramFlags = Definition>
module {
  llvm.func @has_one() {
    llvm.return loc("f":42:2)
  } loc(fused<#there>["f":42:1])
  llvm.func @gets_one() {
    llvm.return loc(unknown)
  } loc(unknown)
} loc(fused<#unit>["m":1:1])
