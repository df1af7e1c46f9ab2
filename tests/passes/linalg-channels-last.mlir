// RUN: dl-opt %s --linalg-channels-last --canonicalize --cse --split-input-file | FileCheck %s

// The convolution has the channels innermost, and so has what is done with its result; the bias is read along them.
// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d1 + d5, d2 + d6)>
// CHECK-DAG: #[[FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4, d5, d6)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[SAME:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[BIAS:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>
// CHECK-LABEL: func @convolution
//       CHECK: %[[START:.*]] = linalg.fill {{.*}} -> tensor<1x7x7x16xf32>
//       CHECK: %[[C:.*]] = linalg.generic {indexing_maps = [#[[IMAGE]], #[[FILTER]], #[[OUT]]], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
//       CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[SAME]], #[[BIAS]], #[[SAME]]]{{.*}} ins(%[[C]], %{{.*}} : tensor<1x7x7x16xf32>, tensor<16xf32>)
//       CHECK: %[[T:.*]] = linalg.transpose ins(%[[R]] : tensor<1x7x7x16xf32>) outs(%{{.*}} : tensor<1x16x7x7xf32>) permutation = [0, 3, 1, 2]
//       CHECK: return %[[T]]
func.func @convolution(%x: tensor<1x3x9x9xf32>, %bias: tensor<16xf32>) -> tensor<1x16x7x7xf32> {
  %w = arith.constant dense<2.0> : tensor<16x3x3x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x7x7xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x9xf32>, tensor<16x3x3x3xf32>) outs(%s : tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(n, f, h, w) -> (n, f, h, w)>, affine_map<(n, f, h, w) -> (f)>, affine_map<(n, f, h, w) -> (n, f, h, w)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]
  } ins(%c, %bias : tensor<1x16x7x7xf32>, tensor<16xf32>) outs(%e : tensor<1x16x7x7xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<1x16x7x7xf32>
  return %r : tensor<1x16x7x7xf32>
}

// -----

