// An access over the end of a buffer is stopped with a message that names the operation; others run as before.

// RUN: dl-opt %s --generate-runtime-verification | dl-run --interpret --entry=element --input=[1,2,3] --input=2 - | FileCheck %s --check-prefix=LAST
// RUN: dl-opt %s --generate-runtime-verification | not dl-run --interpret --entry=element --input=[1,2,3] --input=3 - 2>&1 | FileCheck %s --check-prefix=OVER
// RUN: dl-opt %s --generate-runtime-verification | not dl-run --interpret --entry=sum --input=[1,2,3] --input=[1,2] - 2>&1 | FileCheck %s --check-prefix=SHAPES

// LAST: 3.
// OVER: ERROR: Runtime op verification failed
// OVER: memref.load
// OVER: out-of-bounds access
// SHAPES: dimension #0 of input/output operand #1 is incompatible with inferred dimension size
func.func @element(%m: memref<?xf32>, %i: index) -> f32 {
  %0 = memref.load %m[%i] : memref<?xf32>
  return %0 : f32
}

func.func @sum(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
