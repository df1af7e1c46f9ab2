// RUN: dl-opt %s --optimize-allocation-liveness --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @after_the_last_use
//       CHECK:   %[[A:.*]] = memref.alloc() : memref<4xf32>
//       CHECK:   %[[B:.*]] = memref.alloc() : memref<4xf32>
//       CHECK:   memref.copy %[[A]], %[[B]]
//  CHECK-NEXT:   memref.dealloc %[[A]]
//  CHECK-NEXT:   memref.copy %[[B]]
//  CHECK-NEXT:   memref.dealloc %[[B]]
func.func @after_the_last_use(%out: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  memref.copy %b, %out : memref<4xf32> to memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

// CHECK-LABEL: func.func @a_view_is_a_use
//       CHECK:   memref.copy
//  CHECK-NEXT:   memref.copy
//  CHECK-NEXT:   memref.dealloc
//  CHECK-NEXT:   memref.copy
func.func @a_view_is_a_use(%c: memref<4xf32>, %out: memref<2xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %v = memref.subview %a[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  memref.copy %c, %a : memref<4xf32> to memref<4xf32>
  memref.copy %v, %out : memref<2xf32, strided<[1]>> to memref<2xf32>
  memref.copy %out, %out : memref<2xf32> to memref<2xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

// CHECK-LABEL: func.func @used_inside_of_something
//       CHECK:   scf.if
//       CHECK:   }
//  CHECK-NEXT:   memref.dealloc
//  CHECK-NEXT:   memref.copy
func.func @used_inside_of_something(%c: i1, %out: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.copy %a, %out : memref<4xf32> to memref<4xf32>
  }
  memref.copy %out, %out : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

// CHECK-LABEL: func.func @freed_in_a_branch
//       CHECK:   memref.copy
//  CHECK-NEXT:   memref.copy
//  CHECK-NEXT:   scf.if
//  CHECK-NEXT:     memref.dealloc
func.func @freed_in_a_branch(%c: i1, %out: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %a, %out : memref<4xf32> to memref<4xf32>
  memref.copy %out, %out : memref<4xf32> to memref<4xf32>
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// -----

// What is allocated need not be the first result.
// CHECK-LABEL: func.func @second_result
//       CHECK:   %{{.*}}, %[[A:.*]] = test.alloc_with_multiple_results : index, memref<4xf32>
//  CHECK-NEXT:   memref.copy
//  CHECK-NEXT:   memref.dealloc %[[A]]
//  CHECK-NEXT:   memref.copy
func.func @second_result(%out: memref<4xf32>) {
  %id, %a = test.alloc_with_multiple_results : index, memref<4xf32>
  memref.copy %a, %out : memref<4xf32> to memref<4xf32>
  memref.copy %out, %out : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
