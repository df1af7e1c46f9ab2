// RUN: dl-opt %s --transform-interpreter --split-input-file --allow-unregistered-dialect --verify-diagnostics | FileCheck %s

// Ten iterations, three at once: the tenth stands alone.
// CHECK-LABEL: func.func @known
// CHECK-DAG: %[[LOWER:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[STEP:.*]] = arith.constant 5 : index
// CHECK-DAG: %[[SPLIT:.*]] = arith.constant 47 : index
// CHECK-DAG: %[[WIDE:.*]] = arith.constant 15 : index
// CHECK: scf.for %[[I:.*]] = %[[LOWER]] to %[[SPLIT]] step %[[WIDE]] {
// CHECK:   "test.use"(%[[I]])
// CHECK:   %[[ONE:.*]] = arith.constant 1 : index
// CHECK:   %[[BY_ONE:.*]] = arith.muli %[[STEP]], %[[ONE]]
// CHECK:   %[[J:.*]] = arith.addi %[[I]], %[[BY_ONE]]
// CHECK:   "test.use"(%[[J]])
// CHECK:   %[[TWO:.*]] = arith.constant 2 : index
// CHECK:   %[[BY_TWO:.*]] = arith.muli %[[STEP]], %[[TWO]]
// CHECK:   %[[K:.*]] = arith.addi %[[I]], %[[BY_TWO]]
// CHECK:   "test.use"(%[[K]])
// CHECK-NEXT: }
// CHECK-NEXT: "test.use"(%[[SPLIT]])
// CHECK-NEXT: return
func.func @known() {
  %c2 = arith.constant 2 : index
  %c50 = arith.constant 50 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c2 to %c50 step %c5 {
    "test.use"(%i) : (index) -> ()
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop {factor = 3} : !transform.any_op
    transform.yield
  }
}

// -----

// What is carried goes from copy to copy, and on to the rest.
// CHECK-LABEL: func.func @carried
//  CHECK-SAME:   (%[[N:.*]]: index, %[[F:.*]]: f32)
// CHECK: %[[MAIN:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[F]]) -> (f32) {
// CHECK:   %[[A:.*]] = arith.addf %[[ACC]], %[[ACC]]
// CHECK:   %[[B:.*]] = arith.addf %[[A]], %[[A]]
// CHECK:   scf.yield %[[B]]
// CHECK: %[[REST:.*]] = scf.for {{.*}} to %[[N]] {{.*}} iter_args({{.*}} = %[[MAIN]]) -> (f32) {
// CHECK: return %[[REST]]
func.func @carried(%n: index, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %f) -> f32 {
    %s = arith.addf %acc, %acc : f32
    scf.yield %s : f32
  }
  return %r : f32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop {factor = 2} : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @affine
// CHECK: affine.for {{.*}} = 0 to 8 step 4 {
// CHECK-COUNT-4: "test.use"
// CHECK-NEXT: }
func.func @affine() {
  affine.for %i = 0 to 8 {
    "test.use"(%i) : (index) -> ()
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop {factor = 4} : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @once
// CHECK-NOT: scf.for
// CHECK: %[[C3:.*]] = arith.constant 3 : index
// CHECK: %[[V:.*]] = "test.use"(%[[C3]])
// CHECK: return %[[V]]
func.func @once(%f: f32) -> f32 {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c3 to %c4 step %c1 iter_args(%acc = %f) -> f32 {
    %v = "test.use"(%i) : (index) -> f32
    scf.yield %v : f32
  }
  return %r : f32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.promote_if_one_iteration %loop : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @nest
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c12{{.*}} step
// CHECK-NOT: scf.for
// CHECK: } {one, outer}
func.func @nest() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  } {outer}
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["scf.for"]} attributes {outer} in %root : (!transform.any_op) -> !transform.any_op
    %one = transform.loop.coalesce %loop : (!transform.any_op) -> !transform.any_op
    transform.annotate %one "one" : !transform.any_op
    transform.yield
  }
}

// -----

func.func @no_nest(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    "test.use"(%i) : (index) -> ()
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{failed to coalesce}}
    %one = transform.loop.coalesce %loop : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @more_than_there_are() {
  affine.for %i = 0 to 7 {
    "test.use"(%i) : (index) -> ()
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["affine.for"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{failed to unroll}}
    transform.loop.unroll %loop {factor = 8} : !transform.any_op
    transform.yield
  }
}

// -----

func.func @no_loop() {
  "test.use"() : () -> ()
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["test.use"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{failed to unroll, incorrect type of payload}}
    transform.loop.unroll %op {factor = 2} : !transform.any_op
    transform.yield
  }
}

// -----

// What each iteration reads and writes of the tensor is carried by itself.
// CHECK-LABEL: func.func @hoisted
// CHECK: %[[PART:.*]] = tensor.extract_slice
// CHECK: %[[FOR:.*]]:2 = scf.for {{.*}} iter_args({{.*}} = {{.*}}, %[[H:.*]] = %[[PART]])
// CHECK:   "test.use"(%[[H]])
// CHECK: } {loop}
// CHECK: tensor.insert_slice %[[FOR]]#1 into %[[FOR]]#0
func.func @hoisted(%n: index, %t: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %t) -> tensor<?xf32> {
    %p = tensor.extract_slice %acc[0] [5] [1] : tensor<?xf32> to tensor<5xf32>
    %q = "test.use"(%p) : (tensor<5xf32>) -> tensor<5xf32>
    %s = tensor.insert_slice %q into %acc[0] [5] [1] : tensor<5xf32> into tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %loop : !transform.any_op
    transform.annotate %loop "loop" : !transform.any_op
    transform.yield
  }
}
