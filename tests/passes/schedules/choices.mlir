// RUN: dl-opt %s --transform-interpreter --split-input-file --verify-diagnostics

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %size = transform.tune.knob<"size"> = 4 from options = [2, 4, 8] -> !transform.any_param
    // expected-remark @below {{4 : i64}}
    transform.debug.emit_param_as_remark %size : !transform.any_param
    transform.tune.alternatives<"way"> selected_region = 1 {
      // Not taken.
      transform.debug.emit_param_as_remark %size, "first" : !transform.any_param
    }, {
      // expected-remark @below {{second 4 : i64}}
      transform.debug.emit_param_as_remark %size, "second" : !transform.any_param
    }
    // expected-error @below {{non-deterministic choice "open" is only resolved through providing a `selected` attr}}
    %open = transform.tune.knob<"open"> options = [true, false] -> !transform.any_param
    transform.yield
  }
}
