// RUN: dl-opt %s --dl-attach-target=target-cpu=sapphirerapids --linalg-lower-contractions --oracle=each-pass | FileCheck %s

// Two rows of six pixels are one tile, whose factors from the panel serve both; one row is left. 17 columns are two registers.
// CHECK-LABEL: func.func @pixels
//       CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c2
// CHECK-COUNT-4: vector.contract
//   CHECK-NOT: vector.contract
//       CHECK: scf.yield
// CHECK-COUNT-2: vector.contract
//   CHECK-NOT: vector.contract
//       CHECK: return
func.func @pixels(%x: tensor<1x5x6x16xi8>, %w: tensor<1x1x16x17xi8>, %y: tensor<1x5x6x17xi32>) -> tensor<1x5x6x17xi32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x5x6x16xi8>, tensor<1x1x16x17xi8>) outs(%y : tensor<1x5x6x17xi32>) -> tensor<1x5x6x17xi32>
  return %r : tensor<1x5x6x17xi32>
}
