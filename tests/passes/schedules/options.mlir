// RUN: dl-opt %s '--transform-interpreter=entry-point=other debug-payload-root-tag=payload debug-bind-trailing-args=func.return,#7' --verify-diagnostics

module attributes {transform.with_named_sequence} {
  transform.named_sequence @other(%root: !transform.any_op, %returns: !transform.any_op, %n: !transform.param<i64>) {
    transform.debug.emit_remark_at %root, "root" : !transform.any_op
    transform.debug.emit_remark_at %returns, "bound" : !transform.any_op
    // expected-remark @below {{7 : i64}}
    transform.debug.emit_param_as_remark %n : !transform.param<i64>
    transform.yield
  }

  // expected-remark @below {{root}}
  module attributes {transform.target_tag = "payload"} {
    func.func @f() {
      // expected-remark @below {{bound}}
      return
    }
  }

  func.func @outside() {
    return
  }
}
