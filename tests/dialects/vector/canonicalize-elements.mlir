// RUN: dl-opt %s --canonicalize --split-input-file | FileCheck %s

// Taking apart and putting together again.
// CHECK-LABEL: func.func @there_and_back
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<2x2xi8>, %[[ARG1:[a-z0-9_-]+]]: i8, %[[ARG2:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   return %[[ARG0]], %[[ARG2]], %[[ARG1]] : vector<2x2xi8>, i8, i8
func.func @there_and_back(%v: vector<2x2xi8>, %a: i8, %b: i8) -> (vector<2x2xi8>, i8, i8) {
  %0:4 = vector.to_elements %v : vector<2x2xi8>
  %1 = vector.from_elements %0#0, %0#1, %0#2, %0#3 : vector<2x2xi8>
  %2 = vector.from_elements %a, %b : vector<2xi8>
  %3:2 = vector.to_elements %2 : vector<2xi8>
  return %1, %3#1, %3#0 : vector<2x2xi8>, i8, i8
}

// -----

// In another order it is another vector.
// CHECK-LABEL: func.func @another_order
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<2xi8>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]]:2 = vector.to_elements %[[ARG0]] : vector<2xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.from_elements %[[V]]#1, %[[V]]#0 : vector<2xi8>
//  CHECK-NEXT:   return %[[V2]] : vector<2xi8>
func.func @another_order(%v: vector<2xi8>) -> vector<2xi8> {
  %0:2 = vector.to_elements %v : vector<2xi8>
  %1 = vector.from_elements %0#1, %0#0 : vector<2xi8>
  return %1 : vector<2xi8>
}

// -----

// Equal elements are one, repeated; constants make a constant.
// CHECK-LABEL: func.func @equal_elements
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   %[[CST:[a-z0-9_-]+]] = arith.constant dense<[2, 1, 1]> : vector<3xi8>
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.broadcast %[[ARG0]] : i8 to vector<2x2xi8>
//  CHECK-NEXT:   return %[[V]], %[[CST]] : vector<2x2xi8>, vector<3xi8>
func.func @equal_elements(%a: i8) -> (vector<2x2xi8>, vector<3xi8>) {
  %c1 = arith.constant 1 : i8
  %c2 = arith.constant 2 : i8
  %0 = vector.from_elements %a, %a, %a, %a : vector<2x2xi8>
  %1 = vector.from_elements %c2, %c1, %c1 : vector<3xi8>
  return %0, %1 : vector<2x2xi8>, vector<3xi8>
}

// -----

// Elements that follow one another are a part of where they are from.
// CHECK-LABEL: func.func @consecutive_elements
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<2x4xi8>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.extract %[[ARG0]][1, 0] : i8 from vector<2x4xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.extract %[[ARG0]][1, 1] : i8 from vector<2x4xi8>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = vector.extract %[[ARG0]][1, 2] : i8 from vector<2x4xi8>
//  CHECK-NEXT:   %[[V4:[a-z0-9_-]+]] = vector.extract %[[ARG0]][1, 3] : i8 from vector<2x4xi8>
//  CHECK-NEXT:   %[[V5:[a-z0-9_-]+]] = vector.extract %[[ARG0]][1] : vector<4xi8> from vector<2x4xi8>
//  CHECK-NEXT:   %[[V6:[a-z0-9_-]+]] = vector.shape_cast %[[V5]] : vector<4xi8> to vector<2x2xi8>
//  CHECK-NEXT:   %[[V7:[a-z0-9_-]+]] = vector.from_elements %[[V2]], %[[V]], %[[V3]], %[[V4]] : vector<4xi8>
//  CHECK-NEXT:   return %[[V6]], %[[V7]] : vector<2x2xi8>, vector<4xi8>
func.func @consecutive_elements(%v: vector<2x4xi8>) -> (vector<2x2xi8>, vector<4xi8>) {
  %0 = vector.extract %v[1, 0] : i8 from vector<2x4xi8>
  %1 = vector.extract %v[1, 1] : i8 from vector<2x4xi8>
  %2 = vector.extract %v[1, 2] : i8 from vector<2x4xi8>
  %3 = vector.extract %v[1, 3] : i8 from vector<2x4xi8>
  %4 = vector.from_elements %0, %1, %2, %3 : vector<2x2xi8>
  %5 = vector.from_elements %1, %0, %2, %3 : vector<4xi8>
  return %4, %5 : vector<2x2xi8>, vector<4xi8>
}

// -----

// Elements of a broadcast are those of the operand.
// CHECK-LABEL: func.func @elements_of_broadcast
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<2xi8>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]]:2 = vector.to_elements %[[ARG0]] : vector<2xi8>
//  CHECK-NEXT:   return %[[V]]#0, %[[V]]#1, %[[V]]#0, %[[V]]#1 : i8, i8, i8, i8
func.func @elements_of_broadcast(%v: vector<2xi8>) -> (i8, i8, i8, i8) {
  %0 = vector.broadcast %v : vector<2xi8> to vector<2x2xi8>
  %1:4 = vector.to_elements %0 : vector<2x2xi8>
  return %1#0, %1#1, %1#2, %1#3 : i8, i8, i8, i8
}

// -----

