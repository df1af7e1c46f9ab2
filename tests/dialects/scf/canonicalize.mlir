// RUN: dl-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(canonicalize))' | FileCheck %s

// CHECK-LABEL: func.func @for_that_never_runs
//  CHECK-SAME:   (%[[A:.*]]: f32, %[[B:.*]]: f32)
func.func @for_that_never_runs(%a: f32, %b: f32) -> (f32, f32) {
  // CHECK-NEXT: return %[[A]], %[[B]]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c1 to %c0 step %c1 iter_args(%x = %a, %y = %b) -> (f32, f32) {
    scf.yield %y, %x : f32, f32
  }
  return %r#0, %r#1 : f32, f32
}

// From 0 to 5 by 5: once.
// CHECK-LABEL: func.func @for_that_runs_once
//  CHECK-SAME:   (%[[A:.*]]: f32)
func.func @for_that_runs_once(%a: f32) -> f32 {
  // CHECK-NEXT: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-NEXT: %[[R:.*]] = "test.step"(%[[A]], %[[C0]])
  // CHECK-NEXT: return %[[R]]
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %r = scf.for %i = %c0 to %c5 step %c5 iter_args(%x = %a) -> f32 {
    %z = "test.step"(%x, %i) : (f32, index) -> f32
    scf.yield %z : f32
  }
  return %r : f32
}

// From 0 to 6 by 5: twice.
// CHECK-LABEL: func.func @for_that_runs_twice
func.func @for_that_runs_twice(%a: f32) -> f32 {
  // CHECK: scf.for
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %r = scf.for %i = %c0 to %c6 step %c5 iter_args(%x = %a) -> f32 {
    %z = "test.step"(%x, %i) : (f32, index) -> f32
    scf.yield %z : f32
  }
  return %r : f32
}

// The second value is handed on as it is, the third is read by nobody.
// CHECK-LABEL: func.func @for_with_idle_values
//  CHECK-SAME:   (%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: index)
func.func @for_with_idle_values(%a: f32, %b: f32, %n: index) -> (f32, f32) {
  // CHECK:      %[[R:.*]] = scf.for %{{.*}} iter_args(%[[X:.*]] = %[[A]]) -> (f32)
  // CHECK-NEXT:   %[[Z:.*]] = "test.step"(%[[X]], %[[B]])
  // CHECK-NEXT:   scf.yield %[[Z]] : f32
  // CHECK:      return %[[R]], %[[B]]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %w = %a) -> (f32, f32, f32) {
    %z = "test.step"(%x, %y) : (f32, f32) -> f32
    scf.yield %z, %y, %z : f32, f32, f32
  }
  return %r#0, %r#1 : f32, f32
}

// CHECK-LABEL: func.func @if_constant
//  CHECK-SAME:   (%[[A:.*]]: f32, %{{.*}}: f32)
func.func @if_constant(%a: f32, %b: f32) -> f32 {
  // CHECK-NEXT: return %[[A]]
  %true = arith.constant true
  %r = scf.if %true -> f32 {
    scf.yield %a : f32
  } else {
    scf.yield %b : f32
  }
  return %r : f32
}

// The second result is a choice between two values from outside.
// CHECK-LABEL: func.func @if_partly_select
//  CHECK-SAME:   (%[[C:.*]]: i1, %[[A:.*]]: f32, %[[B:.*]]: f32)
func.func @if_partly_select(%c: i1, %a: f32, %b: f32) -> (f32, f32) {
  // CHECK-NEXT: %[[S:.*]] = arith.select %[[C]], %[[A]], %[[B]] : f32
  // CHECK-NEXT: %[[R:.*]] = scf.if %[[C]] -> (f32)
  // CHECK:      return %[[R]], %[[S]]
  %r:2 = scf.if %c -> (f32, f32) {
    %z = "test.one"() : () -> f32
    scf.yield %z, %a : f32, f32
  } else {
    %z = "test.other"() : () -> f32
    scf.yield %z, %b : f32, f32
  }
  return %r#0, %r#1 : f32, f32
}

