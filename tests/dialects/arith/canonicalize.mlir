// RUN: dl-opt %s --canonicalize | FileCheck %s

// Adding zero.
// CHECK-LABEL: func.func @addi_of_zero_is_the_other(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i32
//  CHECK-NEXT:   return %[[ARG0]] : i32
func.func @addi_of_zero_is_the_other(%x: i32) -> i32 {
  %c = arith.constant 0 : i32
  %0 = arith.addi %x, %c : i32
  return %0 : i32
}

// (x - y) + y = x.
// CHECK-LABEL: func.func @addi_undoes_subi(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i32, %[[ARG1:[a-z0-9]+]]: i32
//  CHECK-NEXT:   return %[[ARG0]] : i32
func.func @addi_undoes_subi(%x: i32, %y: i32) -> i32 {
  %0 = arith.subi %x, %y : i32
  %1 = arith.addi %0, %y : i32
  return %1 : i32
}

// Both additions do not wrap in the signed sense, so neither does their sum.
// CHECK-LABEL: func.func @constants_of_a_chain_are_joined(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i32
//  CHECK-NEXT:   %[[C12_I32:.*]] = arith.constant 12 : i32
//  CHECK-NEXT:   %[[V0:.*]] = arith.addi %[[ARG0]], %[[C12_I32]] overflow<nsw> : i32
//  CHECK-NEXT:   return %[[V0]] : i32
func.func @constants_of_a_chain_are_joined(%x: i32) -> i32 {
  %c5 = arith.constant 5 : i32
  %c7 = arith.constant 7 : i32
  %0 = arith.addi %x, %c5 overflow<nsw> : i32
  %1 = arith.addi %0, %c7 overflow<nsw, nuw> : i32
  return %1 : i32
}

// 7 - (5 - x) = x + 2.
// CHECK-LABEL: func.func @constants_of_a_difference_are_joined(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i32
//  CHECK-NEXT:   %[[C2_I32:.*]] = arith.constant 2 : i32
//  CHECK-NEXT:   %[[V0:.*]] = arith.addi %[[ARG0]], %[[C2_I32]] : i32
//  CHECK-NEXT:   return %[[V0]] : i32
func.func @constants_of_a_difference_are_joined(%x: i32) -> i32 {
  %c5 = arith.constant 5 : i32
  %c7 = arith.constant 7 : i32
  %0 = arith.subi %c5, %x : i32
  %1 = arith.subi %c7, %0 : i32
  return %1 : i32
}

// Only scalars are joined.
// CHECK-LABEL: func.func @constants_of_a_vector_chain_stay(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: vector<2xi32>
//  CHECK-NEXT:   %[[CST:.*]] = arith.constant dense<[1, 2]> : vector<2xi32>
//  CHECK-NEXT:   %[[CST_0:.*]] = arith.constant dense<3> : vector<2xi32>
//  CHECK-NEXT:   %[[V0:.*]] = arith.addi %[[ARG0]], %[[CST]] : vector<2xi32>
//  CHECK-NEXT:   %[[V1:.*]] = arith.addi %[[V0]], %[[CST_0]] : vector<2xi32>
//  CHECK-NEXT:   return %[[V1]] : vector<2xi32>
func.func @constants_of_a_vector_chain_stay(%x: vector<2xi32>) -> vector<2xi32> {
  %c = arith.constant dense<[1, 2]> : vector<2xi32>
  %d = arith.constant dense<3> : vector<2xi32>
  %0 = arith.addi %x, %c : vector<2xi32>
  %1 = arith.addi %0, %d : vector<2xi32>
  return %1 : vector<2xi32>
}

// x + y * -1 = x - y.
// CHECK-LABEL: func.func @sum_with_negated_is_difference(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i32, %[[ARG1:[a-z0-9]+]]: i32
//  CHECK-NEXT:   %[[V0:.*]] = arith.subi %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   return %[[V0]] : i32
func.func @sum_with_negated_is_difference(%x: i32, %y: i32) -> i32 {
  %c = arith.constant -1 : i32
  %0 = arith.muli %y, %c : i32
  %1 = arith.addi %x, %0 : i32
  return %1 : i32
}

// The product does not wrap.
// CHECK-LABEL: func.func @quotient_of_exact_product(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i32, %[[ARG1:[a-z0-9]+]]: i32
//  CHECK-NEXT:   return %[[ARG0]] : i32
func.func @quotient_of_exact_product(%x: i32, %y: i32) -> i32 {
  %0 = arith.muli %x, %y overflow<nuw> : i32
  %1 = arith.divui %0, %y : i32
  return %1 : i32
}

