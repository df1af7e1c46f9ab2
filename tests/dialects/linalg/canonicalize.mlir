// RUN: dl-opt %s --canonicalize | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @identity_is_its_input(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<4x8xf32>, %[[ARG1:[a-z0-9]+]]: tensor<4x8xf32>
//  CHECK-NEXT:   return %[[ARG0]] : tensor<4x8xf32>
func.func @identity_is_its_input(%t: tensor<4x8xf32>, %u: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x8xf32>) outs(%u : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

#swap = affine_map<(d0, d1) -> (d1, d0)>

#same = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @transposition_is_not_its_input(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<4x4xf32>, %[[ARG1:[a-z0-9]+]]: tensor<4x4xf32>
//  CHECK-NEXT:   %[[V0:.*]] = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%[[ARG0]] : tensor<4x4xf32>) outs(%[[ARG1]] : tensor<4x4xf32>) {
//  CHECK-NEXT:   ^bb0(%[[IN:.*]]: f32, %[[OUT:.*]]: f32):
//  CHECK-NEXT:   linalg.yield %[[IN]] : f32
//  CHECK-NEXT:   } -> tensor<4x4xf32>
//  CHECK-NEXT:   return %[[V0]] : tensor<4x4xf32>
func.func @transposition_is_not_its_input(%t: tensor<4x4xf32>, %u: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.generic {indexing_maps = [#swap, #same], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xf32>) outs(%u : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @no_element_no_work(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: memref<0x4xf32>, %[[ARG1:[a-z0-9]+]]: f32
//  CHECK-NEXT:   return %[[ARG1]] : f32
func.func @no_element_no_work(%m: memref<0x4xf32>, %x: f32) -> f32 {
  linalg.fill ins(%x : f32) outs(%m : memref<0x4xf32>)
  return %x : f32
}

// CHECK-LABEL: func.func @buffer_through_cast(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: memref<4xf32>, %[[ARG1:[a-z0-9]+]]: f32
//  CHECK-NEXT:   linalg.fill ins(%[[ARG1]] : f32) outs(%[[ARG0]] : memref<4xf32>)
//  CHECK-NEXT:   return %[[ARG1]] : f32
func.func @buffer_through_cast(%m: memref<4xf32>, %x: f32) -> f32 {
  %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  linalg.fill ins(%x : f32) outs(%0 : memref<?xf32>)
  return %x : f32
}

// A transposition knows extents of both of its operands or of none.
// CHECK-LABEL: func.func @transpose_through_casts(
//  CHECK-SAME:   %[[A:.*]]: memref<4x3xf32>, %[[B:.*]]: memref<3x4xf32>, %[[C:.*]]: memref<?x?xf32>)
//       CHECK:   %[[CAST:.*]] = memref.cast %[[A]]
//  CHECK-NEXT:   linalg.transpose ins(%[[CAST]] : memref<?x?xf32>) outs(%[[C]] : memref<?x?xf32>)
//  CHECK-NEXT:   linalg.transpose ins(%[[A]] : memref<4x3xf32>) outs(%[[B]] : memref<3x4xf32>)
func.func @transpose_through_casts(%a: memref<4x3xf32>, %b: memref<3x4xf32>, %c: memref<?x?xf32>) {
  %0 = memref.cast %a : memref<4x3xf32> to memref<?x?xf32>
  %1 = memref.cast %b : memref<3x4xf32> to memref<?x?xf32>
  linalg.transpose ins(%0 : memref<?x?xf32>) outs(%c : memref<?x?xf32>) permutation = [1, 0]
  linalg.transpose ins(%0 : memref<?x?xf32>) outs(%1 : memref<?x?xf32>) permutation = [1, 0]
  return
}

// Where the extents cannot be used, the layout can.
// CHECK-LABEL: func.func @layout_through_cast(
//  CHECK-SAME:   %[[A:.*]]: memref<4x3xf32>, %[[B:.*]]: memref<?x?xf32>)
//       CHECK:   %[[CAST:.*]] = memref.cast %[[A]]
//  CHECK-NEXT:   linalg.transpose ins(%[[CAST]] : memref<?x?xf32>) outs(%[[B]] : memref<?x?xf32>)
func.func @layout_through_cast(%a: memref<4x3xf32>, %b: memref<?x?xf32>) {
  %0 = memref.cast %a : memref<4x3xf32> to memref<?x?xf32>
  %1 = memref.cast %b : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  linalg.transpose ins(%0 : memref<?x?xf32>) outs(%1 : memref<?x?xf32, strided<[?, 1], offset: ?>>) permutation = [1, 0]
  return
}

// So it is with the others whose verifiers compare extents.
// CHECK-LABEL: func.func @others_through_cast(
//  CHECK-SAME:   %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<?xf32>, %[[C:.*]]: memref<?x?xf32>)
//       CHECK:   %[[CAST:.*]] = memref.cast %[[A]]
//  CHECK-NEXT:   linalg.map { math.exp } ins(%[[CAST]] : memref<?xf32>) outs(%[[B]] : memref<?xf32>)
//  CHECK-NEXT:   linalg.broadcast ins(%[[CAST]] : memref<?xf32>) outs(%[[C]] : memref<?x?xf32>)
//  CHECK-NEXT:   linalg.reduce { arith.addf } ins(%[[C]] : memref<?x?xf32>) outs(%[[CAST]] : memref<?xf32>)
//  CHECK-NEXT:   linalg.exp ins(%[[A]] : memref<4xf32>) outs(%[[B]] : memref<?xf32>)
func.func @others_through_cast(%a: memref<4xf32>, %b: memref<?xf32>, %c: memref<?x?xf32>) {
  %0 = memref.cast %a : memref<4xf32> to memref<?xf32>
  linalg.map { math.exp } ins(%0 : memref<?xf32>) outs(%b : memref<?xf32>)
  linalg.broadcast ins(%0 : memref<?xf32>) outs(%c : memref<?x?xf32>) dimensions = [1]
  linalg.reduce { arith.addf } ins(%c : memref<?x?xf32>) outs(%0 : memref<?xf32>) dimensions = [1]
  linalg.exp ins(%0 : memref<?xf32>) outs(%b : memref<?xf32>)
  return
}

// What cannot be executed is no reason for invalid operations.
// CHECK-LABEL: func.func @contradicting_cast(
//       CHECK:   %[[CAST:.*]] = memref.cast
//  CHECK-NEXT:   linalg.exp ins(%[[CAST]] : memref<?xf32>)
func.func @contradicting_cast(%a: memref<4xf32>, %b: memref<3xf32>) {
  %0 = memref.cast %a : memref<4xf32> to memref<?xf32>
  linalg.exp ins(%0 : memref<?xf32>) outs(%b : memref<3xf32>)
  return
}

// The loop nest learns the shape; the cast moves behind it.
// CHECK-LABEL: func.func @tensor_through_cast(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<4x8xf32>, %[[ARG1:[a-z0-9]+]]: f32
//  CHECK-NEXT:   %[[V0:.*]] = linalg.fill ins(%[[ARG1]] : f32) outs(%[[ARG0]] : tensor<4x8xf32>) -> tensor<4x8xf32>
//  CHECK-NEXT:   %[[CAST:.*]] = tensor.cast %[[V0]] : tensor<4x8xf32> to tensor<?x?xf32>
//  CHECK-NEXT:   return %[[CAST]] : tensor<?x?xf32>
func.func @tensor_through_cast(%t: tensor<4x8xf32>, %x: f32) -> tensor<?x?xf32> {
  %0 = tensor.cast %t : tensor<4x8xf32> to tensor<?x?xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @element_of_filled(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<4xf32>, %[[ARG1:[a-z0-9]+]]: f32, %[[ARG2:[a-z0-9]+]]: index
//  CHECK-NEXT:   return %[[ARG1]] : f32
func.func @element_of_filled(%t: tensor<4xf32>, %x: f32, %i: index) -> f32 {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// CHECK-LABEL: func.func @reshape_of_filled(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<4x8xf32>, %[[ARG1:[a-z0-9]+]]: f32
//  CHECK-NEXT:   %[[COLLAPSED:.*]] = tensor.collapse_shape %[[ARG0]] {{\[\[}}0, 1]] : tensor<4x8xf32> into tensor<32xf32>
//  CHECK-NEXT:   %[[V0:.*]] = linalg.fill ins(%[[ARG1]] : f32) outs(%[[COLLAPSED]] : tensor<32xf32>) -> tensor<32xf32>
//  CHECK-NEXT:   return %[[V0]] : tensor<32xf32>
func.func @reshape_of_filled(%t: tensor<4x8xf32>, %x: f32) -> tensor<32xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  return %1 : tensor<32xf32>
}

// CHECK-LABEL: func.func @border_of_the_same_value(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<4xf32>, %[[ARG1:[a-z0-9]+]]: f32
//  CHECK-NEXT:   %[[V0:.*]] = tensor.empty() : tensor<6xf32>
//  CHECK-NEXT:   %[[V1:.*]] = linalg.fill ins(%[[ARG1]] : f32) outs(%[[V0]] : tensor<6xf32>) -> tensor<6xf32>
//  CHECK-NEXT:   return %[[V1]] : tensor<6xf32>
func.func @border_of_the_same_value(%t: tensor<4xf32>, %x: f32) -> tensor<6xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.pad %0 low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %1 : tensor<6xf32>
}

// CHECK-LABEL: func.func @border_of_another_value_stays(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<4xf32>, %[[ARG1:[a-z0-9]+]]: f32, %[[ARG2:[a-z0-9]+]]: f32
//  CHECK-NEXT:   %[[V0:.*]] = linalg.fill ins(%[[ARG1]] : f32) outs(%[[ARG0]] : tensor<4xf32>) -> tensor<4xf32>
//  CHECK-NEXT:   %[[PADDED:.*]] = tensor.pad %[[V0]] low[1] high[1] {
//  CHECK-NEXT:   ^bb0(%[[ARG3:.*]]: index):
//  CHECK-NEXT:   tensor.yield %[[ARG2]] : f32
//  CHECK-NEXT:   } : tensor<4xf32> to tensor<6xf32>
//  CHECK-NEXT:   return %[[PADDED]] : tensor<6xf32>
func.func @border_of_another_value_stays(%t: tensor<4xf32>, %x: f32, %y: f32) -> tensor<6xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.pad %0 low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %y : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %1 : tensor<6xf32>
}

// [1, 2, 0] after [2, 1, 0].
// CHECK-LABEL: func.func @transpositions_compose(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<2x3x4xf32>, %[[ARG1:[a-z0-9]+]]: tensor<4x3x2xf32>, %[[ARG2:[a-z0-9]+]]: tensor<3x2x4xf32>
//  CHECK-NEXT:   %[[TRANSPOSED:.*]] = linalg.transpose ins(%[[ARG0]] : tensor<2x3x4xf32>) outs(%[[ARG2]] : tensor<3x2x4xf32>) permutation = [1, 0, 2]
//  CHECK-NEXT:   return %[[TRANSPOSED]] : tensor<3x2x4xf32>
func.func @transpositions_compose(%t: tensor<2x3x4xf32>, %u: tensor<4x3x2xf32>, %v: tensor<3x2x4xf32>) -> tensor<3x2x4xf32> {
  %0 = linalg.transpose ins(%t : tensor<2x3x4xf32>) outs(%u : tensor<4x3x2xf32>) permutation = [2, 1, 0]
  %1 = linalg.transpose ins(%0 : tensor<4x3x2xf32>) outs(%v : tensor<3x2x4xf32>) permutation = [1, 2, 0]
  return %1 : tensor<3x2x4xf32>
}

// CHECK-LABEL: func.func @transpositions_cancel(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<4x8xf32>, %[[ARG1:[a-z0-9]+]]: tensor<8x4xf32>
//  CHECK-NEXT:   return %[[ARG0]] : tensor<4x8xf32>
func.func @transpositions_cancel(%t: tensor<4x8xf32>, %u: tensor<8x4xf32>) -> tensor<4x8xf32> {
  %0 = linalg.transpose ins(%t : tensor<4x8xf32>) outs(%u : tensor<8x4xf32>) permutation = [1, 0]
  %1 = linalg.transpose ins(%0 : tensor<8x4xf32>) outs(%t : tensor<4x8xf32>) permutation = [1, 0]
  return %1 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @unused_tensor_result(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<4xf32>, %[[ARG1:[a-z0-9]+]]: f32
//  CHECK-NEXT:   return %[[ARG1]] : f32
func.func @unused_tensor_result(%t: tensor<4xf32>, %x: f32) -> f32 {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  return %x : f32
}
