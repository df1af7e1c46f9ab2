// RUN: dl-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @neutral
//  CHECK-SAME:   (%[[X:.*]]: index)
func.func @neutral(%x: index) -> (index, index, index, index) {
  // CHECK: %[[ZERO:.*]] = index.constant 0
  // CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[ZERO]]
  %c0 = index.constant 0
  %c1 = index.constant 1
  %0 = index.add %x, %c0
  %1 = index.sub %x, %c0
  %2 = index.mul %x, %c1
  %3 = index.mul %x, %c0
  return %0, %1, %2, %3 : index, index, index, index
}

// CHECK-LABEL: func.func @constants_agree
func.func @constants_agree() -> (index, index, index, index, index) {
  %a = index.constant -7
  %b = index.constant 3
  // CHECK-DAG: %[[SUM:.*]] = index.constant -4
  %0 = index.add %a, %b
  // CHECK-DAG: %[[UP:.*]] = index.constant -2
  %1 = index.ceildivs %a, %b
  // CHECK-DAG: %[[DOWN:.*]] = index.constant -3
  %2 = index.floordivs %a, %b
  // CHECK-DAG: %[[REST:.*]] = index.constant -1
  %3 = index.rems %a, %b
  // CHECK-DAG: %[[SHIFTED:.*]] = index.constant -56
  %4 = index.shl %a, %b
  // CHECK: return %[[SUM]], %[[UP]], %[[DOWN]], %[[REST]], %[[SHIFTED]]
  return %0, %1, %2, %3, %4 : index, index, index, index, index
}

// 2^32 is 0 in an index of 32 bits.
// CHECK-LABEL: func.func @constants_differ_by_width
func.func @constants_differ_by_width() -> (index, index, i1) {
  %a = index.constant 4294967296
  %b = index.constant 3
  %c40 = index.constant 40
  // CHECK: index.divu
  %0 = index.divu %a, %b
  // CHECK-NEXT: index.shl
  %1 = index.shl %b, %c40
  // CHECK-NEXT: index.cmp
  %2 = index.cmp ult(%a, %b)
  return %0, %1, %2 : index, index, i1
}

// CHECK-LABEL: func.func @division_by_zero
func.func @division_by_zero() -> index {
  // CHECK: index.divs
  %a = index.constant 5
  %b = index.constant 0
  %0 = index.divs %a, %b
  return %0 : index
}

// CHECK-LABEL: func.func @merge_constants
//  CHECK-SAME:   (%[[X:.*]]: index)
func.func @merge_constants(%x: index) -> index {
  // CHECK-NEXT: %[[C:.*]] = index.constant 7
  // CHECK-NEXT: %[[R:.*]] = index.add %[[X]], %[[C]]
  // CHECK-NEXT: return %[[R]]
  %c3 = index.constant 3
  %c4 = index.constant 4
  %0 = index.add %x, %c3
  %1 = index.add %0, %c4
  return %1 : index
}

// CHECK-LABEL: func.func @cast_of_constant
func.func @cast_of_constant() -> (index, index) {
  // CHECK-DAG: %[[S:.*]] = index.constant -1
  // CHECK-DAG: %[[U:.*]] = index.constant 255
  // CHECK: return %[[S]], %[[U]]
  %c = arith.constant -1 : i8
  %0 = index.casts %c : i8 to index
  %1 = index.castu %c : i8 to index
  return %0, %1 : index, index
}

// CHECK-LABEL: func.func @compare_with_itself
//  CHECK-NEXT:   %[[TRUE:.*]] = index.bool.constant true
//  CHECK-NEXT:   return %[[TRUE]]
func.func @compare_with_itself(%x: index) -> i1 {
  %0 = index.cmp sle(%x, %x)
  return %0 : i1
}

// CHECK-LABEL: func.func @compare_difference
//  CHECK-SAME:   (%[[X:.*]]: index, %[[Y:.*]]: index)
func.func @compare_difference(%x: index, %y: index) -> i1 {
  // CHECK-NEXT: %[[R:.*]] = index.cmp ne(%[[X]], %[[Y]])
  // CHECK-NEXT: return %[[R]]
  %c0 = index.constant 0
  %0 = index.sub %x, %y
  %1 = index.cmp ne(%0, %c0)
  return %1 : i1
}

// Differences wrap around: nothing is less than 0 without sign, whatever the operands.
// CHECK-LABEL: func.func @order_of_difference
func.func @order_of_difference(%x: index, %y: index) -> i1 {
  // CHECK: index.sub
  // CHECK-NEXT: index.cmp ult
  %c0 = index.constant 0
  %0 = index.sub %x, %y
  %1 = index.cmp ult(%0, %c0)
  return %1 : i1
}

// CHECK-LABEL: func.func @compare_bounded
//  CHECK-NEXT:   %[[TRUE:.*]] = index.bool.constant true
//  CHECK-NEXT:   return %[[TRUE]]
func.func @compare_bounded(%x: index) -> i1 {
  %c2 = index.constant 2
  %c5 = index.constant 5
  %0 = index.minu %x, %c2
  %1 = index.cmp ult(%0, %c5)
  return %1 : i1
}

// The bound itself is reached.
// CHECK-LABEL: func.func @compare_with_bound
func.func @compare_with_bound(%x: index) -> i1 {
  // CHECK: index.cmp ult
  %c2 = index.constant 2
  %0 = index.minu %x, %c2
  %1 = index.cmp ult(%0, %c2)
  return %1 : i1
}
