// RUN: dl-opt %s --lift-cf-to-scf --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @diamond
//  CHECK-SAME:   (%[[C:.*]]: i1, %[[X:.*]]: i32, %[[Y:.*]]: i32)
//       CHECK:   %[[R:.*]] = scf.if %[[C]] -> (i32) {
//  CHECK-NEXT:     %[[SUM:.*]] = arith.addi %[[X]], %[[Y]]
//  CHECK-NEXT:     scf.yield %[[SUM]]
//  CHECK-NEXT:   } else {
//  CHECK-NEXT:     scf.yield %[[Y]]
//  CHECK-NEXT:   }
//  CHECK-NEXT:   return %[[R]]
func.func @diamond(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^yes(%x : i32), ^end(%y : i32)
^yes(%v: i32):
  %sum = arith.addi %v, %y : i32
  cf.br ^end(%sum : i32)
^end(%r: i32):
  return %r : i32
}

// -----

// Two returns become one.
// CHECK-LABEL: func.func @two_returns
//       CHECK:   %[[R:.*]] = scf.if
//       CHECK:     scf.yield
//       CHECK:   } else {
//       CHECK:     scf.yield
//       CHECK:   }
//  CHECK-NEXT:   return %[[R]]
//   CHECK-NOT:   return
func.func @two_returns(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^yes, ^no
^yes:
  return %x : i32
^no:
  return %y : i32
}

// -----

// Cases are compared without regard to their sign, as the flag becomes an index.
// CHECK-LABEL: func.func @cases
//  CHECK-SAME:   (%[[FLAG:[a-z0-9]+]]: i8
//       CHECK:   %[[I:.*]] = arith.index_castui %[[FLAG]] : i8 to index
//  CHECK-NEXT:   scf.index_switch %[[I]] -> i32
//  CHECK-NEXT:   case 3 {
//  CHECK-NEXT:     scf.yield %c30
//       CHECK:   case 255 {
//  CHECK-NEXT:     scf.yield %c31
//       CHECK:   default {
//  CHECK-NEXT:     scf.yield %c32
func.func @cases(%flag: i8) -> i32 {
  %a = arith.constant 30 : i32
  %b = arith.constant 31 : i32
  %d = arith.constant 32 : i32
  cf.switch %flag : i8, [
    default: ^end(%d : i32),
    3: ^end(%a : i32),
    -1: ^end(%b : i32)
  ]
^end(%r: i32):
  return %r : i32
}

// -----

// The way that both branches can take comes after a conditional of its own: no code is copied.
// CHECK-LABEL: func.func @shared_tail
//       CHECK:   %[[WAY:.*]]:2 = scf.if
//       CHECK:   scf.index_switch
//       CHECK:     "test.tail"
//   CHECK-NOT:   "test.tail"
//       CHECK:   return
func.func @shared_tail(%c: i1, %d: i1, %e: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  cf.cond_br %d, ^tail, ^end(%x : i32)
^b:
  cf.cond_br %e, ^tail, ^end(%x : i32)
^tail:
  %r = "test.tail"() : () -> i32
  cf.br ^end(%r : i32)
^end(%v: i32):
  return %v : i32
}

// -----

// Where there are two kinds of terminators, one branch to them remains.
// CHECK-LABEL: func.func @two_kinds
//       CHECK:   cf.cond_br %{{.*}}, ^[[YES:.*]], ^[[NO:.*]]
//       CHECK: ^[[YES]]:
//       CHECK:   scf.if
//       CHECK:   "test.leave"
//       CHECK: ^[[NO]]:
//       CHECK:   return
func.func @two_kinds(%c: i1, %d: i1) {
  cf.cond_br %c, ^yes, ^no
^yes:
  cf.cond_br %d, ^more, ^leave
^more:
  "test.more"() : () -> ()
  cf.br ^leave
^leave:
  "test.leave"() : () -> ()
^no:
  return
}

// -----

// Regions inside are lifted first.
// CHECK-LABEL: func.func @inner
//       CHECK:   scf.execute_region
//       CHECK:     scf.if
//   CHECK-NOT:   {{[[:space:]]}}cf.
func.func @inner(%c: i1) {
  scf.execute_region {
    cf.cond_br %c, ^a, ^b
  ^a:
    "test.a"() : () -> ()
    cf.br ^b
  ^b:
    scf.yield
  }
  return
}
