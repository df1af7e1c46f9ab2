// RUN: dl-opt %s --linalg-fold-batch-norm --oracle=each-pass --mlir-print-local-scope | FileCheck %s
// RUN: dl-opt %s --linalg-fold-batch-norm=assume-reassociation=true --mlir-print-local-scope | FileCheck %s --check-prefix=ASSUME

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#c = affine_map<(d0, d1, d2, d3) -> (d3)>

// Normalization vanishes, the activation stays.
// CHECK-LABEL: func.func @normalized
//  CHECK-SAME:   (%[[X:[a-z0-9]+]]: tensor<1x10x10x3xf32>, %[[W:[a-z0-9]+]]: tensor<3x3x3x2xf32>, %[[MEAN:[a-z0-9]+]]: tensor<2xf32>, %[[VAR:[a-z0-9]+]]: tensor<2xf32>
//       CHECK:   %[[N:[0-9]+]]:2 = linalg.generic {{.*}} ins(%[[MEAN]], %[[VAR]], %{{.*}}, %{{.*}} : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
//       CHECK:     math.rsqrt
//       CHECK:   %[[SCALED:[0-9]+]] = linalg.generic
//  CHECK-SAME:     affine_map<(d0, d1, d2, d3) -> (d3)>
//  CHECK-SAME:     ins(%[[W]], %[[N]]#0 : tensor<3x3x3x2xf32>, tensor<2xf32>)
//       CHECK:     arith.mulf
//       CHECK:   %[[SHIFT:.*]] = linalg.broadcast ins(%[[N]]#1 : tensor<2xf32>) {{.*}} dimensions = [0, 1, 2]
//       CHECK:   %[[Y:.*]] = linalg.conv_2d_nhwc_hwcf ins(%[[X]], %[[SCALED]] : {{.*}}) outs(%[[SHIFT]] :
//       CHECK:   linalg.generic {{.*}} ins(%[[Y]],
//       CHECK:   ^bb0(%[[A:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32):
//   CHECK-NOT:     arith.subf
//       CHECK:     %[[R:.*]] = arith.maximumf %[[A]],
//       CHECK:     linalg.yield %[[R]]
func.func @normalized(%x: tensor<1x10x10x3xf32>, %w: tensor<3x3x3x2xf32>, %mean: tensor<2xf32>, %var: tensor<2xf32>, %gamma: tensor<2xf32>, %beta: tensor<2xf32>) -> tensor<1x8x8x2xf32> {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e = tensor.empty() : tensor<1x8x8x2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x10x10x3xf32>, tensor<3x3x3x2xf32>) outs(%z : tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32>
  %n = linalg.generic {indexing_maps = [#id, #c, #c, #c, #c, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%y, %mean, %var, %gamma, %beta : tensor<1x8x8x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<1x8x8x2xf32>) {
  ^bb0(%a: f32, %m: f32, %v: f32, %g: f32, %b: f32, %o: f32):
    %ve = arith.addf %v, %eps : f32
    %sd = math.rsqrt %ve : f32
    %0 = arith.subf %a, %m fastmath<reassoc> : f32
    %1 = arith.mulf %0, %sd fastmath<reassoc> : f32
    %2 = arith.mulf %1, %g fastmath<reassoc> : f32
    %3 = arith.addf %2, %b fastmath<reassoc> : f32
    %r = arith.maximumf %3, %zero : f32
    linalg.yield %r : f32
  } -> tensor<1x8x8x2xf32>
  return %n : tensor<1x8x8x2xf32>
}

// Integers wrap around: the rows of a matrix product are scaled.
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @integers
//       CHECK:   %[[SCALED:[0-9]+]] = linalg.generic
//       CHECK:     arith.muli
//       CHECK:   linalg.matmul ins(%{{.*}}, %[[SCALED]] :
func.func @integers(%x: tensor<9x3xi32>, %w: tensor<3x2xi32>, %s: tensor<2xi32>) -> tensor<9x2xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<9x2xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<9x2xi32>) -> tensor<9x2xi32>
  %y = linalg.matmul ins(%x, %w : tensor<9x3xi32>, tensor<3x2xi32>) outs(%z : tensor<9x2xi32>) -> tensor<9x2xi32>
  %n = linalg.generic {indexing_maps = [#id2, #row, #id2], iterator_types = ["parallel", "parallel"]}
    ins(%y, %s : tensor<9x2xi32>, tensor<2xi32>) outs(%e : tensor<9x2xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.muli %a, %b : i32
    linalg.yield %0 : i32
  } -> tensor<9x2xi32>
  return %n : tensor<9x2xi32>
}

// Without a flag products are rounded where they are.
// CHECK-LABEL: func.func @floats_without_flags
//   CHECK-NOT:   linalg.broadcast
//       CHECK:   linalg.matmul
//       CHECK:   linalg.generic
// ASSUME-LABEL: func.func @floats_without_flags
//       ASSUME:   %[[SCALED:[0-9]+]] = linalg.generic
//       ASSUME:   linalg.matmul ins(%{{.*}}, %[[SCALED]] :
func.func @floats_without_flags(%x: tensor<9x3xf32>, %w: tensor<3x2xf32>, %s: tensor<2xf32>) -> tensor<9x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9x2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<9x2xf32>) -> tensor<9x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<9x3xf32>, tensor<3x2xf32>) outs(%z : tensor<9x2xf32>) -> tensor<9x2xf32>
  %n = linalg.generic {indexing_maps = [#id2, #row, #id2], iterator_types = ["parallel", "parallel"]}
    ins(%y, %s : tensor<9x2xf32>, tensor<2xf32>) outs(%e : tensor<9x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<9x2xf32>
  return %n : tensor<9x2xf32>
}

// A scale of each element, and a product into something.
// CHECK-LABEL: func.func @no_channels
//   CHECK-NOT:   linalg.broadcast
//       CHECK:   return
func.func @no_channels(%x: tensor<9x3xi32>, %w: tensor<3x2xi32>, %s: tensor<9x2xi32>, %t: tensor<2xi32>, %c: tensor<9x2xi32>) -> (tensor<9x2xi32>, tensor<9x2xi32>) {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<9x2xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<9x2xi32>) -> tensor<9x2xi32>
  %y = linalg.matmul ins(%x, %w : tensor<9x3xi32>, tensor<3x2xi32>) outs(%z : tensor<9x2xi32>) -> tensor<9x2xi32>
  %n = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
    ins(%y, %s : tensor<9x2xi32>, tensor<9x2xi32>) outs(%e : tensor<9x2xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.muli %a, %b : i32
    linalg.yield %0 : i32
  } -> tensor<9x2xi32>
  %u = linalg.matmul ins(%x, %w : tensor<9x3xi32>, tensor<3x2xi32>) outs(%c : tensor<9x2xi32>) -> tensor<9x2xi32>
  %m = linalg.generic {indexing_maps = [#id2, #row, #id2], iterator_types = ["parallel", "parallel"]}
    ins(%u, %t : tensor<9x2xi32>, tensor<2xi32>) outs(%e : tensor<9x2xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.muli %a, %b : i32
    linalg.yield %0 : i32
  } -> tensor<9x2xi32>
  return %n, %m : tensor<9x2xi32>, tensor<9x2xi32>
}
