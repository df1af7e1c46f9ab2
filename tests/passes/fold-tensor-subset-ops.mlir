// RUN: dl-opt %s --fold-tensor-subset-ops | FileCheck %s

// CHECK-DAG: #[[$ADD:.*]] = affine_map<()[s0, s1] -> (s0 + s1)>

// CHECK-LABEL: func.func @read_of_a_row
//  CHECK-SAME:   (%[[T:.*]]: tensor<?x?xf32>, %[[I:.*]]: index, %[[J:.*]]: index, %[[N:.*]]: index, %[[K:.*]]: index)
// CHECK: %[[AT:.*]] = affine.apply #[[$ADD]]()[%[[J]], %[[K]]]
// CHECK: vector.transfer_read %[[T]][%[[I]], %[[AT]]], %{{.*}} {in_bounds = [true]} : tensor<?x?xf32>, vector<4xf32>
func.func @read_of_a_row(%t: tensor<?x?xf32>, %i: index, %j: index, %n: index, %k: index) -> vector<4xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.extract_slice %t[%i, %j] [1, %n] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %r = vector.transfer_read %s[%k], %zero {in_bounds = [true]} : tensor<?xf32>, vector<4xf32>
  return %r : vector<4xf32>
}

// Elements outside the slice are padding, and are others in the whole.
// CHECK-LABEL: func.func @out_of_bounds
// CHECK: tensor.extract_slice
func.func @out_of_bounds(%t: tensor<16xf32>, %i: index) -> vector<4xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.extract_slice %t[%i] [3] [1] : tensor<16xf32> to tensor<3xf32>
  %r = vector.transfer_read %s[%i], %zero : tensor<3xf32>, vector<4xf32>
  return %r : vector<4xf32>
}

// CHECK-LABEL: func.func @written_whole
//  CHECK-SAME:   (%[[V:.*]]: vector<2x4xf32>, %{{.*}}: tensor<2x4xf32>, %[[D:.*]]: tensor<8x8xf32>, %[[I:.*]]: index)
// CHECK-NOT: tensor.insert_slice
// CHECK: vector.transfer_write %[[V]], %[[D]][%[[I]], %{{.*}}] {in_bounds = [true, true]} : vector<2x4xf32>, tensor<8x8xf32>
func.func @written_whole(%v: vector<2x4xf32>, %t: tensor<2x4xf32>, %d: tensor<8x8xf32>, %i: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %w = vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true, true]} : vector<2x4xf32>, tensor<2x4xf32>
  %r = tensor.insert_slice %w into %d[%i, 4] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// Some elements of what is inserted are not written here.
// CHECK-LABEL: func.func @written_in_part
// CHECK: tensor.insert_slice
func.func @written_in_part(%v: vector<2xf32>, %t: tensor<4xf32>, %d: tensor<8xf32>, %i: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %w = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<2xf32>, tensor<4xf32>
  %r = tensor.insert_slice %w into %d[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}
