// RUN: dl-opt %s --resolve-shaped-type-result-dims | FileCheck %s
// RUN: dl-opt %s --resolve-ranked-shaped-type-result-dims | FileCheck %s

// The extents of a matrix product are those of its init.
// CHECK-LABEL: func.func @product
//  CHECK-SAME:   (%[[A:.*]]: tensor<?x?xf32>, %[[B:.*]]: tensor<?x?xf32>, %[[C:.*]]: tensor<?x?xf32>)
// CHECK-NOT: linalg.matmul
// CHECK: %[[M:.*]] = tensor.dim %[[A]], %c0
// CHECK: %[[N:.*]] = tensor.dim %[[B]], %c1
// CHECK: return %[[M]], %[[N]]
func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %m = tensor.dim %r, %c0 : tensor<?x?xf32>
  %n = tensor.dim %r, %c1 : tensor<?x?xf32>
  return %m, %n : index, index
}

// Only a known dimension can be told.
// CHECK-LABEL: func.func @some_dimension
// CHECK: tensor.dim %{{.*}}, %{{.*}} : tensor<?x?xf32>
func.func @some_dimension(%t: tensor<?x?xf32>, %n: index, %i: index) -> index {
  %s = tensor.extract_slice %t[0, 0] [%n, %n] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %d = tensor.dim %s, %i : tensor<?x?xf32>
  return %d : index
}
