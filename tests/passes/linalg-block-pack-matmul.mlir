// RUN: dl-opt %s --linalg-block-pack-matmul=block-factors=4,8,2 | FileCheck %s
// RUN: dl-opt %s --linalg-block-pack-matmul='block-factors=4,8,2 allow-padding=false' | FileCheck %s --check-prefix=FULL
// RUN: not dl-opt %s --linalg-block-pack-matmul='block-factors=4,8,2 mnk-order=0,0,1' 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not dl-opt %s --linalg-block-pack-matmul=block-factors=4,0,2 2>&1 | FileCheck %s --check-prefix=FACTORS

// ORDER: error: {{.*}}expected mnk-order to be a permutation of 0, 1, 2
// FACTORS: error: {{.*}}expected block-factors to be positive

// CHECK-DAG: #[[$LHS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d5)>
// CHECK-DAG: #[[$RHS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d4, d5)>
// CHECK-DAG: #[[$OUT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4)>

// Blocks that reach over the end are padded.
// CHECK-LABEL: func.func @uneven
//  CHECK-SAME:   (%[[A:.*]]: tensor<6x10xf32>, %[[B:.*]]: tensor<10x8xf32>, %[[C:.*]]: tensor<6x8xf32>)
// CHECK: %[[PA:.*]] = linalg.pack %[[A]] padding_value({{.*}}) outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %{{.*}} : tensor<6x10xf32> -> tensor<2x5x4x2xf32>
// CHECK: %[[PB:.*]] = linalg.pack %[[B]] outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 2] into %{{.*}} : tensor<10x8xf32> -> tensor<1x5x8x2xf32>
// CHECK: %[[PC:.*]] = linalg.pack %[[C]] padding_value({{.*}}) inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %{{.*}} : tensor<6x8xf32> -> tensor<2x1x4x8xf32>
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[$LHS]], #[[$RHS]], #[[$OUT]]]
// CHECK-SAME: ins(%[[PA]], %[[PB]] : {{.*}}) outs(%[[PC]]
// CHECK: linalg.unpack %[[R]] inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %[[C]] : tensor<2x1x4x8xf32> -> tensor<6x8xf32>
// FULL-LABEL: func.func @uneven
// FULL: linalg.matmul
func.func @uneven(%a: tensor<6x10xf32>, %b: tensor<10x8xf32>, %c: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<6x10xf32>, tensor<10x8xf32>) outs(%c : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %r : tensor<6x8xf32>
}

// Zeros in the border of the operands would change a sum of exponentials.
// CHECK-LABEL: func.func @no_product
// CHECK-NOT: linalg.pack
// CHECK: linalg.generic
func.func @no_product(%a: tensor<6x10xf32>, %b: tensor<10x8xf32>, %c: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<6x10xf32>, tensor<10x8xf32>) outs(%c : tensor<6x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %e = math.exp %x : f32
    %f = math.exp %y : f32
    %p = arith.mulf %e, %f : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<6x8xf32>
  return %r : tensor<6x8xf32>
}

// CHECK-LABEL: func.func @on_buffers
// CHECK: linalg.matmul
func.func @on_buffers(%a: memref<4x8xf32>, %b: memref<8x8xf32>, %c: memref<4x8xf32>) {
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x8xf32>) outs(%c : memref<4x8xf32>)
  return
}
