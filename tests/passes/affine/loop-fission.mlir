// RUN: dl-opt %s --affine-loop-fission --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @two_streams
func.func @two_streams(%a: memref<16xf32>, %b: memref<16xf32>, %c: memref<16xf32>) {
  // CHECK:      affine.for
  // CHECK-NEXT:   affine.load
  // CHECK-NEXT:   affine.store
  // CHECK:      affine.for
  // CHECK-NEXT:   affine.load
  // CHECK-NEXT:   affine.store
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i * 2] : memref<16xf32>
    affine.store %x, %b[%i] : memref<16xf32>
    %y = affine.load %b[%i] : memref<16xf32>
    affine.store %y, %c[%i] : memref<16xf32>
  }
  return
}

// -----

// The second part computes the index again.
// CHECK-LABEL: func.func @index_for_both
func.func @index_for_both(%b: memref<16xindex>, %c: memref<16xindex>) {
  %c3 = arith.constant 3 : index
  // CHECK:      affine.for
  // CHECK-NEXT:   arith.muli
  // CHECK-NEXT:   affine.store
  // CHECK:      affine.for
  // CHECK-NEXT:   arith.muli
  // CHECK-NEXT:   affine.store
  affine.for %i = 0 to 8 {
    %x = arith.muli %i, %c3 : index
    affine.store %x, %b[%i] : memref<16xindex>
    affine.store %x, %c[%i] : memref<16xindex>
  }
  return
}

// -----

// Each iteration reads what the one before has written last.
// CHECK-LABEL: func.func @cycle
func.func @cycle(%b: memref<16xf32>, %c: memref<16xf32>) {
  // CHECK-COUNT-1: affine.for
  // CHECK-NOT:     affine.for
  affine.for %i = 0 to 8 {
    %x = affine.load %c[%i] : memref<16xf32>
    affine.store %x, %b[%i] : memref<16xf32>
    %y = affine.load %b[%i] : memref<16xf32>
    affine.store %y, %c[%i + 1] : memref<16xf32>
  }
  return
}

// -----

// The loaded value would have to be loaded again, after the first loop has overwritten it.
// CHECK-LABEL: func.func @value_for_both
func.func @value_for_both(%a: memref<16xf32>, %b: memref<16xf32>) {
  // CHECK-COUNT-1: affine.for
  // CHECK-NOT:     affine.for
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<16xf32>
    affine.store %x, %b[%i] : memref<16xf32>
    affine.store %x, %a[%i] : memref<16xf32>
  }
  return
}
