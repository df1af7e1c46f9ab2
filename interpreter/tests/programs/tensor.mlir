// Values by hand: NumPy's reshape, concatenate, pad and slicing do the same.

// EVAL @insert(dense<[1, 2, 3]> : tensor<3xi8>, 1 : index) == dense<[1, 2, 3]> : tensor<3xi8>, dense<[1, 9, 3]> : tensor<3xi8>
// FAIL @insert(dense<[1, 2, 3]> : tensor<3xi8>, 3 : index): 'tensor.insert' op undefined behaviour: index 3 is out of bounds for dimension 0 of size 3
func.func @insert(%t: tensor<3xi8>, %i: index) -> (tensor<3xi8>, tensor<3xi8>) {
  %c9 = arith.constant 9 : i8
  %r = tensor.insert %c9 into %t[%i] : tensor<3xi8> // <-
  return %t, %r : tensor<3xi8>, tensor<3xi8>
}

// EVAL @extract(dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>, 1 : index, 0 : index) == 3 : i8
// FAIL @extract(dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>, 0 : index, -1 : index): index -1 is out of bounds for dimension 1 of size 2
func.func @extract(%t: tensor<2x2xi8>, %i: index, %j: index) -> i8 {
  %x = tensor.extract %t[%i, %j] : tensor<2x2xi8> // <-
  return %x : i8
}

// EVAL @empty(2 : index) == poison, 2 : index
// FAIL @empty(-2 : index): undefined behaviour: extent -2 is negative
func.func @empty(%n: index) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %t = tensor.empty(%n) : tensor<?xf32> // <-
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  return %t, %d : tensor<?xf32>, index
}

// EVAL @build(7 : i8, 2 : index) == dense<[[7, 8], [8, 7]]> : tensor<2x2xi8>, dense<7> : tensor<2xi8>, dense<[[0, 1], [2, 3]]> : tensor<2x2xindex>
func.func @build(%x: i8, %n: index) -> (tensor<2x2xi8>, tensor<?xi8>, tensor<?x2xindex>) {
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : i8
  %a = tensor.from_elements %x, %c8, %c8, %x : tensor<2x2xi8>
  %b = tensor.splat %x[%n] : tensor<?xi8>
  %c = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %r = arith.muli %i, %c2 : index
    %s = arith.addi %r, %j : index
    tensor.yield %s : index
  } : tensor<?x2xindex>
  return %a, %b, %c : tensor<2x2xi8>, tensor<?xi8>, tensor<?x2xindex>
}

// EVAL @cast(dense<[1, 2]> : tensor<2xi8>) == dense<[1, 2]> : tensor<2xi8>
// FAIL @cast(dense<1> : tensor<3xi8>): 'tensor.cast' op undefined behaviour: a tensor of shape [3] as 'tensor<2xi8>'
func.func @cast(%t: tensor<?xi8>) -> tensor<2xi8> {
  %r = tensor.cast %t : tensor<?xi8> to tensor<2xi8> // <-
  return %r : tensor<2xi8>
}

// EVAL @shapes(dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>) == dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi8>, dense<[[[1, 2, 3]], [[4, 5, 6]]]> : tensor<2x1x3xi8>, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
func.func @shapes(%t: tensor<2x3xi8>) -> (tensor<6xi8>, tensor<2x1x3xi8>, tensor<?x?xi8>) {
  %shape = arith.constant dense<[3, 2]> : tensor<2xindex>
  %a = tensor.collapse_shape %t [[0, 1]] : tensor<2x3xi8> into tensor<6xi8>
  %b = tensor.expand_shape %t [[0, 1], [2]] output_shape [2, 1, 3] : tensor<2x3xi8> into tensor<2x1x3xi8>
  %c = tensor.reshape %t(%shape) : (tensor<2x3xi8>, tensor<2xindex>) -> tensor<?x?xi8>
  return %a, %b, %c : tensor<6xi8>, tensor<2x1x3xi8>, tensor<?x?xi8>
}

// FAIL @reshape(dense<[2, 2]> : tensor<2xindex>): 'tensor.reshape' op undefined behaviour: a tensor of shape [3] as [2, 2]
func.func @reshape(%shape: tensor<2xindex>) -> tensor<?x?xi8> {
  %t = arith.constant dense<[1, 2, 3]> : tensor<3xi8>
  %r = tensor.reshape %t(%shape) : (tensor<3xi8>, tensor<2xindex>) -> tensor<?x?xi8> // <-
  return %r : tensor<?x?xi8>
}

