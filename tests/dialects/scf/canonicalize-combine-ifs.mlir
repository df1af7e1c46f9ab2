// RUN: dl-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(canonicalize))' --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @one_after_another
//  CHECK-SAME:   (%[[C:.*]]: i1)
func.func @one_after_another(%c: i1) -> (i32, i64) {
  // CHECK-NEXT: %[[R:.*]]:2 = scf.if %[[C]] -> (i32, i64) {
  // CHECK-NEXT:   %[[A:.*]] = "test.a"
  // CHECK-NEXT:   %[[D:.*]] = "test.d"(%[[A]])
  // CHECK-NEXT:   scf.yield %[[A]], %[[D]]
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   %[[B:.*]] = "test.b"
  // CHECK-NEXT:   %[[E:.*]] = "test.e"(%[[B]])
  // CHECK-NEXT:   scf.yield %[[B]], %[[E]]
  // CHECK:      return %[[R]]#0, %[[R]]#1
  %0 = scf.if %c -> i32 {
    %a = "test.a"() : () -> i32
    scf.yield %a : i32
  } else {
    %b = "test.b"() : () -> i32
    scf.yield %b : i32
  }
  %1 = scf.if %c -> i64 {
    %d = "test.d"(%0) : (i32) -> i64
    scf.yield %d : i64
  } else {
    %e = "test.e"(%0) : (i32) -> i64
    scf.yield %e : i64
  }
  return %0, %1 : i32, i64
}

// -----

// CHECK-LABEL: func.func @negated
//  CHECK-SAME:   (%[[C:.*]]: i1)
func.func @negated(%c: i1) {
  // CHECK-NEXT: scf.if %[[C]] {
  // CHECK-NEXT:   "test.a"
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   "test.b"
  // CHECK-NEXT: }
  %true = arith.constant true
  %n = arith.xori %c, %true : i1
  scf.if %c {
    "test.a"() : () -> ()
  }
  scf.if %n {
    "test.b"() : () -> ()
  }
  return
}

// -----

// CHECK-LABEL: func.func @something_between
func.func @something_between(%c: i1, %d: i1) {
  // CHECK-COUNT-4: scf.if
  scf.if %c {
    "test.a"() : () -> ()
  }
  "test.between"() : () -> ()
  scf.if %c {
    "test.b"() : () -> ()
  }
  scf.if %d {
    "test.c"() : () -> ()
  }
  scf.if %c {
    "test.d"() : () -> ()
  }
  return
}

// -----

// CHECK-LABEL: func.func @one_in_another
//  CHECK-SAME:   (%[[A:.*]]: i1, %[[B:.*]]: i1, %[[X:.*]]: i32)
func.func @one_in_another(%a: i1, %b: i1, %x: i32) -> i32 {
  // CHECK-NEXT: %[[BOTH:.*]] = arith.andi %[[A]], %[[B]] : i1
  // CHECK-NEXT: %[[R:.*]] = scf.if %[[BOTH]] -> (i32) {
  // CHECK-NEXT:   %[[Y:.*]] = "test.y"
  // CHECK-NEXT:   scf.yield %[[Y]]
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   scf.yield %[[X]]
  // CHECK:      return %[[R]]
  %0 = scf.if %a -> i32 {
    %1 = scf.if %b -> i32 {
      %y = "test.y"() : () -> i32
      scf.yield %y : i32
    } else {
      scf.yield %x : i32
    }
    scf.yield %1 : i32
  } else {
    scf.yield %x : i32
  }
  return %0 : i32
}

// -----

// CHECK-LABEL: func.func @otherwise_different
func.func @otherwise_different(%a: i1, %b: i1, %x: i32, %z: i32) -> i32 {
  // CHECK-COUNT-2: scf.if
  %0 = scf.if %a -> i32 {
    %1 = scf.if %b -> i32 {
      %y = "test.y"() : () -> i32
      scf.yield %y : i32
    } else {
      scf.yield %x : i32
    }
    scf.yield %1 : i32
  } else {
    scf.yield %z : i32
  }
  return %0 : i32
}
