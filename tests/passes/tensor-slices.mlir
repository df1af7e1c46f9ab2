// RUN: dl-opt %s --split-input-file --tensor-merge-slices --mlir-print-local-scope | FileCheck %s --check-prefix=MERGE
// RUN: dl-opt %s --split-input-file --tensor-fold-reshapes-into-slices | FileCheck %s --check-prefix=RESHAPE
// RUN: dl-opt %s --split-input-file --tensor-fold-constants | FileCheck %s --check-prefix=CONST
// RUN: dl-opt %s --split-input-file --tensor-fold-constants=max-elements=1 | FileCheck %s --check-prefix=LIMIT
// RUN: dl-opt %s --split-input-file --tensor-decompose-concat | FileCheck %s --check-prefix=CONCAT
// RUN: dl-opt %s --split-input-file --tensor-fold-empty | FileCheck %s --check-prefix=EMPTY
// RUN: dl-opt %s --split-input-file --tensor-merge-slices --tensor-fold-reshapes-into-slices --tensor-fold-constants --tensor-decompose-concat --tensor-fold-empty --oracle=each-pass

// Element i of the second slice is element 2 * i + 1 of the first, which is element 3 * (2 * i + 1) + 1.
// MERGE-LABEL: func.func @slice_of_slice
//       MERGE:   tensor.extract_slice %{{.*}}[4, 2] [2, 3] [6, 1] : tensor<20x9xf32> to tensor<2x3xf32>
//   MERGE-NOT:   tensor.extract_slice
//       MERGE:   return
func.func @slice_of_slice(%t: tensor<20x9xf32>) -> tensor<2x3xf32> {
  %0 = tensor.extract_slice %t[1, 1] [5, 6] [3, 1] : tensor<20x9xf32> to tensor<5x6xf32>
  %1 = tensor.extract_slice %0[1, 1] [2, 3] [2, 1] : tensor<5x6xf32> to tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// MERGE-LABEL: func.func @slice_of_row
//  MERGE-SAME:   (%{{.*}}: tensor<4x?xf32>, %[[I:.*]]: index, %[[J:.*]]: index)
//       MERGE:   %[[AT:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 + s1)>()[%[[J]], %[[I]]]
//       MERGE:   tensor.extract_slice %{{.*}}[2, %[[AT]]] [1, 3] [1, 1] : tensor<4x?xf32> to tensor<3xf32>
func.func @slice_of_row(%t: tensor<4x?xf32>, %i: index, %j: index) -> tensor<3xf32> {
  %0 = tensor.extract_slice %t[2, %i] [1, 5] [1, 1] : tensor<4x?xf32> to tensor<5xf32>
  %1 = tensor.extract_slice %0[%j] [3] [1] : tensor<5xf32> to tensor<3xf32>
  return %1 : tensor<3xf32>
}

// Part of what is inserted second was there before.
// MERGE-LABEL: func.func @part_inserted
// MERGE-COUNT-2: tensor.insert_slice
func.func @part_inserted(%a: tensor<2xf32>, %b: tensor<4xf32>, %c: tensor<9xf32>) -> tensor<9xf32> {
  %0 = tensor.insert_slice %a into %b[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %1 = tensor.insert_slice %0 into %c[3] [4] [1] : tensor<4xf32> into tensor<9xf32>
  return %1 : tensor<9xf32>
}

// -----

// RESHAPE-LABEL: func.func @dimension_comes_back
//       RESHAPE:   %[[S:.*]] = tensor.extract_slice %{{.*}}[0, 1, 0] [2, 1, 5] [1, 1, 1] : tensor<4x3x5xf32> to tensor<2x1x5xf32>
//       RESHAPE:   return %[[S]]
func.func @dimension_comes_back(%t: tensor<4x3x5xf32>) -> tensor<2x1x5xf32> {
  %0 = tensor.extract_slice %t[0, 1, 0] [2, 1, 5] [1, 1, 1] : tensor<4x3x5xf32> to tensor<2x5xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 1, 5] : tensor<2x5xf32> into tensor<2x1x5xf32>
  return %1 : tensor<2x1x5xf32>
}

// RESHAPE-LABEL: func.func @dimension_goes
//       RESHAPE:   %[[S:.*]] = tensor.extract_slice %{{.*}}[0, 1, 0] [2, 1, 5] [1, 1, 1] : tensor<4x3x5xf32> to tensor<2x5xf32>
//       RESHAPE:   return %[[S]]
func.func @dimension_goes(%t: tensor<4x3x5xf32>) -> tensor<2x5xf32> {
  %0 = tensor.extract_slice %t[0, 1, 0] [2, 1, 5] [1, 1, 1] : tensor<4x3x5xf32> to tensor<2x1x5xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x1x5xf32> into tensor<2x5xf32>
  return %1 : tensor<2x5xf32>
}

// RESHAPE-LABEL: func.func @dimensions_merge
//       RESHAPE:   tensor.collapse_shape
func.func @dimensions_merge(%t: tensor<4x3x5xf32>) -> tensor<6x5xf32> {
  %0 = tensor.extract_slice %t[0, 0, 0] [2, 3, 5] [1, 1, 1] : tensor<4x3x5xf32> to tensor<2x3x5xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  return %1 : tensor<6x5xf32>
}

// RESHAPE-LABEL: func.func @insert_with_dimension
//  RESHAPE-SAME:   (%[[A:.*]]: tensor<2x5xf32>, %[[B:.*]]: tensor<2x1x5xf32>, %[[T:.*]]: tensor<4x3x5xf32>)
//       RESHAPE:   %[[ONE:.*]] = tensor.insert_slice %[[A]] into %[[T]][0, 1, 0] [2, 1, 5] [1, 1, 1] : tensor<2x5xf32>
//       RESHAPE:   tensor.insert_slice %[[B]] into %[[ONE]][2, 1, 0] [2, 1, 5] [1, 1, 1] : tensor<2x1x5xf32>
func.func @insert_with_dimension(%a: tensor<2x5xf32>, %b: tensor<2x1x5xf32>, %t: tensor<4x3x5xf32>) -> tensor<4x3x5xf32> {
  %0 = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 1, 5] : tensor<2x5xf32> into tensor<2x1x5xf32>
  %1 = tensor.insert_slice %0 into %t[0, 1, 0] [2, 1, 5] [1, 1, 1] : tensor<2x1x5xf32> into tensor<4x3x5xf32>
  %2 = tensor.collapse_shape %b [[0, 1], [2]] : tensor<2x1x5xf32> into tensor<2x5xf32>
  %3 = tensor.insert_slice %2 into %1[2, 1, 0] [2, 1, 5] [1, 1, 1] : tensor<2x5xf32> into tensor<4x3x5xf32>
  return %3 : tensor<4x3x5xf32>
}

