// RUN: dl-opt %s --arith-expand | FileCheck %s

// CHECK-LABEL: func.func @maxui
//  CHECK-SAME:   (%[[A:.*]]: i32, %[[B:.*]]: i32)
func.func @maxui(%a: i32, %b: i32) -> i32 {
  // CHECK-NEXT: %[[C:.*]] = arith.cmpi ugt, %[[A]], %[[B]]
  // CHECK-NEXT: arith.select %[[C]], %[[A]], %[[B]]
  %0 = arith.maxui %a, %b : i32
  return %0 : i32
}

// The result is NaN where either operand is.
// CHECK-LABEL: func.func @maximumf
//  CHECK-SAME:   (%[[A:.*]]: f32, %[[B:.*]]: f32)
func.func @maximumf(%a: f32, %b: f32) -> f32 {
  // CHECK-NEXT: %[[C:.*]] = arith.cmpf ugt, %[[A]], %[[B]]
  // CHECK-NEXT: %[[S:.*]] = arith.select %[[C]], %[[A]], %[[B]]
  // CHECK-NEXT: %[[NAN:.*]] = arith.cmpf uno, %[[B]], %[[B]]
  // CHECK-NEXT: arith.select %[[NAN]], %[[B]], %[[S]]
  %0 = arith.maximumf %a, %b : f32
  return %0 : f32
}

// The result is the other operand where one is NaN.
// CHECK-LABEL: func.func @minnumf
//  CHECK-SAME:   (%[[A:.*]]: f32, %[[B:.*]]: f32)
func.func @minnumf(%a: f32, %b: f32) -> f32 {
  // CHECK-NEXT: %[[C:.*]] = arith.cmpf ult, %[[A]], %[[B]]
  // CHECK-NEXT: %[[S:.*]] = arith.select %[[C]], %[[A]], %[[B]]
  // CHECK-NEXT: %[[NAN:.*]] = arith.cmpf uno, %[[A]], %[[A]]
  // CHECK-NEXT: arith.select %[[NAN]], %[[B]], %[[S]]
  %0 = arith.minnumf %a, %b : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @ceildivui
//  CHECK-SAME:   (%[[A:.*]]: vector<4xi32>, %[[B:.*]]: vector<4xi32>)
func.func @ceildivui(%a: vector<4xi32>, %b: vector<4xi32>) -> vector<4xi32> {
  // CHECK:      %[[ZERO:.*]] = arith.constant dense<0> : vector<4xi32>
  // CHECK-NEXT: %[[IS_ZERO:.*]] = arith.cmpi eq, %[[A]], %[[ZERO]]
  // CHECK-NEXT: %[[ONE:.*]] = arith.constant dense<1> : vector<4xi32>
  // CHECK-NEXT: %[[LESS:.*]] = arith.subi %[[A]], %[[ONE]]
  // CHECK-NEXT: %[[Q:.*]] = arith.divui %[[LESS]], %[[B]]
  // CHECK-NEXT: %[[UP:.*]] = arith.addi %[[Q]], %[[ONE]]
  // CHECK-NEXT: arith.select %[[IS_ZERO]], %[[ZERO]], %[[UP]]
  %0 = arith.ceildivui %a, %b : vector<4xi32>
  return %0 : vector<4xi32>
}
