// RUN: dl-opt %s --pass-pipeline='builtin.module(print-ir{label=before},func.func(canonicalize,print-ir))' -o /dev/null 2>&1 | FileCheck %s

// CHECK: // -----// IR Dump before //----- //
// CHECK-NEXT: module {
// CHECK: arith.addi
// CHECK: // -----// IR Dump //----- //
// CHECK-NEXT: func.func @zero
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NOT: module

func.func @zero(%a: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %b = arith.addi %a, %zero : i32
  return %b : i32
}
