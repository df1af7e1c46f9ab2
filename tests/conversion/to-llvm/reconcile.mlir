// RUN: dl-opt %s --reconcile-unrealized-casts | FileCheck %s

// CHECK-LABEL: func.func @there_and_back
//  CHECK-SAME:   (%[[A:.*]]: index)
func.func @there_and_back(%a: index) -> index {
  // CHECK-NEXT: return %[[A]]
  %0 = builtin.unrealized_conversion_cast %a : index to i64
  %1 = builtin.unrealized_conversion_cast %0 : i64 to index
  return %1 : index
}

// CHECK-LABEL: func.func @longer_way
//  CHECK-SAME:   (%[[A:.*]]: index)
func.func @longer_way(%a: index) -> index {
  // CHECK-NEXT: return %[[A]]
  %0 = builtin.unrealized_conversion_cast %a : index to i64
  %1 = builtin.unrealized_conversion_cast %0 : i64 to i32
  %2 = builtin.unrealized_conversion_cast %1 : i32 to index
  return %2 : index
}

// CHECK-LABEL: func.func @unused
func.func @unused(%a: index) {
  // CHECK-NEXT: return
  %0 = builtin.unrealized_conversion_cast %a : index to i64
  return
}

// CHECK-LABEL: func.func @several_values
//  CHECK-SAME:   (%[[A:.*]]: i32, %[[B:.*]]: i32)
func.func @several_values(%a: i32, %b: i32) -> (i32, i32) {
  // CHECK-NEXT: return %[[A]], %[[B]]
  %0 = builtin.unrealized_conversion_cast %a, %b : i32, i32 to i64
  %1:2 = builtin.unrealized_conversion_cast %0 : i64 to i32, i32
  return %1#0, %1#1 : i32, i32
}

// What no other cast undoes stays.
// CHECK-LABEL: func.func @needed
func.func @needed(%a: index) -> i64 {
  // CHECK-NEXT: builtin.unrealized_conversion_cast
  %0 = builtin.unrealized_conversion_cast %a : index to i64
  return %0 : i64
}
