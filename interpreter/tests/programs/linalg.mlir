// Values by Python: products, sums over axes, windows and convolutions written out as sums over lists.

// EVAL @matmul(dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>, dense<[[1, -1], [2, 0], [3, 5]]> : tensor<3x2xi32>) == dense<[[114, 114], [132, 126]]> : tensor<2x2xi32>
// FAIL @matmul(dense<1> : tensor<2x3xi32>, dense<1> : tensor<2x2xi32>): 'linalg.matmul' op undefined behaviour: loop 2 runs over dimensions of size 3 and 2
func.func @matmul(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) -> tensor<2x2xi32> {
  %init = arith.constant dense<100> : tensor<2x2xi32>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xi32>, tensor<?x?xi32>) // <-
                     outs(%init : tensor<2x2xi32>) -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

// What nobody wrote may be in the init of an operation that does not read it, and not in that of one that does.
// EVAL @init_is_read(dense<[1, 2]> : tensor<2xi32>) == dense<[2, 4]> : tensor<2xi32>, poison
func.func @init_is_read(%a: tensor<2xi32>) -> (tensor<2xi32>, tensor<i32>) {
  %e = tensor.empty() : tensor<2xi32>
  %r = linalg.add ins(%a, %a : tensor<2xi32>, tensor<2xi32>) outs(%e : tensor<2xi32>) -> tensor<2xi32>
  %f = tensor.empty() : tensor<i32>
  %s = linalg.dot ins(%a, %a : tensor<2xi32>, tensor<2xi32>) outs(%f : tensor<i32>) -> tensor<i32>
  return %r, %s : tensor<2xi32>, tensor<i32>
}

// The transposed input plus 10 times the row.
// EVAL @generic(dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xindex>) == dense<[[1, 4], [12, 15], [23, 26]]> : tensor<3x2xindex>
func.func @generic(%a: tensor<2x3xindex>) -> tensor<3x2xindex> {
  %c10 = arith.constant 10 : index
  %e = tensor.empty() : tensor<3x2xindex>
  %r = linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%a : tensor<2x3xindex>) outs(%e : tensor<3x2xindex>) {
  ^bb0(%x: index, %old: index):
    %row = linalg.index 0 : index
    %t = arith.muli %row, %c10 : index
    %s = arith.addi %x, %t : index
    linalg.yield %s : index
  } -> tensor<3x2xindex>
  return %r : tensor<3x2xindex>
}

// EVAL @fill_and_add(&dense<[1.5, 2.5]> : tensor<2xf32>) == dense<[3.5, 4.5]> : tensor<2xf32>
func.func @fill_and_add(%a: memref<2xf32>) -> memref<2xf32> {
  %two = arith.constant 2.0 : f32
  %m = memref.alloc() : memref<2xf32>
  linalg.fill ins(%two : f32) outs(%m : memref<2xf32>)
  linalg.add ins(%a, %m : memref<2xf32>, memref<2xf32>) outs(%m : memref<2xf32>)
  return %m : memref<2xf32>
}

// EVAL @reduce(dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>) == dense<[6, 15]> : tensor<2xi32>, dense<[4, 5, 6]> : tensor<3xi32>
func.func @reduce(%a: tensor<2x3xi32>) -> (tensor<2xi32>, tensor<3xi32>) {
  %zeros = arith.constant dense<0> : tensor<2xi32>
  %small = arith.constant dense<-9> : tensor<3xi32>
  %sums = linalg.reduce { arith.addi } ins(%a : tensor<2x3xi32>) outs(%zeros : tensor<2xi32>) dimensions = [1]
  %maxima = linalg.reduce { arith.maxsi } ins(%a : tensor<2x3xi32>) outs(%small : tensor<3xi32>) dimensions = [0]
  return %sums, %maxima : tensor<2xi32>, tensor<3xi32>
}

