// Affine loop nests: producers and consumers, a matrix product, a stencil, a reduction.

// --- function
func.func @f$(%A: memref<128x128xf32>, %B: memref<128x128xf32>, %C: memref<128x128xf32>, %x: f32) {
  // --- body
  %T$ = memref.alloc() : memref<128x128xf32>
  affine.for %i$ = 0 to 128 {
    affine.for %j$ = 0 to 128 {
      %a$ = affine.load %A[%i$, %j$] : memref<128x128xf32>
      %s$ = arith.mulf %a$, %x : f32
      affine.store %s$, %T$[%i$, %j$] : memref<128x128xf32>
    }
  }
  affine.for %i$ = 0 to 128 {
    affine.for %j$ = 0 to 128 {
      %t$ = affine.load %T$[%i$, %j$] : memref<128x128xf32>
      %u$ = arith.addf %t$, %x : f32
      affine.store %u$, %B[%i$, %j$] : memref<128x128xf32>
    }
  }
  affine.for %i$ = 0 to 128 {
    affine.for %j$ = 0 to 128 {
      affine.for %k$ = 0 to 128 {
        %a$ = affine.load %A[%i$, %k$] : memref<128x128xf32>
        %b$ = affine.load %B[%k$, %j$] : memref<128x128xf32>
        %c$ = affine.load %C[%i$, %j$] : memref<128x128xf32>
        %p$ = arith.mulf %a$, %b$ : f32
        %q$ = arith.addf %c$, %p$ : f32
        affine.store %q$, %C[%i$, %j$] : memref<128x128xf32>
      }
    }
  }
  affine.for %i$ = 1 to 127 step 2 {
    %fixed$ = affine.load %A[0, 0] : memref<128x128xf32>
    affine.for %j$ = affine_map<(d0) -> (d0)>(%i$) to min affine_map<(d0) -> (d0 + 32, 127)>(%i$) {
      %l$ = affine.load %C[%i$ - 1, %j$] : memref<128x128xf32>
      %r$ = affine.load %C[%i$ + 1, %j$] : memref<128x128xf32>
      %s$ = arith.addf %l$, %r$ : f32
      %w$ = arith.mulf %s$, %fixed$ : f32
      affine.store %w$, %B[%i$, %j$] : memref<128x128xf32>
      %again$ = affine.load %B[%i$, %j$] : memref<128x128xf32>
      affine.store %again$, %A[%i$, %j$] : memref<128x128xf32>
    }
  }
  %total$ = affine.for %i$ = 0 to 128 iter_args(%acc$ = %x) -> (f32) {
    %e$ = affine.load %A[%i$, 3] : memref<128x128xf32>
    %n$ = arith.addf %acc$, %e$ : f32
    affine.yield %n$ : f32
  }
  affine.store %total$, %C[0, 0] : memref<128x128xf32>
  affine.for %i$ = 0 to 100 {
    affine.if affine_set<(d0) : (d0 - 10 >= 0, 110 - d0 >= 0)>(%i$) {
      %place$ = affine.apply affine_map<(d0) -> (d0 mod 8 + d0 floordiv 4)>(%i$)
      affine.store %x, %C[%place$, %i$] : memref<128x128xf32>
    }
  }
  memref.dealloc %T$ : memref<128x128xf32>
  // --- end
  return
}
