// RUN: dl-opt %s --lower-affine | FileCheck %s

// CHECK-LABEL: func.func @linearize
//  CHECK-SAME:   (%[[I:.*]]: index, %[[J:.*]]: index, %[[K:.*]]: index, %[[N:.*]]: index)
func.func @linearize(%i: index, %j: index, %k: index, %n: index) -> index {
  // CHECK:      %[[S:.*]] = arith.muli %[[N]], %{{.*}} overflow<nsw, nuw> : index
  // CHECK-NEXT: %[[A:.*]] = arith.muli %[[I]], %[[S]] overflow<nsw> : index
  // CHECK-NEXT: %[[B:.*]] = arith.muli %[[J]], %{{.*}} overflow<nsw> : index
  // CHECK-NEXT: %[[AB:.*]] = arith.addi %[[A]], %[[B]] overflow<nsw> : index
  // CHECK-NEXT: %[[R:.*]] = arith.addi %[[AB]], %[[K]] overflow<nsw> : index
  // CHECK-NEXT: return %[[R]]
  %0 = affine.linearize_index disjoint [%i, %j, %k] by (%n, 5) : index
  return %0 : index
}

// Terms that do not change in the loop are added first.
// CHECK-LABEL: func.func @linearize_in_loop
//  CHECK-SAME:   (%[[J:.*]]: index, %[[N:.*]]: index, %[[M:.*]]: memref<?xf32>, %[[V:.*]]: f32)
func.func @linearize_in_loop(%j: index, %n: index, %m: memref<?xf32>, %v: f32) {
  // CHECK: scf.for %[[I:.*]] =
  // CHECK:   %[[A:.*]] = arith.muli %[[I]], %{{.*}} overflow<nsw> : index
  // CHECK:   %[[R:.*]] = arith.addi %[[J]], %[[A]] overflow<nsw> : index
  // CHECK:   memref.store %[[V]], %[[M]][%[[R]]]
  affine.for %i = 0 to 8 {
    %0 = affine.linearize_index [%i, %j] by (5) : index
    memref.store %v, %m[%0] : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func.func @delinearize
//  CHECK-SAME:   (%[[L:.*]]: index, %[[N:.*]]: index)
func.func @delinearize(%l: index, %n: index) -> (index, index, index) {
  // CHECK: %[[S:.*]] = arith.muli %[[N]], %{{.*}} overflow<nsw, nuw> : index
  // CHECK: %[[A:.*]] = arith.floordivsi %[[L]], %[[S]]
  // CHECK: %[[R:.*]] = arith.remsi %[[L]], %[[S]]
  // CHECK: %[[RES:.*]] = arith.select %{{.*}}, %{{.*}}, %[[R]]
  // CHECK: %[[B:.*]] = arith.divsi %[[RES]], %[[C6:.*]] : index
  // CHECK: %[[Q:.*]] = arith.remsi %[[L]], %[[C6]]
  // CHECK: %[[C:.*]] = arith.select %{{.*}}, %{{.*}}, %[[Q]]
  // CHECK: return %[[A]], %[[B]], %[[C]]
  %0:3 = affine.delinearize_index %l into (4, %n, 6) : index, index, index
  return %0#0, %0#1, %0#2 : index, index, index
}
