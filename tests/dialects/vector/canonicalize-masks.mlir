// RUN: dl-opt %s --canonicalize --split-input-file | FileCheck %s

// All lanes of a dimension that grows with the machine.
// CHECK-LABEL: func.func @scalable_mask
//  CHECK-NEXT:   %[[CST:[a-z0-9_-]+]] = arith.constant dense<true> : vector<[4]xi1>
//  CHECK-NEXT:   %[[C:[a-z0-9_-]+]] = arith.constant 3 : index
//  CHECK-NEXT:   %[[VSCALE:[a-z0-9_-]+]] = vector.vscale
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = arith.muli %[[VSCALE]], %[[C]] : index
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.create_mask %[[V]] : vector<[4]xi1>
//  CHECK-NEXT:   return %[[CST]], %[[V2]] : vector<[4]xi1>, vector<[4]xi1>
func.func @scalable_mask() -> (vector<[4]xi1>, vector<[4]xi1>) {
  %c4 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %vs = vector.vscale
  %a = arith.muli %vs, %c4 : index
  %b = arith.muli %vs, %c3 : index
  %0 = vector.create_mask %a : vector<[4]xi1>
  %1 = vector.create_mask %b : vector<[4]xi1>
  return %0, %1 : vector<[4]xi1>, vector<[4]xi1>
}

// -----

// Sizes go where their dimensions go.
// CHECK-LABEL: func.func @transposed_mask
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: index, %[[ARG1:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.create_mask %[[ARG1]], %[[ARG0]] : vector<4x2xi1>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.constant_mask [1, 2] : vector<3x4xi1>
//  CHECK-NEXT:   return %[[V]], %[[V2]] : vector<4x2xi1>, vector<3x4xi1>
func.func @transposed_mask(%a: index, %b: index) -> (vector<4x2xi1>, vector<3x4xi1>) {
  %0 = vector.create_mask %a, %b : vector<2x4xi1>
  %1 = vector.transpose %0, [1, 0] : vector<2x4xi1> to vector<4x2xi1>
  %2 = vector.constant_mask [2, 1] : vector<4x3xi1>
  %3 = vector.transpose %2, [1, 0] : vector<4x3xi1> to vector<3x4xi1>
  return %1, %3 : vector<4x2xi1>, vector<3x4xi1>
}

// -----

// A row that is on, one that is off, one of which it is not known.
// CHECK-LABEL: func.func @row_of_mask
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: index, %[[ARG1:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[CST:[a-z0-9_-]+]] = arith.constant dense<false> : vector<4xi1>
//  CHECK-NEXT:   %[[C:[a-z0-9_-]+]] = arith.constant 2 : index
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.create_mask %[[C]], %[[ARG0]] : vector<3x4xi1>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.create_mask %[[ARG0]] : vector<4xi1>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = vector.extract %[[V]][%[[ARG1]]] : vector<4xi1> from vector<3x4xi1>
//  CHECK-NEXT:   return %[[V2]], %[[CST]], %[[V3]] : vector<4xi1>, vector<4xi1>, vector<4xi1>
func.func @row_of_mask(%n: index, %i: index) -> (vector<4xi1>, vector<4xi1>, vector<4xi1>) {
  %c2 = arith.constant 2 : index
  %0 = vector.create_mask %c2, %n : vector<3x4xi1>
  %1 = vector.extract %0[1] : vector<4xi1> from vector<3x4xi1>
  %2 = vector.extract %0[2] : vector<4xi1> from vector<3x4xi1>
  %3 = vector.extract %0[%i] : vector<4xi1> from vector<3x4xi1>
  return %1, %2, %3 : vector<4xi1>, vector<4xi1>, vector<4xi1>
}

// -----

// A slice of a constant mask has what is left of the sizes.
// CHECK-LABEL: func.func @slice_of_constant_mask
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.constant_mask [1, 1] : vector<2x2xi1>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.constant_mask [2, 2] : vector<2x4xi1>
//  CHECK-NEXT:   return %[[V]], %[[V2]] : vector<2x2xi1>, vector<2x4xi1>
func.func @slice_of_constant_mask() -> (vector<2x2xi1>, vector<2x4xi1>) {
  %0 = vector.constant_mask [3, 2] : vector<4x4xi1>
  %1 = vector.extract_strided_slice %0 {offsets = [2, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x4xi1> to vector<2x2xi1>
  %2 = vector.extract_strided_slice %0 {offsets = [1], sizes = [2], strides = [1]} : vector<4x4xi1> to vector<2x4xi1>
  return %1, %2 : vector<2x2xi1>, vector<2x4xi1>
}

// -----

// Trailing dimensions of extent 1, all on, are left out; of unknown size they stay.
// CHECK-LABEL: func.func @cast_of_mask
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[C:[a-z0-9_-]+]] = arith.constant 1 : index
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.create_mask %[[ARG0]] : vector<4xi1>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.create_mask %[[C]], %[[ARG0]] : vector<4x1xi1>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = vector.shape_cast %[[V2]] : vector<4x1xi1> to vector<4xi1>
//  CHECK-NEXT:   return %[[V]], %[[V3]] : vector<4xi1>, vector<4xi1>
func.func @cast_of_mask(%n: index) -> (vector<4xi1>, vector<4xi1>) {
  %c1 = arith.constant 1 : index
  %0 = vector.create_mask %n, %c1 : vector<4x1xi1>
  %1 = vector.shape_cast %0 : vector<4x1xi1> to vector<4xi1>
  %2 = vector.create_mask %c1, %n : vector<4x1xi1>
  %3 = vector.shape_cast %2 : vector<4x1xi1> to vector<4xi1>
  return %1, %3 : vector<4xi1>, vector<4xi1>
}

// -----

// A mask with all lanes on does nothing; one over nothing chooses.
// CHECK-LABEL: func.func @mask_op
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<4xi32>, %[[ARG1:[a-z0-9_-]+]]: vector<4xi32>, %[[ARG2:[a-z0-9_-]+]]: vector<4xi1>, %[[ARG3:[a-z0-9_-]+]]: memref<8xi32>, %[[ARG4:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   vector.transfer_write %[[ARG0]], %[[ARG3]][%[[ARG4]]] : vector<4xi32>, memref<8xi32>
//  CHECK-NEXT:   vector.mask %[[ARG2]] { vector.transfer_write %[[ARG1]], %[[ARG3]][%[[ARG4]]] : vector<4xi32>, memref<8xi32> } : vector<4xi1>
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = arith.select %[[ARG2]], %[[ARG0]], %[[ARG1]] : vector<4xi1>, vector<4xi32>
//  CHECK-NEXT:   return %[[ARG0]], %[[V]] : vector<4xi32>, vector<4xi32>
func.func @mask_op(%v: vector<4xi32>, %w: vector<4xi32>, %m: vector<4xi1>, %base: memref<8xi32>, %i: index) -> (vector<4xi32>, vector<4xi32>) {
  %all = vector.constant_mask [4] : vector<4xi1>
  vector.mask %all { vector.transfer_write %v, %base[%i] : vector<4xi32>, memref<8xi32> } : vector<4xi1>
  vector.mask %m { vector.transfer_write %w, %base[%i] : vector<4xi32>, memref<8xi32> } : vector<4xi1>
  %0 = vector.mask %m { vector.yield %v : vector<4xi32> } : vector<4xi1> -> vector<4xi32>
  %1 = vector.mask %m, %w { vector.yield %v : vector<4xi32> } : vector<4xi1> -> vector<4xi32>
  return %0, %1 : vector<4xi32>, vector<4xi32>
}
