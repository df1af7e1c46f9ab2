// RUN: dl-opt %s --linalg-vectorize='vector-bits=128' --split-input-file | FileCheck %s

// Blocks of four rows and columns: quarters trade places, then elements. The last block of six rows begins at the second.
// CHECK-LABEL: func.func @transposed(
//  CHECK-SAME:   %[[A:.*]]: memref<6x8xf32>, %[[O:.*]]: memref<8x6xf32>)
//       CHECK: scf.for %[[LANE:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
//       CHECK:   scf.for %[[START:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
//       CHECK:     %[[ROW:.*]] = arith.minsi %[[START]], %c2
//       CHECK:     %[[X:.*]] = vector.load %[[A]][%[[ROW]], %[[LANE]]] : memref<6x8xf32>, vector<4xf32>
//       CHECK:     %[[Y:.*]] = vector.load %[[A]]
//       CHECK:     %[[Z:.*]] = vector.load %[[A]]
//       CHECK:     %[[W:.*]] = vector.load %[[A]]
//       CHECK:     %[[XZ:.*]] = vector.shuffle %[[X]], %[[Z]] [0, 1, 4, 5] : vector<4xf32>, vector<4xf32>
//       CHECK:     %[[ZX:.*]] = vector.shuffle %[[X]], %[[Z]] [2, 3, 6, 7]
//       CHECK:     %[[YW:.*]] = vector.shuffle %[[Y]], %[[W]] [0, 1, 4, 5]
//       CHECK:     %[[WY:.*]] = vector.shuffle %[[Y]], %[[W]] [2, 3, 6, 7]
//       CHECK:     %[[C0:.*]] = vector.shuffle %[[XZ]], %[[YW]] [0, 4, 2, 6]
//       CHECK:     %[[C1:.*]] = vector.shuffle %[[XZ]], %[[YW]] [1, 5, 3, 7]
//       CHECK:     %[[C2:.*]] = vector.shuffle %[[ZX]], %[[WY]] [0, 4, 2, 6]
//       CHECK:     %[[C3:.*]] = vector.shuffle %[[ZX]], %[[WY]] [1, 5, 3, 7]
//       CHECK:     vector.store %[[C0]], %[[O]][%[[LANE]], %[[ROW]]] : memref<8x6xf32>, vector<4xf32>
//       CHECK:     vector.store %[[C1]], %[[O]]
//       CHECK:     vector.store %[[C2]], %[[O]]
//       CHECK:     vector.store %[[C3]], %[[O]]
func.func @transposed(%a: memref<6x8xf32>, %o: memref<8x6xf32>) {
  linalg.transpose ins(%a : memref<6x8xf32>) outs(%o : memref<8x6xf32>) permutation = [1, 0]
  return
}

// -----

#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>

// One input lies along the output and one across; each has its columns computed where the other has its rows.
// CHECK-LABEL: func.func @both_ways(
//       CHECK: scf.for
//       CHECK: scf.for
//   CHECK-NOT: arith.minsi
// CHECK-COUNT-4: arith.addf %{{.*}}, %{{.*}} : vector<4xf32>
//   CHECK-NOT: linalg.generic
func.func @both_ways(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %o: memref<8x8xf32>) {
  linalg.generic {indexing_maps = [#ij, #ji, #ij], iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%o : memref<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %unused: f32):
    %sum = arith.addf %x, %y : f32
    linalg.yield %sum : f32
  }
  return
}

// -----

#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>

// Not vectorized: what is read of the output may have been written before.
// CHECK-LABEL: func.func @accumulated(
//       CHECK: linalg.generic
func.func @accumulated(%a: memref<8x8xf32>, %o: memref<8x8xf32>) {
  linalg.generic {indexing_maps = [#ji, #ij], iterator_types = ["parallel", "parallel"]} ins(%a : memref<8x8xf32>) outs(%o : memref<8x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %sum = arith.addf %x, %y : f32
    linalg.yield %sum : f32
  }
  return
}

// -----

// Not vectorized: nothing is known of the extents.
// CHECK-LABEL: func.func @dynamic(
//       CHECK: linalg.transpose
func.func @dynamic(%a: memref<?x?xf32>, %o: memref<?x?xf32>) {
  linalg.transpose ins(%a : memref<?x?xf32>) outs(%o : memref<?x?xf32>) permutation = [1, 0]
  return
}
