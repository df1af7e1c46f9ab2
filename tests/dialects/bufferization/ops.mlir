// RUN: %{round-trip}

// CHECK-LABEL: func.func @operations(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: memref<8xf32>, %[[ARG1:[a-z0-9]+]]: tensor<8xf32>, %[[ARG2:[a-z0-9]+]]: index, %[[ARG3:[a-z0-9]+]]: i1
//  CHECK-NEXT:   %[[V0:.*]] = bufferization.alloc_tensor(%[[ARG2]]) : tensor<?xf32>
//  CHECK-NEXT:   %[[V1:.*]] = bufferization.alloc_tensor() copy(%[[ARG1]]) : tensor<8xf32>
//  CHECK-NEXT:   %[[V2:.*]] = bufferization.alloc_tensor(%[[ARG2]]) size_hint=%[[ARG2]] {memory_space = 1 : i64} : tensor<?xf32>
//  CHECK-NEXT:   %[[V3:.*]] = bufferization.clone %[[ARG0]] : memref<8xf32> to memref<8xf32>
//  CHECK-NEXT:   bufferization.dealloc (%[[ARG0]] : memref<8xf32>) if (%[[ARG3]])
//  CHECK-NEXT:   %[[V4:.*]] = bufferization.dealloc (%[[ARG0]], %[[V3]] : memref<8xf32>, memref<8xf32>) if (%[[ARG3]], %[[ARG3]]) retain (%[[ARG0]] : memref<8xf32>)
//  CHECK-NEXT:   bufferization.dealloc_tensor %[[ARG1]] : tensor<8xf32>
//  CHECK-NEXT:   %[[V5:.*]] = bufferization.to_tensor %[[ARG0]] restrict writable : memref<8xf32> to tensor<8xf32>
//  CHECK-NEXT:   %[[V6:.*]] = bufferization.to_buffer %[[ARG1]] read_only : tensor<8xf32> to memref<8xf32>
//  CHECK-NEXT:   %[[V7:.*]] = bufferization.materialize_in_destination %[[ARG1]] in %[[V5]] : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
//  CHECK-NEXT:   bufferization.materialize_in_destination %[[ARG1]] in restrict writable %[[ARG0]] : (tensor<8xf32>, memref<8xf32>) -> ()
//  CHECK-NEXT:   return
func.func @operations(%m: memref<8xf32>, %t: tensor<8xf32>, %n: index, %c: i1) {
  %0 = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %1 = bufferization.alloc_tensor() copy(%t) : tensor<8xf32>
  %2 = bufferization.alloc_tensor(%n) size_hint=%n {memory_space = 1 : i64} : tensor<?xf32>
  %3 = bufferization.clone %m : memref<8xf32> to memref<8xf32>
  bufferization.dealloc (%m : memref<8xf32>) if (%c)
  %4 = bufferization.dealloc (%m, %3 : memref<8xf32>, memref<8xf32>) if (%c, %c) retain (%m : memref<8xf32>)
  bufferization.dealloc_tensor %t : tensor<8xf32>
  %5 = bufferization.to_tensor %m restrict writable : memref<8xf32> to tensor<8xf32>
  %6 = bufferization.to_buffer %t read_only : tensor<8xf32> to memref<8xf32>
  %7 = bufferization.materialize_in_destination %t in %5 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
