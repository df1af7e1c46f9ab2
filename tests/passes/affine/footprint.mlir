// RUN: dl-opt %s --affine-data-copy-generate="generate-dma fast-mem-space=2 fast-mem-capacity=16" | FileCheck %s

// What a tile touches is known, though its loops begin where those around are: rows of four by 1024 elements fill the memory.
// CHECK-LABEL: func.func @tiles
//       CHECK:   affine.for %{{.*}} = 0 to 256 step 4 {
//       CHECK:     %[[B:.*]] = memref.alloc() : memref<4x1024xf32, 2>
//       CHECK:     affine.dma_start %{{[^ ]*}}[%{{[^ ]*}}, 0], %[[B]]
//       CHECK:     affine.for %{{.*}} = 0 to 1024 step 4 {
//       CHECK:     affine.dma_start %[[B]]
func.func @tiles(%m: memref<256x1024xf32>) {
  affine.for %i = 0 to 256 step 4 {
    affine.for %j = 0 to 1024 step 4 {
      affine.for %k = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + 4)>(%i) {
        affine.for %l = affine_map<(d0) -> (d0)>(%j) to affine_map<(d0) -> (d0 + 4)>(%j) {
          %x = affine.load %m[%k, %l] : memref<256x1024xf32>
          %y = arith.mulf %x, %x : f32
          affine.store %y, %m[%k, %l] : memref<256x1024xf32>
        }
      }
    }
  }
  return
}
