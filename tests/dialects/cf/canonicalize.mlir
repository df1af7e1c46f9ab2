// RUN: dl-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(canonicalize))' | FileCheck %s

// Both ways only branch on, to one block with one value.
// CHECK-LABEL: func.func @pass_through
//  CHECK-SAME:   (%{{.*}}: i1, %[[D:.*]]: i32)
func.func @pass_through(%c: i1, %d: i32) -> i32 {
  // CHECK-NEXT: return %[[D]]
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%d : i32)
^bb2:
  cf.br ^bb3(%d : i32)
^bb3(%x: i32):
  return %x : i32
}

// CHECK-LABEL: func.func @equal_successors
//  CHECK-SAME:   (%[[C:.*]]: i1, %[[D:.*]]: i32, %[[E:.*]]: i32)
func.func @equal_successors(%c: i1, %d: i32, %e: i32) -> i32 {
  // CHECK-NEXT: %[[R:.*]] = arith.select %[[C]], %[[D]], %[[E]] : i32
  // CHECK-NEXT: return %[[R]]
  cf.cond_br %c, ^bb1(%d : i32), ^bb1(%e : i32)
^bb1(%x: i32):
  return %x : i32
}

// CHECK-LABEL: func.func @constant_condition
func.func @constant_condition() {
  // CHECK-NEXT: "test.taken"
  // CHECK-NOT:  "test.other"
  %true = arith.constant true
  cf.cond_br %true, ^bb1, ^bb2
^bb1:
  "test.taken"() : () -> ()
  return
^bb2:
  "test.other"() : () -> ()
  return
}

// The condition is known where only one branch leads.
// CHECK-LABEL: func.func @known_condition
//  CHECK-SAME:   (%[[C:.*]]: i1)
func.func @known_condition(%c: i1) {
  // CHECK-DAG: %[[TRUE:.*]] = arith.constant true
  // CHECK-DAG: %[[FALSE:.*]] = arith.constant false
  // CHECK:     "test.yes"(%[[TRUE]])
  // CHECK:     "test.no"(%[[FALSE]])
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  "test.yes"(%c) : (i1) -> ()
  return
^bb2:
  "test.no"(%c) : (i1) -> ()
  return
}

// A block with two predecessors knows nothing.
// CHECK-LABEL: func.func @unknown_condition
//  CHECK-SAME:   (%[[C:.*]]: i1, %[[D:.*]]: i1)
func.func @unknown_condition(%c: i1, %d: i1) {
  // CHECK: "test.yes"(%[[C]])
  cf.cond_br %d, ^bb1, ^bb2
^bb2:
  "test.before"() : () -> ()
  cf.cond_br %c, ^bb1, ^bb3
^bb1:
  "test.yes"(%c) : (i1) -> ()
  return
^bb3:
  return
}

// CHECK-LABEL: func.func @asserts
//  CHECK-SAME:   (%[[C:.*]]: i1)
func.func @asserts(%c: i1) {
  // CHECK-NEXT: cf.assert %[[C]], "may fail"
  // CHECK-NEXT: return
  %true = arith.constant true
  cf.assert %true, "holds"
  cf.assert %c, "may fail"
  return
}

// Case 1 goes where the default goes; case 2 passes something else.
// CHECK-LABEL: func.func @switch_cases
//  CHECK-SAME:   (%[[D:.*]]: i32, %[[E:.*]]: i32)
func.func @switch_cases(%d: i32, %e: i32) -> i32 {
  // CHECK:      cf.switch %[[D]] : i32, [
  // CHECK-NEXT:   default: ^bb1(%[[D]] : i32),
  // CHECK-NEXT:   2: ^bb1(%[[E]] : i32)
  // CHECK-NEXT: ]
  cf.switch %d : i32, [
    default: ^bb1(%d : i32),
    1: ^bb1(%d : i32),
    2: ^bb1(%e : i32)
  ]
^bb1(%x: i32):
  return %x : i32
}

// CHECK-LABEL: func.func @switch_on_constant
func.func @switch_on_constant() {
  // CHECK-NEXT: "test.two"
  // CHECK-NEXT: return
  %two = arith.constant 2 : i32
  cf.switch %two : i32, [
    default: ^bb1,
    2: ^bb2
  ]
^bb1:
  "test.default"() : () -> ()
  return
^bb2:
  "test.two"() : () -> ()
  return
}

