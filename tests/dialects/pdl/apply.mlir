// RUN: dl-opt %s --apply-pdl=%S/Inputs/rules.mlir | FileCheck %s
// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(apply-pdl{file=%S/Inputs/rules.mlir}))' | FileCheck %s

func.func private @old(i32, f32) -> (i32, f32)
func.func private @new(i32, f32) -> (i32, f32)

// CHECK-LABEL: func.func @sub_self
func.func @sub_self(%x: i32, %y: i32, %z: i64) -> (i32, i32, i64) {
  // CHECK: %[[ZERO:[a-z0-9_]+]] = arith.constant 0 : i32
  // CHECK: %[[SUB:[a-z0-9_]+]] = arith.subi %{{.*}}, %{{.*}} : i32
  // CHECK: %[[WIDE:[a-z0-9_]+]] = arith.addi %{{.*}} : i64
  // CHECK: return %[[ZERO]], %[[SUB]], %[[WIDE]]
  %a = arith.subi %x, %x : i32
  %b = arith.subi %x, %y : i32
  %c = arith.addi %z, %z : i64
  return %a, %b, %c : i32, i32, i64
}

// The sum of the first is taken apart; in the second, another operand is subtracted.
// CHECK-LABEL: func.func @sub_of_add
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: i64
func.func @sub_of_add(%x: i64, %y: i64, %z: i64) -> (i64, i64) {
  // CHECK: %[[OTHER:[a-z0-9_]+]] = arith.subi
  // CHECK: return %[[X]], %[[OTHER]]
  %sum = arith.addi %x, %y : i64
  %a = arith.subi %sum, %y : i64
  %b = arith.subi %sum, %z : i64
  return %a, %b : i64, i64
}

// CHECK-LABEL: func.func @mul
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: index, %[[Y:[a-z0-9]+]]: index
func.func @mul(%x: index, %y: index) -> (index, index) {
  // CHECK: arith.muli %[[Y]], %[[X]] : index
  // CHECK: arith.muli %[[X]], %[[Y]] overflow<nuw> : index
  %a = arith.muli %x, %y overflow<nsw> : index
  %b = arith.muli %x, %y overflow<nuw> : index
  return %a, %b : index, index
}

// CHECK-LABEL: func.func @call
func.func @call(%x: i32, %y: f32) -> (i32, f32) {
  // CHECK: %[[C:[a-z0-9_]+]]:2 = call @new(%{{.*}}, %{{.*}}) : (i32, f32) -> (i32, f32)
  // CHECK: return %[[C]]#0, %[[C]]#1
  %0:2 = func.call @old(%x, %y) : (i32, f32) -> (i32, f32)
  return %0#0, %0#1 : i32, f32
}
