// RUN: dl-opt %s --memref-emulate-narrow-type --split-input-file | FileCheck %s

// Rows of eight begin with a byte, and so do their halves.
// CHECK-LABEL: func.func @aligned
//  CHECK-SAME:   (%[[M:[a-z0-9]+]]: memref<12xi8>
func.func @aligned(%m: memref<3x8xi4>, %i: index) -> vector<4xi4> {
  // CHECK: %[[W:[a-z0-9]+]] = vector.load %[[M]][%{{.*}}] : memref<12xi8>, vector<2xi8>
  // CHECK: vector.bitcast %[[W]] : vector<2xi8> to vector<4xi4>
  // CHECK: %[[S:[a-z0-9]+]] = vector.bitcast %{{.*}} : vector<4xi4> to vector<2xi8>
  // CHECK: vector.store %[[S]], %[[M]][%{{.*}}] : memref<12xi8>, vector<2xi8>
  %c4 = arith.constant 4 : index
  %0 = vector.load %m[%i, %c4] : memref<3x8xi4>, vector<4xi4>
  vector.store %0, %m[%i, %c4] : memref<3x8xi4>, vector<4xi4>
  return %0 : vector<4xi4>
}

// -----

// Three elements from number 3 on: the second of byte 1, and both of byte 2.
// CHECK-LABEL: func.func @within_a_byte
func.func @within_a_byte(%m: memref<3x3xi4>) -> vector<3xi4> {
  // CHECK: %[[W:[a-z0-9]+]] = vector.load %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}] : memref<5xi8>, vector<2xi8>
  // CHECK: %[[ALL:[a-z0-9]+]] = vector.bitcast %[[W]] : vector<2xi8> to vector<4xi4>
  // CHECK: vector.extract_strided_slice %[[ALL]] {offsets = [1], sizes = [3], strides = [1]}
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = vector.load %m[%c1, %c0] : memref<3x3xi4>, vector<3xi4>
  return %0 : vector<3xi4>
}

// -----

// From any element on: the third byte is loaded only if the vector begins within the first one.
// CHECK-LABEL: func.func @anywhere
func.func @anywhere(%m: memref<8xi4>, %i: index) -> vector<4xi4> {
  // CHECK: %[[SIZE:[a-z0-9]+]] = arith.select %{{.*}} : index
  // CHECK: %[[ON:[a-z0-9]+]] = vector.create_mask %[[SIZE]] : vector<3xi1>
  // CHECK: %[[W:[a-z0-9]+]] = vector.maskedload %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}], %[[ON]], %{{.*}} : memref<4xi8>, vector<3xi1>, vector<3xi8> into vector<3xi8>
  // CHECK-DAG: vector.extract_strided_slice %[[W]] {offsets = [0], sizes = [2], strides = [1]}
  // CHECK-DAG: vector.extract_strided_slice %[[W]] {offsets = [1], sizes = [2], strides = [1]}
  // CHECK: arith.shrui %{{.*}} : vector<2xi8>
  // CHECK: arith.shli %{{.*}} : vector<2xi8>
  // CHECK: arith.shli %{{.*}} : vector<2xi8>
  // CHECK: %[[R:[a-z0-9]+]] = arith.ori %{{.*}} : vector<2xi8>
  // CHECK: vector.bitcast %[[R]] : vector<2xi8> to vector<4xi4>
  %0 = vector.load %m[%i] : memref<8xi4>, vector<4xi4>
  return %0 : vector<4xi4>
}

// -----

// Bytes of which only a part is stored are stored element by element.
// CHECK-LABEL: func.func @store_of_parts
func.func @store_of_parts(%m: memref<8xi4>, %i: index, %v: vector<2xi4>) {
  // CHECK-COUNT-2: memref.atomic_rmw ori
  vector.store %v, %m[%i] : memref<8xi4>, vector<2xi4>
  return
}

// -----

// CHECK-LABEL: func.func @transfers
func.func @transfers(%m: memref<3x8xi4>, %i: index, %p: i4) {
  // CHECK: vector.load %{{.*}} : memref<12xi8>, vector<4xi8>
  // CHECK: vector.store %{{.*}} : memref<12xi8>, vector<4xi8>
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %m[%i, %c0], %p {in_bounds = [true]} : memref<3x8xi4>, vector<8xi4>
  vector.transfer_write %0, %m[%i, %c0] {in_bounds = [true]} : vector<8xi4>, memref<3x8xi4>
  return
}

// -----

// A byte is loaded if one of its two elements is wanted.
// CHECK-LABEL: func.func @masked
//  CHECK-SAME:   (%[[M:[a-z0-9]+]]: memref<4xi8>, %[[ON:[a-z0-9]+]]: vector<8xi1>, %[[OFF:[a-z0-9]+]]: vector<8xi4>)
func.func @masked(%m: memref<8xi4>, %on: vector<8xi1>, %off: vector<8xi4>) -> vector<8xi4> {
  // CHECK: %[[PAIRS:[a-z0-9]+]] = vector.shape_cast %[[ON]] : vector<8xi1> to vector<4x2xi1>
  // CHECK: %[[SOME:[a-z0-9]+]] = vector.multi_reduction <or>, %[[PAIRS]], %{{[a-z0-9_]+}} [1] : vector<4x2xi1> to vector<4xi1>
  // CHECK: %[[W:[a-z0-9]+]] = vector.maskedload %[[M]][%{{[a-z0-9_]+}}], %[[SOME]], %{{.*}} : memref<4xi8>, vector<4xi1>, vector<4xi8> into vector<4xi8>
  // CHECK: %[[ALL:[a-z0-9]+]] = vector.bitcast %[[W]] : vector<4xi8> to vector<8xi4>
  // CHECK: arith.select %[[ON]], %[[ALL]], %[[OFF]]
  %c0 = arith.constant 0 : index
  %0 = vector.maskedload %m[%c0], %on, %off : memref<8xi4>, vector<8xi1>, vector<8xi4> into vector<8xi4>
  return %0 : vector<8xi4>
}
