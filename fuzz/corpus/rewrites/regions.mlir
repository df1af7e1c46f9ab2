// Functions to which patterns of operations with regions, and of affine accesses, apply.

func.func @branches_yield_alike(%c: i1, %x: i32) -> (i32, i32, i32) {
  %0:3 = scf.if %c -> (i32, i32, i32) {
    %y = arith.addi %x, %x : i32
    scf.yield %y, %y, %x : i32, i32, i32
  } else {
    %z = arith.muli %x, %x : i32
    scf.yield %z, %z, %x : i32, i32, i32
  }
  return %0#0, %0#1, %0#2 : i32, i32, i32
}

func.func @cases_yield_alike(%i: index, %x: i32) -> (i32, i32) {
  %0:2 = scf.index_switch %i -> i32, i32
  case 1 {
    %y = arith.addi %x, %x : i32
    scf.yield %y, %y : i32, i32
  }
  default {
    %z = arith.muli %x, %x : i32
    scf.yield %z, %z : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}

func.func @region_yields_alike(%x: i32, %m: memref<4xi32>) -> (i32, i32, i32) {
  %0:4 = scf.execute_region -> (i32, i32, i32, i32) no_inline {
    %y = arith.addi %x, %x : i32
    scf.yield %y, %y, %x, %y : i32, i32, i32, i32
  }
  return %0#0, %0#1, %0#2 : i32, i32, i32
}

func.func @size_of_result(%a: tensor<?xf32>, %x: tensor<1xf32>) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %0 = scf.forall (%i) in (1) shared_outs(%o = %a) -> tensor<?xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  return %0, %d : tensor<?xf32>, index
}

func.func @constant_sizes(%x: index, %y: index) -> index {
  %c4 = arith.constant 4 : index
  %0 = affine.linearize_index [%x, %y] by (3, %c4) : index
  return %0 : index
}

func.func @cast_accesses(%a: memref<4xf32>, %x: f32, %v: vector<2xf32>) -> (f32, vector<2xf32>) {
  %0 = memref.cast %a : memref<4xf32> to memref<?xf32>
  affine.prefetch %0[1], read, locality<3>, data : memref<?xf32>
  affine.store %x, %0[1] : memref<?xf32>
  affine.vector_store %v, %0[2] : memref<?xf32>, vector<2xf32>
  %1 = affine.load %0[3] : memref<?xf32>
  %2 = affine.vector_load %0[0] : memref<?xf32>, vector<2xf32>
  return %1, %2 : f32, vector<2xf32>
}
