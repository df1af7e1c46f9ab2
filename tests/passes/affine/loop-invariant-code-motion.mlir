// RUN: dl-opt %s --affine-loop-invariant-code-motion --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @load
func.func @load(%m: memref<8xf32>, %r: memref<8xf32>) {
  // CHECK:      affine.load
  // CHECK-NEXT: affine.for
  // CHECK-NEXT:   affine.store
  affine.for %i = 0 to 8 {
    %x = affine.load %m[3] : memref<8xf32>
    affine.store %x, %r[%i] : memref<8xf32>
  }
  return
}

// -----

// Whether there is an element 3 is not known unless the loop runs.
// CHECK-LABEL: func.func @load_if_it_runs
func.func @load_if_it_runs(%m: memref<?xf32>, %r: memref<?xf32>, %n: index) {
  // CHECK:      affine.for
  // CHECK-NEXT:   affine.load
  affine.for %i = 0 to %n {
    %x = affine.load %m[3] : memref<?xf32>
    affine.store %x, %r[%i] : memref<?xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @load_of_what_is_stored
func.func @load_of_what_is_stored(%m: memref<8xf32>) {
  // CHECK:      affine.for
  // CHECK-NEXT:   affine.load
  affine.for %i = 0 to 8 {
    %x = affine.load %m[3] : memref<8xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %m[%i] : memref<8xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @store
func.func @store(%m: memref<8xf32>, %x: f32) {
  // CHECK:      affine.store
  // CHECK-NEXT: affine.for
  affine.for %i = 0 to 8 {
    affine.store %x, %m[2] : memref<8xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @call
func.func private @call_me()
func.func @call(%m: memref<8xf32>, %x: f32) {
  // CHECK:      affine.for
  // CHECK-NEXT:   affine.store
  // CHECK-NEXT:   call
  affine.for %i = 0 to 8 {
    affine.store %x, %m[2] : memref<8xf32>
    func.call @call_me() : () -> ()
  }
  return
}

// -----

// An operation of linalg has a region, and writes by itself.

// CHECK-LABEL: func.func @filled
func.func @filled(%m: memref<8xf32>, %n: memref<8xf32>, %x: f32) {
  // CHECK:      affine.for
  // CHECK-NEXT:   linalg.fill
  // CHECK-NEXT:   affine.load
  affine.for %i = 0 to 8 {
    linalg.fill ins(%x : f32) outs(%m : memref<8xf32>)
    %y = affine.load %m[2] : memref<8xf32>
    affine.store %y, %n[%i] : memref<8xf32>
  }
  return
}
