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

// What a loop hands on is freed where it is owned, unless it is what is returned: both stay among the retained, though what they certainly are is not
// freed any more.
// CHECK-LABEL: func.func @maybe_another
// CHECK: %[[L:.*]]:4 = scf.for
// CHECK: %[[X:.*]] = scf.if
// CHECK: %[[Y:.*]] = scf.if
// CHECK: %[[B0:[a-z_0-9]*]], %{{.*}} = memref.extract_strided_metadata %[[L]]#0
// CHECK: %[[B1:[a-z_0-9]*]], %{{.*}} = memref.extract_strided_metadata %[[L]]#1
// CHECK: bufferization.dealloc (%[[B0]], %[[B1]] : memref<f32>, memref<f32>) if (%[[L]]#2, %[[L]]#3) retain (%[[X]], %[[Y]] : memref<2xf32>, memref<2xf32>)
func.func @maybe_another(%a: memref<2xf32>, %b: memref<2xf32>, %n: index) -> (memref<2xf32>, memref<2xf32>) {
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:4 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %own_x = %false, %own_y = %false) -> (memref<2xf32>, memref<2xf32>, i1, i1) {
    %alloc = memref.alloc() : memref<2xf32>
    %alloc_0 = memref.alloc() : memref<2xf32>
    scf.yield %alloc, %alloc_0, %true, %true : memref<2xf32>, memref<2xf32>, i1, i1
  }
  %1 = scf.if %0#2 -> (memref<2xf32>) {
    scf.yield %0#0 : memref<2xf32>
  } else {
    %4 = bufferization.clone %0#0 : memref<2xf32> to memref<2xf32>
    scf.yield %4 : memref<2xf32>
  }
  %2 = scf.if %0#3 -> (memref<2xf32>) {
    scf.yield %0#1 : memref<2xf32>
  } else {
    %4 = bufferization.clone %0#1 : memref<2xf32> to memref<2xf32>
    scf.yield %4 : memref<2xf32>
  }
  %base, %offset, %size, %stride = memref.extract_strided_metadata %0#0 : memref<2xf32> -> memref<f32>, index, index, index
  %base_0, %offset_1, %size_2, %stride_3 = memref.extract_strided_metadata %0#1 : memref<2xf32> -> memref<f32>, index, index, index
  %base_4, %offset_5, %size_6, %stride_7 = memref.extract_strided_metadata %1 : memref<2xf32> -> memref<f32>, index, index, index
  %base_8, %offset_9, %size_10, %stride_11 = memref.extract_strided_metadata %2 : memref<2xf32> -> memref<f32>, index, index, index
  %3:2 = bufferization.dealloc (%base, %base_0, %base_4, %base_8 : memref<f32>, memref<f32>, memref<f32>, memref<f32>) if (%0#2, %0#3, %true, %true) retain (%1, %2 : memref<2xf32>, memref<2xf32>)
  return %1, %2 : memref<2xf32>, memref<2xf32>
}
