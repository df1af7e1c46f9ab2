// RUN: dl-opt %s --canonicalize --split-input-file | FileCheck %s

// Casts that only add or remove leading dimensions of extent 1 do not change what is repeated.
// CHECK-LABEL: func.func @broadcast_of_cast
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<4xi8>, %[[ARG1:[a-z0-9_-]+]]: vector<1x4xi8>, %[[ARG2:[a-z0-9_-]+]]: vector<2x3xi8>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.broadcast %[[ARG0]] : vector<4xi8> to vector<2x4xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.broadcast %[[ARG1]] : vector<1x4xi8> to vector<3x4xi8>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = vector.shape_cast %[[ARG2]] : vector<2x3xi8> to vector<6xi8>
//  CHECK-NEXT:   %[[V4:[a-z0-9_-]+]] = vector.broadcast %[[V3]] : vector<6xi8> to vector<5x6xi8>
//  CHECK-NEXT:   return %[[V]], %[[V2]], %[[V4]] : vector<2x4xi8>, vector<3x4xi8>, vector<5x6xi8>
func.func @broadcast_of_cast(%v: vector<4xi8>, %w: vector<1x4xi8>, %x: vector<2x3xi8>) -> (vector<2x4xi8>, vector<3x4xi8>, vector<5x6xi8>) {
  %0 = vector.shape_cast %v : vector<4xi8> to vector<1x4xi8>
  %1 = vector.broadcast %0 : vector<1x4xi8> to vector<2x4xi8>
  %2 = vector.shape_cast %w : vector<1x4xi8> to vector<4xi8>
  %3 = vector.broadcast %2 : vector<4xi8> to vector<3x4xi8>
  %4 = vector.shape_cast %x : vector<2x3xi8> to vector<6xi8>
  %5 = vector.broadcast %4 : vector<6xi8> to vector<5x6xi8>
  return %1, %3, %5 : vector<2x4xi8>, vector<3x4xi8>, vector<5x6xi8>
}

// -----

