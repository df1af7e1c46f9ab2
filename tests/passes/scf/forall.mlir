// RUN: dl-opt %s --scf-forall-to-for --split-input-file | FileCheck %s --check-prefix=FOR
// RUN: dl-opt %s --scf-forall-to-parallel --split-input-file | FileCheck %s --check-prefix=PARALLEL

// FOR-LABEL: func.func @fill
//  FOR-SAME:   (%[[N:.*]]: index, %[[M:.*]]: memref
// PARALLEL-LABEL: func.func @fill
//  PARALLEL-SAME:   (%[[N:.*]]: index, %[[M:.*]]: memref
func.func @fill(%n: index, %m: memref<?x?xindex>) {
  // FOR-DAG: %[[C2:.*]] = arith.constant 2
  // FOR-DAG: %[[C9:.*]] = arith.constant 9
  // FOR:     scf.for %[[I:.*]] = %{{.*}} to %[[N]] step
  // FOR:       scf.for %[[J:.*]] = %[[C2]] to %[[C9]] step
  // FOR-NEXT:    memref.store %[[I]], %[[M]][%[[I]], %[[J]]]
  // FOR-NOT:   in_parallel
  // PARALLEL:      scf.parallel (%[[I:.*]], %[[J:.*]]) = (%{{.*}}, %{{.*}}) to (%[[N]], %{{.*}})
  // PARALLEL-NEXT:   memref.store %[[I]], %[[M]][%[[I]], %[[J]]]
  // PARALLEL-NEXT:   scf.reduce
  // PARALLEL:      mapping = [#gpu.thread<x>, #gpu.thread<y>]
  scf.forall (%i, %j) = (0, 2) to (%n, 9) step (1, 3) {
    memref.store %i, %m[%i, %j] : memref<?x?xindex>
  } {mapping = [#gpu.thread<x>, #gpu.thread<y>]}
  return
}
