// RUN: dl-opt %s --math-expand-ops | FileCheck %s
// RUN: dl-opt %s --math-expand-ops=ops=tan,fma | FileCheck %s --check-prefix=SOME
// RUN: not dl-opt %s --math-expand-ops=ops=tan,sin 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: there is no expansion of 'math.sin'

// CHECK-LABEL: func.func @tan
// CHECK-DAG: %[[S:.*]] = math.sin %{{.*}} fastmath<nnan>
// CHECK-DAG: %[[C:.*]] = math.cos %{{.*}} fastmath<nnan>
// CHECK: arith.divf %[[S]], %[[C]] fastmath<nnan>
// SOME-LABEL: func.func @tan
// SOME: arith.divf
func.func @tan(%x: f32) -> f32 {
  %0 = math.tan %x fastmath<nnan> : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @hyperbolic
// CHECK-NOT: math.sinh
// CHECK: %[[UP:.*]] = math.exp %[[X:.*]] : vector<4xf32>
// CHECK: %[[N:.*]] = arith.negf %[[X]]
// CHECK: %[[DOWN:.*]] = math.exp %[[N]]
// CHECK: %[[D:.*]] = arith.subf %[[UP]], %[[DOWN]]
// CHECK: arith.mulf %[[D]], %{{.*}} : vector<4xf32>
// SOME-LABEL: func.func @hyperbolic
// SOME: math.sinh
func.func @hyperbolic(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = math.sinh %x : vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-LABEL: func.func @powers
// CHECK-SAME: %[[X:[a-z0-9]+]]: f32, %[[Y:[a-z0-9]+]]: f32
// CHECK: %[[X2:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK: %[[X4:.*]] = arith.mulf %[[X2]], %[[X2]]
// CHECK: %[[X5:.*]] = arith.mulf %[[X4]], %[[X]]
// CHECK: %[[INVERSE:.*]] = arith.divf %{{.*}}, %[[X5]]
// CHECK: %[[ROOT:.*]] = math.sqrt %[[X]]
// CHECK: %[[LOG:.*]] = math.log %[[X]]
// CHECK: %[[P:.*]] = arith.mulf %[[Y]], %[[LOG]]
// CHECK: %[[E:.*]] = math.exp %[[P]]
// CHECK: return %[[INVERSE]], %[[ROOT]], %[[E]]
func.func @powers(%x: f32, %y: f32) -> (f32, f32, f32) {
  %n = arith.constant -5 : i32
  %h = arith.constant 0.5 : f32
  %0 = math.fpowi %x, %n : f32, i32
  %1 = math.powf %x, %h : f32
  %2 = math.powf %x, %y : f32
  return %0, %1, %2 : f32, f32, f32
}

// The upper bound is the third operand.
// CHECK-LABEL: func.func @clamp
// CHECK-SAME: %[[X:[a-z0-9]+]]: f32, %[[LOW:[a-z0-9]+]]: f32, %[[HIGH:[a-z0-9]+]]: f32
// CHECK: %[[B:.*]] = arith.minimumf %[[X]], %[[HIGH]]
// CHECK: arith.maximumf %[[B]], %[[LOW]]
func.func @clamp(%x: f32, %low: f32, %high: f32) -> f32 {
  %0 = math.clampf %x to [%low, %high] : f32
  return %0 : f32
}

// Constants of a shape that is not known cannot be written, and floats of 80 bits have no integers to look into.
// CHECK-LABEL: func.func @kept
// CHECK: math.tanh
// CHECK: math.ceil
// CHECK: math.ctlz
func.func @kept(%x: tensor<?xf32>, %y: f80, %z: i128) -> (tensor<?xf32>, f80, i128) {
  %0 = math.tanh %x : tensor<?xf32>
  %1 = math.ceil %y : f80
  %2 = math.ctlz %z : i128
  return %0, %1, %2 : tensor<?xf32>, f80, i128
}

// Everything to the power of zero is one, also what is no number.
// CHECK-LABEL: func.func @power_of_zero
//       CHECK:   %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
//       CHECK:   return %[[ONE]], %[[ONE]]
func.func @power_of_zero(%x: f32) -> (f32, f32) {
  %z = arith.constant 0.0 : f32
  %n = arith.constant -0.0 : f32
  %0 = math.powf %x, %z : f32
  %1 = math.powf %x, %n : f32
  return %0, %1 : f32, f32
}
