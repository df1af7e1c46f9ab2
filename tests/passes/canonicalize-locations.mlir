// RUN: dl-opt %s --allow-unregistered-dialect --canonicalize --mlir-print-debuginfo | FileCheck %s

// A constant that leaves its block, or stands for several, comes from nowhere; one that moves to the start of its block does not.
// CHECK-LABEL: func.func @constants
func.func @constants(%m: memref<8xi32>) -> (i32, i32) {
  // CHECK-NEXT: arith.constant 7 : i32 loc(#[[NOWHERE:loc[0-9]+]])
  // CHECK-NEXT: arith.constant 88 : i32 loc(#[[LATE:loc[0-9]+]])
  // CHECK-NEXT: arith.constant 42 : i32 loc(#[[NOWHERE]])
  affine.for %i = 0 to 8 {
    %0 = arith.constant 42 : i32 loc("nested":0:0)
    memref.store %0, %m[%i] : memref<8xi32>
  }
  %1 = arith.constant 88 : i32 loc("late":2:0)
  %2 = arith.constant 7 : i32 loc("one":2:0)
  %3 = arith.constant 7 : i32 loc("other":2:0)
  "test.read"(%3) : (i32) -> ()
  return %1, %2 : i32, i32
}
// CHECK:      #[[NOWHERE]] = loc(unknown)
// CHECK-NEXT: #[[LATE]] = loc("late":2:0)
