// REQUIRES: llvm
// RUN: not dl-translate %s --mlir-to-llvmir 2>&1 | FileCheck %s

//      CHECK: not-lowered.mlir:[[#@LINE+3]]:1: error: cannot be converted to LLVM IR: missing `LLVMTranslationDialectInterface` registration for dialect for op: func.func
// CHECK-NEXT: func.func @f() {
//      CHECK: note: 'dl-opt --cpu-pipeline' lowers a program to the llvm dialect
func.func @f() {
  return
}
