// RUN: dl-opt %s --linalg-fuse-sibling-matmuls --oracle=each-pass | FileCheck %s
// RUN: dl-opt %s --linalg-fuse-sibling-matmuls=constants-only=true | FileCheck %s --check-prefix=CONST
// RUN: dl-opt %s --linalg-fuse-sibling-matmuls=max-columns=4 | FileCheck %s --check-prefix=NARROW

// Projections to queries, keys and values.
// CHECK-LABEL: func.func @attention
//  CHECK-SAME:   (%[[X:.*]]: tensor<8x4xf32>, %[[Q:.*]]: tensor<4x2xf32>, %[[K:.*]]: tensor<4x2xf32>, %[[V:.*]]: tensor<4x3xf32>)
//       CHECK:   %[[W:.*]] = tensor.concat dim(1) %[[Q]], %[[K]], %[[V]] : {{.*}} -> tensor<4x7xf32>
//       CHECK:   %[[ZERO:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<8x7xf32>)
//       CHECK:   %[[ALL:.*]] = linalg.matmul ins(%[[X]], %[[W]] : tensor<8x4xf32>, tensor<4x7xf32>) outs(%[[ZERO]] : tensor<8x7xf32>)
//   CHECK-NOT:   linalg.matmul
//       CHECK:   %[[A:.*]] = tensor.extract_slice %[[ALL]][0, 0] [8, 2] [1, 1]
//       CHECK:   %[[B:.*]] = tensor.extract_slice %[[ALL]][0, 2] [8, 2] [1, 1]
//       CHECK:   %[[C:.*]] = tensor.extract_slice %[[ALL]][0, 4] [8, 3] [1, 1]
//       CHECK:   return %[[A]], %[[B]], %[[C]]
// CONST-LABEL: func.func @attention
// CONST-COUNT-3: linalg.matmul
// NARROW-LABEL: func.func @attention
// NARROW-COUNT-2: linalg.matmul
//    NARROW-NOT: linalg.matmul
//        NARROW: return
func.func @attention(%x: tensor<8x4xf32>, %q: tensor<4x2xf32>, %k: tensor<4x2xf32>, %v: tensor<4x3xf32>)
    -> (tensor<8x2xf32>, tensor<8x2xf32>, tensor<8x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<8x2xf32>
  %e3 = tensor.empty() : tensor<8x3xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<8x2xf32>) -> tensor<8x2xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<8x3xf32>) -> tensor<8x3xf32>
  %0 = linalg.matmul ins(%x, %q : tensor<8x4xf32>, tensor<4x2xf32>) outs(%z2 : tensor<8x2xf32>) -> tensor<8x2xf32>
  %1 = linalg.matmul ins(%x, %k : tensor<8x4xf32>, tensor<4x2xf32>) outs(%z2 : tensor<8x2xf32>) -> tensor<8x2xf32>
  %2 = linalg.matmul ins(%x, %v : tensor<8x4xf32>, tensor<4x3xf32>) outs(%z3 : tensor<8x3xf32>) -> tensor<8x3xf32>
  return %0, %1, %2 : tensor<8x2xf32>, tensor<8x2xf32>, tensor<8x3xf32>
}

// Constant weights are put side by side once and for all; the rows are dynamic, and each product has an init of its own.
// CHECK-LABEL: func.func @constants
//       CHECK:   %[[W:.*]] = arith.constant dense<{{\[}}[1, 2, 5], [3, 4, 6]]> : tensor<2x3xi32>
//       CHECK:   %[[INIT:.*]] = tensor.concat dim(1) %{{.*}}, %{{.*}} : {{.*}} -> tensor<?x3xi32>
//       CHECK:   linalg.matmul ins(%{{.*}}, %[[W]] : tensor<?x2xi32>, tensor<2x3xi32>) outs(%[[INIT]] : tensor<?x3xi32>)
// CONST-LABEL: func.func @constants
// CONST-COUNT-1: linalg.matmul
//    CONST-NOT: linalg.matmul
//        CONST: return
func.func @constants(%x: tensor<?x2xi32>, %c: tensor<?x2xi32>, %d: tensor<?x1xi32>) -> (tensor<?x2xi32>, tensor<?x1xi32>) {
  %a = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %b = arith.constant dense<[[5], [6]]> : tensor<2x1xi32>
  %0 = linalg.matmul ins(%x, %a : tensor<?x2xi32>, tensor<2x2xi32>) outs(%c : tensor<?x2xi32>) -> tensor<?x2xi32>
  %1 = linalg.matmul ins(%x, %b : tensor<?x2xi32>, tensor<2x1xi32>) outs(%d : tensor<?x1xi32>) -> tensor<?x1xi32>
  return %0, %1 : tensor<?x2xi32>, tensor<?x1xi32>
}

// The second product reads the first.
// CHECK-LABEL: func.func @dependent
// CHECK-COUNT-2: linalg.matmul
func.func @dependent(%x: tensor<2x2xf32>, %b: tensor<2x2xf32>, %c: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = linalg.matmul ins(%x, %b : tensor<2x2xf32>, tensor<2x2xf32>) outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = linalg.matmul ins(%x, %0 : tensor<2x2xf32>, tensor<2x2xf32>) outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// Products of different matrices, and of elements converted in different ways.
// CHECK-LABEL: func.func @strangers
// CHECK-COUNT-3: linalg.matmul
func.func @strangers(%x: tensor<2x2xi8>, %y: tensor<2x2xi8>, %b: tensor<2x2xi8>, %c: tensor<2x2xi32>) -> (tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>) {
  %0 = linalg.matmul ins(%x, %b : tensor<2x2xi8>, tensor<2x2xi8>) outs(%c : tensor<2x2xi32>) -> tensor<2x2xi32>
  %1 = linalg.matmul ins(%y, %b : tensor<2x2xi8>, tensor<2x2xi8>) outs(%c : tensor<2x2xi32>) -> tensor<2x2xi32>
  %2 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%x, %b : tensor<2x2xi8>, tensor<2x2xi8>) outs(%c : tensor<2x2xi32>) -> tensor<2x2xi32>
  return %0, %1, %2 : tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>
}
