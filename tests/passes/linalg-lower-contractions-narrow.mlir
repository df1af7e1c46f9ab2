// RUN: dl-opt %s --dl-attach-target=target-cpu=skylake-avx512 --linalg-lower-contractions --canonicalize --cse --split-input-file | FileCheck %s

// Three columns are left: a vector has 16 steps of the depth of one of them, and a panel the four vectors of four columns, the last of which is not there. Of 37 steps five
// are left: zeros are beside them. A tile of seven rows has 21 vectors of sums, and those of a row are added up by twos, then the four sums of each column.
// CHECK-LABEL: func @three_columns
//  CHECK-SAME: (%[[A:.*]]: tensor<37x37xf32>, %[[B:.*]]: tensor<37x35xf32>, %[[C:.*]]: tensor<37x35xf32>)
//       CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<3x64xf32>
//       CHECK: %[[MASK:.*]] = vector.constant_mask [3] : vector<4xi1>
//       CHECK: %[[FULL:.*]] = scf.for %[[STEP:[a-z0-9]+]] = %c0 to %c2 step %c1 iter_args(%{{.*}} = %[[EMPTY]])
// CHECK-COUNT-16:  vector.transfer_read %[[B]][%{{.*}}, %c32], %{{.*}}, %[[MASK]] {in_bounds = [true]} : tensor<37x35xf32>, vector<4xf32>
//       CHECK:   %[[STEPS:.*]] = vector.interleave %{{.*}} : vector<32xf32> -> vector<64xf32>
//       CHECK:   vector.transfer_write %[[STEPS]], %{{.*}}[%[[STEP]], %c0]
// CHECK-COUNT-5: vector.transfer_read %[[B]][%{{.*}}, %c32], %{{.*}}, %[[MASK]]
//       CHECK: %[[PANEL:.*]] = vector.transfer_write %{{.*}}, %[[FULL]][%c2, %c0]
//       CHECK: vector.transfer_read %[[B]][%{{.*}}, %c0], %{{.*}} {in_bounds = [true]} : tensor<37x35xf32>, vector<16xf32>
//       CHECK: scf.for %[[ROW:[a-z0-9]+]] = %c0 to %c35 step %c7
//       CHECK:   %{{.*}}:21 = scf.for %[[K:[a-z0-9]+]] = %c0 to %c2
//       CHECK:     %[[READ:.*]] = vector.transfer_read %[[A]][%[[ROW]], %{{.*}}], %{{.*}} {in_bounds = [true]} : tensor<37x37xf32>, vector<16xf32>
//       CHECK:     %[[COLUMN:.*]] = vector.transfer_read %[[PANEL]][%[[K]], %c0], %{{.*}} {in_bounds = [true]} : tensor<3x64xf32>, vector<16xf32>
//       CHECK:     vector.fma %[[READ]], %[[COLUMN]], %{{.*}} : vector<16xf32>
//       CHECK:     vector.transfer_read %[[PANEL]][%[[K]], %c16]
//       CHECK:     vector.transfer_read %[[PANEL]][%[[K]], %c32]
//       CHECK:   %[[FIVE:.*]] = vector.constant_mask [5] : vector<16xi1>
//       CHECK:   vector.transfer_read %[[A]][%[[ROW]], %c32], %{{.*}}, %[[FIVE]] {in_bounds = [true]} : tensor<37x37xf32>, vector<16xf32>
//       CHECK:   %[[LOWER:.*]] = vector.shuffle %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23] : vector<16xf32>, vector<16xf32>
//       CHECK:   %[[UPPER:.*]] = vector.shuffle %{{.*}} [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31] : vector<16xf32>, vector<16xf32>
//       CHECK:   arith.addf %[[LOWER]], %[[UPPER]] : vector<16xf32>
//       CHECK:   vector.shuffle %{{.*}} [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] : vector<16xf32>, vector<16xf32>
//       CHECK:   vector.deinterleave %{{.*}} : vector<16xf32> -> vector<8xf32>
//       CHECK:   %[[EVEN:.*]], %[[ODD:.*]] = vector.deinterleave %{{.*}} : vector<8xf32> -> vector<4xf32>
//       CHECK:   %[[SUMS:.*]] = arith.addf %[[EVEN]], %[[ODD]] : vector<4xf32>
//       CHECK:   %[[INIT:.*]] = vector.transfer_read %{{.*}}[%[[ROW]], %c32], %{{.*}}, %[[MASK]] {in_bounds = [true]} : tensor<37x35xf32>, vector<4xf32>
//       CHECK:   %[[TOTAL:.*]] = arith.addf %[[INIT]], %[[SUMS]] : vector<4xf32>
//       CHECK:   vector.transfer_write %[[TOTAL]], %{{.*}}[%[[ROW]], %c32], %[[MASK]] {in_bounds = [true]} : vector<4xf32>, tensor<37x35xf32>
func.func @three_columns(%a: tensor<37x37xf32>, %b: tensor<37x35xf32>, %c: tensor<37x35xf32>) -> tensor<37x35xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<37x37xf32>, tensor<37x35xf32>) outs(%c : tensor<37x35xf32>) -> tensor<37x35xf32>
  return %r : tensor<37x35xf32>
}

