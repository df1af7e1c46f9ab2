// RUN: dl-opt %s --transform-interpreter --split-input-file | FileCheck %s

// A nest of known extents is read, computed and written as a whole.
// CHECK-DAG: #[[$MAP:.*]] = affine_map<(d0) -> (0, d0)>
// CHECK-LABEL: func.func @whole(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]:
//  CHECK-SAME:   %[[ARG1:[a-z0-9]+]]:
//  CHECK-SAME:   %[[ARG2:[a-z0-9]+]]:
// CHECK-DAG:  %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG:  %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
// CHECK:      %[[V0:.*]] = ub.poison : f32
// CHECK:      %[[V1:.*]] = vector.transfer_read %[[ARG0]]{{\[}}%[[C0]], %[[C0]]], %[[V0]] : tensor<4x8xf32>, vector<4x8xf32>
// CHECK:      %[[V2:.*]] = ub.poison : f32
// CHECK:      %[[V3:.*]] = vector.transfer_read %[[ARG1]]{{\[}}%[[C0]]], %[[V2]] {permutation_map = #[[$MAP]]} : tensor<8xf32>, vector<4x8xf32>
// CHECK:      %[[V4:.*]] = ub.poison : f32
// CHECK:      %[[V5:.*]] = vector.transfer_read %[[ARG2]]{{\[}}%[[C0]], %[[C0]]], %[[V4]] : tensor<4x8xf32>, vector<4x8xf32>
// CHECK:      %[[V6:.*]] = arith.addf %[[V1]], %[[V3]] : vector<4x8xf32>
// CHECK-DAG:  %[[C0_0:.*]] = arith.constant 0 : index
// CHECK:      %[[V7:.*]] = vector.transfer_write %[[V6]], %[[ARG2]]{{\[}}%[[C0_0]], %[[C0_0]]] : vector<4x8xf32>, tensor<4x8xf32>
// CHECK:      return %[[V7]] : tensor<4x8xf32>
func.func @whole(%a: tensor<4x8xf32>, %b: tensor<8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%c : tensor<4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %op : !transform.any_op
    transform.yield
  }
}

// -----

