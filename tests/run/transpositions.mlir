// Tensors transposed, of which every element says where it was: none of them may be elsewhere, for extents that are no multiples of a block, and
// for elements of 8 bits that become floats on the way.

// RUN: dl-run %s --backend=%{back-end} | FileCheck %s
// RUN: dl-run %s --pass-pipeline='builtin.module(cpu-pipeline{vectorize=false})' | FileCheck %s

//      CHECK: int32 []
// CHECK-NEXT: 0
//      CHECK: int32 []
// CHECK-NEXT: 0
//      CHECK: int32 []
// CHECK-NEXT: 0

#ijk = affine_map<(i, j, k) -> (i, j, k)>
#ikj = affine_map<(i, j, k) -> (i, k, j)>
#scalar = affine_map<(i, j, k) -> ()>

func.func private @numbers_words() -> tensor<3x11x13xi32> {
  %empty = tensor.empty() : tensor<3x11x13xi32>
  %0 = linalg.generic {indexing_maps = [#ijk], iterator_types = ["parallel", "parallel", "parallel"]} outs(%empty : tensor<3x11x13xi32>) {
  ^bb0(%unused: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %at = affine.apply affine_map<(i, j, k) -> ((i * 143 + j * 13 + k) mod 1000000)>(%i, %j, %k)
    %number = arith.index_cast %at : index to i32
    linalg.yield %number : i32
  } -> tensor<3x11x13xi32>
  return %0 : tensor<3x11x13xi32>
}

func.func private @transpose_words(%from: tensor<3x11x13xi32>) -> tensor<3x13x11xi32> {
  %empty = tensor.empty() : tensor<3x13x11xi32>
  %0 = linalg.generic {indexing_maps = [#ikj, #ijk], iterator_types = ["parallel", "parallel", "parallel"]} ins(%from : tensor<3x11x13xi32>) outs(%empty : tensor<3x13x11xi32>) {
  ^bb0(%in: i32, %unused: i32):
    linalg.yield %in : i32
  } -> tensor<3x13x11xi32>
  return %0 : tensor<3x13x11xi32>
}

func.func private @count_words(%found: tensor<3x13x11xi32>) -> tensor<i32> {
  %zero = arith.constant dense<0> : tensor<i32>
  %0 = linalg.generic {indexing_maps = [#ijk, #scalar], iterator_types = ["reduction", "reduction", "reduction"]} ins(%found : tensor<3x13x11xi32>) outs(%zero : tensor<i32>) {
  ^bb0(%in: i32, %sum: i32):
    %i = linalg.index 0 : index
    %k = linalg.index 1 : index
    %j = linalg.index 2 : index
    %at = affine.apply affine_map<(i, j, k) -> ((i * 143 + j * 13 + k) mod 1000000)>(%i, %j, %k)
    %expected = arith.index_cast %at : index to i32
    %differs = arith.cmpi ne, %expected, %in : i32
    %one = arith.extui %differs : i1 to i32
    %next = arith.addi %sum, %one : i32
    linalg.yield %next : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}

func.func private @numbers_bytes() -> tensor<2x24x40xi8> {
  %empty = tensor.empty() : tensor<2x24x40xi8>
  %0 = linalg.generic {indexing_maps = [#ijk], iterator_types = ["parallel", "parallel", "parallel"]} outs(%empty : tensor<2x24x40xi8>) {
  ^bb0(%unused: i8):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %at = affine.apply affine_map<(i, j, k) -> ((i * 960 + j * 40 + k) mod 100)>(%i, %j, %k)
    %number = arith.index_cast %at : index to i8
    linalg.yield %number : i8
  } -> tensor<2x24x40xi8>
  return %0 : tensor<2x24x40xi8>
}

func.func private @transpose_bytes(%from: tensor<2x24x40xi8>) -> tensor<2x40x24xf32> {
  %empty = tensor.empty() : tensor<2x40x24xf32>
  %0 = linalg.generic {indexing_maps = [#ikj, #ijk], iterator_types = ["parallel", "parallel", "parallel"]} ins(%from : tensor<2x24x40xi8>) outs(%empty : tensor<2x40x24xf32>) {
  ^bb0(%in: i8, %unused: f32):
    %float = arith.sitofp %in : i8 to f32
    %half = arith.constant 0.5 : f32
    %value = arith.mulf %float, %half : f32
    linalg.yield %value : f32
  } -> tensor<2x40x24xf32>
  return %0 : tensor<2x40x24xf32>
}

func.func private @count_bytes(%found: tensor<2x40x24xf32>) -> tensor<i32> {
  %zero = arith.constant dense<0> : tensor<i32>
  %0 = linalg.generic {indexing_maps = [#ijk, #scalar], iterator_types = ["reduction", "reduction", "reduction"]} ins(%found : tensor<2x40x24xf32>) outs(%zero : tensor<i32>) {
  ^bb0(%in: f32, %sum: i32):
    %i = linalg.index 0 : index
    %k = linalg.index 1 : index
    %j = linalg.index 2 : index
    %at = affine.apply affine_map<(i, j, k) -> ((i * 960 + j * 40 + k) mod 100)>(%i, %j, %k)
    %expected = arith.index_cast %at : index to i32
    %two = arith.constant 2.0 : f32
    %twice = arith.mulf %in, %two : f32
    %number = arith.fptosi %twice : f32 to i32
    %differs = arith.cmpi ne, %expected, %number : i32
    %one = arith.extui %differs : i1 to i32
    %next = arith.addi %sum, %one : i32
    linalg.yield %next : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}

func.func private @numbers_halves() -> tensor<1x7x129xi16> {
  %empty = tensor.empty() : tensor<1x7x129xi16>
  %0 = linalg.generic {indexing_maps = [#ijk], iterator_types = ["parallel", "parallel", "parallel"]} outs(%empty : tensor<1x7x129xi16>) {
  ^bb0(%unused: i16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %at = affine.apply affine_map<(i, j, k) -> ((i * 903 + j * 129 + k) mod 1000000)>(%i, %j, %k)
    %number = arith.index_cast %at : index to i16
    linalg.yield %number : i16
  } -> tensor<1x7x129xi16>
  return %0 : tensor<1x7x129xi16>
}

func.func private @transpose_halves(%from: tensor<1x7x129xi16>) -> tensor<1x129x7xi16> {
  %empty = tensor.empty() : tensor<1x129x7xi16>
  %0 = linalg.generic {indexing_maps = [#ikj, #ijk], iterator_types = ["parallel", "parallel", "parallel"]} ins(%from : tensor<1x7x129xi16>) outs(%empty : tensor<1x129x7xi16>) {
  ^bb0(%in: i16, %unused: i16):
    linalg.yield %in : i16
  } -> tensor<1x129x7xi16>
  return %0 : tensor<1x129x7xi16>
}

func.func private @count_halves(%found: tensor<1x129x7xi16>) -> tensor<i32> {
  %zero = arith.constant dense<0> : tensor<i32>
  %0 = linalg.generic {indexing_maps = [#ijk, #scalar], iterator_types = ["reduction", "reduction", "reduction"]} ins(%found : tensor<1x129x7xi16>) outs(%zero : tensor<i32>) {
  ^bb0(%in: i16, %sum: i32):
    %i = linalg.index 0 : index
    %k = linalg.index 1 : index
    %j = linalg.index 2 : index
    %at = affine.apply affine_map<(i, j, k) -> ((i * 903 + j * 129 + k) mod 1000000)>(%i, %j, %k)
    %expected = arith.index_cast %at : index to i32
    %number = arith.extsi %in : i16 to i32
    %differs = arith.cmpi ne, %expected, %number : i32
    %one = arith.extui %differs : i1 to i32
    %next = arith.addi %sum, %one : i32
    linalg.yield %next : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}

func.func @main() -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  %n_words = call @numbers_words() : () -> tensor<3x11x13xi32>
  %t_words = call @transpose_words(%n_words) : (tensor<3x11x13xi32>) -> tensor<3x13x11xi32>
  %c_words = call @count_words(%t_words) : (tensor<3x13x11xi32>) -> tensor<i32>
  %n_bytes = call @numbers_bytes() : () -> tensor<2x24x40xi8>
  %t_bytes = call @transpose_bytes(%n_bytes) : (tensor<2x24x40xi8>) -> tensor<2x40x24xf32>
  %c_bytes = call @count_bytes(%t_bytes) : (tensor<2x40x24xf32>) -> tensor<i32>
  %n_halves = call @numbers_halves() : () -> tensor<1x7x129xi16>
  %t_halves = call @transpose_halves(%n_halves) : (tensor<1x7x129xi16>) -> tensor<1x129x7xi16>
  %c_halves = call @count_halves(%t_halves) : (tensor<1x129x7xi16>) -> tensor<i32>
  return %c_words, %c_bytes, %c_halves : tensor<i32>, tensor<i32>, tensor<i32>
}
