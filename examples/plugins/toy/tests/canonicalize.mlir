// RUN: dl-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: @transposes
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<2x3xf64>, %[[Y:[a-z0-9]+]]: tensor<3x4xf64>)
toy.func @transposes(%x: tensor<2x3xf64>, %y: tensor<3x4xf64>) -> (tensor<2x3xf64>, tensor<2x4xf64>) {
  %0 = toy.transpose %x : (tensor<2x3xf64>) -> tensor<3x2xf64>
  %1 = toy.transpose %0 : (tensor<3x2xf64>) -> tensor<2x3xf64>
  %2 = toy.transpose %y : (tensor<3x4xf64>) -> tensor<4x3xf64>
  %3 = toy.matmul %2, %0 : (tensor<4x3xf64>, tensor<3x2xf64>) -> tensor<4x2xf64>
  %4 = toy.transpose %3 : (tensor<4x2xf64>) -> tensor<2x4xf64>
  // CHECK-NEXT: %[[XY:[a-z0-9]+]] = toy.matmul %[[X]], %[[Y]]
  // CHECK-NEXT: toy.return %[[X]], %[[XY]]
  toy.return %1, %4 : tensor<2x3xf64>, tensor<2x4xf64>
}

// Of a product of which only one factor is transposed nothing is known.
// CHECK-LABEL: @one
toy.func @one(%x: tensor<2x2xf64>, %y: tensor<2x2xf64>) -> tensor<2x2xf64> {
  // CHECK-COUNT-2: toy.transpose
  %0 = toy.transpose %x : (tensor<2x2xf64>) -> tensor<2x2xf64>
  %1 = toy.matmul %y, %0 : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  %2 = toy.transpose %1 : (tensor<2x2xf64>) -> tensor<2x2xf64>
  toy.return %2 : tensor<2x2xf64>
}

// CHECK-LABEL: @casts
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<2xf64>)
toy.func @casts(%x: tensor<2xf64>) -> tensor<2xf64> {
  %0 = toy.cast %x : tensor<2xf64> to tensor<*xf64>
  %1 = toy.cast %0 : tensor<*xf64> to tensor<2xf64>
  // CHECK-NEXT: toy.return %[[X]]
  toy.return %1 : tensor<2xf64>
}