// The other operand of the sum has the channels in front: the transposition stays before it.
// CHECK-LABEL: func @other_order
//       CHECK: %[[T:.*]] = linalg.transpose
//       CHECK: linalg.add ins(%[[T]], %{{.*}} : tensor<1x16x7x7xf32>, tensor<1x16x7x7xf32>)
func.func @other_order(%y: tensor<1x7x7x16xf32>, %z: tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32> {
  %e = tensor.empty() : tensor<1x16x7x7xf32>
  %t = linalg.transpose ins(%y : tensor<1x7x7x16xf32>) outs(%e : tensor<1x16x7x7xf32>) permutation = [0, 3, 1, 2]
  %r = linalg.add ins(%t, %z : tensor<1x16x7x7xf32>, tensor<1x16x7x7xf32>) outs(%e : tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32>
  return %r : tensor<1x16x7x7xf32>
}

// -----

// CHECK-LABEL: func @padded
//       CHECK: %[[P:.*]] = tensor.pad %{{.*}} low[0, 1, 2, 0] high[0, 3, 4, 0]
//       CHECK: } : tensor<1x7x7x16xf32> to tensor<1x11x13x16xf32>
//       CHECK: linalg.transpose ins(%[[P]] : tensor<1x11x13x16xf32>)
func.func @padded(%y: tensor<1x7x7x16xf32>) -> tensor<1x16x11x13xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x7x7xf32>
  %t = linalg.transpose ins(%y : tensor<1x7x7x16xf32>) outs(%e : tensor<1x16x7x7xf32>) permutation = [0, 3, 1, 2]
  %p = tensor.pad %t low[0, 0, 1, 2] high[0, 0, 3, 4] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x16x7x7xf32> to tensor<1x16x11x13xf32>
  return %p : tensor<1x16x11x13xf32>
}

// -----

// A window of one element is a product as it is.
// CHECK-LABEL: func @one_element
//       CHECK: linalg.conv_2d_nchw_fchw
//   CHECK-NOT: linalg.transpose
func.func @one_element(%x: tensor<1x3x7x7xf32>, %s: tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32> {
  %w = arith.constant dense<2.0> : tensor<16x3x1x1xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x7x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x7x7xf32>, tensor<16x3x1x1xf32>) outs(%f : tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32>
  return %c : tensor<1x16x7x7xf32>
}

// -----

// What is added to is read; a filter that is not known would be packed each time; an extent is not known: all stay.
// CHECK-LABEL: func @stay
//   CHECK-NOT: linalg.transpose
func.func @stay(%x: tensor<1x3x9x9xf32>, %y: tensor<1x3x9x?xf32>, %v: tensor<16x3x3x3xf32>, %s: tensor<1x16x7x7xf32>, %d: tensor<1x16x7x?xf32>)
    -> (tensor<1x16x7x7xf32>, tensor<1x16x7x7xf32>, tensor<1x16x7x?xf32>) {
  %w = arith.constant dense<2.0> : tensor<16x3x3x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x7x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32>
  %c0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x9xf32>, tensor<16x3x3x3xf32>) outs(%s : tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32>
  %c1 = linalg.conv_2d_nchw_fchw ins(%x, %v : tensor<1x3x9x9xf32>, tensor<16x3x3x3xf32>) outs(%f : tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32>
  %c2 = linalg.conv_2d_nchw_fchw ins(%y, %w : tensor<1x3x9x?xf32>, tensor<16x3x3x3xf32>) outs(%d : tensor<1x16x7x?xf32>) -> tensor<1x16x7x?xf32>
  return %c0, %c1, %c2 : tensor<1x16x7x7xf32>, tensor<1x16x7x7xf32>, tensor<1x16x7x?xf32>
}

// -----

// The result of the product has its channels innermost already: the image is read as it lies, and nothing is moved.
// CHECK: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
// CHECK-LABEL: func @result_is_last
//  CHECK-SAME:   (%[[Y:[a-z0-9]+]]: tensor<1x7x7x16xf32>
//   CHECK-NOT: linalg.transpose
//       CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[IMAGE]], {{.*}} ins(%[[Y]], %{{.*}} : tensor<1x7x7x16xf32>, tensor<8x16xf32>) outs(%{{.*}} : tensor<1x7x7x8xf32>)
//       CHECK: return %[[R]] : tensor<1x7x7x8xf32>
func.func @result_is_last(%y: tensor<1x7x7x16xf32>, %w: tensor<8x16xf32>) -> tensor<1x7x7x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x7x7xf32>
  %t = linalg.transpose ins(%y : tensor<1x7x7x16xf32>) outs(%e : tensor<1x16x7x7xf32>) permutation = [0, 3, 1, 2]
  %d = tensor.empty() : tensor<1x7x7x8xf32>
  %s = linalg.fill ins(%zero : f32) outs(%d : tensor<1x7x7x8xf32>) -> tensor<1x7x7x8xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(n, h, w, f, c) -> (n, c, h, w)>, affine_map<(n, h, w, f, c) -> (f, c)>, affine_map<(n, h, w, f, c) -> (n, h, w, f)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
  } ins(%t, %w : tensor<1x16x7x7xf32>, tensor<8x16xf32>) outs(%s : tensor<1x7x7x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x7x7x8xf32>
  return %r : tensor<1x7x7x8xf32>
}

// -----

// An image of bytes is transposed too: dot products take four channels at once.
// CHECK: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d5, d2 + d6, d4)>
// CHECK-LABEL: func @bytes
//  CHECK-SAME:   (%[[X:[a-z0-9]+]]: tensor<1x8x9x9xi8>)
//       CHECK: %[[T:.*]] = linalg.transpose ins(%[[X]] : tensor<1x8x9x9xi8>) outs(%{{.*}} : tensor<1x9x9x8xi8>) permutation = [0, 2, 3, 1]
//       CHECK: linalg.generic {indexing_maps = [#[[IMAGE]], {{.*}} ins(%[[T]], %{{.*}} : tensor<1x9x9x8xi8>, tensor<16x8x3x3xi8>)
func.func @bytes(%x: tensor<1x8x9x9xi8>) -> tensor<1x16x7x7xi32> {
  %w = arith.constant dense<2> : tensor<16x8x3x3xi8>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x16x7x7xi32>
  %s = linalg.fill ins(%zero : i32) outs(%e : tensor<1x16x7x7xi32>) -> tensor<1x16x7x7xi32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x8x9x9xi8>, tensor<16x8x3x3xi8>) outs(%s : tensor<1x16x7x7xi32>) -> tensor<1x16x7x7xi32>
  return %c : tensor<1x16x7x7xi32>
}

// -----

// What is added to each channel lies beside that of the next one, as the channels do.
// CHECK-DAG: #[[PIXELS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[CHANNEL:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>
// CHECK-LABEL: func @bias
//       CHECK:   %[[BIAS:.*]] = arith.constant dense<{{.*}}> : tensor<16xf32>
//       CHECK:   linalg.generic {indexing_maps = [#[[PIXELS]], #[[CHANNEL]], #[[PIXELS]]], {{.*}} ins(%{{.*}}, %[[BIAS]] : tensor<1x7x7x16xf32>, tensor<16xf32>)
func.func @bias(%x: tensor<1x3x9x9xf32>) -> tensor<1x16x7x7xf32> {
  %w = arith.constant dense<2.0> : tensor<16x3x3x3xf32>
  %bias = arith.constant dense<[[[0.0]], [[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]], [[8.0]], [[9.0]], [[10.0]], [[11.0]], [[12.0]], [[13.0]], [[14.0]], [[15.0]]]> : tensor<16x1x1xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x7x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x9xf32>, tensor<16x3x3x3xf32>) outs(%f : tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c, 0, 0)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %bias : tensor<1x16x7x7xf32>, tensor<16x1x1xf32>) outs(%e : tensor<1x16x7x7xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<1x16x7x7xf32>
  return %s : tensor<1x16x7x7xf32>
}

// -----

// A column of a matrix is no matrix without the other columns.
// CHECK-LABEL: func @column
//       CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x2xf32>, tensor<4x2xf32>)
func.func @column(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]> : tensor<4x2xf32>
  %e = tensor.empty() : tensor<4x2xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %w : tensor<4x2xf32>, tensor<4x2xf32>) outs(%e : tensor<4x2xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<4x2xf32>
  return %s : tensor<4x2xf32>
}
