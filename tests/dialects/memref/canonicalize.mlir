// RUN: dl-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @dim_of_allocation(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: index
//  CHECK-NEXT:   return %[[ARG0]] : index
func.func @dim_of_allocation(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?x4xf32>
  %0 = memref.dim %m, %c0 : memref<?x4xf32>
  memref.dealloc %m : memref<?x4xf32>
  return %0 : index
}

// CHECK-LABEL: func.func @allocation_of_constant_size(
//  CHECK-NEXT:   %[[ALLOC:.*]] = memref.alloc() {alignment = 64 : i64} : memref<5xf32>
//  CHECK-NEXT:   %[[CAST:.*]] = memref.cast %[[ALLOC]] : memref<5xf32> to memref<?xf32>
//  CHECK-NEXT:   return %[[CAST]] : memref<?xf32>
func.func @allocation_of_constant_size() -> memref<?xf32> {
  %c = arith.constant 5 : index
  %m = memref.alloc(%c) {alignment = 64 : i64} : memref<?xf32>
  return %m : memref<?xf32>
}

// CHECK-LABEL: func.func @memory_only_written_is_not_needed(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: f32, %[[ARG1:[a-z0-9]+]]: index
//  CHECK-NEXT:   return %[[ARG0]] : f32
func.func @memory_only_written_is_not_needed(%x: f32, %i: index) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return %x : f32
}

// CHECK-LABEL: func.func @memory_read_stays(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: f32, %[[ARG1:[a-z0-9]+]]: index
//  CHECK-NEXT:   %[[ALLOC:.*]] = memref.alloc() : memref<4xf32>
//  CHECK-NEXT:   memref.store %[[ARG0]], %[[ALLOC]][%[[ARG1]]] : memref<4xf32>
//  CHECK-NEXT:   %[[V0:.*]] = memref.load %[[ALLOC]][%[[ARG1]]] : memref<4xf32>
//  CHECK-NEXT:   memref.dealloc %[[ALLOC]] : memref<4xf32>
//  CHECK-NEXT:   return %[[V0]] : f32
func.func @memory_read_stays(%x: f32, %i: index) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  %0 = memref.load %m[%i] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return %0 : f32
}

// CHECK-LABEL: func.func @access_through_cast(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: memref<8xf32>, %[[ARG1:[a-z0-9]+]]: index
//  CHECK-NEXT:   %[[V0:.*]] = memref.load %[[ARG0]][%[[ARG1]]] : memref<8xf32>
//  CHECK-NEXT:   memref.store %[[V0]], %[[ARG0]][%[[ARG1]]] : memref<8xf32>
//  CHECK-NEXT:   return %[[V0]] : f32
func.func @access_through_cast(%m: memref<8xf32>, %i: index) -> f32 {
  %0 = memref.cast %m : memref<8xf32> to memref<?xf32>
  %1 = memref.load %0[%i] : memref<?xf32>
  memref.store %1, %0[%i] : memref<?xf32>
  return %1 : f32
}

// CHECK-LABEL: func.func @copy_to_itself(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: memref<8xf32>, %[[ARG1:[a-z0-9]+]]: memref<8xf32>, %[[ARG2:[a-z0-9]+]]: f32
//  CHECK-NEXT:   memref.copy %[[ARG0]], %[[ARG1]] : memref<8xf32> to memref<8xf32>
//  CHECK-NEXT:   return %[[ARG2]] : f32
func.func @copy_to_itself(%m: memref<8xf32>, %n: memref<8xf32>, %x: f32) -> f32 {
  memref.copy %m, %m : memref<8xf32> to memref<8xf32>
  memref.copy %m, %n : memref<8xf32> to memref<8xf32>
  return %x : f32
}

// CHECK-LABEL: func.func @copy_of_cast(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: memref<8xf32>, %[[ARG1:[a-z0-9]+]]: memref<?xf32, strided<[?]>>
//  CHECK-NEXT:   memref.copy %[[ARG0]], %[[ARG1]] : memref<8xf32> to memref<?xf32, strided<[?]>>
//  CHECK-NEXT:   return
func.func @copy_of_cast(%m: memref<8xf32>, %n: memref<?xf32, strided<[?]>>) {
  %0 = memref.cast %m : memref<8xf32> to memref<?xf32>
  memref.copy %0, %n : memref<?xf32> to memref<?xf32, strided<[?]>>
  return
}

