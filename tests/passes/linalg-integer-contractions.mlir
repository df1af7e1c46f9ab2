// RUN: dl-opt %s --canonicalize --linalg-integer-contractions --oracle=each-pass --split-input-file --mlir-print-local-scope | FileCheck %s

// Scales are powers of two, so that sums of floats are exact too, and the oracle finds the same results.

#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>

// The left side has a zero point: 128 times the sums of the columns 1 - 3 + 5, 2 + 4 - 6 is taken off. A scale for each column is
// multiplied with that of the left side when compiling.
// CHECK-LABEL: func.func @matmul(
//  CHECK-SAME:   %[[X:.*]]: tensor<2x3xi8>)
//   CHECK-DAG:   %[[W:.*]] = arith.constant dense<{{\[\[}}1, 2], [-3, 4], [5, -6]]> : tensor<3x2xi8>
//   CHECK-DAG:   %[[SUMS:.*]] = arith.constant dense<[-384, 0]> : tensor<2xi32>
//   CHECK-DAG:   %[[SCALE:.*]] = arith.constant dense<[1.250000e-01, 2.500000e-01]> : tensor<2xf32>
//       CHECK:   %[[START:.*]] = linalg.fill {{.*}} -> tensor<2x2xi32>
//       CHECK:   %[[P:.*]] = linalg.generic {{.*}}"parallel", "parallel", "reduction"]} ins(%[[X]], %[[W]] : tensor<2x3xi8>, tensor<3x2xi8>) outs(%[[START]] : tensor<2x2xi32>)
//       CHECK:     arith.extui %{{.*}} : i8 to i32
//       CHECK:     arith.extsi %{{.*}} : i8 to i32
//       CHECK:     arith.muli
//       CHECK:     arith.addi
//       CHECK:   %[[R:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>]
//  CHECK-SAME:     ins(%[[P]], %[[SUMS]], %[[SCALE]] :
//  CHECK-NEXT:   ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32, %[[C:.*]]: f32,
//  CHECK-NEXT:     %[[D:.*]] = arith.addi %[[A]], %[[B]]
//  CHECK-NEXT:     %[[E:.*]] = arith.sitofp %[[D]] : i32 to f32
//  CHECK-NEXT:     arith.mulf %[[E]], %[[C]]
//       CHECK:   return %[[R]]
func.func @matmul(%x: tensor<2x3xi8>) -> tensor<2x2xf32> {
  %w = arith.constant dense<[[1, 2], [-3, 4], [5, -6]]> : tensor<3x2xi8>
  %s = arith.constant dense<[0.25, 0.5]> : tensor<2xf32>
  %half = arith.constant 0.5 : f32
  %z = arith.constant -128 : i8
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<2x3xf32>
  %dx = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x3xi8>) outs(%ex : tensor<2x3xf32>) {
  ^bb0(%a: i8, %o: f32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.extui %z : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %half : f32
    linalg.yield %4 : f32
  } -> tensor<2x3xf32>
  %ew = tensor.empty() : tensor<3x2xf32>
  %dw = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%w, %s : tensor<3x2xi8>, tensor<2xf32>) outs(%ew : tensor<3x2xf32>) {
  ^bb0(%a: i8, %b: f32, %o: f32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.mulf %1, %b : f32
    linalg.yield %2 : f32
  } -> tensor<3x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = linalg.matmul ins(%dx, %dw : tensor<2x3xf32>, tensor<3x2xf32>) outs(%i : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// A border of zeros is one of zero points; weights with a zero point are constants without.
// CHECK-LABEL: func.func @convolution(
//  CHECK-SAME:   %[[X:.*]]: tensor<1x1x3x3xi8>)
//   CHECK-DAG:   %[[W:.*]] = arith.constant dense<{{.*}}-1, 2], [3, -5]{{.*}}-7, 7], [0, 1]{{.*}}> : tensor<2x1x2x2xi8>
//   CHECK-DAG:   %[[SUMS:.*]] = arith.constant dense<[10, -10]> : tensor<2xi32>
//   CHECK-DAG:   %[[TEN:.*]] = arith.constant 10 : i8
//       CHECK:   %[[P:.*]] = tensor.pad %[[X]] low[0, 0, 1, 1] high[0, 0, 0, 0]
//       CHECK:     tensor.yield %[[TEN]] : i8
//       CHECK:   linalg.generic {{.*}} ins(%[[P]], %[[W]] : tensor<1x1x4x4xi8>, tensor<2x1x2x2xi8>)
//       CHECK:     arith.extui
//       CHECK:     arith.extsi
//       CHECK:   linalg.generic {{.*}}affine_map<(d0, d1, d2, d3) -> (d1)>{{.*}}, %[[SUMS]] :
func.func @convolution(%x: tensor<1x1x3x3xi8>) -> tensor<1x2x3x3xf32> {
  %w = arith.constant dense<[[[[2, 5], [6, -2]]], [[[-4, 10], [3, 4]]]]> : tensor<2x1x2x2xi8>
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %ten = arith.constant 10 : i32
  %three = arith.constant 3 : i32
  %ex = tensor.empty() : tensor<1x1x3x3xf32>
  %dx = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x1x3x3xi8>) outs(%ex : tensor<1x1x3x3xf32>) {
  ^bb0(%a: i8, %o: f32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.subi %0, %ten : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %half, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<1x1x3x3xf32>
  %ew = tensor.empty() : tensor<2x1x2x2xf32>
  %dw = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<2x1x2x2xi8>) outs(%ew : tensor<2x1x2x2xf32>) {
  ^bb0(%a: i8, %o: f32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.subi %0, %three : i32
    %2 = arith.sitofp %1 : i32 to f32
    linalg.yield %2 : f32
  } -> tensor<2x1x2x2xf32>
  %p = tensor.pad %dx low[0, 0, 1, 1] high[0, 0, 0, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x1x3x3xf32> to tensor<1x1x4x4xf32>
  %e = tensor.empty() : tensor<1x2x3x3xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%p, %dw : tensor<1x1x4x4xf32>, tensor<2x1x2x2xf32>) outs(%i : tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  return %r : tensor<1x2x3x3xf32>
}

// -----

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#first = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>

// A window of one element: scales are indexed by its loops, which stand still.
// CHECK-LABEL: func.func @window_of_one(
//   CHECK-DAG:   %[[SCALE:.*]] = arith.constant dense<{{.*}}> : tensor<2x1x1x1xf32>
//       CHECK:   %[[P:.*]] = linalg.generic {{.*}} : tensor<1x3x2x2xi8>, tensor<2x3x1x1xi8>)
//       CHECK:   linalg.generic {{.*}}affine_map<(d0, d1, d2, d3) -> (d1, 0, 0, 0)>{{.*}} ins(%[[P]], %[[SCALE]] :
func.func @window_of_one(%x: tensor<1x3x2x2xi8>) -> tensor<1x2x2x2xf32> {
  %w = arith.constant dense<[[[[2]], [[5]], [[6]]], [[[-4]], [[10]], [[3]]]]> : tensor<2x3x1x1xi8>
  %s = arith.constant dense<[[[[0.25]]], [[[0.5]]]]> : tensor<2x1x1x1xf32>
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<1x3x2x2xf32>
  %dx = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x3x2x2xi8>) outs(%ex : tensor<1x3x2x2xf32>) {
  ^bb0(%a: i8, %o: f32):
    %0 = arith.uitofp %a : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<1x3x2x2xf32>
  %ew = tensor.empty() : tensor<2x3x1x1xf32>
  %dw = linalg.generic {indexing_maps = [#id, #first, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %s : tensor<2x3x1x1xi8>, tensor<2x1x1x1xf32>) outs(%ew : tensor<2x3x1x1xf32>) {
  ^bb0(%a: i8, %b: f32, %o: f32):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %b : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x1x1xf32>
  %e = tensor.empty() : tensor<1x2x2x2xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%dx, %dw : tensor<1x3x2x2xf32>, tensor<2x3x1x1xf32>) outs(%i : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  return %r : tensor<1x2x2x2xf32>
}

// -----

// The largest number is that of the largest integer; the border is of the least.
// CHECK-LABEL: func.func @largest(
//  CHECK-SAME:   %[[X:.*]]: tensor<1x1x4x4xi8>)
//   CHECK-DAG:   %[[LEAST:.*]] = arith.constant 0 : i8
//       CHECK:   %[[P:.*]] = tensor.pad %[[X]]
//       CHECK:     tensor.yield %[[LEAST]] : i8
//       CHECK:   %[[M:.*]] = linalg.generic {{.*}} ins(%[[P]], %{{.*}} : tensor<1x1x5x5xi8>, tensor<2x2xf32>) outs(%{{.*}} : tensor<1x1x4x4xi8>)
//       CHECK:     arith.maxui
//       CHECK:   linalg.generic {{.*}} ins(%[[M]] : tensor<1x1x4x4xi8>)
//       CHECK:     arith.subi
//       CHECK:     arith.sitofp
//       CHECK:     arith.mulf
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @largest(%x: tensor<1x1x4x4xi8>) -> tensor<1x1x4x4xf32> {
  %half = arith.constant 0.5 : f32
  %seven = arith.constant 7 : i32
  %low = arith.constant 0xFF800000 : f32
  %ex = tensor.empty() : tensor<1x1x4x4xf32>
  %dx = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x1x4x4xi8>) outs(%ex : tensor<1x1x4x4xf32>) {
  ^bb0(%a: i8, %o: f32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.subi %0, %seven : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %half : f32
    linalg.yield %3 : f32
  } -> tensor<1x1x4x4xf32>
  %p = tensor.pad %dx low[0, 0, 1, 0] high[0, 0, 0, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %low : f32
  } : tensor<1x1x4x4xf32> to tensor<1x1x5x5xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %i = linalg.fill ins(%low : f32) outs(%ex : tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %r = linalg.pooling_nchw_max ins(%p, %window : tensor<1x1x5x5xf32>, tensor<2x2xf32>) outs(%i : tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  return %r : tensor<1x1x4x4xf32>
}

// -----

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// Windows of one element may lie in the border, whose numbers are no integers.
// CHECK-LABEL: func.func @only_border
//       CHECK:   linalg.pooling_nchw_max
func.func @only_border(%x: tensor<1x1x2x2xi8>) -> tensor<1x1x3x2xf32> {
  %low = arith.constant 0xFF800000 : f32
  %ex = tensor.empty() : tensor<1x1x2x2xf32>
  %dx = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x1x2x2xi8>) outs(%ex : tensor<1x1x2x2xf32>) {
  ^bb0(%a: i8, %o: f32):
    %0 = arith.uitofp %a : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<1x1x2x2xf32>
  %p = tensor.pad %dx low[0, 0, 1, 0] high[0, 0, 0, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %low : f32
  } : tensor<1x1x2x2xf32> to tensor<1x1x3x2xf32>
  %window = tensor.empty() : tensor<1x1xf32>
  %e = tensor.empty() : tensor<1x1x3x2xf32>
  %i = linalg.fill ins(%low : f32) outs(%e : tensor<1x1x3x2xf32>) -> tensor<1x1x3x2xf32>
  %r = linalg.pooling_nchw_max ins(%p, %window : tensor<1x1x3x2xf32>, tensor<1x1xf32>) outs(%i : tensor<1x1x3x2xf32>) -> tensor<1x1x3x2xf32>
  return %r : tensor<1x1x3x2xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// Nothing is known of either side: both are summed when running, and a transposition moves before. Integers have no scale; what was there is added.
// CHECK-LABEL: func.func @both_unknown(
//  CHECK-SAME:   %[[X:.*]]: tensor<2x3xi8>, %[[Y:.*]]: tensor<2x3xi8>, %[[C:.*]]: tensor<2x2xi32>)
//       CHECK:   %[[T:.*]] = linalg.transpose ins(%[[Y]] : tensor<2x3xi8>) outs(%{{.*}} : tensor<3x2xi8>) permutation = [1, 0]
//       CHECK:   %[[ROWS:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%[[X]] :
//       CHECK:   %[[COLS:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%[[T]] :
//       CHECK:   %[[P:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[T]] : tensor<2x3xi8>, tensor<3x2xi8>)
//       CHECK:   linalg.generic {{.*}} ins(%[[P]], %[[ROWS]], %[[COLS]], %[[C]] :
func.func @both_unknown(%x: tensor<2x3xi8>, %y: tensor<2x3xi8>, %c: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %five = arith.constant 5 : i32
  %seven = arith.constant -7 : i32
  %ex = tensor.empty() : tensor<2x3xi32>
  %dx = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x3xi8>) outs(%ex : tensor<2x3xi32>) {
  ^bb0(%a: i8, %o: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.subi %0, %five : i32
    linalg.yield %1 : i32
  } -> tensor<2x3xi32>
  %dy = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<2x3xi8>) outs(%ex : tensor<2x3xi32>) {
  ^bb0(%a: i8, %o: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.subi %0, %seven : i32
    linalg.yield %1 : i32
  } -> tensor<2x3xi32>
  %et = tensor.empty() : tensor<3x2xi32>
  %t = linalg.transpose ins(%dy : tensor<2x3xi32>) outs(%et : tensor<3x2xi32>) permutation = [1, 0]
  %r = linalg.matmul ins(%dx, %t : tensor<2x3xi32>, tensor<3x2xi32>) outs(%c : tensor<2x2xi32>) -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A scale for each row of the right side changes along what is summed over.
// CHECK-LABEL: func.func @scale_of_summands
//       CHECK:   linalg.matmul {{.*}} : tensor<2x3xf32>, tensor<3x2xf32>)
func.func @scale_of_summands(%x: tensor<2x3xi8>, %y: tensor<3x2xi8>, %s: tensor<3xf32>) -> tensor<2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<2x3xf32>
  %dx = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x3xi8>) outs(%ex : tensor<2x3xf32>) {
  ^bb0(%a: i8, %o: f32):
    %0 = arith.sitofp %a : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<2x3xf32>
  %ey = tensor.empty() : tensor<3x2xf32>
  %dy = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %s : tensor<3x2xi8>, tensor<3xf32>) outs(%ey : tensor<3x2xf32>) {
  ^bb0(%a: i8, %b: f32, %o: f32):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %b : f32
    linalg.yield %1 : f32
  } -> tensor<3x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = linalg.matmul ins(%dx, %dy : tensor<2x3xf32>, tensor<3x2xf32>) outs(%i : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// Sums of 140,000 products of bytes may leave 32 bits.
// CHECK-LABEL: func.func @too_deep
//       CHECK:   linalg.matmul {{.*}} : tensor<2x140000xf32>, tensor<140000x2xf32>)
func.func @too_deep(%x: tensor<2x140000xi8>, %y: tensor<140000x2xi8>) -> tensor<2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<2x140000xf32>
  %dx = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x140000xi8>) outs(%ex : tensor<2x140000xf32>) {
  ^bb0(%a: i8, %o: f32):
    %0 = arith.sitofp %a : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<2x140000xf32>
  %ey = tensor.empty() : tensor<140000x2xf32>
  %dy = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<140000x2xi8>) outs(%ey : tensor<140000x2xf32>) {
  ^bb0(%a: i8, %o: f32):
    %0 = arith.sitofp %a : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<140000x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = linalg.matmul ins(%dx, %dy : tensor<2x140000xf32>, tensor<140000x2xf32>) outs(%i : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// A CPU without such instructions multiplies floats as fast.
// CHECK-LABEL: func.func @no_dot_products
//       CHECK:   linalg.matmul {{.*}} : tensor<2x3xf32>, tensor<3x2xf32>)
module attributes {dl.target = #dl.target<cpu = "x86-64", arch = "x86_64", vector_bits = 128, vector_registers = 16, l1d = 32768, l1d_ways = 8, l2 = 262144, l2_ways = 8, l3 = 8388608, l3_ways = 16, cores = 4, features = "">} {
  func.func @no_dot_products(%x: tensor<2x3xi8>, %y: tensor<3x2xi8>) -> tensor<2x2xf32> {
    %zero = arith.constant 0.0 : f32
    %ex = tensor.empty() : tensor<2x3xf32>
    %dx = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x3xi8>) outs(%ex : tensor<2x3xf32>) {
    ^bb0(%a: i8, %o: f32):
      %0 = arith.sitofp %a : i8 to f32
      linalg.yield %0 : f32
    } -> tensor<2x3xf32>
    %ey = tensor.empty() : tensor<3x2xf32>
    %dy = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<3x2xi8>) outs(%ey : tensor<3x2xf32>) {
    ^bb0(%a: i8, %o: f32):
      %0 = arith.sitofp %a : i8 to f32
      linalg.yield %0 : f32
    } -> tensor<3x2xf32>
    %e = tensor.empty() : tensor<2x2xf32>
    %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
    %r = linalg.matmul ins(%dx, %dy : tensor<2x3xf32>, tensor<3x2xf32>) outs(%i : tensor<2x2xf32>) -> tensor<2x2xf32>
    return %r : tensor<2x2xf32>
  }
}
