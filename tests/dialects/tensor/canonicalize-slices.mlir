// RUN: dl-opt %s --canonicalize --split-input-file | FileCheck %s

// Slices out of bounds are left to run time.
// CHECK-LABEL: func.func @out_of_bounds
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<4xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<2xi8>)
//  CHECK-NEXT:   %[[C:[a-z0-9_-]+]] = arith.constant 3 : index
//  CHECK-NEXT:   %[[C2:[a-z0-9_-]+]] = arith.constant 5 : index
//  CHECK-NEXT:   %[[EXTRAC:[a-z0-9_-]+]] = tensor.extract_slice %[[ARG0]][0] [%[[C2]]] [1] : tensor<4xi8> to tensor<?xi8>
//  CHECK-NEXT:   %[[INSERT:[a-z0-9_-]+]] = tensor.insert_slice %[[ARG1]] into %[[ARG0]][%[[C]]] [2] [1] : tensor<2xi8> into tensor<4xi8>
//  CHECK-NEXT:   return %[[EXTRAC]], %[[INSERT]] : tensor<?xi8>, tensor<4xi8>
func.func @out_of_bounds(%t: tensor<4xi8>, %s: tensor<2xi8>) -> (tensor<?xi8>, tensor<4xi8>) {
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %0 = tensor.extract_slice %t[0] [%c5] [1] : tensor<4xi8> to tensor<?xi8>
  %1 = tensor.insert_slice %s into %t[%c3] [2] [1] : tensor<2xi8> into tensor<4xi8>
  return %0, %1 : tensor<?xi8>, tensor<4xi8>
}

// -----

