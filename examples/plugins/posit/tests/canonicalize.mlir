// RUN: dl-opt %s --canonicalize | FileCheck %s

// Posits of 8 bits near 1 are 1/8 apart: 1.3 is nearest to 1.25. The values are those of the standard's table.
// CHECK-LABEL: @rounded
func.func @rounded() -> (!posit.p<8>, !posit.p<8>, !posit.p<8>) {
  %one = posit.constant 1.0 : !posit.p<8>
  // CHECK-DAG: posit.constant 1.250000e+00 : !posit.p<8>
  %a = posit.constant 1.3 : !posit.p<8>
  %0 = posit.mul %a, %one : !posit.p<8>
  // The largest, 2 to the power of 24.
  // CHECK-DAG: posit.constant {{1.6777216E\+7|0x4170000000000000}} : !posit.p<8>
  %b = posit.constant 1.0e30 : !posit.p<8>
  %1 = posit.mul %b, %one : !posit.p<8>
  // The least that is not zero, 2 to the power of -24.
  // CHECK-DAG: posit.constant {{5.9604644775390625E-8|0x3E70000000000000}} : !posit.p<8>
  %c = posit.constant 1.0e-30 : !posit.p<8>
  %2 = posit.mul %c, %one : !posit.p<8>
  return %0, %1, %2 : !posit.p<8>, !posit.p<8>, !posit.p<8>
}

// CHECK-LABEL: @arithmetic
func.func @arithmetic() -> (!posit.p<16>, !posit.p<16>) {
  %a = posit.constant 1.5 : !posit.p<16>
  %b = posit.constant 0.25 : !posit.p<16>
  %0 = posit.add %a, %b : !posit.p<16>
  // CHECK-DAG: posit.constant 1.750000e+00 : !posit.p<16>
  %1 = posit.div %a, %b : !posit.p<16>
  // CHECK-DAG: posit.constant 6.000000e+00 : !posit.p<16>
  return %0, %1 : !posit.p<16>, !posit.p<16>
}

// CHECK-LABEL: @opposites
// CHECK-SAME: (%[[X:[a-z0-9]+]]: !posit.p<8>, %[[Y:[a-z0-9]+]]: !posit.p<8>)
func.func @opposites(%x: !posit.p<8>, %y: !posit.p<8>) -> (!posit.p<8>, !posit.p<8>) {
  %0 = posit.neg %x : !posit.p<8>
  %1 = posit.neg %0 : !posit.p<8>
  %2 = posit.neg %y : !posit.p<8>
  %3 = posit.sub %x, %2 : !posit.p<8>
  // CHECK-NEXT: %[[SUM:[a-z0-9]+]] = posit.add %[[X]], %[[Y]]
  // CHECK-NEXT: return %[[X]], %[[SUM]]
  return %1, %3 : !posit.p<8>, !posit.p<8>
}

// A difference of equal numbers is not zero where they are not real.
// CHECK-LABEL: @difference
func.func @difference(%x: !posit.p<8>) -> !posit.p<8> {
  // CHECK: posit.sub
  %0 = posit.sub %x, %x : !posit.p<8>
  return %0 : !posit.p<8>
}