// What is copied to where it does not fit is undefined when it runs, but IR all the same: the casts stay as far as they hide that.
// CHECK-LABEL: func.func @copy_of_casts_of_other_shapes(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: memref<3x4xi32>, %[[ARG1:[a-z0-9]+]]: memref<2x2xi32>
//  CHECK-NEXT:   %[[CAST:.*]] = memref.cast %[[ARG1]] : memref<2x2xi32> to memref<*xi32>
//  CHECK-NEXT:   memref.copy %[[ARG0]], %[[CAST]] : memref<3x4xi32> to memref<*xi32>
func.func @copy_of_casts_of_other_shapes(%m: memref<3x4xi32>, %n: memref<2x2xi32>) {
  %0 = memref.cast %m : memref<3x4xi32> to memref<*xi32>
  %1 = memref.cast %n : memref<2x2xi32> to memref<*xi32>
  memref.copy %0, %1 : memref<*xi32> to memref<*xi32>
  return
}

// CHECK-LABEL: func.func @constants_of_subview(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: memref<8x8xf32>
//  CHECK-NEXT:   %[[SUBVIEW:.*]] = memref.subview %[[ARG0]][4, 4] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 36>>
//  CHECK-NEXT:   %[[CAST:.*]] = memref.cast %[[SUBVIEW]] : memref<4x4xf32, strided<[8, 1], offset: 36>> to memref<?x4xf32, strided<[8, 1], offset: ?>>
//  CHECK-NEXT:   return %[[CAST]] : memref<?x4xf32, strided<[8, 1], offset: ?>>
func.func @constants_of_subview(%m: memref<8x8xf32>) -> memref<?x4xf32, strided<[8, 1], offset: ?>> {
  %c4 = arith.constant 4 : index
  %0 = memref.subview %m[%c4, %c4] [%c4, 4] [1, 1] : memref<8x8xf32> to memref<?x4xf32, strided<[8, 1], offset: ?>>
  return %0 : memref<?x4xf32, strided<[8, 1], offset: ?>>
}

// CHECK-LABEL: func.func @subview_of_everything(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: memref<8x8xf32>
//  CHECK-NEXT:   %[[CAST:.*]] = memref.cast %[[ARG0]] : memref<8x8xf32> to memref<8x8xf32, strided<[8, 1]>>
//  CHECK-NEXT:   return %[[CAST]] : memref<8x8xf32, strided<[8, 1]>>
func.func @subview_of_everything(%m: memref<8x8xf32>) -> memref<8x8xf32, strided<[8, 1]>> {
  %0 = memref.subview %m[0, 0] [8, 8] [1, 1] : memref<8x8xf32> to memref<8x8xf32, strided<[8, 1]>>
  return %0 : memref<8x8xf32, strided<[8, 1]>>
}

// CHECK-LABEL: func.func @reshape_there_and_back(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: memref<8x8xf32>
//  CHECK-NEXT:   return %[[ARG0]] : memref<8x8xf32>
func.func @reshape_there_and_back(%m: memref<8x8xf32>) -> memref<8x8xf32> {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  %1 = memref.expand_shape %0 [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  return %1 : memref<8x8xf32>
}

// CHECK-LABEL: func.func @rank_and_static_dim(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: memref<8x4xf32>
//  CHECK-NEXT:   %[[C2:.*]] = arith.constant 2 : index
//  CHECK-NEXT:   %[[C4:.*]] = arith.constant 4 : index
//  CHECK-NEXT:   return %[[C2]], %[[C4]] : index, index
func.func @rank_and_static_dim(%m: memref<8x4xf32>) -> (index, index) {
  %c1 = arith.constant 1 : index
  %0 = memref.rank %m : memref<8x4xf32>
  %1 = memref.dim %m, %c1 : memref<8x4xf32>
  return %0, %1 : index, index
}
