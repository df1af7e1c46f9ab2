// RUN: dl-opt %s --affine-expand-index-ops | FileCheck %s --check-prefix=ARITH
// RUN: dl-opt %s --affine-expand-index-ops-as-affine | FileCheck %s --check-prefix=MAPS

// ARITH-LABEL: func.func @apart
//  ARITH-SAME:   (%[[X:.*]]: index)
// MAPS-LABEL: func.func @apart
func.func @apart(%x: index) -> (index, index, index) {
  // ARITH-DAG: %[[C35:.*]] = arith.constant 35
  // ARITH-DAG: %[[C7:.*]] = arith.constant 7
  // ARITH:     %[[A:.*]] = arith.floordivsi %[[X]], %[[C35]]
  // ARITH:     %[[R:.*]] = arith.remsi %[[X]], %[[C35]]
  // ARITH:     arith.divsi %{{.*}}, %[[C7]]
  // ARITH:     arith.remsi %[[X]], %[[C7]]
  // MAPS-COUNT-3: affine.apply
  %r:3 = affine.delinearize_index %x into (4, 5, 7) : index, index, index
  return %r#0, %r#1, %r#2 : index, index, index
}

// ARITH-LABEL: func.func @together
//  ARITH-SAME:   (%[[A:.*]]: index, %[[B:.*]]: index, %[[N:.*]]: index)
// MAPS-LABEL: func.func @together
func.func @together(%a: index, %b: index, %n: index) -> index {
  // ARITH: %[[P:.*]] = arith.muli %[[A]], %[[N]] overflow<nsw>
  // ARITH: arith.addi %[[P]], %[[B]] overflow<nsw>
  // MAPS-COUNT-1: affine.apply
  %r = affine.linearize_index [%a, %b] by (%n) : index
  return %r : index
}
