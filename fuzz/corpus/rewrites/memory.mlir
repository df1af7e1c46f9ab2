// Functions to which patterns of memref apply.

func.func @dead_alloca(%n: index) {
  %m = memref.alloca(%n) : memref<?xf32>
  return
}

func.func @cast_of_cast(%m: memref<4xf32>) -> memref<?xf32> {
  %0 = memref.cast %m : memref<4xf32> to memref<*xf32>
  %1 = memref.cast %0 : memref<*xf32> to memref<?xf32>
  return %1 : memref<?xf32>
}

func.func @casts(%m: memref<4xf32>, %d: memref<4xf32>, %x: f32, %i: index) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  %1 = memref.cast %d : memref<4xf32> to memref<?xf32>
  %old = memref.atomic_rmw addf %x, %0[%c0] : (f32, memref<?xf32>) -> f32
  memref.copy %0, %1 : memref<?xf32> to memref<?xf32>
  memref.prefetch %0[%c0], read, locality<3>, data : memref<?xf32>
  %n = memref.dim %0, %c0 : memref<?xf32>
  return %old, %n : f32, index
}

func.func @dealloc_of_cast(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  memref.store %x, %m[%c0] : memref<4xf32>
  %y = memref.load %m[%c0] : memref<4xf32>
  %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  memref.dealloc %0 : memref<?xf32>
  return %y : f32
}

func.func @reshapes(%m: memref<2x3x4xf32>) -> (memref<24xf32>, memref<2x3x2x2xf32>) {
  %0 = memref.collapse_shape %m [[0, 1], [2]] : memref<2x3x4xf32> into memref<6x4xf32>
  %1 = memref.collapse_shape %0 [[0, 1]] : memref<6x4xf32> into memref<24xf32>
  %2 = memref.expand_shape %m [[0], [1], [2, 3]] output_shape [2, 3, 4, 1] : memref<2x3x4xf32> into memref<2x3x4x1xf32>
  %3 = memref.expand_shape %2 [[0], [1], [2, 3], [4]] output_shape [2, 3, 2, 2, 1]
    : memref<2x3x4x1xf32> into memref<2x3x2x2x1xf32>
  %4 = memref.collapse_shape %3 [[0], [1], [2], [3, 4]] : memref<2x3x2x2x1xf32> into memref<2x3x2x2xf32>
  return %1, %4 : memref<24xf32>, memref<2x3x2x2xf32>
}

func.func @dynamic_reshapes(%m: memref<?x?xf32>, %a: index, %b: index) -> memref<?x?xf32> {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %1 = memref.expand_shape %0 [[0, 1]] output_shape [%a, %b] : memref<?xf32> into memref<?x?xf32>
  return %1 : memref<?x?xf32>
}

func.func @reshape_back(%m: memref<6xf32>) -> memref<6xf32> {
  %0 = memref.expand_shape %m [[0, 1]] output_shape [2, 3] : memref<6xf32> into memref<2x3xf32>
  %1 = memref.collapse_shape %0 [[0, 1]] : memref<2x3xf32> into memref<6xf32>
  return %1 : memref<6xf32>
}

func.func @dim_of_reshape(%m: memref<?xf32>, %shape: memref<2xindex>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  %list = memref.alloc() : memref<2xindex>
  memref.store %n, %list[%c0] : memref<2xindex>
  memref.store %c1, %list[%c1] : memref<2xindex>
  %0 = memref.reshape %m(%list) : (memref<?xf32>, memref<2xindex>) -> memref<?x?xf32>
  memref.store %c2, %shape[%c0] : memref<2xindex>
  %d0 = memref.dim %0, %c0 : memref<?x?xf32>
  %d1 = memref.dim %0, %c1 : memref<?x?xf32>
  return %d0, %d1 : index, index
}

func.func @subview_of_cast(%m: memref<8xf32>, %i: index) -> memref<?xf32, strided<[1], offset: ?>> {
  %0 = memref.cast %m : memref<8xf32> to memref<?xf32>
  %1 = memref.subview %0[1] [%i] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: 1>>
  %2 = memref.cast %1 : memref<?xf32, strided<[1], offset: 1>> to memref<?xf32, strided<[1], offset: ?>>
  return %2 : memref<?xf32, strided<[1], offset: ?>>
}

