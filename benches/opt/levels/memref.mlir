// Buffers: views of views, allocations to be freed, shapes asked for.

// --- function
func.func @f$(%A: memref<64x64xf32>, %D: memref<?x?xf32>, %n: index, %m: index, %x: f32, %flag: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // --- body
  %view$ = memref.subview %A[%n, 0] [16, 64] [1, 1] : memref<64x64xf32> to memref<16x64xf32, strided<[64, 1], offset: ?>>
  %part$ = memref.subview %view$[2, %m] [8, 8] [1, 2] : memref<16x64xf32, strided<[64, 1], offset: ?>> to memref<8x8xf32, strided<[64, 2], offset: ?>>
  %e$ = memref.load %part$[%n, %m] : memref<8x8xf32, strided<[64, 2], offset: ?>>
  %s$ = arith.addf %e$, %x : f32
  memref.store %s$, %part$[%m, %n] : memref<8x8xf32, strided<[64, 2], offset: ?>>
  %flat$ = memref.collapse_shape %A [[0, 1]] : memref<64x64xf32> into memref<4096xf32>
  %l$ = memref.load %flat$[%n] : memref<4096xf32>
  %deep$ = memref.expand_shape %flat$ [[0, 1, 2]] output_shape [16, 16, 16] : memref<4096xf32> into memref<16x16x16xf32>
  memref.store %l$, %deep$[%n, %m, %n] : memref<16x16x16xf32>
  %d0$ = memref.dim %D, %c0 : memref<?x?xf32>
  %d1$ = memref.dim %D, %c1 : memref<?x?xf32>
  %T$ = memref.alloc(%d0$, %d1$) : memref<?x?xf32>
  %td$ = memref.dim %T$, %c1 : memref<?x?xf32>
  %u$ = memref.load %D[%td$, %n] : memref<?x?xf32>
  memref.store %u$, %T$[%n, %td$] : memref<?x?xf32>
  memref.copy %T$, %D : memref<?x?xf32> to memref<?x?xf32>
  %small$ = memref.alloc() : memref<4x4xf32>
  memref.store %u$, %small$[%c0, %c1] : memref<4x4xf32>
  %old$ = memref.atomic_rmw maximumf %x, %small$[%c0, %c1] : (f32, memref<4x4xf32>) -> f32
  memref.store %old$, %A[%c0, %n] : memref<64x64xf32>
  scf.if %flag {
    %inside$ = memref.alloc() : memref<64xf32>
    memref.store %x, %inside$[%n] : memref<64xf32>
    %w$ = memref.load %inside$[%m] : memref<64xf32>
    memref.store %w$, %A[%n, %n] : memref<64x64xf32>
  }
  %cast$ = memref.reinterpret_cast %D to offset: [%n], sizes: [%m, 8], strides: [8, 1] : memref<?x?xf32> to memref<?x8xf32, strided<[8, 1], offset: ?>>
  %z$ = memref.load %cast$[%n, %m] : memref<?x8xf32, strided<[8, 1], offset: ?>>
  memref.store %z$, %A[%m, %m] : memref<64x64xf32>
  // --- end
  return
}