// EVAL @move(dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>) == dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi8>, dense<[[[1, 2, 3], [1, 2, 3]], [[4, 5, 6], [4, 5, 6]]]> : tensor<2x2x3xi8>, dense<[[1, 4, 9], [16, 25, 36]]> : tensor<2x3xi8>
func.func @move(%a: tensor<2x3xi8>) -> (tensor<3x2xi8>, tensor<2x2x3xi8>, tensor<2x3xi8>) {
  %e = tensor.empty() : tensor<3x2xi8>
  %f = tensor.empty() : tensor<2x2x3xi8>
  %g = tensor.empty() : tensor<2x3xi8>
  %t = linalg.transpose ins(%a : tensor<2x3xi8>) outs(%e : tensor<3x2xi8>) permutation = [1, 0]
  %b = linalg.broadcast ins(%a : tensor<2x3xi8>) outs(%f : tensor<2x2x3xi8>) dimensions = [1]
  %m = linalg.map { arith.muli } ins(%a, %a : tensor<2x3xi8>, tensor<2x3xi8>) outs(%g : tensor<2x3xi8>)
  return %t, %b, %m : tensor<3x2xi8>, tensor<2x2x3xi8>, tensor<2x3xi8>
}

// 1 to 16 in a square, weights 1 2 3 4, every second window.
// EVAL @conv() == dense<[[[[44], [64]], [[124], [144]]]]> : tensor<1x2x2x1xi32>
func.func @conv() -> tensor<1x2x2x1xi32> {
  %x = arith.constant dense<[[[[1], [2], [3], [4]], [[5], [6], [7], [8]], [[9], [10], [11], [12]], [[13], [14], [15], [16]]]]> : tensor<1x4x4x1xi32>
  %w = arith.constant dense<[[[[1]], [[2]]], [[[3]], [[4]]]]> : tensor<2x2x1x1xi32>
  %init = arith.constant dense<0> : tensor<1x2x2x1xi32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x4x4x1xi32>, tensor<2x2x1x1xi32>) outs(%init : tensor<1x2x2x1xi32>) -> tensor<1x2x2x1xi32>
  return %r : tensor<1x2x2x1xi32>
}

// EVAL @pool() == dense<[[[[6], [8]], [[14], [16]]]]> : tensor<1x2x2x1xi32>
func.func @pool() -> tensor<1x2x2x1xi32> {
  %x = arith.constant dense<[[[[1], [2], [3], [4]], [[5], [6], [7], [8]], [[9], [10], [11], [12]], [[13], [14], [15], [16]]]]> : tensor<1x4x4x1xi32>
  %window = tensor.empty() : tensor<2x2xi32>
  %init = arith.constant dense<0> : tensor<1x2x2x1xi32>
  %r = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %window : tensor<1x4x4x1xi32>, tensor<2x2xi32>) outs(%init : tensor<1x2x2x1xi32>) -> tensor<1x2x2x1xi32>
  return %r : tensor<1x2x2x1xi32>
}

// Tiles of 2 columns, of 3 columns; and back.
// EVAL @pack(dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>) == dense<[[[1, 2], [4, 5]], [[3, 0], [6, 0]]]> : tensor<2x2x2xi8>, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
func.func @pack(%a: tensor<2x3xi8>) -> (tensor<2x2x2xi8>, tensor<2x3xi8>) {
  %zero = arith.constant 0 : i8
  %e = tensor.empty() : tensor<2x2x2xi8>
  %f = tensor.empty() : tensor<2x3xi8>
  %p = linalg.pack %a padding_value(%zero : i8) outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [2] into %e
      : tensor<2x3xi8> -> tensor<2x2x2xi8>
  %u = linalg.unpack %p outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [2] into %f
      : tensor<2x2x2xi8> -> tensor<2x3xi8>
  return %p, %u : tensor<2x2x2xi8>, tensor<2x3xi8>
}

// numpy: x = [[0, 1], [2, 2]]; e = exp(x - max(x, axis=1)); e / sum(e, axis=1)
// NEAR 1e-6 @softmax(dense<[[0.0, 1.0], [2.0, 2.0]]> : tensor<2x2xf32>) == dense<[[0.26894142, 0.73105858], [0.5, 0.5]]> : tensor<2x2xf32>
func.func @softmax(%t: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %e = tensor.empty() : tensor<2x2xf32>
  %0 = linalg.softmax dimension(1) ins(%t : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