func.func @whole_subview(%m: memref<4xf32>) -> memref<4xf32> {
  %0 = memref.subview %m[0] [4] [1] : memref<4xf32> to memref<4xf32, strided<[1]>>
  %1 = memref.cast %0 : memref<4xf32, strided<[1]>> to memref<4xf32>
  return %1 : memref<4xf32>
}

func.func @transposes(%m: memref<2x3xf32>) -> memref<2x3xf32> {
  %0 = memref.transpose %m (i, j) -> (j, i) : memref<2x3xf32> to memref<3x2xf32, affine_map<(i, j) -> (j * 3 + i)>>
  %1 = memref.transpose %m (i, j) -> (i, j) : memref<2x3xf32> to memref<2x3xf32>
  return %1 : memref<2x3xf32>
}

func.func @subviews(%m: memref<8x8xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.subview %m[%c1, %i] [4, 4] [2, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
  %1 = memref.subview %0[1, %c1] [2, 2] [1, 2]
    : memref<4x4xf32, strided<[16, 1], offset: ?>> to memref<2x2xf32, strided<[16, 2], offset: ?>>
  %2 = memref.load %1[%c1, %c1] : memref<2x2xf32, strided<[16, 2], offset: ?>>
  return %2 : f32
}

func.func @alloca_of_constant(%x: f32) -> f32 {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca(%c4) : memref<?xf32>
  memref.store %x, %m[%c1] : memref<?xf32>
  %y = memref.load %m[%c1] : memref<?xf32>
  %d = memref.alloca(%c4) : memref<?xf32>
  memref.store %x, %d[%c1] : memref<?xf32>
  return %y : f32
}

func.func @cast_of_cast_ranked(%m: memref<4x?xf32>) -> memref<?x3xf32> {
  %0 = memref.cast %m : memref<4x?xf32> to memref<?x?xf32>
  %1 = memref.cast %0 : memref<?x?xf32> to memref<?x3xf32>
  %2 = memref.cast %m : memref<4x?xf32> to memref<?x?xf32>
  %3 = memref.cast %2 : memref<?x?xf32> to memref<*xf32>
  %4 = memref.cast %3 : memref<*xf32> to memref<?x3xf32>
  return %4 : memref<?x3xf32>
}

func.func @dim_of_given_shape(%m: memref<6xf32>, %shape: memref<2xindex>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  memref.store %c2, %shape[%c0] : memref<2xindex>
  memref.store %c3, %shape[%c1] : memref<2xindex>
  %0 = memref.reshape %m(%shape) : (memref<6xf32>, memref<2xindex>) -> memref<?x?xf32>
  %d0 = memref.dim %0, %c0 : memref<?x?xf32>
  %d1 = memref.dim %0, %c1 : memref<?x?xf32>
  memref.store %c1, %shape[%c0] : memref<2xindex>
  return %d0, %d1 : index, index
}

func.func @subview_of_subview(%m: memref<8xf32>) -> memref<4xf32, strided<[1], offset: 2>> {
  %0 = memref.subview %m[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  %1 = memref.subview %0[0] [4] [1] : memref<4xf32, strided<[1], offset: 2>> to memref<4xf32, strided<[1], offset: 2>>
  return %1 : memref<4xf32, strided<[1], offset: 2>>
}

func.func @view_of_known_sizes(%x: i8, %y: i8) -> (i8, index) {
  %m = memref.alloca() : memref<16xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %v = memref.view %m[%c2][%c2, %c3] : memref<16xi8> to memref<?x?xi8>
  memref.store %x, %v[%c0, %c2] : memref<?x?xi8>
  memref.store %y, %v[%c1, %c1] : memref<?x?xi8>
  %0 = memref.load %v[%c0, %c2] : memref<?x?xi8>
  %d = memref.dim %v, %c1 : memref<?x?xi8>
  return %0, %d : i8, index
}
