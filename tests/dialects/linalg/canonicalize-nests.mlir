// RUN: dl-opt %s --canonicalize --split-input-file | FileCheck %s

// Moving each element to where it is, by any permutation.
// CHECK-LABEL: func.func @moves_nothing
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<?x?xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<2x3xi8>)
//  CHECK-NEXT:   %[[CAST:[a-z0-9_-]+]] = tensor.cast %[[ARG0]] : tensor<?x?xi8> to tensor<2x3xi8>
//  CHECK-NEXT:   return %[[CAST]] : tensor<2x3xi8>
func.func @moves_nothing(%t: tensor<?x?xi8>, %o: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<?x?xi8>) outs(%o : tensor<2x3xi8>) {
  ^bb0(%a: i8, %b: i8):
    linalg.yield %a : i8
  } -> tensor<2x3xi8>
  return %0 : tensor<2x3xi8>
}

// -----

// A transposition moves elements.
// CHECK-LABEL: func.func @moves_elements
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<2x2xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<2x2xi8>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = linalg.generic {indexing_maps = [#{{[a-z0-9]+}}, #{{[a-z0-9]+}}], iterator_types = ["parallel", "parallel"]} ins(%[[ARG0]] : tensor<2x2xi8>) outs(%[[ARG1]] : tensor<2x2xi8>) {
//  CHECK-NEXT:   ^bb0(%[[IN:[a-z0-9_-]+]]: i8, %[[OUT:[a-z0-9_-]+]]: i8):
//  CHECK-NEXT:   linalg.yield %[[IN]] : i8
//  CHECK-NEXT:   } -> tensor<2x2xi8>
//  CHECK-NEXT:   return %[[V]] : tensor<2x2xi8>
func.func @moves_elements(%t: tensor<2x2xi8>, %o: tensor<2x2xi8>) -> tensor<2x2xi8> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<2x2xi8>) outs(%o : tensor<2x2xi8>) {
  ^bb0(%a: i8, %b: i8):
    linalg.yield %a : i8
  } -> tensor<2x2xi8>
  return %0 : tensor<2x2xi8>
}

// -----

// A buffer copied to itself, and to another.
// CHECK-LABEL: func.func @copies
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: memref<?xi8>, %[[ARG1:[a-z0-9_-]+]]: memref<?xi8>)
//  CHECK-NEXT:   linalg.copy ins(%[[ARG0]] : memref<?xi8>) outs(%[[ARG1]] : memref<?xi8>)
//  CHECK-NEXT:   return
func.func @copies(%m: memref<?xi8>, %n: memref<?xi8>) {
  linalg.copy ins(%m : memref<?xi8>) outs(%m : memref<?xi8>)
  linalg.copy ins(%m : memref<?xi8>) outs(%n : memref<?xi8>)
  return
}

// -----

// The index of a loop of one step.
// CHECK-LABEL: func.func @index_of_one_step
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: memref<1x?xindex>)
//  CHECK-NEXT:   %[[C:[a-z0-9_-]+]] = arith.constant 0 : index
//  CHECK-NEXT:   linalg.generic {indexing_maps = [#{{[a-z0-9]+}}], iterator_types = ["parallel", "parallel"]} outs(%[[ARG0]] : memref<1x?xindex>) {
//  CHECK-NEXT:   ^bb0(%[[OUT:[a-z0-9_-]+]]: index):
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = linalg.index 1 : index
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = arith.subi %[[C]], %[[V]] : index
//  CHECK-NEXT:   linalg.yield %[[V2]] : index
//  CHECK-NEXT:   }
//  CHECK-NEXT:   return
func.func @index_of_one_step(%m: memref<1x?xindex>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%m : memref<1x?xindex>) {
  ^bb0(%a: index):
    %0 = linalg.index 0 : index
    %1 = linalg.index 1 : index
    %2 = arith.subi %0, %1 : index
    linalg.yield %2 : index
  }
  return
}

// -----

