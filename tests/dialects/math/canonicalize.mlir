// RUN: dl-opt %s --canonicalize | FileCheck %s

// As exact as the host computes them.
// CHECK-LABEL: func.func @functions_of_constants(
//  CHECK-NEXT:   %[[CST:.*]] = arith.constant 1.500000e+00 : f32
//  CHECK-NEXT:   %[[CST_0:.*]] = arith.constant 2.000000e+00 : f64
//  CHECK-NEXT:   %[[CST_1:.*]] = arith.constant 2.250000e+00 : f32
//  CHECK-NEXT:   return %[[CST]], %[[CST_0]], %[[CST_1]] : f32, f64, f32
func.func @functions_of_constants() -> (f32, f64, f32) {
  %a = arith.constant 2.25 : f32
  %b = arith.constant 4.0 : f64
  %0 = math.sqrt %a : f32
  %1 = math.log2 %b : f64
  %2 = math.absf %a : f32
  return %0, %1, %2 : f32, f64, f32
}

// CHECK-LABEL: func.func @roundings(
//  CHECK-NEXT:   %[[CST:.*]] = arith.constant -3.000000e+00 : f32
//  CHECK-NEXT:   %[[CST_0:.*]] = arith.constant -2.000000e+00 : f32
//  CHECK-NEXT:   return %[[CST]], %[[CST_0]], %[[CST]], %[[CST_0]], %[[CST_0]] : f32, f32, f32, f32, f32
func.func @roundings() -> (f32, f32, f32, f32, f32) {
  %a = arith.constant -2.5 : f32
  %0 = math.floor %a : f32
  %1 = math.ceil %a : f32
  %2 = math.round %a : f32
  %3 = math.roundeven %a : f32
  %4 = math.trunc %a : f32
  return %0, %1, %2, %3, %4 : f32, f32, f32, f32, f32
}

// CHECK-LABEL: func.func @root_of_negative_stays(
//  CHECK-NEXT:   %[[CST:.*]] = arith.constant -2.500000e+00 : f32
//  CHECK-NEXT:   %[[V0:.*]] = math.sqrt %[[CST]] : f32
//  CHECK-NEXT:   %[[V1:.*]] = math.log %[[CST]] : f32
//  CHECK-NEXT:   return %[[V0]], %[[V1]] : f32, f32
func.func @root_of_negative_stays() -> (f32, f32) {
  %a = arith.constant -2.5 : f32
  %0 = math.sqrt %a : f32
  %1 = math.log %a : f32
  return %0, %1 : f32, f32
}

// The host does not compute in it.
// CHECK-LABEL: func.func @half_precision_stays(
//  CHECK-NEXT:   %[[CST:.*]] = arith.constant 2.000000e+00 : f16
//  CHECK-NEXT:   %[[V0:.*]] = math.exp2 %[[CST]] : f16
//  CHECK-NEXT:   return %[[V0]] : f16
func.func @half_precision_stays() -> f16 {
  %a = arith.constant 2.0 : f16
  %0 = math.exp2 %a : f16
  return %0 : f16
}

// CHECK-LABEL: func.func @bit_counts(
//  CHECK-NEXT:   %[[C4_I8:.*]] = arith.constant 4 : i8
//  CHECK-NEXT:   %[[C2_I8:.*]] = arith.constant 2 : i8
//  CHECK-NEXT:   return %[[C4_I8]], %[[C2_I8]], %[[C2_I8]] : i8, i8, i8
func.func @bit_counts() -> (i8, i8, i8) {
  %a = arith.constant 12 : i8
  %0 = math.ctlz %a : i8
  %1 = math.cttz %a : i8
  %2 = math.ctpop %a : i8
  return %0, %1, %2 : i8, i8, i8
}

// A negative power of 2 is less than one.
// CHECK-LABEL: func.func @integer_powers(
//  CHECK-NEXT:   %[[C27_I32:.*]] = arith.constant 27 : i32
//  CHECK-NEXT:   %[[C0_I32:.*]] = arith.constant 0 : i32
//  CHECK-NEXT:   %[[C1_I32:.*]] = arith.constant 1 : i32
//  CHECK-NEXT:   return %[[C27_I32]], %[[C0_I32]], %[[C1_I32]] : i32, i32, i32
func.func @integer_powers() -> (i32, i32, i32) {
  %a = arith.constant 3 : i32
  %b = arith.constant -2 : i32
  %m = arith.constant -1 : i32
  %0 = math.ipowi %a, %a : i32
  %1 = math.ipowi %a, %b : i32
  %2 = math.ipowi %m, %b : i32
  return %0, %1, %2 : i32, i32, i32
}

// CHECK-LABEL: func.func @classification(
//  CHECK-NEXT:   %[[TRUE:.*]] = arith.constant true
//  CHECK-NEXT:   %[[FALSE:.*]] = arith.constant false
//  CHECK-NEXT:   return %[[TRUE]], %[[FALSE]], %[[FALSE]] : i1, i1, i1
func.func @classification() -> (i1, i1, i1) {
  %a = arith.constant 0x7F800000 : f32
  %0 = math.isinf %a : f32
  %1 = math.isnan %a : f32
  %2 = math.isfinite %a : f32
  return %0, %1, %2 : i1, i1, i1
}

// CHECK-LABEL: func.func @element_by_element(
//  CHECK-NEXT:   %[[CST:.*]] = arith.constant dense<[2.000000e+00, 3.000000e+00]> : vector<2xf32>
//  CHECK-NEXT:   return %[[CST]] : vector<2xf32>
func.func @element_by_element() -> vector<2xf32> {
  %a = arith.constant dense<[4.0, 9.0]> : vector<2xf32>
  %0 = math.sqrt %a : vector<2xf32>
  return %0 : vector<2xf32>
}
