// RUN: dl-opt %s --canonicalize --split-input-file | FileCheck %s

// What is repeated afterwards is less to move.
// CHECK-LABEL: func.func @transpose_of_broadcast
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<2x?xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<2x3x?xi8>, %[[ARG2:[a-z0-9_-]+]]: tensor<?x3x2xi8>)
//  CHECK-NEXT:   %[[C:[a-z0-9_-]+]] = arith.constant 1 : index
//  CHECK-NEXT:   %[[DIM:[a-z0-9_-]+]] = tensor.dim %[[ARG0]], %[[C]] : tensor<2x?xi8>
//  CHECK-NEXT:   %[[V:[a-z0-9_-]+]] = tensor.empty(%[[DIM]]) : tensor<?x2xi8>
//  CHECK-NEXT:   %[[TRANSP:[a-z0-9_-]+]] = linalg.transpose ins(%[[ARG0]] : tensor<2x?xi8>) outs(%[[V]] : tensor<?x2xi8>) permutation = [1, 0]
//  CHECK-NEXT:   %[[BROADC:[a-z0-9_-]+]] = linalg.broadcast ins(%[[TRANSP]] : tensor<?x2xi8>) outs(%[[ARG2]] : tensor<?x3x2xi8>) dimensions = [1]
//  CHECK-NEXT:   return %[[BROADC]] : tensor<?x3x2xi8>
func.func @transpose_of_broadcast(%t: tensor<2x?xi8>, %b: tensor<2x3x?xi8>, %o: tensor<?x3x2xi8>) -> tensor<?x3x2xi8> {
  %0 = linalg.broadcast ins(%t : tensor<2x?xi8>) outs(%b : tensor<2x3x?xi8>) dimensions = [1]
  %1 = linalg.transpose ins(%0 : tensor<2x3x?xi8>) outs(%o : tensor<?x3x2xi8>) permutation = [2, 1, 0]
  return %1 : tensor<?x3x2xi8>
}

// -----

// Only what is repeated moves.
// CHECK-LABEL: func.func @transpose_of_repeated
//  CHECK-SAME:   (%[[ARG0:[a-z0-9_-]+]]: tensor<2xi8>, %[[ARG1:[a-z0-9_-]+]]: tensor<2x3xi8>, %[[ARG2:[a-z0-9_-]+]]: tensor<3x2xi8>)
//  CHECK-NEXT:   %[[BROADC:[a-z0-9_-]+]] = linalg.broadcast ins(%[[ARG0]] : tensor<2xi8>) outs(%[[ARG2]] : tensor<3x2xi8>) dimensions = [0]
//  CHECK-NEXT:   return %[[BROADC]] : tensor<3x2xi8>
func.func @transpose_of_repeated(%t: tensor<2xi8>, %b: tensor<2x3xi8>, %o: tensor<3x2xi8>) -> tensor<3x2xi8> {
  %0 = linalg.broadcast ins(%t : tensor<2xi8>) outs(%b : tensor<2x3xi8>) dimensions = [1]
  %1 = linalg.transpose ins(%0 : tensor<2x3xi8>) outs(%o : tensor<3x2xi8>) permutation = [1, 0]
  return %1 : tensor<3x2xi8>
}
