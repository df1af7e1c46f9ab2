// RUN: dl-opt %s --split-input-file --verify-diagnostics

func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.interchange' op expects iterator_interchange to be a permutation, found 1, 1}}
  %0 = transform.structured.interchange %a iterator_interchange = [1, 1] : (!transform.any_op) -> !transform.any_op
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.pad' op expects padding_dimensions to contain positive integers, found [1, -7]}}
  %0:3 = transform.structured.pad %a {padding_dimensions = [1, -7]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.pad' op expects nofold_flags to contain booleans (0/1), found [1, 7]}}
  %0:3 = transform.structured.pad %a {nofold_flags = [1, 7]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.pad' op expects transpose_paddings to be a permutation, found [1, 1]}}
  %0:3 = transform.structured.pad %a {transpose_paddings = [[0, 1], [1, 1]]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.pad' op expects as many multiples as padding_dimensions}}
  %0:3 = transform.structured.pad %a pad_to_multiple_of [1, 2] {padding_dimensions = [1]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.pad' op invalid copy_back_op}}
  %0:3 = transform.structured.pad %a {copy_back_op = "memref.copy"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.pack_greedily' op "matmul_inner_dims_order" is not a valid permutation}}
  %0 = transform.structured.pack_greedily %a matmul_packed_sizes = [8, 0, 32] matmul_inner_dims_order = [1, 1, 0] : (!transform.any_op) -> !transform.any_op
  return
}

// -----

// The default of an attribute may break its constraint.
func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.pack_greedily' op attribute 'matmul_inner_dims_order' failed to satisfy constraint: i64 dense array attribute with exactly 3 elements}}
  %0 = "transform.structured.pack_greedily"(%a) <{static_matmul_packed_sizes = array<i64: 8, 0, 32>}> : (!transform.any_op) -> !transform.any_op
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.pack_greedily' op at most one of the packed_size and the padded_sizes_next_multiple_of can be nonzero for the matmul strategy}}
  %0 = transform.structured.pack_greedily %a matmul_packed_sizes = [1, 1, 1] matmul_padded_sizes_next_multiple_of = [1, 1, 1] matmul_inner_dims_order = [1, 2, 0] : (!transform.any_op) -> !transform.any_op
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.multitile_sizes' op expects all results type to be the same}}
  %0:3 = "transform.structured.multitile_sizes"(%a) <{dimension = 0 : i64, target_size = 3 : i64}> : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i32>)
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.continuous_tile_sizes' op expects all results type to be the same}}
  %0:2 = "transform.structured.continuous_tile_sizes"(%a) <{dimension = 0 : i64, target_size = 3 : i64}> : (!transform.any_op) -> (!transform.any_op, !transform.param<i64>)
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.replace' op expected one operation in block}}
  %0 = transform.structured.replace %a {
    %c = arith.constant 1 : i32
    %d = arith.constant 1 : i32
  } : (!transform.any_op) -> !transform.any_op
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  %0 = transform.structured.replace %a {
  ^bb0(%b: i32):
    // expected-error @below {{'arith.addi' op expected replacement without operands}}
    %c = arith.addi %b, %b : i32
  } : (!transform.any_op) -> !transform.any_op
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.tile_using_forall' op num_threads and packed_num_threads are mutually exclusive}}
  %0:2 = "transform.structured.tile_using_forall"(%a, %a) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 0>, static_num_threads = array<i64: 4>}> : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.tile_using_forall' op tile_sizes and packed_tile_sizes are mutually exclusive}}
  %0:2 = "transform.structured.tile_using_forall"(%a, %a) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>, static_tile_sizes = array<i64: 4>}> : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  return
}

// -----

func.func @f(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.tile_using_forall' op either (packed_)num_threads or (packed_)tile_sizes must be specified}}
  %0:2 = transform.structured.tile_using_forall %a : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  return
}

// -----

func.func @split_at_both(%a: !transform.any_op, %p: !transform.any_param) {
  // expected-error @below {{'transform.structured.split' op expects either a dynamic or a static split point to be provided}}
  %0 = "transform.structured.split"(%a, %p) <{dimension = 0 : i64, static_chunk_sizes = 8 : i64}> : (!transform.any_op, !transform.any_param) -> !transform.any_op
  return
}

// -----

func.func @split_nowhere(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.split' op expects either a dynamic or a static split point to be provided}}
  %0 = "transform.structured.split"(%a) <{dimension = 0 : i64, static_chunk_sizes = -9223372036854775808 : i64}> : (!transform.any_op) -> !transform.any_op
  return
}

// -----

func.func @pack_transpose(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.pack_transpose' op  at least one of "inner_perm" or "outer_perm" must be specified}}
  %0, %1, %2 = transform.structured.pack_transpose %a with_compute_op(%a) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  // expected-error @below {{'transform.structured.pack_transpose' op "outer_perm" is not a valid permutation}}
  %3, %4, %5 = transform.structured.pack_transpose %a with_compute_op(%a) outer_perm = [1] inner_perm = [0] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  // expected-error @below {{'transform.structured.pack_transpose' op "inner_perm" is not a valid permutation}}
  %6, %7, %8 = transform.structured.pack_transpose %a with_compute_op(%a) outer_perm = [0] inner_perm = [1, 1] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  return
}

// -----

func.func @loops_of_tiling(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.tile_using_for' op expected number of loops to tile (1) to match number of `loops` results (2)}}
  %0, %1:2 = transform.structured.tile_using_for %a tile_sizes [32, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  // expected-error @below {{'transform.structured.fuse' op expects 2 loop results}}
  %2, %3 = transform.structured.fuse %a tile_sizes [32, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  // expected-error @below {{'transform.structured.fuse' op expects 1 loop results}}
  %4, %5:2 = transform.structured.fuse %a tile_sizes [32, 1] {use_forall} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  return
}

// -----

func.func @interchange_of_fusing(%a: !transform.any_op) {
  // expected-error @below {{'transform.structured.fuse' op interchange length exceeds iteration space dimensions (2), found }}
  %0, %1:2 = transform.structured.fuse %a tile_sizes [32, 1] interchange [0, 1, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  // expected-error @below {{'transform.structured.fuse' op found duplicate interchange value: 1}}
  %2, %3:2 = transform.structured.fuse %a tile_sizes [32, 1] interchange [1, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  // expected-error @below {{'transform.structured.fuse' op expects interchange values to be in range [0, 2), found: 2}}
  %4, %5:2 = transform.structured.fuse %a tile_sizes [32, 1] interchange [1, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  // The loops need not all be in the order.
  %6, %7:2 = transform.structured.fuse %a tile_sizes [32, 1] interchange [0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  return
}
