// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(canonicalize))' | FileCheck %s
// RUN: dl-opt %s --canonicalize --mlir-disable-threading | FileCheck %s
// RUN: dl-opt %s --canonicalize=region-simplify=disabled | FileCheck %s --check-prefixes=DISABLED
// RUN: dl-opt %s --canonicalize=region-simplify=aggressive | FileCheck %s --check-prefixes=AGGRESSIVE

// Equal constants are one, at the start of the function.
// CHECK-LABEL: func.func @merge_constants
//  CHECK-SAME:   (%[[X:.*]]: i32, %[[C:.*]]: i1)
func.func @merge_constants(%x: i32, %c: i1) -> (i32, i32) {
  // CHECK-NEXT: %[[FOUR:.*]] = arith.constant 4 : i32
  // CHECK-NEXT: %[[IF:.*]] = scf.if %[[C]]
  %r = scf.if %c -> i32 {
    // CHECK-NEXT: arith.addi %[[X]], %[[FOUR]]
    %four = arith.constant 4 : i32
    %sum = arith.addi %x, %four : i32
    scf.yield %sum : i32
  } else {
    scf.yield %x : i32
  }
  // CHECK: arith.muli %[[X]], %[[FOUR]]
  %four = arith.constant 4 : i32
  %product = arith.muli %x, %four : i32
  return %r, %product : i32, i32
}

// Folding makes a constant, and what it was made of is dead.
// CHECK-LABEL: func.func @fold_to_constant
//  CHECK-NEXT:   %[[C:.*]] = arith.constant 5 : i32
//  CHECK-NEXT:   return %[[C]]
func.func @fold_to_constant() -> i32 {
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %five = arith.addi %two, %three : i32
  return %five : i32
}

// Constant operands of commutative operations go to the right.
// CHECK-LABEL: func.func @constants_right
//  CHECK-SAME:   (%[[X:.*]]: i32)
//       CHECK:   %[[C:.*]] = arith.constant
//       CHECK:   arith.muli %[[X]], %[[C]]
func.func @constants_right(%x: i32) -> i32 {
  %c = arith.constant 7 : i32
  %r = arith.muli %c, %x : i32
  return %r : i32
}

// But not those of others.
// CHECK-LABEL: func.func @order_counts
//  CHECK-SAME:   (%[[X:.*]]: i32)
//       CHECK:   %[[C:.*]] = arith.constant
//       CHECK:   arith.divsi %[[C]], %[[X]]
func.func @order_counts(%x: i32) -> i32 {
  %c = arith.constant 7 : i32
  %r = arith.divsi %c, %x : i32
  return %r : i32
}

// CHECK-LABEL: func.func @unreachable_block
//  CHECK-NEXT:   return
//  CHECK-NEXT: }
// DISABLED-LABEL: func.func @unreachable_block
//  DISABLED-NEXT:   return
func.func @unreachable_block() {
  return
^bb1:
  cf.br ^bb1
}

// An argument that only itself needs, in a cycle, is dead with all that computes it.
// CHECK-LABEL: func.func @dead_cycle
//  CHECK-SAME:   (%[[X:.*]]: i32, %[[C:.*]]: i1)
//       CHECK:   cf.br ^[[HEAD:.*]](%[[X]] : i32)
//       CHECK: ^[[HEAD]](%[[P:.*]]: i32):
//  CHECK-NEXT:   %[[Q:.*]] = arith.addi %[[P]], %[[X]]
//  CHECK-NEXT:   cf.cond_br %[[C]], ^[[HEAD]](%[[Q]] : i32), ^
// DISABLED-LABEL: func.func @dead_cycle
//       DISABLED: ^{{.*}}(%{{.*}}: i32, %{{.*}}: i32):
func.func @dead_cycle(%x: i32, %c: i1) -> i32 {
  cf.br ^head(%x, %x : i32, i32)
^head(%p: i32, %dead: i32):
  %q = arith.addi %p, %x : i32
  %double = arith.addi %dead, %dead : i32
  cf.cond_br %c, ^head(%q, %double : i32, i32), ^exit
^exit:
  return %p : i32
}

// The same where what control comes back by stands before, and has no arguments.
// CHECK-LABEL: func.func @dead_cycle_backwards(
//  CHECK-SAME:   i32, %{{.*}}: i1)
//   CHECK-NOT: i32
//       CHECK: return
func.func @dead_cycle_backwards(%start: i32, %more: i1) {
  cf.br ^head(%start : i32)
^again:
  func.call @seen() : () -> ()
  cf.br ^head(%next : i32)
^head(%x: i32):
  %next = arith.addi %x, %x : i32
  cf.cond_br %more, ^again, ^end
^end:
  return
}
func.func private @seen()

// An argument that is always one value.
// CHECK-LABEL: func.func @redundant_argument
//       CHECK: ^{{.*}}(%{{.*}}: i32):
// AGGRESSIVE-LABEL: func.func @redundant_argument
//  AGGRESSIVE-SAME:   (%[[X:.*]]: i32
//   AGGRESSIVE-NOT: ^{{.*}}(%{{.*}}: i32):
//       AGGRESSIVE:   arith.addi %[[X]], %[[X]]
func.func @redundant_argument(%x: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^bb1(%x : i32), ^bb2
^bb1(%p: i32):
  %sum = arith.addi %p, %p : i32
  return %sum : i32
^bb2:
  return %x : i32
}

// Operations that nothing is known of stay as they are.
// CHECK-LABEL: func.func @effects_stay
//       CHECK:   call @outside()
//       CHECK:   call @outside()
func.func @effects_stay() {
  %0 = func.call @outside() : () -> i32
  %1 = func.call @outside() : () -> i32
  return
}
func.func private @outside() -> i32
