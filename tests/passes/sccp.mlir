// RUN: dl-opt %s --sccp --split-input-file --allow-unregistered-dialect | FileCheck %s
// RUN: dl-opt %s --pass-pipeline="builtin.module(func.func(sccp))" --split-input-file --allow-unregistered-dialect \
// RUN:   | FileCheck %s --check-prefix=ALONE

// Only one way is taken, and the value that it brings is a constant.
// CHECK-LABEL: func.func @one_way
func.func @one_way(%x: i32) -> i32 {
  // CHECK: %[[C:.*]] = arith.constant 7 : i32
  // CHECK: return %[[C]]
  %true = arith.constant true
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  cf.cond_br %true, ^a, ^b(%x : i32)
^a:
  %sum = arith.addi %c3, %c4 : i32
  cf.br ^b(%sum : i32)
^b(%y: i32):
  return %y : i32
}

// CHECK-LABEL: func.func @both_ways
//  CHECK-SAME:   %[[X:.*]]: i1
func.func @both_ways(%x: i1) -> (i32, i32) {
  // CHECK: ^{{.*}}(%{{.*}}: i32, %[[DIFFERENT:.*]]: i32):
  // CHECK: return %c1_i32, %[[DIFFERENT]]
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  cf.cond_br %x, ^a(%c1, %c1 : i32, i32), ^a(%c1, %c2 : i32, i32)
^a(%same: i32, %different: i32):
  return %same, %different : i32, i32
}

