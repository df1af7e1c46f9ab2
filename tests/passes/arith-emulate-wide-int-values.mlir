// What is left of operations on halves when their operands are constants. Expected values by arithmetic on the whole numbers.

// RUN: dl-opt %s --arith-emulate-wide-int=widest-int-supported=8 --canonicalize | FileCheck %s

// Each result is 16 bits wide, as its low and its high 8.

// 0x1234 << 0 = 0x1234: an amount of zero shifts nothing from half to half.
// CHECK-LABEL: func.func @shift_by_zero
// CHECK: %[[R:.*]] = arith.constant dense<[52, 18]> : vector<2xi8>
// CHECK: return %[[R]], %[[R]], %[[R]]
func.func @shift_by_zero() -> (i16, i16, i16) {
  %a = arith.constant 4660 : i16
  %n = arith.constant 0 : i16
  %l = arith.shli %a, %n : i16
  %u = arith.shrui %a, %n : i16
  %s = arith.shrsi %a, %n : i16
  return %l, %u, %s : i16, i16, i16
}

// 0x8234 << 3 = 0x11A0, 0x8234 >> 3 = 0x1046 and, signed, 0xF046.
// CHECK-LABEL: func.func @shift_by_three
// CHECK-DAG: %[[L:.*]] = arith.constant dense<[-96, 17]> : vector<2xi8>
// CHECK-DAG: %[[U:.*]] = arith.constant dense<[70, 16]> : vector<2xi8>
// CHECK-DAG: %[[S:.*]] = arith.constant dense<[70, -16]> : vector<2xi8>
// CHECK: return %[[L]], %[[U]], %[[S]]
func.func @shift_by_three() -> (i16, i16, i16) {
  %a = arith.constant 0x8234 : i16
  %n = arith.constant 3 : i16
  %l = arith.shli %a, %n : i16
  %u = arith.shrui %a, %n : i16
  %s = arith.shrsi %a, %n : i16
  return %l, %u, %s : i16, i16, i16
}

// 0x8234 << 11 = 0xA000, 0x8234 >> 11 = 0x0010 and, signed, 0xFFF0.
// CHECK-LABEL: func.func @shift_by_eleven
// CHECK-DAG: %[[L:.*]] = arith.constant dense<[0, -96]> : vector<2xi8>
// CHECK-DAG: %[[U:.*]] = arith.constant dense<[16, 0]> : vector<2xi8>
// CHECK-DAG: %[[S:.*]] = arith.constant dense<[-16, -1]> : vector<2xi8>
// CHECK: return %[[L]], %[[U]], %[[S]]
func.func @shift_by_eleven() -> (i16, i16, i16) {
  %a = arith.constant 0x8234 : i16
  %n = arith.constant 11 : i16
  %l = arith.shli %a, %n : i16
  %u = arith.shrui %a, %n : i16
  %s = arith.shrsi %a, %n : i16
  return %l, %u, %s : i16, i16, i16
}

// 0x1234 * 0x0321 = 0x38F4B4 and 0x1234 - 0x0321 = 0x0F13, with a borrow in 0x0300 - 0x0001 = 0x02FF.
// CHECK-LABEL: func.func @product_and_differences
// CHECK-DAG: %[[P:.*]] = arith.constant dense<[-76, -12]> : vector<2xi8>
// CHECK-DAG: %[[D:.*]] = arith.constant dense<[19, 15]> : vector<2xi8>
// CHECK-DAG: %[[B:.*]] = arith.constant dense<[-1, 2]> : vector<2xi8>
// CHECK: return %[[P]], %[[D]], %[[B]]
func.func @product_and_differences() -> (i16, i16, i16) {
  %a = arith.constant 0x1234 : i16
  %b = arith.constant 0x0321 : i16
  %p = arith.muli %a, %b : i16
  %d = arith.subi %a, %b : i16
  %x = arith.constant 0x0300 : i16
  %one = arith.constant 1 : i16
  %e = arith.subi %x, %one : i16
  return %p, %d, %e : i16, i16, i16
}
