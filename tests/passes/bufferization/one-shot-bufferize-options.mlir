// RUN: dl-opt %s --one-shot-bufferize='test-analysis-only print-conflicts' | FileCheck %s --check-prefix=CONFLICTS
// RUN: dl-opt %s --one-shot-bufferize='test-analysis-only dump-alias-sets bufferize-function-boundaries' | FileCheck %s --check-prefix=SETS
// RUN: dl-opt %s --one-shot-bufferize='test-analysis-only analysis-heuristic=fuzzer analysis-fuzzer-seed=7' | FileCheck %s --check-prefix=FUZZER
// RUN: not dl-opt %s --one-shot-bufferize=print-conflicts 2>&1 | FileCheck %s --check-prefix=ERROR1
// RUN: not dl-opt %s --one-shot-bufferize=dump-alias-sets 2>&1 | FileCheck %s --check-prefix=ERROR2
// RUN: not dl-opt %s --one-shot-bufferize='copy-before-write test-analysis-only' 2>&1 | FileCheck %s --check-prefix=ERROR3
// RUN: not dl-opt %s --one-shot-bufferize='must-infer-memory-space use-encoding-for-memory-space' 2>&1 | FileCheck %s --check-prefix=ERROR4

// ERROR1: Invalid option: 'print-conflicts' requires 'test-analysis-only'
// ERROR2: Invalid option: 'dump-alias-sets' requires 'test-analysis-only'
// ERROR3: Invalid option: 'copy-before-write' cannot be used with 'test-analysis-only'
// ERROR4: only one of 'must-infer-memory-space' and 'use-encoding-for-memory-space' are allowed

// SETS-LABEL: func.func @f(
//  SETS-SAME:   %[[T:[^:]*]]: tensor<4xf32>
//  SETS-SAME:   __bbarg_alias_set_attr__ =
//  SETS-SAME:     ["%[[T]]"]
//       SETS:   %[[A:[^ ]*]] = bufferization.alloc_tensor
//       SETS:   %[[N:[^ ]*]] = tensor.insert
//  SETS-SAME:     ["%[[N]]", "%[[A]]"]

// The result is read after the second insertion.
// CONFLICTS-LABEL: func.func @f
//       CONFLICTS:   %[[A:.*]] = bufferization.alloc_tensor
//       CONFLICTS:   tensor.insert %{{.*}} into %[[A]][%{{.*}}] {"C_0[DEF: result 0]"
//  CONFLICTS-SAME:     __inplace_operands_attr__ = ["none", "true", "none"]
//       CONFLICTS:   tensor.insert {{.*}}"C_0[CONFL-WRITE: 1]"
//  CONFLICTS-SAME:     __inplace_operands_attr__ = ["none", "false", "none"]
//       CONFLICTS:   tensor.extract {{.*}}"C_0[READ: 0]"

// The order decides only which operands are copied.
// FUZZER: __inplace_operands_attr__
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> (f32, f32) {
  %a = bufferization.alloc_tensor() : tensor<4xf32>
  %b = tensor.insert %x into %a[%i] : tensor<4xf32>
  %c = tensor.insert %x into %b[%i] : tensor<4xf32>
  %p = tensor.extract %b[%i] : tensor<4xf32>
  %q = tensor.extract %c[%i] : tensor<4xf32>
  return %p, %q : f32, f32
}
