// RUN: dl-opt %s --linalg-convert-conv-to-img2col --oracle=each-pass --mlir-print-local-scope | FileCheck %s

// Rows of the matrix are windows, in the order of the weights.
// CHECK-LABEL: func.func @channels_last
//  CHECK-SAME:   (%[[X:[a-z0-9]+]]: tensor<1x6x6x2xf32>, %[[W:[a-z0-9]+]]: tensor<3x3x2x4xf32>, %[[C:[a-z0-9]+]]: tensor<1x2x2x4xf32>)
//       CHECK:   %[[WINDOWS:[0-9]+]] = linalg.generic
//  CHECK-SAME:     affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d3, d2 * 2 + d4, d5)>
//  CHECK-SAME:     ins(%[[X]] : tensor<1x6x6x2xf32>) outs(%{{.*}} : tensor<1x2x2x3x3x2xf32>)
//       CHECK:   %[[FLAT_W:.*]] = tensor.collapse_shape %[[W]] {{\[}}[0, 1, 2], [3]] : tensor<3x3x2x4xf32> into tensor<18x4xf32>
//       CHECK:   %[[FLAT_X:.*]] = tensor.collapse_shape %[[WINDOWS]] {{\[}}[0, 1, 2], [3, 4, 5]] : tensor<1x2x2x3x3x2xf32> into tensor<4x18xf32>
//       CHECK:   %[[FLAT_C:.*]] = tensor.collapse_shape %[[C]] {{\[}}[0, 1, 2], [3]] : tensor<1x2x2x4xf32> into tensor<4x4xf32>
//       CHECK:   %[[P:.*]] = linalg.matmul ins(%[[FLAT_X]], %[[FLAT_W]] : tensor<4x18xf32>, tensor<18x4xf32>) outs(%[[FLAT_C]] : tensor<4x4xf32>)
//       CHECK:   tensor.expand_shape %[[P]] {{\[}}[0, 1, 2], [3]] output_shape [1, 2, 2, 4]
func.func @channels_last(%x: tensor<1x6x6x2xf32>, %w: tensor<3x3x2x4xf32>, %c: tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x6x6x2xf32>, tensor<3x3x2x4xf32>) outs(%c : tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  return %0 : tensor<1x2x2x4xf32>
}

// CHECK-LABEL: func.func @filters_first
//       CHECK:   linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
//  CHECK-SAME:     tensor<4x8xi32>, tensor<3x8xi32>
func.func @filters_first(%x: tensor<1x3x3x2xi32>, %w: tensor<3x2x2x2xi32>, %c: tensor<1x2x2x3xi32>) -> tensor<1x2x2x3xi32> {
  %0 = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<1x3x3x2xi32>, tensor<3x2x2x2xi32>) outs(%c : tensor<1x2x2x3xi32>) -> tensor<1x2x2x3xi32>
  return %0 : tensor<1x2x2x3xi32>
}

// Each image is a matrix of its own, and the weights are the same for all.
// CHECK-LABEL: func.func @channels_first
//       CHECK:   %[[WINDOWS:[0-9]+]] = linalg.generic
//  CHECK-SAME:     affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 + d4, d3 + d5)>
//  CHECK-SAME:     outs(%{{.*}} : tensor<2x3x2x2x3x3xf32>)
//       CHECK:   tensor.collapse_shape %[[WINDOWS]] {{\[}}[0], [1, 2, 3], [4, 5]] : tensor<2x3x2x2x3x3xf32> into tensor<2x12x9xf32>
//       CHECK:   linalg.contract indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]
//  CHECK-SAME:     tensor<4x12xf32>, tensor<2x12x9xf32>
func.func @channels_first(%x: tensor<2x3x4x4xf32>, %w: tensor<4x3x2x2xf32>, %c: tensor<2x4x3x3xf32>) -> tensor<2x4x3x3xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x4x4xf32>, tensor<4x3x2x2xf32>) outs(%c : tensor<2x4x3x3xf32>) -> tensor<2x4x3x3xf32>
  return %0 : tensor<2x4x3x3xf32>
}

// Windows of one element are the input.
// CHECK-LABEL: func.func @pointwise
//  CHECK-SAME:   (%[[X:[a-z0-9]+]]: tensor<1x4x4x2xf32>
//   CHECK-NOT:   linalg.generic
//       CHECK:   tensor.collapse_shape %[[X]] {{\[}}[0, 1, 2], [3]] : tensor<1x4x4x2xf32> into tensor<16x2xf32>
//       CHECK:   linalg.matmul
func.func @pointwise(%x: tensor<1x4x4x2xf32>, %w: tensor<1x1x2x4xf32>, %c: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x4x4x2xf32>, tensor<1x1x2x4xf32>) outs(%c : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// Every other element of the input is left out.
// CHECK-LABEL: func.func @strided_pointwise
//       CHECK:   linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d3, d2 * 2 + d4, d5)>
//       CHECK:   linalg.matmul
func.func @strided_pointwise(%x: tensor<1x4x4x2xf32>, %w: tensor<1x1x2x4xf32>, %c: tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x4x4x2xf32>, tensor<1x1x2x4xf32>) outs(%c : tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  return %0 : tensor<1x2x2x4xf32>
}

// Extents that are known when running only.
// CHECK-LABEL: func.func @dynamic
//       CHECK:   tensor.empty(%{{.*}}, %{{.*}}) : tensor<?x?x2x2xf32>
//       CHECK:   linalg.matmul
func.func @dynamic(%x: tensor<?x?x2xf32>, %w: tensor<2x2x4xf32>, %c: tensor<?x?x4xf32>) -> tensor<?x?x4xf32> {
  %0 = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<?x?x2xf32>, tensor<2x2x4xf32>) outs(%c : tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  return %0 : tensor<?x?x4xf32>
}

// Each channel has a window of its own.
// CHECK-LABEL: func.func @depthwise
//       CHECK:   linalg.depthwise_conv_2d_nhwc_hwc
func.func @depthwise(%x: tensor<1x4x4x2xf32>, %w: tensor<2x2x2xf32>, %c: tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x4x4x2xf32>, tensor<2x2x2xf32>) outs(%c : tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
  return %0 : tensor<1x3x3x2xf32>
}

// CHECK-LABEL: func.func @buffers
//       CHECK:   linalg.conv_2d_nhwc_hwcf
func.func @buffers(%x: memref<1x4x4x2xf32>, %w: memref<1x1x2x4xf32>, %c: memref<1x4x4x4xf32>) {
  linalg.conv_2d_nhwc_hwcf ins(%x, %w : memref<1x4x4x2xf32>, memref<1x1x2x4xf32>) outs(%c : memref<1x4x4x4xf32>)
  return
}
