// Arithmetic, math, calls and branches: folding, equal operations, dead ones, known ranges, arguments that nobody reads.

func.func private @clamp(%x: i32, %low: i32, %unused: i32) -> i32 {
  %below = arith.cmpi slt, %x, %low : i32
  %r = arith.select %below, %low, %x : i32
  return %r : i32
}

func.func private @scale(%x: f32) -> f32 {
  %half = arith.constant 5.0e-01 : f32
  %r = arith.mulf %x, %half : f32
  return %r : f32
}

// --- function
func.func private @unreferenced$(%x: i32) -> i32 {
  %r = arith.muli %x, %x : i32
  return %r : i32
}

func.func @f$(%a: i32, %b: i32, %x: f32, %y: f32, %z: f64, %n: index, %flag: i1, %out: memref<1024xf32>, %ints: memref<1024xi32>) {
  %c0 = arith.constant 0 : index
  // --- body
  %zero$ = arith.constant 0 : i32
  %one$ = arith.constant 1 : i32
  %seven$ = arith.constant 7 : i32
  %mask$ = arith.constant 255 : i32
  %sum$ = arith.addi %a, %b : i32
  %same$ = arith.addi %b, %a : i32
  %plus$ = arith.addi %sum$, %zero$ : i32
  %times$ = arith.muli %same$, %one$ : i32
  %both$ = arith.muli %plus$, %times$ : i32
  %low$ = arith.andi %both$, %mask$ : i32
  %small$ = arith.cmpi ult, %low$, %seven$ : i32
  %never$ = arith.cmpi slt, %low$, %zero$ : i32
  %pick$ = arith.select %never$, %sum$, %low$ : i32
  %quotient$ = arith.ceildivsi %pick$, %seven$ : i32
  %floor$ = arith.floordivsi %both$, %seven$ : i32
  %rest$ = arith.remsi %low$, %seven$ : i32
  %bits$ = arith.xori %quotient$, %floor$ : i32
  %called$ = call @clamp(%bits$, %rest$, %a) : (i32, i32, i32) -> i32
  %wide$ = arith.extsi %called$ : i32 to i64
  %narrow$ = arith.trunci %wide$ : i64 to i32
  %real$ = arith.sitofp %narrow$ : i32 to f32
  %product$ = arith.mulf %real$, %x fastmath<contract> : f32
  %fused$ = arith.addf %product$, %y fastmath<contract> : f32
  %half$ = arith.truncf %fused$ : f32 to f16
  %other$ = arith.extf %half$ : f16 to f32
  %slow$ = arith.addf %half$, %half$ : f16
  %sine$ = math.sin %other$ : f32
  %cosine$ = math.cos %other$ : f32
  %root$ = math.sqrt %sine$ : f32
  %power$ = math.exp %cosine$ : f32
  %hyper$ = math.tanh %z : f64
  %ground$ = math.floor %slow$ : f16
  %back$ = arith.extf %ground$ : f16 to f32
  %first$ = arith.addf %root$, %power$ : f32
  %second$ = arith.maximumf %first$, %back$ : f32
  %third$ = func.call @scale(%second$) : (f32) -> f32
  %dead$ = arith.mulf %third$, %third$ : f32
  %deader$ = arith.subf %dead$, %third$ : f32
  %index$ = arith.index_cast %rest$ : i32 to index
  %place$ = arith.remui %index$, %n : index
  memref.store %third$, %out[%place$] : memref<1024xf32>
  memref.store %narrow$, %ints[%place$] : memref<1024xi32>
  // --- end
  return
}
