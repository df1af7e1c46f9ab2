// RUN: dl-opt %s --control-flow-sink --split-input-file | FileCheck %s

// What only one branch needs is computed there.
// CHECK-LABEL: func.func @one_branch
//  CHECK-SAME:   (%[[C:.*]]: i1, %[[X:.*]]: i32)
func.func @one_branch(%c: i1, %x: i32) -> i32 {
  // CHECK-NEXT: scf.if %[[C]]
  // CHECK-NEXT:   %[[A:.*]] = arith.addi %[[X]], %[[X]]
  // CHECK-NEXT:   %[[B:.*]] = arith.muli %[[A]], %[[A]]
  // CHECK-NEXT:   scf.yield %[[B]]
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   %[[D:.*]] = arith.subi %[[X]], %[[X]]
  // CHECK-NEXT:   scf.yield %[[D]]
  %a = arith.addi %x, %x : i32
  %b = arith.muli %a, %a : i32
  %d = arith.subi %x, %x : i32
  %r = scf.if %c -> i32 {
    scf.yield %b : i32
  } else {
    scf.yield %d : i32
  }
  return %r : i32
}

// -----

// What both branches need, or something after, stays.
// CHECK-LABEL: func.func @both_branches
func.func @both_branches(%c: i1, %x: i32) -> (i32, i32) {
  // CHECK-NEXT: arith.addi
  // CHECK-NEXT: arith.muli
  // CHECK-NEXT: scf.if
  %a = arith.addi %x, %x : i32
  %b = arith.muli %x, %x : i32
  %r = scf.if %c -> i32 {
    %s = arith.subi %a, %b : i32
    scf.yield %s : i32
  } else {
    scf.yield %a : i32
  }
  return %r, %b : i32, i32
}

// -----

// A loop may run more than once, and a load must not move past a store.
// CHECK-LABEL: func.func @not_sunk
func.func @not_sunk(%c: i1, %n: index, %m: memref<i32>, %x: i32) {
  // CHECK: arith.addi
  // CHECK: memref.load
  // CHECK: memref.store
  // CHECK: scf.for
  // CHECK: scf.if
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = arith.addi %x, %x : i32
  %v = memref.load %m[] : memref<i32>
  memref.store %x, %m[] : memref<i32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %a, %m[] : memref<i32>
  }
  scf.if %c {
    memref.store %v, %m[] : memref<i32>
  }
  return
}

// -----

// Branches inside of branches.
// CHECK-LABEL: func.func @nested
func.func @nested(%c: i1, %d: i1, %m: memref<i32>, %x: i32) {
  // CHECK-NEXT: scf.if
  // CHECK-NEXT:   scf.if
  // CHECK-NEXT:     arith.addi
  %a = arith.addi %x, %x : i32
  scf.if %c {
    scf.if %d {
      memref.store %a, %m[] : memref<i32>
    }
  }
  return
}
