// The product of the first program, as a program on tensors.
func.func @product(%a: tensor<2x8xi8>) -> tensor<2x4xi32> {
  %w = arith.constant dense<[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1],
                             [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]> : tensor<8x4xi8>
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<2x4xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<2x4xi32>) -> tensor<2x4xi32>
  %c = linalg.matmul ins(%a, %w : tensor<2x8xi8>, tensor<8x4xi8>) outs(%init : tensor<2x4xi32>) -> tensor<2x4xi32>
  return %c : tensor<2x4xi32>
}