// A cast of what repeats nothing is a cast; of a whole vector repeated, a broadcast.
// CHECK-LABEL: func.func @cast_of_broadcast
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<4xi8>, %[[ARG1:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.shape_cast %[[ARG0]] : vector<4xi8> to vector<2x2xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.broadcast %[[ARG0]] : vector<4xi8> to vector<6x4xi8>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = vector.broadcast %[[ARG1]] : i8 to vector<2x3xi8>
//  CHECK-NEXT:   return %[[V]], %[[V2]], %[[V3]] : vector<2x2xi8>, vector<6x4xi8>, vector<2x3xi8>
func.func @cast_of_broadcast(%v: vector<4xi8>, %s: i8) -> (vector<2x2xi8>, vector<6x4xi8>, vector<2x3xi8>) {
  %0 = vector.broadcast %v : vector<4xi8> to vector<1x4xi8>
  %1 = vector.shape_cast %0 : vector<1x4xi8> to vector<2x2xi8>
  %2 = vector.broadcast %v : vector<4xi8> to vector<2x3x4xi8>
  %3 = vector.shape_cast %2 : vector<2x3x4xi8> to vector<6x4xi8>
  %4 = vector.broadcast %s : i8 to vector<6xi8>
  %5 = vector.shape_cast %4 : vector<6xi8> to vector<2x3xi8>
  return %1, %3, %5 : vector<2x2xi8>, vector<6x4xi8>, vector<2x3xi8>
}

// -----

// Permutations that move only dimensions of extent 1 keep all elements in order.
// CHECK-LABEL: func.func @order_kept
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<4x1x3xi8>, %[[ARG1:[a-z0-9_-]+]]: vector<1x4xi8>, %[[ARG2:[a-z0-9_-]+]]: vector<4x3xi8>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.shape_cast %[[ARG0]] : vector<4x1x3xi8> to vector<4x3x1xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.shape_cast %[[ARG1]] : vector<1x4xi8> to vector<4xi8>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = vector.transpose %[[ARG2]], [1, 0] : vector<4x3xi8> to vector<3x4xi8>
//  CHECK-NEXT:   %[[V4:[a-z0-9_-]+]] = vector.shape_cast %[[V3]] : vector<3x4xi8> to vector<12xi8>
//  CHECK-NEXT:   return %[[V]], %[[V2]], %[[V4]] : vector<4x3x1xi8>, vector<4xi8>, vector<12xi8>
func.func @order_kept(%v: vector<4x1x3xi8>, %w: vector<1x4xi8>, %x: vector<4x3xi8>) -> (vector<4x3x1xi8>, vector<4xi8>, vector<12xi8>) {
  %0 = vector.shape_cast %v : vector<4x1x3xi8> to vector<4x3x1xi8>
  %1 = vector.transpose %0, [0, 1, 2] : vector<4x3x1xi8> to vector<4x3x1xi8>
  %2 = vector.transpose %w, [1, 0] : vector<1x4xi8> to vector<4x1xi8>
  %3 = vector.shape_cast %2 : vector<4x1xi8> to vector<4xi8>
  %4 = vector.transpose %x, [1, 0] : vector<4x3xi8> to vector<3x4xi8>
  %5 = vector.shape_cast %4 : vector<3x4xi8> to vector<12xi8>
  return %1, %3, %5 : vector<4x3x1xi8>, vector<4xi8>, vector<12xi8>
}

// -----

// Dimensions that are repeated may change places; one of the operand may not.
// CHECK-LABEL: func.func @transpose_of_broadcast
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<4xi8>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.broadcast %[[ARG0]] : vector<4xi8> to vector<3x2x4xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.broadcast %[[ARG0]] : vector<4xi8> to vector<2x4xi8>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = vector.transpose %[[V2]], [1, 0] : vector<2x4xi8> to vector<4x2xi8>
//  CHECK-NEXT:   return %[[V]], %[[V3]] : vector<3x2x4xi8>, vector<4x2xi8>
func.func @transpose_of_broadcast(%v: vector<4xi8>) -> (vector<3x2x4xi8>, vector<4x2xi8>) {
  %0 = vector.broadcast %v : vector<4xi8> to vector<2x3x4xi8>
  %1 = vector.transpose %0, [1, 0, 2] : vector<2x3x4xi8> to vector<3x2x4xi8>
  %2 = vector.broadcast %v : vector<4xi8> to vector<2x4xi8>
  %3 = vector.transpose %2, [1, 0] : vector<2x4xi8> to vector<4x2xi8>
  return %1, %3 : vector<3x2x4xi8>, vector<4x2xi8>
}

// -----

// Elements are put in the order that a transposition gives.
// CHECK-LABEL: func.func @transpose_of_elements
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: i8, %[[ARG1:[a-z0-9_-]+]]: i8, %[[ARG2:[a-z0-9_-]+]]: i8, %[[ARG3:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.from_elements %[[ARG0]], %[[ARG2]], %[[ARG1]], %[[ARG3]] : vector<2x2xi8>
//  CHECK-NEXT:   return %[[V]] : vector<2x2xi8>
func.func @transpose_of_elements(%a: i8, %b: i8, %c: i8, %d: i8) -> vector<2x2xi8> {
  %0 = vector.from_elements %a, %b, %c, %d : vector<2x2xi8>
  %1 = vector.transpose %0, [1, 0] : vector<2x2xi8> to vector<2x2xi8>
  return %1 : vector<2x2xi8>
}

// -----

// A slice along a repeated dimension is a broadcast; along another, of a slice.
// CHECK-LABEL: func.func @slice_of_broadcast
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<4xi8>, %[[ARG1:[a-z0-9_-]+]]: vector<1xi8>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.broadcast %[[ARG0]] : vector<4xi8> to vector<2x4xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.extract_strided_slice %[[ARG0]] {offsets = [1], sizes = [2], strides = [1]} : vector<4xi8> to vector<2xi8>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = vector.broadcast %[[V2]] : vector<2xi8> to vector<2x2xi8>
//  CHECK-NEXT:   %[[V4:[a-z0-9_-]+]] = vector.broadcast %[[ARG1]] : vector<1xi8> to vector<3xi8>
//  CHECK-NEXT:   return %[[V]], %[[V3]], %[[V4]] : vector<2x4xi8>, vector<2x2xi8>, vector<3xi8>
func.func @slice_of_broadcast(%v: vector<4xi8>, %w: vector<1xi8>) -> (vector<2x4xi8>, vector<2x2xi8>, vector<3xi8>) {
  %0 = vector.broadcast %v : vector<4xi8> to vector<8x4xi8>
  %1 = vector.extract_strided_slice %0 {offsets = [5], sizes = [2], strides = [1]} : vector<8x4xi8> to vector<2x4xi8>
  %2 = vector.extract_strided_slice %0 {offsets = [0, 1], sizes = [2, 2], strides = [1, 1]} : vector<8x4xi8> to vector<2x2xi8>
  %3 = vector.broadcast %w : vector<1xi8> to vector<8xi8>
  %4 = vector.extract_strided_slice %3 {offsets = [4], sizes = [3], strides = [1]} : vector<8xi8> to vector<3xi8>
  return %1, %2, %4 : vector<2x4xi8>, vector<2x2xi8>, vector<3xi8>
}

// -----

// A slice within one that was put in is one of that; beside it, of what was there; across it, neither.
// CHECK-LABEL: func.func @slice_of_inserted
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<8xi8>, %[[ARG1:[a-z0-9_-]+]]: vector<4xi8>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.insert_strided_slice %[[ARG1]], %[[ARG0]] {offsets = [2], strides = [1]} : vector<4xi8> into vector<8xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.extract_strided_slice %[[ARG1]] {offsets = [1], sizes = [2], strides = [1]} : vector<4xi8> to vector<2xi8>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = vector.extract_strided_slice %[[ARG0]] {offsets = [6], sizes = [2], strides = [1]} : vector<8xi8> to vector<2xi8>
//  CHECK-NEXT:   %[[V4:[a-z0-9_-]+]] = vector.extract_strided_slice %[[V]] {offsets = [0], sizes = [4], strides = [1]} : vector<8xi8> to vector<4xi8>
//  CHECK-NEXT:   return %[[V2]], %[[V3]], %[[V4]] : vector<2xi8>, vector<2xi8>, vector<4xi8>
func.func @slice_of_inserted(%v: vector<8xi8>, %w: vector<4xi8>) -> (vector<2xi8>, vector<2xi8>, vector<4xi8>) {
  %0 = vector.insert_strided_slice %w, %v {offsets = [2], strides = [1]} : vector<4xi8> into vector<8xi8>
  %1 = vector.extract_strided_slice %0 {offsets = [3], sizes = [2], strides = [1]} : vector<8xi8> to vector<2xi8>
  %2 = vector.extract_strided_slice %0 {offsets = [6], sizes = [2], strides = [1]} : vector<8xi8> to vector<2xi8>
  %3 = vector.extract_strided_slice %0 {offsets = [0], sizes = [4], strides = [1]} : vector<8xi8> to vector<4xi8>
  return %1, %2, %3 : vector<2xi8>, vector<2xi8>, vector<4xi8>
}

// -----

// One row is an extraction.
// CHECK-LABEL: func.func @contiguous_slice
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<4x2x3xi8>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.extract %[[ARG0]][1] : vector<2x3xi8> from vector<4x2x3xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.shape_cast %[[V]] : vector<2x3xi8> to vector<1x2x3xi8>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = vector.extract_strided_slice %[[ARG0]] {offsets = [1], sizes = [2], strides = [1]} : vector<4x2x3xi8> to vector<2x2x3xi8>
//  CHECK-NEXT:   return %[[V2]], %[[V3]] : vector<1x2x3xi8>, vector<2x2x3xi8>
func.func @contiguous_slice(%v: vector<4x2x3xi8>) -> (vector<1x2x3xi8>, vector<2x2x3xi8>) {
  %0 = vector.extract_strided_slice %v {offsets = [1], sizes = [1], strides = [1]} : vector<4x2x3xi8> to vector<1x2x3xi8>
  %1 = vector.extract_strided_slice %v {offsets = [1], sizes = [2], strides = [1]} : vector<4x2x3xi8> to vector<2x2x3xi8>
  return %0, %1 : vector<1x2x3xi8>, vector<2x2x3xi8>
}

// -----

// The same bits, read otherwise; no more than whole numbers of them.
// CHECK-LABEL: func.func @bitcast_of_constant
//  CHECK-NEXT:   %[[CST:[a-z0-9_-]+]] = arith.constant dense<1> : vector<4xi16>
//  CHECK-NEXT:   %[[CST2:[a-z0-9_-]+]] = arith.constant dense<65537> : vector<2xi32>
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.bitcast %[[CST]] : vector<4xi16> to vector<8xi8>
//  CHECK-NEXT:   return %[[CST2]], %[[V]] : vector<2xi32>, vector<8xi8>
func.func @bitcast_of_constant() -> (vector<2xi32>, vector<8xi8>) {
  %c = arith.constant dense<1> : vector<4xi16>
  %0 = vector.bitcast %c : vector<4xi16> to vector<2xi32>
  %1 = vector.bitcast %c : vector<4xi16> to vector<8xi8>
  return %0, %1 : vector<2xi32>, vector<8xi8>
}
