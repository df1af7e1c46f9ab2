// RUN: dl-opt %s --canonicalize --split-input-file | FileCheck %s

// Merging what was split: less is merged, or less split.
// CHECK-LABEL: func.func @collapse_of_expand
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<6x?xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<24xi8>, %[[ARG2:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[COLLAP:[a-z0-9_-]+]] = tensor.collapse_shape %[[ARG0]] {{\[\[}}0, 1{{\]\]}} : tensor<6x?xi8> into tensor<?xi8>
//  CHECK-NEXT:   %[[EXPAND:[a-z0-9_-]+]] = tensor.expand_shape %[[ARG1]] {{\[\[}}0, 1{{\]\]}} output_shape [6, 4] : tensor<24xi8> into tensor<6x4xi8>
//  CHECK-NEXT:   return %[[COLLAP]], %[[EXPAND]] : tensor<?xi8>, tensor<6x4xi8>
func.func @collapse_of_expand(%t: tensor<6x?xi8>, %u: tensor<24xi8>, %n: index) -> (tensor<?xi8>, tensor<6x4xi8>) {
  %0 = tensor.expand_shape %t [[0, 1], [2, 3]] output_shape [2, 3, %n, 1] : tensor<6x?xi8> into tensor<2x3x?x1xi8>
  %1 = tensor.collapse_shape %0 [[0, 1, 2, 3]] : tensor<2x3x?x1xi8> into tensor<?xi8>
  %2 = tensor.expand_shape %u [[0, 1, 2]] output_shape [2, 3, 4] : tensor<24xi8> into tensor<2x3x4xi8>
  %3 = tensor.collapse_shape %2 [[0, 1], [2]] : tensor<2x3x4xi8> into tensor<6x4xi8>
  return %1, %3 : tensor<?xi8>, tensor<6x4xi8>
}

// -----

// Sizes of what is merged again are multiplied.
// CHECK-LABEL: func.func @collapse_of_expand_dynamic
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<?xi8>, %[[ARG1:[a-z0-9_-]+]]: index, %[[ARG2:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[C:[a-z0-9_-]+]] = arith.constant 4 : index
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = arith.muli %[[ARG1]], %[[C]] : index
//  CHECK-NEXT:   %[[EXPAND:[a-z0-9_-]+]] = tensor.expand_shape %[[ARG0]] {{\[\[}}0, 1{{\]\]}} output_shape [%[[V]], %[[ARG2]]] : tensor<?xi8> into tensor<?x?xi8>
//  CHECK-NEXT:   return %[[EXPAND]] : tensor<?x?xi8>
func.func @collapse_of_expand_dynamic(%t: tensor<?xi8>, %a: index, %b: index) -> tensor<?x?xi8> {
  %0 = tensor.expand_shape %t [[0, 1, 2]] output_shape [%a, 4, %b] : tensor<?xi8> into tensor<?x4x?xi8>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<?x4x?xi8> into tensor<?x?xi8>
  return %1 : tensor<?x?xi8>
}

// -----

// Groups that overlap stay.
// CHECK-LABEL: func.func @collapse_across
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<6x4xi8>)
//  CHECK-NEXT:   %[[EXPAND:[a-z0-9_-]+]] = tensor.expand_shape %[[ARG0]] {{\[\[}}0, 1], [2{{\]\]}} output_shape [2, 3, 4] : tensor<6x4xi8> into tensor<2x3x4xi8>
//  CHECK-NEXT:   %[[COLLAP:[a-z0-9_-]+]] = tensor.collapse_shape %[[EXPAND]] {{\[\[}}0], [1, 2{{\]\]}} : tensor<2x3x4xi8> into tensor<2x12xi8>
//  CHECK-NEXT:   return %[[COLLAP]] : tensor<2x12xi8>
func.func @collapse_across(%t: tensor<6x4xi8>) -> tensor<2x12xi8> {
  %0 = tensor.expand_shape %t [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xi8> into tensor<2x3x4xi8>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<2x3x4xi8> into tensor<2x12xi8>
  return %1 : tensor<2x12xi8>
}

// -----

// Splitting what was merged.
// CHECK-LABEL: func.func @expand_of_collapse
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<2x3x4xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<6x4xi8>)
//  CHECK-NEXT:   %[[COLLAP:[a-z0-9_-]+]] = tensor.collapse_shape %[[ARG0]] {{\[\[}}0, 1], [2{{\]\]}} : tensor<2x3x4xi8> into tensor<6x4xi8>
//  CHECK-NEXT:   %[[EXPAND:[a-z0-9_-]+]] = tensor.expand_shape %[[ARG1]] {{\[\[}}0, 1], [2{{\]\]}} output_shape [2, 3, 4] : tensor<6x4xi8> into tensor<2x3x4xi8>
//  CHECK-NEXT:   return %[[COLLAP]], %[[EXPAND]] : tensor<6x4xi8>, tensor<2x3x4xi8>
func.func @expand_of_collapse(%t: tensor<2x3x4xi8>, %u: tensor<6x4xi8>) -> (tensor<6x4xi8>, tensor<2x3x4xi8>) {
  %0 = tensor.collapse_shape %t [[0, 1, 2]] : tensor<2x3x4xi8> into tensor<24xi8>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [6, 4] : tensor<24xi8> into tensor<6x4xi8>
  %2 = tensor.collapse_shape %u [[0, 1]] : tensor<6x4xi8> into tensor<24xi8>
  %3 = tensor.expand_shape %2 [[0, 1, 2]] output_shape [2, 3, 4] : tensor<24xi8> into tensor<2x3x4xi8>
  return %1, %3 : tensor<6x4xi8>, tensor<2x3x4xi8>
}

// -----

// Two dynamic extents may be others than before; products that do not fit are no groups.
// CHECK-LABEL: func.func @expand_otherwise
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<?x?xi8>, %[[ARG1:[a-z0-9_-]+]]: index, %[[ARG2:[a-z0-9_-]+]]: index, %[[ARG3:[a-z0-9_-]+]]: tensor<4x6xi8>)
//  CHECK-NEXT:   %[[COLLAP:[a-z0-9_-]+]] = tensor.collapse_shape %[[ARG0]] {{\[\[}}0, 1{{\]\]}} : tensor<?x?xi8> into tensor<?xi8>
//  CHECK-NEXT:   %[[EXPAND:[a-z0-9_-]+]] = tensor.expand_shape %[[COLLAP]] {{\[\[}}0, 1{{\]\]}} output_shape [%[[ARG1]], %[[ARG2]]] : tensor<?xi8> into tensor<?x?xi8>
//  CHECK-NEXT:   %[[COLLAP2:[a-z0-9_-]+]] = tensor.collapse_shape %[[ARG3]] {{\[\[}}0, 1{{\]\]}} : tensor<4x6xi8> into tensor<24xi8>
//  CHECK-NEXT:   %[[EXPAND2:[a-z0-9_-]+]] = tensor.expand_shape %[[COLLAP2]] {{\[\[}}0, 1, 2{{\]\]}} output_shape [3, 4, 2] : tensor<24xi8> into tensor<3x4x2xi8>
//  CHECK-NEXT:   return %[[EXPAND]], %[[EXPAND2]] : tensor<?x?xi8>, tensor<3x4x2xi8>
func.func @expand_otherwise(%t: tensor<?x?xi8>, %a: index, %b: index, %u: tensor<4x6xi8>) -> (tensor<?x?xi8>, tensor<3x4x2xi8>) {
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<?x?xi8> into tensor<?xi8>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [%a, %b] : tensor<?xi8> into tensor<?x?xi8>
  %2 = tensor.collapse_shape %u [[0, 1]] : tensor<4x6xi8> into tensor<24xi8>
  %3 = tensor.expand_shape %2 [[0, 1, 2]] output_shape [3, 4, 2] : tensor<24xi8> into tensor<3x4x2xi8>
  return %1, %3 : tensor<?x?xi8>, tensor<3x4x2xi8>
}

