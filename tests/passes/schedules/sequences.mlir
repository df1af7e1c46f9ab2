// RUN: dl-opt %s --transform-interpreter --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What is nested comes before what is around it, in program order otherwise.
module attributes {transform.with_named_sequence} {
  // expected-remark @below {{function 2}}
  func.func @f() {
    // expected-remark @below {{outer}}
    "work.outer"() ({
      // expected-remark @below {{inner}}
      "work.inner"() : () -> ()
    }) : () -> ()
    return
  }

  transform.named_sequence @report(%op: !transform.any_op {transform.readonly}, %n: !transform.param<i64> {transform.readonly}) {
    transform.debug.emit_param_as_remark %n, "function" at %op : !transform.param<i64>, !transform.any_op
    transform.yield
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %both = transform.structured.match ops{["work.outer", "work.inner"]} in %root : (!transform.any_op) -> !transform.any_op
    %inner, %outer = transform.split_handle %both : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %inner, "inner" : !transform.any_op
    transform.debug.emit_remark_at %outer, "outer" : !transform.any_op
    %again = transform.structured.match ops{["work.outer", "work.inner"]} in %root : (!transform.any_op) -> !transform.any_op
    %functions = transform.get_parent_op %again {isolated_from_above, deduplicate} : (!transform.any_op) -> !transform.any_op
    %n = transform.num_associations %again : (!transform.any_op) -> !transform.param<i64>
    transform.include @report failures(propagate) (%functions, %n) : (!transform.any_op, !transform.param<i64>) -> ()
    transform.yield
  }
}

// -----

// A sequence that suppresses failures goes on after one; results that were not told stand for nothing.
module attributes {transform.with_named_sequence} {
  func.func @f() {
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.sequence %root : !transform.any_op failures(suppress) {
    ^bb0(%arg: !transform.any_op):
      %none = transform.get_parent_op %arg : (!transform.any_op) -> !transform.any_op
      %n = transform.num_associations %none : (!transform.any_op) -> !transform.param<i64>
      // expected-remark @below {{0 : i64}}
      transform.debug.emit_param_as_remark %n : !transform.param<i64>
    }
    transform.yield
  }
}

// -----

// expected-note @below {{target op}}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.sequence %root : !transform.any_op failures(propagate) {
    ^bb0(%arg: !transform.any_op):
      // expected-error @below {{could not find a parent op that matches all requirements}}
      %none = transform.get_parent_op %arg : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @f() {
    // expected-remark @below {{1 : i64}}
    "work.a"() : () -> ()
    // expected-remark @below {{2 : i64}}
    "work.a"() : () -> ()
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %ops = transform.structured.match ops{["work.a"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.param.constant 1 : i64 -> !transform.param<i64>
    %2 = transform.param.constant 2 : i64 -> !transform.param<i64>
    %params = transform.merge_handles %1, %2 : !transform.param<i64>
    transform.foreach %ops, %params : !transform.any_op, !transform.param<i64> {
    ^bb0(%op: !transform.any_op, %param: !transform.param<i64>):
      transform.debug.emit_param_as_remark %param at %op : !transform.param<i64>, !transform.any_op
    }
    // expected-error @below {{prior targets' payload size (2) differs from payload size (1) of target}}
    transform.foreach %ops, %1 : !transform.any_op, !transform.param<i64> {
    ^bb0(%op: !transform.any_op, %param: !transform.param<i64>):
    }
    transform.yield
  }
}

// -----

// The first matcher that fits says what is done; each action may yield one thing an operation.
module attributes {transform.with_named_sequence} {
  func.func @f(%x: i32) -> i32 {
    // expected-remark @below {{a sum}}
    %0 = arith.addi %x, %x : i32
    // expected-remark @below {{a product}}
    %1 = arith.muli %0, %x : i32
    return %1 : i32
  }

  transform.named_sequence @is_sum(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["arith.addi"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @is_product(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["arith.muli", "arith.addi"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @sum(%op: !transform.any_op {transform.readonly}) {
    transform.debug.emit_remark_at %op, "a sum" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @product(%op: !transform.any_op {transform.readonly}) {
    transform.debug.emit_remark_at %op, "a product" : !transform.any_op
    transform.yield
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %new = transform.foreach_match in %root @is_sum -> @sum, @is_product -> @product : (!transform.any_op) -> !transform.any_op
    %products = transform.collect_matching @is_product in %new : (!transform.any_op) -> !transform.any_op
    %n = transform.num_associations %products : (!transform.any_op) -> !transform.param<i64>
    // expected-remark @below {{2 : i64}}
    transform.debug.emit_param_as_remark %n : !transform.param<i64>
    %many = transform.param.constant 3 : i64 -> !transform.param<i64>
    // expected-error @below {{expected parameter to be greater than or equal to 3, got 2}}
    // expected-note @-5 {{value # 0 associated with the parameter defined here}}
    transform.match.param.cmpi ge %n, %many : !transform.param<i64>
    transform.yield
  }
}

// -----

// expected-error @below {{could not find a nested named sequence with name: __transform_main}}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @other(%root: !transform.any_op) {
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error @below {{operation expects 1 extra value bindings, but 0 were provided to the interpreter}}
  transform.named_sequence @__transform_main(%root: !transform.any_op, %more: !transform.any_op) {
    transform.yield
  }
}
