// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(affine-loop-unroll-jam{unroll-jam-factor=2}))' --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @sums_of_rows
func.func @sums_of_rows(%m: memref<9x8xf32>, %r: memref<9xf32>, %zero: f32) {
  // CHECK:      affine.for %[[I:.*]] = 0 to 8 step 2 {
  // CHECK-NEXT:   %[[S:.*]]:2 = affine.for %[[J:.*]] = 0 to 8 iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
  // CHECK-NEXT:     %[[X:.*]] = affine.load %{{.*}}[%[[I]], %[[J]]]
  // CHECK-NEXT:     %[[AX:.*]] = arith.addf %[[A]], %[[X]]
  // CHECK-NEXT:     %[[I1:.*]] = affine.apply #{{.*}}(%[[I]])
  // CHECK-NEXT:     %[[Y:.*]] = affine.load %{{.*}}[%[[I1]], %[[J]]]
  // CHECK-NEXT:     %[[BY:.*]] = arith.addf %[[B]], %[[Y]]
  // CHECK-NEXT:     affine.yield %[[AX]], %[[BY]]
  // CHECK:        affine.store %[[S]]#0, %{{.*}}[%[[I]]]
  // CHECK:        affine.store %[[S]]#1
  affine.for %i = 0 to 9 {
    %s = affine.for %j = 0 to 8 iter_args(%a = %zero) -> f32 {
      %x = affine.load %m[%i, %j] : memref<9x8xf32>
      %b = arith.addf %a, %x : f32
      affine.yield %b : f32
    }
    affine.store %s, %r[%i] : memref<9xf32>
  }
  return
}

// -----

// Row i is complete before row i + 1 begins, which reads it from the right.
// CHECK-LABEL: func.func @each_row_of_the_one_before
func.func @each_row_of_the_one_before(%m: memref<9x8xf32>) {
  // CHECK-NOT: step 2
  // CHECK:     affine.store
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %x = affine.load %m[%i, -%j + 7] : memref<9x8xf32>
      affine.store %x, %m[%i + 1, %j] : memref<9x8xf32>
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @element_above
func.func @element_above(%m: memref<9x8xf32>) {
  // CHECK: step 2
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %x = affine.load %m[%i, %j] : memref<9x8xf32>
      affine.store %x, %m[%i + 1, %j] : memref<9x8xf32>
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @carries
func.func @carries(%m: memref<8xf32>, %x: f32) -> f32 {
  // CHECK-NOT: step 2
  // CHECK:     return
  %r = affine.for %i = 0 to 8 iter_args(%a = %x) -> f32 {
    %y = affine.load %m[%i] : memref<8xf32>
    %b = arith.mulf %a, %y : f32
    affine.yield %b : f32
  }
  return %r : f32
}

// -----

// CHECK-LABEL: func.func @triangle
func.func @triangle(%m: memref<8x8xindex>) {
  // CHECK-NOT: step 2
  // CHECK:     return
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.store %i, %m[%i, %j] : memref<8x8xindex>
    }
  }
  return
}
