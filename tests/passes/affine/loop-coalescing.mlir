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
