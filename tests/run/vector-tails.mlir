// Reductions of 0, 1, 2, ..., n - 1 for extents below, at and above whole vectors: the sum is n (n - 1) / 2, the greatest n - 1, and the sum of
// squares (n - 1) n (2 n - 1) / 6; all are exact in f32.

// RUN: dl-run %s --backend=%{back-end} --input=0 | FileCheck %s --check-prefix=NONE
// RUN: dl-run %s --backend=%{back-end} --input=1 | FileCheck %s --check-prefix=ONE
// RUN: dl-run %s --backend=%{back-end} --input=7 | FileCheck %s --check-prefix=SEVEN
// RUN: dl-run %s --backend=%{back-end} --input=16 | FileCheck %s --check-prefix=SIXTEEN
// RUN: dl-run %s --backend=%{back-end} --input=145 | FileCheck %s --check-prefix=MANY
// RUN: dl-run %s --input=145 --pass-pipeline='builtin.module(cpu-pipeline{vectorize=false})' | FileCheck %s --check-prefix=MANY

//      NONE: float32 []
// NONE-NEXT: 0.
// NONE-NEXT: float32 []
// NONE-NEXT: -inf
// NONE-NEXT: float32 []
// NONE-NEXT: 0.
//      ONE: float32 []
// ONE-NEXT: 0.
// ONE-NEXT: float32 []
// ONE-NEXT: 0.
// ONE-NEXT: float32 []
// ONE-NEXT: 0.
//      SEVEN: float32 []
// SEVEN-NEXT: 21.
// SEVEN-NEXT: float32 []
// SEVEN-NEXT: 6.
// SEVEN-NEXT: float32 []
// SEVEN-NEXT: 91.
//      SIXTEEN: float32 []
// SIXTEEN-NEXT: 120.
// SIXTEEN-NEXT: float32 []
// SIXTEEN-NEXT: 15.
// SIXTEEN-NEXT: float32 []
// SIXTEEN-NEXT: 1240.
//      MANY: float32 []
// MANY-NEXT: 10440.
// MANY-NEXT: float32 []
// MANY-NEXT: 144.
// MANY-NEXT: float32 []
// MANY-NEXT: 1.00572e+06
#id = affine_map<(i) -> (i)>
#all = affine_map<(i) -> ()>
func.func @reductions(%n: index) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %empty = tensor.empty(%n) : tensor<?xf32>
  %x = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%empty : tensor<?xf32>) {
  ^bb0(%unused: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %y = arith.sitofp %j : i32 to f32
    linalg.yield %y : f32
  } -> tensor<?xf32>
  %one = tensor.empty() : tensor<f32>
  %none = linalg.fill ins(%zero : f32) outs(%one : tensor<f32>) -> tensor<f32>
  %lowest = linalg.fill ins(%least : f32) outs(%one : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]} ins(%x : tensor<?xf32>) outs(%none : tensor<f32>) {
  ^bb0(%y: f32, %s: f32):
    %t = arith.addf %y, %s : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  %greatest = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]} ins(%x : tensor<?xf32>) outs(%lowest : tensor<f32>) {
  ^bb0(%y: f32, %s: f32):
    %t = arith.maximumf %y, %s : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  %squares = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]} ins(%x : tensor<?xf32>) outs(%none : tensor<f32>) {
  ^bb0(%y: f32, %s: f32):
    %q = arith.mulf %y, %y : f32
    %t = arith.addf %q, %s : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %sum, %greatest, %squares : tensor<f32>, tensor<f32>, tensor<f32>
}
