// RUN: dl-opt %s --transform-interpreter --split-input-file --verify-diagnostics --allow-unregistered-dialect

// expected-note @below {{ancestor payload op}}
func.func @f() {
  // expected-note @below {{nested payload op}}
  "work.a"() : () -> ()
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-note @below {{handle to invalidated ops}}
    %a = transform.structured.match ops{["work.a"]} in %root : (!transform.any_op) -> !transform.any_op
    %f = transform.get_parent_op %a : (!transform.any_op) -> !transform.any_op
    // expected-note @below {{invalidated by this transform op that consumes its operand #0 and invalidates all handles to payload IR entities associated with this operand and entities nested in them}}
    %new = transform.apply_registered_pass "canonicalize" to %f : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{op uses a handle invalidated by a previously executed transform op}}
    transform.debug.emit_remark_at %a, "not reached" : !transform.any_op
    transform.yield
  }
}

// -----

func.func @f() {
  "work.a"() : () -> ()
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %a = transform.structured.match ops{["work.b"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-note @below {{invalidated by this transform op that consumes its operand #0}}
    %new = transform.apply_registered_pass "canonicalize" to %a : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{op uses a handle associated with empty payload and invalidated by a previously executed transform op}}
    transform.debug.emit_remark_at %a, "not reached" : !transform.any_op
    transform.yield
  }
}

// -----

// An operation twice in a handle that is consumed.
// expected-note @below {{repeated target op}}
func.func @f() {
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %two = transform.merge_handles %f, %f : !transform.any_op
    // expected-error @below {{a handle passed as operand #0 and consumed by this operation points to a payload entity more than once}}
    %new = transform.apply_registered_pass "canonicalize" to %two : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{target payload op}}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{cannot apply transform to itself (or one of its ancestors)}}
    transform.apply_cse to %root : !transform.any_op
    transform.yield
  }
}

// -----

func.func @f(%x: i32) -> i32 {
  // expected-note @below {{payload operation}}
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["arith.addi"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{incompatible payload operation name}}
    %cast = transform.cast %f : !transform.any_op to !transform.op<"arith.muli">
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{expected the type of the parameter attribute ('i32') to match the parameter type ('i64')}}
    %n = transform.param.constant 1 : i32 -> !transform.param<i64>
    transform.yield
  }
}
