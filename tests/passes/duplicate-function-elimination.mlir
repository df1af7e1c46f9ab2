// RUN: dl-opt %s --duplicate-function-elimination --split-input-file | FileCheck %s

// The first of equal functions stays, and is called instead of the others.
// CHECK-LABEL: func.func @first
// CHECK-NOT: @second
// CHECK-NOT: @third
func.func @first(%a: i32) -> i32 {
  %b = arith.addi %a, %a : i32
  return %b : i32
}

func.func @second(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}

func.func @third(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}

// CHECK-LABEL: func.func @caller
// CHECK: %[[F:.*]] = constant @first
// CHECK: call @first
func.func @caller(%a: i32) -> i32 {
  %f = constant @second : (i32) -> i32
  %b = call_indirect %f(%a) : (i32) -> i32
  %c = call @third(%b) : (i32) -> i32
  return %c : i32
}

// -----

// Other attributes, types, orders of operands, and declarations are different functions.
// CHECK: @public
// CHECK: @private
// CHECK: @wide
// CHECK: @minus
// CHECK: @declared
// CHECK: @also_declared
func.func @public(%a: i32, %b: i32) -> i32 {
  %c = arith.subi %a, %b : i32
  return %c : i32
}

func.func private @private(%a: i32, %b: i32) -> i32 {
  %c = arith.subi %a, %b : i32
  return %c : i32
}

func.func @wide(%a: i64, %b: i64) -> i64 {
  %c = arith.subi %a, %b : i64
  return %c : i64
}

func.func @minus(%a: i32, %b: i32) -> i32 {
  %c = arith.subi %b, %a : i32
  return %c : i32
}

func.func private @declared()
func.func private @also_declared()

// -----

// In a module of its own the same name is another function.
// CHECK-LABEL: func.func @f
// CHECK-NOT: func.func @g
// CHECK: module @inner
// CHECK: func.func @f
// CHECK: func.func @g
// CHECK: call @g
func.func @f() {
  return
}

func.func @g() {
  return
}

module @inner {
  func.func @f() -> i32 {
    %one = arith.constant 1 : i32
    return %one : i32
  }
  func.func @g() -> i32 {
    %two = arith.constant 2 : i32
    return %two : i32
  }
  func.func @caller() -> i32 {
    %a = call @g() : () -> i32
    return %a : i32
  }
}
