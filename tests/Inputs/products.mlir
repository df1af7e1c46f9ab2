// Products and what is done with their results, for every machine: elements of the inputs are small integers. `INPUTS` are extents and
// element types of the arguments.

// INPUTS: 7x100xi8 100x33xi8
func.func @edges(%a: tensor<7x100xi8>, %b: tensor<100x33xi8>) -> tensor<7x33xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<7x33xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<7x33xi32>) -> tensor<7x33xi32>
  %c = linalg.matmul ins(%a, %b : tensor<7x100xi8>, tensor<100x33xi8>) outs(%init : tensor<7x33xi32>) -> tensor<7x33xi32>
  return %c : tensor<7x33xi32>
}

// -----

// INPUTS: 19x24xi8 24x40xi8 19x40xi32
func.func @adds_to_init(%a: tensor<19x24xi8>, %b: tensor<24x40xi8>, %init: tensor<19x40xi32>) -> tensor<19x40xi32> {
  %c = linalg.matmul ins(%a, %b : tensor<19x24xi8>, tensor<24x40xi8>) outs(%init : tensor<19x40xi32>) -> tensor<19x40xi32>
  return %c : tensor<19x40xi32>
}

// -----

// INPUTS: 3x8x16xi8 3x16x24xi8
func.func @batch(%a: tensor<3x8x16xi8>, %b: tensor<3x16x24xi8>) -> tensor<3x8x24xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<3x8x24xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<3x8x24xi32>) -> tensor<3x8x24xi32>
  %c = linalg.batch_matmul ins(%a, %b : tensor<3x8x16xi8>, tensor<3x16x24xi8>) outs(%init : tensor<3x8x24xi32>) -> tensor<3x8x24xi32>
  return %c : tensor<3x8x24xi32>
}

// -----

// INPUTS: 12x32xi8 20x32xi8
#left = affine_map<(m, n, k) -> (m, k)>
#right = affine_map<(m, n, k) -> (n, k)>
#result = affine_map<(m, n, k) -> (m, n)>
func.func @transposed(%a: tensor<12x32xi8>, %b: tensor<20x32xi8>) -> tensor<12x20xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<12x20xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<12x20xi32>) -> tensor<12x20xi32>
  %c = linalg.matmul indexing_maps = [#left, #right, #result]
      ins(%a, %b : tensor<12x32xi8>, tensor<20x32xi8>) outs(%init : tensor<12x20xi32>) -> tensor<12x20xi32>
  return %c : tensor<12x20xi32>
}

// -----

// A residual, a constant for all, a row for each column, a maximum with zero.
// INPUTS: 40x48xi8 48x56xi8 40x56xi32 56xi32
#all = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
func.func @epilogue(%a: tensor<40x48xi8>, %b: tensor<48x56xi8>, %residual: tensor<40x56xi32>, %bias: tensor<56xi32>) -> tensor<40x56xi32> {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %empty = tensor.empty() : tensor<40x56xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<40x56xi32>) -> tensor<40x56xi32>
  %c = linalg.matmul ins(%a, %b : tensor<40x48xi8>, tensor<48x56xi8>) outs(%init : tensor<40x56xi32>) -> tensor<40x56xi32>
  %d = linalg.generic {indexing_maps = [#all, #all, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%c, %residual, %bias : tensor<40x56xi32>, tensor<40x56xi32>, tensor<56xi32>) outs(%empty : tensor<40x56xi32>) {
  ^bb0(%x: i32, %r: i32, %y: i32, %out: i32):
    %0 = arith.addi %x, %r : i32
    %1 = arith.addi %0, %y : i32
    %2 = arith.addi %1, %three : i32
    %3 = arith.maxsi %2, %zero : i32
    linalg.yield %3 : i32
  } -> tensor<40x56xi32>
  return %d : tensor<40x56xi32>
}

// -----

// One result after the other; what no unit has stays with the host in between.
// INPUTS: 16x16xi8 16x16xi8
#all = affine_map<(i, j) -> (i, j)>
func.func @host_between(%a: tensor<16x16xi8>, %b: tensor<16x16xi8>) -> tensor<16x16xi32> {
  %zero = arith.constant 0 : i32
  %five = arith.constant 5 : i32
  %empty = tensor.empty() : tensor<16x16xi32>
  %narrow = tensor.empty() : tensor<16x16xi8>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<16x16xi32>) -> tensor<16x16xi32>
  %c = linalg.matmul ins(%a, %b : tensor<16x16xi8>, tensor<16x16xi8>) outs(%init : tensor<16x16xi32>) -> tensor<16x16xi32>
  %d = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<16x16xi32>) outs(%narrow : tensor<16x16xi8>) {
  ^bb0(%x: i32, %out: i8):
    %0 = arith.remsi %x, %five : i32
    %1 = arith.trunci %0 : i32 to i8
    linalg.yield %1 : i8
  } -> tensor<16x16xi8>
  %e = linalg.matmul ins(%d, %b : tensor<16x16xi8>, tensor<16x16xi8>) outs(%init : tensor<16x16xi32>) -> tensor<16x16xi32>
  return %e : tensor<16x16xi32>
}

// -----

// A padded window with steps of two, the image with its channels innermost.
// INPUTS: 1x9x11x16xi8 3x3x16x24xi8
func.func @convolution(%image: tensor<1x9x11x16xi8>, %filter: tensor<3x3x16x24xi8>) -> tensor<1x5x6x24xi32> {
  %zero = arith.constant 0 : i32
  %around = arith.constant 0 : i8
  %padded = tensor.pad %image low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %around : i8
  } : tensor<1x9x11x16xi8> to tensor<1x11x13x16xi8>
  %empty = tensor.empty() : tensor<1x5x6x24xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x5x6x24xi32>) -> tensor<1x5x6x24xi32>
  %sums = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%padded, %filter : tensor<1x11x13x16xi8>, tensor<3x3x16x24xi8>) outs(%init : tensor<1x5x6x24xi32>) -> tensor<1x5x6x24xi32>
  return %sums : tensor<1x5x6x24xi32>
}

// -----

// Channels first, two images, a dilated window: pixels go along the columns.
// INPUTS: 2x3x8x9xi8 5x3x2x2xi8
func.func @channels_first(%image: tensor<2x3x8x9xi8>, %filter: tensor<5x3x2x2xi8>) -> tensor<2x5x6x7xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<2x5x6x7xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<2x5x6x7xi32>) -> tensor<2x5x6x7xi32>
  %sums = linalg.conv_2d_nchw_fchw {dilations = dense<2> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%image, %filter : tensor<2x3x8x9xi8>, tensor<5x3x2x2xi8>) outs(%init : tensor<2x5x6x7xi32>) -> tensor<2x5x6x7xi32>
  return %sums : tensor<2x5x6x7xi32>
}
