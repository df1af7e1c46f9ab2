// RUN: dl-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(canonicalize))' --split-input-file | FileCheck %s

// What loops and branches hand on: values that are always one, equal ones, and those that nobody reads.

// CHECK-LABEL: func.func @handed_around
//  CHECK-SAME:   (%[[N:.*]]: index, %[[C:.*]]: index, %[[X:.*]]: i32, %[[Y:.*]]: i32)
func.func @handed_around(%n: index, %c: index, %x: i32, %y: i32) -> (i32, i32, i32) {
  // CHECK-NEXT: %[[R:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]]) -> (i32)
  // CHECK-NEXT:   "test.read"(%[[A]])
  // CHECK-NEXT:   scf.yield %[[Y]]
  // CHECK:      return %[[R]], %[[Y]], %[[Y]]
  %0:3 = scf.for %i = %n to %c step %c iter_args(%a = %x, %b = %y, %d = %y) -> (i32, i32, i32) {
    "test.read"(%a) : (i32) -> ()
    scf.yield %b, %d, %b : i32, i32, i32
  }
  return %0#0, %0#1, %0#2 : i32, i32, i32
}

// -----

// CHECK-LABEL: func.func @equal_values
//  CHECK-SAME:   (%{{.*}}: index, %{{.*}}: index, %[[X:.*]]: i32)
func.func @equal_values(%n: index, %c: index, %x: i32) -> (i32, i32) {
  // CHECK-NEXT: %[[R:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]]) -> (i32)
  // CHECK-NEXT:   %[[S:.*]] = "test.next"(%[[A]], %[[A]])
  // CHECK-NEXT:   scf.yield %[[S]]
  // CHECK:      return %[[R]], %[[R]]
  %0:2 = scf.for %i = %n to %c step %c iter_args(%a = %x, %b = %x) -> (i32, i32) {
    %s = "test.next"(%a, %b) : (i32, i32) -> i32
    scf.yield %s, %s : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}

// -----

// Values that only become one another are not read, though upstream keeps them; one that something is computed of is.
// CHECK-LABEL: func.func @unread
func.func @unread(%n: index, %c: index, %x: i32, %y: i32) {
  // CHECK:      scf.for {{.*}} iter_args(%[[B:.*]] = %{{.*}}) -> (i32)
  // CHECK-NEXT:   %[[S:.*]] = "test.next"(%[[B]])
  // CHECK-NEXT:   scf.yield %[[S]] : i32
  %0:3 = scf.for %i = %n to %c step %c iter_args(%a = %x, %d = %y, %b = %x) -> (i32, i32, i32) {
    %s = "test.next"(%b) : (i32) -> i32
    scf.yield %d, %a, %s : i32, i32, i32
  }
  return
}

// -----

// The loop runs, so that the initial value does not count.
// CHECK-LABEL: func.func @always_runs
func.func @always_runs(%x: i32) -> i32 {
  // CHECK-NEXT: return %{{.*}} : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %7 = arith.constant 7 : i32
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %7) -> (i32) {
    scf.yield %x : i32
  }
  return %0 : i32
}

// -----

// CHECK-LABEL: func.func @may_not_run
func.func @may_not_run(%x: i32, %y: i32, %n: index) -> i32 {
  // CHECK: %[[R:.*]] = scf.for
  // CHECK: return %[[R]]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> (i32) {
    scf.yield %x : i32
  }
  return %0 : i32
}

// -----

// CHECK-LABEL: func.func @while_hands_on
//  CHECK-SAME:   (%[[X:.*]]: i32, %[[Y:.*]]: i32)
func.func @while_hands_on(%x: i32, %y: i32) -> (i32, i32, i32) {
  // CHECK-NEXT: %[[R:.*]] = scf.while (%[[A:.*]] = %[[X]]) : (i32) -> i32
  // CHECK-NEXT:   %[[C:.*]] = "test.condition"(%[[A]], %[[Y]])
  // CHECK-NEXT:   scf.condition(%[[C]]) %[[A]] : i32
  // CHECK-NEXT: } do {
  // CHECK-NEXT: ^bb0(%[[B:.*]]: i32):
  // CHECK-NEXT:   %[[N:.*]] = "test.next"(%[[B]], %[[B]])
  // CHECK-NEXT:   scf.yield %[[N]]
  // CHECK:      return %[[R]], %[[Y]], %[[R]]
  %0:4 = scf.while (%a = %x, %b = %y, %d = %y) : (i32, i32, i32) -> (i32, i32, i32, i32) {
    %c = "test.condition"(%a, %b) : (i32, i32) -> i1
    scf.condition(%c) %a, %b, %a, %d : i32, i32, i32, i32
  } do {
  ^bb0(%a: i32, %b: i32, %e: i32, %d: i32):
    %n = "test.next"(%a, %e) : (i32, i32) -> i32
    scf.yield %n, %b, %n : i32, i32, i32
  }
  return %0#0, %0#1, %0#2 : i32, i32, i32
}

// -----

// CHECK-LABEL: func.func @switch_yields
//  CHECK-SAME:   (%[[I:.*]]: index, %[[X:.*]]: i32)
func.func @switch_yields(%i: index, %x: i32) -> (i32, i32) {
  // CHECK:      %[[R:.*]] = scf.index_switch %[[I]] -> i32
  // CHECK-NEXT: case 1 {
  // CHECK-NEXT:   %[[A:.*]] = "test.one"
  // CHECK:        scf.yield %[[A]] : i32
  // CHECK:      return %[[R]], %[[X]]
  %0:3 = scf.index_switch %i -> i32, i32, i64
  case 1 {
    %a = "test.one"() : () -> i32
    %d = "test.unread"() : () -> i64
    scf.yield %a, %x, %d : i32, i32, i64
  }
  default {
    %b = "test.other"() : () -> i32
    %d = "test.unread"() : () -> i64
    scf.yield %b, %x, %d : i32, i32, i64
  }
  return %0#0, %0#1 : i32, i32
}
