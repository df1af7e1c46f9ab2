// RUN: dl-opt %s --affine-loop-normalize=promote-single-iter --split-input-file | FileCheck %s
// RUN: dl-opt %s --affine-loop-normalize --split-input-file | FileCheck %s --check-prefix=KEEP

// CHECK: #[[OLD:.*]] = affine_map<(d0) -> (d0 * 4 + 10)>
// CHECK-LABEL: func.func @counts_from_ten
func.func @counts_from_ten(%m: memref<100xindex>) {
  // CHECK:      affine.for %[[I:.*]] = 0 to 5 {
  // CHECK-NEXT:   %[[OLD_I:.*]] = affine.apply #[[OLD]](%[[I]])
  // CHECK-NEXT:   affine.store %[[OLD_I]], %{{.*}}[%[[OLD_I]]]
  affine.for %i = 10 to 27 step 4 {
    affine.store %i, %m[%i] : memref<100xindex>
  }
  return
}

// -----

// CHECK-LABEL: func.func @runs_once
// KEEP-LABEL: func.func @runs_once
func.func @runs_once(%m: memref<100xindex>, %n: index) -> index {
  // CHECK-NOT: affine.for
  // CHECK:     %[[C7:.*]] = arith.constant 7 : index
  // CHECK:     affine.store %[[C7]]
  // KEEP:      affine.for %{{.*}} = 0 to 1
  %r = affine.for %i = 7 to 8 iter_args(%a = %n) -> index {
    affine.store %i, %m[%i] : memref<100xindex>
    affine.yield %a : index
  }
  return %r : index
}

// -----

// CHECK-LABEL: func.func @greatest_of_two_starts
func.func @greatest_of_two_starts(%m: memref<100xindex>, %n: index) {
  // CHECK: affine.for %{{.*}} = max
  affine.for %i = max affine_map<()[s0] -> (3, s0)>()[%n] to 50 {
    affine.store %i, %m[%i] : memref<100xindex>
  }
  return
}

// -----

// CHECK-LABEL: func.func @parallel
func.func @parallel(%m: memref<100xindex>) {
  // CHECK:     affine.parallel (%[[I:.*]], %[[J:.*]]) = (0, 0) to (4, 2)
  // CHECK-DAG:   affine.apply #{{.*}}(%[[I]])
  // CHECK-DAG:   affine.apply #{{.*}}(%[[J]])
  affine.parallel (%i, %j) = (0, 1) to (10, 5) step (3, 2) {
    affine.store %i, %m[%j] : memref<100xindex>
  }
  return
}
