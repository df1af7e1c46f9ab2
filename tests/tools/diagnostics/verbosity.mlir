// RUN: dl-opt %s --pass-pipeline='builtin.module(transform-interpreter,composite-fixed-point-pass{pipeline=func.func(affine-loop-unroll{unroll-factor=2}) max-iterations=1})' -o /dev/null 2>&1 | FileCheck %s --check-prefixes=WARNING,REMARK
// RUN: dl-opt %s --pass-pipeline='builtin.module(transform-interpreter,composite-fixed-point-pass{pipeline=func.func(affine-loop-unroll{unroll-factor=2}) max-iterations=1})' -o /dev/null --mlir-diagnostic-verbosity-level=remarks 2>&1 | FileCheck %s --check-prefixes=WARNING,REMARK
// RUN: dl-opt %s --pass-pipeline='builtin.module(transform-interpreter,composite-fixed-point-pass{pipeline=func.func(affine-loop-unroll{unroll-factor=2}) max-iterations=1})' -o /dev/null --mlir-diagnostic-verbosity-level=warnings 2>&1 | FileCheck %s --check-prefix=WARNING --implicit-check-not=remark:
// RUN: dl-opt %s --pass-pipeline='builtin.module(transform-interpreter,composite-fixed-point-pass{pipeline=func.func(affine-loop-unroll{unroll-factor=2}) max-iterations=1})' -o /dev/null --mlir-diagnostic-verbosity-level=errors 2>&1 | count 0
// RUN: not dl-opt %s --transform-interpreter=entry-point=none --mlir-diagnostic-verbosity-level=errors 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not dl-opt %s --mlir-diagnostic-verbosity-level=notes 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// Messages that are less bad than what was asked for are left out; errors never are.
// REMARK: remark: hello
// WARNING: warning: {{.*}} didn't converge in 1 iterations
// ERROR: error: could not find
// UNKNOWN: Cannot find option named 'notes'!
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.debug.emit_remark_at %root, "hello" : !transform.any_op
    transform.yield
  }
  func.func @unrolled_again_each_time(%m: memref<1024xf32>, %v: f32) {
    affine.for %i = 0 to 1024 {
      affine.store %v, %m[%i] : memref<1024xf32>
    }
    return
  }
}
