// RUN: dl-opt %s --buffer-deallocation-simplification | FileCheck %s

// A fresh buffer and an argument are two: they are freed apart, and the fresh one, which is retained, is owned.
// CHECK-LABEL: func.func @fresh
//  CHECK-SAME:   (%[[A:.*]]: memref<4xf32>, %[[C:.*]]: i1)
// CHECK-DAG: %[[TRUE:.*]] = arith.constant true
// CHECK: bufferization.dealloc (%[[A]] : memref<4xf32>) if (%[[C]])
// CHECK: return %[[TRUE]]
func.func @fresh(%a: memref<4xf32>, %c: i1) -> i1 {
  %true = arith.constant true
  %y = memref.alloc() : memref<4xf32>
  memref.copy %a, %y : memref<4xf32> to memref<4xf32>
  %0 = bufferization.dealloc (%a, %y : memref<4xf32>, memref<4xf32>) if (%c, %true) retain (%y : memref<4xf32>)
  return %0 : i1
}

// What a call returns may be anything.
// CHECK-LABEL: func.func @unknown
// CHECK: %[[A:.*]] = call @make
// CHECK: %[[Y:.*]] = memref.alloc()
// CHECK: %[[D:.*]] = bufferization.dealloc (%[[A]] : memref<4xf32>) if (%{{.*}}) retain (%[[Y]] : memref<4xf32>)
// CHECK: return %[[D]]
func.func private @make() -> memref<4xf32>
func.func @unknown(%c: i1) -> i1 {
  %a = call @make() : () -> memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  memref.copy %a, %y : memref<4xf32> to memref<4xf32>
  %0 = bufferization.dealloc (%a : memref<4xf32>) if (%c) retain (%y : memref<4xf32>)
  return %0 : i1
}