// CHECK-LABEL: func.func @quotient_of_wrapping_product_stays(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i32, %[[ARG1:[a-z0-9]+]]: i32
//  CHECK-NEXT:   %[[V0:.*]] = arith.muli %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   %[[V1:.*]] = arith.divui %[[V0]], %[[ARG1]] : i32
//  CHECK-NEXT:   return %[[V1]] : i32
func.func @quotient_of_wrapping_product_stays(%x: i32, %y: i32) -> i32 {
  %0 = arith.muli %x, %y : i32
  %1 = arith.divui %0, %y : i32
  return %1 : i32
}

// It has no value.
// CHECK-LABEL: func.func @division_by_zero_stays(
//  CHECK-NEXT:   %[[C7_I32:.*]] = arith.constant 7 : i32
//  CHECK-NEXT:   %[[C0_I32:.*]] = arith.constant 0 : i32
//  CHECK-NEXT:   %[[V0:.*]] = arith.divsi %[[C7_I32]], %[[C0_I32]] : i32
//  CHECK-NEXT:   return %[[V0]] : i32
func.func @division_by_zero_stays() -> i32 {
  %c = arith.constant 7 : i32
  %z = arith.constant 0 : i32
  %0 = arith.divsi %c, %z : i32
  return %0 : i32
}

// The quotient does not fit.
// CHECK-LABEL: func.func @overflowing_division_stays(
//  CHECK-NEXT:   %[[C_128_I8:.*]] = arith.constant -128 : i8
//  CHECK-NEXT:   %[[C_1_I8:.*]] = arith.constant -1 : i8
//  CHECK-NEXT:   %[[V0:.*]] = arith.divsi %[[C_128_I8]], %[[C_1_I8]] : i8
//  CHECK-NEXT:   return %[[V0]] : i8
func.func @overflowing_division_stays() -> i8 {
  %c = arith.constant -128 : i8
  %z = arith.constant -1 : i8
  %0 = arith.divsi %c, %z : i8
  return %0 : i8
}

// CHECK-LABEL: func.func @divisions_of_constants(
//  CHECK-NEXT:   %[[C_3_I32:.*]] = arith.constant -3 : i32
//  CHECK-NEXT:   %[[C_4_I32:.*]] = arith.constant -4 : i32
//  CHECK-NEXT:   %[[C_1_I32:.*]] = arith.constant -1 : i32
//  CHECK-NEXT:   %[[C2147483644_I32:.*]] = arith.constant 2147483644 : i32
//  CHECK-NEXT:   return %[[C_3_I32]], %[[C_4_I32]], %[[C_1_I32]], %[[C2147483644_I32]] : i32, i32, i32, i32
func.func @divisions_of_constants() -> (i32, i32, i32, i32) {
  %c = arith.constant -7 : i32
  %z = arith.constant 2 : i32
  %0 = arith.divsi %c, %z : i32
  %1 = arith.floordivsi %c, %z : i32
  %2 = arith.remsi %c, %z : i32
  %3 = arith.divui %c, %z : i32
  return %0, %1, %2, %3 : i32, i32, i32, i32
}

// CHECK-LABEL: func.func @quotient_rounded_up(
//  CHECK-NEXT:   %[[C_3_I32:.*]] = arith.constant -3 : i32
//  CHECK-NEXT:   %[[C4_I32:.*]] = arith.constant 4 : i32
//  CHECK-NEXT:   return %[[C_3_I32]], %[[C4_I32]] : i32, i32
func.func @quotient_rounded_up() -> (i32, i32) {
  %c = arith.constant -7 : i32
  %d = arith.constant 7 : i32
  %z = arith.constant 2 : i32
  %0 = arith.ceildivsi %c, %z : i32
  %1 = arith.ceildivui %d, %z : i32
  return %0, %1 : i32, i32
}

// CHECK-LABEL: func.func @shift_by_width_stays(
//  CHECK-NEXT:   %[[C1_I32:.*]] = arith.constant 1 : i32
//  CHECK-NEXT:   %[[C32_I32:.*]] = arith.constant 32 : i32
//  CHECK-NEXT:   %[[V0:.*]] = arith.shli %[[C1_I32]], %[[C32_I32]] : i32
//  CHECK-NEXT:   return %[[V0]] : i32
func.func @shift_by_width_stays() -> i32 {
  %c = arith.constant 1 : i32
  %z = arith.constant 32 : i32
  %0 = arith.shli %c, %z : i32
  return %0 : i32
}

