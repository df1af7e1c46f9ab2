// RUN: dl-opt %s --transform-interpreter --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @peeled
// CHECK: scf.for
// CHECK: {whole}
// CHECK: scf.for
// CHECK: {rest}
func.func @peeled(%n: index, %m: memref<?xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c4 {
    memref.store %f, %m[%i] : memref<?xf32>
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    %main, %rest = transform.loop.peel %loop : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    transform.annotate %main "whole" : !transform.any_op
    transform.annotate %rest "rest" : !transform.any_op
    transform.yield
  }
}

// -----

func.func @nothing_to_peel() {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c8 step %c4 {
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    // expected-error @below {{failed to peel the last iteration}}
    %main, %rest = transform.loop.peel %loop : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @sequential
// CHECK: scf.for
// CHECK:   scf.for
// CHECK:   } {inner}
// CHECK: } {outer}
func.func @sequential(%n: index, %m: memref<?x?xf32>, %f: f32) {
  scf.forall (%i, %j) in (%n, %n) {
    memref.store %f, %m[%i, %j] : memref<?x?xf32>
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["scf.forall"]} in %root : (!transform.any_op) -> !transform.any_op
    %outer, %inner = transform.loop.forall_to_for %loop : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %outer "outer" : !transform.any_op
    transform.annotate %inner "inner" : !transform.any_op
    transform.yield
  }
}

// -----

func.func @not_of_this_kind(%n: index) {
  // expected-note @below {{payload op}}
  scf.forall (%i, %j) in (%n, %n) {
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["scf.forall"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{op expects as many results (1) as payload has induction variables (2)}}
    %outer = transform.loop.forall_to_for %loop : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @invariant
//  CHECK-NEXT:   arith.muli
//  CHECK-NEXT:   scf.for
func.func @invariant(%n: index, %s: index, %m: memref<?xindex>) {
  scf.for %i = %n to %n step %s {
    %0 = arith.muli %n, %n : index
    memref.store %0, %m[%i] : memref<?xindex>
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match interface{LoopLikeInterface} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %loop : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @body
//  CHECK-SAME:   (%[[F:[a-z0-9]+]]: f32, %[[A:[a-z0-9]+]]: memref<?xf32>, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index)
//       CHECK:   scf.for
//       CHECK:     memref.store %[[F]], %[[A]]
//       CHECK:   return
// CHECK-LABEL: func.func @outlined
//  CHECK-SAME:   (%[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: memref<?xf32>, %[[F:[a-z0-9]+]]: f32)
//   CHECK-NOT:   scf.for
//       CHECK:   call @body(%[[F]], %[[M]]
//  CHECK-SAME:     {called}
func.func @outlined(%n: index, %m: memref<?xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c4 {
    memref.store %f, %m[%i] : memref<?xf32>
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    %function, %call = transform.loop.outline %loop {func_name = "body"} : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.op<"func.call">)
    transform.annotate %call "called" : !transform.op<"func.call">
    transform.yield
  }
}
