// RUN: dl-opt %s --loop-invariant-code-motion --allow-unregistered-dialect | FileCheck %s

// All the way out of the nest, in the order of the dependences.
// CHECK-LABEL: func.func @nest
//  CHECK-SAME:   (%[[LB:.*]]: index, %[[UB:.*]]: index, %[[STEP:.*]]: index, %[[A:.*]]: index)
//  CHECK-NEXT:   %[[SUM:.*]] = arith.addi %[[A]], %[[A]]
//  CHECK-NEXT:   %[[PRODUCT:.*]] = arith.muli %[[SUM]], %[[A]]
//  CHECK-NEXT:   scf.for %[[I:.*]] = %[[LB]]
//  CHECK-NEXT:     %[[OUTER:.*]] = arith.addi %[[I]], %[[PRODUCT]]
//  CHECK-NEXT:     scf.for %[[J:.*]] = %[[LB]]
//  CHECK-NEXT:       %[[INNER:.*]] = arith.addi %[[J]], %[[OUTER]]
//  CHECK-NEXT:       "foo.use"(%[[INNER]])
func.func @nest(%lb: index, %ub: index, %step: index, %a: index) {
  scf.for %i = %lb to %ub step %step {
    scf.for %j = %lb to %ub step %step {
      %sum = arith.addi %a, %a : index
      %product = arith.muli %sum, %a : index
      %outer = arith.addi %i, %product : index
      %inner = arith.addi %j, %outer : index
      "foo.use"(%inner) : (index) -> ()
      scf.yield
    }
  }
  return
}

// Not what may trap (the loop may run zero times), nor what has effects.
// CHECK-LABEL: func.func @stays
//  CHECK-NEXT:   scf.for
//  CHECK-NEXT:     arith.divsi
//  CHECK-NEXT:     "foo.effect"
func.func @stays(%lb: index, %ub: index, %step: index, %a: index, %b: index) {
  scf.for %i = %lb to %ub step %step {
    %q = arith.divsi %a, %b : index
    %e = "foo.effect"(%q) : (index) -> index
    scf.yield
  }
  return
}

// A division by a constant that is neither 0 nor -1 does no harm, and neither does the size of a dimension that is there.
// CHECK-LABEL: func.func @harmless
//       CHECK:   arith.divsi
//  CHECK-NEXT:   arith.divui
//  CHECK-NEXT:   arith.ceildivsi
//  CHECK-NEXT:   arith.divui %{{.*}} : vector<2xi32>
//  CHECK-NEXT:   tensor.dim
//  CHECK-NEXT:   memref.dim
//  CHECK-NEXT:   scf.for
func.func @harmless(%n: index, %a: i32, %v: vector<2xi32>, %t: tensor<?xf32>, %m: memref<?xf32>) {
  %five = arith.constant 5 : i32
  %both = arith.constant dense<[3, 4]> : vector<2xi32>
  %c0 = arith.constant 0 : index
  scf.for %i = %n to %n step %n {
    %0 = arith.divsi %a, %five : i32
    %1 = arith.divui %a, %five : i32
    %2 = arith.ceildivsi %a, %five : i32
    %3 = arith.divui %v, %both : vector<2xi32>
    %4 = tensor.dim %t, %c0 : tensor<?xf32>
    %5 = memref.dim %m, %c0 : memref<?xf32>
    "foo.use"(%0, %1, %2, %3, %4, %5) : (i32, i32, i32, vector<2xi32>, index, index) -> ()
  }
  return
}

// CHECK-LABEL: func.func @harmful
//       CHECK:   scf.for
//       CHECK:     arith.divsi
//       CHECK:     arith.divui
//       CHECK:     arith.divui %{{.*}} : vector<2xi32>
//       CHECK:     tensor.dim
//       CHECK:     memref.dim
func.func @harmful(%n: index, %a: i32, %v: vector<2xi32>, %t: tensor<?xf32>, %m: memref<?xf32>) {
  %minus = arith.constant -1 : i32
  %zero = arith.constant 0 : i32
  %both = arith.constant dense<[3, 0]> : vector<2xi32>
  %c1 = arith.constant 1 : index
  scf.for %i = %n to %n step %n {
    %0 = arith.divsi %a, %minus : i32
    %1 = arith.divui %a, %zero : i32
    %2 = arith.divui %v, %both : vector<2xi32>
    %3 = tensor.dim %t, %n : tensor<?xf32>
    %4 = memref.dim %m, %c1 : memref<?xf32>
    "foo.use"(%0, %1, %2, %3, %4) : (i32, i32, vector<2xi32>, index, index) -> ()
  }
  return
}

// A loop that is the same in each iteration leaves, if it has no effect and comes to its end: with a step that is not known it may not.
// CHECK-LABEL: func.func @loops
//       CHECK:   %[[X:.*]] = scf.for
//       CHECK:   %[[Y:.*]] = affine.for
//       CHECK:   scf.for
//       CHECK:     %[[Z:.*]] = scf.for
//       CHECK:     "foo.use"(%[[X]], %[[Y]], %[[Z]])
func.func @loops(%n: index, %a: i32) {
  %c1 = arith.constant 1 : index
  scf.for %i = %n to %n step %n {
    %x = scf.for %j = %n to %n step %c1 iter_args(%v = %a) -> (i32) {
      %w = arith.addi %v, %a : i32
      scf.yield %w : i32
    }
    %y = affine.for %j = 0 to %n iter_args(%v = %a) -> (i32) {
      %w = arith.addi %v, %a : i32
      affine.yield %w : i32
    }
    %z = scf.for %j = %n to %n step %n iter_args(%v = %a) -> (i32) {
      %w = arith.addi %v, %a : i32
      scf.yield %w : i32
    }
    "foo.use"(%x, %y, %z) : (i32, i32, i32) -> ()
  }
  return
}