// CHECK-LABEL: func.func @if_unused_result
//  CHECK-SAME:   (%[[C:.*]]: i1)
func.func @if_unused_result(%c: i1) {
  // CHECK-NEXT: scf.if %[[C]] {
  // CHECK-NEXT:   "test.one"
  %r = scf.if %c -> f32 {
    %z = "test.one"() : () -> f32
    scf.yield %z : f32
  } else {
    %z = "test.other"() : () -> f32
    scf.yield %z : f32
  }
  return
}

// CHECK-LABEL: func.func @if_known_condition
//  CHECK-SAME:   (%[[C:.*]]: i1)
func.func @if_known_condition(%c: i1) {
  // CHECK-DAG: %[[TRUE:.*]] = arith.constant true
  // CHECK-DAG: %[[FALSE:.*]] = arith.constant false
  // CHECK:     "test.yes"(%[[TRUE]])
  // CHECK:     "test.no"(%[[FALSE]])
  scf.if %c {
    "test.yes"(%c) : (i1) -> ()
  } else {
    "test.no"(%c) : (i1) -> ()
  }
  return
}

// CHECK-LABEL: func.func @if_negated
//  CHECK-SAME:   (%[[C:.*]]: i1)
func.func @if_negated(%c: i1) {
  // CHECK-NEXT: scf.if %[[C]] {
  // CHECK-NEXT:   "test.q"
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   "test.p"
  %true = arith.constant true
  %n = arith.xori %c, %true : i1
  scf.if %n {
    "test.p"() : () -> ()
  } else {
    "test.q"() : () -> ()
  }
  return
}

// CHECK-LABEL: func.func @if_empty_else
func.func @if_empty_else(%c: i1) {
  // CHECK:     "test.p"
  // CHECK-NOT: else
  scf.if %c {
    "test.p"() : () -> ()
  } else {
  }
  return
}

// CHECK-LABEL: func.func @execute_region_of_one_block
func.func @execute_region_of_one_block() -> i32 {
  // CHECK-NEXT: %[[X:.*]] = "test.x"
  // CHECK-NEXT: return %[[X]]
  %x = scf.execute_region -> i32 {
    %0 = "test.x"() : () -> i32
    scf.yield %0 : i32
  }
  return %x : i32
}

// CHECK-LABEL: func.func @execute_region_of_blocks
//  CHECK-SAME:   (%[[C:.*]]: i1)
func.func @execute_region_of_blocks(%c: i1) -> i32 {
  // CHECK-NEXT: cf.cond_br %[[C]], ^bb1, ^bb2
  // CHECK:      %[[X:.*]] = "test.x"
  // CHECK-NEXT: cf.br ^bb3(%[[X]] : i32)
  // CHECK:      ^bb3(%[[R:[0-9]+]]: i32):
  // CHECK-NEXT: return %[[R]]
  %x = scf.execute_region -> i32 {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    %0 = "test.x"() : () -> i32
    scf.yield %0 : i32
  ^bb2:
    %1 = "test.y"() : () -> i32
    scf.yield %1 : i32
  }
  return %x : i32
}

// CHECK-LABEL: func.func @execute_region_not_inlined
func.func @execute_region_not_inlined() {
  // CHECK: scf.execute_region no_inline
  scf.execute_region no_inline {
    "test.x"() : () -> ()
    scf.yield
  }
  return
}

// CHECK-LABEL: func.func @index_switch_on_constant
//  CHECK-SAME:   (%{{.*}}: i32, %[[B:.*]]: i32)
func.func @index_switch_on_constant(%a: i32, %b: i32) -> i32 {
  // CHECK-NEXT: return %[[B]]
  %c2 = arith.constant 2 : index
  %r = scf.index_switch %c2 -> i32
  case 1 {
    scf.yield %a : i32
  }
  case 2 {
    scf.yield %b : i32
  }
  default {
    scf.yield %a : i32
  }
  return %r : i32
}

