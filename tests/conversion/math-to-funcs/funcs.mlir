// RUN: dl-opt %s --convert-math-to-funcs --split-input-file | FileCheck %s
// RUN: dl-opt %s --convert-math-to-funcs=convert-ctlz --split-input-file | FileCheck %s --check-prefix=CTLZ
// RUN: dl-opt %s --convert-math-to-funcs=min-width-of-fpowi-exponent=33 --split-input-file | FileCheck %s --check-prefix=WIDE

// CHECK-LABEL: func.func @ipowi
// CHECK-SAME: (%[[A:.*]]: i64, %[[B:.*]]: i64)
// CHECK: call @__mlir_math_ipowi_i64(%[[A]], %[[B]]) : (i64, i64) -> i64
// CHECK: call @__mlir_math_ipowi_i64(%[[B]], %[[A]])
func.func @ipowi(%a: i64, %b: i64) -> (i64, i64) {
  %c = math.ipowi %a, %b : i64
  %d = math.ipowi %b, %a : i64
  return %c, %d : i64, i64
}

// One function serves both.
// CHECK-LABEL: func.func private @__mlir_math_ipowi_i64
// CHECK-SAME: llvm.linkage = #llvm.linkage<linkonce_odr>
// CHECK-NOT: @__mlir_math_ipowi

// -----

// CHECK-LABEL: func.func @fpowi
// CHECK: call @__mlir_math_fpowi_f32_i8
// CHECK: func.func private @__mlir_math_fpowi_f32_i8(
// CHECK-SAME: f32
// CHECK-SAME: i8
// CHECK: arith.constant -128 : i8
// CHECK: arith.constant 127 : i8
// WIDE-LABEL: func.func @fpowi
// WIDE: math.fpowi
func.func @fpowi(%a: f32, %b: i8) -> f32 {
  %c = math.fpowi %a, %b : f32, i8
  return %c : f32
}

// -----

// Vectors go element by element.
// CHECK-LABEL: func.func @vector
// CHECK-COUNT-4: call @__mlir_math_ipowi_i8
// CHECK-NOT: call
func.func @vector(%a: vector<2x2xi8>) -> vector<2x2xi8> {
  %c = math.ipowi %a, %a : vector<2x2xi8>
  return %c : vector<2x2xi8>
}

// -----

// CHECK-LABEL: func.func @ctlz
// CHECK: math.ctlz
// CTLZ-LABEL: func.func @ctlz
// CTLZ: call @__mlir_math_ctlz_i32
// CTLZ: func.func private @__mlir_math_ctlz_i32(
// CTLZ: scf.for
func.func @ctlz(%a: i32) -> i32 {
  %c = math.ctlz %a : i32
  return %c : i32
}
