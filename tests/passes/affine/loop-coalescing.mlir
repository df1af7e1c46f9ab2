// RUN: dl-opt %s --affine-loop-coalescing --canonicalize --split-input-file | FileCheck %s

// CHECK-DAG: #[[INNER:.*]] = affine_map<(d0) -> (d0 mod 8)>
// CHECK-DAG: #[[OUTER:.*]] = affine_map<(d0) -> (d0 floordiv 8)>
// CHECK-LABEL: func.func @constant_bounds
//       CHECK:   affine.for %[[I:.*]] = 0 to 32 {
//   CHECK-DAG:     affine.apply #[[INNER]](%[[I]])
//   CHECK-DAG:     affine.apply #[[OUTER]](%[[I]])
//   CHECK-NOT:   affine.for
//       CHECK:   return
func.func @constant_bounds() {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  return
}

// -----

// 3 iterations by 4.
// CHECK-LABEL: func.func @starts_and_steps
//       CHECK:   affine.for %{{.*}} = 0 to 12 {
//   CHECK-NOT:   affine.for
//       CHECK:   return
func.func @starts_and_steps() {
  affine.for %i = 5 to 11 step 2 {
    affine.for %j = -1 to 3 {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  return
}

// -----

// Each count is taken to be at least zero: two loops that end before they start run nothing.
// CHECK-LABEL: func.func @symbols
//  CHECK-SAME:   (%[[M:.*]]: index, %[[N:.*]]: index)
//   CHECK-DAG:   affine.max #{{.*}}()[%[[M]]]
//   CHECK-DAG:   affine.max #{{.*}}()[%[[N]]]
//       CHECK:   affine.for
//   CHECK-NOT:   affine.for
//       CHECK:   return
func.func @symbols(%m: index, %n: index) {
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @triangle
// CHECK-COUNT-2: affine.for
func.func @triangle() {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @not_alone
// CHECK-COUNT-2: affine.for
func.func @not_alone() {
  affine.for %i = 0 to 4 {
    "test.use"(%i, %i) : (index, index) -> ()
    affine.for %j = 0 to 8 {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  return
}

// -----

// The two inner loops only.
// CHECK-LABEL: func.func @inner_loops
//       CHECK:   affine.for
//       CHECK:     affine.for %{{.*}} = 0 to 32 {
//   CHECK-NOT:   affine.for
//       CHECK:   return
func.func @inner_loops(%n: index) {
  affine.for %i = 0 to %n {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + 4)>(%i) {
      affine.for %k = 0 to 8 {
        "test.use"(%j, %k) : (index, index) -> ()
      }
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @scf
//  CHECK-SAME:   (%[[X:.*]]: f32)
//   CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
//   CHECK-DAG:   %[[C1:.*]] = arith.constant 1 : index
//   CHECK-DAG:   %[[N:.*]] = arith.constant 24 : index
//       CHECK:   %[[R:.*]] = scf.for %[[I:[^ ]*]] = %[[C0]] to %[[N]] step %[[C1]] iter_args(%[[A:[^ ]*]] = %[[X]])
//       CHECK:     %[[P:.*]]:3 = affine.delinearize_index %[[I]] into (2, 3, 4)
//   CHECK-DAG:     %[[J:.*]] = affine.apply #{{.*}}(%[[P]]#0)
//   CHECK-DAG:     %[[K:.*]] = affine.apply #{{.*}}(%[[P]]#2)
//       CHECK:     %[[Y:.*]] = "test.use"(%[[J]], %[[P]]#1, %[[K]], %[[A]])
//       CHECK:     scf.yield %[[Y]]
//       CHECK:   return %[[R]]
func.func @scf(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %0 = scf.for %i = %c1 to %c5 step %c2 iter_args(%a = %x) -> (f32) {
    %1 = scf.for %j = %c0 to %c3 step %c1 iter_args(%b = %a) -> (f32) {
      %2 = scf.for %k = %c1 to %c5 step %c1 iter_args(%c = %b) -> (f32) {
        %y = "test.use"(%i, %j, %k, %c) : (index, index, index, f32) -> f32
        scf.yield %y : f32
      }
      scf.yield %2 : f32
    }
    scf.yield %1 : f32
  }
  return %0 : f32
}

// -----

// Two numbers of iterations below zero are none, not their product; one stays, for its product with others is not above zero.
// CHECK-LABEL: func.func @scf_bounds
//  CHECK-SAME:   (%[[M:.*]]: index, %[[N:.*]]: index)
//       CHECK:   %[[A:.*]] = arith.maxsi %[[M]], %{{.*}} : index
//       CHECK:   %[[B:.*]] = arith.maxsi %[[N]], %{{.*}} : index
//       CHECK:   %[[T:.*]] = arith.muli %[[A]], %[[B]] : index
//       CHECK:   scf.for %[[I:.*]] = %{{.*}} to %[[T]] step
//       CHECK:     affine.delinearize_index %[[I]] into (%[[A]], %[[B]])
//       CHECK:   %[[S:.*]] = arith.muli %[[N]], %{{.*}} : index
//       CHECK:   scf.for %[[J:.*]] = %{{.*}} to %[[S]] step
//       CHECK:     affine.delinearize_index %[[J]] into (4, %[[N]])
func.func @scf_bounds(%m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  return
}

// -----

// What the outer loop counts says how far the inner one does; the inner one gives something else back; the step is not known, and no number to
// divide by where the loop does not run.
// CHECK-LABEL: func.func @scf_kept
//       CHECK:   scf.for
//       CHECK:     scf.for
//       CHECK:   scf.for
//       CHECK:     scf.for
//       CHECK:   scf.for
//       CHECK:     scf.for
func.func @scf_kept(%n: index, %s: index, %x: f32, %y: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %i step %c1 {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (f32, f32) {
    %1:2 = scf.for %j = %c0 to %n step %c1 iter_args(%c = %a, %d = %b) -> (f32, f32) {
      %z = "test.use"(%i, %j, %c) : (index, index, f32) -> f32
      scf.yield %z, %d : f32, f32
    }
    scf.yield %1#1, %1#0 : f32, f32
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %s {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  return %0#0, %0#1 : f32, f32
}

// -----

// Sizes are never below zero; of one number that may be, the product is not above zero.
// CHECK-LABEL: func.func @sizes
//   CHECK-NOT:   affine.max
//       CHECK:   affine.for
//   CHECK-NOT:   affine.for
//       CHECK:   return
func.func @sizes(%m: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %s = memref.dim %m, %c0 : memref<?xf32>
  affine.for %i = 0 to %s {
    affine.for %j = 0 to %n {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  return
}

// -----

// A loop that gives back what it is given carries nothing.
// CHECK-LABEL: func.func @given_back
//  CHECK-SAME:   (%[[M:.*]]: memref<8xi64>, %[[X:.*]]: i64)
//       CHECK:   affine.for
//   CHECK-NOT:   affine.for
//       CHECK:     affine.store %[[X]], %[[M]]
//       CHECK:   return
func.func @given_back(%m: memref<8xi64>, %x: i64) {
  affine.for %i = 0 to 4 {
    %0 = affine.for %j = 0 to 8 iter_args(%n = %m) -> (memref<8xi64>) {
      affine.store %x, %n[%j] : memref<8xi64>
      affine.yield %n : memref<8xi64>
    }
  }
  return
}
