// Called from calls.c. One result is the argument as it came, two are the same value, one is a constant, and one a scalar.
func.func @f(%x: tensor<?x3xf32> {dl.name = "x"}, %n: i64 {dl.name = "n"}, %flag: i1)
    -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<2xi16>, i64, i1) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x3xf32>
  %constant = arith.constant dense<[7, -7]> : tensor<2xi16>
  %empty = tensor.empty(%rows) : tensor<?x3xf32>
  %sum = linalg.add ins(%x, %x : tensor<?x3xf32>, tensor<?x3xf32>) outs(%empty : tensor<?x3xf32>) -> tensor<?x3xf32>
  %one = arith.constant 1 : i64
  %next = arith.addi %n, %one : i64
  return %x, %sum, %sum, %constant, %next, %flag
      : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<2xi16>, i64, i1
}
