// RUN: dl-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(canonicalize))' --mlir-print-local-scope | FileCheck %s

// The applications become part of the maps; what may be a symbol is one; constants are part of the maps.
// CHECK-LABEL: func.func @compose
//  CHECK-SAME:   (%[[M:.*]]: memref<10x20xf32>, %[[N:.*]]: index)
func.func @compose(%m: memref<10x20xf32>, %n: index) {
  // CHECK-NEXT: affine.for %[[I:.*]] = 0 to affine_map<()[s0] -> (s0 + 1)>()[%[[N]]] {
  // CHECK-NEXT:   %[[X:.*]] = affine.load %[[M]][%[[I]] * 2 + 4, %[[I]] * 2 + symbol(%[[N]]) + 4]
  // CHECK-NEXT:   affine.store %[[X]], %[[M]][%[[I]] + 4, (%[[I]] * 2 + symbol(%[[N]]) + 4) floordiv 3]
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %end = affine.apply affine_map<(d0) -> (d0 + 1)>(%n)
  affine.for %i = affine_map<(d0) -> (d0)>(%c0) to affine_map<(d0) -> (d0)>(%end) {
    %0 = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %1 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%0, %c4)
    %2 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%1)[%n]
    %3 = affine.load %m[%1, %2] : memref<10x20xf32>
    affine.store %3, %m[%i + symbol(%c4), %2 floordiv 3] : memref<10x20xf32>
  }
  return
}

// CHECK-LABEL: func.func @fold_maps
//  CHECK-SAME:   (%[[N:.*]]: index)
func.func @fold_maps(%n: index) -> (index, index, index) {
  // CHECK-DAG: %[[C7:.*]] = arith.constant 7 : index
  // CHECK-DAG: %[[C22:.*]] = arith.constant 22 : index
  // CHECK:     return %[[N]], %[[C22]], %[[C7]]
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %id = affine.apply affine_map<(d0) -> (d0)>(%n)
  %sum = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1)>(%c4, %c10)
  %min = affine.min affine_map<(d0)[s0] -> (d0 + 3, s0)>(%c4)[%c10]
  return %id, %sum, %min : index, index, index
}

// CHECK-LABEL: func.func @sort_results
//  CHECK-SAME:   (%[[N:.*]]: index)
func.func @sort_results(%n: index) -> index {
  // CHECK-NEXT: affine.min affine_map<()[s0] -> (10, s0 + 3)>()[%[[N]]]
  %r = affine.min affine_map<()[s0] -> (s0 + 3, 10, s0 + 3)>()[%n]
  return %r : index
}

// CHECK-LABEL: func.func @idle_loops
//  CHECK-SAME:   (%[[A:.*]]: f32, %[[B:.*]]: f32)
func.func @idle_loops(%a: f32, %b: f32) -> (f32, f32) {
  // CHECK-NEXT: return %[[A]], %[[B]]
  affine.for %i = 0 to 5 {
  }
  %x = affine.for %i = 0 to 5 iter_args(%y = %a) -> f32 {
    affine.yield %y : f32
  }
  %z = affine.for %i = 0 to 5 iter_args(%y = %a) -> f32 {
    affine.yield %b : f32
  }
  return %x, %z : f32, f32
}

// Swapping the values an unknown number of times is not idle.
// CHECK-LABEL: func.func @swapping_loop
func.func @swapping_loop(%a: f32, %b: f32, %n: index) -> f32 {
  // CHECK: affine.for
  %x:2 = affine.for %i = 0 to %n iter_args(%y = %a, %z = %b) -> (f32, f32) {
    affine.yield %z, %y : f32, f32
  }
  return %x#0 : f32
}

// CHECK-LABEL: func.func @known_conditions
func.func @known_conditions() {
  // CHECK-NEXT: "test.taken"
  // CHECK-NEXT: return
  affine.if affine_set<() : (0 == 0)>() {
    "test.taken"() : () -> ()
  } else {
    "test.other"() : () -> ()
  }
  affine.if affine_set<() : (1 == 0)>() {
    "test.other"() : () -> ()
  }
  return
}
