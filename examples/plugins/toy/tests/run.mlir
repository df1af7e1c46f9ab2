// RUN: dl-run %s --interpret --input='[[1, 2, 3], [4, 5, 6]]' | FileCheck %s
// RUN: dl-opt %s --toy-pipeline | dl-run - --input='[[1, 2, 3], [4, 5, 6]]' | FileCheck %s

// x @ (x.T * x.T) + 1 by NumPy, for x = [[1, 2, 3], [4, 5, 6]]. The interpreter runs the language as it is; compiled, it is the same.
// CHECK: 37. 175.]
// CHECK-NEXT: 79. 406.]
toy.func private @squares(%x: tensor<*xf64>) -> tensor<*xf64> {
  %0 = toy.transpose %x : (tensor<*xf64>) -> tensor<*xf64>
  %1 = toy.mul %0, %0 : (tensor<*xf64>, tensor<*xf64>) -> tensor<*xf64>
  toy.return %1 : tensor<*xf64>
}

toy.func @main(%x: tensor<2x3xf64>) -> tensor<2x2xf64> {
  %0 = toy.cast %x : tensor<2x3xf64> to tensor<*xf64>
  %1 = toy.call @squares(%0) : (tensor<*xf64>) -> tensor<*xf64>
  %2 = toy.matmul %0, %1 : (tensor<*xf64>, tensor<*xf64>) -> tensor<*xf64>
  %3 = toy.constant dense<1.0> : tensor<2x2xf64>
  %4 = toy.add %2, %3 : (tensor<*xf64>, tensor<2x2xf64>) -> tensor<*xf64>
  %5 = toy.cast %4 : tensor<*xf64> to tensor<2x2xf64>
  toy.return %5 : tensor<2x2xf64>
}
