// RUN: dl-opt %s --allow-unregistered-dialect --canonicalize --split-input-file | FileCheck %s

// What the bounds of loops say of divisions, and of other bounds.

// CHECK-LABEL: func.func @known_quotients
//  CHECK-SAME:   (%[[A:.*]]: memref<64xf32>)
func.func @known_quotients(%a: memref<64xf32>) {
  // CHECK-NEXT: affine.for %[[I:.*]] = 8 to 16 {
  // CHECK-NEXT:   affine.load %[[A]][1]
  // CHECK-NEXT:   affine.load %[[A]][2]
  // CHECK-NEXT:   affine.load %[[A]][%[[I]]]
  // CHECK-NEXT:   affine.load %[[A]][%[[I]] mod 8]
  // CHECK-NEXT:   affine.load %[[A]][%[[I]] floordiv 9]
  affine.for %i = 8 to 16 {
    %0 = affine.load %a[%i floordiv 8] : memref<64xf32>
    %1 = affine.load %a[(%i + 1) ceildiv 8] : memref<64xf32>
    %2 = affine.load %a[%i mod 32] : memref<64xf32>
    %3 = affine.load %a[%i mod 8] : memref<64xf32>
    %4 = affine.load %a[%i floordiv 9] : memref<64xf32>
    "test.read"(%0, %1, %2, %3, %4) : (f32, f32, f32, f32, f32) -> ()
  }
  return
}

// -----

// The outer variable is a multiple of 32, the inner one less than that.
// CHECK-LABEL: func.func @known_multiples
//  CHECK-SAME:   (%[[N:.*]]: index, %[[A:.*]]: memref<?x32xf32>)
func.func @known_multiples(%n: index, %a: memref<?x32xf32>) {
  // CHECK-NEXT: affine.for %[[I:.*]] = 0 to %[[N]] step 32 {
  // CHECK-NEXT:   affine.for %[[J:.*]] = 0 to 32 {
  // CHECK-NEXT:     affine.load %[[A]][%[[I]] floordiv 32, %[[J]] mod 16]
  // CHECK-NEXT:     affine.load %[[A]][%[[I]] floordiv 64, 0]
  // CHECK-NEXT:     affine.load %[[A]][(%[[I]] + %[[J]]) floordiv 16, (%[[I]] + %[[J]]) mod 64]
  affine.for %i = 0 to %n step 32 {
    affine.for %j = 0 to 32 {
      %0 = affine.load %a[(%i + %j) floordiv 32, (%i + %j) mod 16] : memref<?x32xf32>
      %1 = affine.load %a[(%i + %j) floordiv 64, %i mod 32] : memref<?x32xf32>
      %2 = affine.load %a[(%i + %j) floordiv 16, (%i + %j) mod 64] : memref<?x32xf32>
      "test.read"(%0, %1, %2) : (f32, f32, f32) -> ()
    }
  }
  return
}

// -----

// Nothing is known of negative numbers below a multiple.
// CHECK-LABEL: func.func @negative
func.func @negative(%a: memref<64xf32>) {
  // CHECK: affine.load %{{.*}}[%{{.*}} floordiv 32 + 1]
  // CHECK: affine.load %{{.*}}[%{{.*}} mod 32]
  affine.for %i = -8 to 32 {
    %0 = affine.load %a[%i floordiv 32 + 1] : memref<64xf32>
    %1 = affine.load %a[%i mod 32] : memref<64xf32>
    "test.read"(%0, %1) : (f32, f32) -> ()
  }
  return
}

// -----

// CHECK: #[[MIN:.*]] = affine_map<(d0, d1) -> (-9, d0 * 4 - d1 * 4)>
// CHECK-LABEL: func.func @bounds
func.func @bounds(%n: index) {
  // CHECK-NEXT: affine.for %{{.*}} = 5 to 7 {
  // CHECK:      affine.for %[[I:.*]] = 0 to 2 {
  // CHECK-NEXT:   affine.for %{{.*}} = 5 to
  // CHECK:        affine.for %[[J:.*]] = 0 to 4 {
  // CHECK-NEXT:     affine.for %{{.*}} = -10 to min #[[MIN]](%[[I]], %[[J]])
  affine.for %i = max affine_map<() -> (0, 5)>() to min affine_map<() -> (7, 32)>() {
    "test.body"() : () -> ()
  }
  affine.for %i = 0 to 2 {
    affine.for %j = max affine_map<(d0) -> (5, d0 * 4)>(%i) to 10 {
      "test.body"() : () -> ()
    }
    affine.for %j = 0 to 4 {
      affine.for %k = -10 to min affine_map<(d0, d1) -> (d0 * 4 - d1 * 3, -9, d0 * 4 - d1 * 4)>(%i, %j) {
        "test.body"() : () -> ()
      }
    }
  }
  return
}

