// RUN: dl-opt %s --empty-tensor-to-alloc-tensor | FileCheck %s

// CHECK-LABEL: func.func @dynamic
//  CHECK-SAME:   (%[[N:.*]]: index)
//  CHECK-NEXT:   %[[T:.*]] = bufferization.alloc_tensor(%[[N]]) : tensor<4x?xf32>
//  CHECK-NEXT:   return %[[T]]
func.func @dynamic(%n: index) -> tensor<4x?xf32> {
  %t = tensor.empty(%n) : tensor<4x?xf32>
  return %t : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @others_stay
//  CHECK-NEXT:   tensor.from_elements
func.func @others_stay(%x: f32) -> tensor<1xf32> {
  %t = tensor.from_elements %x : tensor<1xf32>
  return %t : tensor<1xf32>
}
