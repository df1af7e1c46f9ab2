// RUN: dl-opt %s --convert-math-to-llvm | FileCheck %s
// RUN: dl-opt %s --convert-math-to-llvm=approximate-log1p=false | FileCheck %s --check-prefix=EXACT

// CHECK-LABEL: func.func @intrinsics
//  CHECK-SAME:   (%[[X:.*]]: f32, %[[A:.*]]: i32)
func.func @intrinsics(%x: f32, %a: i32) {
  // CHECK-NEXT: llvm.intr.exp(%[[X]]) {fastmathFlags = #llvm.fastmath<fast>} : (f32) -> f32
  // CHECK-NEXT: llvm.intr.pow(%[[X]], %[[X]]) : (f32, f32) -> f32
  // CHECK-NEXT: llvm.intr.powi(%[[X]], %[[A]]) : (f32, i32) -> f32
  // CHECK-NEXT: llvm.intr.fma(%[[X]], %[[X]], %[[X]]) : (f32, f32, f32) -> f32
  // CHECK-NEXT: llvm.intr.tanh(%[[X]]) : (f32) -> f32
  // CHECK-NEXT: "llvm.intr.abs"(%[[A]]) <{is_int_min_poison = false}> : (i32) -> i32
  // CHECK-NEXT: "llvm.intr.ctlz"(%[[A]]) <{is_zero_poison = false}> : (i32) -> i32
  // CHECK-NEXT: "llvm.intr.is.fpclass"(%[[X]]) <{bit = 3 : i32}> : (f32) -> i1
  %0 = math.exp %x fastmath<fast> : f32
  %1 = math.powf %x, %x : f32
  %2 = math.fpowi %x, %a : f32, i32
  %3 = math.fma %x, %x, %x : f32
  %4 = math.tanh %x : f32
  %5 = math.absi %a : i32
  %6 = math.ctlz %a : i32
  %7 = math.isnan %x : f32
  return
}

// CHECK-LABEL: func.func @rsqrt
//  CHECK-SAME:   (%[[V:.*]]: vector<4xf32>)
func.func @rsqrt(%v: vector<4xf32>) -> vector<4xf32> {
  // CHECK-NEXT: %[[ONE:.*]] = llvm.mlir.constant(dense<1.000000e+00> : vector<4xf32>)
  // CHECK-NEXT: %[[ROOT:.*]] = llvm.intr.sqrt(%[[V]])
  // CHECK-NEXT: llvm.fdiv %[[ONE]], %[[ROOT]]
  %0 = math.rsqrt %v : vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-LABEL: func.func @log1p
//  CHECK-SAME:   (%[[X:.*]]: f32)
// EXACT-LABEL: func.func @log1p
func.func @log1p(%x: f32) -> f32 {
  // CHECK-NEXT: %[[ONE:.*]] = llvm.mlir.constant(1.000000e+00 : f32)
  // CHECK-NEXT: %[[SUM:.*]] = llvm.fadd %[[ONE]], %[[X]]
  // CHECK-NEXT: llvm.intr.log(%[[SUM]])
  // EXACT-NEXT: math.log1p
  %0 = math.log1p %x : f32
  return %0 : f32
}

// What LLVM has no intrinsic for stays.
// CHECK-LABEL: func.func @erf
func.func @erf(%x: f32) -> f32 {
  // CHECK-NEXT: math.erf
  %0 = math.erf %x : f32
  return %0 : f32
}
