// RUN: dl-opt %s --linalg-join-sweeps --split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The exponentials are added up where they are computed. The order of the results is that of their operations.
// CHECK-LABEL: func.func @exponentials
//  CHECK-SAME:     %[[X:[a-z0-9]+]]: tensor<8x16xf32>, %[[NONE:[a-z0-9]+]]: tensor<8xf32>, %[[EMPTY:[a-z0-9]+]]: tensor<8x16xf32>
//       CHECK:   %[[BOTH:[a-z0-9]+]]:2 = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%[[X]] : tensor<8x16xf32>) outs(%[[EMPTY]], %[[NONE]] : tensor<8x16xf32>, tensor<8xf32>)
//       CHECK:   ^bb0(%[[A:[a-z0-9]+]]: f32, %{{.*}}: f32, %[[ACC:[a-z0-9_]+]]: f32):
//       CHECK:     %[[EXP:.*]] = math.exp %[[A]]
//       CHECK:     %[[SUM:.*]] = arith.addf %[[ACC]], %[[EXP]]
//       CHECK:     linalg.yield %[[EXP]], %[[SUM]]
//   CHECK-NOT:   math.exp
//       CHECK:   linalg.generic {{.*}} ins(%[[BOTH]]#0, %[[BOTH]]#1 : tensor<8x16xf32>, tensor<8xf32>)
func.func @exponentials(%x: tensor<8x16xf32>, %none: tensor<8xf32>, %empty: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %b = math.exp %a : f32
    linalg.yield %b : f32
  } -> tensor<8x16xf32>
  %sum = linalg.reduce { arith.addf } ins(%exp : tensor<8x16xf32>) outs(%none : tensor<8xf32>) dimensions = [1]
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<8x16xf32>, tensor<8xf32>) outs(%empty : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %c = arith.divf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// What is read before the sum must be there by then, so the sum keeps a sweep of its own.
// CHECK-LABEL: func.func @read_before
//       CHECK:   %[[EXP:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<8x16xf32>)
//       CHECK:     math.exp
//       CHECK:   tensor.extract %[[EXP]]
//       CHECK:   linalg.reduce { arith.addf } ins(%[[EXP]] : tensor<8x16xf32>)
func.func @read_before(%x: tensor<8x16xf32>, %none: tensor<8xf32>, %empty: tensor<8x16xf32>, %at: index) -> (f32, tensor<8xf32>) {
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %b = math.exp %a : f32
    linalg.yield %b : f32
  } -> tensor<8x16xf32>
  %one = tensor.extract %exp[%at, %at] : tensor<8x16xf32>
  %sum = linalg.reduce { arith.addf } ins(%exp : tensor<8x16xf32>) outs(%none : tensor<8xf32>) dimensions = [1]
  return %one, %sum : f32, tensor<8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Columns are added up row by row, not where their elements are computed.
// CHECK-LABEL: func.func @columns
//       CHECK:   %[[EXP:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
//       CHECK:   linalg.reduce { arith.addf } ins(%[[EXP]] : tensor<8x16xf32>)
func.func @columns(%x: tensor<8x16xf32>, %none: tensor<16xf32>, %empty: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<16xf32>) {
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %b = math.exp %a : f32
    linalg.yield %b : f32
  } -> tensor<8x16xf32>
  %sum = linalg.reduce { arith.addf } ins(%exp : tensor<8x16xf32>) outs(%none : tensor<16xf32>) dimensions = [0]
  return %exp, %sum : tensor<8x16xf32>, tensor<16xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Rows that nobody else reads are for linalg-fuse-elementwise-ops, which leaves none; those of a nest that reduces have an order of their own.
// CHECK-LABEL: func.func @not_computed_element_by_element
//       CHECK:   %[[ROWS:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]}
//       CHECK:   linalg.reduce { arith.addf } ins(%[[ROWS]] : tensor<8x16xf32>)
func.func @not_computed_element_by_element(%x: tensor<8x16x4xf32>, %none: tensor<8xf32>, %empty: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8xf32>) {
  %rows = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<8x16x4xf32>) outs(%empty : tensor<8x16xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %b = arith.addf %a, %acc : f32
    linalg.yield %b : f32
  } -> tensor<8x16xf32>
  %sum = linalg.reduce { arith.addf } ins(%rows : tensor<8x16xf32>) outs(%none : tensor<8xf32>) dimensions = [1]
  return %rows, %sum : tensor<8x16xf32>, tensor<8xf32>
}