// Vectors that are larger than what is known of the nest are masked.
// CHECK-LABEL: func.func @masked(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]:
//  CHECK-SAME:   %[[ARG1:[a-z0-9]+]]:
// CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
// CHECK:      %[[V0:.*]] = memref.dim %[[ARG0]], %[[C0]] : memref<?x7xi32>
// CHECK-DAG:  %[[C7:.*]] = arith.constant 7 : index
// CHECK-DAG:  %[[C0_0:.*]] = arith.constant 0 : index
// CHECK:      %[[V1:.*]] = ub.poison : i32
// CHECK:      %[[V2:.*]] = vector.create_mask %[[V0]], %[[C7]] : vector<4x8xi1>
// CHECK:      %[[V3:.*]] = vector.mask %[[V2]] { vector.transfer_read %[[ARG0]]{{\[}}%[[C0_0]], %[[C0_0]]], %[[V1]] {in_bounds = [true, true]} : memref<?x7xi32>, vector<4x8xi32> } : vector<4x8xi1> -> vector<4x8xi32>
// CHECK:      %[[V4:.*]] = ub.poison : i32
// CHECK:      %[[V5:.*]] = vector.create_mask %[[V0]] : vector<4xi1>
// CHECK:      %[[V6:.*]] = vector.mask %[[V5]] { vector.transfer_read %[[ARG1]]{{\[}}%[[C0_0]]], %[[V4]] {in_bounds = [true]} : memref<?xi32>, vector<4xi32> } : vector<4xi1> -> vector<4xi32>
// CHECK:      %[[V7:.*]] = vector.mask %[[V2]] { vector.multi_reduction <maxsi>, %[[V3]], %[[V6]] [1] : vector<4x8xi32> to vector<4xi32> } : vector<4x8xi1> -> vector<4xi32>
// CHECK-DAG:  %[[C0_1:.*]] = arith.constant 0 : index
// CHECK:      vector.mask %[[V5]] { vector.transfer_write %[[V7]], %[[ARG1]]{{\[}}%[[C0_1]]] {in_bounds = [true]} : vector<4xi32>, memref<?xi32> } : vector<4xi1>
// CHECK:      return
func.func @masked(%a: memref<?x7xi32>, %b: memref<?xi32>) {
  linalg.reduce ins(%a : memref<?x7xi32>) outs(%b : memref<?xi32>) dimensions = [1]
    (%x: i32, %acc: i32) {
      %s = arith.maxsi %x, %acc : i32
      linalg.yield %s : i32
    }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    %size = transform.param.constant 4 : i64 -> !transform.param<i64>
    transform.structured.vectorize %op vector_sizes [%size, 8] : !transform.any_op, !transform.param<i64>
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @scalable(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]:
//  CHECK-SAME:   %[[ARG1:[a-z0-9]+]]:
// CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
// CHECK:      %[[V0:.*]] = tensor.dim %[[ARG0]], %[[C0]] : tensor<?xf32>
// CHECK-DAG:  %[[C0_0:.*]] = arith.constant 0 : index
// CHECK:      %[[V1:.*]] = ub.poison : f32
// CHECK:      %[[V2:.*]] = vector.create_mask %[[V0]] : vector<[4]xi1>
// CHECK:      %[[V3:.*]] = vector.mask %[[V2]] { vector.transfer_read %[[ARG0]]{{\[}}%[[C0_0]]], %[[V1]] {in_bounds = [true]} : tensor<?xf32>, vector<[4]xf32> } : vector<[4]xi1> -> vector<[4]xf32>
// CHECK:      %[[V4:.*]] = ub.poison : f32
// CHECK:      %[[V5:.*]] = vector.mask %[[V2]] { vector.transfer_read %[[ARG1]]{{\[}}%[[C0_0]]], %[[V4]] {in_bounds = [true]} : tensor<?xf32>, vector<[4]xf32> } : vector<[4]xi1> -> vector<[4]xf32>
// CHECK:      %[[V6:.*]] = math.exp %[[V3]] : vector<[4]xf32>
// CHECK-DAG:  %[[C0_1:.*]] = arith.constant 0 : index
// CHECK:      %[[V7:.*]] = vector.mask %[[V2]] { vector.transfer_write %[[V6]], %[[ARG1]]{{\[}}%[[C0_1]]] {in_bounds = [true]} : vector<[4]xf32>, tensor<?xf32> } : vector<[4]xi1> -> tensor<?xf32>
// CHECK:      return %[[V7]] : tensor<?xf32>
func.func @scalable(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.exp ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %op vector_sizes [[4]] : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @indices(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]:
// CHECK-DAG:  %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG:  %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
// CHECK:      %[[V0:.*]] = ub.poison : index
// CHECK:      %[[V1:.*]] = vector.transfer_read %[[ARG0]]{{\[}}%[[C0]], %[[C0]]], %[[V0]] : tensor<3x4xindex>, vector<3x4xindex>
// CHECK:      %[[V2:.*]] = vector.step : vector<3xindex>
// CHECK:      %[[V3:.*]] = vector.broadcast %[[V2]] : vector<3xindex> to vector<4x3xindex>
// CHECK:      %[[V4:.*]] = vector.transpose %[[V3]], [1, 0] : vector<4x3xindex> to vector<3x4xindex>
// CHECK:      %[[V5:.*]] = vector.step : vector<4xindex>
// CHECK-DAG:  %[[C4_0:.*]] = arith.constant 4 : index
// CHECK:      %[[V6:.*]] = arith.constant dense<4> : vector<3x4xindex>
// CHECK:      %[[V7:.*]] = arith.muli %[[V4]], %[[V6]] overflow<nsw> : vector<3x4xindex>
// CHECK:      %[[V8:.*]] = vector.broadcast %[[V5]] : vector<4xindex> to vector<3x4xindex>
// CHECK:      %[[V9:.*]] = arith.addi %[[V7]], %[[V8]] : vector<3x4xindex>
// CHECK-DAG:  %[[C0_1:.*]] = arith.constant 0 : index
// CHECK:      %[[V10:.*]] = vector.transfer_write %[[V9]], %[[ARG0]]{{\[}}%[[C0_1]], %[[C0_1]]] : vector<3x4xindex>, tensor<3x4xindex>
// CHECK:      return %[[V10]] : tensor<3x4xindex>
func.func @indices(%a: tensor<3x4xindex>) -> tensor<3x4xindex> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%a : tensor<3x4xindex>) {
  ^bb0(%out: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = affine.apply affine_map<(i, j) -> (i * 4 + j)>(%i, %j)
    linalg.yield %s : index
  } -> tensor<3x4xindex>
  return %r : tensor<3x4xindex>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %op : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-DAG: #[[$MAP:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$MAP2:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @contraction(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]:
//  CHECK-SAME:   %[[ARG1:[a-z0-9]+]]:
//  CHECK-SAME:   %[[ARG2:[a-z0-9]+]]:
// CHECK-DAG:  %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG:  %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:  %[[C8:.*]] = arith.constant 8 : index
// CHECK:      %[[V0:.*]] = arith.constant 0.000000e+00 : f16
// CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
// CHECK:      %[[V1:.*]] = vector.transfer_read %[[ARG0]]{{\[}}%[[C0]], %[[C0]]], %[[V0]] {in_bounds = [true, true]} : tensor<4x8xf16>, vector<4x8xf16>
// CHECK:      %[[V2:.*]] = arith.constant 0.000000e+00 : f16
// CHECK-DAG:  %[[C0_1:.*]] = arith.constant 0 : index
// CHECK:      %[[V3:.*]] = vector.transfer_read %[[ARG1]]{{\[}}%[[C0_1]], %[[C0_1]]], %[[V2]] {in_bounds = [true, true]} : tensor<8x2xf16>, vector<8x2xf16>
// CHECK:      %[[V4:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:  %[[C0_3:.*]] = arith.constant 0 : index
// CHECK:      %[[V5:.*]] = vector.transfer_read %[[ARG2]]{{\[}}%[[C0_3]], %[[C0_3]]], %[[V4]] {in_bounds = [true, true]} : tensor<4x2xf32>, vector<4x2xf32>
// CHECK:      %[[V6:.*]] = vector.contract {indexing_maps = [#[[$MAP]], #[[$MAP1]], #[[$MAP2]]], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %[[V1]], %[[V3]], %[[V5]] : vector<4x8xf16>, vector<8x2xf16> into vector<4x2xf32>
// CHECK-DAG:  %[[C0_4:.*]] = arith.constant 0 : index
// CHECK:      %[[V7:.*]] = vector.transfer_write %[[V6]], %[[ARG2]]{{\[}}%[[C0_4]], %[[C0_4]]] {in_bounds = [true, true]} : vector<4x2xf32>, tensor<4x2xf32>
// CHECK:      return %[[V7]] : tensor<4x2xf32>
func.func @contraction(%a: tensor<4x8xf16>, %b: tensor<8x2xf16>, %c: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf16>, tensor<8x2xf16>) outs(%c : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %op {create_named_contraction} : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @gathered(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]:
//  CHECK-SAME:   %[[ARG1:[a-z0-9]+]]:
//  CHECK-SAME:   %[[ARG2:[a-z0-9]+]]:
// CHECK-DAG:  %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:  %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
// CHECK:      %[[V0:.*]] = ub.poison : index
// CHECK:      %[[V1:.*]] = vector.transfer_read %[[ARG1]]{{\[}}%[[C0]], %[[C0]]], %[[V0]] : tensor<2x3xindex>, vector<2x3xindex>
// CHECK:      %[[V2:.*]] = ub.poison : f32
// CHECK:      %[[V3:.*]] = vector.transfer_read %[[ARG2]]{{\[}}%[[C0]], %[[C0]]], %[[V2]] : tensor<2x3xf32>, vector<2x3xf32>
// CHECK:      %[[V4:.*]] = vector.step : vector<2xindex>
// CHECK:      %[[V5:.*]] = vector.broadcast %[[V4]] : vector<2xindex> to vector<3x2xindex>
// CHECK:      %[[V6:.*]] = vector.transpose %[[V5]], [1, 0] : vector<3x2xindex> to vector<2x3xindex>
// CHECK:      %[[V7:.*]] = arith.constant dense<true> : vector<2x3xi1>
// CHECK:      %[[V8:.*]] = arith.constant dense<0.000000e+00> : vector<2x3xf32>
// CHECK-DAG:  %[[C0_1:.*]] = arith.constant 0 : index
// CHECK-DAG:  %[[C1:.*]] = arith.constant 1 : index
// CHECK:      %[[V9:.*]] = tensor.dim %[[ARG0]], %[[C1]] : tensor<6x5xf32>
// CHECK:      %[[V10:.*]] = vector.broadcast %[[V9]] : index to vector<2x3xindex>
// CHECK:      %[[V11:.*]] = arith.muli %[[V6]], %[[V10]] : vector<2x3xindex>
// CHECK:      %[[V12:.*]] = arith.addi %[[V1]], %[[V11]] : vector<2x3xindex>
// CHECK:      %[[V13:.*]] = vector.gather %[[ARG0]]{{\[}}%[[C0_1]], %[[C0_1]]] {{\[}}%[[V12]]], %[[V7]], %[[V8]] : tensor<6x5xf32>, vector<2x3xindex>, vector<2x3xi1>, vector<2x3xf32> into vector<2x3xf32>
// CHECK-DAG:  %[[C0_2:.*]] = arith.constant 0 : index
// CHECK:      %[[V14:.*]] = vector.transfer_write %[[V13]], %[[ARG2]]{{\[}}%[[C0_2]], %[[C0_2]]] : vector<2x3xf32>, tensor<2x3xf32>
// CHECK:      return %[[V14]] : tensor<2x3xf32>
func.func @gathered(%a: tensor<6x5xf32>, %at: tensor<2x3xindex>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%at : tensor<2x3xindex>) outs(%b : tensor<2x3xf32>) {
  ^bb0(%i: index, %out: f32):
    %j = linalg.index 0 : index
    %x = tensor.extract %a[%j, %i] : tensor<6x5xf32>
    linalg.yield %x : f32
  } -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %op {vectorize_nd_extract} : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @side_by_side(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]:
//  CHECK-SAME:   %[[ARG1:[a-z0-9]+]]:
//  CHECK-SAME:   %[[ARG2:[a-z0-9]+]]:
// CHECK-DAG:  %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:  %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
// CHECK:      %[[V0:.*]] = ub.poison : f32
// CHECK:      %[[V1:.*]] = vector.transfer_read %[[ARG2]]{{\[}}%[[C0]], %[[C0]]], %[[V0]] : tensor<1x4xf32>, vector<1x4xf32>
// CHECK:      %[[V2:.*]] = vector.step : vector<4xindex>
// CHECK:      %[[V3:.*]] = arith.constant dense<true> : vector<1x4xi1>
// CHECK:      %[[V4:.*]] = arith.constant dense<0.000000e+00> : vector<1x4xf32>
// CHECK-DAG:  %[[C0_1:.*]] = arith.constant 0 : index
// CHECK:      %[[V5:.*]] = vector.shape_cast %[[V2]] : vector<4xindex> to vector<4xindex>
// CHECK:      %[[V6:.*]] = vector.extract %[[V5]][0] : index from vector<4xindex>
// CHECK:      %[[V7:.*]] = ub.poison : f32
// CHECK:      %[[V8:.*]] = vector.transfer_read %[[ARG0]]{{\[}}%[[ARG1]], %[[V6]]], %[[V7]] {in_bounds = [true, true]} : tensor<6x5xf32>, vector<1x4xf32>
// CHECK-DAG:  %[[C0_2:.*]] = arith.constant 0 : index
// CHECK:      %[[V9:.*]] = vector.transfer_write %[[V8]], %[[ARG2]]{{\[}}%[[C0_2]], %[[C0_2]]] : vector<1x4xf32>, tensor<1x4xf32>
// CHECK:      return %[[V9]] : tensor<1x4xf32>
func.func @side_by_side(%a: tensor<6x5xf32>, %k: index, %b: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%b : tensor<1x4xf32>) {
  ^bb0(%out: f32):
    %j = linalg.index 1 : index
    %x = tensor.extract %a[%k, %j] : tensor<6x5xf32>
    linalg.yield %x : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %op {vectorize_nd_extract} : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @padded(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]:
//  CHECK-SAME:   %[[ARG1:[a-z0-9]+]]:
// CHECK:      %[[V0:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:  %[[C0_0:.*]] = arith.constant 0 : index
// CHECK:      %[[V1:.*]] = tensor.dim %[[ARG0]], %[[C0_0]] : tensor<?xf32>
// CHECK:      %[[V2:.*]] = vector.create_mask %[[V1]] : vector<8xi1>
// CHECK:      %[[V3:.*]] = vector.mask %[[V2]] { vector.transfer_read %[[ARG0]]{{\[}}%[[C0]]], %[[V0]] {in_bounds = [true]} : tensor<?xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>
// CHECK:      %[[V4:.*]] = tensor.empty() : tensor<6xf32>
// CHECK-DAG:  %[[C0_1:.*]] = arith.constant 0 : index
// CHECK-DAG:  %[[C6:.*]] = arith.constant 6 : index
// CHECK:      %[[V5:.*]] = vector.create_mask %[[C6]] : vector<8xi1>
// CHECK:      %[[V6:.*]] = vector.mask %[[V5]] { vector.transfer_write %[[V3]], %[[V4]]{{\[}}%[[C0_1]]] {in_bounds = [true]} : vector<8xf32>, tensor<6xf32> } : vector<8xi1> -> tensor<6xf32>
// CHECK:      return %[[V6]] : tensor<6xf32>
func.func @padded(%a: tensor<?xf32>, %n: index) -> tensor<6xf32> {
  %cst = arith.constant 1.0 : f32
  %r = tensor.pad %a low[0] high[%n] {
  ^bb0(%i: index):
    tensor.yield %cst : f32
  } : tensor<?xf32> to tensor<6xf32>
  return %r : tensor<6xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %op vector_sizes [8] : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @packed(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]:
//  CHECK-SAME:   %[[ARG1:[a-z0-9]+]]:
//  CHECK-SAME:   %[[ARG2:[a-z0-9]+]]:
// CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
// CHECK:      %[[V0:.*]] = ub.poison : f32
// CHECK:      %[[V1:.*]] = vector.transfer_read %[[ARG0]]{{\[}}%[[C0]], %[[C0]]], %[[V0]] {in_bounds = [true, true]} : tensor<6x8xf32>, vector<6x8xf32>
// CHECK:      %[[V2:.*]] = vector.shape_cast %[[V1]] : vector<6x8xf32> to vector<3x2x4x2xf32>
// CHECK:      %[[V3:.*]] = vector.transpose %[[V2]], [2, 0, 3, 1] : vector<3x2x4x2xf32> to vector<4x3x2x2xf32>
// CHECK-DAG:  %[[C0_0:.*]] = arith.constant 0 : index
// CHECK:      %[[V4:.*]] = vector.transfer_write %[[V3]], %[[ARG1]]{{\[}}%[[C0_0]], %[[C0_0]], %[[C0_0]], %[[C0_0]]] {in_bounds = [true, true, true, true]} : vector<4x3x2x2xf32>, tensor<4x3x2x2xf32>
// CHECK-DAG:  %[[C0_1:.*]] = arith.constant 0 : index
// CHECK:      %[[V5:.*]] = ub.poison : f32
// CHECK:      %[[V6:.*]] = vector.transfer_read %[[V4]]{{\[}}%[[C0_1]], %[[C0_1]], %[[C0_1]], %[[C0_1]]], %[[V5]] {in_bounds = [true, true, true, true]} : tensor<4x3x2x2xf32>, vector<4x3x2x2xf32>
// CHECK:      %[[V7:.*]] = vector.transpose %[[V6]], [1, 3, 0, 2] : vector<4x3x2x2xf32> to vector<3x2x4x2xf32>
// CHECK:      %[[V8:.*]] = vector.shape_cast %[[V7]] : vector<3x2x4x2xf32> to vector<6x8xf32>
// CHECK-DAG:  %[[C0_2:.*]] = arith.constant 0 : index
// CHECK:      %[[V9:.*]] = vector.transfer_write %[[V8]], %[[ARG2]]{{\[}}%[[C0_2]], %[[C0_2]]] {in_bounds = [true, true]} : vector<6x8xf32>, tensor<6x8xf32>
// CHECK:      return %[[V9]] : tensor<6x8xf32>
func.func @packed(%a: tensor<6x8xf32>, %b: tensor<4x3x2x2xf32>, %c: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %p = linalg.pack %a outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 2] into %b
      : tensor<6x8xf32> -> tensor<4x3x2x2xf32>
  %u = linalg.unpack %p outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 2] into %c
      : tensor<4x3x2x2xf32> -> tensor<6x8xf32>
  return %u : tensor<6x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.pack", "linalg.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %op : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @inserted(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]:
//  CHECK-SAME:   %[[ARG1:[a-z0-9]+]]:
//  CHECK-SAME:   %[[ARG2:[a-z0-9]+]]:
// CHECK:      %[[V0:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:  %[[C0_0:.*]] = arith.constant 0 : index
// CHECK:      %[[V1:.*]] = vector.transfer_read %[[ARG0]]{{\[}}%[[C0_0]], %[[C0_0]]], %[[V0]] {in_bounds = [true, true]} : tensor<2x3xf32>, vector<2x3xf32>
// CHECK-DAG:  %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:  %[[C2:.*]] = arith.constant 2 : index
// CHECK:      %[[V2:.*]] = vector.transfer_write %[[V1]], %[[ARG1]]{{\[}}%[[ARG2]], %[[C1]], %[[C2]]] {in_bounds = [true, true]} : vector<2x3xf32>, tensor<4x6x5xf32>
// CHECK:      return %[[V2]] : tensor<4x6x5xf32>
func.func @inserted(%a: tensor<2x3xf32>, %b: tensor<4x6x5xf32>, %at: index) -> tensor<4x6x5xf32> {
  %r = tensor.insert_slice %a into %b[%at, 1, 2] [1, 2, 3] [1, 1, 1] : tensor<2x3xf32> into tensor<4x6x5xf32>
  return %r : tensor<4x6x5xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["tensor.insert_slice"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %op : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-DAG: #[[$MAP:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$MAP2:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @children(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]:
//  CHECK-SAME:   %[[ARG1:[a-z0-9]+]]:
//  CHECK-SAME:   %[[ARG2:[a-z0-9]+]]:
//  CHECK-SAME:   %[[ARG3:[a-z0-9]+]]:
//  CHECK-SAME:   %[[ARG4:[a-z0-9]+]]:
// CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
// CHECK:      %[[V0:.*]] = ub.poison : f32
// CHECK:      %[[V1:.*]] = vector.transfer_read %[[ARG0]]{{\[}}%[[C0]], %[[C0]]], %[[V0]] {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
// CHECK:      %[[V2:.*]] = vector.transfer_read %[[ARG1]]{{\[}}%[[C0]], %[[C0]]], %[[V0]] {in_bounds = [true, true]} : tensor<8x2xf32>, vector<8x2xf32>
// CHECK:      %[[V3:.*]] = vector.transfer_read %[[ARG2]]{{\[}}%[[C0]], %[[C0]]], %[[V0]] {in_bounds = [true, true]} : tensor<4x2xf32>, vector<4x2xf32>
// CHECK:      %[[V4:.*]] = vector.contract {indexing_maps = [#[[$MAP]], #[[$MAP1]], #[[$MAP2]]], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %[[V1]], %[[V2]], %[[V3]] : vector<4x8xf32>, vector<8x2xf32> into vector<4x2xf32>
// CHECK:      %[[V5:.*]] = vector.transfer_write %[[V4]], %[[ARG2]]{{\[}}%[[C0]], %[[C0]]] {in_bounds = [true, true]} : vector<4x2xf32>, tensor<4x2xf32>
// CHECK:      %[[V6:.*]] = vector.transfer_read %[[ARG3]]{{\[}}%[[C0]], %[[C0]]], %[[V0]] {in_bounds = [true, true]} : memref<4x2xf32>, vector<4x2xf32>
// CHECK:      vector.transfer_write %[[V6]], %[[ARG4]]{{\[}}%[[C0]], %[[C0]]] {in_bounds = [true, true]} : vector<4x2xf32>, memref<4x2xf32>
// CHECK:      return %[[V5]] : tensor<4x2xf32>
func.func @children(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>, %m: memref<4x2xf32>, %n: memref<4x2xf32>) -> tensor<4x2xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) -> tensor<4x2xf32>
  memref.copy %m, %n : memref<4x2xf32> to memref<4x2xf32>
  return %r : tensor<4x2xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %g = transform.structured.vectorize_children_and_apply_patterns %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
