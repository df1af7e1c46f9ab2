// RUN: dl-opt %s --canonicalize --split-input-file | FileCheck %s

// There and back.
// CHECK-LABEL: func.func @pack_of_unpack
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<2x4xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<8xi8>, %[[ARG2:[a-z0-9_-]+]]: tensor<2x4xi8>)
//  CHECK-NEXT:   return %[[ARG0]] : tensor<2x4xi8>
func.func @pack_of_unpack(%t: tensor<2x4xi8>, %o: tensor<8xi8>, %p: tensor<2x4xi8>) -> tensor<2x4xi8> {
  %0 = linalg.unpack %t inner_dims_pos = [0] inner_tiles = [4] into %o : tensor<2x4xi8> -> tensor<8xi8>
  %1 = linalg.pack %0 inner_dims_pos = [0] inner_tiles = [4] into %p : tensor<8xi8> -> tensor<2x4xi8>
  return %1 : tensor<2x4xi8>
}

// -----

// What unpacking dropped, padding replaces.
// CHECK-LABEL: func.func @pack_of_unpack_with_gaps
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<2x4xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<7xi8>, %[[ARG2:[a-z0-9_-]+]]: tensor<2x4xi8>, %[[ARG3:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   %[[UNPACK:[a-z0-9_-]+]] = linalg.unpack %[[ARG0]] inner_dims_pos = [0] inner_tiles = [4] into %[[ARG1]] : tensor<2x4xi8> -> tensor<7xi8>
//  CHECK-NEXT:   %[[PACK:[a-z0-9_-]+]] = linalg.pack %[[UNPACK]] padding_value(%[[ARG3]] : i8) inner_dims_pos = [0] inner_tiles = [4] into %[[ARG2]] : tensor<7xi8> -> tensor<2x4xi8>
//  CHECK-NEXT:   return %[[PACK]] : tensor<2x4xi8>
func.func @pack_of_unpack_with_gaps(%t: tensor<2x4xi8>, %o: tensor<7xi8>, %p: tensor<2x4xi8>, %v: i8) -> tensor<2x4xi8> {
  %0 = linalg.unpack %t inner_dims_pos = [0] inner_tiles = [4] into %o : tensor<2x4xi8> -> tensor<7xi8>
  %1 = linalg.pack %0 padding_value(%v : i8) inner_dims_pos = [0] inner_tiles = [4] into %p : tensor<7xi8> -> tensor<2x4xi8>
  return %1 : tensor<2x4xi8>
}

// -----

// Unpacking gives back what was packed, in the same tiles.
// CHECK-LABEL: func.func @unpack_of_pack
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<8xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<2x4xi8>, %[[ARG2:[a-z0-9_-]+]]: tensor<8xi8>, %[[ARG3:[a-z0-9_-]+]]: tensor<4x2xi8>)
//  CHECK-NEXT:   return %[[ARG0]] : tensor<8xi8>
func.func @unpack_of_pack(%t: tensor<8xi8>, %p: tensor<2x4xi8>, %o: tensor<8xi8>, %q: tensor<4x2xi8>) -> tensor<8xi8> {
  %0 = linalg.pack %t inner_dims_pos = [0] inner_tiles = [4] into %p : tensor<8xi8> -> tensor<2x4xi8>
  %1 = linalg.unpack %0 inner_dims_pos = [0] inner_tiles = [4] into %o : tensor<2x4xi8> -> tensor<8xi8>
  return %1 : tensor<8xi8>
}

// -----

// Padding that goes nowhere.
// CHECK-LABEL: func.func @padding
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<8xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<7xi8>, %[[ARG2:[a-z0-9_-]+]]: tensor<2x4xi8>, %[[ARG3:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   %[[PACK:[a-z0-9_-]+]] = linalg.pack %[[ARG0]] inner_dims_pos = [0] inner_tiles = [4] into %[[ARG2]] : tensor<8xi8> -> tensor<2x4xi8>
//  CHECK-NEXT:   %[[PACK2:[a-z0-9_-]+]] = linalg.pack %[[ARG1]] padding_value(%[[ARG3]] : i8) inner_dims_pos = [0] inner_tiles = [4] into %[[ARG2]] : tensor<7xi8> -> tensor<2x4xi8>
//  CHECK-NEXT:   return %[[PACK]], %[[PACK2]] : tensor<2x4xi8>, tensor<2x4xi8>
func.func @padding(%t: tensor<8xi8>, %u: tensor<7xi8>, %p: tensor<2x4xi8>, %v: i8) -> (tensor<2x4xi8>, tensor<2x4xi8>) {
  %0 = linalg.pack %t padding_value(%v : i8) inner_dims_pos = [0] inner_tiles = [4] into %p : tensor<8xi8> -> tensor<2x4xi8>
  %1 = linalg.pack %u padding_value(%v : i8) inner_dims_pos = [0] inner_tiles = [4] into %p : tensor<7xi8> -> tensor<2x4xi8>
  return %0, %1 : tensor<2x4xi8>, tensor<2x4xi8>
}

// -----

// Dimensions without tiles have one extent.
// CHECK-LABEL: func.func @untiled
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<?x8xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<2x3x4xi8>)
//  CHECK-NEXT:   %[[CAST:[a-z0-9_-]+]] = tensor.cast %[[ARG0]] : tensor<?x8xi8> to tensor<3x8xi8>
//  CHECK-NEXT:   %[[PACK:[a-z0-9_-]+]] = linalg.pack %[[CAST]] outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [4] into %[[ARG1]] : tensor<3x8xi8> -> tensor<2x3x4xi8>
//  CHECK-NEXT:   return %[[PACK]] : tensor<2x3x4xi8>
func.func @untiled(%t: tensor<?x8xi8>, %p: tensor<2x3x4xi8>) -> tensor<2x3x4xi8> {
  %0 = linalg.pack %t outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [4] into %p : tensor<?x8xi8> -> tensor<2x3x4xi8>
  return %0 : tensor<2x3x4xi8>
}

// -----

// One number in all positions, also as the padding.
// CHECK-LABEL: func.func @constants
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<2x4xi8>)
//  CHECK-NEXT:   %[[CST:[a-z0-9_-]+]] = arith.constant dense<3> : tensor<7xi8>
//  CHECK-NEXT:   %[[CI:[a-z0-9_-]+]] = arith.constant 4 : i8
//  CHECK-NEXT:   %[[CST2:[a-z0-9_-]+]] = arith.constant dense<3> : tensor<2x4xi8>
//  CHECK-NEXT:   %[[PACK:[a-z0-9_-]+]] = linalg.pack %[[CST]] padding_value(%[[CI]] : i8) inner_dims_pos = [0] inner_tiles = [4] into %[[ARG0]] : tensor<7xi8> -> tensor<2x4xi8>
//  CHECK-NEXT:   return %[[CST2]], %[[PACK]] : tensor<2x4xi8>, tensor<2x4xi8>
func.func @constants(%p: tensor<2x4xi8>) -> (tensor<2x4xi8>, tensor<2x4xi8>) {
  %c = arith.constant dense<3> : tensor<7xi8>
  %c3 = arith.constant 3 : i8
  %c4 = arith.constant 4 : i8
  %0 = linalg.pack %c padding_value(%c3 : i8) inner_dims_pos = [0] inner_tiles = [4] into %p : tensor<7xi8> -> tensor<2x4xi8>
  %1 = linalg.pack %c padding_value(%c4 : i8) inner_dims_pos = [0] inner_tiles = [4] into %p : tensor<7xi8> -> tensor<2x4xi8>
  return %0, %1 : tensor<2x4xi8>, tensor<2x4xi8>
}

// -----

// Tiles whose size the type knows.
// CHECK-LABEL: func.func @pack_of_casts
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<?xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<2x4xi8>, %[[ARG2:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   %[[PACK:[a-z0-9_-]+]] = linalg.pack %[[ARG0]] padding_value(%[[ARG2]] : i8) inner_dims_pos = [0] inner_tiles = [4] into %[[ARG1]] : tensor<?xi8> -> tensor<2x4xi8>
//  CHECK-NEXT:   %[[CAST:[a-z0-9_-]+]] = tensor.cast %[[PACK]] : tensor<2x4xi8> to tensor<2x?xi8>
//  CHECK-NEXT:   return %[[CAST]] : tensor<2x?xi8>
func.func @pack_of_casts(%t: tensor<?xi8>, %p: tensor<2x4xi8>, %v: i8) -> tensor<2x?xi8> {
  %c4 = arith.constant 4 : index
  %0 = tensor.cast %p : tensor<2x4xi8> to tensor<2x?xi8>
  %1 = linalg.pack %t padding_value(%v : i8) inner_dims_pos = [0] inner_tiles = [%c4] into %0 : tensor<?xi8> -> tensor<2x?xi8>
  return %1 : tensor<2x?xi8>
}

// -----

// A leading part that needs all tiles, and one that does not.
// CHECK-LABEL: func.func @slice_of_unpack
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<2x4xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<8xi8>)
//  CHECK-NEXT:   %[[EXTRAC:[a-z0-9_-]+]] = tensor.extract_slice %[[ARG1]][0] [6] [1] : tensor<8xi8> to tensor<6xi8>
//  CHECK-NEXT:   %[[UNPACK:[a-z0-9_-]+]] = linalg.unpack %[[ARG0]] inner_dims_pos = [0] inner_tiles = [4] into %[[EXTRAC]] : tensor<2x4xi8> -> tensor<6xi8>
//  CHECK-NEXT:   return %[[UNPACK]] : tensor<6xi8>
func.func @slice_of_unpack(%t: tensor<2x4xi8>, %o: tensor<8xi8>) -> tensor<6xi8> {
  %0 = linalg.unpack %t inner_dims_pos = [0] inner_tiles = [4] into %o : tensor<2x4xi8> -> tensor<8xi8>
  %1 = tensor.extract_slice %0[0] [6] [1] : tensor<8xi8> to tensor<6xi8>
  return %1 : tensor<6xi8>
}

// -----

// Here the last tile is left over.
// CHECK-LABEL: func.func @slice_of_unpack_with_less
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<2x4xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<8xi8>)
//  CHECK-NEXT:   %[[UNPACK:[a-z0-9_-]+]] = linalg.unpack %[[ARG0]] inner_dims_pos = [0] inner_tiles = [4] into %[[ARG1]] : tensor<2x4xi8> -> tensor<8xi8>
//  CHECK-NEXT:   %[[EXTRAC:[a-z0-9_-]+]] = tensor.extract_slice %[[UNPACK]][0] [4] [1] : tensor<8xi8> to tensor<4xi8>
//  CHECK-NEXT:   return %[[EXTRAC]] : tensor<4xi8>
func.func @slice_of_unpack_with_less(%t: tensor<2x4xi8>, %o: tensor<8xi8>) -> tensor<4xi8> {
  %0 = linalg.unpack %t inner_dims_pos = [0] inner_tiles = [4] into %o : tensor<2x4xi8> -> tensor<8xi8>
  %1 = tensor.extract_slice %0[0] [4] [1] : tensor<8xi8> to tensor<4xi8>
  return %1 : tensor<4xi8>
}
