// RUN: dl-opt %s --scf-for-to-while | FileCheck %s

// CHECK-LABEL: func.func @sum
//  CHECK-SAME:   (%[[N:.*]]: index)
func.func @sum(%n: index) -> i32 {
  // CHECK:     %[[C0:c[0-9]+]] = arith.constant 0 : index
  // CHECK:     %[[C3:c[0-9]+]] = arith.constant 3 : index
  // CHECK:     %[[ZERO:c[0-9_i]+]] = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  // CHECK:      %[[W:[0-9]+]]:2 = scf.while (%[[I:arg[0-9]+]] = %[[C0]], %[[A:arg[0-9]+]] = %[[ZERO]])
  // CHECK-NEXT:   %[[GO:.*]] = arith.cmpi slt, %[[I]], %[[N]]
  // CHECK-NEXT:   scf.condition(%[[GO]]) %[[I]], %[[A]]
  // CHECK:      ^bb0(%[[J:.*]]: index, %[[B:.*]]: i32):
  // CHECK-NEXT:   %[[NEXT:.*]] = arith.addi %[[J]], %[[C3]]
  // CHECK-NEXT:   %[[V:.*]] = arith.index_cast %[[J]]
  // CHECK-NEXT:   %[[S:.*]] = arith.addi %[[B]], %[[V]]
  // CHECK-NEXT:   scf.yield %[[NEXT]], %[[S]]
  // CHECK:      return %[[W]]#1
  %r = scf.for %i = %c0 to %n step %c3 iter_args(%a = %zero) -> i32 {
    %v = arith.index_cast %i : index to i32
    %s = arith.addi %a, %v : i32
    scf.yield %s : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func @unsigned
func.func @unsigned(%n: i32, %m: memref<?xi32>, %at: index) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: arith.cmpi ult
  scf.for unsigned %i = %c0 to %n step %c1 : i32 {
    memref.store %i, %m[%at] : memref<?xi32>
  }
  return
}
