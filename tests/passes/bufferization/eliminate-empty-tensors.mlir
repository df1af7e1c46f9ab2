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

// -----

// What says where it goes is pure, and moves up.
// CHECK-LABEL: func.func @offset_is_computed_later
//  CHECK-SAME:   (%[[T:[^:]*]]: tensor<16xf32>
//       CHECK:   %[[O:.*]] = arith.muli
//       CHECK:   %[[S:.*]] = tensor.extract_slice %[[T]][%[[O]]] [4] [1]
//       CHECK:   %[[F:.*]] = linalg.fill {{.*}} outs(%[[S]] : tensor<4xf32>)
//       CHECK:   tensor.insert_slice %[[F]] into %[[T]][%[[O]]] [4] [1]
func.func @offset_is_computed_later(%t: tensor<16xf32>, %x: f32, %i: index) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %c4 = arith.constant 4 : index
  %o = arith.muli %i, %c4 : index
  %r = tensor.insert_slice %f into %t[%o] [4] [1] : tensor<4xf32> into tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

// So do insertions one after the other, each before what the next one begins with.
// CHECK-LABEL: func.func @concatenated
//       CHECK:   %[[W:.*]] = tensor.empty() : tensor<8xf32>
//       CHECK:   %[[S:.*]] = tensor.extract_slice %[[W]][0] [4] [1]
//       CHECK:   %[[F:.*]] = linalg.fill {{.*}} outs(%[[S]] : tensor<4xf32>)
//       CHECK:   %[[V:.*]] = tensor.insert_slice %[[F]] into %[[W]][0] [4] [1]
//       CHECK:   %[[Q:.*]] = tensor.extract_slice %[[V]][4] [4] [1]
//       CHECK:   %[[G:.*]] = linalg.fill {{.*}} outs(%[[Q]] : tensor<4xf32>)
//       CHECK:   tensor.insert_slice %[[G]] into %[[V]][4] [4] [1]
func.func @concatenated(%x: f32, %y: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %g = linalg.fill ins(%y : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %w = tensor.empty() : tensor<8xf32>
  %v = tensor.insert_slice %f into %w[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %r = tensor.insert_slice %g into %v[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// What another one may write first stays where it is.
// CHECK-LABEL: func.func @offset_is_loaded
//       CHECK:   %[[E:.*]] = tensor.empty
//  CHECK-NEXT:   linalg.fill {{.*}} outs(%[[E]]
func.func @offset_is_loaded(%t: tensor<16xf32>, %x: f32, %m: memref<index>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %o = memref.load %m[] : memref<index>
  %r = tensor.insert_slice %f into %t[%o] [4] [1] : tensor<4xf32> into tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

// What is not set is what was there.
// CHECK-LABEL: func.func @nothing_inserted
//  CHECK-SAME:   (%[[T:[^:]*]]: tensor<16xf32>
//       CHECK:   %[[S:.*]] = tensor.extract_slice %[[T]][2] [4] [1]
//       CHECK:   tensor.insert_slice %[[S]] into %[[T]][2] [4] [1]
func.func @nothing_inserted(%t: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = tensor.insert_slice %e into %t[2] [4] [1] : tensor<4xf32> into tensor<16xf32>
  return %r : tensor<16xf32>
}