// CHECK-LABEL: func.func @shifts_of_constants(
//  CHECK-NEXT:   %[[C_64_I8:.*]] = arith.constant -64 : i8
//  CHECK-NEXT:   %[[C60_I8:.*]] = arith.constant 60 : i8
//  CHECK-NEXT:   %[[C_4_I8:.*]] = arith.constant -4 : i8
//  CHECK-NEXT:   return %[[C_64_I8]], %[[C60_I8]], %[[C_4_I8]] : i8, i8, i8
func.func @shifts_of_constants() -> (i8, i8, i8) {
  %c = arith.constant -16 : i8
  %z = arith.constant 2 : i8
  %0 = arith.shli %c, %z : i8
  %1 = arith.shrui %c, %z : i8
  %2 = arith.shrsi %c, %z : i8
  return %0, %1, %2 : i8, i8, i8
}

// Exact beyond 64 bits.
// CHECK-LABEL: func.func @wide_integers(
//  CHECK-NEXT:   %[[C_55340232221128654848_I128:.*]] = arith.constant -55340232221128654848 : i128
//  CHECK-NEXT:   %[[C18446744073709551616_I128:.*]] = arith.constant 18446744073709551616 : i128
//  CHECK-NEXT:   return %[[C_55340232221128654848_I128]], %[[C18446744073709551616_I128]] : i128, i128
func.func @wide_integers() -> (i128, i128) {
  %c = arith.constant 18446744073709551616 : i128
  %z = arith.constant -3 : i128
  %0 = arith.muli %c, %z : i128
  %1 = arith.divsi %0, %z : i128
  return %0, %1 : i128, i128
}

// CHECK-LABEL: func.func @carry_of_constants(
//  CHECK-NEXT:   %[[C1_I8:.*]] = arith.constant 1 : i8
//  CHECK-NEXT:   %[[TRUE:.*]] = arith.constant true
//  CHECK-NEXT:   return %[[C1_I8]], %[[TRUE]] : i8, i1
func.func @carry_of_constants() -> (i8, i1) {
  %a = arith.constant -1 : i8
  %b = arith.constant 2 : i8
  %0, %1 = arith.addui_extended %a, %b : i8, i1
  return %0, %1 : i8, i1
}

// CHECK-LABEL: func.func @carry_unused(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i8, %[[ARG1:[a-z0-9]+]]: i8
//  CHECK-NEXT:   %[[V0:.*]] = arith.addi %[[ARG0]], %[[ARG1]] : i8
//  CHECK-NEXT:   return %[[V0]] : i8
func.func @carry_unused(%x: i8, %y: i8) -> i8 {
  %0, %1 = arith.addui_extended %x, %y : i8, i1
  return %0 : i8
}

// CHECK-LABEL: func.func @high_halves_of_constants(
//  CHECK-NEXT:   %[[C_100_I8:.*]] = arith.constant -100 : i8
//  CHECK-NEXT:   %[[C_1_I8:.*]] = arith.constant -1 : i8
//  CHECK-NEXT:   %[[C99_I8:.*]] = arith.constant 99 : i8
//  CHECK-NEXT:   return %[[C_100_I8]], %[[C_1_I8]], %[[C_100_I8]], %[[C99_I8]] : i8, i8, i8, i8
func.func @high_halves_of_constants() -> (i8, i8, i8, i8) {
  %a = arith.constant -1 : i8
  %b = arith.constant 100 : i8
  %0, %1 = arith.mulsi_extended %a, %b : i8
  %2, %3 = arith.mului_extended %a, %b : i8
  return %0, %1, %2, %3 : i8, i8, i8, i8
}

// CHECK-LABEL: func.func @and_with_complement(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i32
//  CHECK-NEXT:   %[[C0_I32:.*]] = arith.constant 0 : i32
//  CHECK-NEXT:   return %[[C0_I32]] : i32
func.func @and_with_complement(%x: i32) -> i32 {
  %m = arith.constant -1 : i32
  %n = arith.xori %x, %m : i32
  %0 = arith.andi %x, %n : i32
  return %0 : i32
}

