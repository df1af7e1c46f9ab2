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

// What is packed when running has no next panel yet.
// CHECK-LABEL: func @packed_when_running
//   CHECK-NOT: memref.prefetch
func.func @packed_when_running(%a: tensor<60x200xf32>, %b: tensor<200x200xf32>, %c: tensor<60x200xf32>) -> tensor<60x200xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<60x200xf32>, tensor<200x200xf32>) outs(%c : tensor<60x200xf32>) -> tensor<60x200xf32>
  return %r : tensor<60x200xf32>
}
