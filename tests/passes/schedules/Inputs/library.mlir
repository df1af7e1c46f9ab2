module attributes {transform.with_named_sequence} {
  transform.named_sequence private @say(%op: !transform.any_op {transform.readonly}) {
    transform.debug.emit_remark_at %op, "from the library" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @greet(%op: !transform.any_op {transform.readonly}) {
    transform.include @say failures(propagate) (%op) : (!transform.any_op) -> ()
    transform.yield
  }
}
