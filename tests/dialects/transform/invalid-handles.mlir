// RUN: dl-opt %s --split-input-file --verify-diagnostics

// Handles that are only to be read are not consumed, not even in a region.
module attributes {transform.with_named_sequence} {
  // expected-error @below {{argument #0 is consumed in the body but is not marked as such}}
  transform.named_sequence @all(%a: !transform.any_op {transform.readonly}) {
    transform.loop.unroll %a {factor = 2} : !transform.any_op
    transform.yield
  }
  // expected-error @below {{argument #1 is consumed in the body but is not marked as such}}
  transform.named_sequence @first(%size: !transform.any_op {transform.readonly}, %a: !transform.any_op {transform.readonly}) {
    %0, %1 = transform.structured.tile_using_for %a tile_sizes [%size] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  // expected-error @below {{argument #0 is consumed in the body but is not marked as such}}
  transform.named_sequence @nested(%a: !transform.any_op {transform.readonly}) {
    transform.foreach %a : !transform.any_op {
    ^bb0(%each: !transform.any_op):
      transform.loop.unroll %each {factor = 2} : !transform.any_op
    }
    transform.yield
  }
  transform.named_sequence @read(%a: !transform.any_op {transform.readonly}) {
    %0:2 = transform.split_handle %a : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %1, %2 = transform.structured.bufferize_to_allocation %a {bufferize_destination_only, emit_dealloc} : !transform.any_op
    transform.apply_conversion_patterns to %a {
    } {illegal_dialects = ["math"], preserve_handles} : !transform.any_op
    transform.yield
  }
}

// -----

// expected-error @below {{'transform.sequence' op block argument #0 has more than one potential consumer}}
transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op):
  transform.sequence %a : !transform.any_op failures(propagate) {
  ^bb0(%inner: !transform.any_op):
    // expected-note @-2 {{used here as operand #0}}
    transform.loop.unroll %inner {factor = 2} : !transform.any_op
  }
  // expected-note @below {{used here as operand #0}}
  transform.loop.unroll %a {factor = 2} : !transform.any_op
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-note @below {{operation on recursion stack}}
  transform.named_sequence @a(%0: !transform.any_op {transform.readonly}) {
    transform.include @b failures(propagate) (%0) : (!transform.any_op) -> ()
    transform.yield
  }
  // expected-error @below {{recursion not allowed in named sequences}}
  transform.named_sequence @b(%0: !transform.any_op {transform.readonly}) {
    transform.foreach %0 : !transform.any_op {
    ^bb0(%each: !transform.any_op):
      transform.include @a failures(propagate) (%each) : (!transform.any_op) -> ()
    }
    transform.yield
  }
  transform.named_sequence @no_part_of_it(%0: !transform.any_op {transform.readonly}) {
    transform.include @a failures(propagate) (%0) : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error @below {{recursion not allowed in named sequences}}
  transform.named_sequence @itself(%0: !transform.any_op {transform.readonly}) {
    transform.include @itself failures(propagate) (%0) : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @of_nothing(%0: !transform.any_op {transform.readonly}) {
    // expected-error @below {{'transform.include' op requires attribute 'target'}}
    "transform.include"(%0) <{failure_propagation_mode = 1 : i32}> : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @match(%op: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @act() {
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{expected the same number of matchers and actions}}
    %0 = "transform.foreach_match"(%root) <{actions = [@act, @act], matchers = [@match]}> : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{expected at least one match/action pair}}
    %0 = "transform.foreach_match"(%root) <{actions = [], matchers = []}> : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
