// RUN: dl-opt %s --dl-emulate-f8 --split-input-file | FileCheck %s

// The sum is one of f32, and conversions are operations on bits.
// CHECK-LABEL: func @sum
//   CHECK-NOT: arith.extf
//       CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %{{.*}} : vector<4xf32>
//       CHECK: arith.bitcast %[[SUM]] : vector<4xf32> to vector<4xi32>
//   CHECK-NOT: arith.truncf
//       CHECK: arith.bitcast %{{.*}} : vector<4xi8> to vector<4xf8E4M3FN>
func.func @sum(%a: vector<4xf8E4M3FN>, %b: vector<4xf8E4M3FN>) -> vector<4xf8E4M3FN> {
  %c = arith.addf %a, %b : vector<4xf8E4M3FN>
  return %c : vector<4xf8E4M3FN>
}

// -----

// Without such floats nothing is expanded.
// CHECK-LABEL: func @none
//       CHECK: arith.maximumf
func.func @none(%a: f32, %b: f32) -> f32 {
  %c = arith.maximumf %a, %b : f32
  return %c : f32
}
