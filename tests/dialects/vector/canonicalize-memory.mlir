// RUN: dl-opt %s --canonicalize --split-input-file | FileCheck %s

// Constant indices inside a known extent.
// CHECK-LABEL: func.func @in_bounds
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: memref<8x?xi8>, %[[ARG1:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   %[[C:[a-z0-9_-]+]] = arith.constant 4 : index
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.transfer_read %[[ARG0]][%[[C]], %[[C]]], %[[ARG1]] {in_bounds = [true, false]} : memref<8x?xi8>, vector<4x2xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.transfer_read %[[ARG0]][%[[C]], %[[C]]], %[[ARG1]] : memref<8x?xi8>, vector<8x2xi8>
//  CHECK-NEXT:   return %[[V]], %[[V2]] : vector<4x2xi8>, vector<8x2xi8>
func.func @in_bounds(%m: memref<8x?xi8>, %p: i8) -> (vector<4x2xi8>, vector<8x2xi8>) {
  %c4 = arith.constant 4 : index
  %0 = vector.transfer_read %m[%c4, %c4], %p : memref<8x?xi8>, vector<4x2xi8>
  %1 = vector.transfer_read %m[%c4, %c4], %p : memref<8x?xi8>, vector<8x2xi8>
  return %0, %1 : vector<4x2xi8>, vector<8x2xi8>
}

// -----

// A mask with all lanes on is dropped.
// CHECK-LABEL: func.func @without_mask
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: memref<?xi8>, %[[ARG1:[a-z0-9_-]+]]: vector<4xi8>, %[[ARG2:[a-z0-9_-]+]]: index, %[[ARG3:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.create_mask %[[ARG3]] : vector<4xi1>
//  CHECK-NEXT:   vector.transfer_write %[[ARG1]], %[[ARG0]][%[[ARG2]]] : vector<4xi8>, memref<?xi8>
//  CHECK-NEXT:   vector.transfer_write %[[ARG1]], %[[ARG0]][%[[ARG2]]], %[[V]] : vector<4xi8>, memref<?xi8>
//  CHECK-NEXT:   return
func.func @without_mask(%m: memref<?xi8>, %v: vector<4xi8>, %i: index, %n: index) {
  %all = arith.constant dense<true> : vector<4xi1>
  %some = vector.create_mask %n : vector<4xi1>
  vector.transfer_write %v, %m[%i], %all : vector<4xi8>, memref<?xi8>
  vector.transfer_write %v, %m[%i], %some : vector<4xi8>, memref<?xi8>
  return
}

// -----

// What was written there is read, past writes elsewhere.
// CHECK-LABEL: func.func @read_of_written
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<8xi8>, %[[ARG1:[a-z0-9_-]+]]: vector<2xi8>, %[[ARG2:[a-z0-9_-]+]]: vector<2xi8>, %[[ARG3:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   %[[C:[a-z0-9_-]+]] = arith.constant 0 : index
//  CHECK-NEXT:   %[[C2:[a-z0-9_-]+]] = arith.constant 1 : index
//  CHECK-NEXT:   %[[C3:[a-z0-9_-]+]] = arith.constant 4 : index
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.transfer_write %[[ARG1]], %[[ARG0]][%[[C]]] {in_bounds = [true]} : vector<2xi8>, tensor<8xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.transfer_write %[[ARG2]], %[[V]][%[[C3]]] {in_bounds = [true]} : vector<2xi8>, tensor<8xi8>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = vector.transfer_read %[[V2]][%[[C2]]], %[[ARG3]] {in_bounds = [true]} : tensor<8xi8>, vector<2xi8>
//  CHECK-NEXT:   return %[[ARG1]], %[[V3]] : vector<2xi8>, vector<2xi8>
func.func @read_of_written(%t: tensor<8xi8>, %v: vector<2xi8>, %w: vector<2xi8>, %p: i8) -> (vector<2xi8>, vector<2xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<2xi8>, tensor<8xi8>
  %1 = vector.transfer_write %w, %0[%c4] {in_bounds = [true]} : vector<2xi8>, tensor<8xi8>
  %2 = vector.transfer_read %1[%c0], %p {in_bounds = [true]} : tensor<8xi8>, vector<2xi8>
  %3 = vector.transfer_read %1[%c1], %p {in_bounds = [true]} : tensor<8xi8>, vector<2xi8>
  return %2, %3 : vector<2xi8>, vector<2xi8>
}

// -----

// What is out of bounds was not written: the padding is read.
// CHECK-LABEL: func.func @read_of_partly_written
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<?xi8>, %[[ARG1:[a-z0-9_-]+]]: vector<2xi8>, %[[ARG2:[a-z0-9_-]+]]: index, %[[ARG3:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.transfer_write %[[ARG1]], %[[ARG0]][%[[ARG2]]] : vector<2xi8>, tensor<?xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.transfer_read %[[V]][%[[ARG2]]], %[[ARG3]] : tensor<?xi8>, vector<2xi8>
//  CHECK-NEXT:   return %[[V2]] : vector<2xi8>
func.func @read_of_partly_written(%t: tensor<?xi8>, %v: vector<2xi8>, %i: index, %p: i8) -> vector<2xi8> {
  %0 = vector.transfer_write %v, %t[%i] : vector<2xi8>, tensor<?xi8>
  %1 = vector.transfer_read %0[%i], %p : tensor<?xi8>, vector<2xi8>
  return %1 : vector<2xi8>
}

// -----

// What is written again need not be written before.
// CHECK-LABEL: func.func @write_again
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<8xi8>, %[[ARG1:[a-z0-9_-]+]]: vector<2xi8>, %[[ARG2:[a-z0-9_-]+]]: vector<2xi8>, %[[ARG3:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[C:[a-z0-9_-]+]] = arith.constant 0 : index
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.transfer_write %[[ARG2]], %[[ARG0]][%[[C]]] {in_bounds = [true]} : vector<2xi8>, tensor<8xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.transfer_write %[[ARG1]], %[[ARG0]][%[[C]]] {in_bounds = [true]} : vector<2xi8>, tensor<8xi8>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = vector.transfer_write %[[ARG2]], %[[V2]][%[[ARG3]]] {in_bounds = [true]} : vector<2xi8>, tensor<8xi8>
//  CHECK-NEXT:   return %[[V]], %[[V3]] : tensor<8xi8>, tensor<8xi8>
func.func @write_again(%t: tensor<8xi8>, %v: vector<2xi8>, %w: vector<2xi8>, %i: index) -> (tensor<8xi8>, tensor<8xi8>) {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<2xi8>, tensor<8xi8>
  %1 = vector.transfer_write %w, %0[%c0] {in_bounds = [true]} : vector<2xi8>, tensor<8xi8>
  %2 = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<2xi8>, tensor<8xi8>
  %3 = vector.transfer_write %w, %2[%i] {in_bounds = [true]} : vector<2xi8>, tensor<8xi8>
  return %1, %3 : tensor<8xi8>, tensor<8xi8>
}

// -----

// All lanes, none, and some.
// CHECK-LABEL: func.func @masked_accesses
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: memref<?xi8>, %[[ARG1:[a-z0-9_-]+]]: vector<4xi8>, %[[ARG2:[a-z0-9_-]+]]: vector<4xi1>, %[[ARG3:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.load %[[ARG0]][%[[ARG3]]] : memref<?xi8>, vector<4xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.maskedload %[[ARG0]][%[[ARG3]]], %[[ARG2]], %[[ARG1]] : memref<?xi8>, vector<4xi1>, vector<4xi8> into vector<4xi8>
//  CHECK-NEXT:   vector.store %[[ARG1]], %[[ARG0]][%[[ARG3]]] : memref<?xi8>, vector<4xi8>
//  CHECK-NEXT:   vector.store %[[ARG1]], %[[ARG0]][%[[ARG3]]] : memref<?xi8>, vector<4xi8>
//  CHECK-NEXT:   return %[[V]], %[[ARG1]], %[[V2]] : vector<4xi8>, vector<4xi8>, vector<4xi8>
func.func @masked_accesses(%m: memref<?xi8>, %v: vector<4xi8>, %x: vector<4xi1>, %i: index) -> (vector<4xi8>, vector<4xi8>, vector<4xi8>) {
  %all = arith.constant dense<true> : vector<4xi1>
  %none = arith.constant dense<false> : vector<4xi1>
  %0 = vector.maskedload %m[%i], %all, %v : memref<?xi8>, vector<4xi1>, vector<4xi8> into vector<4xi8>
  %1 = vector.maskedload %m[%i], %none, %v : memref<?xi8>, vector<4xi1>, vector<4xi8> into vector<4xi8>
  %2 = vector.maskedload %m[%i], %x, %v : memref<?xi8>, vector<4xi1>, vector<4xi8> into vector<4xi8>
  vector.maskedstore %m[%i], %all, %v : memref<?xi8>, vector<4xi1>, vector<4xi8>
  vector.maskedstore %m[%i], %none, %v : memref<?xi8>, vector<4xi1>, vector<4xi8>
  vector.compressstore %m[%i], %all, %v : memref<?xi8>, vector<4xi1>, vector<4xi8>
  return %0, %1, %2 : vector<4xi8>, vector<4xi8>, vector<4xi8>
}

// -----

// Elements that follow one another are loaded, and stored, together.
// CHECK-LABEL: func.func @consecutive
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: memref<?xi8>, %[[ARG1:[a-z0-9_-]+]]: vector<4xi8>, %[[ARG2:[a-z0-9_-]+]]: vector<4xi1>, %[[ARG3:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[CST:[a-z0-9_-]+]] = arith.constant dense<[3, 2, 1, 0]> : vector<4xi32>
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.maskedload %[[ARG0]][%[[ARG3]]], %[[ARG2]], %[[ARG1]] : memref<?xi8>, vector<4xi1>, vector<4xi8> into vector<4xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.gather %[[ARG0]][%[[ARG3]]] [%[[CST]]], %[[ARG2]], %[[ARG1]] : memref<?xi8>, vector<4xi32>, vector<4xi1>, vector<4xi8> into vector<4xi8>
//  CHECK-NEXT:   vector.maskedstore %[[ARG0]][%[[ARG3]]], %[[ARG2]], %[[ARG1]] : memref<?xi8>, vector<4xi1>, vector<4xi8>
//  CHECK-NEXT:   return %[[V]], %[[V2]] : vector<4xi8>, vector<4xi8>
func.func @consecutive(%m: memref<?xi8>, %v: vector<4xi8>, %x: vector<4xi1>, %i: index) -> (vector<4xi8>, vector<4xi8>) {
  %up = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
  %down = arith.constant dense<[3, 2, 1, 0]> : vector<4xi32>
  %0 = vector.gather %m[%i] [%up], %x, %v : memref<?xi8>, vector<4xi32>, vector<4xi1>, vector<4xi8> into vector<4xi8>
  %1 = vector.gather %m[%i] [%down], %x, %v : memref<?xi8>, vector<4xi32>, vector<4xi1>, vector<4xi8> into vector<4xi8>
  vector.scatter %m[%i] [%up], %x, %v : memref<?xi8>, vector<4xi32>, vector<4xi1>, vector<4xi8>
  return %0, %1 : vector<4xi8>, vector<4xi8>
}

// -----

// A sum that a product is added to is where it accumulates.
// CHECK-LABEL: func.func @add_to_contraction
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: vector<2x3xi32>, %[[ARG1:[a-z0-9_-]+]]: vector<3x2xi32>, %[[ARG2:[a-z0-9_-]+]]: vector<2x2xi32>, %[[ARG3:[a-z0-9_-]+]]: vector<2x2xi32>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = vector.contract {indexing_maps = [#{{[a-z0-9]+}}, #{{[a-z0-9]+}}, #{{[a-z0-9]+}}], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %[[ARG0]], %[[ARG1]], %[[ARG2]] : vector<2x3xi32>, vector<3x2xi32> into vector<2x2xi32>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = vector.contract {indexing_maps = [#{{[a-z0-9]+}}, #{{[a-z0-9]+}}, #{{[a-z0-9]+}}], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %[[ARG0]], %[[ARG1]], %[[ARG3]] : vector<2x3xi32>, vector<3x2xi32> into vector<2x2xi32>
//  CHECK-NEXT:   %[[V3:[a-z0-9_-]+]] = arith.addi %[[V2]], %[[ARG2]] : vector<2x2xi32>
//  CHECK-NEXT:   return %[[V]], %[[V3]] : vector<2x2xi32>, vector<2x2xi32>
func.func @add_to_contraction(%a: vector<2x3xi32>, %b: vector<3x2xi32>, %c: vector<2x2xi32>, %d: vector<2x2xi32>) -> (vector<2x2xi32>, vector<2x2xi32>) {
  %z = arith.constant dense<0> : vector<2x2xi32>
  %0 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %z : vector<2x3xi32>, vector<3x2xi32> into vector<2x2xi32>
  %1 = arith.addi %0, %c : vector<2x2xi32>
  %2 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %d : vector<2x3xi32>, vector<3x2xi32> into vector<2x2xi32>
  %3 = arith.addi %2, %c : vector<2x2xi32>
  return %1, %3 : vector<2x2xi32>, vector<2x2xi32>
}