// CHECK-LABEL: func.func @or_with_complement(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i32
//  CHECK-NEXT:   %[[C_1_I32:.*]] = arith.constant -1 : i32
//  CHECK-NEXT:   return %[[C_1_I32]] : i32
func.func @or_with_complement(%x: i32) -> i32 {
  %m = arith.constant -1 : i32
  %n = arith.xori %x, %m : i32
  %0 = arith.ori %n, %x : i32
  return %0 : i32
}

// not (x < y) = x >= y.
// CHECK-LABEL: func.func @not_of_comparison(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i32, %[[ARG1:[a-z0-9]+]]: i32
//  CHECK-NEXT:   %[[V0:.*]] = arith.cmpi sge, %[[ARG0]], %[[ARG1]] : i32
//  CHECK-NEXT:   return %[[V0]] : i1
func.func @not_of_comparison(%x: i32, %y: i32) -> i1 {
  %t = arith.constant true
  %0 = arith.cmpi slt, %x, %y : i32
  %1 = arith.xori %0, %t : i1
  return %1 : i1
}

// CHECK-LABEL: func.func @constant_of_comparison_goes_right(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i32
//  CHECK-NEXT:   %[[C5_I32:.*]] = arith.constant 5 : i32
//  CHECK-NEXT:   %[[V0:.*]] = arith.cmpi uge, %[[ARG0]], %[[C5_I32]] : i32
//  CHECK-NEXT:   return %[[V0]] : i1
func.func @constant_of_comparison_goes_right(%x: i32) -> i1 {
  %c = arith.constant 5 : i32
  %0 = arith.cmpi ule, %c, %x : i32
  return %0 : i1
}

// CHECK-LABEL: func.func @comparison_of_equals(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i32
//  CHECK-NEXT:   %[[TRUE:.*]] = arith.constant true
//  CHECK-NEXT:   %[[FALSE:.*]] = arith.constant false
//  CHECK-NEXT:   return %[[TRUE]], %[[FALSE]] : i1, i1
func.func @comparison_of_equals(%x: i32) -> (i1, i1) {
  %0 = arith.cmpi sge, %x, %x : i32
  %1 = arith.cmpi ult, %x, %x : i32
  return %0, %1 : i1, i1
}

// Only equality is the same for the narrow operands here.
// CHECK-LABEL: func.func @comparison_of_extended(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i8, %[[ARG1:[a-z0-9]+]]: i8
//  CHECK-NEXT:   %[[V0:.*]] = arith.extui %[[ARG0]] : i8 to i32
//  CHECK-NEXT:   %[[V1:.*]] = arith.extui %[[ARG1]] : i8 to i32
//  CHECK-NEXT:   %[[V2:.*]] = arith.cmpi eq, %[[ARG0]], %[[ARG1]] : i8
//  CHECK-NEXT:   %[[V3:.*]] = arith.cmpi ult, %[[V0]], %[[V1]] : i32
//  CHECK-NEXT:   return %[[V2]], %[[V3]] : i1, i1
func.func @comparison_of_extended(%x: i8, %y: i8) -> (i1, i1) {
  %a = arith.extui %x : i8 to i32
  %b = arith.extui %y : i8 to i32
  %0 = arith.cmpi eq, %a, %b : i32
  %1 = arith.cmpi ult, %a, %b : i32
  return %0, %1 : i1, i1
}

// CHECK-LABEL: func.func @elementwise_comparison(
//  CHECK-NEXT:   %[[CST:.*]] = arith.constant dense<[true, true, false]> : vector<3xi1>
//  CHECK-NEXT:   return %[[CST]] : vector<3xi1>
func.func @elementwise_comparison() -> vector<3xi1> {
  %a = arith.constant dense<[1, 2, 3]> : vector<3xi32>
  %b = arith.constant dense<2> : vector<3xi32>
  %0 = arith.cmpi sle, %a, %b : vector<3xi32>
  return %0 : vector<3xi1>
}

// CHECK-LABEL: func.func @nan_decides_comparison(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: f32
//  CHECK-NEXT:   %[[FALSE:.*]] = arith.constant false
//  CHECK-NEXT:   %[[TRUE:.*]] = arith.constant true
//  CHECK-NEXT:   return %[[FALSE]], %[[TRUE]] : i1, i1
func.func @nan_decides_comparison(%x: f32) -> (i1, i1) {
  %n = arith.constant 0x7FC00000 : f32
  %0 = arith.cmpf olt, %x, %n : f32
  %1 = arith.cmpf ult, %x, %n : f32
  return %0, %1 : i1, i1
}

