// RUN: dl-opt %s --buffer-loop-hoisting --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @out_of_both_loops
//  CHECK-SAME:   %[[N:[^:]*]]: index
//       CHECK:   %[[B:.*]] = memref.alloc(%[[N]])
//  CHECK-NEXT:   scf.for
//  CHECK-NEXT:     scf.for
//  CHECK-NEXT:       memref.copy %{{.*}}, %[[B]]
func.func @out_of_both_loops(%n: index, %a: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %b = memref.alloc(%n) : memref<?xf32>
      memref.copy %a, %b : memref<?xf32> to memref<?xf32>
      memref.copy %b, %out : memref<?xf32> to memref<?xf32>
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @as_far_as_the_size_is_known
//       CHECK:   scf.for %[[I:.*]] =
//  CHECK-NEXT:     memref.alloca(%[[I]])
//  CHECK-NEXT:     scf.for
func.func @as_far_as_the_size_is_known(%n: index, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %b = memref.alloca(%i) : memref<?xf32>
      memref.copy %b, %out : memref<?xf32> to memref<?xf32>
    }
  }
  return
}

// -----

// The next iteration still has the buffer of this one.
// CHECK-LABEL: func.func @handed_to_the_next_iteration
//       CHECK:   scf.for
//  CHECK-NEXT:     memref.alloc
func.func @handed_to_the_next_iteration(%n: index, %a: memref<4xf32>) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<4xf32> {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %x, %b : memref<4xf32> to memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// -----

// Iterations run side by side.
// CHECK-LABEL: func.func @parallel_loop
//       CHECK:   scf.parallel
//  CHECK-NEXT:     memref.alloc
func.func @parallel_loop(%n: index, %a: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %a, %b : memref<4xf32> to memref<4xf32>
    scf.reduce
  }
  return
}
