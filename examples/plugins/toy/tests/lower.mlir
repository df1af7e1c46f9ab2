// RUN: dl-opt %s --toy-pipeline | FileCheck %s --implicit-check-not=toy.

toy.func private @twice(%x: tensor<*xf64>) -> tensor<*xf64> {
  %0 = toy.add %x, %x : (tensor<*xf64>, tensor<*xf64>) -> tensor<*xf64>
  toy.return %0 : tensor<*xf64>
}

// The call is gone, and so is the function that nobody calls any more; one buffer leads to the next.
// CHECK-NOT: @twice
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf64>) -> tensor<3x2xf64>
toy.func @main(%x: tensor<2x3xf64>) -> tensor<3x2xf64> {
  // CHECK: %[[IN:[a-z0-9]+]] = bufferization.to_buffer %[[X]] read_only
  // CHECK: %[[SUM:[a-z0-9_]+]] = memref.alloc() : memref<2x3xf64>
  // CHECK: affine.for %[[I:[a-z0-9]+]] = 0 to 2 {
  // CHECK: affine.for %[[J:[a-z0-9]+]] = 0 to 3 {
  // CHECK: affine.load %[[IN]][%[[I]], %[[J]]]
  // CHECK: arith.addf
  // CHECK: affine.store %{{[a-z0-9]+}}, %[[SUM]][%[[I]], %[[J]]]
  // CHECK: %[[OUT:[a-z0-9_]+]] = memref.alloc() : memref<3x2xf64>
  // CHECK: affine.for %[[K:[a-z0-9]+]] = 0 to 3 {
  // CHECK: affine.for %[[L:[a-z0-9]+]] = 0 to 2 {
  // CHECK: affine.load %[[SUM]][%[[L]], %[[K]]]
  // CHECK: affine.store %{{[a-z0-9]+}}, %[[OUT]][%[[K]], %[[L]]]
  // CHECK: bufferization.to_tensor %[[OUT]] restrict writable
  %0 = toy.cast %x : tensor<2x3xf64> to tensor<*xf64>
  %1 = toy.call @twice(%0) : (tensor<*xf64>) -> tensor<*xf64>
  %2 = toy.transpose %1 : (tensor<*xf64>) -> tensor<*xf64>
  %3 = toy.cast %2 : tensor<*xf64> to tensor<3x2xf64>
  toy.return %3 : tensor<3x2xf64>
}
