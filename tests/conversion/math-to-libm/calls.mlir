// RUN: dl-opt %s --convert-math-to-libm | FileCheck %s

// CHECK-DAG: func.func private @sin(f64) -> f64
// CHECK-DAG: func.func private @sinf(f32) -> f32
// CHECK-DAG: func.func private @atan2(f64, f64) -> f64

// CHECK-LABEL: func.func @scalars
//  CHECK-SAME:   (%[[X:.*]]: f32, %[[Y:.*]]: f64)
// CHECK: call @sinf(%[[X]]) : (f32) -> f32
// CHECK: call @sin(%[[Y]]) : (f64) -> f64
// CHECK: call @atan2(%[[Y]], %[[Y]]) : (f64, f64) -> f64
func.func @scalars(%x: f32, %y: f64) -> (f32, f64, f64) {
  %0 = math.sin %x : f32
  %1 = math.sin %y : f64
  %2 = math.atan2 %y, %y : f64
  return %0, %1, %2 : f32, f64, f64
}

// A narrow float is made wider.
// CHECK-LABEL: func.func @half
// CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK: %[[R:.*]] = call @sinf(%[[WIDE]])
// CHECK: arith.truncf %[[R]] : f32 to f16
func.func @half(%x: f16) -> f16 {
  %0 = math.sin %x : f16
  return %0 : f16
}

// A call for each element.
// CHECK-LABEL: func.func @vector
// CHECK-COUNT-2: call @sinf
// CHECK-NOT: call
// CHECK: return
func.func @vector(%v: vector<2xf32>) -> vector<2xf32> {
  %0 = math.sin %v : vector<2xf32>
  return %0 : vector<2xf32>
}
