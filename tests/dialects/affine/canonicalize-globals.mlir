// RUN: dl-opt %s --canonicalize --split-input-file | FileCheck %s

memref.global "private" constant @numbers : memref<2x2xi32> = dense<[[1, 2], [3, 4]]>
memref.global "private" constant @zeros : memref<2x2xi32> = dense<0>
memref.global "private" @variable : memref<2x2xi32> = dense<7>
memref.global "private" constant @external : memref<2x2xi32>

// CHECK-LABEL: func.func @known
//   CHECK-DAG:   %[[C3:.*]] = arith.constant 3 : i32
//   CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : i32
//       CHECK:   return %[[C3]], %[[C0]]
func.func @known(%i: index) -> (i32, i32) {
  %0 = memref.get_global @numbers : memref<2x2xi32>
  %1 = affine.load %0[1, 0] : memref<2x2xi32>
  %2 = memref.get_global @zeros : memref<2x2xi32>
  %3 = affine.load %2[symbol(%i), 1] : memref<2x2xi32>
  return %1, %3 : i32, i32
}

// Another position, another value; what may change; what is not known here.
// CHECK-LABEL: func.func @unknown
// CHECK-COUNT-4: affine.load
func.func @unknown(%i: index) -> (i32, i32, i32, i32) {
  %0 = memref.get_global @numbers : memref<2x2xi32>
  %1 = affine.load %0[symbol(%i), 1] : memref<2x2xi32>
  %2 = affine.load %0[2, 0] : memref<2x2xi32>
  %3 = memref.get_global @variable : memref<2x2xi32>
  %4 = affine.load %3[0, 0] : memref<2x2xi32>
  %5 = memref.get_global @external : memref<2x2xi32>
  %6 = affine.load %5[0, 0] : memref<2x2xi32>
  return %1, %2, %4, %6 : i32, i32, i32, i32
}

// -----

// The global is the one of the closest module.
memref.global "private" constant @number : memref<i32> = dense<1>
module {
  memref.global "private" constant @number : memref<i32> = dense<2>
  // CHECK-LABEL: func.func @nested
  //  CHECK-NEXT:   %[[C2:.*]] = arith.constant 2 : i32
  //  CHECK-NEXT:   return %[[C2]]
  func.func @nested() -> i32 {
    %0 = memref.get_global @number : memref<i32>
    %1 = affine.load %0[] : memref<i32>
    return %1 : i32
  }
}
