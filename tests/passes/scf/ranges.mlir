// RUN: dl-opt %s --scf-for-loop-range-folding | FileCheck %s --check-prefix=FOLD
// RUN: dl-opt %s --scf-for-loop-specialization | FileCheck %s --check-prefix=SPECIAL
// RUN: dl-opt %s --scf-parallel-loop-specialization | FileCheck %s --check-prefix=PARALLEL

// FOLD-LABEL: func.func @sum_and_product
//  FOLD-SAME:   (%[[N:arg[0-9]+]]: index, %{{.*}}: memref<?xindex>, %[[X:arg[0-9]+]]: index)
func.func @sum_and_product(%n: index, %m: memref<?xindex>, %x: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // FOLD:      %[[L:[0-9]+]] = arith.addi %c0, %[[X]]
  // FOLD:      %[[U:[0-9]+]] = arith.addi %[[N]], %[[X]]
  // FOLD:      %[[L4:[0-9]+]] = arith.muli %[[L]], %c4
  // FOLD:      %[[U4:[0-9]+]] = arith.muli %[[U]], %c4
  // FOLD:      %[[S4:[0-9]+]] = arith.muli %c1, %c4
  // FOLD:      scf.for %[[I:arg[0-9]+]] = %[[L4]] to %[[U4]] step %[[S4]]
  // FOLD-NEXT:   memref.store %{{.*}}, %{{.*}}[%[[I]]]
  scf.for %i = %c0 to %n step %c1 {
    %a = arith.addi %i, %x : index
    %b = arith.muli %a, %c4 : index
    memref.store %x, %m[%b] : memref<?xindex>
  }
  return
}

// FOLD-LABEL: func.func @negative_factor_stays
func.func @negative_factor_stays(%n: index, %m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %minus = arith.constant -1 : index
  // FOLD: scf.for %[[I:.*]] = %c0 to %{{.*}} step %c1
  // FOLD:   arith.muli %[[I]], %c-1
  scf.for %i = %c0 to %n step %c1 {
    %a = arith.muli %i, %minus : index
    memref.store %a, %m[%c0] : memref<?xindex>
  }
  return
}

// SPECIAL-LABEL: func.func @tile
func.func @tile(%n: index, %m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // SPECIAL:      %[[END:.*]] = affine.min
  // SPECIAL-NEXT: %[[C16:.*]] = arith.constant 16 : index
  // SPECIAL-NEXT: %[[FULL:.*]] = arith.cmpi eq, %[[END]], %[[C16]]
  // SPECIAL-NEXT: scf.if %[[FULL]]
  // SPECIAL-NEXT:   scf.for %{{.*}} = %{{.*}} to %[[C16]]
  // SPECIAL:      } else {
  // SPECIAL-NEXT:   scf.for %{{.*}} = %{{.*}} to %[[END]]
  %end = affine.min affine_map<(d0) -> (16, d0)>(%n)
  scf.for %i = %c0 to %end step %c1 {
    memref.store %i, %m[%i] : memref<?xindex>
  }
  return
}

// SPECIAL-LABEL: func.func @no_constant_bound
func.func @no_constant_bound(%n: index, %k: index, %m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // SPECIAL-NOT: scf.if
  %end = affine.min affine_map<(d0, d1) -> (d0, d1)>(%n, %k)
  scf.for %i = %c0 to %end step %c1 {
    memref.store %i, %m[%i] : memref<?xindex>
  }
  return
}

// PARALLEL-LABEL: func.func @tiles
func.func @tiles(%n: index, %m: memref<?x?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // PARALLEL:      %[[A:.*]] = arith.cmpi eq
  // PARALLEL:      %[[B:.*]] = arith.cmpi eq
  // PARALLEL-NEXT: %[[BOTH:.*]] = arith.andi %[[A]], %[[B]]
  // PARALLEL-NEXT: scf.if %[[BOTH]]
  %a = affine.min affine_map<(d0) -> (16, d0)>(%n)
  %b = affine.min affine_map<(d0) -> (8, d0)>(%n)
  scf.parallel (%i, %j) = (%c0, %c0) to (%a, %b) step (%c1, %c1) {
    memref.store %i, %m[%i, %j] : memref<?x?xindex>
  }
  return
}
