// RUN: dl-opt %s --transform-interpreter --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @lowered
// CHECK-NOT: vector.contract
// CHECK-COUNT-2: vector.outerproduct
func.func @lowered(%a: vector<4x2xf32>, %b: vector<2x3xf32>, %c: vector<4x3xf32>) -> vector<4x3xf32> {
  %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %c : vector<4x2xf32>, vector<2x3xf32> into vector<4x3xf32>
  return %r : vector<4x3xf32>
}

// Another function stays as it is.
// CHECK-LABEL: func.func @other
//       CHECK:   vector.shape_cast
func.func @other(%x: vector<4xf32>) -> vector<2x2xf32> {
  %0 = vector.shape_cast %x : vector<4xf32> to vector<2x2xf32>
  return %0 : vector<2x2xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %contract = transform.structured.match ops{["vector.contract"]} in %root : (!transform.any_op) -> !transform.any_op
    %f = transform.get_parent_op %contract {op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.lower_contraction lowering_strategy = "outerproduct"
      transform.apply_patterns.vector.lower_shape_cast
    } : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @by_a_pass
//       CHECK:   %[[C:.*]] = arith.constant 5 : index
//  CHECK-NEXT:   return %[[C]]
func.func @by_a_pass(%t: tensor<5xf32>) -> index {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %t, %c0 : tensor<5xf32>
  return %dim : index
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %rounds = transform.param.constant 3 -> !transform.any_param
    transform.apply_registered_pass "canonicalize" with options = { "top-down" = false, "max-iterations" = %rounds } to %f
        : (!transform.any_op, !transform.any_param) -> !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: {{\[\[\[}} IR printer: before top-level ]]]
// CHECK: {{\[\[\[}} IR printer: ]]]
// CHECK: arith.addi
func.func @shown(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.print {name = "before"}
    %sum = transform.structured.match ops{["arith.addi"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.print %sum : !transform.any_op
    transform.yield
  }
}
