// A tensor that a loop carries, of extents that only running tells, and that each iteration may change. Values worked out by hand.

// RUN: dl-run %s --backend=%{back-end} --entry=squares --input=[[1,2],[3,4]] --input=100 | FileCheck %s --check-prefix=SQUARES
// RUN: dl-run %s --backend=%{back-end} --entry=windows --input=[[[1,2,3,4,5]]] --input=[[[1,1]]] --input=3 | FileCheck %s --check-prefix=WINDOWS

// [[7, 10], [15, 22]] adds up to 54, its square to more.
// SQUARES: {{\[}}[199. 290.]
// SQUARES-NEXT: [435. 634.]]
func.func @squares(%a: tensor<?x?xf32>, %limit: f32) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.while (%t = %a) : (tensor<?x?xf32>) -> tensor<?x?xf32> {
    %e = tensor.empty() : tensor<f32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
    %s = linalg.reduce { arith.addf } ins(%t : tensor<?x?xf32>) outs(%f : tensor<f32>) dimensions = [0, 1]
    %sum = tensor.extract %s[] : tensor<f32>
    %again = arith.cmpf olt, %sum, %limit : f32
    scf.condition(%again) %t : tensor<?x?xf32>
  } do {
  ^bb0(%t: tensor<?x?xf32>):
    %d0 = tensor.dim %t, %c0 : tensor<?x?xf32>
    %d1 = tensor.dim %t, %c1 : tensor<?x?xf32>
    %e = tensor.empty(%d0, %d1) : tensor<?x?xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
    %p = linalg.matmul ins(%t, %t : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %p : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}

// 3 5 7 9, 8 12 16, 20 28.
// WINDOWS: {{\[\[}}[20. 28.]]]
func.func @windows(%a: tensor<1x1x?xf32>, %k: tensor<1x1x2xf32>, %n: index) -> tensor<1x1x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> tensor<1x1x?xf32> {
    %d = tensor.dim %t, %c2 : tensor<1x1x?xf32>
    %less = arith.subi %d, %c1 : index
    %e = tensor.empty(%less) : tensor<1x1x?xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1x?xf32>) -> tensor<1x1x?xf32>
    %c = linalg.conv_1d_ncw_fcw ins(%t, %k : tensor<1x1x?xf32>, tensor<1x1x2xf32>) outs(%f : tensor<1x1x?xf32>) -> tensor<1x1x?xf32>
    scf.yield %c : tensor<1x1x?xf32>
  }
  return %r : tensor<1x1x?xf32>
}
