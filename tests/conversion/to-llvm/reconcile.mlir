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

// Casts that only use each other go. One that would be replaced by itself, or by another result of its own, stays.
// CHECK-LABEL: func.func @cycles
func.func @cycles(%a: i32) {
  // CHECK:      test.graph_region {
  // CHECK-NEXT:   %[[B:.*]] = builtin.unrealized_conversion_cast %[[C:.*]] : i32 to i16
  // CHECK-NEXT:   %[[C]] = builtin.unrealized_conversion_cast %[[B]] : i16 to i32
  // CHECK-NEXT:   "test.use"(%[[C]])
  // CHECK-NEXT:   %[[D:.*]]:2 = builtin.unrealized_conversion_cast %{{.*}}, %[[D]]#1 : i32, i32 to i32, i32
  // CHECK-NEXT:   "test.use"(%[[D]]#0)
  // CHECK-NEXT: }
  test.graph_region {
    %0 = builtin.unrealized_conversion_cast %1 : i32 to i64
    %1 = builtin.unrealized_conversion_cast %0 : i64 to i32
    %b = builtin.unrealized_conversion_cast %c : i32 to i16
    %c = builtin.unrealized_conversion_cast %b : i16 to i32
    "test.use"(%c) : (i32) -> ()
    %d:2 = builtin.unrealized_conversion_cast %a, %d#1 : i32, i32 to i32, i32
    "test.use"(%d#0) : (i32) -> ()
  }
  return
}

// A cast of a value of a cycle.
// CHECK-LABEL: func.func @behind_a_cycle
func.func @behind_a_cycle() {
  // CHECK:      test.graph_region {
  // CHECK-NEXT: }
  test.graph_region {
    %0 = builtin.unrealized_conversion_cast %1 : i32 to i64
    %1 = builtin.unrealized_conversion_cast %0 : i64 to i32
    %2 = builtin.unrealized_conversion_cast %1 : i32 to i8
  }
  return
}
