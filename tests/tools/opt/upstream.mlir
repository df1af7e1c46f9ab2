// RUN: dl-opt %s --upstream-pipeline='builtin.module(func.func(canonicalize{top-down=false}))' --cse | FileCheck %s
// RUN: dl-opt %s --pass-pipeline='builtin.module(upstream{pipeline=builtin.module(canonicalize,func.func(cse))},cse)' | FileCheck %s
// RUN: dl-opt %s --cse --verify-with-upstream | FileCheck %s --check-prefix=VERIFIED
// RUN: not dl-opt %s --upstream-pipeline='builtin.module(no-such-pass)' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not dl-opt %S/Inputs/tosa.mlir --allow-unregistered-dialect --upstream-pipeline='builtin.module(one-shot-bufferize)' 2>&1 | FileCheck %s --check-prefix=FAILED
// RUN: dl-opt %S/Inputs/tosa.mlir --allow-unregistered-dialect --upstream-pipeline='builtin.module(func.func(tosa-to-linalg))' | FileCheck %s --check-prefix=TOSA
// REQUIRES: llvm

// Passes of MLIR's own, in the middle of a pipeline of ours.

// UNKNOWN: error: MLIR does not take the pipeline 'builtin.module(no-such-pass)'
// UNKNOWN: 'no-such-pass' does not refer to a registered pass or pass pipeline

// FAILED: tosa.mlir:2:8: error: op was not bufferized

// CHECK-LABEL: func.func @chosen(
// CHECK-SAME: %[[A:.*]]: i32, %[[M:.*]]: memref<4xf32>
// CHECK-NOT: scf.if
// CHECK: %[[V:.*]] = memref.load %[[M]]
// CHECK: return %[[A]], %[[V]]
// VERIFIED-LABEL: func.func @chosen(
// VERIFIED: scf.if
func.func @chosen(%a: i32, %m: memref<4xf32>, %b: i1) -> (i32, f32) {
  %c = arith.constant 0 : i32
  %0 = arith.addi %a, %c : i32
  %i = arith.constant 1 : index
  %v = memref.load %m[%i] : memref<4xf32>
  %r = scf.if %b -> i32 {
    scf.yield %0 : i32
  } else {
    scf.yield %a : i32
  }
  return %r, %v : i32, f32
}

// A dialect that we do not have goes there and becomes what we know.
// TOSA: linalg.generic
// TOSA: math.absf
