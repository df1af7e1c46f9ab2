// RUN: dl-opt %s --linalg-fuse-rows --cse --split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A softmax: all four operations in one loop over rows, the exponentials in a tensor of one row.
// CHECK-LABEL: func.func @softmax
//       CHECK: %[[ROW:.*]] = tensor.empty() : tensor<1x16xf32>
//       CHECK: scf.for %[[I:.*]] = %{{.*}} iter_args(%[[OUT:.*]] = %{{.*}}) -> (tensor<8x16xf32>)
//       CHECK:   %[[X:.*]] = tensor.extract_slice %{{.*}}[%[[I]], 0] [1, 16] [1, 1]
//       CHECK:   %[[MAX:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<1x16xf32>)
//       CHECK:     arith.maxnumf
//       CHECK:   %[[EXP:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[MAX]] : tensor<1x16xf32>, tensor<1xf32>) outs(%[[ROW]] : tensor<1x16xf32>)
//       CHECK:     math.exp
//   CHECK-NOT:     math.exp
//       CHECK:   %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[EXP]] : tensor<1x16xf32>)
//       CHECK:     arith.addf
//       CHECK:   linalg.generic {{.*}} ins(%[[EXP]], %[[SUM]] : tensor<1x16xf32>, tensor<1xf32>)
//       CHECK:     arith.divf
//       CHECK:   tensor.insert_slice %{{.*}} into %[[OUT]][%[[I]], 0] [1, 16] [1, 1]
//   CHECK-NOT: linalg
//       CHECK: return
func.func @softmax(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<8xf32>
  %empty = tensor.empty() : tensor<8x16xf32>
  %lowest = linalg.fill ins(%least : f32) outs(%rows : tensor<8xf32>) -> tensor<8xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<8xf32>) -> tensor<8xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x16xf32>) outs(%lowest : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<8xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<8x16xf32>, tensor<8xf32>) outs(%empty : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    linalg.yield %d : f32
  } -> tensor<8x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<8x16xf32>) outs(%none : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<8x16xf32>, tensor<8xf32>) outs(%empty : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %c = arith.divf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// What others read, too, is not computed again: the sums stay outside, and then there is nothing to fuse.
// CHECK-LABEL: func.func @read_by_others
//   CHECK-NOT: scf.for
//       CHECK: return
func.func @read_by_others(%x: tensor<8x16xf32>, %none: tensor<8xf32>, %empty: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8xf32>) {
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x16xf32>) outs(%none : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<8x16xf32>, tensor<8xf32>) outs(%empty : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %c = arith.divf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<8x16xf32>
  return %y, %sum : tensor<8x16xf32>, tensor<8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Products of matrices are no rows, and what only reads them is no chain.
// CHECK-LABEL: func.func @product
//   CHECK-NOT: scf.for
//       CHECK: linalg.matmul
//       CHECK: linalg.generic
func.func @product(%x: tensor<8x16xf32>, %w: tensor<16x16xf32>, %empty: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %p = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x16xf32>) outs(%empty : tensor<8x16xf32>) -> tensor<8x16xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %c = math.exp %a : f32
    linalg.yield %c : f32
  } -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (i, 0)>

// Sums of rows that stand as a column are read as they are: the loop has them too.
// CHECK-LABEL: func.func @column
//   CHECK-NOT: tensor.expand_shape
//       CHECK: scf.for %[[I:.*]] = %{{.*}} iter_args(
//       CHECK:   %[[SUM:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<1x16xf32>)
//       CHECK:     arith.addf
//       CHECK:   linalg.generic {{.*}} ins(%{{.*}}, %[[SUM]] : tensor<1x16xf32>, tensor<1xf32>)
//       CHECK:     arith.divf
//       CHECK:   tensor.insert_slice
//       CHECK: return
func.func @column(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<8xf32>
  %empty = tensor.empty() : tensor<8x16xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x16xf32>) outs(%none : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<8xf32>
  %sums = tensor.expand_shape %sum [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
  %y = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sums : tensor<8x16xf32>, tensor<8x1xf32>) outs(%empty : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %c = arith.divf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
