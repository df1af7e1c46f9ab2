// RUN: dl-opt %s | dl-opt | FileCheck %s

// CHECK-LABEL: toy.func private @scaled(%arg0: tensor<*xf64>, %arg1: tensor<*xf64>) -> tensor<*xf64>
toy.func private @scaled(%x: tensor<*xf64>, %y: tensor<*xf64>) -> tensor<*xf64> {
  // CHECK: toy.transpose %{{.*}} : (tensor<*xf64>) -> tensor<*xf64>
  %0 = toy.transpose %x : (tensor<*xf64>) -> tensor<*xf64>
  // CHECK: toy.mul %{{.*}}, %{{.*}} : (tensor<*xf64>, tensor<*xf64>) -> tensor<*xf64>
  %1 = toy.mul %0, %y : (tensor<*xf64>, tensor<*xf64>) -> tensor<*xf64>
  // CHECK: toy.return %{{.*}} : tensor<*xf64>
  toy.return %1 : tensor<*xf64>
}

// CHECK-LABEL: toy.func @main()
toy.func @main() -> tensor<3x2xf64> {
  // CHECK: toy.constant dense<{{.*}}> : tensor<2x3xf64>
  %0 = toy.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  // CHECK: toy.cast %{{.*}} : tensor<2x3xf64> to tensor<*xf64>
  %1 = toy.cast %0 : tensor<2x3xf64> to tensor<*xf64>
  %2 = toy.transpose %1 : (tensor<*xf64>) -> tensor<*xf64>
  // CHECK: toy.call @scaled(%{{.*}}, %{{.*}}) : (tensor<*xf64>, tensor<*xf64>) -> tensor<*xf64>
  %3 = toy.call @scaled(%1, %2) : (tensor<*xf64>, tensor<*xf64>) -> tensor<*xf64>
  // CHECK: toy.add
  %4 = toy.add %3, %2 : (tensor<*xf64>, tensor<*xf64>) -> tensor<*xf64>
  // CHECK: toy.matmul
  %5 = toy.matmul %4, %1 : (tensor<*xf64>, tensor<*xf64>) -> tensor<*xf64>
  %6 = toy.cast %4 : tensor<*xf64> to tensor<3x2xf64>
  toy.return %6 : tensor<3x2xf64>
}
