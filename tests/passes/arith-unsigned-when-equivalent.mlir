// RUN: dl-opt %s --arith-unsigned-when-equivalent | FileCheck %s

// CHECK-LABEL: func.func @natural
func.func @natural(%x: i32, %y: i32) -> (i32, i32, i1, i64) {
  // CHECK: arith.divui
  // CHECK: arith.maxui
  // CHECK: arith.cmpi ult
  // CHECK: arith.extui
  %c1 = arith.constant 1 : i32
  %c15 = arith.constant 15 : i32
  %a = arith.andi %x, %c15 : i32
  %low = arith.andi %y, %c15 : i32
  %b = arith.ori %low, %c1 : i32
  %d = arith.divsi %a, %b : i32
  %m = arith.maxsi %a, %b : i32
  %l = arith.cmpi slt, %a, %b : i32
  %e = arith.extsi %a : i32 to i64
  return %d, %m, %l, %e : i32, i32, i1, i64
}

// CHECK-LABEL: func.func @any
func.func @any(%x: i32, %y: i32) -> (i32, i1) {
  // CHECK: arith.divsi
  // CHECK: arith.cmpi slt
  %d = arith.divsi %x, %y : i32
  %l = arith.cmpi slt, %x, %y : i32
  return %d, %l : i32, i1
}
