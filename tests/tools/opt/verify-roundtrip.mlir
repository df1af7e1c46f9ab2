// RUN: dl-opt %s --split-input-file --verify-roundtrip | FileCheck %s
// RUN: dl-opt %s --split-input-file --verify-roundtrip --no-implicit-module | FileCheck %s

// CHECK: func.func @f
func.func @f(%x: memref<?xf32, strided<[1], offset: ?>>) {
  %c = arith.constant dense<1.0> : tensor<4xf32> loc("somewhere":1:2)
  return
}

// -----

// Terminators and arguments that are not written have no locations.
// CHECK: func.func @loop
func.func @loop(%n: index, %c: i1, %m: memref<8xf32>) -> index {
  scf.if %c {
  }
  affine.for %i = 0 to 8 {
    affine.prefetch %m[%i], read, locality<3>, data : memref<8xf32>
  }
  %r = scf.for %i = %n to %n step %n iter_args(%x = %n) -> index {
    scf.yield %x : index
  }
  return %r : index
}
