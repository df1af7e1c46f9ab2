// Buffers that somebody has to free: allocated in loops and branches, passed on by them, returned.

// --- function
func.func private @make$(%n: index, %x: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %m[%c0] : memref<?xf32>
  return %m : memref<?xf32>
}

func.func @f$(%A: memref<64xf32>, %n: index, %x: f32, %flag: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // --- body
  %a$ = memref.alloc() : memref<64xf32>
  memref.store %x, %a$[%n] : memref<64xf32>
  %b$ = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %b$[%c0] : memref<?xf32>
  %chosen$ = scf.if %flag -> (memref<64xf32>) {
    %t$ = memref.alloc() : memref<64xf32>
    memref.copy %a$, %t$ : memref<64xf32> to memref<64xf32>
    scf.yield %t$ : memref<64xf32>
  } else {
    scf.yield %a$ : memref<64xf32>
  }
  scf.for %i$ = %c0 to %n step %c1 {
    %s$ = memref.alloc() : memref<4xf32>
    memref.store %x, %s$[%c1] : memref<4xf32>
    %v$ = memref.load %s$[%c0] : memref<4xf32>
    memref.store %v$, %chosen$[%i$] : memref<64xf32>
  }
  %w$ = memref.load %chosen$[%c1] : memref<64xf32>
  memref.store %w$, %A[%n] : memref<64xf32>
  // --- end
  return
}
