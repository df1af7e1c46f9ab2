// RUN: dl-opt %s --dl-attach-target=target-cpu=haswell --linalg-lower-contractions --canonicalize --cse --split-input-file | FileCheck %s

// Two tiles of six rows use a panel of two steps of 16 columns. So each step asks for an element 8 after that before,
// of the next panel, and each row begins 2 later: all of it, but for the end, is asked for.
// CHECK-DAG: #[[NEXT:.*]] = affine_map<(d0) -> (d0 + 1)>
// CHECK-DAG: #[[PLACE:.*]] = affine_map<(d0, d1) -> (d0 * 2 + d1 * 8)>
// CHECK-LABEL: func @weights
//       CHECK: %[[PANELS:.*]] = arith.constant dense<{{.*}}> : tensor<3x2x16xf32>
//       CHECK: %[[BUFFER:.*]] = bufferization.to_buffer %[[PANELS]] read_only : tensor<3x2x16xf32> to memref<3x2x16xf32>
//       CHECK: scf.for %[[PANEL:.*]] = %c0 to %c3
//       CHECK:   scf.for %[[ROW:.*]] = %c0 to %c12 step %c6
//       CHECK:     scf.for %[[K:[a-z0-9]+]] = %c0 to %c2
//       CHECK:       %[[AT:.*]] = affine.apply #[[PLACE]](%[[ROW]], %[[K]])
//       CHECK:       %[[AFTER:.*]] = affine.apply #[[NEXT]](%[[PANEL]])
//       CHECK:       memref.prefetch %[[BUFFER]][%[[AFTER]], %c0, %[[AT]]], read, locality<2>, data : memref<3x2x16xf32>
//       CHECK:       vector.fma
func.func @weights(%a: tensor<12x2xf32>, %c: tensor<12x48xf32>) -> tensor<12x48xf32> {
  %b = arith.constant dense<"0x0000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A040"> : tensor<2x48xf32>
  %r = linalg.matmul ins(%a, %b : tensor<12x2xf32>, tensor<2x48xf32>) outs(%c : tensor<12x48xf32>) -> tensor<12x48xf32>
  return %r : tensor<12x48xf32>
}

// -----

// There are so many tiles that the wait of the first one does not count.
// CHECK-LABEL: func @many_rows
//   CHECK-NOT: memref.prefetch
func.func @many_rows(%a: tensor<1200x1xf32>, %c: tensor<1200x48xf32>) -> tensor<1200x48xf32> {
  %b = arith.constant dense<"0x0000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C040"> : tensor<1x48xf32>
  %r = linalg.matmul ins(%a, %b : tensor<1200x1xf32>, tensor<1x48xf32>) outs(%c : tensor<1200x48xf32>) -> tensor<1200x48xf32>
  return %r : tensor<1200x48xf32>
}

// -----

// What is packed when running has no next panel yet, and stays in the second-level cache where it lies.
// CHECK-LABEL: func @packed_when_running
//   CHECK-NOT: memref.prefetch
func.func @packed_when_running(%a: tensor<60x100xf32>, %b: tensor<100x100xf32>, %c: tensor<60x100xf32>) -> tensor<60x100xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<60x100xf32>, tensor<100x100xf32>) outs(%c : tensor<60x100xf32>) -> tensor<60x100xf32>
  return %r : tensor<60x100xf32>
}

// -----

// 160 KB do not stay there, half of which is 128: the columns that the next panel is filled with are asked for, at each step a cache line, which is all of them.
// CHECK-DAG: #[[BEHIND:.*]] = affine_map<(d0) -> (d0 * 16 + 16)>
// CHECK-LABEL: func @columns
//  CHECK-SAME: %[[B:[a-z0-9]*]]: tensor<200x200xf32>
//       CHECK: %[[BUFFER:.*]] = bufferization.to_buffer %[[B]] read_only : tensor<200x200xf32> to memref<200x200xf32>
//       CHECK: scf.for %[[PANEL:[a-z0-9]+]] = %c0 to %c12
//       CHECK:   scf.for %{{.*}} = %c6 to %c60 step %c6
//       CHECK:     scf.for %[[K:[a-z0-9]+]] = %c0 to %c200
//       CHECK:       %[[COLUMN:.*]] = affine.apply #[[BEHIND]](%[[PANEL]])
//       CHECK:       memref.prefetch %[[BUFFER]][%[[K]], %[[COLUMN]]], read, locality<2>, data : memref<200x200xf32>
func.func @columns(%a: tensor<60x200xf32>, %b: tensor<200x200xf32>, %c: tensor<60x200xf32>) -> tensor<60x200xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<60x200xf32>, tensor<200x200xf32>) outs(%c : tensor<60x200xf32>) -> tensor<60x200xf32>
  return %r : tensor<60x200xf32>
}

