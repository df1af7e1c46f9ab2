// RUN: dl-opt %s --transform-preload-library=transform-library-paths=%S/Inputs/library.mlir --transform-interpreter --verify-diagnostics
// RUN: dl-opt %s --transform-preload-library=transform-library-paths=%S/Inputs --transform-interpreter --verify-diagnostics
// RUN: not dl-opt %s --transform-preload-library=transform-library-paths=%S/missing.mlir --transform-interpreter 2>&1 | FileCheck %s

// CHECK: missing.mlir' is neither a file nor a directory

// A declaration stands for what the library defines. A private sequence of the same name is another one.
// expected-remark @below {{from the library}}
// expected-remark @below {{from here}}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @greet(%op: !transform.any_op {transform.readonly})

  transform.named_sequence private @say(%op: !transform.any_op {transform.readonly}) {
    transform.debug.emit_remark_at %op, "from here" : !transform.any_op
    transform.yield
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @greet failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.include @say failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}
