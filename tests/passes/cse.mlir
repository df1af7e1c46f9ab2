// RUN: dl-opt %s --cse --allow-unregistered-dialect | FileCheck %s
// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(cse),builtin.module(func.func(cse)))' --allow-unregistered-dialect | FileCheck %s
// RUN: dl-opt %s --cse --allow-unregistered-dialect --mlir-pass-statistics -o %t 2>&1 | FileCheck %s --check-prefix=COUNT

// COUNT: CSE
// COUNT: (S) 9 num-cse'd - Number of operations CSE'd
// COUNT: (S) 1 num-dce'd - Number of operations DCE'd

// CHECK-LABEL: func.func @equal
//  CHECK-SAME:   (%[[A:.*]]: i32, %[[B:.*]]: i32)
//  CHECK-NEXT:   %[[SUM:.*]] = arith.addi %[[A]], %[[B]]
//  CHECK-NEXT:   return %[[SUM]], %[[SUM]]
func.func @equal(%a: i32, %b: i32) -> (i32, i32) {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %a, %b : i32
  return %0, %1 : i32, i32
}

// The order of operands counts only where it has a meaning.
// CHECK-LABEL: func.func @commuted
//  CHECK-NEXT:   %[[SUM:.*]] = arith.addi
//  CHECK-NEXT:   %[[D1:.*]] = arith.subi
//  CHECK-NEXT:   %[[D2:.*]] = arith.subi
//  CHECK-NEXT:   return %[[SUM]], %[[SUM]], %[[D1]], %[[D2]]
func.func @commuted(%a: i32, %b: i32) -> (i32, i32, i32, i32) {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %b, %a : i32
  %2 = arith.subi %a, %b : i32
  %3 = arith.subi %b, %a : i32
  return %0, %1, %2, %3 : i32, i32, i32, i32
}

// Attributes and result types count.
// CHECK-LABEL: func.func @different
//  CHECK-NEXT:   arith.cmpi slt
//  CHECK-NEXT:   arith.cmpi sle
//  CHECK-NEXT:   arith.extsi %{{.*}} : i32 to i64
//  CHECK-NEXT:   arith.extsi %{{.*}} : i32 to i128
func.func @different(%a: i32, %b: i32) -> (i1, i1, i64, i128) {
  %0 = arith.cmpi slt, %a, %b : i32
  %1 = arith.cmpi sle, %a, %b : i32
  %2 = arith.extsi %a : i32 to i64
  %3 = arith.extsi %a : i32 to i128
  return %0, %1, %2, %3 : i1, i1, i64, i128
}

// What dominates is known below, what is in a sibling is not.
// CHECK-LABEL: func.func @dominance
//       CHECK:   %[[SUM:.*]] = arith.addi
//       CHECK: ^bb1:
//  CHECK-NEXT:   %[[D1:.*]] = arith.subi
//  CHECK-NEXT:   cf.br ^bb3(%[[SUM]], %[[D1]]
//       CHECK: ^bb2:
//  CHECK-NEXT:   %[[D2:.*]] = arith.subi
//  CHECK-NEXT:   cf.br ^bb3(%[[D2]], %[[D2]]
func.func @dominance(%c: i1, %a: i32, %b: i32) -> (i32, i32, i32) {
  %0 = arith.addi %a, %b : i32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %1 = arith.addi %a, %b : i32
  %2 = arith.subi %a, %b : i32
  cf.br ^bb3(%1, %2 : i32, i32)
^bb2:
  %3 = arith.subi %a, %b : i32
  cf.br ^bb3(%3, %3 : i32, i32)
^bb3(%p: i32, %q: i32):
  return %0, %p, %q : i32, i32, i32
}

// Regions see what is around them; equal regions make operations equal.
// CHECK-LABEL: func.func @regions
//  CHECK-SAME:   (%[[C:.*]]: i1, %[[A:.*]]: i32)
//  CHECK-NEXT:   %[[P:.*]] = arith.muli %[[A]], %[[A]]
//  CHECK-NEXT:   %[[IF:.*]] = scf.if %[[C]] -> (i32) {
//  CHECK-NEXT:     %[[S:.*]] = arith.addi %[[P]], %[[A]]
//  CHECK-NEXT:     scf.yield %[[S]]
//       CHECK:     scf.yield %[[A]]
//  CHECK-NEXT:   }
//  CHECK-NEXT:   return %[[P]], %[[IF]], %[[IF]]
func.func @regions(%c: i1, %a: i32) -> (i32, i32, i32) {
  %0 = arith.muli %a, %a : i32
  %1 = scf.if %c -> i32 {
    %p = arith.muli %a, %a : i32
    %s = arith.addi %p, %a : i32
    scf.yield %s : i32
  } else {
    scf.yield %a : i32
  }
  %2 = scf.if %c -> i32 {
    %p = arith.muli %a, %a : i32
    %s = arith.addi %p, %a : i32
    scf.yield %s : i32
  } else {
    scf.yield %a : i32
  }
  return %0, %1, %2 : i32, i32, i32
}

// Nothing is known of these.
// CHECK-LABEL: func.func @unknown_effects
//       CHECK:   "foo.read"
//       CHECK:   "foo.read"
func.func @unknown_effects(%a: i32) -> (i32, i32) {
  %0 = "foo.read"(%a) : (i32) -> i32
  %1 = "foo.read"(%a) : (i32) -> i32
  return %0, %1 : i32, i32
}

// Unused operations go, but what only they used stays for the next time.
// CHECK-LABEL: func.func @unused
//  CHECK-NEXT:   arith.addi
//  CHECK-NEXT:   return
func.func @unused(%a: i32) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.muli %0, %0 : i32
  return
}

// Symbol tables within are worked on by themselves.
// CHECK-LABEL: module @inner
//       CHECK:   arith.addi
//   CHECK-NOT:   arith.addi
//       CHECK:   return
module @inner {
  func.func @f(%a: i32) -> i32 {
    %0 = arith.addi %a, %a : i32
    %1 = arith.addi %a, %a : i32
    %2 = arith.muli %0, %1 : i32
    return %2 : i32
  }
}

// An operation of which nothing is known may be isolated: nothing from around it is used in its regions instead.
// CHECK-LABEL: func.func @in_unknown_operation
//       CHECK:   %[[A:.*]] = arith.constant 1 : i32
//       CHECK:   "foo.region"() ({
//  CHECK-NEXT:     %[[B:.*]] = arith.constant 1 : i32
//  CHECK-NEXT:     "foo.yield"(%[[B]], %[[B]])
//       CHECK:   return %[[A]], %[[A]]
func.func @in_unknown_operation() -> (i32, i32) {
  %a = arith.constant 1 : i32
  "foo.region"() ({
    %b = arith.constant 1 : i32
    %c = arith.constant 1 : i32
    "foo.yield"(%b, %c) : (i32, i32) -> ()
  }) : () -> ()
  %d = arith.constant 1 : i32
  return %a, %d : i32, i32
}
