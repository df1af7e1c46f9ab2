// RUN: dl-opt %s --dl-attach-target=target-cpu=sapphirerapids --linalg-lower-contractions --canonicalize --cse --split-input-file | FileCheck %s
// RUN: dl-opt %s --dl-attach-target='target-cpu=sapphirerapids target-features=-amx-tile' --linalg-lower-contractions --split-input-file | FileCheck %s --check-prefix=DOTS

// DOTS-NOT: vector.contract

// Four registers of sums, two of either factor: rows as they lie, columns from a panel.
// CHECK-LABEL: func @bytes
//  CHECK-SAME: (%[[A:.*]]: tensor<64x128xi8>, %[[B:.*]]: tensor<128x64xi8>, %[[C:.*]]: tensor<64x64xi32>
//   CHECK-DAG: arith.constant dense<0> : vector<16x16xi32>
//       CHECK: vector.interleave {{.*}} -> vector<64xi8>
//       CHECK: scf.for
//       CHECK: scf.for %{{.*}} step %c16 iter_args(
//       CHECK:   %[[ROWS:.*]] = tensor.extract_slice %[[A]]{{.*}} [16, 64] [1, 1] : tensor<64x128xi8> to tensor<16x64xi8>
//       CHECK:   %[[READ:.*]] = vector.transfer_read %[[ROWS]][%c0, %c0]{{.*}} : tensor<16x64xi8>, vector<16x64xi8>
//       CHECK:   %[[GROUPS:.*]] = vector.shape_cast %[[READ]] : vector<16x64xi8> to vector<16x16x4xi8>
//       CHECK:   %[[LEFT:.*]] = arith.extsi %[[GROUPS]] : vector<16x16x4xi8> to vector<16x16x4xi32>
//       CHECK:   vector.transfer_read {{.*}} : tensor<32x128xi8>, vector<16x64xi8>
//       CHECK:   vector.contract
//  CHECK-SAME:     %[[LEFT]],
//  CHECK-SAME:     : vector<16x16x4xi32>, vector<16x16x4xi32> into vector<16x16xi32>
//       CHECK: %[[ROW:.*]] = vector.extract %{{.*}}#0[0] : vector<16xi32> from vector<16x16xi32>
//       CHECK: %[[INIT:.*]] = vector.transfer_read
//       CHECK: arith.addi %[[INIT]], %[[ROW]] : vector<16xi32>
func.func @bytes(%a: tensor<64x128xi8>, %b: tensor<128x64xi8>, %c: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x128xi8>, tensor<128x64xi8>) outs(%c : tensor<64x64xi32>) -> tensor<64x64xi32>
  return %r : tensor<64x64xi32>
}

// -----

// 40 rows are two tiles of 20: registers of 16 and of 4. 24 groups are two steps of 12.
// CHECK-LABEL: func @bf16
//       CHECK: scf.for {{.*}} step %c20
//       CHECK: scf.for {{.*}} step %c12
//       CHECK: vector.transfer_read {{.*}} : tensor<16x24xbf16>, vector<16x24xbf16>
//       CHECK: arith.extf {{.*}} : vector<16x12x2xbf16> to vector<16x12x2xf32>
//       CHECK: vector.transfer_read {{.*}} : tensor<4x24xbf16>, vector<4x24xbf16>
//       CHECK: into vector<16x16xf32>
//       CHECK: into vector<4x16xf32>
func.func @bf16(%a: tensor<40x48xbf16>, %b: tensor<48x32xbf16>, %c: tensor<40x32xf32>) -> tensor<40x32xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<40x48xbf16>, tensor<48x32xbf16>) outs(%c : tensor<40x32xf32>) -> tensor<40x32xf32>
  return %r : tensor<40x32xf32>
}

// -----

// Every other pixel: rows of the register are two pixels apart.
// CHECK-LABEL: func @strided_convolution
//       CHECK: tensor.extract_slice {{.*}} [1, 1, 7, 64] [1, 1, 2, 1] : tensor<1x16x16x64xi8> to tensor<7x64xi8>
//       CHECK: vector.contract
func.func @strided_convolution(%x: tensor<1x16x16x64xi8>, %w: tensor<3x3x64x32xi8>, %y: tensor<1x7x7x32xi32>) -> tensor<1x7x7x32xi32> {
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%x, %w : tensor<1x16x16x64xi8>, tensor<3x3x64x32xi8>) outs(%y : tensor<1x7x7x32xi32>) -> tensor<1x7x7x32xi32>
  return %r : tensor<1x7x7x32xi32>
}

// -----

// Few rows, a depth that is not all groups, one that only small steps divide: as vectors do it.
// CHECK-LABEL: func @few_rows
//   CHECK-NOT: vector.contract
//       CHECK: return
func.func @few_rows(%a: tensor<3x128xi8>, %b: tensor<128x64xi8>, %c: tensor<3x64xi32>) -> tensor<3x64xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<3x128xi8>, tensor<128x64xi8>) outs(%c : tensor<3x64xi32>) -> tensor<3x64xi32>
  return %r : tensor<3x64xi32>
}

// CHECK-LABEL: func @odd_depth
//   CHECK-NOT: vector.contract
//       CHECK: vpdpbusd
func.func @odd_depth(%a: tensor<64x130xi8>, %b: tensor<130x64xi8>, %c: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x130xi8>, tensor<130x64xi8>) outs(%c : tensor<64x64xi32>) -> tensor<64x64xi32>
  return %r : tensor<64x64xi32>
}

// CHECK-LABEL: func @indivisible_depth
//   CHECK-NOT: vector.contract
//       CHECK: vpdpbusd
func.func @indivisible_depth(%a: tensor<64x148xi8>, %b: tensor<148x64xi8>, %c: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x148xi8>, tensor<148x64xi8>) outs(%c : tensor<64x64xi32>) -> tensor<64x64xi32>
  return %r : tensor<64x64xi32>
}