// -----

// CHECK: #[[ALL:.*]] = affine_map<()[s0, s1, s2] -> (-s0 + s1, 16, s2 * 3)>
// CHECK: #[[PLUS:.*]] = affine_map<()[s0] -> (s0 + 16)>
// CHECK-LABEL: func.func @minima
//  CHECK-SAME:   (%[[A:.*]]: index, %[[B:.*]]: index, %[[C:.*]]: index)
func.func @minima(%a: index, %b: index, %c: index) -> (index, index) {
  // CHECK-NEXT: %[[R:.*]] = affine.min #[[ALL]]()[%[[B]], %[[A]], %[[C]]]
  // CHECK-NEXT: %[[S:.*]] = affine.apply #[[PLUS]]()[%[[A]]]
  // CHECK-NEXT: return %[[R]], %[[S]]
  %0 = affine.min affine_map<(d0)[s0] -> (16, d0 - s0)>(%a)[%b]
  %1 = affine.min affine_map<(d0)[s0] -> (3 * d0, s0)>(%c)[%0]
  %2 = affine.max affine_map<()[s0] -> (s0 + 16)>()[%a]
  return %1, %2 : index, index
}

// -----

// CHECK-LABEL: func.func @runs_once
//  CHECK-SAME:   (%[[X:.*]]: index, %[[Y:.*]]: index)
func.func @runs_once(%x: index, %y: index) -> (index, index) {
  // CHECK-NEXT: return %[[Y]], %[[X]]
  %0:2 = affine.for %i = 0 to 2 step 3 iter_args(%a = %x, %b = %y) -> (index, index) {
    affine.yield %b, %a : index, index
  }
  return %0#0, %0#1 : index, index
}

// -----

// CHECK-LABEL: func.func @runs_twice
func.func @runs_twice(%x: index, %y: index) -> (index, index) {
  // CHECK: affine.for
  %0:2 = affine.for %i = 0 to 4 step 3 iter_args(%a = %x, %b = %y) -> (index, index) {
    affine.yield %b, %a : index, index
  }
  return %0#0, %0#1 : index, index
}

// -----

// CHECK-LABEL: func.func @parallel_bounds
func.func @parallel_bounds() {
  // CHECK-NEXT: affine.parallel (%[[I:.*]]) = (0) to (4) {
  // CHECK-NEXT:   affine.parallel (%{{.*}}) = (0) to (%[[I]] * 5) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  affine.parallel (%i) = (%c0) to (%c0 + %c4) {
    %0 = affine.apply affine_map<(d0) -> (d0 * 5)>(%i)
    affine.parallel (%j) = (%c0) to (%0) {
      "test.body"() : () -> ()
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @cast_of_memref
//  CHECK-SAME:   (%[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<*xf32>)
func.func @cast_of_memref(%a: memref<4xf32>, %b: memref<*xf32>) -> (f32, f32) {
  // CHECK-NEXT: %[[C:.*]] = memref.cast %[[B]]
  // CHECK-NEXT: %[[X:.*]] = affine.load %[[A]][3] : memref<4xf32>
  // CHECK-NEXT: %[[Y:.*]] = affine.load %[[C]][3] : memref<?xf32>
  // CHECK-NEXT: return %[[X]], %[[Y]]
  %0 = memref.cast %a : memref<4xf32> to memref<?xf32>
  %1 = memref.cast %b : memref<*xf32> to memref<?xf32>
  %2 = affine.load %0[3] : memref<?xf32>
  %3 = affine.load %1[3] : memref<?xf32>
  return %2, %3 : f32, f32
}

// -----

// The size of what is allocated in a loop is a symbol where it was given one.
// CHECK-LABEL: func.func @sizes_are_symbols
func.func @sizes_are_symbols(%n: index) {
  // CHECK: affine.for %{{.*}} = 0 to %{{.*}} {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to %n {
    %a = memref.alloc(%n) : memref<?xi8>
    %d = memref.dim %a, %c0 : memref<?xi8>
    affine.for %j = 0 to %d {
      "test.body"(%a) : (memref<?xi8>) -> ()
    }
  }
  return
}

// -----

// What is stored keeps its type.
// CHECK-LABEL: func.func @cast_is_stored
func.func @cast_is_stored(%a: memref<4xf32>, %b: memref<2xmemref<?xf32>>) {
  // CHECK-NEXT: %[[C:.*]] = memref.cast
  // CHECK-NEXT: affine.store %[[C]], %{{.*}}[1] : memref<2xmemref<?xf32>>
  %0 = memref.cast %a : memref<4xf32> to memref<?xf32>
  affine.store %0, %b[1] : memref<2xmemref<?xf32>>
  return
}
