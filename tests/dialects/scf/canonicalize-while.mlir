// RUN: dl-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(canonicalize))' --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @comparison_is_known
//  CHECK-SAME:   (%[[X:.*]]: i32)
func.func @comparison_is_known(%x: i32) {
  // CHECK-DAG: %[[T:.*]] = arith.constant true
  // CHECK-DAG: %[[F:.*]] = arith.constant false
  // CHECK:     ^bb0(%[[B:.*]]: i32):
  // CHECK-NEXT:  %[[O:.*]] = arith.cmpi sgt, %[[B]], %[[X]] : i32
  // CHECK-NEXT:  "test.read"(%[[T]], %[[F]], %[[O]])
  %0 = scf.while : () -> i32 {
    %v = "test.value"() : () -> i32
    %c = arith.cmpi slt, %v, %x : i32
    scf.condition(%c) %v : i32
  } do {
  ^bb0(%b: i32):
    %same = arith.cmpi slt, %b, %x : i32
    %opposite = arith.cmpi sge, %b, %x : i32
    %other = arith.cmpi sgt, %b, %x : i32
    "test.read"(%same, %opposite, %other) : (i1, i1, i1) -> ()
    scf.yield
  }
  return
}

// -----

// CHECK-LABEL: func.func @in_another_order
func.func @in_another_order(%x: i32, %y: f32) -> (f32, i32) {
  // CHECK:      %[[R:.*]]:2 = scf.while (%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) : (i32, f32) -> (i32, f32)
  // CHECK:        scf.condition(%{{.*}}) %[[A]], %[[B]] : i32, f32
  // CHECK:      ^bb0(%[[C:.*]]: i32, %[[D:.*]]: f32):
  // CHECK-NEXT:   %[[N:.*]]:2 = "test.next"(%[[D]], %[[C]])
  // CHECK:      return %[[R]]#1, %[[R]]#0
  %0:2 = scf.while (%a = %x, %b = %y) : (i32, f32) -> (f32, i32) {
    %c = "test.condition"() : () -> i1
    scf.condition(%c) %b, %a : f32, i32
  } do {
  ^bb0(%b: f32, %a: i32):
    %n:2 = "test.next"(%b, %a) : (f32, i32) -> (i32, f32)
    scf.yield %n#0, %n#1 : i32, f32
  }
  return %0#0, %0#1 : f32, i32
}

// -----

// Each of two equal values that the condition hands on is the one of the branch that is taken (llvm-project issue 219456).
// CHECK-LABEL: func.func @branch_is_handed_on_twice
func.func @branch_is_handed_on_twice() -> index {
  // CHECK:      scf.while
  // CHECK-NOT:  scf.if
  // CHECK:      } do {
  // CHECK-NEXT: ^bb0(%{{.*}}: index):
  // CHECK-NEXT:   %[[N:.*]] = "test.next"
  // CHECK-NEXT:   scf.yield %[[N]]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0:3 = scf.while (%state = %c0) : (index) -> (index, index, index) {
    %c = arith.cmpi slt, %state, %c1 : index
    %v = scf.if %c -> index {
      %next = "test.next"(%state) : (index) -> index
      scf.yield %next : index
    } else {
      scf.yield %c2 : index
    }
    scf.condition(%c) %v, %v, %state : index, index, index
  } do {
  ^bb0(%first: index, %second: index, %old: index):
    scf.yield %second : index
  }
  return %0#2 : index
}

// -----

// What is done only where the loop goes on is part of the loop; what it uses is handed on.
// CHECK-LABEL: func.func @conditional_moves_down
//       CHECK:   scf.while : () -> (i32, i32) {
//  CHECK-NEXT:     %[[A:.*]] = "test.a"() : () -> i32
//  CHECK-NEXT:     %[[B:.*]] = "test.b"() : () -> i32
//  CHECK-NEXT:     %[[C:.*]] = "test.condition"() : () -> i1
//  CHECK-NEXT:     scf.condition(%[[C]]) %[[B]], %[[A]] : i32, i32
//  CHECK-NEXT:   } do {
//  CHECK-NEXT:   ^bb0(%{{.*}}: i32, %[[X:.*]]: i32):
//  CHECK-NEXT:     "test.use"(%[[X]])
//  CHECK-NEXT:     "test.after"(%[[X]])
func.func @conditional_moves_down() -> i32 {
  %0 = scf.while : () -> i32 {
    %a = "test.a"() : () -> i32
    %b = "test.b"() : () -> i32
    %c = "test.condition"() : () -> i1
    %v = scf.if %c -> i32 {
      "test.use"(%a) : (i32) -> ()
      scf.yield %a : i32
    } else {
      scf.yield %b : i32
    }
    scf.condition(%c) %v : i32
  } do {
  ^bb0(%v: i32):
    "test.after"(%v) : (i32) -> ()
    scf.yield
  }
  return %0 : i32
}

// -----

// The value that the other branch yields may be one that the conditional uses, too.
// CHECK-LABEL: func.func @conditional_uses_both
//       CHECK:     %[[A:.*]] = "test.a"() : () -> i32
//  CHECK-NEXT:     %[[B:.*]] = "test.b"() : () -> i32
//  CHECK-NEXT:     %[[C:.*]] = "test.condition"() : () -> i1
//  CHECK-NEXT:     scf.condition(%[[C]]) %[[B]], %[[A]] : i32, i32
//  CHECK-NEXT:   } do {
//  CHECK-NEXT:   ^bb0(%[[Y:.*]]: i32, %[[X:.*]]: i32):
//  CHECK-NEXT:     "test.use"(%[[Y]])
//  CHECK-NEXT:     "test.after"(%[[X]])
func.func @conditional_uses_both() -> i32 {
  %0 = scf.while : () -> i32 {
    %a = "test.a"() : () -> i32
    %b = "test.b"() : () -> i32
    %c = "test.condition"() : () -> i1
    %v = scf.if %c -> i32 {
      "test.use"(%b) : (i32) -> ()
      scf.yield %a : i32
    } else {
      scf.yield %b : i32
    }
    scf.condition(%c) %v : i32
  } do {
  ^bb0(%v: i32):
    "test.after"(%v) : (i32) -> ()
    scf.yield
  }
  return %0 : i32
}

// -----

// Not where something is done when the loop ends, and not for another condition.
// CHECK-LABEL: func.func @conditional_stays
// CHECK-COUNT-2: scf.if
func.func @conditional_stays(%d: i1) {
  scf.while : () -> () {
    %c = "test.condition"() : () -> i1
    scf.if %c {
      "test.a"() : () -> ()
    } else {
      "test.b"() : () -> ()
    }
    scf.condition(%c)
  } do {
    scf.yield
  }
  scf.while : () -> () {
    %c = "test.condition"() : () -> i1
    scf.if %d {
      "test.a"() : () -> ()
    }
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}
