// Roundings and leading zeros of numbers at which they change: what is expected is known from their definition.

// RUN: dl-opt %s --math-expand-ops --canonicalize | FileCheck %s

// -2.5, -0.5, 0.49999997, 2.5, 8388609, 3.0e38
// CHECK-LABEL: func.func @ceil
// CHECK: arith.constant dense<[-2.000000e+00, -0.000000e+00, 1.000000e+00, 3.000000e+00, 0x4B000001, 3.000000e+38]>
func.func @ceil() -> vector<6xf32> {
  %x = arith.constant dense<[-2.5, -0.5, 0.49999997, 2.5, 8388609.0, 3.0e38]> : vector<6xf32>
  %0 = math.ceil %x : vector<6xf32>
  return %0 : vector<6xf32>
}

// CHECK-LABEL: func.func @round
// CHECK: arith.constant dense<[-3.000000e+00, -1.000000e+00, 0.000000e+00, 3.000000e+00, 0x4B000001, 3.000000e+38]>
func.func @round() -> vector<6xf32> {
  %x = arith.constant dense<[-2.5, -0.5, 0.49999997, 2.5, 8388609.0, 3.0e38]> : vector<6xf32>
  %0 = math.round %x : vector<6xf32>
  return %0 : vector<6xf32>
}

// CHECK-LABEL: func.func @roundeven
// CHECK: arith.constant dense<[-2.000000e+00, -0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, 0x7E00]>
func.func @roundeven() -> vector<6xf16> {
  %x = arith.constant dense<[-2.5, -0.5, 0.5, 2.5, 3.5, 0x7E00]> : vector<6xf16>
  %0 = math.roundeven %x : vector<6xf16>
  return %0 : vector<6xf16>
}

// CHECK-LABEL: func.func @ctlz
// CHECK-DAG: arith.constant dense<[8, 7, 4, 3, 1, 0]> : vector<6xi8>
// CHECK-DAG: arith.constant dense<[7, 6, 1, 0]> : vector<4xi7>
func.func @ctlz() -> (vector<6xi8>, vector<4xi7>) {
  %x = arith.constant dense<[0, 1, 15, 16, 127, -1]> : vector<6xi8>
  %y = arith.constant dense<[0, 1, 63, -1]> : vector<4xi7>
  %0 = math.ctlz %x : vector<6xi8>
  %1 = math.ctlz %y : vector<4xi7>
  return %0, %1 : vector<6xi8>, vector<4xi7>
}
