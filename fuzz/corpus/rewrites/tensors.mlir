// Functions to which patterns of linalg, tensor and vector apply.

func.func @bitcast_of_bitcast(%t: tensor<4xf32>) -> tensor<4xi32> {
  %0 = tensor.bitcast %t : tensor<4xf32> to tensor<4xui32>
  %1 = tensor.bitcast %0 : tensor<4xui32> to tensor<4xi32>
  return %1 : tensor<4xi32>
}

func.func @cast_of_cast(%t: tensor<4x?xf32>) -> tensor<?x3xf32> {
  %0 = tensor.cast %t : tensor<4x?xf32> to tensor<?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<?x3xf32>
  return %1 : tensor<?x3xf32>
}

func.func @cast_of_slice(%t: tensor<8xf32>, %i: index, %n: index) -> tensor<4xf32> {
  %0 = tensor.extract_slice %t[%i] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}

func.func @slices_of_casts(%t: tensor<8xf32>, %d: tensor<8xf32>, %i: index) -> (tensor<2xf32>, tensor<?xf32>) {
  %0 = tensor.cast %t : tensor<8xf32> to tensor<?xf32>
  %1 = tensor.extract_slice %0[%i] [2] [1] : tensor<?xf32> to tensor<2xf32>
  %2 = tensor.cast %1 : tensor<2xf32> to tensor<?xf32>
  %c2 = arith.constant 2 : index
  %3 = tensor.cast %d : tensor<8xf32> to tensor<?xf32>
  %4 = tensor.insert_slice %2 into %3[%i] [%c2] [1] : tensor<?xf32> into tensor<?xf32>
  return %1, %4 : tensor<2xf32>, tensor<?xf32>
}

func.func @dim_and_extract_of_cast(%t: tensor<4xf32>, %i: index) -> (index, f32) {
  %c0 = arith.constant 0 : index
  %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  %2 = tensor.extract %0[%i] : tensor<?xf32>
  return %1, %2 : index, f32
}

func.func @expansions(%t: tensor<24xf32>) -> tensor<2x3x4xf32> {
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [6, 4] : tensor<24xf32> into tensor<6x4xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf32> into tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

func.func @expansion_of_collapse(%t: tensor<?x?xf32>, %a: index, %b: index) -> tensor<?x?xf32> {
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [%a, %b] : tensor<?xf32> into tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

func.func @collapse_of_expansion(%t: tensor<6xf32>) -> tensor<6xf32> {
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  return %1 : tensor<6xf32>
}

func.func @generate_constant(%x: index) -> tensor<?x?xindex> {
  %c2 = arith.constant 2 : index
  %0 = tensor.generate %c2, %x {
  ^bb0(%i: index, %j: index):
    %1 = arith.addi %i, %j : index
    tensor.yield %1 : index
  } : tensor<?x?xindex>
  return %0 : tensor<?x?xindex>
}

func.func @constant_slices(%t: tensor<8xf32>, %s: tensor<?xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.insert_slice %s into %t[%c1] [%c2] [%c2] : tensor<?xf32> into tensor<8xf32>
  %1 = scf.forall (%i) in (2) shared_outs(%o = %t) -> (tensor<8xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [%c2] [%c2] : tensor<?xf32> into tensor<8xf32>
    }
  }
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

func.func @constants() -> (tensor<3xi8>, tensor<4xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<4xi8>) {
  %c1 = arith.constant 1 : i8
  %c2 = arith.constant -2 : i8
  %c7 = arith.constant 7 : i8
  %i1 = arith.constant 1 : index
  %shape = arith.constant dense<[2, 2]> : tensor<2xindex>
  %t = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %0 = tensor.from_elements %c1, %c2, %c7 : tensor<3xi8>
  %1 = tensor.insert %c7 into %t[%i1] : tensor<4xi8>
  %2 = tensor.reshape %t(%shape) : (tensor<4xi8>, tensor<2xindex>) -> tensor<2x2xi8>
  %3 = tensor.splat %c7 : tensor<2x2xi8>
  %4 = tensor.collapse_shape %2 [[0, 1]] : tensor<2x2xi8> into tensor<4xi8>
  return %0, %1, %2, %3, %4 : tensor<3xi8>, tensor<4xi8>, tensor<2x2xi8>, tensor<2x2xi8>, tensor<4xi8>
}

func.func @insert_extracted(%t: tensor<4xf32>, %i: index, %s: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.extract %t[%i] : tensor<4xf32>
  %1 = tensor.insert %0 into %t[%i] : tensor<4xf32>
  %2 = tensor.extract %s[%i] : tensor<4xf32>
  %splat = arith.constant dense<1.0> : tensor<4xf32>
  %one = arith.constant 1.0 : f32
  %3 = tensor.insert %one into %splat[%i] : tensor<4xf32>
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}

func.func @fills(%x: f32, %n: index) -> (tensor<2x3xf32>, tensor<3x2xf32>, tensor<6xf32>) {
  %e = tensor.empty() : tensor<6xf32>
  %0 = linalg.fill ins(%x : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %f = tensor.empty() : tensor<2x3xf32>
  %2 = linalg.fill ins(%x : f32) outs(%f : tensor<2x3xf32>) -> tensor<2x3xf32>
  %g = tensor.empty() : tensor<3x2xf32>
  %3 = linalg.transpose ins(%2 : tensor<2x3xf32>) outs(%g : tensor<3x2xf32>) permutation = [1, 0]
  %4 = tensor.collapse_shape %2 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  return %1, %3, %4 : tensor<2x3xf32>, tensor<3x2xf32>, tensor<6xf32>
}

func.func @vector_bitcasts(%v: vector<4xi32>) -> (vector<8xi16>, vector<4xi32>, vector<4xi32>) {
  %0 = vector.bitcast %v : vector<4xi32> to vector<16xi8>
  %1 = vector.bitcast %0 : vector<16xi8> to vector<8xi16>
  %2 = vector.bitcast %1 : vector<8xi16> to vector<4xi32>
  %c = arith.constant dense<[1, -1, 256, 65535, 0, 2, 3, 4]> : vector<8xi16>
  %3 = vector.bitcast %c : vector<8xi16> to vector<4xi32>
  return %1, %2, %3 : vector<8xi16>, vector<4xi32>, vector<4xi32>
}

func.func @shape_casts(%v: vector<2x6xf32>) -> (vector<3x4xf32>, vector<2x6xf32>, vector<6xi8>) {
  %0 = vector.shape_cast %v : vector<2x6xf32> to vector<12xf32>
  %1 = vector.shape_cast %0 : vector<12xf32> to vector<3x4xf32>
  %2 = vector.shape_cast %1 : vector<3x4xf32> to vector<2x6xf32>
  %c = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xi8>
  %3 = vector.shape_cast %c : vector<2x3xi8> to vector<6xi8>
  return %1, %2, %3 : vector<3x4xf32>, vector<2x6xf32>, vector<6xi8>
}

func.func @relayout_of_constants() -> (tensor<2x4xi8>, tensor<8xi8>) {
  %a = arith.constant dense<3> : tensor<8xi8>
  %b = arith.constant dense<4> : tensor<2x4xi8>
  %c = tensor.empty() : tensor<2x4xi8>
  %d = tensor.empty() : tensor<8xi8>
  %0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [4] into %c : tensor<8xi8> -> tensor<2x4xi8>
  %1 = linalg.unpack %b inner_dims_pos = [0] inner_tiles = [4] into %d : tensor<2x4xi8> -> tensor<8xi8>
  return %0, %1 : tensor<2x4xi8>, tensor<8xi8>
}
