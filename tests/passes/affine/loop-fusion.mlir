// RUN: dl-opt %s --affine-loop-fusion --split-input-file | FileCheck %s
// RUN: dl-opt %s --affine-loop-fusion=mode=sibling --split-input-file | FileCheck %s --check-prefix=SIBLING

// CHECK-LABEL: func.func @producer
// SIBLING-LABEL: func.func @producer
func.func @producer(%a: memref<8x8xf32>, %r: memref<8x8xf32>) {
  %b = memref.alloc() : memref<8x8xf32>
  // CHECK:      affine.for %[[I:.*]] = 0 to 8 {
  // CHECK-NEXT:   affine.for %[[J:.*]] = 0 to 8 {
  // CHECK-NEXT:     affine.load %{{.*}}[%[[I]], %[[J]]]
  // CHECK:          affine.store
  // CHECK:          affine.load
  // CHECK:          affine.store
  // CHECK-NOT:  affine.for
  // SIBLING-COUNT-4: affine.for
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i, %j] : memref<8x8xf32>
      affine.store %x, %b[%i, %j] : memref<8x8xf32>
    }
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %x = affine.load %b[%i, %j] : memref<8x8xf32>
      affine.store %x, %r[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

// -----

// What is read in row i has been written in it, but further to the right: one loop of two.
// CHECK-LABEL: func.func @outer_loop_only
func.func @outer_loop_only(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %r: memref<8x8xf32>) {
  // CHECK:      affine.for %[[I:.*]] = 0 to 8 {
  // CHECK-NEXT:   affine.for
  // CHECK:        affine.for
  // CHECK-NOT:  affine.for
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i, %j] : memref<8x8xf32>
      affine.store %x, %b[%i, %j] : memref<8x8xf32>
    }
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %x = affine.load %b[%i, -%j + 7] : memref<8x8xf32>
      affine.store %x, %r[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @reads_what_comes_later
func.func @reads_what_comes_later(%a: memref<9xf32>, %r: memref<8xf32>) {
  %b = memref.alloc() : memref<9xf32>
  // CHECK-COUNT-2: affine.for
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<9xf32>
    affine.store %x, %b[%i] : memref<9xf32>
  }
  affine.for %i = 0 to 8 {
    %x = affine.load %b[%i + 1] : memref<9xf32>
    affine.store %x, %r[%i] : memref<8xf32>
  }
  return
}

// -----

// The second loop overwrites what the first one reads in a later iteration.
// CHECK-LABEL: func.func @overwrites_what_is_read_later
func.func @overwrites_what_is_read_later(%a: memref<9xf32>, %r: memref<9xf32>) {
  // CHECK-COUNT-2: affine.for
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<9xf32>
    affine.store %x, %r[%i] : memref<9xf32>
  }
  affine.for %i = 0 to 8 {
    %x = affine.load %r[%i] : memref<9xf32>
    affine.store %x, %a[%i + 1] : memref<9xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @written_between
func.func @written_between(%a: memref<8xf32>, %r: memref<8xf32>, %x: f32) {
  %b = memref.alloc() : memref<8xf32>
  %c0 = arith.constant 0 : index
  // CHECK: affine.for
  // CHECK: memref.store
  // CHECK: affine.for
  affine.for %i = 0 to 8 {
    %y = affine.load %a[%i] : memref<8xf32>
    affine.store %y, %b[%i] : memref<8xf32>
  }
  memref.store %x, %b[%c0] : memref<8xf32>
  affine.for %i = 0 to 8 {
    %y = affine.load %b[%i] : memref<8xf32>
    affine.store %y, %r[%i] : memref<8xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @sibling
// SIBLING-LABEL: func.func @sibling
func.func @sibling(%a: memref<8xf32>, %r: memref<8xf32>, %s: memref<8xf32>) {
  // CHECK-COUNT-1: affine.for
  // CHECK-NOT:     affine.for
  // SIBLING-COUNT-1: affine.for
  // SIBLING-NOT:     affine.for
  affine.for %i = 0 to 8 {
    %y = affine.load %a[%i] : memref<8xf32>
    affine.store %y, %r[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
    %y = affine.load %a[%i] : memref<8xf32>
    affine.store %y, %s[%i] : memref<8xf32>
  }
  return
}
