// RUN: dl-opt %s --convert-bufferization-to-memref --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @clone
//  CHECK-SAME:   (%[[M:.*]]: memref<?xf32>)
// CHECK: %[[N:.*]] = memref.dim %[[M]]
// CHECK: %[[COPY:.*]] = memref.alloc(%[[N]]) : memref<?xf32>
// CHECK: memref.copy %[[M]], %[[COPY]]
// CHECK: return %[[COPY]]
func.func @clone(%m: memref<?xf32>) -> memref<?xf32> {
  %0 = bufferization.clone %m : memref<?xf32> to memref<?xf32>
  return %0 : memref<?xf32>
}

// -----

// A tensor has no memref yet.
func.func @tensor(%m: memref<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{failed to legalize operation 'bufferization.to_tensor' that was explicitly marked illegal}}
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
