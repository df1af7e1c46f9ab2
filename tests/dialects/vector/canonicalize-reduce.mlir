// RUN: dl-opt %s --canonicalize --split-input-file | FileCheck %s

// A reduction of one element is that element, combined with the accumulator.
// CHECK-LABEL: func.func @reduction_of_one
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<1xf32>, %[[ARG1:[a-z0-9_-]+]]: f32)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.extract %[[ARG0]][0] : f32 from vector<1xf32>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.extract %[[ARG0]][0] : f32 from vector<1xf32>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = arith.maximumf %[[V2]], %[[ARG1]] fastmath<nnan> : f32
//  CHECK-NEXT:   %[[V4:[a-z0-9_-]+]] = vector.extract %[[ARG0]][0] : f32 from vector<1xf32>
//  CHECK-NEXT:   return %[[V]], %[[V3]], %[[V4]] : f32, f32, f32
func.func @reduction_of_one(%v: vector<1xf32>, %a: f32) -> (f32, f32, f32) {
  %0 = vector.reduction <add>, %v : vector<1xf32> into f32
  %1 = vector.reduction <maximumf>, %v, %a fastmath<nnan> : vector<1xf32> into f32
  %d = vector.shape_cast %v : vector<1xf32> to vector<f32>
  %2 = vector.reduction <mul>, %d : vector<f32> into f32
  return %0, %1, %2 : f32, f32, f32
}

// -----

// More elements, and those of a vector that grows with the machine, are reduced.
// CHECK-LABEL: func.func @reduction_of_more
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<2xi32>, %[[ARG1:[a-z0-9_-]+]]: vector<[1]xi32>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.reduction <add>, %[[ARG0]] : vector<2xi32> into i32
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.reduction <add>, %[[ARG1]] : vector<[1]xi32> into i32
//  CHECK-NEXT:   return %[[V]], %[[V2]] : i32, i32
func.func @reduction_of_more(%v: vector<2xi32>, %w: vector<[1]xi32>) -> (i32, i32) {
  %0 = vector.reduction <add>, %v : vector<2xi32> into i32
  %1 = vector.reduction <add>, %w : vector<[1]xi32> into i32
  return %0, %1 : i32, i32
}

// -----

// Along dimensions of extent 1, each element is combined once.
// CHECK-LABEL: func.func @unit_dimensions
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<2x1x3xi32>, %[[ARG1:[a-z0-9_-]+]]: vector<2x3xi32>, %[[ARG2:[a-z0-9_-]+]]: vector<1x1xi32>, %[[ARG3:[a-z0-9_-]+]]: i32)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.shape_cast %[[ARG0]] : vector<2x1x3xi32> to vector<2x3xi32>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = arith.xori %[[ARG1]], %[[V]] : vector<2x3xi32>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = vector.extract %[[ARG2]][0, 0] : i32 from vector<1x1xi32>
//  CHECK-NEXT:   %[[V4:[a-z0-9_-]+]] = arith.minsi %[[ARG3]], %[[V3]] : i32
//  CHECK-NEXT:   return %[[V2]], %[[V4]] : vector<2x3xi32>, i32
func.func @unit_dimensions(%v: vector<2x1x3xi32>, %a: vector<2x3xi32>, %w: vector<1x1xi32>, %b: i32) -> (vector<2x3xi32>, i32) {
  %0 = vector.multi_reduction <xor>, %v, %a [1] : vector<2x1x3xi32> to vector<2x3xi32>
  %1 = vector.multi_reduction <minsi>, %w, %b [0, 1] : vector<1x1xi32> to i32
  return %0, %1 : vector<2x3xi32>, i32
}

// -----

// Where the mask is off, the accumulator stays as it is.
// CHECK-LABEL: func.func @masked_reduction
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<1xi32>, %[[ARG1:[a-z0-9_-]+]]: i32, %[[ARG2:[a-z0-9_-]+]]: vector<1xi1>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.extract %[[ARG2]][0] : i1 from vector<1xi1>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.extract %[[ARG0]][0] : i32 from vector<1xi32>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = arith.addi %[[V2]], %[[ARG1]] : i32
//  CHECK-NEXT:   %[[V4:[a-z0-9_-]+]] = arith.select %[[V]], %[[V3]], %[[ARG1]] : i32
//  CHECK-NEXT:   return %[[V4]] : i32
func.func @masked_reduction(%v: vector<1xi32>, %a: i32, %m: vector<1xi1>) -> i32 {
  %0 = vector.mask %m { vector.reduction <add>, %v, %a : vector<1xi32> into i32 } : vector<1xi1> -> i32
  return %0 : i32
}

// -----

// Also along dimensions of extent 1: not the element that the mask turns off.
// CHECK-LABEL: func.func @masked_unit_dimensions
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<2x1xi32>, %[[ARG1:[a-z0-9_-]+]]: vector<2xi32>, %[[ARG2:[a-z0-9_-]+]]: vector<2x1xi1>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.shape_cast %[[ARG2]] : vector<2x1xi1> to vector<2xi1>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.shape_cast %[[ARG0]] : vector<2x1xi32> to vector<2xi32>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = arith.addi %[[ARG1]], %[[V2]] : vector<2xi32>
//  CHECK-NEXT:   %[[V4:[a-z0-9_-]+]] = arith.select %[[V]], %[[V3]], %[[ARG1]] : vector<2xi1>, vector<2xi32>
//  CHECK-NEXT:   return %[[V4]] : vector<2xi32>
func.func @masked_unit_dimensions(%v: vector<2x1xi32>, %a: vector<2xi32>, %m: vector<2x1xi1>) -> vector<2xi32> {
  %0 = vector.mask %m { vector.multi_reduction <add>, %v, %a [1] : vector<2x1xi32> to vector<2xi32> } : vector<2x1xi1> -> vector<2xi32>
  return %0 : vector<2xi32>
}

// -----

// Reducing along no dimension still accumulates.
// CHECK-LABEL: func.func @no_dimensions
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<4xi32>, %[[ARG1:[a-z0-9_-]+]]: vector<4xi32>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = arith.muli %[[ARG1]], %[[ARG0]] : vector<4xi32>
//  CHECK-NEXT:   return %[[V]] : vector<4xi32>
func.func @no_dimensions(%v: vector<4xi32>, %a: vector<4xi32>) -> vector<4xi32> {
  %0 = vector.multi_reduction <mul>, %v, %a [] : vector<4xi32> to vector<4xi32>
  return %0 : vector<4xi32>
}

// -----

// Without an accumulator, nothing is known of the result where the mask is off.
// CHECK-LABEL: func.func @masked_without_accumulator
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<1xi32>, %[[ARG1:[a-z0-9_-]+]]: vector<1xi1>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.mask %[[ARG1]] { vector.reduction <add>, %[[ARG0]] : vector<1xi32> into i32 } : vector<1xi1> -> i32
//  CHECK-NEXT:   return %[[V]] : i32
func.func @masked_without_accumulator(%v: vector<1xi32>, %m: vector<1xi1>) -> i32 {
  %0 = vector.mask %m { vector.reduction <add>, %v : vector<1xi32> into i32 } : vector<1xi1> -> i32
  return %0 : i32
}
