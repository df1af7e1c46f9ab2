// RUN: dl-opt %s --affine-scalrep --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @store_to_load
//  CHECK-SAME:   (%[[X:.*]]: f32
func.func @store_to_load(%x: f32, %r: memref<8xf32>) {
  // CHECK-NOT:  memref.alloc
  // CHECK:      affine.for
  // CHECK-NEXT:   %[[Y:.*]] = arith.addf %[[X]], %[[X]]
  // CHECK-NEXT:   affine.store %[[Y]]
  %m = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {
    affine.store %x, %m[%i] : memref<8xf32>
    %y = affine.load %m[%i] : memref<8xf32>
    %z = arith.addf %y, %y : f32
    affine.store %z, %r[%i] : memref<8xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @another_element_is_written_between
//  CHECK-SAME:   (%[[X:.*]]: f32, %[[W:.*]]: f32
func.func @another_element_is_written_between(%x: f32, %w: f32, %m: memref<17xf32>, %r: memref<8xf32>) {
  // CHECK: affine.store %[[X]], %{{.*}}[%{{.*}} * 2 + 1] : memref<17xf32>
  // CHECK: affine.store %[[W]]
  // CHECK: affine.store %[[X]], %{{.*}}[%{{.*}}] : memref<8xf32>
  affine.for %i = 0 to 8 {
    affine.store %x, %m[%i * 2 + 1] : memref<17xf32>
    affine.store %w, %m[%i * 2] : memref<17xf32>
    %y = affine.load %m[%i * 2 + 1] : memref<17xf32>
    affine.store %y, %r[%i] : memref<8xf32>
  }
  return
}

// -----

// The inner loop overwrites it.
// CHECK-LABEL: func.func @overwritten_between
func.func @overwritten_between(%x: f32, %w: f32, %m: memref<8xf32>, %r: memref<8xf32>) {
  // CHECK: %[[Y:.*]] = affine.load
  // CHECK: affine.store %[[Y]]
  affine.for %i = 0 to 8 {
    affine.store %x, %m[%i] : memref<8xf32>
    affine.for %j = 0 to 8 {
      affine.store %w, %m[%j] : memref<8xf32>
    }
    %y = affine.load %m[%i] : memref<8xf32>
    affine.store %y, %r[%i] : memref<8xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @overwritten_store
//  CHECK-SAME:   (%[[X:.*]]: f32, %[[W:.*]]: f32
func.func @overwritten_store(%x: f32, %w: f32, %m: memref<8xf32>) {
  // CHECK-NOT: affine.store %[[X]]
  // CHECK:     affine.store %[[W]]
  affine.for %i = 0 to 8 {
    affine.store %x, %m[%i] : memref<8xf32>
    affine.store %w, %m[%i] : memref<8xf32>
  }
  return
}

// -----

// Another buffer may be the same one.
// CHECK-LABEL: func.func @read_by_another_name
func.func @read_by_another_name(%x: f32, %w: f32, %m: memref<8xf32>, %n: memref<8xf32>, %r: memref<8xf32>) {
  // CHECK-COUNT-3: affine.store
  affine.for %i = 0 to 8 {
    affine.store %x, %m[%i] : memref<8xf32>
    %y = affine.load %n[%i] : memref<8xf32>
    affine.store %w, %m[%i] : memref<8xf32>
    affine.store %y, %r[%i] : memref<8xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @two_loads
func.func @two_loads(%m: memref<8xf32>, %r: memref<8xf32>) {
  // CHECK-COUNT-1: affine.load
  // CHECK-NOT:     affine.load
  affine.for %i = 0 to 8 {
    %x = affine.load %m[%i] : memref<8xf32>
    %y = affine.load %m[%i] : memref<8xf32>
    %z = arith.addf %x, %y : f32
    affine.store %z, %r[%i] : memref<8xf32>
  }
  return
}
