// RUN: dl-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @dim_of_static_extent(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<4x?xf32>
//  CHECK-NEXT:   %[[C1:.*]] = arith.constant 1 : index
//  CHECK-NEXT:   %[[C4:.*]] = arith.constant 4 : index
//  CHECK-NEXT:   %[[DIM:.*]] = tensor.dim %[[ARG0]], %[[C1]] : tensor<4x?xf32>
//  CHECK-NEXT:   return %[[C4]], %[[DIM]] : index, index
func.func @dim_of_static_extent(%t: tensor<4x?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.dim %t, %c0 : tensor<4x?xf32>
  %1 = tensor.dim %t, %c1 : tensor<4x?xf32>
  return %0, %1 : index, index
}

// It has no value.
// CHECK-LABEL: func.func @dim_out_of_bounds_stays(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<4xf32>
//  CHECK-NEXT:   %[[C5:.*]] = arith.constant 5 : index
//  CHECK-NEXT:   %[[DIM:.*]] = tensor.dim %[[ARG0]], %[[C5]] : tensor<4xf32>
//  CHECK-NEXT:   return %[[DIM]] : index
func.func @dim_out_of_bounds_stays(%t: tensor<4xf32>) -> index {
  %c = arith.constant 5 : index
  %0 = tensor.dim %t, %c : tensor<4xf32>
  return %0 : index
}

// CHECK-LABEL: func.func @dim_of_empty(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: index
//  CHECK-NEXT:   return %[[ARG0]] : index
func.func @dim_of_empty(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %0 = tensor.dim %e, %c0 : tensor<?x4xf32>
  return %0 : index
}

// What is written has the extents of where it is written.
// CHECK-LABEL: func.func @dim_of_destination(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<?xf32>, %[[ARG1:[a-z0-9]+]]: f32, %[[ARG2:[a-z0-9]+]]: index
//  CHECK-NEXT:   %[[C0:.*]] = arith.constant 0 : index
//  CHECK-NEXT:   %[[DIM:.*]] = tensor.dim %[[ARG0]], %[[C0]] : tensor<?xf32>
//  CHECK-NEXT:   return %[[DIM]] : index
func.func @dim_of_destination(%t: tensor<?xf32>, %x: f32, %i: index) -> index {
  %c0 = arith.constant 0 : index
  %u = tensor.insert %x into %t[%i] : tensor<?xf32>
  %0 = tensor.dim %u, %c0 : tensor<?xf32>
  return %0 : index
}