// What a loop carries is a constant if each iteration leaves it as it was.
// CHECK-LABEL: func.func @carried
func.func @carried(%a: index, %b: index, %s: index) -> (i32, i32) {
  // CHECK: %[[R:.*]]:2 = scf.for
  // CHECK: return %c0_i32, %[[R]]#1
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %a to %b step %s iter_args(%x = %c0, %y = %c0) -> (i32, i32) {
    %double = arith.addi %x, %x : i32
    %next = arith.addi %y, %c1 : i32
    scf.yield %double, %next : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// The loop ends at once.
// CHECK-LABEL: func.func @while_never
func.func @while_never() -> i32 {
  // CHECK: %[[C:.*]] = arith.constant 5 : i32
  // CHECK: return %[[C]]
  %c5 = arith.constant 5 : i32
  %r = scf.while (%x = %c5) : (i32) -> i32 {
    %more = arith.cmpi slt, %x, %c5 : i32
    scf.condition(%more) %x : i32
  } do {
  ^bb0(%x: i32):
    %next = arith.addi %x, %c5 : i32
    scf.yield %next : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func @bounds
func.func @bounds(%n: index) -> (i32, i32, i32) {
  // CHECK: %[[R:.*]] = affine.for %{{.*}} = 0 to %{{.*}}
  // CHECK: return %c1_i32, %c2_i32, %[[R]]
  %c1 = arith.constant 1 : i32
  %never = affine.for %i = 4 to 4 iter_args(%x = %c1) -> i32 {
    %y = arith.addi %x, %c1 : i32
    affine.yield %y : i32
  }
  %once = affine.for %i = 0 to 3 step 3 iter_args(%x = %c1) -> i32 {
    %y = arith.addi %x, %c1 : i32
    affine.yield %y : i32
  }
  %often = affine.for %i = 0 to %n iter_args(%x = %c1) -> i32 {
    %y = arith.addi %x, %c1 : i32
    affine.yield %y : i32
  }
  return %never, %once, %often : i32, i32, i32
}

// The operand of an operand is not what is followed.
// CHECK-LABEL: func.func @unknown_operation
func.func @unknown_operation() -> i32 {
  // CHECK: %[[R:.*]] = "test.op"
  // CHECK: return %[[R]]
  %c1 = arith.constant 1 : i32
  %0 = "test.op"(%c1) : (i32) -> i32
  return %0 : i32
}

// -----

// All calls pass the same, and it comes back; where a function is looked at alone, nobody knows.
// CHECK-LABEL: func.func private @closed
// ALONE-LABEL: func.func private @closed
func.func private @closed(%x: i32, %y: i32) -> i32 {
  // CHECK: %[[C:.*]] = arith.constant 3 : i32
  // CHECK: return %[[C]]
  // ALONE: return %{{.*}}
  %0 = arith.addi %x, %x : i32
  %1 = arith.addi %0, %x : i32
  return %1 : i32
}

// CHECK-LABEL: func.func @caller
// ALONE-LABEL: func.func @caller
func.func @caller(%y: i32) -> (i32, i32) {
  // CHECK: return %c3_i32, %c3_i32
  // ALONE: %[[A:.*]] = call @closed
  // ALONE: %[[B:.*]] = call @closed
  // ALONE: return %[[A]], %[[B]]
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %0 = call @closed(%c1, %c2) : (i32, i32) -> i32
  %1 = call @closed(%c1, %y) : (i32, i32) -> i32
  return %0, %1 : i32, i32
}

// -----

// A function that others may call, or that is used as a value, gets anything, but what it returns may be known.
// CHECK-LABEL: func.func @open(
func.func @open(%x: i32) -> (i32, i32) {
  // CHECK: return %c4_i32, %{{.*}} : i32, i32
  %c4 = arith.constant 4 : i32
  return %c4, %x : i32, i32
}

// CHECK-LABEL: func.func private @value(
//  CHECK-SAME:   %[[X:.*]]: i32
func.func private @value(%x: i32) -> i32 {
  // CHECK: return %[[X]]
  return %x : i32
}

// CHECK-LABEL: func.func @use
func.func @use() -> (i32, i32, i32) {
  // CHECK: %[[OPEN:.*]]:2 = call @open
  // CHECK: %[[VALUE:.*]] = call @value
  // CHECK: return %c4_i32, %[[OPEN]]#1, %[[VALUE]]
  %c1 = arith.constant 1 : i32
  %0:2 = call @open(%c1) : (i32) -> (i32, i32)
  %f = constant @value : (i32) -> i32
  %1 = call @value(%c1) : (i32) -> i32
  "test.use"(%f) : ((i32) -> i32) -> ()
  return %0#0, %0#1, %1 : i32, i32, i32
}

// -----

// Recursion: what goes round is the same.
// CHECK-LABEL: func.func private @recursive
func.func private @recursive(%n: i32, %k: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %done = arith.cmpi eq, %n, %c0 : i32
  cf.cond_br %done, ^end, ^again
^again:
  // CHECK: call @recursive(%{{.*}}, %c9_i32)
  %m = arith.subi %n, %c1 : i32
  %r = call @recursive(%m, %k) : (i32, i32) -> i32
  // CHECK: return %c9_i32
  return %r : i32
^end:
  // CHECK: return %c9_i32
  return %k : i32
}

// CHECK-LABEL: func.func @start
func.func @start(%n: i32) -> i32 {
  // CHECK: return %c9_i32
  %c9 = arith.constant 9 : i32
  %0 = call @recursive(%n, %c9) : (i32, i32) -> i32
  return %0 : i32
}

// What an operation is folded to need not be one of its operands.
// CHECK-LABEL: func.func @folded_to_operand_of_operand
func.func @folded_to_operand_of_operand(%x: i32) -> i32 {
  // CHECK: %[[C4:.*]] = arith.constant 4 : i32
  // CHECK: return %[[C4]]
  %c4 = arith.constant 4 : i32
  %sum = arith.addi %x, %c4 : i32
  %same = arith.subi %sum, %x : i32
  return %same : i32
}

// That is no constant any more once the loop has come around. (mlir-opt says 8.)
// CHECK-LABEL: func.func @folded_to_what_changes
func.func @folded_to_what_changes(%x: i32, %n: index) -> i32 {
  // CHECK: %[[R:.*]] = scf.for
  // CHECK: arith.subi
  // CHECK-NEXT: %[[NEXT:.*]] = arith.addi
  // CHECK-NEXT: scf.yield %[[NEXT]]
  // CHECK: return %[[R]]
  %c4 = arith.constant 4 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c4) -> i32 {
    %sum = arith.addi %x, %a : i32
    %same = arith.subi %sum, %x : i32
    %next = arith.addi %same, %c4 : i32
    scf.yield %next : i32
  }
  return %r : i32
}
