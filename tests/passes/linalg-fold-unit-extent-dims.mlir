// RUN: dl-opt %s --linalg-fold-unit-extent-dims | FileCheck %s
// RUN: dl-opt %s --linalg-fold-unit-extent-dims=use-rank-reducing-slices | FileCheck %s --check-prefix=SLICES

// Loops of one step go; so do the dimensions that they index, and one that is always at 0. An index of such a loop is 0, the other has a new number.
// CHECK-LABEL: func.func @middle_loop
//  CHECK-SAME:   (%[[X:.*]]: tensor<4x1x5xindex>, %[[B:.*]]: tensor<1xindex>, %[[O:.*]]: tensor<4x1x5xindex>)
// CHECK-DAG: %[[C:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]] : tensor<4x1x5xindex> into tensor<4x5xindex>
// CHECK-DAG: %[[N:.*]] = tensor.collapse_shape %[[B]] [] : tensor<1xindex> into tensor<index>
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel"]
// CHECK-SAME: ins(%[[C]], %[[N]] : tensor<4x5xindex>, tensor<index>)
// CHECK: linalg.index 1 : index
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [4, 1, 5]
// SLICES-LABEL: func.func @middle_loop
// SLICES: tensor.extract_slice %{{.*}}[0, 0, 0] [4, 1, 5] [1, 1, 1] : tensor<4x1x5xindex> to tensor<4x5xindex>
// SLICES: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 0] [4, 1, 5] [1, 1, 1] : tensor<4x5xindex> into tensor<4x1x5xindex>
func.func @middle_loop(%x: tensor<4x1x5xindex>, %b: tensor<1xindex>, %o: tensor<4x1x5xindex>) -> tensor<4x1x5xindex> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (0)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %b : tensor<4x1x5xindex>, tensor<1xindex>) outs(%o : tensor<4x1x5xindex>) {
  ^bb0(%a: index, %c: index, %d: index):
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %s = arith.addi %a, %c : index
    %t = arith.muli %j, %k : index
    %u = arith.addi %s, %t : index
    %v = arith.addi %u, %k : index
    linalg.yield %v : index
  } -> tensor<4x1x5xindex>
  return %r : tensor<4x1x5xindex>
}

// A dynamic extent may be 1, but need not be.
// CHECK-LABEL: func.func @dynamic
// CHECK-NOT: tensor.collapse_shape
// CHECK: linalg.generic
func.func @dynamic(%x: tensor<?x4xf32>, %o: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x4xf32>) outs(%o : tensor<?x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// What is padded is no dimension of extent 1 afterwards.
// CHECK-LABEL: func.func @padding
//  CHECK-SAME:   (%[[X:.*]]: tensor<1x1x7xf32>)
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]] : tensor<1x1x7xf32> into tensor<1x7xf32>
// CHECK: %[[P:.*]] = tensor.pad %[[C]] low[2, 0] high[0, 1]
// CHECK: tensor<1x7xf32> to tensor<3x8xf32>
// CHECK: tensor.expand_shape %[[P]] {{\[\[}}0, 1], [2]] output_shape [1, 3, 8]
func.func @padding(%x: tensor<1x1x7xf32>) -> tensor<1x3x8xf32> {
  %cst = arith.constant 1.5 : f32
  %r = tensor.pad %x low[0, 2, 0] high[0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %cst : f32
  } : tensor<1x1x7xf32> to tensor<1x3x8xf32>
  return %r : tensor<1x3x8xf32>
}
