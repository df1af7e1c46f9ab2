// What a constant condition leaves of branches goes in the round that finds it: the next round finds nothing.
//
// RUN: dl-opt %s --canonicalize='max-iterations=2 test-convergence' | FileCheck %s

// CHECK-LABEL: func @always
// CHECK-SAME: (%[[X:.*]]: i32)
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[X]], %[[X]]
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %[[SUM]], %[[X]]
// CHECK-NEXT: return %[[PRODUCT]]
func.func @always(%x: i32) -> i32 {
  %true = arith.constant true
  cf.cond_br %true, ^then, ^else
^then:
  %sum = arith.addi %x, %x : i32
  cf.br ^join(%sum : i32)
^else:
  %difference = arith.subi %x, %x : i32
  cf.br ^join(%difference : i32)
^join(%y: i32):
  %product = arith.muli %y, %x : i32
  return %product : i32
}

// CHECK-LABEL: func @sometimes
// CHECK: cf.cond_br
// CHECK-COUNT-2: cf.br ^[[JOIN:.*]](
// CHECK: ^[[JOIN]](
func.func @sometimes(%x: i32, %condition: i1) -> i32 {
  cf.cond_br %condition, ^then, ^else
^then:
  %sum = arith.addi %x, %x : i32
  cf.br ^join(%sum : i32)
^else:
  %square = arith.muli %x, %x : i32
  cf.br ^join(%square : i32)
^join(%y: i32):
  %product = arith.muli %y, %x : i32
  return %product : i32
}
