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
