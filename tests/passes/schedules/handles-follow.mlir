// RUN: dl-opt %s --transform-interpreter --split-input-file --verify-diagnostics | FileCheck %s

// A handle stands for what has replaced its operation; of two that became one it has that twice.
// CHECK-LABEL: func.func @merged
//  CHECK-NEXT:   arith.constant
//  CHECK-NEXT:   return
func.func @merged() -> (index, index) {
  // expected-remark @below {{one of two}}
  %0 = arith.constant 1 : index
  %1 = arith.constant 1 : index
  return %0, %1 : index, index
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %constants = transform.structured.match ops{["arith.constant"]} in %f : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    %n = transform.num_associations %constants : (!transform.any_op) -> !transform.param<i64>
    // expected-remark @below {{2 : i64}}
    transform.debug.emit_param_as_remark %n : !transform.param<i64>
    %one = transform.merge_handles deduplicate %constants : !transform.any_op
    %m = transform.num_associations %one : (!transform.any_op) -> !transform.param<i64>
    // expected-remark @below {{1 : i64}}
    transform.debug.emit_param_as_remark %m : !transform.param<i64>
    transform.debug.emit_remark_at %one, "one of two" : !transform.any_op
    transform.yield
  }
}

// -----

// What is erased is in no handle any more.
// CHECK-LABEL: func.func @erased
//  CHECK-NEXT:   return
func.func @erased(%x: i32) {
  %0 = arith.addi %x, %x : i32
  %1 = arith.addi %0, %x : i32
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %sums = transform.structured.match ops{["arith.addi"]} in %f : (!transform.any_op) -> !transform.any_op
    transform.apply_dce to %f : !transform.any_op
    %n = transform.num_associations %sums : (!transform.any_op) -> !transform.param<i64>
    // expected-remark @below {{0 : i64}}
    transform.debug.emit_param_as_remark %n : !transform.param<i64>
    transform.yield
  }
}

// -----

// Where nothing stands for a replaced operation any more, that is a failure if its handle is still needed.
// expected-note @below {{[0] replacement value 0}}
func.func @lost(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  // expected-note @below {{[0] replaced op}}
  %0 = arith.addi %x, %c0 : i32
  return %0 : i32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-note @below {{replacement is required because this handle must be updated}}
    %sum = transform.structured.match ops{["arith.addi"]} in %f : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{tracking listener failed to find replacement op during application of this transform op}}
    // expected-note @below {{replacement values belong to different ops}}
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.annotate %sum "here" : !transform.any_op
    transform.yield
  }
}

// -----

// One that nothing uses afterwards may get lost.
// CHECK-LABEL: func.func @not_needed
//  CHECK-SAME:   (%[[X:.*]]: i32)
//  CHECK-NEXT:   return %[[X]]
func.func @not_needed(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %0 = arith.addi %x, %c0 : i32
  return %0 : i32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %sum = transform.structured.match ops{["arith.addi"]} in %f : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}

// -----

// The first alternative fails, and what it has changed is undone.
// CHECK-LABEL: func.func @alternatives
//  CHECK-NEXT:   arith.muli
//  CHECK-SAME:     {chosen}
func.func @alternatives(%x: i32) -> i32 {
  %0 = arith.muli %x, %x : i32
  return %0 : i32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.alternatives %f : !transform.any_op {
    ^bb0(%g: !transform.any_op):
      %product = transform.structured.match ops{["arith.muli"]} in %g : (!transform.any_op) -> !transform.any_op
      transform.annotate %product "dropped" : !transform.any_op
      %none = transform.get_producer_of_operand %product[0] : (!transform.any_op) -> !transform.any_op
    }, {
    ^bb0(%g: !transform.any_op):
      %product = transform.structured.match ops{["arith.muli"]} in %g : (!transform.any_op) -> !transform.any_op
      transform.annotate %product "chosen" : !transform.any_op
    }
    transform.yield
  }
}
