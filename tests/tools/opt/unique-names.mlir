// RUN: dl-opt %s --mlir-print-unique-ssa-ids | FileCheck %s
// RUN: dl-opt %s | FileCheck %s --check-prefix=PLAIN

// Numbers run on from one function to the other, as in the generic form; names that operations suggest start anew.
// CHECK-LABEL: func.func @first(
//  CHECK-SAME:   %[[A:[a-z0-9]+]]: index) -> index
//  CHECK-NEXT:   %c1 = arith.constant 1 : index
//  CHECK-NEXT:   %[[X:[0-9]+]] = arith.addi %[[A]], %c1 : index
//   CHECK-NOT:   %[[A]]:
//   CHECK-NOT:   %[[X]] =
// CHECK-LABEL: func.func @second(
// PLAIN-LABEL: func.func @first(%arg0: index)
//       PLAIN:   %0 = arith.addi %arg0, %c1 : index
func.func @first(%a: index) -> index {
  %c1 = arith.constant 1 : index
  %x = arith.addi %a, %c1 : index
  return %x : index
}

//  CHECK-NEXT:   %c1 = arith.constant 1 : index
// PLAIN-LABEL: func.func @second(%arg0: index)
//       PLAIN:   %0 = arith.muli %arg0, %c1 : index
func.func @second(%a: index) -> index {
  %c1 = arith.constant 1 : index
  %x = arith.muli %a, %c1 : index
  return %x : index
}
