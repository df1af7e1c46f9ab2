// RUN: dl-opt %s --transform-interpreter --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @inside
//  CHECK-SAME:   (%[[T:.*]]: tensor<4xf32>
//       CHECK:   %[[M:.*]] = bufferization.to_buffer %[[T]]
//       CHECK:   %[[A:.*]] = memref.alloc()
//       CHECK:   memref.copy %[[M]], %[[A]]
//       CHECK:   memref.store %{{.*}}, %[[A]]
//       CHECK:   bufferization.to_tensor %[[A]]
func.func @inside(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %r : tensor<4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %new = transform.bufferization.one_shot_bufferize %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @with_boundary
//  CHECK-SAME:   (%[[M:.*]]: memref<4xf32>
//       CHECK:   memref.store %{{.*}}, %[[M]]
//       CHECK:   return %[[M]]
func.func @with_boundary(%t: tensor<4xf32> {bufferization.writable = true}, %f: f32, %i: index) -> tensor<4xf32> {
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %r : tensor<4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %new = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root {bufferize_function_boundaries = true}
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @no_module() {
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected module target}}
    %new = transform.bufferization.one_shot_bufferize %f {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
