// RUN: dl-opt %s --one-shot-bufferize='bufferize-function-boundaries test-analysis-only' | FileCheck %s
// RUN: dl-opt %s --one-shot-bufferize='bufferize-function-boundaries test-analysis-only analysis-heuristic=top-down' | FileCheck %s --check-prefix=TOP-DOWN

// Of two writes of one buffer the last one is in place when the analysis begins at the end, the first one otherwise.
// CHECK-LABEL: func.func @two_writes
//  CHECK-SAME:   {bufferization.access = "read-write"}
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "false", "none"]}
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]}
// TOP-DOWN-LABEL: func.func @two_writes
// TOP-DOWN: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]}
// TOP-DOWN: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "false", "none"]}
func.func @two_writes(%t: tensor<8xf32>, %i: index, %v: f32, %w: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %a = tensor.insert %v into %t[%i] : tensor<8xf32>
  %b = tensor.insert %w into %t[%i] : tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// An argument that must not be written is copied.
// CHECK-LABEL: func.func @read_only
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "false", "none"]}
func.func @read_only(%t: tensor<8xf32> {bufferization.writable = false}, %i: index, %v: f32) -> tensor<8xf32> {
  %a = tensor.insert %v into %t[%i] : tensor<8xf32>
  return %a : tensor<8xf32>
}

// A matrix product cannot write what it reads.
// CHECK-LABEL: func.func @product
//  CHECK-SAME:   %{{.*}}: tensor<4x4xf32> {bufferization.access = "read"}
// CHECK: linalg.matmul {__inplace_operands_attr__ = ["true", "true", "false"]}
func.func @product(%t: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.matmul ins(%t, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// A write in one branch does not disturb a read in the other.
// CHECK-LABEL: func.func @exclusive
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]}
func.func @exclusive(%c: i1, %t: tensor<8xf32>, %i: index, %v: f32) -> (tensor<8xf32>, f32) {
  %r:2 = scf.if %c -> (tensor<8xf32>, f32) {
    %a = tensor.insert %v into %t[%i] : tensor<8xf32>
    scf.yield %a, %v : tensor<8xf32>, f32
  } else {
    %e = tensor.extract %t[%i] : tensor<8xf32>
    scf.yield %t, %e : tensor<8xf32>, f32
  }
  return %r#0, %r#1 : tensor<8xf32>, f32
}

// A write in a loop is seen by a read of the next iteration.
// CHECK-LABEL: func.func @outside_of_loop
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "false", "none"]}
func.func @outside_of_loop(%t: tensor<8xf32>, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %v) -> (f32) {
    %e = tensor.extract %t[%i] : tensor<8xf32>
    %a = tensor.insert %v into %t[%i] : tensor<8xf32>
    %f = tensor.extract %a[%c0] : tensor<8xf32>
    %g = arith.addf %e, %f : f32
    scf.yield %g : f32
  }
  return %s : f32
}

// What is not known of a function without a body is taken to happen.
// CHECK-LABEL: func.func private @external
//  CHECK-SAME:   (tensor<8xf32> {bufferization.access = "read-write"})
func.func private @external(tensor<8xf32>)

// Each return says which argument it hands back.
// CHECK-LABEL: func.func @two_returns
// CHECK: return {__equivalent_func_args__ = [1], __inplace_operands_attr__ = ["true"]}
// CHECK: return {__equivalent_func_args__ = [2], __inplace_operands_attr__ = ["true"]}
func.func @two_returns(%c: i1, %t: tensor<8xf32>, %u: tensor<8xf32>) -> tensor<8xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %t : tensor<8xf32>
^bb2:
  return %u : tensor<8xf32>
}

// An argument of unknown rank is read, too.
// CHECK-LABEL: func.func @unranked
//  CHECK-SAME:   (%{{.*}}: tensor<*xf32> {bufferization.access = "read"})
// CHECK: tensor.cast {{.*}} {__inplace_operands_attr__ = ["true"]}
func.func @unranked(%t: tensor<*xf32>) -> tensor<8xf32> {
  %c = tensor.cast %t : tensor<*xf32> to tensor<8xf32>
  return %c : tensor<8xf32>
}
