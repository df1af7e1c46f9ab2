// RUN: dl-opt %s --affine-raise-from-memref | FileCheck %s --check-prefix=RAISE
// RUN: dl-opt %s --affine-fold-memref-alias-ops | FileCheck %s --check-prefix=ALIAS
// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(affine-simplify-min-max))' | FileCheck %s --check-prefix=MIN

// RAISE-LABEL: func.func @sums
func.func @sums(%m: memref<?xf32>, %n: index, %x: f32) {
  %c2 = arith.constant 2 : index
  // RAISE: affine.for %[[I:.*]] =
  affine.for %i = 0 to %n {
    %a = arith.muli %i, %c2 : index
    %b = arith.addi %a, %n : index
    // RAISE: affine.store %{{.*}}, %{{.*}}[%[[I]] * 2 + symbol(%{{.*}})]
    memref.store %x, %m[%b] : memref<?xf32>
    %q = arith.muli %i, %i : index
    // RAISE: memref.store
    memref.store %x, %m[%q] : memref<?xf32>
  }
  return
}

// ALIAS-LABEL: func.func @of_views
//  ALIAS-SAME:   (%[[M:.*]]: memref<12x32xf32>
func.func @of_views(%m: memref<12x32xf32>, %k: index, %s: index) -> (f32, f32) {
  %v = memref.subview %m[%k, 0] [4, 4] [2, 1] : memref<12x32xf32> to memref<4x4xf32, strided<[64, 1], offset: ?>>
  // ALIAS: %[[I:.*]] = affine.apply #{{.*}}()[%{{.*}}]
  // ALIAS: affine.load %[[M]][%[[I]], %{{.*}}] : memref<12x32xf32>
  %x = affine.load %v[1, 3] : memref<4x4xf32, strided<[64, 1], offset: ?>>
  // The product with a step that is not known is not affine.
  %w = memref.subview %m[0, 0] [4, 4] [%s, 1] : memref<12x32xf32> to memref<4x4xf32, strided<[?, 1]>>
  // ALIAS: affine.load %{{.*}}[1, 3] : memref<4x4xf32, strided<[?, 1]>>
  %y = affine.load %w[1, 3] : memref<4x4xf32, strided<[?, 1]>>
  return %x, %y : f32, f32
}

// MIN-LABEL: func.func @least
func.func @least(%m: memref<?xindex>) {
  // MIN: affine.for %[[I:.*]] = 0 to 10
  affine.for %i = 0 to 10 {
    // MIN: affine.store %[[I]], %{{.*}}[0]
    %a = affine.min affine_map<(d0) -> (d0, 9)>(%i)
    affine.store %a, %m[0] : memref<?xindex>
    // MIN: affine.min
    %b = affine.min affine_map<(d0) -> (d0, 8)>(%i)
    affine.store %b, %m[1] : memref<?xindex>
  }
  return
}
