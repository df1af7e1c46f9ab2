// RUN: dl-opt %s --canonicalize --split-input-file | FileCheck %s

// A border of nothing is a cast, unless it is to be kept.
// CHECK-LABEL: func.func @pad_of_nothing
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<?xi8>, %[[ARG1:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   %[[CAST:[a-z0-9_-]+]] = tensor.cast %[[ARG0]] : tensor<?xi8> to tensor<4xi8>
//  CHECK-NEXT:   %[[PADDED:[a-z0-9_-]+]] = tensor.pad %[[ARG0]] nofold low[0] high[0] {
//  CHECK-NEXT:   ^bb0(%[[ARG2:[a-z0-9_-]+]]: index):
//  CHECK-NEXT:   tensor.yield %[[ARG1]] : i8
//  CHECK-NEXT:   } : tensor<?xi8> to tensor<?xi8>
//  CHECK-NEXT:   return %[[CAST]], %[[PADDED]] : tensor<4xi8>, tensor<?xi8>
func.func @pad_of_nothing(%t: tensor<?xi8>, %p: i8) -> (tensor<4xi8>, tensor<?xi8>) {
  %c0 = arith.constant 0 : index
  %0 = tensor.pad %t low[0] high[%c0] {
  ^bb0(%i: index):
    tensor.yield %p : i8
  } : tensor<?xi8> to tensor<4xi8>
  %1 = tensor.pad %t nofold low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %p : i8
  } : tensor<?xi8> to tensor<?xi8>
  return %0, %1 : tensor<4xi8>, tensor<?xi8>
}

// -----

// Constant widths around known extents make known extents.
// CHECK-LABEL: func.func @constant_widths
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<4x?xi8>, %[[ARG1:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   %[[PADDED:[a-z0-9_-]+]] = tensor.pad %[[ARG0]] low[2, 1] high[1, 2] {
//  CHECK-NEXT:   ^bb0(%[[ARG2:[a-z0-9_-]+]]: index, %[[ARG3:[a-z0-9_-]+]]: index):
//  CHECK-NEXT:   tensor.yield %[[ARG1]] : i8
//  CHECK-NEXT:   } : tensor<4x?xi8> to tensor<7x?xi8>
//  CHECK-NEXT:   %[[CAST:[a-z0-9_-]+]] = tensor.cast %[[PADDED]] : tensor<7x?xi8> to tensor<?x?xi8>
//  CHECK-NEXT:   return %[[CAST]] : tensor<?x?xi8>
func.func @constant_widths(%t: tensor<4x?xi8>, %p: i8) -> tensor<?x?xi8> {
  %c2 = arith.constant 2 : index
  %0 = tensor.pad %t low[%c2, 1] high[1, %c2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %p : i8
  } : tensor<4x?xi8> to tensor<?x?xi8>
  return %0 : tensor<?x?xi8>
}

// -----

// A border around a cast is one around its source.
// CHECK-LABEL: func.func @pad_of_cast
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<4xi8>, %[[ARG1:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   %[[PADDED:[a-z0-9_-]+]] = tensor.pad %[[ARG0]] low[1] high[2] {
//  CHECK-NEXT:   ^bb0(%[[ARG2:[a-z0-9_-]+]]: index):
//  CHECK-NEXT:   tensor.yield %[[ARG1]] : i8
//  CHECK-NEXT:   } : tensor<4xi8> to tensor<7xi8>
//  CHECK-NEXT:   %[[CAST:[a-z0-9_-]+]] = tensor.cast %[[PADDED]] : tensor<7xi8> to tensor<?xi8>
//  CHECK-NEXT:   return %[[CAST]] : tensor<?xi8>
func.func @pad_of_cast(%t: tensor<4xi8>, %p: i8) -> tensor<?xi8> {
  %0 = tensor.cast %t : tensor<4xi8> to tensor<?xi8>
  %1 = tensor.pad %0 low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %p : i8
  } : tensor<?xi8> to tensor<?xi8>
  return %1 : tensor<?xi8>
}

// -----

// A cast that alone uses a border says what its type is.
// CHECK-LABEL: func.func @cast_of_pad
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<?xi8>, %[[ARG1:[a-z0-9_-]+]]: index, %[[ARG2:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   %[[PADDED:[a-z0-9_-]+]] = tensor.pad %[[ARG0]] low[%[[ARG1]]] high[0] {
//  CHECK-NEXT:   ^bb0(%[[ARG3:[a-z0-9_-]+]]: index):
//  CHECK-NEXT:   tensor.yield %[[ARG2]] : i8
//  CHECK-NEXT:   } : tensor<?xi8> to tensor<8xi8>
//  CHECK-NEXT:   return %[[PADDED]] : tensor<8xi8>
func.func @cast_of_pad(%t: tensor<?xi8>, %n: index, %p: i8) -> tensor<8xi8> {
  %0 = tensor.pad %t low[%n] high[0] {
  ^bb0(%i: index):
    tensor.yield %p : i8
  } : tensor<?xi8> to tensor<?xi8>
  %1 = tensor.cast %0 : tensor<?xi8> to tensor<8xi8>
  return %1 : tensor<8xi8>
}

// -----

// Borders of one value are one; of two values, two.
// CHECK-LABEL: func.func @pad_of_pad
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<?xi8>, %[[ARG1:[a-z0-9_-]+]]: index, %[[ARG2:[a-z0-9_-]+]]: i8, %[[ARG3:[a-z0-9_-]+]]: i8)
//  CHECK-NEXT:   %[[PADDED:[a-z0-9_-]+]] = tensor.pad %[[ARG0]] low[%[[ARG1]]] high[1] {
//  CHECK-NEXT:   ^bb0(%[[ARG4:[a-z0-9_-]+]]: index):
//  CHECK-NEXT:   tensor.yield %[[ARG2]] : i8
//  CHECK-NEXT:   } : tensor<?xi8> to tensor<?xi8>
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = affine.apply #{{[a-z0-9]+}}()[%[[ARG1]]]
//  CHECK-NEXT:   %[[PADDED2:[a-z0-9_-]+]] = tensor.pad %[[ARG0]] low[%[[V]]] high[3] {
//  CHECK-NEXT:   ^bb0(%[[ARG4]]: index):
//  CHECK-NEXT:   tensor.yield %[[ARG2]] : i8
//  CHECK-NEXT:   } : tensor<?xi8> to tensor<?xi8>
//  CHECK-NEXT:   %[[PADDED3:[a-z0-9_-]+]] = tensor.pad %[[PADDED]] low[3] high[2] {
//  CHECK-NEXT:   ^bb0(%[[ARG4]]: index):
//  CHECK-NEXT:   tensor.yield %[[ARG3]] : i8
//  CHECK-NEXT:   } : tensor<?xi8> to tensor<?xi8>
//  CHECK-NEXT:   return %[[PADDED2]], %[[PADDED3]] : tensor<?xi8>, tensor<?xi8>
func.func @pad_of_pad(%t: tensor<?xi8>, %n: index, %p: i8, %q: i8) -> (tensor<?xi8>, tensor<?xi8>) {
  %0 = tensor.pad %t low[%n] high[1] {
  ^bb0(%i: index):
    tensor.yield %p : i8
  } : tensor<?xi8> to tensor<?xi8>
  %1 = tensor.pad %0 low[3] high[2] {
  ^bb0(%i: index):
    tensor.yield %p : i8
  } : tensor<?xi8> to tensor<?xi8>
  %2 = tensor.pad %0 low[3] high[2] {
  ^bb0(%i: index):
    tensor.yield %q : i8
  } : tensor<?xi8> to tensor<?xi8>
  return %1, %2 : tensor<?xi8>, tensor<?xi8>
}

// -----

// Borders of different dimensions around slices are one.
// CHECK-LABEL: func.func @borders_of_two_dimensions
//  CHECK-SAME:   (%[[T:.*]]: tensor<6x6xf32>, %[[N:.*]]: index, %[[P:.*]]: index)
//       CHECK:   %[[S:.*]] = tensor.extract_slice %[[T]][2, 1] [%[[N]], 3] [1, 1] : tensor<6x6xf32> to tensor<?x3xf32>
//       CHECK:   %[[R:.*]] = tensor.pad %[[S]] low[0, 0] high[%[[P]], 2]
//       CHECK:   return %[[R]] : tensor<4x5xf32>
func.func @borders_of_two_dimensions(%t: tensor<6x6xf32>, %n: index, %p: index) -> tensor<4x5xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = tensor.extract_slice %t[2, 0] [%n, 6] [1, 1] : tensor<6x6xf32> to tensor<?x6xf32>
  %1 = tensor.pad %0 low[0, 0] high[%p, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %cst : f32
  } : tensor<?x6xf32> to tensor<4x6xf32>
  %2 = tensor.extract_slice %1[0, 1] [4, 3] [1, 1] : tensor<4x6xf32> to tensor<4x3xf32>
  %3 = tensor.pad %2 low[0, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %cst : f32
  } : tensor<4x3xf32> to tensor<4x5xf32>
  return %3 : tensor<4x5xf32>
}

// -----

// Not where the second slice cuts the first border.
// CHECK-LABEL: func.func @border_is_cut
// CHECK-COUNT-2: tensor.pad
func.func @border_is_cut(%t: tensor<6x6xf32>, %n: index, %p: index) -> tensor<3x5xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = tensor.extract_slice %t[2, 0] [%n, 6] [1, 1] : tensor<6x6xf32> to tensor<?x6xf32>
  %1 = tensor.pad %0 low[0, 0] high[%p, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %cst : f32
  } : tensor<?x6xf32> to tensor<4x6xf32>
  %2 = tensor.extract_slice %1[0, 1] [3, 3] [1, 1] : tensor<4x6xf32> to tensor<3x3xf32>
  %3 = tensor.pad %2 low[0, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %cst : f32
  } : tensor<3x3xf32> to tensor<3x5xf32>
  return %3 : tensor<3x5xf32>
}

// -----

// What is not used stays for what is done in its region.
// CHECK-LABEL: func.func @not_used
//  CHECK-SAME: (%[[T:.*]]: tensor<6xf32>, %[[X:.*]]: f32)
//       CHECK: tensor.pad %[[T]]
//       CHECK:   "test.use"(%[[X]]) : (f32) -> ()
//   CHECK-NOT: tensor.pad
//       CHECK: return
func.func @not_used(%t: tensor<6xf32>, %x: f32) {
  %0 = tensor.pad %t low[0] high[1] {
  ^bb0(%i: index):
    "test.use"(%x) : (f32) -> ()
    tensor.yield %x : f32
  } : tensor<6xf32> to tensor<7xf32>
  %1 = tensor.pad %t low[0] high[2] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<6xf32> to tensor<8xf32>
  return
}

// -----

// As often as before, what is done in a region.
// CHECK-LABEL: func.func @observed_in_two_dimensions
//       CHECK: tensor.pad %{{.*}} low[0, 0] high[1, 0]
//       CHECK: tensor.pad %{{.*}} low[0, 0] high[0, 2]
//       CHECK:   "test.use"()
func.func @observed_in_two_dimensions(%t: tensor<6x6xf32>) -> tensor<4x5xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = tensor.extract_slice %t[2, 0] [3, 6] [1, 1] : tensor<6x6xf32> to tensor<3x6xf32>
  %1 = tensor.pad %0 low[0, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %cst : f32
  } : tensor<3x6xf32> to tensor<4x6xf32>
  %2 = tensor.extract_slice %1[0, 1] [4, 3] [1, 1] : tensor<4x6xf32> to tensor<4x3xf32>
  %3 = tensor.pad %2 low[0, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    "test.use"() : () -> ()
    tensor.yield %cst : f32
  } : tensor<4x3xf32> to tensor<4x5xf32>
  return %3 : tensor<4x5xf32>
}
