// RUN: dl-opt %s --linalg-fold-into-elementwise | FileCheck %s

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[$P:.*]] = affine_map<(d0, d1, d2) -> (d2, d0, d1)>

// Dimension i of the transposition is dimension permutation[i] of its input.
// CHECK-LABEL: func.func @rotated
//  CHECK-SAME:   (%[[X:.*]]: tensor<4x2x3xf32>
// CHECK-NOT: linalg.transpose
// CHECK: linalg.elementwise kind=#linalg.elementwise_kind<exp> indexing_maps = [#[[$P]], #[[$ID]]] ins(%[[X]]
func.func @rotated(%x: tensor<4x2x3xf32>, %e: tensor<2x3x4xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %t = linalg.transpose ins(%x : tensor<4x2x3xf32>) outs(%e : tensor<2x3x4xf32>) permutation = [1, 2, 0]
  %r = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%t : tensor<2x3x4xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// Operands with maps of their own stay.
// CHECK-LABEL: func.func @has_a_map
// CHECK: linalg.transpose
func.func @has_a_map(%x: tensor<3x2xf32>, %e: tensor<2x3xf32>, %o: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %t = linalg.transpose ins(%x : tensor<3x2xf32>) outs(%e : tensor<2x3xf32>) permutation = [1, 0]
  %r = linalg.elementwise kind=#linalg.elementwise_kind<exp>
      indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>]
      ins(%t : tensor<2x3xf32>) outs(%o : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
