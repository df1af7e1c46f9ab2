// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(canonicalize))' | FileCheck %s

// CHECK-LABEL: func.func @call_of_constant
//  CHECK-SAME:   (%[[A:.*]]: i32)
func.func @call_of_constant(%a: i32) -> i32 {
  // CHECK-NEXT: %[[R:.*]] = call @call_of_constant(%[[A]]) : (i32) -> i32
  // CHECK-NEXT: return %[[R]]
  %f = func.constant @call_of_constant : (i32) -> i32
  %r = call_indirect %f(%a) : (i32) -> i32
  return %r : i32
}

// CHECK-LABEL: func.func @call_of_value
//  CHECK-SAME:   (%[[F:.*]]: (i32) -> i32, %[[A:.*]]: i32)
func.func @call_of_value(%f: (i32) -> i32, %a: i32) -> i32 {
  // CHECK-NEXT: call_indirect %[[F]](%[[A]])
  %r = call_indirect %f(%a) : (i32) -> i32
  return %r : i32
}
