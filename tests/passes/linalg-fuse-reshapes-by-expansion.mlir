// RUN: dl-opt %s --linalg-fuse-reshapes-by-expansion --oracle=each-pass --mlir-print-local-scope | FileCheck %s
// RUN: dl-opt %s --linalg-fuse-elementwise-ops --oracle=each-pass --mlir-print-local-scope | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func.func @expanded_result
//  CHECK-SAME:   (%[[X:[a-z0-9]+]]: tensor<6x4xf32>, %[[Y:[a-z0-9]+]]: tensor<4xf32>)
//       CHECK:   %[[E:.*]] = tensor.expand_shape %[[X]] {{\[}}[0, 1], [2]] output_shape [2, 3, 4]
//       CHECK:   %[[R:[0-9]+]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[E]], %[[Y]] : tensor<2x3x4xf32>, tensor<4xf32>)
//       CHECK:   return %[[R]]
func.func @expanded_result(%x: tensor<6x4xf32>, %y: tensor<4xf32>) -> tensor<2x3x4xf32> {
  %e = tensor.empty() : tensor<6x4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<6x4xf32>, tensor<4xf32>) outs(%e : tensor<6x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<6x4xf32>
  %2 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf32> into tensor<2x3x4xf32>
  return %2 : tensor<2x3x4xf32>
}

// A reduction, and extents that are known when running only.
// CHECK-LABEL: func.func @collapsed_input
//  CHECK-SAME:   (%[[X:[a-z0-9]+]]: tensor<4x?x3xf32>, %[[INIT:[a-z0-9]+]]: tensor<?xf32>)
//   CHECK-NOT:   tensor.collapse_shape %[[X]]
//       CHECK:   %[[E:.*]] = tensor.expand_shape %[[INIT]] {{\[}}[0, 1]] output_shape [%{{.*}}, 3] : tensor<?xf32> into tensor<?x3xf32>
//       CHECK:   %[[R:[0-9]+]] = linalg.generic {{.*}} iterator_types = ["reduction", "parallel", "parallel"]} ins(%[[X]] : tensor<4x?x3xf32>) outs(%[[E]] : tensor<?x3xf32>)
//       CHECK:   tensor.collapse_shape %[[R]] {{\[}}[0, 1]] : tensor<?x3xf32> into tensor<?xf32>
func.func @collapsed_input(%x: tensor<4x?x3xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %c = tensor.collapse_shape %x [[0], [1, 2]] : tensor<4x?x3xf32> into tensor<4x?xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["reduction", "parallel"]} ins(%c : tensor<4x?xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %a, %o : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// The index of a merged dimension is told from those of its parts.
// CHECK-LABEL: func.func @index
//       CHECK:   %[[I:.*]] = linalg.index 0 : index
//       CHECK:   %[[J:.*]] = linalg.index 1 : index
//       CHECK:   affine.apply {{[^*]*}}0 * 3 + {{[^%]*}}%[[I]], %[[J]]
//       CHECK:   linalg.index 2 : index
func.func @index(%x: tensor<2x3x4xf32>) -> tensor<6x4xi32> {
  %e = tensor.empty() : tensor<6x4xi32>
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<6x4xf32>) outs(%e : tensor<6x4xi32>) {
  ^bb0(%a: f32, %o: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.addi %i, %j : index
    %t = arith.index_cast %s : index to i32
    %f = arith.fptosi %a : f32 to i32
    %1 = arith.addi %t, %f : i32
    linalg.yield %1 : i32
  } -> tensor<6x4xi32>
  return %0 : tensor<6x4xi32>
}

// The merged tensor is needed anyway.
// CHECK-LABEL: func.func @read_twice
//       CHECK:   tensor.collapse_shape
//       CHECK:   linalg.generic
func.func @read_twice(%x: tensor<2x3x4xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>) {
  %e = tensor.empty() : tensor<6x4xf32>
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<6x4xf32>) outs(%e : tensor<6x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %a, %a : f32
    linalg.yield %1 : f32
  } -> tensor<6x4xf32>
  return %0, %c : tensor<6x4xf32>, tensor<6x4xf32>
}
