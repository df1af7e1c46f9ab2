// RUN: dl-opt %s --canonicalize --split-input-file | FileCheck %s

// Either side can stand for the other, once one of them is freed.
// CHECK-LABEL: func.func @freed_source
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: memref<4xi8>)
//  CHECK-NEXT:   return %[[ARG0]] : memref<4xi8>
func.func @freed_source(%m: memref<4xi8>) -> memref<4xi8> {
  %0 = bufferization.clone %m : memref<4xi8> to memref<4xi8>
  memref.dealloc %m : memref<4xi8>
  return %0 : memref<4xi8>
}

// -----

// Not where something else is freed in between, or both are.
// CHECK-LABEL: func.func @freed_both
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: memref<4xi8>, %[[ARG1:[a-z0-9_-]+]]: memref<4xi8>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = bufferization.clone %[[ARG0]] : memref<4xi8> to memref<4xi8>
//  CHECK-NEXT:   memref.dealloc %[[ARG1]] : memref<4xi8>
//  CHECK-NEXT:   memref.dealloc %[[ARG0]] : memref<4xi8>
//  CHECK-NEXT:   return %[[V]] : memref<4xi8>
func.func @freed_both(%m: memref<4xi8>, %n: memref<4xi8>) -> memref<4xi8> {
  %0 = bufferization.clone %m : memref<4xi8> to memref<4xi8>
  memref.dealloc %n : memref<4xi8>
  memref.dealloc %m : memref<4xi8>
  return %0 : memref<4xi8>
}

// -----

// A copy of a cast is one of its source.
// CHECK-LABEL: func.func @clone_of_cast
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: memref<4xi8>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = bufferization.clone %[[ARG0]] : memref<4xi8> to memref<?xi8>
//  CHECK-NEXT:   return %[[V]] : memref<?xi8>
func.func @clone_of_cast(%m: memref<4xi8>) -> memref<?xi8> {
  %0 = memref.cast %m : memref<4xi8> to memref<?xi8>
  %1 = bufferization.clone %0 : memref<?xi8> to memref<?xi8>
  return %1 : memref<?xi8>
}

// -----

// Another memory space needs another buffer.
// CHECK-LABEL: func.func @to_buffer_elsewhere
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: memref<?xi8, 1>)
//  CHECK-NEXT:   %[[C:[a-z0-9_-]+]] = arith.constant 0 : index
//  CHECK-NEXT:   %[[DIM:[a-z0-9_-]+]] = memref.dim %[[ARG0]], %[[C]] : memref<?xi8, 1>
//  CHECK-NEXT:   %[[ALLOC:[a-z0-9_-]+]] = memref.alloc(%[[DIM]]) : memref<?xi8, 2>
//  CHECK-NEXT:   memref.copy %[[ARG0]], %[[ALLOC]] : memref<?xi8, 1> to memref<?xi8, 2>
//  CHECK-NEXT:   return %[[ALLOC]] : memref<?xi8, 2>
func.func @to_buffer_elsewhere(%m: memref<?xi8, 1>) -> memref<?xi8, 2> {
  %0 = bufferization.to_tensor %m : memref<?xi8, 1> to tensor<?xi8, 2>
  %1 = bufferization.to_buffer %0 : tensor<?xi8, 2> to memref<?xi8, 2>
  return %1 : memref<?xi8, 2>
}

// -----

// An element of a buffer is one of the tensor.
// CHECK-LABEL: func.func @load_of_to_buffer
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<4xi8>, %[[ARG1:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[EXTRAC:[a-z0-9_-]+]] = tensor.extract %[[ARG0]][%[[ARG1]]] : tensor<4xi8>
//  CHECK-NEXT:   return %[[EXTRAC]] : i8
func.func @load_of_to_buffer(%t: tensor<4xi8>, %i: index) -> i8 {
  %0 = bufferization.to_buffer %t : tensor<4xi8> to memref<4xi8>
  %1 = memref.load %0[%i] : memref<4xi8>
  return %1 : i8
}

// -----

// Unless the buffer has been written to.
// CHECK-LABEL: func.func @load_after_store
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<4xi8>, %[[ARG1:[a-z0-9_-]+]]: index, %[[ARG2:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = bufferization.to_buffer %[[ARG0]] : tensor<4xi8> to memref<4xi8>
//  CHECK-NEXT:   memref.store %[[ARG2]], %[[V]][%[[ARG1]]] : memref<4xi8>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = memref.load %[[V]][%[[ARG1]]] : memref<4xi8>
//  CHECK-NEXT:   return %[[V2]] : i8
func.func @load_after_store(%t: tensor<4xi8>, %i: index, %v: i8) -> i8 {
  %0 = bufferization.to_buffer %t : tensor<4xi8> to memref<4xi8>
  memref.store %v, %0[%i] : memref<4xi8>
  %1 = memref.load %0[%i] : memref<4xi8>
  return %1 : i8
}

// -----

// The buffer of what was cast has the extents that were known.
// CHECK-LABEL: func.func @to_buffer_of_cast
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<4xi8>)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = bufferization.to_buffer %[[ARG0]] : tensor<4xi8> to memref<4xi8, strided<[?], offset: ?>>
//  CHECK-NEXT:   %[[CAST:[a-z0-9_-]+]] = memref.cast %[[V]] : memref<4xi8, strided<[?], offset: ?>> to memref<?xi8, strided<[?], offset: ?>>
//  CHECK-NEXT:   return %[[CAST]] : memref<?xi8, strided<[?], offset: ?>>
func.func @to_buffer_of_cast(%t: tensor<4xi8>) -> memref<?xi8, strided<[?], offset: ?>> {
  %0 = tensor.cast %t : tensor<4xi8> to tensor<?xi8>
  %1 = bufferization.to_buffer %0 : tensor<?xi8> to memref<?xi8, strided<[?], offset: ?>>
  return %1 : memref<?xi8, strided<[?], offset: ?>>
}
