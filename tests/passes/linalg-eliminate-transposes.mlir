// RUN: dl-opt %s --linalg-eliminate-transposes --oracle=each-pass --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @read_by_columns
//  CHECK-SAME:   (%[[A:.*]]: tensor<3x2xf32>, %[[B:.*]]: tensor<3x4xf32>, %[[C:.*]]: tensor<2x4xf32>)
//   CHECK-NOT:   linalg.transpose
//       CHECK:   linalg.matmul
//  CHECK-SAME:     affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>
//  CHECK-SAME:     ins(%[[A]], %[[B]] : tensor<3x2xf32>, tensor<3x4xf32>) outs(%[[C]]
func.func @read_by_columns(%a: tensor<3x2xf32>, %b: tensor<3x4xf32>, %c: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %t = linalg.transpose ins(%a : tensor<3x2xf32>) outs(%e : tensor<2x3xf32>) permutation = [1, 0]
  %0 = linalg.matmul ins(%t, %b : tensor<2x3xf32>, tensor<3x4xf32>) outs(%c : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// (A^T B^T)^T is B A.
// CHECK-LABEL: func.func @all_transposed
//  CHECK-SAME:   (%[[A:.*]]: tensor<3x2xf32>, %[[B:.*]]: tensor<4x3xf32>)
//   CHECK-NOT:   linalg.transpose
//       CHECK:   %[[Z:.*]] = linalg.fill {{.*}} -> tensor<4x2xf32>
//       CHECK:   linalg.matmul ins(%[[B]], %[[A]] : tensor<4x3xf32>, tensor<3x2xf32>) outs(%[[Z]] : tensor<4x2xf32>)
func.func @all_transposed(%a: tensor<3x2xf32>, %b: tensor<4x3xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<2x3xf32>
  %eb = tensor.empty() : tensor<3x4xf32>
  %ec = tensor.empty() : tensor<2x4xf32>
  %ed = tensor.empty() : tensor<4x2xf32>
  %ta = linalg.transpose ins(%a : tensor<3x2xf32>) outs(%ea : tensor<2x3xf32>) permutation = [1, 0]
  %tb = linalg.transpose ins(%b : tensor<4x3xf32>) outs(%eb : tensor<3x4xf32>) permutation = [1, 0]
  %z = linalg.fill ins(%zero : f32) outs(%ec : tensor<2x4xf32>) -> tensor<2x4xf32>
  %0 = linalg.matmul ins(%ta, %tb : tensor<2x3xf32>, tensor<3x4xf32>) outs(%z : tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = linalg.transpose ins(%0 : tensor<2x4xf32>) outs(%ed : tensor<4x2xf32>) permutation = [1, 0]
  return %1 : tensor<4x2xf32>
}

// A batch comes first in every operand.
// CHECK-LABEL: func.func @batches
//       CHECK:   linalg.transpose
//       CHECK:   linalg.batch_matmul ins(
func.func @batches(%a: tensor<2x5x3xf32>, %b: tensor<5x3x4xf32>, %c: tensor<5x2x4xf32>) -> tensor<5x2x4xf32> {
  %e = tensor.empty() : tensor<5x2x3xf32>
  %t = linalg.transpose ins(%a : tensor<2x5x3xf32>) outs(%e : tensor<5x2x3xf32>) permutation = [1, 0, 2]
  %0 = linalg.batch_matmul ins(%t, %b : tensor<5x2x3xf32>, tensor<5x3x4xf32>) outs(%c : tensor<5x2x4xf32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}

// Two transpositions around an element-wise nest: it reads and writes the tensor as it lies.
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @through_elementwise
//  CHECK-SAME:   (%[[X:.*]]: tensor<2x3x4xf32>)
//   CHECK-NOT:   linalg.transpose
//       CHECK:   linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d1, d2, d0)>]
//  CHECK-SAME:     ins(%[[X]] : tensor<2x3x4xf32>) outs(%{{.*}} : tensor<2x3x4xf32>)
//   CHECK-NOT:   linalg.transpose
//       CHECK:   return
func.func @through_elementwise(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %e0 = tensor.empty() : tensor<4x2x3xf32>
  %e1 = tensor.empty() : tensor<2x3x4xf32>
  %t = linalg.transpose ins(%x : tensor<2x3x4xf32>) outs(%e0 : tensor<4x2x3xf32>) permutation = [2, 0, 1]
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%t : tensor<4x2x3xf32>) outs(%e0 : tensor<4x2x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.mulf %a, %a : f32
    linalg.yield %0 : f32
  } -> tensor<4x2x3xf32>
  %u = linalg.transpose ins(%y : tensor<4x2x3xf32>) outs(%e1 : tensor<2x3x4xf32>) permutation = [1, 2, 0]
  return %u : tensor<2x3x4xf32>
}

// The sum as it is, is needed, too; and what was there is added to.
// CHECK-LABEL: func.func @needed
// CHECK-COUNT-2: linalg.transpose
func.func @needed(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>) {
  %e = tensor.empty() : tensor<4x2xf32>
  %zero = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x4xf32>) -> tensor<2x4xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x4xf32>) outs(%z : tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = linalg.transpose ins(%0 : tensor<2x4xf32>) outs(%e : tensor<4x2xf32>) permutation = [1, 0]
  %2 = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x4xf32>) outs(%c : tensor<2x4xf32>) -> tensor<2x4xf32>
  %3 = linalg.transpose ins(%2 : tensor<2x4xf32>) outs(%e : tensor<4x2xf32>) permutation = [1, 0]
  return %0, %1, %3 : tensor<2x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>
}