// In a block that only one case leads to, the flag is known.
// CHECK-LABEL: func.func @switch_in_case
//  CHECK-SAME:   (%[[FLAG:.*]]: i32, %[[A:.*]]: f32, %[[B:.*]]: f32)
func.func @switch_in_case(%flag: i32, %a: f32, %b: f32) {
  // CHECK:      "test.here"
  // CHECK-NEXT: "test.four"(%[[B]])
  cf.switch %flag : i32, [
    default: ^bb1,
    42: ^bb2
  ]
^bb1:
  "test.default"() : () -> ()
^bb2:
  "test.here"() : () -> ()
  cf.switch %flag : i32, [
    default: ^bb3(%a : f32),
    42: ^bb4(%b : f32)
  ]
^bb3(%x: f32):
  "test.three"(%x) : (f32) -> ()
^bb4(%y: f32):
  "test.four"(%y) : (f32) -> ()
}

// In the default block, it is none of the cases.
// CHECK-LABEL: func.func @switch_in_default
//  CHECK-SAME:   (%[[FLAG:.*]]: i32, %[[A:.*]]: f32, %[[B:.*]]: f32)
func.func @switch_in_default(%flag: i32, %a: f32, %b: f32) {
  // CHECK:      "test.default"
  // CHECK-NEXT: cf.switch %[[FLAG]] : i32, [
  // CHECK-NEXT:   default: ^[[BB3:.*]](%[[A]] : f32),
  // CHECK-NEXT:   7: ^{{.*}}(%[[B]] : f32)
  // CHECK-NEXT: ]
  cf.switch %flag : i32, [
    default: ^bb1,
    42: ^bb2
  ]
^bb1:
  "test.default"() : () -> ()
  cf.switch %flag : i32, [
    default: ^bb3(%a : f32),
    42: ^bb4(%b : f32),
    7: ^bb4(%b : f32)
  ]
^bb2:
  "test.two"() : () -> ()
^bb3(%x: f32):
  "test.three"(%x) : (f32) -> ()
^bb4(%y: f32):
  "test.four"(%y) : (f32) -> ()
}

// Two ways lead to the block, so that the flag may be anything.
// CHECK-LABEL: func.func @switch_after_two
func.func @switch_after_two(%flag: i32, %a: f32, %b: f32) {
  // CHECK: cf.switch
  // CHECK: cf.switch
  // CHECK-NEXT: default
  // CHECK-NEXT: 42
  cf.switch %flag : i32, [
    default: ^bb1,
    41: ^bb2,
    42: ^bb2
  ]
^bb1:
  "test.default"() : () -> ()
^bb2:
  "test.two"() : () -> ()
  cf.switch %flag : i32, [
    default: ^bb3(%a : f32),
    42: ^bb4(%b : f32)
  ]
^bb3(%x: f32):
  "test.three"(%x) : (f32) -> ()
^bb4(%y: f32):
  "test.four"(%y) : (f32) -> ()
}

// CHECK-LABEL: func.func @unreachable_successor
func.func @unreachable_successor(%c: i1) {
  // CHECK-NEXT: "test.reached"
  // CHECK-NEXT: return
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  ub.unreachable
^bb2:
  "test.reached"() : () -> ()
  return
}

// Branches around a cycle have no end to go to.
// CHECK-LABEL: func.func @around_for_ever
//  CHECK-SAME:   (%[[C:.*]]: i1)
func.func @around_for_ever(%c: i1) {
  // CHECK-NEXT: cf.cond_br %[[C]], ^bb1, ^bb2
  // CHECK-NEXT: ^bb1:
  // CHECK-NEXT:   cf.br ^bb2
  // CHECK-NEXT: ^bb2:
  // CHECK-NEXT:   cf.br ^bb2
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb2
^bb2:
  cf.br ^bb3
^bb3:
  cf.br ^bb2
}

// CHECK-LABEL: func.func @chain_of_branches
//  CHECK-SAME:   (%[[C:.*]]: i1, %[[X:.*]]: i32, %[[Y:.*]]: i32)
func.func @chain_of_branches(%c: i1, %x: i32, %y: i32) -> i32 {
  // CHECK-NEXT: %[[R:.*]] = arith.select %[[C]], %[[X]], %[[Y]] : i32
  // CHECK-NEXT: return %[[R]]
  cf.cond_br %c, ^bb1(%x : i32), ^bb2(%y : i32)
^bb1(%a: i32):
  cf.br ^bb2(%a : i32)
^bb2(%b: i32):
  cf.br ^bb3(%b : i32)
^bb3(%d: i32):
  return %d : i32
}
