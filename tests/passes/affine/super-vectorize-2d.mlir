// RUN: dl-opt %s --affine-super-vectorize='virtual-vector-size=4,8' --split-input-file | FileCheck %s
// RUN: dl-opt %s --affine-super-vectorize='virtual-vector-size=4,8 test-fastest-varying=0,1' --split-input-file | FileCheck %s --check-prefix=TRANSPOSED

// CHECK-LABEL: func.func @copy
//       CHECK:   affine.for %[[I:.*]] = 0 to 16 step 4 {
//       CHECK:     affine.for %[[J:.*]] = 0 to 64 step 8 {
//       CHECK:       %[[V:.*]] = vector.transfer_read %{{.*}}[%[[I]], %[[J]]], %{{.*}} : memref<16x64xf32>, vector<4x8xf32>
//       CHECK:       vector.transfer_write %[[V]], %{{.*}}[%[[I]], %[[J]]] : vector<4x8xf32>, memref<16x64xf32>
// TRANSPOSED-LABEL: func.func @copy
//   TRANSPOSED-NOT:   vector
//       TRANSPOSED:   return
func.func @copy(%a: memref<16x64xf32>, %b: memref<16x64xf32>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 64 {
      %x = affine.load %a[%i, %j] : memref<16x64xf32>
      affine.store %x, %b[%i, %j] : memref<16x64xf32>
    }
  }
  return
}

// -----

// CHECK: #[[SWAP:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func.func @columns
//       CHECK:   vector.transfer_read %{{.*}}[%[[J:.*]], %[[I:.*]]], %{{.*}} {permutation_map = #[[SWAP]]} : memref<64x16xf32>, vector<4x8xf32>
// TRANSPOSED-LABEL: func.func @columns
//       TRANSPOSED:   vector.transfer_read
func.func @columns(%a: memref<64x16xf32>, %b: memref<64x16xf32>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 64 {
      %x = affine.load %a[%j, %i] : memref<64x16xf32>
      affine.store %x, %b[%j, %i] : memref<64x16xf32>
    }
  }
  return
}

// -----

// CHECK: #[[ROW:.*]] = affine_map<(d0) -> (0, d0)>
// CHECK-LABEL: func.func @row_for_all
//       CHECK:   vector.transfer_read %{{.*}}[%{{.*}}], %{{.*}} {permutation_map = #[[ROW]]} : memref<64xf32>, vector<4x8xf32>
func.func @row_for_all(%a: memref<64xf32>, %b: memref<16x64xf32>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 64 {
      %x = affine.load %a[%j] : memref<64xf32>
      affine.store %x, %b[%i, %j] : memref<16x64xf32>
    }
  }
  return
}