// The first dimension runs once.
// CHECK-LABEL: func.func @parallel_trivial_dimension
//  CHECK-SAME:   (%[[N:.*]]: index)
func.func @parallel_trivial_dimension(%n: index) {
  // CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG:  %[[C1:.*]] = arith.constant 1 : index
  // CHECK:      scf.parallel (%[[J:.*]]) = (%[[C0]]) to (%[[N]]) step (%[[C1]]) {
  // CHECK-NEXT:   "test.x"(%[[C0]], %[[J]])
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c1, %n) step (%c1, %c1) {
    "test.x"(%i, %j) : (index, index) -> ()
  }
  return
}

// CHECK-LABEL: func.func @parallel_that_runs_once
//  CHECK-SAME:   (%[[F:.*]]: f32)
func.func @parallel_that_runs_once(%f: f32) -> f32 {
  // CHECK:      %[[X:.*]] = "test.x"
  // CHECK-NEXT: %[[S:.*]] = arith.mulf %[[F]], %[[X]]
  // CHECK-NEXT: return %[[S]]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%f) -> f32 {
    %q = "test.x"(%i) : (index) -> f32
    scf.reduce(%q : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.mulf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}

// CHECK-LABEL: func.func @forall_constant_bounds
//  CHECK-SAME:   (%[[N:.*]]: index)
func.func @forall_constant_bounds(%n: index) {
  // CHECK: scf.forall (%{{.*}}, %{{.*}}) in (7, %[[N]])
  %c7 = arith.constant 7 : index
  scf.forall (%i, %j) in (%c7, %n) {
    "test.x"(%i, %j) : (index, index) -> ()
  }
  return
}

// CHECK-LABEL: func.func @distance_of_one_step
//  CHECK-SAME:   (%[[A:.*]]: index)
func.func @distance_of_one_step(%a: index) {
  // CHECK-NEXT: "test.body"(%[[A]])
  // CHECK-NEXT: return
  %c4 = arith.constant 4 : index
  %b = arith.addi %a, %c4 overflow<nsw> : index
  scf.for %i = %a to %b step %c4 {
    "test.body"(%i) : (index) -> ()
  }
  return
}

// The sum may wrap around.
// CHECK-LABEL: func.func @distance_unknown
func.func @distance_unknown(%a: index) {
  // CHECK: scf.for
  %c4 = arith.constant 4 : index
  %b = arith.addi %a, %c4 : index
  scf.for %i = %a to %b step %c4 {
    "test.body"(%i) : (index) -> ()
  }
  return
}

// A tensor keeps what is known of its shape from one iteration to the next.
// CHECK-LABEL: func.func @carried_with_known_shape
//  CHECK-SAME:   (%[[T:.*]]: tensor<4xf32>
//       CHECK:   %[[R:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[T]]) -> (tensor<4xf32>)
//       CHECK:     %[[I:.*]] = tensor.insert %{{.*}} into %[[A]]{{.*}} : tensor<4xf32>
//       CHECK:     scf.yield %[[I]] : tensor<4xf32>
//       CHECK:   %[[C:.*]] = tensor.cast %[[R]] : tensor<4xf32> to tensor<?xf32>
//       CHECK:   return %[[C]]
func.func @carried_with_known_shape(%t: tensor<4xf32>, %x: f32, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> (tensor<?xf32>) {
    %2 = tensor.insert %x into %a[%i] : tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  return %1 : tensor<?xf32>
}

// Not where an iteration may give a tensor of another shape.
// CHECK-LABEL: func.func @carried_with_another_shape
//       CHECK:   scf.for {{.*}} -> (tensor<?xf32>)
func.func @carried_with_another_shape(%t: tensor<4xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> (tensor<?xf32>) {
    %2 = tensor.concat dim(0) %a, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  return %1 : tensor<?xf32>
}
