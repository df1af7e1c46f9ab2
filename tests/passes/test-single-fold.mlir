// RUN: dl-opt %s --test-single-fold --split-input-file | FileCheck %s
// RUN: dl-opt %s --test-single-fold=max-iterations=2 --split-input-file | FileCheck %s --check-prefix=TWICE

// Each operation once, and constants at the start, those that are used first first.
// CHECK-LABEL: func.func @constants
//  CHECK-NEXT:   %[[FIVE:.*]] = arith.constant 5 : i32
//  CHECK-NEXT:   %[[SIX:.*]] = arith.constant 6 : i32
//  CHECK-NEXT:   return %[[FIVE]], %[[SIX]], %[[FIVE]]
func.func @constants() -> (i32, i32, i32) {
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %0 = arith.addi %c2, %c3 : i32
  %1 = arith.muli %c2, %c3 : i32
  %2 = arith.addi %c3, %c2 : i32
  return %0, %1, %2 : i32, i32, i32
}

// -----

// What a fold finds out, the next one does not see.
// CHECK-LABEL: func.func @one_after_the_other
//       CHECK:   %[[SUM:.*]] = arith.addi
//       CHECK:   return %[[SUM]]
func.func @one_after_the_other(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.addi %c0, %c1 : i32
  %0 = arith.addi %x, %one : i32
  return %0 : i32
}

// -----

// A constant that is only moved to the right is one fold.
// CHECK-LABEL: func.func @moved
//  CHECK-SAME:   %[[X:.*]]: i32
//       CHECK:   %[[C:.*]] = arith.constant 0
//       CHECK:   %[[SUM:.*]] = arith.addi %[[X]], %[[C]]
//       CHECK:   return %[[SUM]]
// TWICE-LABEL: func.func @moved
//  TWICE-SAME:   %[[X:.*]]: i32
//       TWICE:   return %[[X]]
func.func @moved(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %0 = arith.addi %c0, %x : i32
  return %0 : i32
}

// -----

// What another dialect asks for is the same constant.
// CHECK-LABEL: func.func @dialects
//  CHECK-NEXT:   %[[C:.*]] = arith.constant 4 : index
//  CHECK-NEXT:   return %[[C]], %[[C]]
func.func @dialects() -> (index, index) {
  %c2 = arith.constant 2 : index
  %0 = arith.addi %c2, %c2 : index
  %1 = affine.apply affine_map<(d0) -> (d0 + 2)>(%c2)
  return %0, %1 : index, index
}

// -----

// CHECK-LABEL: func.func @undefined
//  CHECK-NEXT:   %[[P:.*]] = ub.poison : index
//  CHECK-NEXT:   return %[[P]], %[[P]]
func.func @undefined() -> (index, index) {
  %c2 = arith.constant 2 : index
  %0 = affine.apply affine_map<(d0) -> (d0 mod 0)>(%c2)
  %1 = affine.apply affine_map<(d0) -> (d0 floordiv 0 + 1)>(%c2)
  return %0, %1 : index, index
}
