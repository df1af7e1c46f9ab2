// RUN: dl-opt %s --canonicalize | FileCheck %s

// Where results could differ, nothing is rewritten, or without the flag that would not hold.

// For %x = 1 there is no overflow: 1 - 2 - 1 is -2. But 1 + 1 overflows two bits.
// CHECK-LABEL: func.func @sum_of_constants_overflows
//  CHECK-SAME:   (%[[X:.*]]: i2)
func.func @sum_of_constants_overflows(%x: i2) -> i2 {
  // CHECK: %[[R:.*]] = arith.addi %[[X]], %{{.*}} : i2
  // CHECK: return %[[R]]
  %c-1 = arith.constant -1 : i2
  %c-2 = arith.constant -2 : i2
  %0 = arith.addi %x, %c-2 overflow<nsw> : i2
  %1 = arith.addi %0, %c-1 overflow<nsw> : i2
  return %1 : i2
}

// 10 + 5 - 7 is 8, but as an unsigned number 5 - 7 is large.
// CHECK-LABEL: func.func @difference_of_constants_wraps
func.func @difference_of_constants_wraps(%x: i8) -> i8 {
  // CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i8
  %c5 = arith.constant 5 : i8
  %c7 = arith.constant 7 : i8
  %0 = arith.addi %x, %c5 overflow<nsw, nuw> : i8
  %1 = arith.subi %0, %c7 overflow<nsw, nuw> : i8
  return %1 : i8
}

// -1 * 64 * 2 is -128, but 64 * 2 is no signed number of eight bits.
// CHECK-LABEL: func.func @product_of_constants_overflows
func.func @product_of_constants_overflows(%x: i8) -> i8 {
  // CHECK: arith.muli %{{.*}}, %{{.*}} : i8
  %c64 = arith.constant 64 : i8
  %c2 = arith.constant 2 : i8
  %0 = arith.muli %x, %c64 overflow<nsw> : i8
  %1 = arith.muli %0, %c2 overflow<nsw> : i8
  return %1 : i8
}

// From 64 bits to f64 and on to f32 rounds twice. Upstream rounds once.
// CHECK-LABEL: func.func @rounded_twice
func.func @rounded_twice(%x: i64) -> f32 {
  // CHECK: arith.truncf
  %0 = arith.sitofp %x : i64 to f64
  %1 = arith.truncf %0 : f64 to f32
  return %1 : f32
}

// f16 has not all powers of two of f8E8M0FNU.
// CHECK-LABEL: func.func @extension_is_not_exact
func.func @extension_is_not_exact(%x: f8E8M0FNU) -> f4E2M1FN {
  // CHECK: arith.extf
  %0 = arith.extf %x : f8E8M0FNU to f16
  %1 = arith.truncf %0 : f16 to f4E2M1FN
  return %1 : f4E2M1FN
}

// That 16 bits lose nothing as they become 8 says nothing of the 64 that they come from. What both truncations lose nothing of, one does not.
// CHECK-LABEL: func.func @truncated_twice
//  CHECK-SAME:   (%[[X:.*]]: i64)
func.func @truncated_twice(%x: i64) -> (i8, i8, i8) {
  // CHECK-NEXT: %[[A:.*]] = arith.trunci %[[X]] : i64 to i8
  // CHECK-NEXT: %[[B:.*]] = arith.trunci %[[X]] overflow<nuw> : i64 to i8
  // CHECK-NEXT: %[[C:.*]] = arith.trunci %[[X]] : i64 to i8
  // CHECK-NEXT: return %[[A]], %[[B]], %[[C]]
  %0 = arith.trunci %x : i64 to i16
  %1 = arith.trunci %x overflow<nuw, nsw> : i64 to i16
  %a = arith.trunci %0 overflow<nuw> : i16 to i8
  %b = arith.trunci %1 overflow<nuw> : i16 to i8
  %c = arith.trunci %1 : i16 to i8
  return %a, %b, %c : i8, i8, i8
}
