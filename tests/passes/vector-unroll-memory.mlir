// RUN: dl-opt %s --vector-unroll=native-shape=2,2 --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @transfer_read
//  CHECK-SAME:   (%[[M:[a-z0-9_]+]]: memref<?x?xf32>, %[[I:[a-z0-9_]+]]: index, %[[J:[a-z0-9_]+]]: index, %[[P:[a-z0-9_]+]]: f32)
func.func @transfer_read(%m: memref<?x?xf32>, %i: index, %j: index, %p: f32) -> vector<2x4xf32> {
  // CHECK-DAG: %[[TWO:[a-z0-9_]+]] = arith.constant 2 : index
  // CHECK: %[[A:[a-z0-9_]+]] = vector.transfer_read %[[M]][%[[I]], %[[J]]], %[[P]] {in_bounds = [true, false]} : memref<?x?xf32>, vector<2x2xf32>
  // CHECK: %[[R:[a-z0-9_]+]] = vector.insert_strided_slice %[[A]], %{{[a-z0-9_]+}} {offsets = [0, 0]
  // CHECK: %[[J2:[a-z0-9_]+]] = arith.addi %[[J]], %[[TWO]]
  // CHECK: %[[B:[a-z0-9_]+]] = vector.transfer_read %[[M]][%[[I]], %[[J2]]], %[[P]] {in_bounds = [true, false]} : memref<?x?xf32>, vector<2x2xf32>
  // CHECK: vector.insert_strided_slice %[[B]], %[[R]] {offsets = [0, 2]
  %0 = vector.transfer_read %m[%i, %j], %p {in_bounds = [true, false]} : memref<?x?xf32>, vector<2x4xf32>
  return %0 : vector<2x4xf32>
}

// -----

// Columns of the vector are rows of the memory, its rows are all the same. The mask has one dimension, that of the rows of the memory.
// CHECK-LABEL: func.func @permuted
//  CHECK-SAME:   (%[[M:[a-z0-9_]+]]: memref<?x?xf32>, %[[I:[a-z0-9_]+]]: index, %[[P:[a-z0-9_]+]]: f32, %[[ON:[a-z0-9_]+]]: vector<4xi1>)
func.func @permuted(%m: memref<?x?xf32>, %i: index, %p: f32, %on: vector<4xi1>) -> vector<4x4xf32> {
  // CHECK: %[[ON0:[a-z0-9_]+]] = vector.extract_strided_slice %[[ON]] {offsets = [0], sizes = [2]
  // CHECK: vector.transfer_read %[[M]][%[[I]], %[[I]]], %[[P]], %[[ON0]]
  // CHECK: %[[I2:[a-z0-9_]+]] = arith.addi %[[I]], %{{[a-z0-9_]+}}
  // CHECK: %[[ON1:[a-z0-9_]+]] = vector.extract_strided_slice %[[ON]] {offsets = [2], sizes = [2]
  // CHECK: vector.transfer_read %[[M]][%[[I2]], %[[I]]], %[[P]], %[[ON1]]
  // CHECK: vector.transfer_read %[[M]][%[[I]], %[[I]]], %[[P]]
  // CHECK: vector.transfer_read %[[M]][%{{[a-z0-9_]+}}, %[[I]]], %[[P]]
  // CHECK-NOT: vector.transfer_read
  %0 = vector.transfer_read %m[%i, %i], %p, %on {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (0, d0)>} : memref<?x?xf32>, vector<4x4xf32>
  return %0 : vector<4x4xf32>
}

// -----

