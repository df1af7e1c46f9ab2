// RUN: %{round-trip}
// RUN: dl-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// The maps are no properties.
// GENERIC: "affine.dma_start"({{.*}}) {dst_map = #{{.*}}, src_map = #{{.*}}, tag_map = #{{.*}}} : (

// CHECK-LABEL: func.func @copy
func.func @copy(%a: memref<64xf32>, %b: memref<64xf32, 1>, %t: memref<1xi32>, %i: index) {
  %n = arith.constant 64 : index
  // CHECK: affine.dma_start %{{.*}}[%{{.*}}], %{{.*}}[%{{.*}}], %{{.*}}[0], %{{.*}} : memref<64xf32>, memref<64xf32, 1>, memref<1xi32>
  affine.dma_start %a[%i], %b[%i], %t[0], %n : memref<64xf32>, memref<64xf32, 1>, memref<1xi32>
  // Nothing need follow the comma.
  affine.dma_start %a[%i], %b[%i], %t[0], %n, : memref<64xf32>, memref<64xf32, 1>, memref<1xi32>
  // CHECK: affine.dma_wait %{{.*}}[0], %{{.*}} : memref<1xi32>
  affine.dma_wait %t[0], %n : memref<1xi32>
  return
}

// Upstream lets maps have any number of results, and so do we.
// CHECK-LABEL: func.func @other_ranks
func.func @other_ranks(%a: memref<64x8xf32>, %b: memref<64xf32, 1>, %t: memref<1xi32>, %i: index) {
  // CHECK: affine.dma_start %{{.*}}[%{{.*}}], %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}}[], %{{.*}} : memref<64x8xf32>, memref<64xf32, 1>, memref<1xi32>
  affine.dma_start %a[%i], %b[%i, %i], %t[], %i : memref<64x8xf32>, memref<64xf32, 1>, memref<1xi32>
  // CHECK: affine.dma_wait %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : memref<1xi32>
  affine.dma_wait %t[%i, %i], %i : memref<1xi32>
  return
}
