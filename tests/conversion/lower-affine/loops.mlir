// RUN: dl-opt %s --lower-affine | FileCheck %s

// A bound with several results is their largest or smallest.
// CHECK-LABEL: func.func @loop_bounds
//  CHECK-SAME:   (%[[A:.*]]: index, %[[B:.*]]: index, %[[M:.*]]: memref<?xf32>, %[[V:.*]]: f32)
func.func @loop_bounds(%a: index, %b: index, %m: memref<?xf32>, %v: f32) {
  // CHECK: %[[LB:.*]] = arith.maxsi %[[A]], %[[B]]
  // CHECK: %[[NEXT:.*]] = arith.addi %[[A]], %{{.*}} : index
  // CHECK: %[[UB:.*]] = arith.minsi %[[NEXT]], %[[B]]
  // CHECK: %[[STEP:.*]] = arith.constant 3 : index
  // CHECK: scf.for %[[I:.*]] = %[[LB]] to %[[UB]] step %[[STEP]] {
  // CHECK:   memref.store %[[V]], %[[M]][%[[I]]]
  affine.for %i = max affine_map<(d0)[s0] -> (d0, s0)>(%a)[%b] to min affine_map<(d0)[s0] -> (d0 + 1, s0)>(%a)[%b] step 3 {
    affine.store %v, %m[%i] : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func.func @carried_value
//  CHECK-SAME:   (%[[X:.*]]: index)
func.func @carried_value(%x: index) -> index {
  // CHECK: %[[R:.*]] = scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %[[X]]) -> (index) {
  // CHECK:   scf.yield %[[I]] : index
  // CHECK: return %[[R]]
  %r = affine.for %i = 0 to 10 iter_args(%y = %x) -> (index) {
    affine.yield %i : index
  }
  return %r : index
}

// CHECK-LABEL: func.func @condition
//  CHECK-SAME:   (%[[A:.*]]: index, %[[B:.*]]: index, %[[V:.*]]: f32)
func.func @condition(%a: index, %b: index, %v: f32) -> f32 {
  // CHECK:      %[[C0:.*]] = arith.constant 0 : index
  // CHECK:      %[[D:.*]] = arith.addi %[[A]], %{{.*}} : index
  // CHECK-NEXT: %[[GE:.*]] = arith.cmpi sge, %[[D]], %[[C0]]
  // CHECK-NEXT: %[[EQ:.*]] = arith.cmpi eq, %[[B]], %[[C0]]
  // CHECK-NEXT: %[[BOTH:.*]] = arith.andi %[[GE]], %[[EQ]]
  // CHECK-NEXT: %[[R:.*]] = scf.if %[[BOTH]] -> (f32) {
  // CHECK-NEXT:   scf.yield %[[V]] : f32
  // CHECK-NEXT: } else {
  // CHECK:        scf.yield %{{.*}} : f32
  %r = affine.if affine_set<(d0)[s0] : (d0 - 5 >= 0, s0 == 0)>(%a)[%b] -> f32 {
    affine.yield %v : f32
  } else {
    %w = arith.addf %v, %v : f32
    affine.yield %w : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @parallel
//  CHECK-SAME:   (%[[A:.*]]: index, %[[M:.*]]: memref<10x?xf32>, %[[V:.*]]: f32)
func.func @parallel(%a: index, %m: memref<10x?xf32>, %v: f32) {
  // CHECK: %[[LB:[a-z0-9_]+]] = arith.maxsi %[[A]], %{{.*}} : index
  // CHECK: scf.parallel (%[[I:[a-z0-9]+]], %[[J:[a-z0-9]+]]) = (%{{[^,]*}}, %[[LB]]) to ({{.*}}) step ({{.*}})
  // CHECK:   memref.store %[[V]], %[[M]][%[[I]], %[[J]]]
  // CHECK:   scf.reduce
  affine.parallel (%i, %j) = (0, max(%a, 3)) to (10, %a) step (1, 2) {
    affine.store %v, %m[%i, %j] : memref<10x?xf32>
  }
  return
}

// A reduction starts with its neutral element.
// CHECK-LABEL: func.func @reductions
//  CHECK-SAME:   (%[[V:.*]]: f32)
func.func @reductions(%v: f32) -> (f32, f32) {
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK-DAG: %[[INF:.*]] = arith.constant 0xFF800000 : f32
  // CHECK:     scf.parallel {{.*}} init (%[[ZERO]], %[[INF]]) -> (f32, f32) {
  // CHECK:       scf.reduce(%[[V]], %[[V]] : f32, f32) {
  // CHECK:         %[[S:.*]] = arith.addf
  // CHECK:         scf.reduce.return %[[S]] : f32
  // CHECK:         %[[M:.*]] = arith.maximumf
  // CHECK:         scf.reduce.return %[[M]] : f32
  %r:2 = affine.parallel (%i) = (0) to (10) reduce ("addf", "maximumf") -> (f32, f32) {
    affine.yield %v, %v : f32, f32
  }
  return %r#0, %r#1 : f32, f32
}
