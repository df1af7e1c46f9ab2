// RUN: dl-opt %s --affine-loop-interchange --split-input-file | FileCheck %s
// RUN: dl-opt %s --affine-loop-interchange=permutation=1,0 --split-input-file | FileCheck %s --check-prefix=GIVEN

// CHECK-LABEL: func.func @columns
// GIVEN-LABEL: func.func @columns
func.func @columns(%m: memref<8x6xindex>) {
  // CHECK:      affine.for %[[J:.*]] = 0 to 8 {
  // CHECK-NEXT:   affine.for %[[I:.*]] = 0 to 6 {
  // CHECK-NEXT:     affine.store %[[I]], %{{.*}}[%[[J]], %[[I]]]
  // GIVEN:      affine.for %{{.*}} = 0 to 8 {
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 8 {
      affine.store %i, %m[%j, %i] : memref<8x6xindex>
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @rows
// GIVEN-LABEL: func.func @rows
func.func @rows(%m: memref<8x6xindex>) {
  // CHECK:      affine.for %{{.*}} = 0 to 8 {
  // CHECK-NEXT:   affine.for %{{.*}} = 0 to 6 {
  // GIVEN:      affine.for %{{.*}} = 0 to 6 {
  // GIVEN-NEXT:   affine.for %{{.*}} = 0 to 8 {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 6 {
      affine.store %i, %m[%i, %j] : memref<8x6xindex>
    }
  }
  return
}

// -----

// Distance (1, -1) would become (-1, 1).
// CHECK-LABEL: func.func @backward
// GIVEN-LABEL: func.func @backward
func.func @backward(%m: memref<9x8xf32>) {
  // CHECK:      affine.for %{{.*}} = 0 to 7 {
  // CHECK-NEXT:   affine.for %{{.*}} = 1 to 8 {
  // GIVEN:      affine.for %{{.*}} = 0 to 7 {
  // GIVEN-NEXT:   affine.for %{{.*}} = 1 to 8 {
  affine.for %j = 0 to 7 {
    affine.for %i = 1 to 8 {
      %x = affine.load %m[%i, %j] : memref<9x8xf32>
      affine.store %x, %m[%i - 1, %j + 1] : memref<9x8xf32>
    }
  }
  return
}
