// RUN: dl-opt %s --verify-roundtrip | FileCheck %s
// RUN: dl-opt %s --verify-roundtrip --no-implicit-module | FileCheck %s

// CHECK: func.func @f
func.func @f(%x: memref<?xf32, strided<[1], offset: ?>>) {
  %c = arith.constant dense<1.0> : tensor<4xf32> loc("somewhere":1:2)
  return
}
