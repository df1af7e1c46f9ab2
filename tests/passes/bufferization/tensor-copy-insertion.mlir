// RUN: dl-opt %s --test-tensor-copy-insertion | FileCheck %s

// CHECK-LABEL: func.func @conflict
//  CHECK-SAME:   (%[[T:[^:]*]]: tensor<4xf32>
//       CHECK:   %[[C:.*]] = bufferization.alloc_tensor() copy(%[[T]])
//       CHECK:   tensor.insert %{{.*}} into %[[C]]
func.func @conflict(%t: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = tensor.insert %x into %t[%i] : tensor<4xf32>
  return %r, %t : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @none
//   CHECK-NOT:   copy
//       CHECK:   return
func.func @none(%x: f32, %i: index) -> tensor<4xf32> {
  %a = bufferization.alloc_tensor() : tensor<4xf32>
  %r = tensor.insert %x into %a[%i] : tensor<4xf32>
  return %r : tensor<4xf32>
}
