// RUN: dl-opt %s --transform-interpreter --cse --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-DAG: #[[$REST:.*]] = affine_map<(d0) -> (-d0 + 10, 4)>
// CHECK-LABEL: func.func @tiled
//  CHECK-SAME:   (%[[A:[a-z0-9]+]]: tensor<10x6xf32>, %[[B:[a-z0-9]+]]: tensor<10x6xf32>)
// CHECK: scf.for %[[I:.*]] = %c0 to %c10 step %c4 iter_args(%[[R:.*]] = %[[B]])
// CHECK:   %[[N:.*]] = affine.min #[[$REST]](%[[I]])
// CHECK:   %[[TA:.*]] = tensor.extract_slice %[[A]][%[[I]], 0] [%[[N]], 6] [1, 1]
// CHECK:   %[[TB:.*]] = tensor.extract_slice %[[R]][%[[I]], 0] [%[[N]], 6] [1, 1]
// CHECK:   %[[E:.*]] = linalg.exp ins(%[[TA]] : {{.*}}) outs(%[[TB]]
// CHECK:   tensor.insert_slice %[[E]] into %[[R]][%[[I]], 0] [%[[N]], 6] [1, 1]
func.func @tiled(%a: tensor<10x6xf32>, %b: tensor<10x6xf32>) -> tensor<10x6xf32> {
  // expected-remark @below {{loop}}
  %r = linalg.exp ins(%a : tensor<10x6xf32>) outs(%b : tensor<10x6xf32>) -> tensor<10x6xf32>
  return %r : tensor<10x6xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    %size = transform.param.constant 4 : i64 -> !transform.param<i64>
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [%size, 0]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.op<"scf.for">)
    transform.debug.emit_remark_at %loop, "loop" : !transform.op<"scf.for">
    transform.yield
  }
}

// -----

// The outer loop runs over the second dimension.
// CHECK-LABEL: func.func @in_another_order
//  CHECK-SAME:   (%[[A:[a-z0-9]+]]: tensor<8x6xf32>
// CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %c6 step %c3
// CHECK:   scf.for %[[I:.*]] = %c0{{.*}} to %c8 step %c2
// CHECK:     tensor.extract_slice %[[A]][%[[I]], %[[J]]] [2, 3] [1, 1]
func.func @in_another_order(%a: tensor<8x6xf32>, %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %r = linalg.exp ins(%a : tensor<8x6xf32>) outs(%b : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %r : tensor<8x6xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loops:2 = transform.structured.tile_using_for %op tile_sizes [2, 3] interchange = [1, 0]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Four threads for ten rows: three each, one for the last.
// CHECK-DAG: #[[$START:.*]] = affine_map<(d0) -> (d0 * 3)>
// CHECK-DAG: #[[$REST:.*]] = affine_map<(d0) -> (d0 * -3 + 10, 3)>
// CHECK-LABEL: func.func @by_threads
//  CHECK-SAME:   (%[[A:[a-z0-9]+]]: tensor<10x6xf32>
// CHECK: scf.forall (%[[T:.*]]) in (4) shared_outs
// CHECK-DAG: %[[I:.*]] = affine.apply #[[$START]](%[[T]])
// CHECK-DAG: %[[N:.*]] = affine.min #[[$REST]](%[[T]])
// CHECK:   tensor.extract_slice %[[A]][%[[I]], 0] [%[[N]], 6] [1, 1]
func.func @by_threads(%a: tensor<10x6xf32>, %b: tensor<10x6xf32>) -> tensor<10x6xf32> {
  %r = linalg.exp ins(%a : tensor<10x6xf32>) outs(%b : tensor<10x6xf32>) -> tensor<10x6xf32>
  return %r : tensor<10x6xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %op num_threads [4]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @fused
// CHECK: scf.forall (%[[I:.*]], %[[J:.*]]) in (2, 2)
// CHECK:   %[[E:.*]] = linalg.exp ins({{.*}} : tensor<4x3xf32>)
// CHECK:   linalg.abs ins(%[[E]] : tensor<4x3xf32>)
func.func @fused(%a: tensor<8x6xf32>, %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %e = linalg.exp ins(%a : tensor<8x6xf32>) outs(%b : tensor<8x6xf32>) -> tensor<8x6xf32>
  %r = linalg.abs ins(%e : tensor<8x6xf32>) outs(%b : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %r : tensor<8x6xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %abs = transform.structured.match ops{["linalg.abs"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %abs tile_sizes [4, 3]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %new = transform.structured.fuse_into_containing_op %exp into %loop
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func.func @other_forms
// CHECK: linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]}
func.func @other_forms(%a: tensor<8x6xf32>, %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %r = linalg.exp ins(%a : tensor<8x6xf32>) outs(%b : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %r : tensor<8x6xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %general = transform.structured.generalize %exp : (!transform.any_op) -> !transform.any_op
    %turned = transform.structured.interchange %general iterator_interchange = [1, 0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @no_tiles(%x: i32) -> i32 {
  // expected-note @below {{target op}}
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["arith.addi"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{only ops implementing TilingInterface are supported}}
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The order of the loops is told by a parameter: the second one is the outer one.
// CHECK-LABEL: func.func @fused_in_another_order
// CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %c6 step %c3
// CHECK:   scf.for %[[I:.*]] = %c0{{.*}} to %c8 step %c2
// CHECK:     tensor.extract_slice {{.*}}[%[[I]], %[[J]]] [2, 3] [1, 1]
func.func @fused_in_another_order(%a: tensor<8x6xf32>, %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %r = linalg.exp ins(%a : tensor<8x6xf32>) outs(%b : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %r : tensor<8x6xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %first = transform.param.constant 1 : i64 -> !transform.param<i64>
    %tile, %loops:2 = transform.structured.fuse %op tile_sizes [2, 3] interchange [%first, 0]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
