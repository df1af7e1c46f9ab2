// RUN: dl-opt %s --pass-pipeline='builtin.module(toy.func(toy-infer-shapes,canonicalize))' | FileCheck %s

// CHECK-LABEL: @known
toy.func @known(%x: tensor<2x3xf64>) -> tensor<2x2xf64> {
  %0 = toy.cast %x : tensor<2x3xf64> to tensor<*xf64>
  // CHECK: toy.transpose %{{.*}} : (tensor<2x3xf64>) -> tensor<3x2xf64>
  %1 = toy.transpose %0 : (tensor<*xf64>) -> tensor<*xf64>
  // CHECK: %[[R:[a-z0-9]+]] = toy.matmul %{{.*}}, %{{.*}} : (tensor<2x3xf64>, tensor<3x2xf64>) -> tensor<2x2xf64>
  %2 = toy.matmul %0, %1 : (tensor<*xf64>, tensor<*xf64>) -> tensor<*xf64>
  // CHECK-NEXT: toy.return %[[R]] : tensor<2x2xf64>
  %3 = toy.cast %2 : tensor<*xf64> to tensor<2x2xf64>
  toy.return %3 : tensor<2x2xf64>
}

// What is called still gets an array of any shape.
// CHECK-LABEL: @call
toy.func @call(%x: tensor<2x3xf64>) {
  %0 = toy.transpose %x : (tensor<2x3xf64>) -> tensor<*xf64>
  // CHECK: toy.transpose %{{.*}} : (tensor<2x3xf64>) -> tensor<3x2xf64>
  // CHECK: %[[ANY:[a-z0-9]+]] = toy.cast %{{.*}} : tensor<3x2xf64> to tensor<*xf64>
  // CHECK: toy.call @any(%[[ANY]])
  toy.call @any(%0) : (tensor<*xf64>) -> ()
  toy.return
}

toy.func private @any(%x: tensor<*xf64>)
