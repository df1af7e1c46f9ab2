// RUN: dl-opt %s --simplify-depthwise-conv | FileCheck %s

// CHECK-LABEL: func.func @one_channel_each
//  CHECK-SAME:   (%[[X:.*]]: tensor<?x9x9x3xf32>, %[[K:.*]]: tensor<2x2x3x1xf32>, %[[O:.*]]: tensor<?x4x4x3x1xf32>)
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[K]] {{\[\[}}0], [1], [2, 3]] : tensor<2x2x3x1xf32> into tensor<2x2x3xf32>
// CHECK: %[[I:.*]] = tensor.collapse_shape %[[O]] {{\[\[}}0], [1], [2], [3, 4]]
// CHECK: %[[R:.*]] = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%[[X]], %[[C]] : {{.*}}) outs(%[[I]]
// CHECK: tensor.expand_shape %[[R]] {{\[\[}}0], [1], [2], [3, 4]]
func.func @one_channel_each(%x: tensor<?x9x9x3xf32>, %k: tensor<2x2x3x1xf32>, %o: tensor<?x4x4x3x1xf32>) -> tensor<?x4x4x3x1xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%x, %k : tensor<?x9x9x3xf32>, tensor<2x2x3x1xf32>) outs(%o : tensor<?x4x4x3x1xf32>) -> tensor<?x4x4x3x1xf32>
  return %r : tensor<?x4x4x3x1xf32>
}

// CHECK-LABEL: func.func @several_channels
// CHECK: linalg.depthwise_conv_2d_nhwc_hwcm
func.func @several_channels(%x: tensor<1x9x9x3xf32>, %k: tensor<2x2x3x5xf32>, %o: tensor<1x8x8x3x5xf32>) -> tensor<1x8x8x3x5xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %k : tensor<1x9x9x3xf32>, tensor<2x2x3x5xf32>) outs(%o : tensor<1x8x8x3x5xf32>) -> tensor<1x8x8x3x5xf32>
  return %r : tensor<1x8x8x3x5xf32>
}
