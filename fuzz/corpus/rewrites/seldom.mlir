// Functions in which rewrites apply that others mostly come before.

func.func @reinterpreted_as_is(%m: memref<4xf32, strided<[1]>>) -> f32 {
  %c1 = arith.constant 1 : index
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<4xf32, strided<[1]>> to memref<4xf32, strided<[1]>>
  %1 = memref.load %0[%c1] : memref<4xf32, strided<[1]>>
  return %1 : f32
}

func.func @untiled_extent(%b: tensor<?x2x4xf32>, %d: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = linalg.unpack %b inner_dims_pos = [1] inner_tiles = [4] into %d : tensor<?x2x4xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

func.func @memory_of_last_scope(%x: f32, %m: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  scf.execute_region no_inline {
    memref.alloca_scope {
      %b = memref.alloca() : memref<1xf32>
      memref.store %x, %b[%c0] : memref<1xf32>
      %y = memref.load %b[%c0] : memref<1xf32>
      memref.store %y, %m[%c0] : memref<1xf32>
    }
    scf.yield
  }
  return
}

func.func @expand_to_constant_size(%t: tensor<?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [%n, %c1] : tensor<?xf32> into tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @write_to_slice(%v: vector<4xf32>, %t: tensor<4xf32>, %d: tensor<8xf32>, %i: i1) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = arith.select %i, %c1, %c3 : index
  %0 = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  %1 = tensor.extract_slice %0[0] [%n] [1] : tensor<4xf32> to tensor<?xf32>
  %2 = tensor.insert_slice %1 into %d[2] [%n] [1] : tensor<?xf32> into tensor<8xf32>
  return %2 : tensor<8xf32>
}

func.func @insert_bordered(%a: tensor<2xf32>, %b: tensor<1xf32>, %i: i1) -> tensor<8xf32> {
  %cst = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %low = arith.select %i, %c1, %c2 : index
  %0 = tensor.empty() : tensor<8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  %2 = tensor.insert_slice %b into %1[7] [1] [1] : tensor<1xf32> into tensor<8xf32>
  %high = arith.subi %c2, %low : index
  %3 = tensor.pad %a low[%low] high[%high] {
  ^bb0(%k: index):
    tensor.yield %cst : f32
  } : tensor<2xf32> to tensor<4xf32>
  %4 = tensor.insert_slice %3 into %2[1] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %4 : tensor<8xf32>
}

func.func @bordered_filled(%n: tensor<?xf32>) -> tensor<?xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%cst : f32) outs(%n : tensor<?xf32>) -> tensor<?xf32>
  %1 = tensor.pad %0 low[1] high[2] {
  ^bb0(%k: index):
    tensor.yield %cst : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}