// -----

// Ten columns are two tiles of five, and a depth of 903 three parts, so that their vectors stay in the first-level cache: sums of the first part wait in the result.
// CHECK-LABEL: func @in_parts
//  CHECK-SAME: (%[[A:.*]]: tensor<64x903xf32>
//       CHECK: scf.for %[[ROW:[a-z0-9]+]] = %c0 to %c64 step %c4
//       CHECK:   %{{.*}}:20 = scf.for %{{.*}} = %c0 to %c19
//       CHECK:   vector.transfer_write %{{.*}}[%[[ROW]], %c0], %{{.*}} : vector<8xf32>, tensor<64x10xf32>
//       CHECK:   %{{.*}}:20 = scf.for %{{.*}} = %c0 to %c19
//       CHECK:   vector.transfer_write %{{.*}}[%[[ROW]], %c5], %{{.*}} : vector<8xf32>, tensor<64x10xf32>
//       CHECK: scf.for %[[ROW:[a-z0-9]+]] = %c0 to %c64 step %c4
//       CHECK:   %{{.*}}:20 = scf.for %{{.*}} = %c0 to %c18
//       CHECK:   vector.transfer_read %[[A]][%[[ROW]], %c896]
//       CHECK:   %[[BEFORE:.*]] = vector.transfer_read %{{.*}}[%[[ROW]], %c0], %{{.*}} : tensor<64x10xf32>, vector<8xf32>
//       CHECK:   arith.addf %[[BEFORE]], %{{.*}} : vector<8xf32>
func.func @in_parts(%a: tensor<64x903xf32>, %b: tensor<903x10xf32>) -> tensor<64x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x10xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<64x10xf32>) -> tensor<64x10xf32>
  %r = linalg.matmul ins(%a, %b : tensor<64x903xf32>, tensor<903x10xf32>) outs(%c : tensor<64x10xf32>) -> tensor<64x10xf32>
  return %r : tensor<64x10xf32>
}

// -----

// The one column that is left has 16 steps in a vector. Those of each of a batch are copied in the loop over it.
// CHECK-LABEL: func @one_column
//  CHECK-SAME: (%[[A:.*]]: tensor<2x17x37xf32>
//       CHECK: scf.for %[[BATCH:[a-z0-9]+]] = %c0 to %c2
//       CHECK:   vector.transfer_write %{{.*}} : vector<16xf32>, tensor<3x16xf32>
//       CHECK:   vector.transfer_read %[[A]][%[[BATCH]], %{{.*}}, %{{.*}}], %{{.*}} {in_bounds = [true]} : tensor<2x17x37xf32>, vector<16xf32>
func.func @one_column(%a: tensor<2x17x37xf32>, %b: tensor<2x37x17xf32>, %c: tensor<2x17x17xf32>) -> tensor<2x17x17xf32> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<2x17x37xf32>, tensor<2x37x17xf32>) outs(%c : tensor<2x17x17xf32>) -> tensor<2x17x17xf32>
  return %r : tensor<2x17x17xf32>
}

// -----

