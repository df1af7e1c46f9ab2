// Arithmetic on whole tensors, also of extents known at run time only: floats, comparisons and integers, by hand.

// RUN: dl-run %s --backend=%{back-end} --input=[1,-2,3.5] --input=[[4,-5,6],[7,8,-9]] | FileCheck %s
// RUN: dl-run %s --input=[1,-2,3.5] --input=[[4,-5,6],[7,8,-9]] --pass-pipeline='builtin.module(cpu-pipeline{vectorize=false})' | FileCheck %s

//      CHECK: float32 [3]
// CHECK-NEXT: {{\[ *3\. +2\. +10\.5 *\]}}
//      CHECK: int32 [2x3]
// CHECK-NEXT: {{\[\[ *4 +2 +6\]}}
// CHECK-NEXT: {{ \[ *7 +8 +2\]\]}}

func.func @main(%x: tensor<?xf32>, %n: tensor<2x3xi32>) -> (tensor<?xf32>, tensor<2x3xi32>) {
  // 3 x of what is positive, x squared less its magnitude of the rest.
  %square = arith.mulf %x, %x : tensor<?xf32>
  %twice = arith.addf %x, %x : tensor<?xf32>
  %sum = arith.addf %twice, %x : tensor<?xf32>
  %low = arith.constant dense<2> : tensor<2x3xi32>
  %most = arith.maxsi %n, %low : tensor<2x3xi32>
  %magnitude = math.absf %x : tensor<?xf32>
  %positive = arith.cmpf oeq, %magnitude, %x : tensor<?xf32>
  %other = arith.subf %square, %magnitude : tensor<?xf32>
  %chosen = arith.select %positive, %sum, %other : tensor<?xi1>, tensor<?xf32>
  return %chosen, %most : tensor<?xf32>, tensor<2x3xi32>
}
