// RUN: dl-opt %s --lower-affine | FileCheck %s

// CHECK-LABEL: func.func @apply
//  CHECK-SAME:   (%[[A:.*]]: index, %[[B:.*]]: index)
func.func @apply(%a: index, %b: index) -> index {
  // CHECK:      %[[C3:.*]] = arith.constant 3 : index
  // CHECK-NEXT: %[[M:.*]] = arith.muli %[[A]], %[[C3]] overflow<nsw> : index
  // CHECK:      %[[N:.*]] = arith.muli %[[B]], %{{.*}} overflow<nsw> : index
  // CHECK-NEXT: %[[S:.*]] = arith.addi %[[M]], %[[N]] : index
  // CHECK:      %[[C5:.*]] = arith.constant 5 : index
  // CHECK-NEXT: %[[R:.*]] = arith.addi %[[S]], %[[C5]] : index
  // CHECK-NEXT: return %[[R]]
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 * 3 + s0 * 2 + 5)>(%a)[%b]
  return %0 : index
}

// The remainder of a negative number is moved up by the modulus.
// CHECK-LABEL: func.func @modulo
//  CHECK-SAME:   (%[[A:.*]]: index)
func.func @modulo(%a: index) -> index {
  // CHECK:      %[[C7:.*]] = arith.constant 7 : index
  // CHECK-NEXT: %[[R:.*]] = arith.remsi %[[A]], %[[C7]]
  // CHECK-NEXT: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-NEXT: %[[NEG:.*]] = arith.cmpi slt, %[[R]], %[[C0]]
  // CHECK-NEXT: %[[UP:.*]] = arith.addi %[[R]], %[[C7]]
  // CHECK-NEXT: arith.select %[[NEG]], %[[UP]], %[[R]]
  %0 = affine.apply affine_map<(d0) -> (d0 mod 7)>(%a)
  return %0 : index
}

// CHECK-LABEL: func.func @floordiv
//  CHECK-SAME:   (%[[A:.*]]: index)
func.func @floordiv(%a: index) -> index {
  // CHECK:      %[[C7:.*]] = arith.constant 7 : index
  // CHECK-NEXT: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-NEXT: %[[M1:.*]] = arith.constant -1 : index
  // CHECK-NEXT: %[[NEG:.*]] = arith.cmpi slt, %[[A]], %[[C0]]
  // CHECK-NEXT: %[[MIRROR:.*]] = arith.subi %[[M1]], %[[A]]
  // CHECK-NEXT: %[[D:.*]] = arith.select %[[NEG]], %[[MIRROR]], %[[A]]
  // CHECK-NEXT: %[[Q:.*]] = arith.divsi %[[D]], %[[C7]]
  // CHECK-NEXT: %[[BACK:.*]] = arith.subi %[[M1]], %[[Q]]
  // CHECK-NEXT: arith.select %[[NEG]], %[[BACK]], %[[Q]]
  %0 = affine.apply affine_map<(d0) -> (d0 floordiv 7)>(%a)
  return %0 : index
}

// CHECK-LABEL: func.func @ceildiv_by_symbol
//  CHECK-SAME:   (%[[A:.*]]: index, %[[B:.*]]: index)
func.func @ceildiv_by_symbol(%a: index, %b: index) -> index {
  // CHECK:      %[[NOTPOS:.*]] = arith.cmpi sle, %[[A]], %[[C0:.*]] : index
  // CHECK-NEXT: %[[NEG:.*]] = arith.subi %[[C0]], %[[A]]
  // CHECK-NEXT: %[[LESS:.*]] = arith.subi %[[A]], %[[C1:.*]] : index
  // CHECK-NEXT: %[[D:.*]] = arith.select %[[NOTPOS]], %[[NEG]], %[[LESS]]
  // CHECK-NEXT: %[[Q:.*]] = arith.divsi %[[D]], %[[B]]
  // CHECK-NEXT: %[[QNEG:.*]] = arith.subi %[[C0]], %[[Q]]
  // CHECK-NEXT: %[[QUP:.*]] = arith.addi %[[Q]], %[[C1]]
  // CHECK-NEXT: arith.select %[[NOTPOS]], %[[QNEG]], %[[QUP]]
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 ceildiv s0)>(%a)[%b]
  return %0 : index
}

// CHECK-LABEL: func.func @min_and_max
//  CHECK-SAME:   (%[[A:.*]]: index, %[[B:.*]]: index)
func.func @min_and_max(%a: index, %b: index) -> (index, index) {
  // CHECK: %[[M:.*]] = arith.minsi %[[A]], %{{.*}} : index
  // CHECK: %[[MIN:.*]] = arith.minsi %[[M]], %[[B]] : index
  // CHECK: %[[N:.*]] = arith.maxsi %[[A]], %{{.*}} : index
  // CHECK: %[[MAX:.*]] = arith.maxsi %[[N]], %[[B]] : index
  // CHECK: return %[[MIN]], %[[MAX]]
  %0 = affine.min affine_map<(d0)[s0] -> (d0, 5, s0)>(%a)[%b]
  %1 = affine.max affine_map<(d0)[s0] -> (d0, 5, s0)>(%a)[%b]
  return %0, %1 : index, index
}

// CHECK-LABEL: func.func @load_and_store
//  CHECK-SAME:   (%[[M:.*]]: memref<10x10xf32>, %[[I:.*]]: index)
func.func @load_and_store(%m: memref<10x10xf32>, %i: index) {
  // CHECK: %[[UP:.*]] = arith.addi %[[I]], %{{.*}} : index
  // CHECK: %[[V:.*]] = memref.load %[[M]][%[[UP]], %[[I]]] : memref<10x10xf32>
  // CHECK: %[[C3:.*]] = arith.constant 3 : index
  // CHECK: memref.store %[[V]], %[[M]][%[[C3]], %[[I]]] : memref<10x10xf32>
  // CHECK: memref.prefetch %[[M]][%[[I]], %[[I]]], write, locality<2>, data : memref<10x10xf32>
  %v = affine.load %m[symbol(%i) + 1, symbol(%i)] : memref<10x10xf32>
  affine.store %v, %m[3, symbol(%i)] : memref<10x10xf32>
  affine.prefetch %m[symbol(%i), symbol(%i)], write, locality<2>, data : memref<10x10xf32>
  return
}

// CHECK-LABEL: func.func @copies
//  CHECK-SAME:   (%[[A:.*]]: memref<64xf32>, %[[B:.*]]: memref<64xf32, 1>, %[[T:.*]]: memref<2xi32>, %[[I:.*]]: index, %[[N:.*]]: index)
func.func @copies(%a: memref<64xf32>, %b: memref<64xf32, 1>, %t: memref<2xi32>, %i: index, %n: index) {
  // CHECK: %[[UP:.*]] = arith.addi %[[I]], %{{.*}} : index
  // CHECK: %[[C1:.*]] = arith.constant 1 : index
  // CHECK: memref.dma_start %[[A]][%[[UP]]], %[[B]][%[[I]]], %[[N]], %[[T]][%[[C1]]], %[[N]], %[[I]] : memref<64xf32>, memref<64xf32, 1>, memref<2xi32>
  affine.dma_start %a[%i + 3], %b[%i], %t[1], %n, %n, %i : memref<64xf32>, memref<64xf32, 1>, memref<2xi32>
  // CHECK: %[[TAG:.*]] = arith.constant 1 : index
  // CHECK: memref.dma_wait %[[T]][%[[TAG]]], %[[N]] : memref<2xi32>
  affine.dma_wait %t[1], %n : memref<2xi32>
  return
}
