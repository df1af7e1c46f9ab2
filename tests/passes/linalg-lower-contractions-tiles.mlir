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

// Every other pixel: rows of the register are two pixels apart. Two rows of seven pixels share what is read of the panel; one is left.
// CHECK-LABEL: func @strided_convolution
//       CHECK: scf.for %{{.*}} = %c0 to %c6 step %c2
//       CHECK: tensor.extract_slice {{.*}} [1, 1, 7, 16] [1, 1, 2, 1] : tensor<1x16x16x16xi8> to tensor<7x16xi8>
//       CHECK: tensor.extract_slice {{.*}} [1, 1, 7, 16] [1, 1, 2, 1] : tensor<1x16x16x16xi8> to tensor<7x16xi8>
// CHECK-COUNT-4: vector.contract
//   CHECK-NOT: vector.contract
//       CHECK: scf.yield
//       CHECK: tensor.extract_slice {{.*}} [1, 1, 7, 16] [1, 1, 2, 1] : tensor<1x16x16x16xi8> to tensor<7x16xi8>
// CHECK-COUNT-2: vector.contract
//   CHECK-NOT: vector.contract
func.func @strided_convolution(%x: tensor<1x16x16x16xi8>, %w: tensor<3x3x16x32xi8>, %y: tensor<1x7x7x32xi32>) -> tensor<1x7x7x32xi32> {
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%x, %w : tensor<1x16x16x16xi8>, tensor<3x3x16x32xi8>) outs(%y : tensor<1x7x7x32xi32>) -> tensor<1x7x7x32xi32>
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

// -----

// Of constant weights, the next panel is asked for: 32 columns of 4 groups are 512 bytes, for two tiles 4 lines each.
// CHECK-LABEL: func @weights
//       CHECK: scf.for %[[PANEL:[a-z0-9]+]] = %c0 to %c2 step %c1
//       CHECK:   scf.for %[[ROW:[a-z0-9]+]] = %c0 to %c48 step %c24
//       CHECK:     %[[NEXT:.*]] = affine.apply {{.*}}(%[[PANEL]])
// CHECK-COUNT-4:   memref.prefetch %{{.*}}[%[[NEXT]], %c0, %{{.*}}], read
//   CHECK-NOT:     memref.prefetch
//       CHECK:     vector.contract
func.func @weights(%a: tensor<48x16xi8>, %c: tensor<48x64xi32>) -> tensor<48x64xi32> {
  %b = arith.constant dense<"0x0B30557A9FC4E913385D82A7CCF11B40658AAFD4F923486D92B7DC062B50759ABFE40E33587DA2C7EC163B6085AACFF41E43688DB2D701264B7095BADF092E53789DC2E711365B80A5CAEF193E6388ADD2F721466B90B5DA04294E7398BDE20C31567BA0C5EA14395E83A8CDF21C41668BB0D5FA24496E93B8DD072C51769BC0E50F34597EA3C8ED173C6186ABD0F51F44698EB3D802274C7196BBE00A2F54799EC3E812375C81A6CBF01A3F6489AED3F822476C91B6DB052A4F7499BEE30D32577CA1C6EB153A5F84A9CEF31D42678CB1D600254A6F94B9DE082D52779CC1E610355A7FA4C9EE183D6287ACD1F620456A8FB4D903284D7297BCE10B30557A9FC4E913385D82A7CCF11B40658AAFD4F923486D92B7DC062B50759ABFE40E33587DA2C7EC163B6085AACFF41E43688DB2D701264B7095BADF092E53789DC2E711365B80A5CAEF193E6388ADD2F721466B90B5DA04294E7398BDE20C31567BA0C5EA14395E83A8CDF21C41668BB0D5FA24496E93B8DD072C51769BC0E50F34597EA3C8ED173C6186ABD0F51F44698EB3D802274C7196BBE00A2F54799EC3E812375C81A6CBF01A3F6489AED3F822476C91B6DB052A4F7499BEE30D32577CA1C6EB153A5F84A9CEF31D42678CB1D600254A6F94B9DE082D52779CC1E610355A7FA4C9EE183D6287ACD1F620456A8FB4D903284D7297BCE10B30557A9FC4E913385D82A7CCF11B40658AAFD4F923486D92B7DC062B50759ABFE40E33587DA2C7EC163B6085AACFF41E43688DB2D701264B7095BADF092E53789DC2E711365B80A5CAEF193E6388ADD2F721466B90B5DA04294E7398BDE20C31567BA0C5EA14395E83A8CDF21C41668BB0D5FA24496E93B8DD072C51769BC0E50F34597EA3C8ED173C6186ABD0F51F44698EB3D802274C7196BBE00A2F54799EC3E812375C81A6CBF01A3F6489AED3F822476C91B6DB052A4F7499BEE30D32577CA1C6EB153A5F84A9CEF31D42678CB1D600254A6F94B9DE082D52779CC1E610355A7FA4C9EE183D6287ACD1F620456A8FB4D903284D7297BCE10B30557A9FC4E913385D82A7CCF11B40658AAFD4F923486D92B7DC062B50759ABFE40E33587DA2C7EC163B6085AACFF41E43688DB2D701264B7095BADF092E53789DC2E711365B80A5CAEF193E6388ADD2F721466B90B5DA04294E7398BDE20C31567BA0C5EA14395E83A8CDF21C41668BB0D5FA24496E93B8DD072C51769BC0E50F34597EA3C8ED173C6186ABD0F51F44698EB3D802274C7196BBE00A2F54799EC3E812375C81A6CBF01A3F6489AED3F822476C91B6DB052A4F7499BEE30D32577CA1C6EB153A5F84A9CEF31D42678CB1D600254A6F94B9DE082D52779CC1E610355A7FA4C9EE183D6287ACD1F620456A8FB4D903284D7297BCE10B30557A9FC4E913385D82A7CCF11B40658AAFD4"> : tensor<16x64xi8>
  %r = linalg.matmul ins(%a, %b : tensor<48x16xi8>, tensor<16x64xi8>) outs(%c : tensor<48x64xi32>) -> tensor<48x64xi32>
  return %r : tensor<48x64xi32>
}