// Extents follow from other operands.
// CHECK-LABEL: func.func @extents
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<4x?xf32>, %[[ARG1:[a-z0-9_-]+]]: tensor<?x8xf32>, %[[ARG2:[a-z0-9_-]+]]: tensor<?x?xf32>)
//  CHECK-NEXT:   %[[CAST:[a-z0-9_-]+]] = tensor.cast %[[ARG2]] : tensor<?x?xf32> to tensor<4x8xf32>
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = linalg.matmul ins(%[[ARG0]], %[[ARG1]] : tensor<4x?xf32>, tensor<?x8xf32>) outs(%[[CAST]] : tensor<4x8xf32>) -> tensor<4x8xf32>
//  CHECK-NEXT:   %[[CAST2:[a-z0-9_-]+]] = tensor.cast %[[V]] : tensor<4x8xf32> to tensor<?x?xf32>
//  CHECK-NEXT:   return %[[CAST2]] : tensor<?x?xf32>
func.func @extents(%a: tensor<4x?xf32>, %b: tensor<?x8xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x?xf32>, tensor<?x8xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// And from a cast of the result.
// CHECK-LABEL: func.func @cast_of_result
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<?xf32>, %[[ARG1:[a-z0-9_-]+]]: tensor<?xf32>)
//  CHECK-NEXT:   %[[CAST:[a-z0-9_-]+]] = tensor.cast %[[ARG1]] : tensor<?xf32> to tensor<4xf32>
//  CHECK-NEXT:   %[[CAST2:[a-z0-9_-]+]] = tensor.cast %[[ARG0]] : tensor<?xf32> to tensor<4xf32>
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = linalg.exp ins(%[[CAST2]] : tensor<4xf32>) outs(%[[CAST]] : tensor<4xf32>) -> tensor<4xf32>
//  CHECK-NEXT:   return %[[V]] : tensor<4xf32>
func.func @cast_of_result(%a: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// Broadcasts: of nothing, and one after another.
// CHECK-LABEL: func.func @broadcasts
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<2xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<2xi8>, %[[ARG2:[a-z0-9_-]+]]: tensor<3x2xi8>, %[[ARG3:[a-z0-9_-]+]]: tensor<3x4x2xi8>)
//  CHECK-NEXT:   %[[BROADC:[a-z0-9_-]+]] = linalg.broadcast ins(%[[ARG0]] : tensor<2xi8>) outs(%[[ARG3]] : tensor<3x4x2xi8>) dimensions = [0, 1]
//  CHECK-NEXT:   return %[[ARG0]], %[[BROADC]] : tensor<2xi8>, tensor<3x4x2xi8>
func.func @broadcasts(%t: tensor<2xi8>, %o: tensor<2xi8>, %p: tensor<3x2xi8>, %q: tensor<3x4x2xi8>) -> (tensor<2xi8>, tensor<3x4x2xi8>) {
  %0 = linalg.broadcast ins(%t : tensor<2xi8>) outs(%o : tensor<2xi8>) dimensions = []
  %1 = linalg.broadcast ins(%t : tensor<2xi8>) outs(%p : tensor<3x2xi8>) dimensions = [0]
  %2 = linalg.broadcast ins(%1 : tensor<3x2xi8>) outs(%q : tensor<3x4x2xi8>) dimensions = [1]
  return %0, %2 : tensor<2xi8>, tensor<3x4x2xi8>
}

// -----

// Filled tensors: copied, packed, joined.
// CHECK-LABEL: func.func @fills
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<4xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<4xi8>, %[[ARG2:[a-z0-9_-]+]]: tensor<2x2xi8>, %[[ARG3:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = linalg.fill ins(%[[ARG3]] : i8) outs(%[[ARG1]] : tensor<4xi8>) -> tensor<4xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = linalg.fill ins(%[[ARG3]] : i8) outs(%[[ARG2]] : tensor<2x2xi8>) -> tensor<2x2xi8>
//  CHECK-NEXT:   %[[CONCAT:[a-z0-9_-]+]] = tensor.concat dim(0) %[[ARG0]], %[[ARG1]] : (tensor<4xi8>, tensor<4xi8>) -> tensor<8xi8>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = linalg.fill ins(%[[ARG3]] : i8) outs(%[[CONCAT]] : tensor<8xi8>) -> tensor<8xi8>
//  CHECK-NEXT:   return %[[V]], %[[V2]], %[[V3]] : tensor<4xi8>, tensor<2x2xi8>, tensor<8xi8>
func.func @fills(%t: tensor<4xi8>, %u: tensor<4xi8>, %p: tensor<2x2xi8>, %v: i8) -> (tensor<4xi8>, tensor<2x2xi8>, tensor<8xi8>) {
  %0 = linalg.fill ins(%v : i8) outs(%t : tensor<4xi8>) -> tensor<4xi8>
  %1 = linalg.copy ins(%0 : tensor<4xi8>) outs(%u : tensor<4xi8>) -> tensor<4xi8>
  %2 = linalg.pack %0 inner_dims_pos = [0] inner_tiles = [2] into %p : tensor<4xi8> -> tensor<2x2xi8>
  %3 = linalg.fill ins(%v : i8) outs(%u : tensor<4xi8>) -> tensor<4xi8>
  %4 = tensor.concat dim(0) %0, %3 : (tensor<4xi8>, tensor<4xi8>) -> tensor<8xi8>
  return %1, %2, %4 : tensor<4xi8>, tensor<2x2xi8>, tensor<8xi8>
}