// -----

// Casts that forget move to the result.
// CHECK-LABEL: func.func @collapse_of_cast
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<2x3x4xi8>)
//  CHECK-NEXT:   %[[COLLAP:[a-z0-9_-]+]] = tensor.collapse_shape %[[ARG0]] {{\[\[}}0, 1], [2{{\]\]}} : tensor<2x3x4xi8> into tensor<6x4xi8>
//  CHECK-NEXT:   %[[CAST:[a-z0-9_-]+]] = tensor.cast %[[COLLAP]] : tensor<6x4xi8> to tensor<?x?xi8>
//  CHECK-NEXT:   return %[[CAST]] : tensor<?x?xi8>
func.func @collapse_of_cast(%t: tensor<2x3x4xi8>) -> tensor<?x?xi8> {
  %0 = tensor.cast %t : tensor<2x3x4xi8> to tensor<?x3x?xi8>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<?x3x?xi8> into tensor<?x?xi8>
  return %1 : tensor<?x?xi8>
}

// -----

// So far as the sizes are constants that fit.
// CHECK-LABEL: func.func @expand_of_cast
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<6x4xi8>, %[[ARG1:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[CAST:[a-z0-9_-]+]] = tensor.cast %[[ARG0]] : tensor<6x4xi8> to tensor<?x?xi8>
//  CHECK-NEXT:   %[[CAST2:[a-z0-9_-]+]] = tensor.cast %[[ARG0]] : tensor<6x4xi8> to tensor<6x?xi8>
//  CHECK-NEXT:   %[[EXPAND:[a-z0-9_-]+]] = tensor.expand_shape %[[CAST2]] {{\[\[}}0, 1], [2{{\]\]}} output_shape [2, 3, %[[ARG1]]] : tensor<6x?xi8> into tensor<2x3x?xi8>
//  CHECK-NEXT:   %[[CAST3:[a-z0-9_-]+]] = tensor.cast %[[EXPAND]] : tensor<2x3x?xi8> to tensor<?x?x?xi8>
//  CHECK-NEXT:   %[[EXPAND2:[a-z0-9_-]+]] = tensor.expand_shape %[[CAST]] {{\[\[}}0, 1], [2{{\]\]}} output_shape [%[[ARG1]], 3, %[[ARG1]]] : tensor<?x?xi8> into tensor<?x3x?xi8>
//  CHECK-NEXT:   %[[CAST4:[a-z0-9_-]+]] = tensor.cast %[[EXPAND2]] : tensor<?x3x?xi8> to tensor<?x?x?xi8>
//  CHECK-NEXT:   return %[[CAST3]], %[[CAST4]] : tensor<?x?x?xi8>, tensor<?x?x?xi8>
func.func @expand_of_cast(%t: tensor<6x4xi8>, %n: index) -> (tensor<?x?x?xi8>, tensor<?x?x?xi8>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = tensor.cast %t : tensor<6x4xi8> to tensor<?x?xi8>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [%c2, %c3, %n] : tensor<?x?xi8> into tensor<?x?x?xi8>
  %2 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [%n, %c3, %n] : tensor<?x?xi8> into tensor<?x?x?xi8>
  return %1, %2 : tensor<?x?x?xi8>, tensor<?x?x?xi8>
}

// -----

// Elements are put into the other shape.
// CHECK-LABEL: func.func @reshape_of_elements
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: i8, %[[ARG1:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   %[[FROMEL:[a-z0-9_-]+]] = tensor.from_elements %[[ARG0]], %[[ARG1]] : tensor<2x1xi8>
//  CHECK-NEXT:   %[[SPLAT:[a-z0-9_-]+]] = tensor.splat %[[ARG0]] : tensor<4xi8>
//  CHECK-NEXT:   return %[[FROMEL]], %[[SPLAT]] : tensor<2x1xi8>, tensor<4xi8>
func.func @reshape_of_elements(%a: i8, %b: i8) -> (tensor<2x1xi8>, tensor<4xi8>) {
  %0 = tensor.from_elements %a, %b : tensor<2xi8>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 1] : tensor<2xi8> into tensor<2x1xi8>
  %2 = tensor.splat %a : tensor<2x2xi8>
  %3 = tensor.collapse_shape %2 [[0, 1]] : tensor<2x2xi8> into tensor<4xi8>
  return %1, %3 : tensor<2x1xi8>, tensor<4xi8>
}

// -----

// The last shape counts, and an extent is an element of it.
// CHECK-LABEL: func.func @reshapes
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<*xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<?xindex>, %[[ARG2:[a-z0-9_-]+]]: tensor<2xi32>, %[[ARG3:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[RESHAP:[a-z0-9_-]+]] = tensor.reshape %[[ARG0]](%[[ARG2]]) : (tensor<*xi8>, tensor<2xi32>) -> tensor<?x?xi8>
//  CHECK-NEXT:   %[[EXTRAC:[a-z0-9_-]+]] = tensor.extract %[[ARG2]][%[[ARG3]]] : tensor<2xi32>
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = arith.index_cast %[[EXTRAC]] : i32 to index
//  CHECK-NEXT:   return %[[RESHAP]], %[[V]] : tensor<?x?xi8>, index
func.func @reshapes(%t: tensor<*xi8>, %s: tensor<?xindex>, %r: tensor<2xi32>, %i: index) -> (tensor<?x?xi8>, index) {
  %0 = tensor.reshape %t(%s) : (tensor<*xi8>, tensor<?xindex>) -> tensor<*xi8>
  %1 = tensor.reshape %0(%r) : (tensor<*xi8>, tensor<2xi32>) -> tensor<?x?xi8>
  %2 = tensor.dim %1, %i : tensor<?x?xi8>
  return %1, %2 : tensor<?x?xi8>, index
}

// -----

// To its own shape, in order and otherwise.
// CHECK-LABEL: func.func @reshape_to_own_shape
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<?x4xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<?x?xi8>)
//  CHECK-NEXT:   %[[C:[a-z0-9_-]+]] = arith.constant 0 : index
//  CHECK-NEXT:   %[[C2:[a-z0-9_-]+]] = arith.constant 1 : index
//  CHECK-NEXT:   %[[DIM:[a-z0-9_-]+]] = tensor.dim %[[ARG1]], %[[C]] : tensor<?x?xi8>
//  CHECK-NEXT:   %[[DIM2:[a-z0-9_-]+]] = tensor.dim %[[ARG1]], %[[C2]] : tensor<?x?xi8>
//  CHECK-NEXT:   %[[FROMEL:[a-z0-9_-]+]] = tensor.from_elements %[[DIM2]], %[[DIM]] : tensor<2xindex>
//  CHECK-NEXT:   %[[RESHAP:[a-z0-9_-]+]] = tensor.reshape %[[ARG1]](%[[FROMEL]]) : (tensor<?x?xi8>, tensor<2xindex>) -> tensor<?x?xi8>
//  CHECK-NEXT:   return %[[ARG0]], %[[RESHAP]] : tensor<?x4xi8>, tensor<?x?xi8>
func.func @reshape_to_own_shape(%t: tensor<?x4xi8>, %u: tensor<?x?xi8>) -> (tensor<?x4xi8>, tensor<?x?xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = tensor.dim %t, %c0 : tensor<?x4xi8>
  %1 = tensor.from_elements %0, %c4 : tensor<2xindex>
  %2 = tensor.reshape %t(%1) : (tensor<?x4xi8>, tensor<2xindex>) -> tensor<?x4xi8>
  %3 = tensor.dim %u, %c0 : tensor<?x?xi8>
  %4 = tensor.dim %u, %c1 : tensor<?x?xi8>
  %5 = tensor.from_elements %4, %3 : tensor<2xindex>
  %6 = tensor.reshape %u(%5) : (tensor<?x?xi8>, tensor<2xindex>) -> tensor<?x?xi8>
  return %2, %6 : tensor<?x4xi8>, tensor<?x?xi8>
}
