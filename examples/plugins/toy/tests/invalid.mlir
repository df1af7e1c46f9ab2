// RUN: dl-opt %s --split-input-file --verify-diagnostics

toy.func @shapes(%x: tensor<2x3xf64>, %y: tensor<2x?xf64>) {
  // expected-error @below {{'toy.matmul' op expected matrices with a product, but got [2, 3] and [2, ?]}}
  %0 = toy.matmul %x, %y : (tensor<2x3xf64>, tensor<2x?xf64>) -> tensor<*xf64>
  toy.return
}

// -----

toy.func @result(%x: tensor<2x3xf64>) {
  // expected-error @below {{'toy.transpose' op expected a result of shape [3, 2], but got [2, 3]}}
  %0 = toy.transpose %x : (tensor<2x3xf64>) -> tensor<2x3xf64>
  toy.return
}

// -----

toy.func @never(%x: tensor<2x3xf64>) {
  // expected-error @below {{'toy.cast' op 'tensor<2x3xf64>' is never 'tensor<3x?xf64>'}}
  %0 = toy.cast %x : tensor<2x3xf64> to tensor<3x?xf64>
  toy.return
}

// -----

toy.func @returns() -> tensor<2xf64> {
  // expected-error @below {{'toy.return' op expected to return 'tensor<2xf64>', but got nothing}}
  toy.return
}

// -----

toy.func @calls() {
  // expected-error @below {{'toy.call' op 'nobody' is no function of toy}}
  toy.call @nobody() : () -> ()
  toy.return
}

// -----

toy.func @elements(%x: tensor<2xf32>) {
  // expected-error @below {{'toy.transpose' op operand #0 must be array of 64-bit floats, but got 'tensor<2xf32>'}}
  %0 = toy.transpose %x : (tensor<2xf32>) -> tensor<2xf64>
  toy.return
}
