// RUN: dl-opt %s --canonicalize --split-input-file | FileCheck %s

// A chain of extractions is one, where all indices are known.
// CHECK-LABEL: func.func @extract_of_extract
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<2x3x4xi8>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.extract %[[ARG0]][1, 2, 3] : i8 from vector<2x3x4xi8>
//  CHECK-NEXT:   return %[[V]] : i8
func.func @extract_of_extract(%v: vector<2x3x4xi8>) -> i8 {
  %0 = vector.extract %v[1] : vector<3x4xi8> from vector<2x3x4xi8>
  %1 = vector.extract %0[2, 3] : i8 from vector<3x4xi8>
  return %1 : i8
}

// -----

// Where one is only known when running, the chain stays.
// CHECK-LABEL: func.func @extract_of_dynamic_extract
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<2x3xi8>, %[[ARG1:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.extract %[[ARG0]][%[[ARG1]]] : vector<3xi8> from vector<2x3xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.extract %[[V]][2] : i8 from vector<3xi8>
//  CHECK-NEXT:   return %[[V2]] : i8
func.func @extract_of_dynamic_extract(%v: vector<2x3xi8>, %i: index) -> i8 {
  %0 = vector.extract %v[%i] : vector<3xi8> from vector<2x3xi8>
  %1 = vector.extract %0[2] : i8 from vector<3xi8>
  return %1 : i8
}

// -----

// What was inserted elsewhere does not matter; what was inserted there is the answer.
// CHECK-LABEL: func.func @extract_past_inserts
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<3x4xi8>, %[[ARG1:[a-z0-9_-]+]]: vector<4xi8>, %[[ARG2:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.extract %[[ARG0]][0, 3] : i8 from vector<3x4xi8>
//  CHECK-NEXT:   return %[[ARG2]], %[[ARG1]], %[[V]] : i8, vector<4xi8>, i8
func.func @extract_past_inserts(%v: vector<3x4xi8>, %row: vector<4xi8>, %s: i8) -> (i8, vector<4xi8>, i8) {
  %0 = vector.insert %row, %v[1] : vector<4xi8> into vector<3x4xi8>
  %1 = vector.insert %s, %0[2, 0] : i8 into vector<3x4xi8>
  %a = vector.extract %1[2, 0] : i8 from vector<3x4xi8>
  %b = vector.extract %1[1] : vector<4xi8> from vector<3x4xi8>
  %c = vector.extract %1[0, 3] : i8 from vector<3x4xi8>
  return %a, %b, %c : i8, vector<4xi8>, i8
}

// -----

// A row of which one element was replaced is neither the old nor the new one.
// CHECK-LABEL: func.func @extract_partly_inserted
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<3x4xi8>, %[[ARG1:[a-z0-9_-]+]]: i8, %[[ARG2:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.insert %[[ARG1]], %[[ARG0]] [1, 1] : i8 into vector<3x4xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.extract %[[V]][1] : vector<4xi8> from vector<3x4xi8>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = vector.insert %[[ARG1]], %[[ARG0]] [%[[ARG2]], 1] : i8 into vector<3x4xi8>
//  CHECK-NEXT:   %[[V4:[a-z0-9_-]+]] = vector.extract %[[V3]][0, 1] : i8 from vector<3x4xi8>
//  CHECK-NEXT:   return %[[V2]], %[[V4]] : vector<4xi8>, i8
func.func @extract_partly_inserted(%v: vector<3x4xi8>, %s: i8, %i: index) -> (vector<4xi8>, i8) {
  %0 = vector.insert %s, %v[1, 1] : i8 into vector<3x4xi8>
  %1 = vector.extract %0[1] : vector<4xi8> from vector<3x4xi8>
  %2 = vector.insert %s, %v[%i, 1] : i8 into vector<3x4xi8>
  %3 = vector.extract %2[0, 1] : i8 from vector<3x4xi8>
  return %1, %3 : vector<4xi8>, i8
}

// -----

// Through a transposition, where the rest keeps its order.
// CHECK-LABEL: func.func @extract_of_transpose
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<2x3x4xi8>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.extract %[[ARG0]][1, 2] : vector<4xi8> from vector<2x3x4xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.transpose %[[ARG0]], [0, 2, 1] : vector<2x3x4xi8> to vector<2x4x3xi8>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = vector.extract %[[V2]][1, 2] : vector<3xi8> from vector<2x4x3xi8>
//  CHECK-NEXT:   return %[[V]], %[[V3]] : vector<4xi8>, vector<3xi8>
func.func @extract_of_transpose(%v: vector<2x3x4xi8>) -> (vector<4xi8>, vector<3xi8>) {
  %0 = vector.transpose %v, [1, 0, 2] : vector<2x3x4xi8> to vector<3x2x4xi8>
  %1 = vector.extract %0[2, 1] : vector<4xi8> from vector<3x2x4xi8>
  %2 = vector.transpose %v, [0, 2, 1] : vector<2x3x4xi8> to vector<2x4x3xi8>
  %3 = vector.extract %2[1, 2] : vector<3xi8> from vector<2x4x3xi8>
  return %1, %3 : vector<4xi8>, vector<3xi8>
}

// -----

// A repeated dimension has index 0 before; one that was added has none.
// CHECK-LABEL: func.func @extract_of_broadcast
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<3x1xi8>, %[[ARG1:[a-z0-9_-]+]]: i8, %[[ARG2:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.extract %[[ARG0]][%[[ARG2]], 0] : i8 from vector<3x1xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.broadcast %[[ARG1]] : i8 to vector<2xi8>
//  CHECK-NEXT:   return %[[V]], %[[ARG1]], %[[V2]] : i8, i8, vector<2xi8>
func.func @extract_of_broadcast(%v: vector<3x1xi8>, %s: i8, %i: index) -> (i8, i8, vector<2xi8>) {
  %0 = vector.broadcast %v : vector<3x1xi8> to vector<2x3x5xi8>
  %1 = vector.extract %0[1, %i, 4] : i8 from vector<2x3x5xi8>
  %2 = vector.broadcast %s : i8 to vector<4x2xi8>
  %3 = vector.extract %2[3, 1] : i8 from vector<4x2xi8>
  %4 = vector.extract %2[%i] : vector<2xi8> from vector<4x2xi8>
  return %1, %3, %4 : i8, i8, vector<2xi8>
}

// -----

// Elements keep their number in a cast.
// CHECK-LABEL: func.func @extract_of_shape_cast
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<2x6x2xi8>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.extract %[[ARG0]][1, 1, 1] : i8 from vector<2x6x2xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.extract %[[ARG0]][1, 3] : vector<2xi8> from vector<2x6x2xi8>
//  CHECK-NEXT:   return %[[V]], %[[V2]] : i8, vector<2xi8>
func.func @extract_of_shape_cast(%v: vector<2x6x2xi8>) -> (i8, vector<2xi8>) {
  %0 = vector.shape_cast %v : vector<2x6x2xi8> to vector<3x4x2xi8>
  %1 = vector.extract %0[1, 3, 1] : i8 from vector<3x4x2xi8>
  %2 = vector.extract %0[2, 1] : vector<2xi8> from vector<3x4x2xi8>
  return %1, %2 : i8, vector<2xi8>
}

// -----

// Slices move indices; those put in decide by where they lie.
// CHECK-LABEL: func.func @extract_of_slices
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<8x4xi8>, %[[ARG1:[a-z0-9_-]+]]: vector<2x2xi8>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.extract %[[ARG0]][5, 2] : i8 from vector<8x4xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.extract %[[ARG1]][1, 0] : i8 from vector<2x2xi8>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = vector.extract %[[ARG0]][3, 3] : i8 from vector<8x4xi8>
//  CHECK-NEXT:   return %[[V]], %[[V2]], %[[V3]] : i8, i8, i8
func.func @extract_of_slices(%v: vector<8x4xi8>, %small: vector<2x2xi8>) -> (i8, i8, i8) {
  %0 = vector.extract_strided_slice %v {offsets = [3, 1], sizes = [4, 2], strides = [1, 1]} : vector<8x4xi8> to vector<4x2xi8>
  %1 = vector.extract %0[2, 1] : i8 from vector<4x2xi8>
  %2 = vector.insert_strided_slice %small, %v {offsets = [2, 1], strides = [1, 1]} : vector<2x2xi8> into vector<8x4xi8>
  %3 = vector.extract %2[3, 1] : i8 from vector<8x4xi8>
  %4 = vector.extract %2[3, 3] : i8 from vector<8x4xi8>
  return %1, %3, %4 : i8, i8, i8
}

// -----

// An index of -1 is poison, also as a constant operand.
// CHECK-LABEL: func.func @poison_index
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<4xi8>, %[[ARG1:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = ub.poison : i8
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = ub.poison : vector<4xi8>
//  CHECK-NEXT:   return %[[V]], %[[V2]] : i8, vector<4xi8>
func.func @poison_index(%v: vector<4xi8>, %s: i8) -> (i8, vector<4xi8>) {
  %m = arith.constant -1 : index
  %0 = vector.extract %v[%m] : i8 from vector<4xi8>
  %1 = vector.insert %s, %v[-1] : i8 into vector<4xi8>
  return %0, %1 : i8, vector<4xi8>
}

// -----

// Constant indices become part of the operation, if they are in bounds.
// CHECK-LABEL: func.func @constant_index
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<4xi8>)
//  CHECK-NEXT:   %[[C:[a-z0-9_-]+]] = arith.constant 9 : index
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.extract %[[ARG0]][2] : i8 from vector<4xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.extract %[[ARG0]][%[[C]]] : i8 from vector<4xi8>
//  CHECK-NEXT:   return %[[V]], %[[V2]] : i8, i8
func.func @constant_index(%v: vector<4xi8>) -> (i8, i8) {
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %0 = vector.extract %v[%c2] : i8 from vector<4xi8>
  %1 = vector.extract %v[%c9] : i8 from vector<4xi8>
  return %0, %1 : i8, i8
}

// -----

// Elements and rows of constants.
// CHECK-LABEL: func.func @constants
//  CHECK-NEXT:   %[[CI:[a-z0-9_-]+]] = arith.constant 3 : i8
//  CHECK-NEXT:   %[[CST:[a-z0-9_-]+]] = arith.constant dense<[1, 2]> : vector<2xi8>
//  CHECK-NEXT:   %[[CST2:[a-z0-9_-]+]] = arith.constant dense<{{\[\[}}1, 9], [3, 4{{\]\]}}> : vector<2x2xi8>
//  CHECK-NEXT:   return %[[CI]], %[[CST]], %[[CST2]] : i8, vector<2xi8>, vector<2x2xi8>
func.func @constants() -> (i8, vector<2xi8>, vector<2x2xi8>) {
  %c = arith.constant dense<[[1, 2], [3, 4]]> : vector<2x2xi8>
  %s = arith.constant 9 : i8
  %0 = vector.extract %c[1, 0] : i8 from vector<2x2xi8>
  %1 = vector.extract %c[0] : vector<2xi8> from vector<2x2xi8>
  %2 = vector.insert %s, %c[0, 1] : i8 into vector<2x2xi8>
  return %0, %1, %2 : i8, vector<2xi8>, vector<2x2xi8>
}

// -----

// The last of two insertions at one place counts.
// CHECK-LABEL: func.func @insert_again
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<4xi8>, %[[ARG1:[a-z0-9_-]+]]: i8, %[[ARG2:[a-z0-9_-]+]]: i8, %[[ARG3:[a-z0-9_-]+]]: index, %[[ARG4:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.insert %[[ARG2]], %[[ARG0]] [%[[ARG3]]] : i8 into vector<4xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.insert %[[ARG1]], %[[ARG0]] [%[[ARG3]]] : i8 into vector<4xi8>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = vector.insert %[[ARG2]], %[[V2]] [%[[ARG4]]] : i8 into vector<4xi8>
//  CHECK-NEXT:   return %[[V]], %[[V3]] : vector<4xi8>, vector<4xi8>
func.func @insert_again(%v: vector<4xi8>, %a: i8, %b: i8, %i: index, %j: index) -> (vector<4xi8>, vector<4xi8>) {
  %0 = vector.insert %a, %v[%i] : i8 into vector<4xi8>
  %1 = vector.insert %b, %0[%i] : i8 into vector<4xi8>
  %2 = vector.insert %a, %v[%i] : i8 into vector<4xi8>
  %3 = vector.insert %b, %2[%j] : i8 into vector<4xi8>
  return %1, %3 : vector<4xi8>, vector<4xi8>
}

// -----

// Insertions that leave nothing of the first vector make a vector of elements.
// CHECK-LABEL: func.func @insert_everywhere
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<2x2xi8>, %[[ARG1:[a-z0-9_-]+]]: vector<2xi8>, %[[ARG2:[a-z0-9_-]+]]: i8, %[[ARG3:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]]:2 = vector.to_elements %[[ARG1]] : vector<2xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.from_elements %[[V]]#0, %[[V]]#1, %[[ARG2]], %[[ARG3]] : vector<2x2xi8>
//  CHECK-NEXT:   return %[[V2]] : vector<2x2xi8>
func.func @insert_everywhere(%v: vector<2x2xi8>, %row: vector<2xi8>, %a: i8, %b: i8) -> vector<2x2xi8> {
  %0 = vector.insert %row, %v[0] : vector<2xi8> into vector<2x2xi8>
  %1 = vector.insert %a, %0[1, 0] : i8 into vector<2x2xi8>
  %2 = vector.insert %b, %1[1, 1] : i8 into vector<2x2xi8>
  return %2 : vector<2x2xi8>
}

// -----

// One element is left.
// CHECK-LABEL: func.func @insert_almost_everywhere
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<3xi8>, %[[ARG1:[a-z0-9_-]+]]: i8, %[[ARG2:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.insert %[[ARG1]], %[[ARG0]] [0] : i8 into vector<3xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.insert %[[ARG2]], %[[V]] [2] : i8 into vector<3xi8>
//  CHECK-NEXT:   return %[[V2]] : vector<3xi8>
func.func @insert_almost_everywhere(%v: vector<3xi8>, %a: i8, %b: i8) -> vector<3xi8> {
  %0 = vector.insert %a, %v[0] : i8 into vector<3xi8>
  %1 = vector.insert %b, %0[2] : i8 into vector<3xi8>
  return %1 : vector<3xi8>
}

// -----

// What takes the place of all elements is broadcast.
// CHECK-LABEL: func.func @insert_of_all
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<1x4xi8>, %[[ARG1:[a-z0-9_-]+]]: vector<4xi8>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.broadcast %[[ARG1]] : vector<4xi8> to vector<1x4xi8>
//  CHECK-NEXT:   return %[[V]] : vector<1x4xi8>
func.func @insert_of_all(%v: vector<1x4xi8>, %row: vector<4xi8>) -> vector<1x4xi8> {
  %0 = vector.insert %row, %v[0] : vector<4xi8> into vector<1x4xi8>
  return %0 : vector<1x4xi8>
}