// Writes to a tensor go one into the result of the other.
// CHECK-LABEL: func.func @transfer_write
//  CHECK-SAME:   (%[[V:[a-z0-9_]+]]: vector<4x2xf32>, %[[T:[a-z0-9_]+]]: tensor<?x?xf32>, %[[I:[a-z0-9_]+]]: index)
func.func @transfer_write(%v: vector<4x2xf32>, %t: tensor<?x?xf32>, %i: index) -> tensor<?x?xf32> {
  // CHECK: %[[V0:[a-z0-9_]+]] = vector.extract_strided_slice %[[V]] {offsets = [0, 0]
  // CHECK: %[[T0:[a-z0-9_]+]] = vector.transfer_write %[[V0]], %[[T]][%[[I]], %[[I]]] : vector<2x2xf32>, tensor<?x?xf32>
  // CHECK: %[[V1:[a-z0-9_]+]] = vector.extract_strided_slice %[[V]] {offsets = [2, 0]
  // CHECK: %[[T1:[a-z0-9_]+]] = vector.transfer_write %[[V1]], %[[T0]][%{{[a-z0-9_]+}}, %[[I]]] : vector<2x2xf32>, tensor<?x?xf32>
  // CHECK: return %[[T1]]
  %0 = vector.transfer_write %v, %t[%i, %i] : vector<4x2xf32>, tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// The vector lies along the last dimensions. What it is aligned to says nothing of its parts.
// CHECK-LABEL: func.func @load_and_store
//  CHECK-SAME:   (%[[M:[a-z0-9_]+]]: memref<?x?x?xf32>, %[[I:[a-z0-9_]+]]: index)
func.func @load_and_store(%m: memref<?x?x?xf32>, %i: index) {
  // CHECK: vector.load %[[M]][%[[I]], %[[I]], %[[I]]] : memref<?x?x?xf32>, vector<2x2xf32>
  // CHECK: %[[I2:[a-z0-9_]+]] = arith.addi %[[I]], %{{[a-z0-9_]+}}
  // CHECK: vector.load %[[M]][%[[I]], %[[I2]], %[[I]]] : memref<?x?x?xf32>, vector<2x2xf32>
  // CHECK: vector.store %{{[a-z0-9_]+}}, %[[M]][%[[I]], %[[I]], %[[I]]] : memref<?x?x?xf32>, vector<2x2xf32>
  // CHECK: vector.store %{{[a-z0-9_]+}}, %[[M]][%[[I]], %{{[a-z0-9_]+}}, %[[I]]] : memref<?x?x?xf32>, vector<2x2xf32>
  %0 = vector.load %m[%i, %i, %i] {alignment = 32 : i64} : memref<?x?x?xf32>, vector<4x2xf32>
  vector.store %0, %m[%i, %i, %i] : memref<?x?x?xf32>, vector<4x2xf32>
  return
}

// -----

// CHECK-LABEL: func.func @masked_load
//  CHECK-SAME:   (%[[M:[a-z0-9_]+]]: memref<?xf32>, %[[I:[a-z0-9_]+]]: index, %[[ON:[a-z0-9_]+]]: vector<4xi1>, %[[OFF:[a-z0-9_]+]]: vector<4xf32>)
func.func @masked_load(%m: memref<?xf32>, %i: index, %on: vector<4xi1>, %off: vector<4xf32>) -> vector<4xf32> {
  // CHECK: vector.maskedload %[[M]][%[[I]]], %{{[a-z0-9_]+}}, {{.*}} : memref<?xf32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  // CHECK: vector.maskedload %[[M]][%{{[a-z0-9_]+}}], %{{[a-z0-9_]+}}, {{.*}} : memref<?xf32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  %0 = vector.maskedload %m[%i], %on, %off : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

// Elements of the memory that are vectors cannot be taken apart by its indices.
// CHECK-LABEL: func.func @vectors_in_memory
func.func @vectors_in_memory(%m: memref<?xvector<4xf32>>, %i: index) -> vector<4xf32> {
  // CHECK: vector.load {{.*}} : memref<?xvector<4xf32>>, vector<4xf32>
  %0 = vector.load %m[%i] : memref<?xvector<4xf32>>, vector<4xf32>
  return %0 : vector<4xf32>
}
