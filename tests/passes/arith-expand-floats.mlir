// RUN: dl-opt %s --arith-expand='include-bf16 include-f8e8m0 include-f4e2m1' | FileCheck %s

// CHECK-LABEL: func.func @bf16
func.func @bf16(%x: bf16, %y: f32, %v: vector<4xbf16>) -> (f32, bf16, vector<4xf32>) {
  // CHECK-NOT: arith.extf
  // CHECK-NOT: arith.truncf
  // CHECK: return
  %a = arith.extf %x : bf16 to f32
  %b = arith.truncf %y : f32 to bf16
  %c = arith.extf %v : vector<4xbf16> to vector<4xf32>
  return %a, %b, %c : f32, bf16, vector<4xf32>
}

// CHECK-LABEL: func.func @small
func.func @small(%x: f4E2M1FN, %y: f32, %z: f8E8M0FNU) -> (f64, f4E2M1FN, f32) {
  // CHECK-NOT: arith.extf {{.*}} : f4E2M1FN
  // CHECK-NOT: arith.truncf
  // CHECK: %[[W:.*]] = arith.bitcast %{{.*}} : i32 to f32
  // CHECK: arith.extf %[[W]] : f32 to f64
  %a = arith.extf %x : f4E2M1FN to f64
  %b = arith.truncf %y : f32 to f4E2M1FN
  %c = arith.extf %z : f8E8M0FNU to f32
  return %a, %b, %c : f64, f4E2M1FN, f32
}

// What rounds in its own way is left alone.
// CHECK-LABEL: func.func @rounded
func.func @rounded(%x: f16) -> bf16 {
  // CHECK: arith.truncf
  %w = arith.extf %x : f16 to f64
  %a = arith.truncf %w : f64 to bf16
  return %a : bf16
}
