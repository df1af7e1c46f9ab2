// RUN: dl-opt %s --convert-linalg-to-loops | FileCheck %s --check-prefixes=CHECK,SCF
// RUN: dl-opt %s --convert-linalg-to-affine-loops | FileCheck %s --check-prefixes=CHECK,AFFINE
// RUN: dl-opt %s --convert-linalg-to-parallel-loops | FileCheck %s --check-prefixes=CHECK,PARALLEL

// The first operand that a loop runs over gives its extent.
// CHECK-LABEL: func.func @matmul
//  CHECK-SAME:   (%[[A:.*]]: memref<?x8xf32>, %[[B:.*]]: memref<8x4xf32>, %[[C:.*]]: memref<?x4xf32>)
func.func @matmul(%a: memref<?x8xf32>, %b: memref<8x4xf32>, %c: memref<?x4xf32>) {
  // CHECK: %[[M:.*]] = memref.dim %[[A]], %{{.*}} : memref<?x8xf32>
  // SCF: scf.for %[[I:.*]] = %{{.*}} to %[[M]] step
  // SCF: scf.for %[[J:.*]] =
  // SCF: scf.for %[[K:.*]] =
  // PARALLEL: scf.parallel (%[[I:.*]], %[[J:.*]]) =
  // PARALLEL: scf.for %[[K:.*]] =
  // AFFINE: affine.for %[[I:.*]] = 0 to %[[M]] {
  // AFFINE-NEXT: affine.for %[[J:.*]] = 0 to 4 {
  // AFFINE-NEXT: affine.for %[[K:.*]] = 0 to 8 {
  // CHECK-NEXT: %[[X:.*]] = {{.*}}load %[[A]][%[[I]], %[[K]]]
  // CHECK-NEXT: %[[Y:.*]] = {{.*}}load %[[B]][%[[K]], %[[J]]]
  // CHECK-NEXT: %[[Z:.*]] = {{.*}}load %[[C]][%[[I]], %[[J]]]
  // CHECK-NEXT: %[[P:.*]] = arith.mulf %[[X]], %[[Y]]
  // CHECK-NEXT: %[[S:.*]] = arith.addf %[[Z]], %[[P]]
  // CHECK-NEXT: {{.*}}store %[[S]], %[[C]][%[[I]], %[[J]]]
  linalg.matmul ins(%a, %b : memref<?x8xf32>, memref<8x4xf32>) outs(%c : memref<?x4xf32>)
  return
}

// What the body does not read is not loaded.
// CHECK-LABEL: func.func @fill
// CHECK-NOT: load
// CHECK: store %{{.*}}, %{{.*}}[%{{.*}}]
func.func @fill(%m: memref<8xf32>, %v: f32) {
  linalg.fill ins(%v : f32) outs(%m : memref<8xf32>)
  return
}

// A sum of loops in a map is computed; an index is the loop's variable.
// CHECK-LABEL: func.func @window
// AFFINE: affine.for %[[I:.*]] = 0 to 6 {
// AFFINE-NEXT: affine.for %[[K:.*]] = 0 to 3 {
// SCF: scf.for %[[I:.*]] =
// SCF: scf.for %[[K:.*]] =
// PARALLEL: scf.parallel (%[[I:.*]]) =
// PARALLEL: scf.for %[[K:.*]] =
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}(%[[I]], %[[K]])
// CHECK: load %{{.*}}[%[[AT]]]
// CHECK: arith.index_cast %[[K]] : index to i32
func.func @window(%x: memref<8xi32>, %k: memref<3xi32>, %o: memref<6xi32>) {
  linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %k : memref<8xi32>, memref<3xi32>) outs(%o : memref<6xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %p = arith.muli %a, %b : i32
    %q = arith.addi %p, %j : i32
    %r = arith.addi %c, %q : i32
    linalg.yield %r : i32
  }
  return
}

// Operations on tensors stay.
// CHECK-LABEL: func.func @tensors
// CHECK: linalg.fill
func.func @tensors(%t: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %r = linalg.fill ins(%v : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// Indices of a nest may be symbols of its maps, as canonicalization has them; induction variables may not.
// AFFINE-LABEL: func.func @indices_as_symbols
//       AFFINE: affine.for %[[I:.*]] = 0 to 4
//       AFFINE:   affine.for %[[J:.*]] = 0 to 5
//       AFFINE:     affine.apply #{{[a-z0-9]+}}(%[[I]], %[[J]])
func.func @indices_as_symbols(%o: memref<4x5xindex>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%o : memref<4x5xindex>) {
  ^bb0(%unused: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %at = affine.apply affine_map<()[i, j] -> (i * 5 + j)>()[%i, %j]
    linalg.yield %at : index
  }
  return
}

// Extents are asked for operand by operand.
// CHECK-LABEL: func.func @extents_in_order
//  CHECK-SAME:   (%[[A:[^:]*]]: memref<?x?xf32>, %[[B:[^:]*]]: memref<?x?xf32>
//   CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
//   CHECK-DAG:   %[[C1:.*]] = arith.constant 1 : index
//       CHECK:   memref.dim %[[A]], %[[C0]]
//  CHECK-NEXT:   memref.dim %[[A]], %[[C1]]
//  CHECK-NEXT:   memref.dim %[[B]], %[[C1]]
func.func @extents_in_order(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// An extent that changes with each iteration of a loop around is no bound of an affine loop.
// CHECK-LABEL: func.func @carried
// CHECK: scf.for
// CHECK: memref.dim
// AFFINE: scf.for
// AFFINE: memref.store
// AFFINE: affine.for %{{.*}} = 0 to 4 {
// AFFINE: affine.store
func.func @carried(%a: memref<?xf32>, %b: memref<4xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a) -> (memref<?xf32>) {
    linalg.fill ins(%v : f32) outs(%m : memref<?xf32>)
    linalg.fill ins(%v : f32) outs(%b : memref<4xf32>)
    scf.yield %m : memref<?xf32>
  }
  return
}
