// RUN: dl-opt %s --one-shot-bufferize=bufferize-function-boundaries --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @transfers
//  CHECK-SAME:   (%[[T:.*]]: memref<16xf32, strided<[?], offset: ?>>, %[[I:.*]]: index, %[[P:.*]]: f32)
//       CHECK:   %[[V:.*]] = vector.transfer_read %[[T]][%[[I]]], %[[P]] : memref<16xf32, {{.*}}>, vector<4xf32>
//   CHECK-NOT:   memref.copy
//       CHECK:   vector.transfer_write %[[V]], %[[T]][%{{.*}}] : vector<4xf32>, memref<16xf32, {{.*}}>
func.func @transfers(%t: tensor<16xf32>, %i: index, %p: f32) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %v = vector.transfer_read %t[%i], %p : tensor<16xf32>, vector<4xf32>
  %r = vector.transfer_write %v, %t[%c0] : vector<4xf32>, tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

// What is written is read as it was before.
// CHECK-LABEL: func.func @copied
//       CHECK:   %[[A:.*]] = memref.alloc() {{.*}} : memref<16xf32>
//       CHECK:   memref.copy %{{.*}}, %[[A]]
//       CHECK:   vector.transfer_write %{{.*}}, %[[A]]
func.func @copied(%t: tensor<16xf32>, %v: vector<4xf32>, %p: f32) -> (tensor<16xf32>, vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %r = vector.transfer_write %v, %t[%c0] : vector<4xf32>, tensor<16xf32>
  %w = vector.transfer_read %t[%c0], %p : tensor<16xf32>, vector<4xf32>
  return %r, %w : tensor<16xf32>, vector<4xf32>
}

// -----

// The vector covers the tensor: nothing of it is read.
// CHECK-LABEL: func.func @overwritten
//       CHECK:   %[[A:.*]] = memref.alloc() {{.*}} : memref<4xf32>
//   CHECK-NOT:   memref.copy
//       CHECK:   vector.transfer_write %{{.*}}, %[[A]]
func.func @overwritten(%t: tensor<4xf32>, %v: vector<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %r = vector.transfer_write %v, %t[%c0] : vector<4xf32>, tensor<4xf32>
  return %r, %t : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @masked
//  CHECK-SAME:   (%[[T:.*]]: memref<?xf32, strided<[?], offset: ?>>
//   CHECK-NOT:   memref.copy
//       CHECK:   vector.mask %{{.*}} { vector.transfer_write %{{.*}}, %[[T]]
//       CHECK:   return %[[T]]
func.func @masked(%t: tensor<?xf32>, %v: vector<4xf32>, %m: vector<4xi1>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %r = vector.mask %m { vector.transfer_write %v, %t[%c0] : vector<4xf32>, tensor<?xf32> } : vector<4xi1> -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @gather
//  CHECK-SAME:   (%[[T:.*]]: memref<16xf32, strided<[?], offset: ?>>
//       CHECK:   vector.gather %[[T]]
func.func @gather(%t: tensor<16xf32>, %i: vector<4xi32>, %m: vector<4xi1>, %p: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %v = vector.gather %t[%c0] [%i], %m, %p : tensor<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %v : vector<4xf32>
}

// -----

// CHECK-LABEL: func.func @scattered
//  CHECK-SAME:   (%[[T:[^:]*]]: memref<16xf32, strided<[?], offset: ?>>, %[[I:[^:]*]]: vector<4xi32>
//       CHECK:   %[[A:.*]] = memref.alloc() {{.*}} : memref<16xf32>
//       CHECK:   memref.copy %[[T]], %[[A]]
//       CHECK:   vector.scatter %[[A]][%{{.*}}] [%[[I]]], %{{.*}}, %{{.*}} : memref<16xf32>
func.func @scattered(%t: tensor<16xf32>, %i: vector<4xi32>, %m: vector<4xi1>, %v: vector<4xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %r = vector.scatter %t[%c0][%i], %m, %v : tensor<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> -> tensor<16xf32>
  return %r, %t : tensor<16xf32>, tensor<16xf32>
}
