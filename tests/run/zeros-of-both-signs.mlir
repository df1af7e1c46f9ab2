// Zeros are ordered by their signs where the largest or the smallest is asked for, as IEEE 754-2019 has it.

// RUN: dl-run %s --input='[0.0, -0.0, 0.0, -0.0]' --input='[-0.0, 0.0, 0.0, -0.0]' | FileCheck %s
// RUN: dl-run %s --input='[0.0, -0.0, 0.0, -0.0]' --input='[-0.0, 0.0, 0.0, -0.0]' --backend=cranelift | FileCheck %s

// CHECK: [ 0.  0.  0. -0.]
// CHECK: [-0. -0.  0. -0.]
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %largest = arith.maximumf %a, %b : tensor<4xf32>
  %smallest = arith.minimumf %a, %b : tensor<4xf32>
  return %largest, %smallest : tensor<4xf32>, tensor<4xf32>
}
