// RUN: dl-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// expected-note @below {{target value}}
// expected-remark @below {{an argument}}
// expected-note @below {{value handle points to a block argument #1 in block #0 in region #0}}
func.func @f(%x: i32, %y: i32) -> i32 {
  // expected-remark @below {{a producer}}
  %0 = arith.addi %x, %x : i32
  // expected-remark @below {{a user}}
  // expected-remark @below {{a result}}
  // expected-note @below {{value handle points to an op result #0}}
  // expected-remark @below {{types i32}}
  %1 = arith.muli %0, %y : i32
  return %1 : i32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %product = transform.structured.match ops{["arith.muli"]} in %root : (!transform.any_op) -> !transform.any_op
    %y = transform.get_operand %product[-1] : (!transform.any_op) -> !transform.any_value
    transform.debug.emit_remark_at %y, "an argument" : !transform.any_value
    %sum = transform.get_producer_of_operand %product[0] : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %sum, "a producer" : !transform.any_op
    %users = transform.get_consumers_of_result %sum[0] : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %users, "a user" : !transform.any_op
    %results = transform.get_result %product[all] : (!transform.any_op) -> !transform.any_value
    transform.debug.emit_remark_at %results, "a result" : !transform.any_value
    %types = transform.get_type %results : (!transform.any_value) -> !transform.type
    transform.debug.emit_param_as_remark %types, "types" at %product : !transform.type, !transform.any_op
    %back = transform.get_defining_op %results : (!transform.any_value) -> !transform.any_op
    %twice = transform.merge_handles %back, %sum : !transform.any_op
    %selected = transform.select "arith.addi" in %twice : (!transform.any_op) -> !transform.any_op
    %repeated = transform.replicate num(%twice) %selected : !transform.any_op, !transform.any_op
    %n = transform.num_associations %repeated : (!transform.any_op) -> !transform.param<i64>
    // expected-remark @below {{2 : i64}}
    transform.debug.emit_param_as_remark %n : !transform.param<i64>
    // expected-error @below {{cannot get defining op of block argument}}
    %none = transform.get_defining_op %y : (!transform.any_value) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @f(%x: i32) -> i32 {
  // expected-note @below {{while considering positions of this payload operation}}
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %sum = transform.structured.match ops{["arith.addi"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{position overflow 2 (updated from 2) for maximum 2}}
    %none = transform.get_operand %sum[2] : (!transform.any_op) -> !transform.any_value
    transform.yield
  }
}
