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