// EVAL @concat(dense<[[1], [2]]> : tensor<2x1xi8>, dense<[[3, 4], [5, 6]]> : tensor<2x2xi8>) == dense<[[1, 3, 4], [2, 5, 6]]> : tensor<2x3xi8>
func.func @concat(%a: tensor<2x1xi8>, %b: tensor<2x2xi8>) -> tensor<2x3xi8> {
  %r = tensor.concat dim(1) %a, %b : (tensor<2x1xi8>, tensor<2x2xi8>) -> tensor<2x3xi8>
  return %r : tensor<2x3xi8>
}

// EVAL @slice(dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi8>, 1 : index) == dense<[5, 7]> : tensor<2xi8>
// FAIL @slice(dense<0> : tensor<2x4xi8>, 2 : index): 'tensor.extract_slice' op undefined behaviour: 2 elements from 2 on, 2 apart, of dimension 1 of size 4
func.func @slice(%t: tensor<2x4xi8>, %at: index) -> tensor<2xi8> {
  %r = tensor.extract_slice %t[1, %at] [1, 2] [1, 2] : tensor<2x4xi8> to tensor<2xi8> // <-
  return %r : tensor<2xi8>
}

// EVAL @insert_slice(dense<[8, 9]> : tensor<2xi8>, 1 : index) == dense<[[0, 0, 0], [0, 8, 9]]> : tensor<2x3xi8>
// FAIL @insert_slice(dense<[8, 9]> : tensor<2xi8>, 2 : index): 2 elements from 2 on, 1 apart, of dimension 1 of size 3
func.func @insert_slice(%s: tensor<2xi8>, %at: index) -> tensor<2x3xi8> {
  %t = arith.constant dense<0> : tensor<2x3xi8>
  %r = tensor.insert_slice %s into %t[1, %at] [1, 2] [1, 1] : tensor<2xi8> into tensor<2x3xi8> // <-
  return %r : tensor<2x3xi8>
}

// EVAL @pad(dense<[[1, 2]]> : tensor<1x2xi8>, 1 : index) == dense<[[7, 7, 7, 7], [7, 1, 2, 7]]> : tensor<2x4xi8>
// FAIL @pad(dense<[[1, 2]]> : tensor<1x2xi8>, -1 : index): 'tensor.pad' op undefined behaviour: padding by -1
func.func @pad(%t: tensor<1x2xi8>, %n: index) -> tensor<?x?xi8> {
  %c7 = arith.constant 7 : i8
  %r = tensor.pad %t low[%n, 1] high[0, %n] { // <-
  ^bb0(%i: index, %j: index):
    tensor.yield %c7 : i8
  } : tensor<1x2xi8> to tensor<?x?xi8>
  return %r : tensor<?x?xi8>
}

// NumPy: t[:, [2, 0]] by rows.
// EVAL @gather(dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>) == dense<[[3, 6], [1, 4]]> : tensor<2x2xi8>
func.func @gather(%t: tensor<2x3xi8>) -> tensor<2x2xi8> {
  %at = arith.constant dense<[[2], [0]]> : tensor<2x1xindex>
  %r = tensor.gather %t[%at] gather_dims([1]) : (tensor<2x3xi8>, tensor<2x1xindex>) -> tensor<2x2xi8>
  return %r : tensor<2x2xi8>
}

// EVAL @scatter(dense<[[2], [0]]> : tensor<2x1xindex>) == dense<[8, 0, 7]> : tensor<3xi8>
// FAIL @scatter(dense<1> : tensor<2x1xindex>): 'tensor.scatter' op undefined behaviour: two parts at index [1]
func.func @scatter(%at: tensor<2x1xindex>) -> tensor<3xi8> {
  %zeros = arith.constant dense<0> : tensor<3xi8>
  %s = arith.constant dense<[[7], [8]]> : tensor<2x1xi8>
  %r = tensor.scatter %s into %zeros[%at] scatter_dims([0]) unique // <-
      : (tensor<2x1xi8>, tensor<3xi8>, tensor<2x1xindex>) -> tensor<3xi8>
  return %r : tensor<3xi8>
}

// Squares of the indices, two at a time, each into its share.
// EVAL @forall() == dense<[0, 1, 4, 9]> : tensor<4xindex>
func.func @forall() -> tensor<4xindex> {
  %c2 = arith.constant 2 : index
  %zeros = arith.constant dense<0> : tensor<4xindex>
  %r = scf.forall (%i) in (2) shared_outs(%out = %zeros) -> (tensor<4xindex>) {
    %at = arith.muli %i, %c2 : index
    %part = tensor.generate {
    ^bb0(%j: index):
      %k = arith.addi %at, %j : index
      %s = arith.muli %k, %k : index
      tensor.yield %s : index
    } : tensor<2xindex>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %part into %out[%at] [2] [1] : tensor<2xindex> into tensor<4xindex>
    }
  }
  return %r : tensor<4xindex>
}
