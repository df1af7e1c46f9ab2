// RUN: dl-opt %s --scf-parallel-loop-tiling='parallel-loop-tile-sizes=4' | FileCheck %s --check-prefix=TILE
// RUN: dl-opt %s --scf-parallel-loop-tiling='parallel-loop-tile-sizes=4 no-min-max-bounds' | FileCheck %s --check-prefix=FIXED
// RUN: dl-opt %s --scf-parallel-for-to-nested-fors | FileCheck %s --check-prefix=NEST
// RUN: not dl-opt %s --scf-parallel-loop-tiling='parallel-loop-tile-sizes=0' 2>&1 | FileCheck %s --check-prefix=ZERO

// ZERO: error: tile size cannot be 0

// TILE-LABEL: func.func @fill
// FIXED-LABEL: func.func @fill
// NEST-LABEL: func.func @fill
func.func @fill(%m: memref<64xindex>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c50 = arith.constant 50 : index
  // TILE:      scf.parallel (%[[T:.*]]) = (%c0{{.*}}) to (%[[END:.*]]) step (%[[SIZE:.*]])
  // TILE-NEXT:   %[[MIN:.*]] = affine.min #{{.*}}(%[[SIZE]], %[[END]], %[[T]])
  // TILE-NEXT:   scf.parallel (%[[I:.*]]) = (%c0{{.*}}) to (%[[MIN]]) step (%c2)
  // TILE-NEXT:     %[[S:.*]] = arith.addi %[[I]], %[[T]]
  // TILE-NEXT:     memref.store %[[S]], %{{.*}}[%[[S]]]
  // FIXED:     scf.parallel (%[[T:.*]]) = (%c0{{.*}}) to (%[[END:.*]]) step (%[[SIZE:.*]])
  // FIXED:       scf.parallel (%[[I:.*]]) = (%c0{{.*}}) to (%[[SIZE]]) step (%c2)
  // FIXED:         %[[S:.*]] = arith.addi %[[I]], %[[T]]
  // FIXED:         %[[IN:.*]] = arith.cmpi ult, %[[S]], %[[END]]
  // FIXED:         %[[ALL:.*]] = arith.andi %{{.*}}, %[[IN]]
  // FIXED:         scf.if %[[ALL]] {
  // FIXED-NEXT:      memref.store %[[S]], %{{.*}}[%[[S]]]
  // NEST:      scf.for %[[I:.*]] = %c0 to %c50 step %c2
  // NEST-NEXT:   memref.store %[[I]], %{{.*}}[%[[I]]]
  scf.parallel (%i) = (%c0) to (%c50) step (%c2) {
    memref.store %i, %m[%i] : memref<64xindex>
  }
  return
}

// A loop that reduces stays.
// TILE-LABEL: func.func @sum
// NEST-LABEL: func.func @sum
func.func @sum(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // TILE-COUNT-1: scf.parallel
  // TILE-NOT:     scf.parallel
  // NEST:         scf.parallel
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init(%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}
