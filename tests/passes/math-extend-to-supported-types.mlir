// RUN: dl-opt %s --math-extend-to-supported-types | FileCheck %s
// RUN: dl-opt %s --math-extend-to-supported-types=extra-types=f16 | FileCheck %s --check-prefix=HALF
// RUN: not dl-opt %s --math-extend-to-supported-types=target-type=i32 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: error

// CHECK-LABEL: func.func @half
//  CHECK-SAME:   (%[[X:.*]]: f16)
// CHECK: %[[WIDE:.*]] = arith.extf %[[X]] {{.*}}: f16 to f32
// CHECK: %[[R:.*]] = math.exp %[[WIDE]] : f32
// CHECK: arith.truncf %[[R]] {{.*}}: f32 to f16
// HALF-LABEL: func.func @half
// HALF: math.exp %{{.*}} : f16
func.func @half(%x: f16) -> f16 {
  %0 = math.exp %x : f16
  return %0 : f16
}

// CHECK-LABEL: func.func @single
// CHECK-NOT: arith
// CHECK: math.exp %{{.*}} : f32
func.func @single(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}