// -----

// Two steps at a time of a panel of four cache lines: each of eight tiles asks for another one.
// CHECK-DAG: #[[STEP:.*]] = affine_map<(d0) -> ((d0 floordiv 6) mod 2)>
// CHECK-DAG: #[[LINE:.*]] = affine_map<(d0) -> ((((d0 floordiv 6) mod 8) floordiv 2) * 16)>
// CHECK-DAG: #[[BEHIND:.*]] = affine_map<(d0) -> (d0 + 64)>
// CHECK-DAG: #[[TWICE:.*]] = affine_map<(d0) -> (d0 * 2)>
// CHECK-LABEL: func @lines_by_tile
//       CHECK: scf.for %[[PANEL:[a-z0-9]+]] = %c0 to %c2
//       CHECK:   scf.for %[[ROW:[a-z0-9]+]] = %c6 to %c48 step %c6
//       CHECK:     scf.for %[[K:[a-z0-9]+]] = %c0 to %c16
//   CHECK-DAG:       %[[PAIR:.*]] = affine.apply #[[TWICE]](%[[K]])
//   CHECK-DAG:       %[[WITHIN:.*]] = affine.apply #[[STEP]](%[[ROW]])
//   CHECK-DAG:       %[[AT:.*]] = affine.apply #[[LINE]](%[[ROW]])
//   CHECK-DAG:       %[[DEPTH:.*]] = arith.addi %[[PAIR]], %[[WITHIN]]
//   CHECK-DAG:       %[[SUM:.*]] = arith.addi %{{.*}}, %[[AT]]
//   CHECK-DAG:       %[[COLUMN:.*]] = affine.apply #[[BEHIND]](%[[SUM]])
//       CHECK:       memref.prefetch %{{.*}}[%[[DEPTH]], %[[COLUMN]]], read, locality<2>, data : memref<32x128xf32>
//   CHECK-NOT:       memref.prefetch
#wide = #dl.target<cpu = "wide", arch = "x86_64", vector_bits = 512, vector_registers = 32, l1d = 512, l1d_ways = 8, l2 = 16384, l2_ways = 8, l3 = 65536, l3_ways = 16, cores = 1, features = "fma">
module attributes {dl.target = #wide} {
  func.func @lines_by_tile(%a: tensor<48x32xf32>, %b: tensor<32x128xf32>, %c: tensor<48x128xf32>) -> tensor<48x128xf32> {
    %r = linalg.matmul ins(%a, %b : tensor<48x32xf32>, tensor<32x128xf32>) outs(%c : tensor<48x128xf32>) -> tensor<48x128xf32>
    return %r : tensor<48x128xf32>
  }
}

// -----

