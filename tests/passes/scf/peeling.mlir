// RUN: dl-opt %s --scf-for-loop-peeling --split-input-file | FileCheck %s
// RUN: dl-opt %s --scf-for-loop-peeling=peel-front --split-input-file | FileCheck %s --check-prefix=FRONT

// 0, 8, 16 are whole steps; 24 takes what is left.
// CHECK-LABEL: func.func @known_bounds
// FRONT-LABEL: func.func @known_bounds
func.func @known_bounds(%m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c30 = arith.constant 30 : index
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0
  // CHECK-DAG: %[[C8:.*]] = arith.constant 8
  // CHECK-DAG: %[[C24:.*]] = arith.constant 24
  // CHECK-DAG: %[[C30:.*]] = arith.constant 30
  // CHECK:      scf.for %[[I:.*]] = %[[C0]] to %[[C24]] step %[[C8]]
  // CHECK-NEXT:   memref.store %[[C8]], %{{.*}}[%[[I]]]
  // CHECK:      scf.for %[[J:.*]] = %[[C24]] to %[[C30]] step %[[C8]]
  // CHECK-NEXT:   %[[REST:.*]] = affine.apply #{{.*}}(%[[J]])
  // CHECK-NEXT:   memref.store %[[REST]], %{{.*}}[%[[J]]]
  // FRONT:      scf.for %{{.*}} = %[[C0:.*]] to %[[C8:.*]] step %[[C8]]
  // FRONT:      scf.for %{{.*}} = %[[C8]] to %{{.*}} step %[[C8]]
  scf.for %i = %c0 to %c30 step %c8 {
    %size = affine.min affine_map<(d0) -> (8, 30 - d0)>(%i)
    memref.store %size, %m[%i] : memref<?xindex>
  }
  return
}

// -----

// CHECK-LABEL: func.func @whole_steps_only
func.func @whole_steps_only(%m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  // CHECK-COUNT-1: scf.for
  // CHECK-NOT:     scf.for
  scf.for %i = %c0 to %c32 step %c8 {
    memref.store %i, %m[%i] : memref<?xindex>
  }
  return
}

// -----

// CHECK-LABEL: func.func @unsigned_loops_stay
func.func @unsigned_loops_stay(%m: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  // CHECK-COUNT-1: scf.for
  // CHECK-NOT:     scf.for
  scf.for unsigned %i = %c0 to %n step %c8 {
    memref.store %i, %m[%i] : memref<?xindex>
  }
  return
}

// -----

// The range may be empty, or end before it starts: there is no rest then, and no first iteration.
// CHECK-LABEL: func.func @unknown_bounds(
//  CHECK-SAME:   %{{[a-z0-9]+}}: memref<?xindex>, %[[LOWER:[a-z0-9]+]]: index, %[[UPPER:[a-z0-9]+]]: index)
// FRONT-LABEL: func.func @unknown_bounds(
//  FRONT-SAME:   %{{[a-z0-9]+}}: memref<?xindex>, %[[LOWER:[a-z0-9]+]]: index, %[[UPPER:[a-z0-9]+]]: index)
func.func @unknown_bounds(%m: memref<?xindex>, %lower: index, %upper: index) {
  %c8 = arith.constant 8 : index
  // CHECK: %[[SPLIT:.*]] = affine.apply
  // CHECK: %[[START:.*]] = arith.maxsi %[[SPLIT]], %[[LOWER]] : index
  // CHECK: scf.for %{{[a-z0-9]+}} = %[[LOWER]] to %[[SPLIT]] step
  // CHECK: scf.for %{{[a-z0-9]+}} = %[[START]] to %[[UPPER]] step
  // FRONT: %[[SPLIT:.*]] = affine.apply
  // FRONT: %[[END:.*]] = arith.minsi %[[SPLIT]], %[[UPPER]] : index
  // FRONT: scf.for %{{[a-z0-9]+}} = %[[LOWER]] to %[[END]] step
  // FRONT: scf.for %{{[a-z0-9]+}} = %[[SPLIT]] to %[[UPPER]] step
  scf.for %i = %lower to %upper step %c8 {
    memref.store %i, %m[%i] : memref<?xindex>
  }
  return
}

// -----

// An affine expression would be of indices. Nothing overflows here: the distance of the bounds has no sign.
// CHECK-LABEL: func.func @integers(
//  CHECK-SAME:   %{{[a-z0-9]+}}: memref<?xi32>, %[[LOWER:[a-z0-9]+]]: i32, %[[UPPER:[a-z0-9]+]]: i32, %[[STEP:[a-z0-9]+]]: i32)
//       CHECK:   %[[END:.*]] = arith.maxsi %[[UPPER]], %[[LOWER]] : i32
//       CHECK:   %[[DISTANCE:.*]] = arith.subi %[[END]], %[[LOWER]] : i32
//       CHECK:   %[[REST:.*]] = arith.remui %[[DISTANCE]], %[[STEP]] : i32
//       CHECK:   %[[SPLIT:.*]] = arith.subi %[[END]], %[[REST]] : i32
//       CHECK:   scf.for %{{[a-z0-9]+}} = %[[LOWER]] to %[[SPLIT]] step %[[STEP]] : i32
//       CHECK:   scf.for %{{[a-z0-9]+}} = %[[SPLIT]] to %[[UPPER]] step %[[STEP]] : i32
// FRONT-LABEL: func.func @integers(
//  FRONT-SAME:   %{{[a-z0-9]+}}: memref<?xi32>, %[[LOWER:[a-z0-9]+]]: i32, %[[UPPER:[a-z0-9]+]]: i32, %[[STEP:[a-z0-9]+]]: i32)
//       FRONT:   %[[END:.*]] = arith.maxsi %[[UPPER]], %[[LOWER]] : i32
//       FRONT:   %[[DISTANCE:.*]] = arith.subi %[[END]], %[[LOWER]] : i32
//       FRONT:   %[[FIRST:.*]] = arith.minui %[[DISTANCE]], %[[STEP]] : i32
//       FRONT:   %[[SPLIT:.*]] = arith.addi %[[LOWER]], %[[FIRST]] : i32
//       FRONT:   scf.for %{{[a-z0-9]+}} = %[[LOWER]] to %[[SPLIT]] step %[[STEP]] : i32
//       FRONT:   scf.for %{{[a-z0-9]+}} = %[[SPLIT]] to %[[UPPER]] step %[[STEP]] : i32
func.func @integers(%m: memref<?xi32>, %lower: i32, %upper: i32, %step: i32) {
  scf.for %i = %lower to %upper step %step : i32 {
    %at = arith.index_cast %i : i32 to index
    memref.store %i, %m[%at] : memref<?xi32>
  }
  return
}

// -----

// 0, 8, 16 and 24 in eight bits, as known as indices are.
// CHECK-LABEL: func.func @known_integers
//   CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : i8
//   CHECK-DAG:   %[[C24:.*]] = arith.constant 24 : i8
//   CHECK-DAG:   %[[C30:.*]] = arith.constant 30 : i8
//       CHECK:   scf.for %{{[a-z0-9]+}} = %[[C0]] to %[[C24]] step
//       CHECK:   scf.for %{{[a-z0-9]+}} = %[[C24]] to %[[C30]] step
func.func @known_integers(%m: memref<?xi8>) {
  %c0 = arith.constant 0 : i8
  %c8 = arith.constant 8 : i8
  %c30 = arith.constant 30 : i8
  scf.for %i = %c0 to %c30 step %c8 : i8 {
    %at = arith.index_cast %i : i8 to index
    memref.store %i, %m[%at] : memref<?xi8>
  }
  return
}