// CHECK-LABEL: func.func @select_of_constant_condition(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: f32, %[[ARG1:[a-z0-9]+]]: f32
//  CHECK-NEXT:   return %[[ARG1]] : f32
func.func @select_of_constant_condition(%x: f32, %y: f32) -> f32 {
  %f = arith.constant false
  %0 = arith.select %f, %x, %y : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @select_by_not(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i1, %[[ARG1:[a-z0-9]+]]: f32, %[[ARG2:[a-z0-9]+]]: f32
//  CHECK-NEXT:   %[[V0:.*]] = arith.select %[[ARG0]], %[[ARG2]], %[[ARG1]] : f32
//  CHECK-NEXT:   return %[[V0]] : f32
func.func @select_by_not(%c: i1, %x: f32, %y: f32) -> f32 {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  %0 = arith.select %n, %x, %y : f32
  return %0 : f32
}

// Whichever is chosen, it is y.
// CHECK-LABEL: func.func @select_of_equals(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i32, %[[ARG1:[a-z0-9]+]]: i32
//  CHECK-NEXT:   return %[[ARG1]] : i32
func.func @select_of_equals(%x: i32, %y: i32) -> i32 {
  %c = arith.cmpi eq, %x, %y : i32
  %0 = arith.select %c, %x, %y : i32
  return %0 : i32
}

// CHECK-LABEL: func.func @select_of_one_and_zero(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i1
//  CHECK-NEXT:   %[[TRUE:.*]] = arith.constant true
//  CHECK-NEXT:   %[[V0:.*]] = arith.extui %[[ARG0]] : i1 to i32
//  CHECK-NEXT:   %[[V1:.*]] = arith.xori %[[ARG0]], %[[TRUE]] : i1
//  CHECK-NEXT:   %[[V2:.*]] = arith.extui %[[V1]] : i1 to i32
//  CHECK-NEXT:   return %[[V0]], %[[V2]] : i32, i32
func.func @select_of_one_and_zero(%c: i1) -> (i32, i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %0 = arith.select %c, %one, %zero : i32
  %1 = arith.select %c, %zero, %one : i32
  return %0, %1 : i32, i32
}

// CHECK-LABEL: func.func @select_element_by_element(
//  CHECK-NEXT:   %[[CST:.*]] = arith.constant dense<[1, 4]> : vector<2xi32>
//  CHECK-NEXT:   return %[[CST]] : vector<2xi32>
func.func @select_element_by_element() -> vector<2xi32> {
  %c = arith.constant dense<[true, false]> : vector<2xi1>
  %a = arith.constant dense<[1, 2]> : vector<2xi32>
  %b = arith.constant dense<[3, 4]> : vector<2xi32>
  %0 = arith.select %c, %a, %b : vector<2xi1>, vector<2xi32>
  return %0 : vector<2xi32>
}

// x + 0 is not x for x = -0.
// CHECK-LABEL: func.func @float_identities(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: f32
//  CHECK-NEXT:   %[[CST:.*]] = arith.constant 0.000000e+00 : f32
//  CHECK-NEXT:   %[[V0:.*]] = arith.addf %[[ARG0]], %[[CST]] : f32
//  CHECK-NEXT:   return %[[ARG0]], %[[V0]], %[[ARG0]], %[[ARG0]] : f32, f32, f32, f32
func.func @float_identities(%x: f32) -> (f32, f32, f32, f32) {
  %z = arith.constant 0.0 : f32
  %n = arith.constant -0.0 : f32
  %one = arith.constant 1.0 : f32
  %0 = arith.addf %x, %n : f32
  %1 = arith.addf %x, %z : f32
  %2 = arith.subf %x, %z : f32
  %3 = arith.divf %x, %one : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}

// CHECK-LABEL: func.func @product_with_zero_needs_flags(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: f32
//  CHECK-NEXT:   %[[CST:.*]] = arith.constant 0.000000e+00 : f32
//  CHECK-NEXT:   %[[V0:.*]] = arith.mulf %[[ARG0]], %[[CST]] : f32
//  CHECK-NEXT:   return %[[V0]], %[[CST]] : f32, f32
func.func @product_with_zero_needs_flags(%x: f32) -> (f32, f32) {
  %z = arith.constant 0.0 : f32
  %0 = arith.mulf %x, %z : f32
  %1 = arith.mulf %x, %z fastmath<nnan,nsz> : f32
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func.func @float_constants_round_once(
//  CHECK-NEXT:   %[[CST:.*]] = arith.constant 0.333333343 : f32
//  CHECK-NEXT:   %[[CST_0:.*]] = arith.constant 3.332520e-01 : f16
//  CHECK-NEXT:   %[[CST_1:.*]] = arith.constant 0.000000e+00 : f32
//  CHECK-NEXT:   return %[[CST]], %[[CST_0]], %[[CST_1]] : f32, f16, f32
func.func @float_constants_round_once() -> (f32, f16, f32) {
  %a = arith.constant 1.0 : f32
  %b = arith.constant 3.0 : f32
  %c = arith.constant 1.0 : f16
  %d = arith.constant 3.0 : f16
  %0 = arith.divf %a, %b : f32
  %1 = arith.divf %c, %d : f16
  %2 = arith.remf %b, %a : f32
  return %0, %1, %2 : f32, f16, f32
}

// Only maxnum and minnum skip NaN.
// CHECK-LABEL: func.func @extrema_of_floats(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: f32
//  CHECK-NEXT:   %[[CST:.*]] = arith.constant 0x7FC00000 : f32
//  CHECK-NEXT:   %[[V0:.*]] = arith.maximumf %[[ARG0]], %[[CST]] : f32
//  CHECK-NEXT:   return %[[ARG0]], %[[V0]], %[[ARG0]], %[[ARG0]] : f32, f32, f32, f32
func.func @extrema_of_floats(%x: f32) -> (f32, f32, f32, f32) {
  %n = arith.constant 0x7FC00000 : f32
  %i = arith.constant 0x7F800000 : f32
  %0 = arith.maxnumf %x, %n : f32
  %1 = arith.maximumf %x, %n : f32
  %2 = arith.minimumf %x, %i : f32
  %3 = arith.maximumf %x, %x : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}

// CHECK-LABEL: func.func @inexact_truncation_stays(
//  CHECK-NEXT:   %[[CST:.*]] = arith.constant 1.500000e+00 : f16
//  CHECK-NEXT:   %[[CST_0:.*]] = arith.constant 1.300000e+00 : f32
//  CHECK-NEXT:   %[[V0:.*]] = arith.truncf %[[CST_0]] : f32 to f16
//  CHECK-NEXT:   return %[[V0]], %[[CST]] : f16, f16
func.func @inexact_truncation_stays() -> (f16, f16) {
  %a = arith.constant 1.3 : f32
  %b = arith.constant 1.5 : f32
  %0 = arith.truncf %a : f32 to f16
  %1 = arith.truncf %b : f32 to f16
  return %0, %1 : f16, f16
}

// CHECK-LABEL: func.func @float_to_int_that_does_not_fit_stays(
//  CHECK-NEXT:   %[[C_100_I8:.*]] = arith.constant -100 : i8
//  CHECK-NEXT:   %[[CST:.*]] = arith.constant 3.005000e+02 : f32
//  CHECK-NEXT:   %[[V0:.*]] = arith.fptosi %[[CST]] : f32 to i8
//  CHECK-NEXT:   return %[[V0]], %[[C_100_I8]] : i8, i8
func.func @float_to_int_that_does_not_fit_stays() -> (i8, i8) {
  %a = arith.constant 300.5 : f32
  %b = arith.constant -100.5 : f32
  %0 = arith.fptosi %a : f32 to i8
  %1 = arith.fptosi %b : f32 to i8
  return %0, %1 : i8, i8
}

// CHECK-LABEL: func.func @chains_of_extensions(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i8
//  CHECK-NEXT:   %[[V0:.*]] = arith.extsi %[[ARG0]] : i8 to i32
//  CHECK-NEXT:   %[[V1:.*]] = arith.extui %[[ARG0]] : i8 to i32
//  CHECK-NEXT:   %[[V2:.*]] = arith.extsi %[[ARG0]] : i8 to i16
//  CHECK-NEXT:   return %[[V0]], %[[V1]], %[[ARG0]], %[[V2]] : i32, i32, i8, i16
func.func @chains_of_extensions(%x: i8) -> (i32, i32, i8, i16) {
  %a = arith.extsi %x : i8 to i16
  %0 = arith.extsi %a : i16 to i32
  %b = arith.extui %x : i8 to i16
  %1 = arith.extsi %b : i16 to i32
  %2 = arith.trunci %b : i16 to i8
  %3 = arith.trunci %0 : i32 to i16
  return %0, %1, %2, %3 : i32, i32, i8, i16
}

// CHECK-LABEL: func.func @index_casts(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: index
//  CHECK-NEXT:   %[[C_3:.*]] = arith.constant -3 : index
//  CHECK-NEXT:   return %[[C_3]], %[[ARG0]] : index, index
func.func @index_casts(%x: index) -> (index, index) {
  %c = arith.constant -3 : i32
  %0 = arith.index_cast %c : i32 to index
  %a = arith.index_cast %x : index to i64
  %1 = arith.index_cast %a : i64 to index
  return %0, %1 : index, index
}

// CHECK-LABEL: func.func @bitcasts(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: f32
//  CHECK-NEXT:   %[[CST:.*]] = arith.constant 1.000000e+00 : f32
//  CHECK-NEXT:   %[[CST_0:.*]] = arith.constant dense<[1065353216, 1073741824]> : vector<2xi32>
//  CHECK-NEXT:   return %[[CST]], %[[ARG0]], %[[CST_0]] : f32, f32, vector<2xi32>
func.func @bitcasts(%x: f32) -> (f32, f32, vector<2xi32>) {
  %c = arith.constant 1065353216 : i32
  %0 = arith.bitcast %c : i32 to f32
  %a = arith.bitcast %x : f32 to i32
  %1 = arith.bitcast %a : i32 to f32
  %v = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %2 = arith.bitcast %v : vector<2xf32> to vector<2xi32>
  return %0, %1, %2 : f32, f32, vector<2xi32>
}

// CHECK-LABEL: func.func @poison_spreads(
//  CHECK-SAME:   %[[ARG0:[a-z0-9]+]]: i32
//  CHECK-NEXT:   %[[V0:.*]] = ub.poison : i32
//  CHECK-NEXT:   return %[[V0]] : i32
func.func @poison_spreads(%x: i32) -> i32 {
  %p = ub.poison : i32
  %0 = arith.addi %x, %p : i32
  return %0 : i32
}

// CHECK-LABEL: func.func @truncate_extended_float(
//  CHECK-SAME:   %[[X:.*]]: f32, %[[Y:.*]]: bf16
func.func @truncate_extended_float(%x: f32, %y: bf16) -> (f16, f16) {
  // CHECK: %[[A:.*]] = arith.truncf %[[X]] : f32 to f16
  // CHECK: %[[WIDE:.*]] = arith.extf %[[Y]] : bf16 to f32
  // CHECK: %[[B:.*]] = arith.truncf %[[WIDE]] : f32 to f16
  // CHECK: return %[[A]], %[[B]]
  %0 = arith.extf %x : f32 to f64
  %1 = arith.truncf %0 : f64 to f16
  %2 = arith.extf %y : bf16 to f32
  %3 = arith.truncf %2 : f32 to f16
  return %1, %3 : f16, f16
}

// CHECK-LABEL: func.func @truncate_converted(
//  CHECK-SAME:   %[[X:.*]]: i32
func.func @truncate_converted(%x: i32) -> (f32, f32) {
  // CHECK-DAG: %[[A:.*]] = arith.uitofp %[[X]] : i32 to f32
  // CHECK-DAG: %[[WIDE:.*]] = arith.uitofp %[[X]] : i32 to f64
  // CHECK-DAG: %[[B:.*]] = arith.truncf %[[WIDE]] downward : f64 to f32
  // CHECK: return %[[A]], %[[B]]
  %0 = arith.uitofp %x : i32 to f64
  %1 = arith.truncf %0 : f64 to f32
  %2 = arith.truncf %0 downward : f64 to f32
  return %1, %2 : f32, f32
}

// CHECK-LABEL: func.func @compare_converted(
//  CHECK-SAME:   %[[X:.*]]: i32
func.func @compare_converted(%x: i32) -> (i1, i1, i1, i1, i1, i1) {
  // CHECK-DAG: %[[F:.*]] = arith.constant false
  // CHECK-DAG: %[[T:.*]] = arith.constant true
  // CHECK-DAG: %[[C3:.*]] = arith.constant 3 : i32
  // CHECK-DAG: %[[CN2:.*]] = arith.constant -2 : i32
  // CHECK-DAG: %[[A:.*]] = arith.cmpi ugt, %[[X]], %[[C3]] : i32
  // CHECK-DAG: %[[B:.*]] = arith.cmpi slt, %[[X]], %[[CN2]] : i32
  // CHECK-DAG: %[[C:.*]] = arith.cmpi eq, %[[X]], %[[C3]] : i32
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[F]], %[[T]], %[[T]]
  %c3 = arith.constant 3.0 : f64
  %c3.25 = arith.constant 3.25 : f64
  %cn2.5 = arith.constant -2.5 : f64
  %cn3 = arith.constant -3.0 : f64
  %u = arith.uitofp %x : i32 to f64
  %s = arith.sitofp %x : i32 to f64
  %0 = arith.cmpf oge, %u, %c3.25 : f64
  %1 = arith.cmpf ult, %s, %cn2.5 : f64
  %2 = arith.cmpf oeq, %s, %c3 : f64
  %3 = arith.cmpf ueq, %s, %c3.25 : f64
  %4 = arith.cmpf one, %s, %c3.25 : f64
  %5 = arith.cmpf ogt, %u, %cn3 : f64
  return %0, %1, %2, %3, %4, %5 : i1, i1, i1, i1, i1, i1
}

// Numbers beyond 2^24 are rounded.
// CHECK-LABEL: func.func @compare_rounded(
func.func @compare_rounded(%x: i32) -> i1 {
  // CHECK: arith.cmpf
  %c = arith.constant 16777216.0 : f32
  %u = arith.uitofp %x : i32 to f32
  %0 = arith.cmpf oeq, %u, %c : f32
  return %0 : i1
}

// CHECK-LABEL: func.func @difference_of_difference(
//  CHECK-SAME:   %{{.*}}: i32, %[[B:.*]]: i32
func.func @difference_of_difference(%a: i32, %b: i32) -> i32 {
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK-NEXT: %[[R:.*]] = arith.subi %[[ZERO]], %[[B]] overflow<nsw> : i32
  // CHECK-NEXT: return %[[R]]
  %0 = arith.subi %a, %b overflow<nsw> : i32
  %1 = arith.subi %0, %a overflow<nsw, nuw> : i32
  return %1 : i32
}

// CHECK-LABEL: func.func @high_bits(
//  CHECK-SAME:   %[[X:.*]]: i64
func.func @high_bits(%x: i64) -> (i32, i32) {
  // CHECK-DAG: %[[A:.*]] = arith.shrui %[[X]], %{{.*}} exact : i64
  // CHECK-DAG: arith.trunci %[[A]]
  // CHECK-DAG: %[[B:.*]] = arith.shrsi %[[X]], %{{.*}} : i64
  // CHECK-DAG: arith.trunci %[[B]]
  %c32 = arith.constant 32 : i64
  %c33 = arith.constant 33 : i64
  %0 = arith.shrsi %x, %c32 exact : i64
  %1 = arith.trunci %0 : i64 to i32
  %2 = arith.shrsi %x, %c33 : i64
  %3 = arith.trunci %2 : i64 to i32
  return %1, %3 : i32, i32
}

// A factor that is a constant has no operand which it is extended from.
// CHECK-LABEL: func.func @high_half_of_a_multiple(
func.func @high_half_of_a_multiple(%x: i8) -> i8 {
  // CHECK: %[[S:.*]] = arith.shrui
  // CHECK-NEXT: arith.trunci %[[S]]
  %c8 = arith.constant 8 : i16
  %c300 = arith.constant 300 : i16
  %0 = arith.extui %x : i8 to i16
  %1 = arith.muli %0, %c300 : i16
  %2 = arith.shrui %1, %c8 : i16
  %3 = arith.trunci %2 : i16 to i8
  return %3 : i8
}

// The only one of a single bit is -1.
// CHECK-LABEL: func.func @signed_times_one_bit(
func.func @signed_times_one_bit(%x: i1) -> (i1, i1) {
  // CHECK: arith.mulsi_extended
  %true = arith.constant true
  %low, %high = arith.mulsi_extended %x, %true : i1
  return %low, %high : i1, i1
}

// CHECK-LABEL: func.func @bitcast_to_same_type(
//  CHECK-SAME:   %[[X:.*]]: f32
func.func @bitcast_to_same_type(%x: f32) -> f32 {
  // CHECK-NEXT: return %[[X]]
  %0 = arith.bitcast %x : f32 to f32
  return %0 : f32
}