// Panels of 8 steps of 8 columns are 256 bytes, and two have no room in 512: the depth goes by in two parts, and the sums wait in the result. Behind
// the first part of a panel there is the second, behind that the next panel. Each step asks for an element 4 after that before.
// CHECK-DAG: #[[SECOND:.*]] = affine_map<(d0, d1) -> (d0 * 2 + d1 * 4 + 32)>
// CHECK-DAG: #[[NEXT:.*]] = affine_map<(d0, d1) -> (d0 * 2 + d1 * 4 + 64)>
// CHECK-LABEL: func @deep
//  CHECK-SAME: %[[C:[a-z0-9]*]]: tensor<12x24xf32>)
//       CHECK: scf.for %[[PANEL:[a-z0-9]+]] = %c0 to %c3 step %c1 iter_args(%[[BEFORE:[a-z0-9]+]] = %[[C]])
//       CHECK:   %[[PART:.*]] = scf.for %[[ROW:[a-z0-9]+]] = %c0 to %c12 step %c6 iter_args(%[[ROWS:[a-z0-9]+]] = %[[BEFORE]])
//       CHECK:     vector.transfer_read %[[ROWS]][%[[ROW]],
//       CHECK:     scf.for %[[K:[a-z0-9]+]] = %c0 to %c4 step
//       CHECK:       %[[AT:.*]] = affine.apply #[[SECOND]](%[[ROW]], %[[K]])
//       CHECK:       memref.prefetch %{{.*}}[%[[PANEL]], %c0, %[[AT]]]
//   CHECK-NOT:       memref.prefetch
//       CHECK:     vector.transfer_write
//       CHECK:   scf.for %[[ROW:[a-z0-9]+]] = %c0 to %c12 step %c6 iter_args(%[[ROWS:[a-z0-9]+]] = %[[PART]])
//       CHECK:     vector.transfer_read %[[ROWS]][%[[ROW]],
//       CHECK:     scf.for %[[K:[a-z0-9]+]] = %c0 to %c4 step
//       CHECK:       %[[AT:.*]] = affine.apply #[[NEXT]](%[[ROW]], %[[K]])
//       CHECK:       memref.prefetch %{{.*}}[%[[PANEL]], %c0, %[[AT]]]
#small = #dl.target<cpu = "small", arch = "x86_64", vector_bits = 128, vector_registers = 16, l1d = 256, l1d_ways = 8, l2 = 512, l2_ways = 8, l3 = 65536, l3_ways = 16, cores = 1, features = "fma">
module attributes {dl.target = #small} {
  func.func @deep(%a: tensor<12x8xf32>, %c: tensor<12x24xf32>) -> tensor<12x24xf32> {
    %b = arith.constant dense<"0x0000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040"> : tensor<8x24xf32>
    %r = linalg.matmul ins(%a, %b : tensor<12x8xf32>, tensor<8x24xf32>) outs(%c : tensor<12x24xf32>) -> tensor<12x24xf32>
    return %r : tensor<12x24xf32>
  }
}

// -----

// Rows go by in blocks of 12. Each asks for the next panel anew, so rows count from the first one of the block.
// CHECK-DAG: #[[PLACE:.*]] = affine_map<(d0, d1, d2) -> (d0 * 4 + d1 * 5 - d2 * 5)>
// CHECK-LABEL: func @blocks
//       CHECK: scf.for %[[BLOCK:[a-z0-9]+]] = %c0 to %c24 step %c12
//       CHECK:   scf.for %[[PANEL:[a-z0-9]+]] = %c0 to %c3 step %c1
//       CHECK:     scf.for %[[ROW:[a-z0-9]+]] = %[[BLOCK]] to %{{.*}} step %c6
//       CHECK:       scf.for %[[K:[a-z0-9]+]] = %c0 to %c8 step
//       CHECK:         %[[AT:.*]] = affine.apply #[[PLACE]](%[[K]], %[[ROW]], %[[BLOCK]])
//       CHECK:         memref.prefetch %{{.*}}[%{{.*}}, %c0, %[[AT]]]
#small = #dl.target<cpu = "small", arch = "x86_64", vector_bits = 128, vector_registers = 16, l1d = 256, l1d_ways = 8, l2 = 1024, l2_ways = 8, l3 = 1536, l3_ways = 16, cores = 1, features = "fma">
module attributes {dl.target = #small} {
  func.func @blocks(%a: tensor<24x8xf32>, %c: tensor<24x24xf32>) -> tensor<24x24xf32> {
    %b = arith.constant dense<"0x0000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040000080400000A0400000C0400000E0400000803F0000004000004040"> : tensor<8x24xf32>
    %r = linalg.matmul ins(%a, %b : tensor<24x8xf32>, tensor<8x24xf32>) outs(%c : tensor<24x24xf32>) -> tensor<24x24xf32>
    return %r : tensor<24x24xf32>
  }
}