// -----

// CONST-LABEL: func.func @slices
//   CONST-DAG:   %[[A:.*]] = arith.constant dense<{{\[}}[6, 8], [10, 12]]> : tensor<2x2xi32>
//   CONST-DAG:   %[[B:.*]] = arith.constant dense<[1, 5, 9]> : tensor<3xi32>
//       CONST:   return %[[A]], %[[B]]
// LIMIT-LABEL: func.func @slices
// LIMIT-COUNT-2: tensor.extract_slice
func.func @slices() -> (tensor<2x2xi32>, tensor<3xi32>) {
  %c = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]> : tensor<3x4xi32>
  %0 = tensor.extract_slice %c[1, 1] [2, 2] [1, 2] : tensor<3x4xi32> to tensor<2x2xi32>
  %1 = tensor.extract_slice %c[0, 0] [3, 1] [1, 1] : tensor<3x4xi32> to tensor<3xi32>
  return %0, %1 : tensor<2x2xi32>, tensor<3xi32>
}

// The constant stays, or its slices are more than it is.
// CONST-LABEL: func.func @needed
// CONST-COUNT-3: tensor.extract_slice
func.func @needed() -> (tensor<3xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %c = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %d = arith.constant dense<[4, 5, 6]> : tensor<3xi32>
  %0 = tensor.extract_slice %c[0] [2] [1] : tensor<3xi32> to tensor<2xi32>
  %1 = tensor.extract_slice %d[0] [2] [1] : tensor<3xi32> to tensor<2xi32>
  %2 = tensor.extract_slice %d[1] [2] [1] : tensor<3xi32> to tensor<2xi32>
  return %c, %0, %1, %2 : tensor<3xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}

// CONST-LABEL: func.func @columns
//       CONST:   %[[C:.*]] = arith.constant dense<{{\[}}[1, 2, 5], [3, 4, 6]]> : tensor<2x3xi32>
//       CONST:   return %[[C]]
func.func @columns() -> tensor<2x3xi32> {
  %a = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %b = arith.constant dense<[[5], [6]]> : tensor<2x1xi32>
  %0 = tensor.concat dim(1) %a, %b : (tensor<2x2xi32>, tensor<2x1xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// A splat is one number however large.
// CONST-LABEL: func.func @splat
//       CONST:   tensor.concat
func.func @splat() -> tensor<4x2xi32> {
  %a = arith.constant dense<0> : tensor<3x2xi32>
  %b = arith.constant dense<[[5, 6]]> : tensor<1x2xi32>
  %0 = tensor.concat dim(0) %a, %b : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<4x2xi32>
  return %0 : tensor<4x2xi32>
}

// -----

// CONCAT-LABEL: func.func @concat
//  CONCAT-SAME:   (%[[A:.*]]: tensor<2x3xf32>, %[[B:.*]]: tensor<2x?xf32>)
//       CONCAT:   %[[N:.*]] = tensor.dim %[[B]]
//       CONCAT:   %[[E:.*]] = tensor.empty(%{{.*}}) : tensor<2x?xf32>
//       CONCAT:   %[[ONE:.*]] = tensor.insert_slice %[[A]] into %[[E]][0, 0] [2, 3] [1, 1]
//       CONCAT:   %[[TWO:.*]] = tensor.insert_slice %[[B]] into %[[ONE]][0, 3] [2, %[[N]]] [1, 1]
//       CONCAT:   return %[[TWO]]
func.func @concat(%a: tensor<2x3xf32>, %b: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %0 = tensor.concat dim(1) %a, %b : (tensor<2x3xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// EMPTY-LABEL: func.func @empty
//       EMPTY:   %[[E:.*]] = tensor.empty() : tensor<6xf32>
//       EMPTY:   return %[[E]]
func.func @empty() -> tensor<6xf32> {
  %e = tensor.empty() : tensor<2x5xf32>
  %0 = tensor.extract_slice %e[0, 1] [2, 3] [1, 1] : tensor<2x5xf32> to tensor<2x3xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  return %1 : tensor<6xf32>
}
