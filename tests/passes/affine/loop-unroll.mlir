// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(affine-loop-unroll{unroll-factor=4}))' --split-input-file | FileCheck %s
// RUN: dl-opt %s --pass-pipeline='builtin.module(func.func(affine-loop-unroll{unroll-factor=-1}))' --split-input-file | FileCheck %s --check-prefix=FULL
// RUN: not dl-opt %s --pass-pipeline='builtin.module(func.func(affine-loop-unroll{unroll-factor=0}))' --split-input-file 2>&1 | FileCheck %s --check-prefix=ZERO

// ZERO: error: Invalid option: 'unroll-factor' should be greater than 0 or equal to -1

// CHECK-LABEL: func.func @with_rest
// FULL-LABEL: func.func @with_rest
func.func @with_rest(%m: memref<100xindex>, %x: index) -> index {
  // CHECK:         %[[R:.*]] = affine.for %[[I:.*]] = 0 to 8 step 4 iter_args(%[[A:.*]] = %{{.*}}) -> (index) {
  // CHECK-NEXT:      %[[A1:.*]] = arith.addi %[[A]], %[[I]]
  // CHECK-NEXT:      %[[I1:.*]] = affine.apply #{{.*}}(%[[I]])
  // CHECK-NEXT:      %[[A2:.*]] = arith.addi %[[A1]], %[[I1]]
  // CHECK-COUNT-2:   arith.addi
  // CHECK:         affine.for %{{.*}} = 8 to 10 iter_args(%{{.*}} = %[[R]])
  // FULL-NOT:        affine.for
  // FULL-COUNT-10:   arith.addi
  %r = affine.for %i = 0 to 10 iter_args(%a = %x) -> index {
    %s = arith.addi %a, %i : index
    affine.yield %s : index
  }
  return %r : index
}

// -----

// CHECK-LABEL: func.func @unknown_count
// FULL-LABEL: func.func @unknown_count
func.func @unknown_count(%m: memref<?xindex>, %n: index) {
  // CHECK:          affine.for %{{.*}} = 0 to #{{.*}}()[%{{.*}}] step 4
  // CHECK-COUNT-4:    affine.store
  // CHECK:          affine.for
  // CHECK:            affine.store
  // FULL:           affine.for %{{.*}} = 0 to %{{.*}} {
  affine.for %i = 0 to %n {
    affine.store %i, %m[%i] : memref<?xindex>
  }
  return
}

// -----

// The rest of the least of two counts has no affine start.
// CHECK-LABEL: func.func @least_of_two_ends
func.func @least_of_two_ends(%m: memref<?xindex>, %n: index, %k: index) {
  // CHECK-COUNT-1: affine.store
  // CHECK-NOT:     affine.store
  affine.for %i = 0 to min affine_map<()[s0, s1] -> (s0, s1)>()[%n, %k] {
    affine.store %i, %m[%i] : memref<?xindex>
  }
  return
}
