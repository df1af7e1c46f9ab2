// RUN: dl-opt %s --verify-diagnostics --split-input-file

func.func @matmul_left_without_rows(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // expected-error @below {{'linalg.matmul' op Unexpected dim expression in map result.}}
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// -----

func.func @matmul_sum_of_loops(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // expected-error @below {{'linalg.matmul' op Unexpected dim expression in map result.}}
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m + k, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// -----

func.func @matmul_broadcast_along_reduction(%a: memref<?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // expected-error @below {{'linalg.matmul' op Invalid broadcast requested, should be (d2).}}
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : memref<?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// -----

func.func @matmul_diagonal(%a: memref<?x?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // expected-error @below {{expected indexing maps to be projected permutations}}
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : memref<?x?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// -----

// Either input may be transposed or broadcast.
func.func @matmul_variants(%a: memref<?x?xf32>, %v: memref<?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %a : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %v : memref<?x?xf32>, memref<?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// -----

func.func @batch_matmul_columns_on_the_left(%a: memref<?x?x?xf32>, %b: memref<?x?x?xf32>, %c: memref<?x?x?xf32>) {
  // expected-error @below {{'linalg.batch_matmul' op Unexpected result dim expression (outside the set of default result dims).}}
  linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : memref<?x?x?xf32>, memref<?x?x?xf32>) outs(%c : memref<?x?x?xf32>)
  return
}

// -----

func.func @batch_matmul_broadcast_left_as_right(%a: memref<?x?xf32>, %b: memref<?x?x?xf32>, %c: memref<?x?x?xf32>) {
  // expected-error @below {{'linalg.batch_matmul' op Invalid broadcast requested.}}
  linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (k, m)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : memref<?x?xf32>, memref<?x?x?xf32>) outs(%c : memref<?x?x?xf32>)
  return
}

// -----

func.func @batch_matmul_batch_in_the_middle(%a: memref<?x?x?xf32>, %b: memref<?x?x?xf32>, %c: memref<?x?x?xf32>) {
  // expected-error @below {{'linalg.batch_matmul' op Invalid batch dimension expression.}}
  linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (m, b, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : memref<?x?x?xf32>, memref<?x?x?xf32>) outs(%c : memref<?x?x?xf32>)
  return
}

// -----

func.func @batch_matmul_transposed_result(%a: memref<?x?x?xf32>, %b: memref<?x?x?xf32>, %c: memref<?x?x?xf32>) {
  // expected-error @below {{'linalg.batch_matmul' op Invalid output map result dimension.}}
  linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, n, m)>]
    ins(%a, %b : memref<?x?x?xf32>, memref<?x?x?xf32>) outs(%c : memref<?x?x?xf32>)
  return
}

// -----

func.func @batch_reduce_matmul_keeps_the_batch(%a: memref<?x?x?xf32>, %b: memref<?x?x?xf32>, %c: memref<?x?x?xf32>) {
  // expected-error @below {{'linalg.batch_reduce_matmul' op expects 2 dims, but got (3).}}
  linalg.batch_reduce_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : memref<?x?x?xf32>, memref<?x?x?xf32>) outs(%c : memref<?x?x?xf32>)
  return
}

// -----

// One batch of vectors on the left, one of the columns on the right.
func.func @batch_matmul_variants(%a: memref<?x?xf32>, %b: memref<?x?x?xf32>, %c: memref<?x?x?xf32>) {
  linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : memref<?x?xf32>, memref<?x?x?xf32>) outs(%c : memref<?x?x?xf32>)
  linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%b, %a : memref<?x?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?x?xf32>)
  return
}

// -----

func.func @contract_sum_of_loops(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // expected-error @below {{provided affine_map is not a projected permutation}}
  linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m + k, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// -----

func.func @contract_without_reduction(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) {
  // expected-error @below {{'indexing_maps' do not specify a contracting dimension}}
  linalg.contract indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>, affine_map<(m) -> (m)>]
    ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%c : memref<?xf32>)
  return
}

// -----

func.func @pack_into_tiles_of_unknown_size(%a: tensor<100xf32>, %b: tensor<7x?xf32>, %n: index) {
  // expected-error @below {{Only full tiles are supported when padding_value is not set}}
  %0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [%n] into %b : tensor<100xf32> -> tensor<7x?xf32>
  return
}

// -----

func.func @pack_with_a_tile_size_too_many(%a: tensor<?xf32>, %b: tensor<?x8xf32>, %n: index) {
  // expected-error @below {{'linalg.pack' op expected 0 dynamic tile sizes, got 1}}
  %0 = "linalg.pack"(%a, %b, %n) <{inner_dims_pos = array<i64: 0>, operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_inner_tiles = array<i64: 8>}> : (tensor<?xf32>, tensor<?x8xf32>, index) -> tensor<?x8xf32>
  return
}

// -----

func.func @unpack_without_a_tile_size(%a: tensor<?x?xf32>, %b: tensor<?xf32>) {
  // expected-error @below {{'linalg.unpack' op expected 1 dynamic tile sizes, got 0}}
  %0 = "linalg.unpack"(%a, %b) <{inner_dims_pos = array<i64: 0>, static_inner_tiles = array<i64: -9223372036854775808>}> : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @pack_into_full_tiles_of_unknown_size(%a: tensor<100xf32>, %b: tensor<5x?xf32>, %n: index) {
  %0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [%n] into %b : tensor<100xf32> -> tensor<5x?xf32>
  return
}

// -----

func.func @elementwise_with_a_loop_that_the_result_lacks(%a: tensor<8x16xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'linalg.elementwise' op expected indexing_map #0 to have 1 dim(s) to match the number of loops}}
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<exp>
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>]
      ins(%a : tensor<8x16xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @elementwise_of_one_input_too_few(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'linalg.elementwise' op expected 3 operands, but found 2}}
  %0 = "linalg.elementwise"(%a, %b) <{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], kind = #linalg.elementwise_kind<sub>, operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.subf %x, %y : f32
    linalg.yield %s : f32
  }) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// expected-error @below {{attribute '"linalg.note"' not supported by the linalg dialect}}
func.func @attribute_of_no_use() attributes {linalg.note} {
  return
}
