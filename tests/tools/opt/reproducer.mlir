// A failed pipeline is written down with its input, and runs again from there.
// RUN: not dl-opt %s --pass-pipeline='builtin.module(func.func(cse,symbol-dce))' --mlir-pass-pipeline-crash-reproducer=%t 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t --check-prefix=FILE
// RUN: not dl-opt %t --run-reproducer 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: not dl-opt %t --run-reproducer --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=DUMP

// CHECK: error: 'func.func' op was scheduled to run under SymbolDCE
// CHECK: error: Failures have been detected while processing an MLIR pass pipeline
// CHECK: note: Pipeline failed while executing [`SymbolDCE` on 'func.func' operation: @f, `SymbolDCE` on 'func.func' operation: @g]: reproducer generated at `{{.*}}`

//      FILE: %[[A:.*]] = arith.addi
//      FILE: %[[B:.*]] = arith.addi
//      FILE: return %[[A]], %[[B]]
//      FILE: {-#
// FILE-NEXT:   external_resources: {
// FILE-NEXT:     mlir_reproducer: {
// FILE-NEXT:       pipeline: "builtin.module(func.func(cse,symbol-dce))",
// FILE-NEXT:       disable_threading: false,
// FILE-NEXT:       verify_each: true

// AGAIN: error: 'func.func' op was scheduled to run under SymbolDCE

//      DUMP: builtin.module(
// DUMP-NEXT:  func.func(
// DUMP-NEXT:   cse,

// A local one has the pass that has failed, and the IR as it was before.
// RUN: not dl-opt %s --pass-pipeline='builtin.module(func.func(cse,symbol-dce))' --mlir-pass-pipeline-crash-reproducer=%t.local --mlir-pass-pipeline-local-reproducer --mlir-disable-threading 2>&1 | FileCheck %s --check-prefix=LOCAL
// RUN: FileCheck %s --input-file=%t.local --check-prefix=LOCAL-FILE
// RUN: not dl-opt %t.local --run-reproducer 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: not dl-opt %s --cse --mlir-pass-pipeline-crash-reproducer=%t.local --mlir-pass-pipeline-local-reproducer 2>&1 | FileCheck %s --check-prefix=THREADS

// LOCAL: note: Pipeline failed while executing `SymbolDCE` on 'func.func' operation: @f: reproducer generated at

// LOCAL-FILE: %[[A:.*]] = arith.addi
// LOCAL-FILE-NEXT: return %[[A]], %[[A]]
// LOCAL-FILE: pipeline: "builtin.module(func.func(symbol-dce))"
// LOCAL-FILE: disable_threading: true

// THREADS: error: Local crash reproduction may not be used without disabling mutli-threading first.

// One can be had without a failure too.
// RUN: dl-opt %s --cse --mlir-generate-reproducer=%t.good -o %t.out
// RUN: dl-opt %t.good --run-reproducer | FileCheck %s --check-prefix=GOOD
// GOOD: %[[A:.*]] = arith.addi
// GOOD-NEXT: return %[[A]], %[[A]]

// Nothing can be run again where nothing was written down.
// RUN: not dl-opt %s --run-reproducer 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: the input holds no pipeline for '--run-reproducer'

func.func @f(%x: i32) -> (i32, i32) {
  %0 = arith.addi %x, %x : i32
  %1 = arith.addi %x, %x : i32
  return %0, %1 : i32, i32
}
func.func @g() {
  return
}
