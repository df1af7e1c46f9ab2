// RUN: dl-opt %s --math-uplift-to-fma | FileCheck %s

// CHECK-LABEL: func.func @fused
//  CHECK-SAME:   (%[[X:.*]]: f32, %[[Y:.*]]: f32, %[[Z:.*]]: f32)
// CHECK: math.fma %[[X]], %[[Y]], %[[Z]] fastmath<fast> : f32
func.func @fused(%x: f32, %y: f32, %z: f32) -> f32 {
  %0 = arith.mulf %x, %y fastmath<fast> : f32
  %1 = arith.addf %0, %z fastmath<fast> : f32
  return %1 : f32
}

// Two roundings are two, unless flags say otherwise.
// CHECK-LABEL: func.func @strict
// CHECK-NOT: math.fma
// CHECK: return
func.func @strict(%x: f32, %y: f32, %z: f32) -> f32 {
  %0 = arith.mulf %x, %y : f32
  %1 = arith.addf %0, %z fastmath<fast> : f32
  return %1 : f32
}
