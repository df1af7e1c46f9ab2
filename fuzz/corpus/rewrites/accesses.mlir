// Functions in which memory is accessed through casts, with constant operands, and with masks that are known.

func.func @affine_through_casts(%m: memref<8xf32>, %x: f32, %v: vector<2xf32>) -> (f32, vector<2xf32>) {
  %c = memref.cast %m : memref<8xf32> to memref<?xf32>
  affine.store %x, %c[1] : memref<?xf32>
  affine.vector_store %v, %c[2] : memref<?xf32>, vector<2xf32>
  affine.prefetch %c[0], read, locality<3>, data : memref<?xf32>
  %0 = affine.load %c[2] : memref<?xf32>
  %1 = affine.vector_load %c[1] : memref<?xf32>, vector<2xf32>
  return %0, %1 : f32, vector<2xf32>
}

func.func @affine_vector_load(%m: memref<8xf32>) -> vector<2xf32> {
  %c2 = arith.constant 2 : index
  %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%c2)
  %1 = affine.vector_load %m[%0] : memref<8xf32>, vector<2xf32>
  return %1 : vector<2xf32>
}

func.func @linearize(%i: index, %j: index) -> index {
  %c4 = arith.constant 4 : index
  %0 = affine.linearize_index [%i, %j] by (%c4, %c4) : index
  return %0 : index
}

func.func @unused_clone(%m: memref<4xf32>) {
  %0 = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  return
}

func.func @reinterpret(%m: memref<8xf32>) -> memref<?xf32, strided<[?], offset: ?>> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = memref.reinterpret_cast %m to offset: [%c1], sizes: [%c2], strides: [%c2]
    : memref<8xf32> to memref<?xf32, strided<[?], offset: ?>>
  return %0 : memref<?xf32, strided<[?], offset: ?>>
}

func.func @metadata_of_cast(%m: memref<8xf32>) -> (index, index) {
  %0 = memref.cast %m : memref<8xf32> to memref<?xf32, strided<[?], offset: ?>>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %0
    : memref<?xf32, strided<[?], offset: ?>> -> memref<f32>, index, index, index
  return %size, %stride : index, index
}

func.func @no_lanes(%m: memref<8xf32>, %v: vector<2xf32>) -> (vector<2xf32>, vector<2xf32>, vector<2xf32>) {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<false> : vector<2xi1>
  %at = arith.constant dense<[3, 1]> : vector<2xi32>
  vector.compressstore %m[%c0], %none, %v : memref<8xf32>, vector<2xi1>, vector<2xf32>
  vector.scatter %m[%c0] [%at], %none, %v : memref<8xf32>, vector<2xi32>, vector<2xi1>, vector<2xf32>
  %0 = vector.expandload %m[%c0], %none, %v : memref<8xf32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  %1 = vector.gather %m[%c0] [%at], %none, %v : memref<8xf32>, vector<2xi32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  %2 = vector.maskedload %m[%c0], %none, %v : memref<8xf32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  return %0, %1, %2 : vector<2xf32>, vector<2xf32>, vector<2xf32>
}

func.func @all_lanes(%m: memref<8xf32>, %v: vector<2xf32>) -> (vector<2xf32>, vector<2xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %all = arith.constant dense<true> : vector<2xi1>
  vector.compressstore %m[%c4], %all, %v : memref<8xf32>, vector<2xi1>, vector<2xf32>
  vector.maskedstore %m[%c0], %all, %v : memref<8xf32>, vector<2xi1>, vector<2xf32>
  %0 = vector.expandload %m[%c4], %all, %v : memref<8xf32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  %1 = vector.maskedload %m[%c0], %all, %v : memref<8xf32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
  return %0, %1 : vector<2xf32>, vector<2xf32>
}