// CHECK-LABEL: func.func @empty_of_constant_size(
//  CHECK-NEXT:   %[[V0:.*]] = tensor.empty() : tensor<5x4xf32>
//  CHECK-NEXT:   %[[CAST:.*]] = tensor.cast %[[V0]] : tensor<5x4xf32> to tensor<?x4xf32>
//  CHECK-NEXT:   return %[[CAST]] : tensor<?x4xf32>
func.func @empty_of_constant_size() -> tensor<?x4xf32> {
  %c = arith.constant 5 : index
  %e = tensor.empty(%c) : tensor<?x4xf32>
  return %e : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @cast_there_and_back(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<4x8xf32>
//  CHECK-NEXT:   return %[[ARG0]] : tensor<4x8xf32>
func.func @cast_there_and_back(%t: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tensor.cast %t : tensor<4x8xf32> to tensor<?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// The first cast says that there are 4 rows; the second must not forget it.
// CHECK-LABEL: func.func @cast_that_checks_stays(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<?x?xf32>
//  CHECK-NEXT:   %[[CAST:.*]] = tensor.cast %[[ARG0]] : tensor<?x?xf32> to tensor<4x?xf32>
//  CHECK-NEXT:   %[[CAST_0:.*]] = tensor.cast %[[CAST]] : tensor<4x?xf32> to tensor<?x8xf32>
//  CHECK-NEXT:   return %[[CAST_0]] : tensor<?x8xf32>
func.func @cast_that_checks_stays(%t: tensor<?x?xf32>) -> tensor<?x8xf32> {
  %0 = tensor.cast %t : tensor<?x?xf32> to tensor<4x?xf32>
  %1 = tensor.cast %0 : tensor<4x?xf32> to tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @cast_of_empty(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: index, %[[ARG1:[a-z0-9]+]]: index
//  CHECK-NEXT:   %[[V0:.*]] = tensor.empty(%[[ARG1]]) : tensor<4x?xf32>
//  CHECK-NEXT:   return %[[V0]] : tensor<4x?xf32>
func.func @cast_of_empty(%n: index, %m: index) -> tensor<4x?xf32> {
  %0 = tensor.empty(%n, %m) : tensor<?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<4x?xf32>
  return %1 : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @element_of_constant(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: index
//  CHECK-NEXT:   %[[CST:.*]] = arith.constant 2.000000e+00 : f32
//  CHECK-NEXT:   %[[CST_0:.*]] = arith.constant 4.000000e+00 : f32
//  CHECK-NEXT:   return %[[CST]], %[[CST_0]] : f32, f32
func.func @element_of_constant(%i: index) -> (f32, f32) {
  %c1 = arith.constant 1 : index
  %c = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %s = arith.constant dense<4.0> : tensor<3xf32>
  %0 = tensor.extract %c[%c1] : tensor<3xf32>
  %1 = tensor.extract %s[%i] : tensor<3xf32>
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func.func @element_of_from_elements(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: f32, %[[ARG1:[a-z0-9]+]]: f32
//  CHECK-NEXT:   return %[[ARG1]] : f32
func.func @element_of_from_elements(%x: f32, %y: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %t = tensor.from_elements %x, %y : tensor<2xf32>
  %0 = tensor.extract %t[%c1] : tensor<2xf32>
  return %0 : f32
}

// CHECK-LABEL: func.func @slice_of_everything(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<8x8xf32>
//  CHECK-NEXT:   return %[[ARG0]] : tensor<8x8xf32>
func.func @slice_of_everything(%t: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = tensor.extract_slice %t[0, 0] [8, 8] [1, 1] : tensor<8x8xf32> to tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @constants_of_slice(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<8x8xf32>, %[[ARG1:[a-z0-9]+]]: index
//  CHECK-NEXT:   %[[EXTRACTED_SLICE:.*]] = tensor.extract_slice %[[ARG0]][0, %[[ARG1]]] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
//  CHECK-NEXT:   %[[CAST:.*]] = tensor.cast %[[EXTRACTED_SLICE]] : tensor<4x4xf32> to tensor<?x4xf32>
//  CHECK-NEXT:   return %[[CAST]] : tensor<?x4xf32>
func.func @constants_of_slice(%t: tensor<8x8xf32>, %i: index) -> tensor<?x4xf32> {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %0 = tensor.extract_slice %t[%c0, %i] [%c4, 4] [1, 1] : tensor<8x8xf32> to tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @slice_put_back(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<8x8xf32>
//  CHECK-NEXT:   return %[[ARG0]] : tensor<8x8xf32>
func.func @slice_put_back(%t: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = tensor.extract_slice %t[2, 2] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  %1 = tensor.insert_slice %0 into %t[2, 2] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @slice_put_elsewhere_stays(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<8x8xf32>
//  CHECK-NEXT:   %[[EXTRACTED_SLICE:.*]] = tensor.extract_slice %[[ARG0]][2, 2] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
//  CHECK-NEXT:   %[[INSERTED_SLICE:.*]] = tensor.insert_slice %[[EXTRACTED_SLICE]] into %[[ARG0]][0, 2] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x8xf32>
//  CHECK-NEXT:   return %[[INSERTED_SLICE]] : tensor<8x8xf32>
func.func @slice_put_elsewhere_stays(%t: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = tensor.extract_slice %t[2, 2] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  %1 = tensor.insert_slice %0 into %t[0, 2] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @slice_just_inserted(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<8xf32>, %[[ARG1:[a-z0-9]+]]: tensor<4xf32>, %[[ARG2:[a-z0-9]+]]: index
//  CHECK-NEXT:   return %[[ARG1]] : tensor<4xf32>
func.func @slice_just_inserted(%t: tensor<8xf32>, %u: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %0 = tensor.insert_slice %u into %t[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %1 = tensor.extract_slice %0[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @reshape_there_and_back(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<2x4x4xf32>
//  CHECK-NEXT:   return %[[ARG0]] : tensor<2x4x4xf32>
func.func @reshape_there_and_back(%t: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  %0 = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x4x4xf32> into tensor<8x4xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 4, 4] : tensor<8x4xf32> into tensor<2x4x4xf32>
  return %1 : tensor<2x4x4xf32>
}

// CHECK-LABEL: func.func @collapse_twice(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<2x4x4xf32>
//  CHECK-NEXT:   %[[COLLAPSED:.*]] = tensor.collapse_shape %[[ARG0]] {{\[\[}}0, 1, 2]] : tensor<2x4x4xf32> into tensor<32xf32>
//  CHECK-NEXT:   return %[[COLLAPSED]] : tensor<32xf32>
func.func @collapse_twice(%t: tensor<2x4x4xf32>) -> tensor<32xf32> {
  %0 = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x4x4xf32> into tensor<8x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<8x4xf32> into tensor<32xf32>
  return %1 : tensor<32xf32>
}

// CHECK-LABEL: func.func @reshape_of_constant(
//  CHECK-NEXT:   %[[CST:.*]] = arith.constant dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi32>
//  CHECK-NEXT:   return %[[CST]] : tensor<2x2xi32>
func.func @reshape_of_constant() -> tensor<2x2xi32> {
  %c = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %0 = tensor.expand_shape %c [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// CHECK-LABEL: func.func @pad_by_nothing(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: tensor<4xf32>, %[[ARG1:[a-z0-9]+]]: f32
//  CHECK-NEXT:   %[[PADDED:.*]] = tensor.pad %[[ARG0]] nofold low[0] high[0] {
//  CHECK-NEXT:   ^bb0(%[[ARG2:.*]]: index):
//  CHECK-NEXT:   tensor.yield %[[ARG1]] : f32
//  CHECK-NEXT:   } : tensor<4xf32> to tensor<4xf32>
//  CHECK-NEXT:   return %[[ARG0]], %[[PADDED]] : tensor<4xf32>, tensor<4xf32>
func.func @pad_by_nothing(%t: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.pad %t low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<4xf32>
  %1 = tensor.pad %t nofold low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @complex_and_sparse_elements
//   CHECK-DAG:   %[[C:.*]] = complex.constant [3.000000e+00 : f32, 4.000000e+00 : f32] : complex<f32>
//   CHECK-DAG:   %[[T:.*]] = arith.constant dense<[(1.000000e+00,2.000000e+00), (3.000000e+00,4.000000e+00)]> : tensor<2xcomplex<f32>>
//   CHECK-DAG:   %[[Z:.*]] = arith.constant 0 : i32
//   CHECK-DAG:   %[[N:.*]] = arith.constant 9 : i32
//       CHECK:   return %[[C]], %[[T]], %[[Z]], %[[N]]
func.func @complex_and_sparse_elements() -> (complex<f32>, tensor<2xcomplex<f32>>, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = arith.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
  %1 = tensor.extract %0[%c1] : tensor<2xcomplex<f32>>
  %2 = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %3 = tensor.from_elements %2, %1 : tensor<2xcomplex<f32>>
  %4 = arith.constant sparse<[[0, 1], [1, 1]], [5, 9]> : tensor<2x2xi32>
  %5 = tensor.extract %4[%c0, %c0] : tensor<2x2xi32>
  %6 = tensor.extract %4[%c1, %c1] : tensor<2x2xi32>
  return %1, %3, %5, %6 : complex<f32>, tensor<2xcomplex<f32>>, i32, i32
}
