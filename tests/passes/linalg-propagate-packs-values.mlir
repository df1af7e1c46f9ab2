// A tensor in blocks, doubled, with a bias added to its columns, and in rows again: the same numbers wherever the layouts change. Element (i, j) of
// eight rows of 32 is 32 i + j, the bias of column j is j. The sum of all is 256 * 255 + 8 * 496, that of the columns from 16 on
// 2 * (16 * 896 + 8 * 376) + 8 * 376.

// RUN: dl-run %s --interpret | FileCheck %s
// RUN: dl-opt %s --linalg-propagate-packs -o %t && dl-run %t --interpret | FileCheck %s
// RUN: dl-opt %s --linalg-propagate-packs | FileCheck %s --check-prefix=MOVED

//      CHECK: float32 []
// CHECK-NEXT: 69248.
//      CHECK: float32 []
// CHECK-NEXT: 37696.

// MOVED-LABEL: func.func @main
// MOVED: linalg.generic {{.*}} ins(%{{.*}} : tensor<2x2x4x16xf32>, tensor<2x16xf32>) outs(%{{.*}} : tensor<2x2x4x16xf32>)
#id = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>
#none = affine_map<(d0, d1) -> ()>
#line = affine_map<(d0) -> (d0)>

func.func private @sum(%x: tensor<8x?xf32>) -> tensor<f32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %0 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<8x?xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%in: f32, %sum: f32):
    %1 = arith.addf %sum, %in : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @main() -> (tensor<f32>, tensor<f32>) {
  %e = tensor.empty() : tensor<8x32xf32>
  %x = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x32xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c32 = arith.constant 32 : index
    %row = arith.muli %i, %c32 : index
    %number = arith.addi %row, %j : index
    %int = arith.index_cast %number : index to i32
    %float = arith.sitofp %int : i32 to f32
    linalg.yield %float : f32
  } -> tensor<8x32xf32>
  %be = tensor.empty() : tensor<32xf32>
  %bias = linalg.generic {indexing_maps = [#line], iterator_types = ["parallel"]} outs(%be : tensor<32xf32>) {
  ^bb0(%out: f32):
    %j = linalg.index 0 : index
    %int = arith.index_cast %j : index to i32
    %float = arith.sitofp %int : i32 to f32
    linalg.yield %float : f32
  } -> tensor<32xf32>
  %d = tensor.empty() : tensor<2x2x4x16xf32>
  %packed = linalg.pack %x outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [4, 16] into %d : tensor<8x32xf32> -> tensor<2x2x4x16xf32>
  %plain = linalg.unpack %packed outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [4, 16] into %e : tensor<2x2x4x16xf32> -> tensor<8x32xf32>
  %y = linalg.generic {indexing_maps = [#id, #columns, #id], iterator_types = ["parallel", "parallel"]}
      ins(%plain, %bias : tensor<8x32xf32>, tensor<32xf32>) outs(%e : tensor<8x32xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %twice = arith.addf %in, %in : f32
    %sum = arith.addf %twice, %b : f32
    linalg.yield %sum : f32
  } -> tensor<8x32xf32>
  %again = linalg.pack %y outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [4, 16] into %d : tensor<8x32xf32> -> tensor<2x2x4x16xf32>
  %rows = linalg.unpack %again outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [4, 16] into %e : tensor<2x2x4x16xf32> -> tensor<8x32xf32>
  %all = tensor.cast %rows : tensor<8x32xf32> to tensor<8x?xf32>
  %total = call @sum(%all) : (tensor<8x?xf32>) -> tensor<f32>
  %right = tensor.extract_slice %rows[0, 16] [8, 16] [1, 1] : tensor<8x32xf32> to tensor<8x16xf32>
  %part = tensor.cast %right : tensor<8x16xf32> to tensor<8x?xf32>
  %rest = call @sum(%part) : (tensor<8x?xf32>) -> tensor<f32>
  return %total, %rest : tensor<f32>, tensor<f32>
}
