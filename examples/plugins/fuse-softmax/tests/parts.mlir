// RUN: dl-opt %s --fuse-softmax | FileCheck %s

#all = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>

// Written by hand, with the other maximum and sums in the other order.
// CHECK-LABEL: @whole
// CHECK: linalg.softmax dimension(1)
// CHECK-NOT: linalg.generic
func.func @whole(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<2xf32>
  %e1 = tensor.empty() : tensor<2x3xf32>
  %f0 = linalg.fill ins(%least : f32) outs(%e0 : tensor<2xf32>) -> tensor<2xf32>
  %max = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2x3xf32>) outs(%f0 : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %b, %a : f32
    linalg.yield %0 : f32
  } -> tensor<2xf32>
  %exp = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<2x3xf32>, tensor<2xf32>) outs(%e1 : tensor<2x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x3xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2xf32>) -> tensor<2xf32>
  %sum = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<2x3xf32>) outs(%f1 : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %b, %a : f32
    linalg.yield %0 : f32
  } -> tensor<2xf32>
  %y = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<2x3xf32>, tensor<2xf32>) outs(%e1 : tensor<2x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// The sum begins with one: something else.
// CHECK-LABEL: @another_start
// CHECK-NOT: linalg.softmax
// CHECK: return
func.func @another_start(%x: tensor<2x3xf32>, %max: tensor<2xf32>) -> tensor<2x3xf32> {
  %one = arith.constant 1.0 : f32
  %e0 = tensor.empty() : tensor<2xf32>
  %e1 = tensor.empty() : tensor<2x3xf32>
  %exp = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<2x3xf32>, tensor<2xf32>) outs(%e1 : tensor<2x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x3xf32>
  %f1 = linalg.fill ins(%one : f32) outs(%e0 : tensor<2xf32>) -> tensor<2xf32>
  %sum = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<2x3xf32>) outs(%f1 : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %b, %a : f32
    linalg.yield %0 : f32
  } -> tensor<2xf32>
  %y = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<2x3xf32>, tensor<2xf32>) outs(%e1 : tensor<2x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
