// RUN: dl-opt %s --buffer-loop-hoisting --split-input-file | FileCheck %s

// Each iteration frees its buffer: there must be one for each. (mlir-opt 22 moves it, so that the second iteration frees it again.)
// CHECK-LABEL: func.func @freed_in_the_loop
//       CHECK:   scf.for
//  CHECK-NEXT:     memref.alloc
func.func @freed_in_the_loop(%n: index, %a: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %a, %b : memref<4xf32> to memref<4xf32>
    memref.dealloc %b : memref<4xf32>
  }
  return
}

// -----

// The buffers of all iterations are still there after the loop.
// CHECK-LABEL: func.func @stored_in_the_loop
//       CHECK:   scf.for
//  CHECK-NEXT:     memref.alloc
func.func @stored_in_the_loop(%n: index, %all: memref<?xmemref<4xf32>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() : memref<4xf32>
    memref.store %b, %all[%i] : memref<?xmemref<4xf32>>
  }
  return
}
