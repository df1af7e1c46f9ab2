// RUN: dl-opt %s --math-sincos-fusion | FileCheck %s

// CHECK-LABEL: func.func @both
//  CHECK-SAME:   (%[[X:.*]]: f32)
// CHECK: %[[SIN:.*]], %[[COS:.*]] = math.sincos %[[X]] : f32
// CHECK: return %[[SIN]], %[[COS]]
func.func @both(%x: f32) -> (f32, f32) {
  %0 = math.sin %x : f32
  %1 = math.cos %x : f32
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func.func @different
// CHECK-NOT: math.sincos
// CHECK: return
func.func @different(%x: f32, %y: f32) -> (f32, f32) {
  %0 = math.sin %x : f32
  %1 = math.cos %y : f32
  return %0, %1 : f32, f32
}
