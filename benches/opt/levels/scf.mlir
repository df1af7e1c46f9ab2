// Structured control flow: loops with and without values, parallel loops, branches, code that does not depend on the loop.

#bound = affine_map<(d0, d1, d2) -> (d0, d1 - d2)>

// --- function
func.func @f$(%A: memref<128x128xf32>, %B: memref<128x128xf32>, %C: memref<128x128xf32>, %n: index, %x: f32, %flag: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  // --- body
  %sum$ = scf.for %i$ = %c0 to %n step %c4 iter_args(%acc$ = %x) -> (f32) {
    %invariant$ = arith.mulf %x, %x : f32
    %again$ = arith.addf %invariant$, %x : f32
    %size$ = affine.min #bound(%c4, %n, %i$)
    %row$ = arith.addi %i$, %c1 : index
    %element$ = memref.load %A[%row$, %c0] : memref<128x128xf32>
    %product$ = arith.mulf %element$, %again$ : f32
    %inner$ = scf.for %j$ = %c0 to %size$ step %c1 iter_args(%part$ = %product$) -> (f32) {
      %shifted$ = arith.addi %j$, %c2 : index
      %e$ = memref.load %B[%i$, %shifted$] : memref<128x128xf32>
      %p$ = arith.addf %part$, %e$ : f32
      scf.yield %p$ : f32
    }
    %next$ = arith.addf %acc$, %inner$ : f32
    scf.yield %next$ : f32
  }
  scf.parallel (%i$, %j$) = (%c0, %c0) to (%c64, %c64) step (%c1, %c1) {
    %e$ = memref.load %A[%i$, %j$] : memref<128x128xf32>
    %d$ = arith.addf %e$, %e$ : f32
    memref.store %d$, %B[%i$, %j$] : memref<128x128xf32>
    scf.reduce
  }
  scf.parallel (%i$, %j$) = (%c0, %c0) to (%c64, %c64) step (%c1, %c1) {
    %e$ = memref.load %B[%i$, %j$] : memref<128x128xf32>
    %d$ = arith.mulf %e$, %x : f32
    memref.store %d$, %C[%i$, %j$] : memref<128x128xf32>
    scf.reduce
  }
  %extent$ = affine.min #bound(%c64, %n, %c0)
  scf.parallel (%i$) = (%c0) to (%extent$) step (%c1) {
    memref.store %sum$, %C[%i$, %c0] : memref<128x128xf32>
    scf.reduce
  }
  scf.forall (%i$, %j$) in (64, 64) {
    %e$ = memref.load %C[%i$, %j$] : memref<128x128xf32>
    %d$ = arith.subf %e$, %x : f32
    memref.store %d$, %A[%i$, %j$] : memref<128x128xf32>
  }
  %early$ = math.exp %sum$ : f32
  %late$ = math.log %x : f32
  %chosen$ = scf.if %flag -> (f32) {
    %a$ = arith.addf %early$, %x : f32
    scf.yield %a$ : f32
  } else {
    %b$ = arith.mulf %late$, %x : f32
    scf.yield %b$ : f32
  }
  memref.store %chosen$, %A[%c0, %c1] : memref<128x128xf32>
  // --- end
  return
}