// -----

// Rows of 1.5 KiB do not stay in a second-level cache of 1 KiB, and each panel that is filled reads all of them. Eight steps of six rows ask for an element 6 after that
// before, from the rows of the next tile on: for 48, which is all of these.
// CHECK-DAG: #[[PLACE:.*]] = affine_map<(d0) -> (d0 * 6)>
// CHECK-DAG: #[[BEHIND:.*]] = affine_map<(d0) -> (d0 + 6)>
// CHECK-LABEL: func @rows
//  CHECK-SAME: %[[A:[a-z0-9]*]]: tensor<48x8xf32>
//       CHECK: %[[BUFFER:.*]] = bufferization.to_buffer %[[A]] read_only : tensor<48x8xf32> to memref<48x8xf32>
//       CHECK: scf.for %{{.*}} = %c0 to %c3
//       CHECK:   scf.for %[[ROW:[a-z0-9]+]] = %c6 to %c48 step %c6
//       CHECK:     scf.for %[[K:[a-z0-9]+]] = %c0 to %c8
//       CHECK:       %[[AT:.*]] = affine.apply #[[PLACE]](%[[K]])
//       CHECK:       %[[AFTER:.*]] = affine.apply #[[BEHIND]](%[[ROW]])
//       CHECK:       memref.prefetch %[[BUFFER]][%[[AFTER]], %[[AT]]], read, locality<2>, data : memref<48x8xf32>
//   CHECK-NOT:       memref.prefetch
#small = #dl.target<cpu = "small", arch = "x86_64", vector_bits = 128, vector_registers = 16, l1d = 256, l1d_ways = 8, l2 = 1024, l2_ways = 8, l3 = 65536, l3_ways = 16, cores = 1, features = "fma">
module attributes {dl.target = #small} {
  func.func @rows(%a: tensor<48x8xf32>, %b: tensor<8x24xf32>, %c: tensor<48x24xf32>) -> tensor<48x24xf32> {
    %r = linalg.matmul ins(%a, %b : tensor<48x8xf32>, tensor<8x24xf32>) outs(%c : tensor<48x24xf32>) -> tensor<48x24xf32>
    return %r : tensor<48x24xf32>
  }
}

// -----

// One panel of three vectors lies as it is read, 768 KiB, of which several tiles would read from the last-level cache: half of it goes by at a time.
// CHECK-LABEL: func @parts_where_they_lie
//  CHECK-SAME: %[[B:[a-z0-9]*]]: tensor<4096x48xf32>
//       CHECK: %[[BEGUN:.*]] = scf.for %{{.*}} = %c0 to %c48 step %c8
//       CHECK:   scf.for %[[PAIR:[a-z0-9]+]] = %c0 to %c1024
//       CHECK:     %[[K:.*]] = affine.apply #{{.*}}(%[[PAIR]])
//       CHECK:     vector.transfer_read %[[B]][%[[K]], %c0]
//       CHECK:     vector.transfer_read %[[B]][%[[K]], %c32]
//       CHECK: scf.for %{{.*}} = %c0 to %c48 step %c8 iter_args(%{{.*}} = %[[BEGUN]])
//       CHECK:   scf.for %{{.*}} = %c0 to %c1024
//   CHECK-NOT: memref.prefetch
#large = #dl.target<cpu = "large", arch = "x86_64", vector_bits = 512, vector_registers = 32, l1d = 49152, l1d_ways = 12, l2 = 1048576, l2_ways = 16, l3 = 33554432, l3_ways = 16, cores = 1, features = "fma">
module attributes {dl.target = #large} {
  func.func @parts_where_they_lie(%a: tensor<48x4096xf32>, %b: tensor<4096x48xf32>, %c: tensor<48x48xf32>) -> tensor<48x48xf32> {
    %r = linalg.matmul ins(%a, %b : tensor<48x4096xf32>, tensor<4096x48xf32>) outs(%c : tensor<48x48xf32>) -> tensor<48x48xf32>
    return %r : tensor<48x48xf32>
  }
}
