// A failed pipeline is written down with its input, and runs again from there.
// RUN: not dl-opt %s --pass-pipeline='builtin.module(func.func(cse,symbol-dce))' --mlir-pass-pipeline-crash-reproducer=%t 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t --check-prefix=FILE
// RUN: not dl-opt %t --run-reproducer 2>&1 | FileCheck %s --check-prefix=AGAIN

// CHECK: error: 'func.func' op was scheduled to run under SymbolDCE
// CHECK: error: failures have been detected while processing an MLIR pass pipeline
// CHECK: note: reproducer generated at

// FILE: "func.func"()
// FILE: mlir_reproducer: {
// FILE: pipeline: "builtin.module(func.func(cse,symbol-dce))"

// AGAIN: error: 'func.func' op was scheduled to run under SymbolDCE

func.func @f() {
  return
}
