// RUN: dl-opt %s --eliminate-empty-tensors --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @computed_in_place
//  CHECK-SAME:   (%[[T:.*]]: tensor<16xf32>, %[[X:.*]]: f32, %[[I:.*]]: index)
//       CHECK:   %[[S:.*]] = tensor.extract_slice %[[T]][%[[I]]] [4] [1]
//       CHECK:   linalg.fill ins(%[[X]] : f32) outs(%[[S]] : tensor<4xf32>)
func.func @computed_in_place(%t: tensor<16xf32>, %x: f32, %i: index) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert_slice %f into %t[%i] [4] [1] : tensor<4xf32> into tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

// CHECK-LABEL: func.func @reshaped_on_the_way
//       CHECK:   %[[E:.*]] = tensor.empty
//  CHECK-NEXT:   linalg.fill {{.*}} outs(%[[E]]
func.func @reshaped_on_the_way(%t: tensor<4x4xf32>, %x: f32) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %g = tensor.expand_shape %f [[0, 1]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
  %r = tensor.insert_slice %g into %t[1, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

// CHECK-LABEL: func.func @materialized
//  CHECK-SAME:   (%[[M:.*]]: memref<4xf32>, %[[X:.*]]: f32)
//       CHECK:   %[[T:.*]] = bufferization.to_tensor %[[M]] restrict writable
//       CHECK:   %[[F:.*]] = linalg.fill ins(%[[X]] : f32) outs(%[[T]] : tensor<4xf32>)
//       CHECK:   bufferization.materialize_in_destination %[[F]] in writable %[[M]]
func.func @materialized(%m: memref<4xf32>, %x: f32) {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %f in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

// Where it goes is known only after the empty tensor is used.
// CHECK-LABEL: func.func @destination_is_made_later
//       CHECK:   %[[E:.*]] = tensor.empty
//  CHECK-NEXT:   linalg.fill {{.*}} outs(%[[E]]
func.func @destination_is_made_later(%x: f32, %n: index) -> tensor<?xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %c0 = arith.constant 0 : index
  %v = tensor.extract %f[%c0] : tensor<4xf32>
  %t = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<?xf32>
  %r = tensor.insert_slice %f into %t[0] [4] [1] : tensor<4xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}