// All of one vector, by turns, and one of two scalars.
// CHECK-LABEL: func.func @shuffles
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<2xi8>, %[[ARG1:[a-z0-9_-]+]]: vector<2xi8>, %[[ARG2:[a-z0-9_-]+]]: vector<i8>, %[[ARG3:[a-z0-9_-]+]]: vector<i8>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.interleave %[[ARG0]], %[[ARG1]] : vector<2xi8> -> vector<4xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.broadcast %[[ARG3]] : vector<i8> to vector<1xi8>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = vector.shuffle %[[ARG0]], %[[ARG1]] [1, 2] : vector<2xi8>, vector<2xi8>
//  CHECK-NEXT:   return %[[ARG1]], %[[V]], %[[V2]], %[[V3]] : vector<2xi8>, vector<4xi8>, vector<1xi8>, vector<2xi8>
func.func @shuffles(%v: vector<2xi8>, %w: vector<2xi8>, %a: vector<i8>, %b: vector<i8>) -> (vector<2xi8>, vector<4xi8>, vector<1xi8>, vector<2xi8>) {
  %0 = vector.shuffle %v, %w [2, 3] : vector<2xi8>, vector<2xi8>
  %1 = vector.shuffle %v, %w [0, 2, 1, 3] : vector<2xi8>, vector<2xi8>
  %2 = vector.shuffle %a, %b [1] : vector<i8>, vector<i8>
  %3 = vector.shuffle %v, %w [1, 2] : vector<2xi8>, vector<2xi8>
  return %0, %1, %2, %3 : vector<2xi8>, vector<4xi8>, vector<1xi8>, vector<2xi8>
}

// -----

// Constants are shuffled; of one scalar, nothing is.
// CHECK-LABEL: func.func @shuffles_of_constants
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   %[[CST:[a-z0-9_-]+]] = arith.constant dense<[4, 1, 3]> : vector<3xi8>
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.broadcast %[[ARG0]] : i8 to vector<2xi8>
//  CHECK-NEXT:   return %[[CST]], %[[V]] : vector<3xi8>, vector<2xi8>
func.func @shuffles_of_constants(%s: i8) -> (vector<3xi8>, vector<2xi8>) {
  %a = arith.constant dense<[1, 2]> : vector<2xi8>
  %b = arith.constant dense<[3, 4]> : vector<2xi8>
  %0 = vector.shuffle %a, %b [3, 0, 2] : vector<2xi8>, vector<2xi8>
  %c = vector.broadcast %s : i8 to vector<2xi8>
  %d = vector.broadcast %s : i8 to vector<3xi8>
  %1 = vector.shuffle %c, %d [4, 1] : vector<2xi8>, vector<3xi8>
  return %0, %1 : vector<3xi8>, vector<2xi8>
}

// -----

// Counting up compared with a constant: where all elements agree.
// CHECK-LABEL: func.func @step_compared
//  CHECK-NEXT:   %[[CST:[a-z0-9_-]+]] = arith.constant dense<false> : vector<4xi1>
//  CHECK-NEXT:   %[[CST2:[a-z0-9_-]+]] = arith.constant dense<true> : vector<4xi1>
//  CHECK-NEXT:   %[[CST3:[a-z0-9_-]+]] = arith.constant dense<3> : vector<4xindex>
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.step : vector<4xindex>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = arith.cmpi ult, %[[V]], %[[CST3]] : vector<4xindex>
//  CHECK-NEXT:   return %[[CST2]], %[[V2]], %[[CST]] : vector<4xi1>, vector<4xi1>, vector<4xi1>
func.func @step_compared() -> (vector<4xi1>, vector<4xi1>, vector<4xi1>) {
  %s = vector.step : vector<4xindex>
  %c4 = arith.constant dense<4> : vector<4xindex>
  %c3 = arith.constant dense<3> : vector<4xindex>
  %0 = arith.cmpi ult, %s, %c4 : vector<4xindex>
  %1 = arith.cmpi ult, %s, %c3 : vector<4xindex>
  %2 = arith.cmpi eq, %s, %c4 : vector<4xindex>
  return %0, %1, %2 : vector<4xi1>, vector<4xi1>, vector<4xi1>
}

// -----

// Signed comparisons are left alone, and vectors that grow with the machine.
// CHECK-LABEL: func.func @step_compared_otherwise
//  CHECK-NEXT:   %[[CST:[a-z0-9_-]+]] = arith.constant dense<5> : vector<[4]xindex>
//  CHECK-NEXT:   %[[CST2:[a-z0-9_-]+]] = arith.constant dense<4> : vector<4xindex>
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.step : vector<4xindex>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.step : vector<[4]xindex>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = arith.cmpi slt, %[[V]], %[[CST2]] : vector<4xindex>
//  CHECK-NEXT:   %[[V4:[a-z0-9_-]+]] = arith.cmpi ult, %[[V2]], %[[CST]] : vector<[4]xindex>
//  CHECK-NEXT:   return %[[V3]], %[[V4]] : vector<4xi1>, vector<[4]xi1>
func.func @step_compared_otherwise() -> (vector<4xi1>, vector<[4]xi1>) {
  %s = vector.step : vector<4xindex>
  %t = vector.step : vector<[4]xindex>
  %c4 = arith.constant dense<4> : vector<4xindex>
  %c5 = arith.constant dense<5> : vector<[4]xindex>
  %0 = arith.cmpi slt, %s, %c4 : vector<4xindex>
  %1 = arith.cmpi ult, %t, %c5 : vector<[4]xindex>
  return %0, %1 : vector<4xi1>, vector<[4]xi1>
}