// A slice put where one has just been put replaces that; elsewhere it does not.
// CHECK-LABEL: func.func @insert_again
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<8xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<2xi8>, %[[ARG2:[a-z0-9_-]+]]: tensor<2xi8>, %[[ARG3:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[INSERT:[a-z0-9_-]+]] = tensor.insert_slice %[[ARG1]] into %[[ARG0]][%[[ARG3]]] [2] [1] : tensor<2xi8> into tensor<8xi8>
//  CHECK-NEXT:   %[[INSERT2:[a-z0-9_-]+]] = tensor.insert_slice %[[ARG2]] into %[[ARG0]][%[[ARG3]]] [2] [1] : tensor<2xi8> into tensor<8xi8>
//  CHECK-NEXT:   %[[INSERT3:[a-z0-9_-]+]] = tensor.insert_slice %[[ARG2]] into %[[INSERT]][1] [2] [1] : tensor<2xi8> into tensor<8xi8>
//  CHECK-NEXT:   return %[[INSERT2]], %[[INSERT3]] : tensor<8xi8>, tensor<8xi8>
func.func @insert_again(%t: tensor<8xi8>, %a: tensor<2xi8>, %b: tensor<2xi8>, %i: index) -> (tensor<8xi8>, tensor<8xi8>) {
  %0 = tensor.insert_slice %a into %t[%i] [2] [1] : tensor<2xi8> into tensor<8xi8>
  %1 = tensor.insert_slice %b into %0[%i] [2] [1] : tensor<2xi8> into tensor<8xi8>
  %2 = tensor.insert_slice %b into %0[1] [2] [1] : tensor<2xi8> into tensor<8xi8>
  return %1, %2 : tensor<8xi8>, tensor<8xi8>
}

// -----

// The extents of what was cast are the sizes.
// CHECK-LABEL: func.func @insert_of_cast
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<2x?xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<?x?xi8>, %[[ARG2:[a-z0-9_-]+]]: index, %[[ARG3:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[INSERT:[a-z0-9_-]+]] = tensor.insert_slice %[[ARG0]] into %[[ARG1]][0, 0] [2, %[[ARG3]]] [1, 1] : tensor<2x?xi8> into tensor<?x?xi8>
//  CHECK-NEXT:   return %[[INSERT]] : tensor<?x?xi8>
func.func @insert_of_cast(%s: tensor<2x?xi8>, %t: tensor<?x?xi8>, %n: index, %m: index) -> tensor<?x?xi8> {
  %0 = tensor.cast %s : tensor<2x?xi8> to tensor<?x?xi8>
  %1 = tensor.insert_slice %0 into %t[0, 0] [%n, %m] [1, 1] : tensor<?x?xi8> into tensor<?x?xi8>
  return %1 : tensor<?x?xi8>
}

// -----

// Nothing is inserted.
// CHECK-LABEL: func.func @insert_nothing
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<0xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<4xi8>)
//  CHECK-NEXT:   return %[[ARG1]] : tensor<4xi8>
func.func @insert_nothing(%s: tensor<0xi8>, %t: tensor<4xi8>) -> tensor<4xi8> {
  %0 = tensor.insert_slice %s into %t[1] [0] [1] : tensor<0xi8> into tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

// An element of what computes each of them, of numbers converted, and of what was put there.
// CHECK-LABEL: func.func @elements
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<4xi32>, %[[ARG1:[a-z0-9_-]+]]: tensor<4xi8>, %[[ARG2:[a-z0-9_-]+]]: i8, %[[ARG3:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = arith.muli %[[ARG3]], %[[ARG3]] : index
//  CHECK-NEXT:   %[[EXTRAC:[a-z0-9_-]+]] = tensor.extract %[[ARG0]][%[[ARG3]]] : tensor<4xi32>
//  CHECK-NEXT:   %[[V2:[a-z0-9_-]+]] = arith.index_cast %[[EXTRAC]] : i32 to index
//  CHECK-NEXT:   return %[[V]], %[[V2]], %[[ARG2]] : index, index, i8
func.func @elements(%t: tensor<4xi32>, %u: tensor<4xi8>, %a: i8, %i: index) -> (index, index, i8) {
  %0 = tensor.generate %i {
  ^bb0(%j: index):
    %x = arith.muli %j, %i : index
    tensor.yield %x : index
  } : tensor<?xindex>
  %1 = tensor.extract %0[%i] : tensor<?xindex>
  %2 = arith.index_cast %t : tensor<4xi32> to tensor<4xindex>
  %3 = tensor.extract %2[%i] : tensor<4xindex>
  %4 = tensor.insert %a into %u[%i] : tensor<4xi8>
  %5 = tensor.extract %4[%i] : tensor<4xi8>
  return %1, %3, %5 : index, index, i8
}

// -----

// What has an effect is not computed again.
// CHECK-LABEL: func.func @element_of_effects
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: index, %[[ARG1:[a-z0-9_-]+]]: index)
//  CHECK-NEXT:   %[[GENERA:[a-z0-9_-]+]] = tensor.generate %[[ARG0]] {
//  CHECK-NEXT:   ^bb0(%[[ARG2:[a-z0-9_-]+]]: index):
//  CHECK-NEXT:   vector.print %[[ARG2]] : index
//  CHECK-NEXT:   tensor.yield %[[ARG2]] : index
//  CHECK-NEXT:   } : tensor<?xindex>
//  CHECK-NEXT:   %[[EXTRAC:[a-z0-9_-]+]] = tensor.extract %[[GENERA]][%[[ARG1]]] : tensor<?xindex>
//  CHECK-NEXT:   return %[[EXTRAC]] : index
func.func @element_of_effects(%n: index, %i: index) -> index {
  %0 = tensor.generate %n {
  ^bb0(%j: index):
    vector.print %j : index
    tensor.yield %j : index
  } : tensor<?xindex>
  %1 = tensor.extract %0[%i] : tensor<?xindex>
  return %1 : index
}

// -----

// Elements of one constant number.
// CHECK-LABEL: func.func @gather_of_splat
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<2x1xindex>)
//  CHECK-NEXT:   %[[CST:[a-z0-9_-]+]] = arith.constant dense<3> : tensor<2x1xi8>
//  CHECK-NEXT:   return %[[CST]] : tensor<2x1xi8>
func.func @gather_of_splat(%i: tensor<2x1xindex>) -> tensor<2x1xi8> {
  %c = arith.constant dense<3> : tensor<4xi8>
  %0 = tensor.gather %c[%i] gather_dims([0]) : (tensor<4xi8>, tensor<2x1xindex>) -> tensor<2x1xi8>
  return %0 : tensor<2x1xi8>
}

// -----

// Extents follow from those of other operands, and of the result.
// CHECK-LABEL: func.func @concat
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<2x?xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<?x4xi8>, %[[ARG2:[a-z0-9_-]+]]: tensor<?xi8>)
//  CHECK-NEXT:   %[[CAST:[a-z0-9_-]+]] = tensor.cast %[[ARG0]] : tensor<2x?xi8> to tensor<2x4xi8>
//  CHECK-NEXT:   %[[CONCAT:[a-z0-9_-]+]] = tensor.concat dim(0) %[[CAST]], %[[ARG1]] : (tensor<2x4xi8>, tensor<?x4xi8>) -> tensor<?x4xi8>
//  CHECK-NEXT:   %[[CAST2:[a-z0-9_-]+]] = tensor.cast %[[ARG2]] : tensor<?xi8> to tensor<3xi8>
//  CHECK-NEXT:   return %[[CONCAT]], %[[CAST2]] : tensor<?x4xi8>, tensor<3xi8>
func.func @concat(%a: tensor<2x?xi8>, %b: tensor<?x4xi8>, %c: tensor<?xi8>) -> (tensor<?x4xi8>, tensor<3xi8>) {
  %0 = tensor.concat dim(0) %a, %b : (tensor<2x?xi8>, tensor<?x4xi8>) -> tensor<?x4xi8>
  %1 = tensor.concat dim(0) %c : (tensor<?xi8>) -> tensor<3xi8>
  return %0, %1 : tensor<?x4xi8>, tensor<3xi8>
}