func.func @transfers(%m: memref<8xf32>, %v: vector<4xf32>, %p: f32) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %all = arith.constant dense<true> : vector<4xi1>
  %c = memref.cast %m : memref<8xf32> to memref<?xf32>
  vector.transfer_write %v, %m[%c2] : vector<4xf32>, memref<8xf32>
  vector.transfer_write %v, %c[%c0], %all : vector<4xf32>, memref<?xf32>
  %0 = vector.transfer_read %c[%c2], %p, %all : memref<?xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}

func.func @read_of_written(%t: tensor<8xf32>, %v: vector<4xf32>, %p: f32) -> (vector<4xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %0 = vector.transfer_write %v, %t[%c4] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
  %1 = vector.transfer_read %0[%c4], %p {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
  %2 = vector.transfer_read %t[%c0], %p {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
  %3 = vector.transfer_write %2, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
  return %1, %3 : vector<4xf32>, tensor<8xf32>
}

func.func @elements(%a: f32, %b: f32, %v: vector<2xf32>) -> (f32, vector<2xf32>) {
  %c1 = arith.constant 1 : index
  %0 = vector.from_elements %a, %b : vector<2xf32>
  %1 = vector.extract %0[1] : f32 from vector<2xf32>
  %2 = vector.insert %a, %v [%c1] : f32 into vector<2xf32>
  return %1, %2 : f32, vector<2xf32>
}

func.func @slice_of_mask(%n: index) -> vector<2xi1> {
  %0 = vector.create_mask %n : vector<4xi1>
  %1 = vector.extract_strided_slice %0 {offsets = [1], sizes = [2], strides = [1]} : vector<4xi1> to vector<2xi1>
  return %1 : vector<2xi1>
}

func.func @affine_vector_store(%m: memref<8xf32>, %v: vector<2xf32>) -> index {
  %c2 = arith.constant 2 : index
  %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%c2)
  affine.vector_store %v, %m[%0] : memref<8xf32>, vector<2xf32>
  return %0 : index
}

func.func @only_result(%i: index) -> (index, index) {
  %0 = affine.min affine_map<(d0) -> (d0 + 1)>(%i)
  %1 = affine.max affine_map<(d0) -> (d0 + 1)>(%i)
  return %0, %1 : index, index
}

func.func @dead_reallocation() {
  %c8 = arith.constant 8 : index
  %m = memref.alloc() : memref<4xf32>
  %r = memref.realloc %m(%c8) : memref<4xf32> to memref<?xf32>
  memref.dealloc %r : memref<?xf32>
  return
}

func.func @expand_of_collapse(%m: memref<2x3x4xf32>) -> memref<2x3x2x2xf32> {
  %0 = memref.collapse_shape %m [[0, 1], [2]] : memref<2x3x4xf32> into memref<6x4xf32>
  %1 = memref.expand_shape %0 [[0, 1], [2, 3]] output_shape [2, 3, 2, 2] : memref<6x4xf32> into memref<2x3x2x2xf32>
  return %1 : memref<2x3x2x2xf32>
}

func.func @rows_of_elements(%a: f32, %b: f32, %c: f32, %d: f32) -> (vector<2xf32>, vector<4xf32>) {
  %0 = vector.from_elements %a, %b, %c, %d : vector<2x2xf32>
  %1 = vector.extract %0[1] : vector<2xf32> from vector<2x2xf32>
  %2 = vector.shape_cast %0 : vector<2x2xf32> to vector<1x4xf32>
  %3 = vector.extract %2[0] : vector<4xf32> from vector<1x4xf32>
  return %1, %3 : vector<2xf32>, vector<4xf32>
}

func.func @sum_after_contraction(%a: vector<2x3xf32>, %b: vector<3x2xf32>, %c: vector<2x2xf32>) -> vector<2x2xf32> {
  %zero = arith.constant dense<0.0> : vector<2x2xf32>
  %0 = vector.contract {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>
  } %a, %b, %zero : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32>
  %1 = arith.addf %0, %c fastmath<reassoc> : vector<2x2xf32>
  return %1 : vector<2x2xf32>
}
