// RUN: dl-opt %s --convert-posit-to-arith | FileCheck %s --implicit-check-not=posit

// CHECK-LABEL: @signature
// CHECK-SAME: (%[[X:[a-z0-9]+]]: i8, %[[Y:[a-z0-9]+]]: i8) -> (i8, i1)
func.func @signature(%x: !posit.p<8>, %y: !posit.p<8>) -> (!posit.p<8>, i1) {
  // CHECK: %[[ZERO:[a-z0-9_]+]] = arith.constant 0 : i8
  // CHECK: %[[NEG:[a-z0-9]+]] = arith.subi %[[ZERO]], %[[X]] : i8
  %0 = posit.neg %x : !posit.p<8>
  // CHECK: %[[LESS:[a-z0-9]+]] = arith.cmpi slt, %[[NEG]], %[[Y]] : i8
  %1 = posit.less %0, %y : !posit.p<8>
  // CHECK: return %[[NEG]], %[[LESS]] : i8, i1
  return %0, %1 : !posit.p<8>, i1
}

// 1.0 is encoded as 0b01000000, -1.0 as its opposite.
// CHECK-LABEL: @constants
func.func @constants() -> (i8, i16) {
  // CHECK-DAG: arith.constant 64 : i8
  %0 = posit.constant 1.0 : !posit.p<8>
  // CHECK-DAG: arith.constant -16384 : i16
  %1 = posit.constant -1.0 : !posit.p<16>
  %2 = posit.to_bits %0 : !posit.p<8> -> i8
  %3 = posit.to_bits %1 : !posit.p<16> -> i16
  return %2, %3 : i8, i16
}

// CHECK-LABEL: @calls
func.func @calls(%x: !posit.p<8>) -> i1 {
  // CHECK: call @signature(%{{.*}}, %{{.*}}) : (i8, i8) -> (i8, i1)
  %0:2 = func.call @signature(%x, %x) : (!posit.p<8>, !posit.p<8>) -> (!posit.p<8>, i1)
  return %0#1 : i1
}
