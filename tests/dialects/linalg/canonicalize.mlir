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

// CHECK-LABEL: func.func @unused_tensor_result(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<4xf32>, %[[ARG1:[a-z0-9]+]]: f32
//  CHECK-NEXT:   return %[[ARG1]] : f32
func.func @unused_tensor_result(%t: tensor<4xf32>, %x: f32) -> f32 {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  return %x : f32
}
