// RUN: dl-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @buffer_of_tensor_of_buffer(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: memref<8xf32>
//  CHECK-NEXT:   return %[[ARG0]] : memref<8xf32>
func.func @buffer_of_tensor_of_buffer(%m: memref<8xf32>) -> memref<8xf32> {
  %0 = bufferization.to_tensor %m : memref<8xf32> to tensor<8xf32>
  %1 = bufferization.to_buffer %0 : tensor<8xf32> to memref<8xf32>
  return %1 : memref<8xf32>
}

// CHECK-LABEL: func.func @buffer_of_another_type_is_cast(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: memref<8xf32>
//  CHECK-NEXT:   %[[CAST:.*]] = memref.cast %[[ARG0]] : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
//  CHECK-NEXT:   return %[[CAST]] : memref<8xf32, strided<[?], offset: ?>>
func.func @buffer_of_another_type_is_cast(%m: memref<8xf32>) -> memref<8xf32, strided<[?], offset: ?>> {
  %0 = bufferization.to_tensor %m : memref<8xf32> to tensor<8xf32>
  %1 = bufferization.to_buffer %0 : tensor<8xf32> to memref<8xf32, strided<[?], offset: ?>>
  return %1 : memref<8xf32, strided<[?], offset: ?>>
}

// CHECK-LABEL: func.func @dim_of_alloc_tensor(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: index
//  CHECK-NEXT:   %[[V0:.*]] = bufferization.alloc_tensor(%[[ARG0]]) : tensor<?xf32>
//  CHECK-NEXT:   return %[[ARG0]] : index
func.func @dim_of_alloc_tensor(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %0 = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  return %1 : index
}

// CHECK-LABEL: func.func @dim_of_to_tensor(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: memref<?xf32>
//  CHECK-NEXT:   %[[C0:.*]] = arith.constant 0 : index
//  CHECK-NEXT:   %[[DIM:.*]] = memref.dim %[[ARG0]], %[[C0]] : memref<?xf32>
//  CHECK-NEXT:   return %[[DIM]] : index
func.func @dim_of_to_tensor(%m: memref<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = bufferization.to_tensor %m : memref<?xf32> to tensor<?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  return %1 : index
}

// CHECK-LABEL: func.func @nothing_to_free(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: memref<8xf32>
//  CHECK-NEXT:   %[[FALSE:.*]] = arith.constant false
//  CHECK-NEXT:   return %[[FALSE]] : i1
func.func @nothing_to_free(%m: memref<8xf32>) -> i1 {
  %0 = bufferization.dealloc retain (%m : memref<8xf32>)
  return %0 : i1
}

// CHECK-LABEL: func.func @buffer_listed_twice(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: memref<8xf32>, %[[ARG1:[a-z0-9]+]]: i1, %[[ARG2:[a-z0-9]+]]: i1
//  CHECK-NEXT:   %[[V0:.*]] = arith.ori %[[ARG1]], %[[ARG2]] : i1
//  CHECK-NEXT:   bufferization.dealloc (%[[ARG0]] : memref<8xf32>) if (%[[V0]])
//  CHECK-NEXT:   return %[[ARG1]] : i1
func.func @buffer_listed_twice(%m: memref<8xf32>, %a: i1, %b: i1) -> i1 {
  bufferization.dealloc (%m, %m : memref<8xf32>, memref<8xf32>) if (%a, %b)
  return %a : i1
}

// CHECK-LABEL: func.func @buffer_of_cast_tensor(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<8xf32>
//  CHECK-NEXT:   %[[V0:.*]] = bufferization.to_buffer %[[ARG0]] : tensor<8xf32> to memref<8xf32>
//  CHECK-NEXT:   %[[CAST:.*]] = memref.cast %[[V0]] : memref<8xf32> to memref<?xf32>
//  CHECK-NEXT:   return %[[CAST]] : memref<?xf32>
func.func @buffer_of_cast_tensor(%t: tensor<8xf32>) -> memref<?xf32> {
  %0 = tensor.cast %t : tensor<8xf32> to tensor<?xf32>
  %1 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32>
  return %1 : memref<?xf32>
}