// 000000000000803F0000004000004040000080400000A0400000C0400000E0400000004100001041000020410000304100004041000050410000604100007041000080410000884100009041000098410000A0410000A8410000B0410000B8410000C0410000C8410000D0410000D8410000E0410000E8410000F0410000F84100000042000004420000084200000C4200001042000014420000184200001C4200002042000024420000284200002C4200003042000034420000384200003C4200004042000044420000484200004C4200005042000054420000584200005C4200006042000064420000684200006C4200007042000074420000784200007C42000080420000824200008442000086420000884200008A4200008C4200008E42000090420000924200009442000096420000984200009A4200009C4200009E420000A0420000A2420000A4420000A6420000A8420000AA420000AC420000AE420000B0420000B2420000B4420000B6420000B8420000BA420000BC420000BE420000C0420000C2420000C4420000C6420000C8420000CA420000CC420000CE420000D0420000D2420000D4420000D6420000D8420000DA420000DC420000DE420000E0420000E2420000E4420000E6420000E8420000EA420000EC420000EE420000F0420000F2420000F4420000F6420000F8420000FA420000FC420000FE420000004300000143000002430000034300000443000005430000064300000743000008430000094300000A4300000B4300000C4300000D4300000E4300000F43eights: the ninth column is a panel of its own, of eight lanes.
// CHECK-LABEL: func @weights
//   CHECK-DAG: arith.constant dense<{{\[\[\[}}8.000000e+00, 1.700000e+01, 2.600000e+01, 3.500000e+01, 4.400000e+01, 5.300000e+01, 6.200000e+01, 7.100000e+01], [8.000000e+01, 8.900000e+01, {{.*}}]]]> : tensor<1x2x8xf32>
//   CHECK-NOT: vector.interleave
#narrow = #dl.target<cpu = "narrow", arch = "x86_64", vector_bits = 256, vector_registers = 16, l1d = 32768, l1d_ways = 8, l2 = 262144, l2_ways = 8, l3 = 1048576, l3_ways = 16, cores = 1, features = "fma">
module attributes {dl.target = #narrow} {
  func.func @weights(%a: tensor<18x16xf32>, %c: tensor<18x9xf32>) -> tensor<18x9xf32> {
    %b = arith.constant dense<"0x000000000000803F0000004000004040000080400000A0400000C0400000E0400000004100001041000020410000304100004041000050410000604100007041000080410000884100009041000098410000A0410000A8410000B0410000B8410000C0410000C8410000D0410000D8410000E0410000E8410000F0410000F84100000042000004420000084200000C4200001042000014420000184200001C4200002042000024420000284200002C4200003042000034420000384200003C4200004042000044420000484200004C4200005042000054420000584200005C4200006042000064420000684200006C4200007042000074420000784200007C42000080420000824200008442000086420000884200008A4200008C4200008E42000090420000924200009442000096420000984200009A4200009C4200009E420000A0420000A2420000A4420000A6420000A8420000AA420000AC420000AE420000B0420000B2420000B4420000B6420000B8420000BA420000BC420000BE420000C0420000C2420000C4420000C6420000C8420000CA420000CC420000CE420000D0420000D2420000D4420000D6420000D8420000DA420000DC420000DE420000E0420000E2420000E4420000E6420000E8420000EA420000EC420000EE420000F0420000F2420000F4420000F6420000F8420000FA420000FC420000FE420000004300000143000002430000034300000443000005430000064300000743000008430000094300000A4300000B4300000C4300000D4300000E4300000F43"> : tensor<16x9xf32>
    %r = linalg.matmul ins(%a, %b : tensor<18x16xf32>, tensor<16x9xf32>) outs(%c : tensor<18x9xf32>) -> tensor<18x9xf32>
    return %r : tensor<18x9xf32>
  }
}

// -----

// Ten columns of a depth of 40 take longer to add up, and 15 rows are too few: a mask.
// CHECK-LABEL: func @masked
//   CHECK-NOT: vector.deinterleave
//       CHECK: vector.constant_mask [10] : vector<16xi1>
func.func @masked(%a: tensor<20x40xf32>, %b: tensor<40x10xf32>, %c: tensor<20x10xf32>) -> tensor<20x10xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<20x40xf32>, tensor<40x10xf32>) outs(%c : tensor<20x10xf32>) -> tensor<20x10xf32>
  return %r : tensor<20x10xf32>
}

// -----

// CHECK-LABEL: func @few_rows
//   CHECK-NOT: vector.deinterleave
//       CHECK: vector.constant_mask [3] : vector<16xi1>
func.func @few_rows(%a: tensor<15x40xf32>, %b: tensor<40x19xf32>, %c: tensor<15x19xf32>) -> tensor<15x19xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<15x40xf32>, tensor<40x19xf32>) outs(%c : tensor<15x19xf32>) -> tensor<15x19xf32>
  return %r : tensor<15x19xf32>
}
