// RUN: dl-opt %s --int-range-optimizations --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @compare
func.func @compare(%x: i32) -> (i1, i1) {
  // CHECK-DAG: %[[T:.*]] = arith.constant true
  // CHECK-DAG: %[[F:.*]] = arith.constant false
  // CHECK: return %[[T]], %[[F]]
  %c7 = arith.constant 7 : i32
  %c8 = arith.constant 8 : i32
  %low = arith.andi %x, %c7 : i32
  %less = arith.cmpi ult, %low, %c8 : i32
  %same = arith.cmpi eq, %low, %c8 : i32
  return %less, %same : i1, i1
}

// -----

// The variable of a loop lies between its bounds.
// CHECK-LABEL: func.func @variable
func.func @variable(%m: memref<?xi1>, %n: index) {
  // CHECK: scf.for
  // CHECK: memref.store %true
  // CHECK: memref.store %[[U:.*]], %{{.*}}[%{{.*}}] : memref<?xi1>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c1 {
    %a = arith.cmpi slt, %i, %c10 : index
    memref.store %a, %m[%i] : memref<?xi1>
    %b = arith.cmpi slt, %i, %n : index
    memref.store %b, %m[%i] : memref<?xi1>
  }
  return
}

// -----

// What grows with each iteration has no bounds.
// CHECK-LABEL: func.func @grows
func.func @grows(%n: index) -> i1 {
  // CHECK: arith.addi
  // CHECK: arith.cmpi
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> index {
    %b = arith.addi %a, %c1 : index
    scf.yield %b : index
  }
  %r = arith.cmpi slt, %sum, %c1000 : index
  return %r : i1
}

// -----

// CHECK-LABEL: func.func @remainders
//  CHECK-SAME:   (%[[X:.*]]: i32)
func.func @remainders(%x: i32) -> (i32, i32, i32) {
  // CHECK: %[[L:.*]] = arith.andi
  // CHECK: %[[R:.*]] = arith.remsi %[[X]]
  // CHECK: return %[[L]], %[[L]], %[[R]]
  %c7 = arith.constant 7 : i32
  %c8 = arith.constant 8 : i32
  %low = arith.andi %x, %c7 : i32
  %a = arith.remsi %low, %c8 : i32
  %b = arith.remui %low, %c8 : i32
  %c = arith.remsi %x, %c8 : i32
  return %a, %b, %c : i32, i32, i32
}

// -----

// Ranges go with calls of functions that nobody else calls.
func.func private @small(%x: i32) -> i1 {
  // CHECK: arith.constant true
  %c100 = arith.constant 100 : i32
  %r = arith.cmpi slt, %x, %c100 : i32
  return %r : i1
}
func.func @calls() -> (i1, i1) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %a = call @small(%c1) : (i32) -> i1
  %b = call @small(%c2) : (i32) -> i1
  return %a, %b : i1, i1
}

// -----

// The variables of scf.forall lie between their bounds, too: there is nothing that its end could pass on to them.
func.func private @use(index)
// CHECK-LABEL: func.func @forall
//  CHECK-SAME:   (%[[N:.*]]: index)
func.func @forall(%n: index) {
  // CHECK: %[[C0:.*]] = arith.constant 0 : index
  // CHECK: scf.forall (%{{.*}}) in (8)
  // CHECK-NEXT: func.call @use(%[[C0]])
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  scf.forall (%i) in (8) {
    %less = arith.cmpi slt, %i, %c8 : index
    %x = arith.select %less, %c0, %c8 : index
    func.call @use(%x) : (index) -> ()
  }
  // CHECK: scf.forall (%[[I:.*]], %{{.*}}) in (%[[N]], 1)
  // CHECK-NEXT: func.call @use(%[[I]])
  // CHECK-NEXT: func.call @use(%[[C0]])
  scf.forall (%i, %j) in (%n, 1) {
    func.call @use(%i) : (index) -> ()
    func.call @use(%j) : (index) -> ()
  }
  return
}

// -----

// An argument that is always the same number.
// CHECK-LABEL: func.func private @same
func.func private @same(%x: i32, %y: i32) -> (i32, i32) {
  // CHECK: %[[C5:.*]] = arith.constant 5 : i32
  // CHECK: return %[[C5]], %arg1
  return %x, %y : i32, i32
}
// CHECK-LABEL: func.func @callers
func.func @callers(%z: i32) -> (i32, i32) {
  // CHECK: %[[R:.*]]:2 = call @same
  // CHECK: return %c5_i32, %[[R]]#1
  %c5 = arith.constant 5 : i32
  %0:2 = call @same(%c5, %z) : (i32, i32) -> (i32, i32)
  return %0#0, %0#1 : i32, i32
}
