// Functions in which shapes of tensors are known better than their types say.

func.func @cast_of_slice(%t: tensor<8xf32>) -> tensor<4xf32> {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = tensor.extract_slice %t[%c1] [%c4] [1] : tensor<8xf32> to tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}

func.func @concats(%a: tensor<2xf32>, %b: tensor<3xf32>) -> (tensor<2xf32>, tensor<?xf32>, tensor<5xf32>) {
  %0 = tensor.concat dim(0) %a : (tensor<2xf32>) -> tensor<2xf32>
  %1 = tensor.concat dim(0) %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<?xf32>
  %c = tensor.cast %b : tensor<3xf32> to tensor<?xf32>
  %2 = tensor.concat dim(0) %a, %c : (tensor<2xf32>, tensor<?xf32>) -> tensor<5xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<?xf32>, tensor<5xf32>
}

func.func @concat_of_rows(%a: tensor<2x4xf32>, %b: tensor<2x?xf32>) -> tensor<?x?xf32> {
  %c = tensor.cast %a : tensor<2x4xf32> to tensor<?x4xf32>
  %0 = tensor.concat dim(0) %c, %b : (tensor<?x4xf32>, tensor<2x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @dim_of_reshape(%t: tensor<6xf32>) -> (index, tensor<3x2xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %s = tensor.from_elements %c2, %c3 : tensor<2xindex>
  %r = tensor.from_elements %c3, %c2 : tensor<2xindex>
  %0 = tensor.reshape %t(%s) : (tensor<6xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?x?xf32>
  %2 = tensor.reshape %0(%r) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<3x2xf32>
  return %1, %2 : index, tensor<3x2xf32>
}

func.func @expansions(%t: tensor<?xf32>, %u: tensor<6xf32>) -> tensor<?x3xf32> {
  %c2 = arith.constant 2 : index
  %0 = tensor.cast %u : tensor<6xf32> to tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [%c2, 3] : tensor<?xf32> into tensor<?x3xf32>
  return %1 : tensor<?x3xf32>
}

func.func @element_of_generated(%n: index) -> index {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = tensor.generate %c4 {
  ^bb0(%i: index):
    %2 = arith.addi %i, %n : index
    tensor.yield %2 : index
  } : tensor<?xindex>
  %1 = tensor.extract %0[%c1] : tensor<?xindex>
  return %1 : index
}

func.func @size_of_loop_result(%t: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = scf.forall (%i) in (2) shared_outs(%o = %t) -> (tensor<?xf32>) {
    scf.forall.in_parallel {
    }
  }
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  return %1 : index
}

func.func @packs(%a: tensor<8xf32>, %b: tensor<2x4xf32>, %c: tensor<2x4xf32>, %d: tensor<8xf32>) -> (tensor<2x?xf32>, tensor<8xf32>) {
  %c4 = arith.constant 4 : index
  %e = tensor.cast %c : tensor<2x4xf32> to tensor<2x?xf32>
  %0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [%c4] into %e : tensor<8xf32> -> tensor<2x?xf32>
  %f = tensor.cast %b : tensor<2x4xf32> to tensor<2x?xf32>
  %1 = linalg.unpack %f inner_dims_pos = [0] inner_tiles = [%c4] into %d : tensor<2x?xf32> -> tensor<8xf32>
  return %0, %1 : tensor<2x?xf32>, tensor<8xf32>
}

func.func @casts_around_packs(%a: tensor<8xf32>, %b: tensor<2x4xf32>) -> (tensor<?x4xf32>, tensor<?xf32>) {
  %e = tensor.empty() : tensor<2x4xf32>
  %f = tensor.cast %e : tensor<2x4xf32> to tensor<?x4xf32>
  %g = tensor.cast %a : tensor<8xf32> to tensor<?xf32>
  %0 = linalg.pack %g inner_dims_pos = [0] inner_tiles = [4] into %f : tensor<?xf32> -> tensor<?x4xf32>
  %h = tensor.cast %b : tensor<2x4xf32> to tensor<?x4xf32>
  %i = tensor.empty() : tensor<8xf32>
  %j = tensor.cast %i : tensor<8xf32> to tensor<?xf32>
  %1 = linalg.unpack %h inner_dims_pos = [0] inner_tiles = [4] into %j : tensor<?x4xf32> -> tensor<?xf32>
  return %0, %1 : tensor<?x4xf32>, tensor<?xf32>
}

func.func @slice_of_unpacked(%b: tensor<2x4xf32>, %x: f32) -> tensor<6xf32> {
  %i = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%x : f32) outs(%i : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.unpack %b inner_dims_pos = [0] inner_tiles = [4] into %f : tensor<2x4xf32> -> tensor<8xf32>
  %1 = tensor.extract_slice %0[0] [6] [1] : tensor<8xf32> to tensor<6xf32>
  return %1 : tensor<6xf32>
}

func.func @expand_to_constant(%t: tensor<?xf32>) -> tensor<?x1xf32> {
  %c2 = arith.constant 2 : index
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [%c2, 1] : tensor<?xf32> into tensor<?x1xf32>
  return %0 : tensor<?x1xf32>
}

func.func @copy_to_itself(%m: memref<4xf32>) {
  linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
  } ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

func.func @tiles_of_constants(%a: tensor<8xf32>, %b: tensor<2x?xf32>, %d: tensor<8xf32>) -> (tensor<2x?xf32>, tensor<8xf32>) {
  %c4 = arith.constant 4 : index
  %e = tensor.empty(%c4) : tensor<2x?xf32>
  %0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [%c4] into %e : tensor<8xf32> -> tensor<2x?xf32>
  %1 = linalg.unpack %0 inner_dims_pos = [0] inner_tiles = [%c4] into %d : tensor<2x?xf32> -> tensor<8xf32>
  "test.use"(%1) : (tensor<8xf32>) -> ()
  return %0, %1 : tensor<2x?xf32>, tensor<8xf32>
}
