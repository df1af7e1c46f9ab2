// Values by hand: positions in row-major order, and those that strides and offsets give.

// EVAL @sum(&dense<[1, 2, 3, 4]> : tensor<4xi32>) == 10 : i32
func.func @sum(%m: memref<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %n = memref.dim %m, %c0 : memref<4xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i32 {
    %x = memref.load %m[%i] : memref<4xi32>
    %next = arith.addi %s, %x : i32
    scf.yield %next : i32
  }
  return %sum : i32
}

// EVAL @at(&dense<[1, 2]> : tensor<2xi8>, 1 : index) == 2 : i8
// FAIL @at(&dense<[1, 2]> : tensor<2xi8>, 2 : index): 'memref.load' op undefined behaviour: index 2 is out of bounds for dimension 0 of size 2
// FAIL @at(&dense<[1, 2]> : tensor<2xi8>, -1 : index): index -1 is out of bounds for dimension 0 of size 2
// FAIL @at(&dense<[1, 2]> : tensor<2xi8>, poison): undefined behaviour: use of poison
func.func @at(%m: memref<?xi8>, %i: index) -> i8 {
  %x = memref.load %m[%i] : memref<?xi8> // <-
  return %x : i8
}

// FAIL @store_outside(3 : index): 'memref.store' op undefined behaviour: index 3 is out of bounds for dimension 1 of size 3
func.func @store_outside(%i: index) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<2x3xindex>
  memref.store %i, %m[%c0, %i] : memref<2x3xindex> // <-
  return
}

// FAIL @never_written(): 'memref.load' op undefined behaviour: read of memory that was never written
func.func @never_written() -> f32 {
  %m = memref.alloc() : memref<f32>
  %x = memref.load %m[] : memref<f32> // <-
  return %x : f32
}

// FAIL @use_after_free(): undefined behaviour: use of a buffer after it was freed
func.func @use_after_free() -> i32 {
  %c7 = arith.constant 7 : i32
  %m = memref.alloc() : memref<i32>
  memref.store %c7, %m[] : memref<i32>
  memref.dealloc %m : memref<i32>
  %x = memref.load %m[] : memref<i32> // <-
  return %x : i32
}

// FAIL @double_free(): 'memref.dealloc' op undefined behaviour: a buffer is freed twice
func.func @double_free() {
  %m = memref.alloc() : memref<i32>
  memref.dealloc %m : memref<i32>
  memref.dealloc %m : memref<i32> // <-
  return
}

// FAIL @free_stack(): undefined behaviour: a buffer of the stack is freed
func.func @free_stack() {
  %m = memref.alloca() : memref<i32>
  memref.dealloc %m : memref<i32> // <-
  return
}

func.func @escapes() -> memref<i32> {
  %c7 = arith.constant 7 : i32
  %m = memref.alloca() : memref<i32>
  memref.store %c7, %m[] : memref<i32>
  return %m : memref<i32>
}

// FAIL @stack_escapes(): undefined behaviour: use of a stack buffer outside of its scope
func.func @stack_escapes() -> i32 {
  %m = call @escapes() : () -> memref<i32>
  %x = memref.load %m[] : memref<i32> // <-
  return %x : i32
}

// EVAL @alloca_scope() == 3 : i32
func.func @alloca_scope() -> i32 {
  %r = memref.alloca_scope -> i32 {
    %c3 = arith.constant 3 : i32
    %m = memref.alloca() : memref<1xi32>
    %c0 = arith.constant 0 : index
    memref.store %c3, %m[%c0] : memref<1xi32>
    %x = memref.load %m[%c0] : memref<1xi32>
    memref.alloca_scope.return %x : i32
  }
  return %r : i32
}

// FAIL @negative_extent(-1 : index): undefined behaviour: extent -1 is negative
// FAIL @negative_extent(99999999999 : index): unsupported: more than
func.func @negative_extent(%n: index) {
  %m = memref.alloc(%n) : memref<?xi32> // <-
  return
}

// Every second element of the last row, through a view: writing to it writes to the whole.
// EVAL @subview() == dense<[[0, 0, 0, 0], [0, 9, 0, 9]]> : tensor<2x4xi32>, 3 : index
func.func @subview() -> (memref<2x4xi32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %nine = arith.constant 9 : i32
  %m = memref.alloc() : memref<2x4xi32>
  linalg.fill ins(%zero : i32) outs(%m : memref<2x4xi32>)
  %v = memref.subview %m[1, %c1] [1, 2] [1, 2] : memref<2x4xi32> to memref<2xi32, strided<[2], offset: ?>>
  memref.store %nine, %v[%c0] : memref<2xi32, strided<[2], offset: ?>>
  memref.store %nine, %v[%c1] : memref<2xi32, strided<[2], offset: ?>>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %v
      : memref<2xi32, strided<[2], offset: ?>> -> memref<i32>, index, index, index
  %a = arith.subi %offset, %size : index
  return %m, %a : memref<2x4xi32>, index
}

// FAIL @subview_outside(3 : index): 'memref.subview' op undefined behaviour: 2 elements from 3 on, 1 apart, of dimension 0 of size 4
func.func @subview_outside(%at: index) {
  %m = memref.alloc() : memref<4xi32>
  %v = memref.subview %m[%at] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1], offset: ?>> // <-
  return
}

// EVAL @transpose(&dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>) == dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi8>
func.func @transpose(%m: memref<2x3xi8>) -> memref<3x2xi8, strided<[1, 3]>> {
  %t = memref.transpose %m (i, j) -> (j, i) : memref<2x3xi8> to memref<3x2xi8, strided<[1, 3]>>
  return %t : memref<3x2xi8, strided<[1, 3]>>
}

// EVAL @reshapes(&dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>) == dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi8>, dense<[[[1], [2], [3]], [[4], [5], [6]]]> : tensor<2x3x1xi8>, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
func.func @reshapes(%m: memref<2x3xi8>) -> (memref<6xi8>, memref<2x3x1xi8>, memref<?x2xi8>) {
  %a = memref.collapse_shape %m [[0, 1]] : memref<2x3xi8> into memref<6xi8>
  %b = memref.expand_shape %m [[0], [1, 2]] output_shape [2, 3, 1] : memref<2x3xi8> into memref<2x3x1xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %shape = memref.alloca() : memref<2xindex>
  memref.store %c3, %shape[%c0] : memref<2xindex>
  memref.store %c2, %shape[%c1] : memref<2xindex>
  %c = memref.reshape %m(%shape) : (memref<2x3xi8>, memref<2xindex>) -> memref<?x2xi8>
  return %a, %b, %c : memref<6xi8>, memref<2x3x1xi8>, memref<?x2xi8>
}

// EVAL @reinterpret_cast(&dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi8>) == dense<[[1, 4], [3, 6]]> : tensor<2x2xi8>
func.func @reinterpret_cast(%m: memref<8xi8>) -> memref<2x2xi8, strided<[2, 3], offset: 1>> {
  %v = memref.reinterpret_cast %m to offset: [1], sizes: [2, 2], strides: [2, 3]
      : memref<8xi8> to memref<2x2xi8, strided<[2, 3], offset: 1>>
  return %v : memref<2x2xi8, strided<[2, 3], offset: 1>>
}

// FAIL @reinterpret_outside(&dense<[0, 1]> : tensor<2xi8>): undefined behaviour: access at position 4 of a buffer of 2 elements
func.func @reinterpret_outside(%m: memref<2xi8>) -> i8 {
  %c4 = arith.constant 4 : index
  %v = memref.reinterpret_cast %m to offset: [0], sizes: [8], strides: [1] : memref<2xi8> to memref<8xi8>
  %x = memref.load %v[%c4] : memref<8xi8> // <-
  return %x : i8
}

// EVAL @cast(&dense<[1, 2]> : tensor<2xi8>) == dense<[1, 2]> : tensor<2xi8>
// FAIL @cast(&dense<[1, 2, 3]> : tensor<3xi8>): 'memref.cast' op undefined behaviour: a memref of shape [3] as 'memref<2xi8>'
func.func @cast(%m: memref<?xi8>) -> memref<2xi8> {
  %v = memref.cast %m : memref<?xi8> to memref<2xi8> // <-
  return %v : memref<2xi8>
}

// 1.0 in binary32 is 0x3F800000; least significant byte first.
// EVAL @view() == dense<[0, 0, -128, 63]> : tensor<4xi8>, 1065353216 : i32
func.func @view() -> (memref<4xi8>, i32) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %bytes = memref.alloc() : memref<4xi8>
  %f = memref.view %bytes[%c0][] : memref<4xi8> to memref<1xf32>
  %i = memref.view %bytes[%c0][] : memref<4xi8> to memref<1xi32>
  memref.store %one, %f[%c0] : memref<1xf32>
  %x = memref.load %i[%c0] : memref<1xi32>
  return %bytes, %x : memref<4xi8>, i32
}

// FAIL @view_outside(1 : index): undefined behaviour: a view of shape [1] at byte 1 of 4
func.func @view_outside(%at: index) {
  %bytes = memref.alloc() : memref<4xi8>
  %f = memref.view %bytes[%at][] : memref<4xi8> to memref<1xf32> // <-
  return
}

// EVAL @copy(&dense<[1, 2]> : tensor<2xi8>, &dense<[3, 4]> : tensor<2xi8>) == dense<[1, 2]> : tensor<2xi8>
// FAIL @copy(&dense<[1, 2]> : tensor<2xi8>, &dense<[3]> : tensor<1xi8>): 'memref.copy' op undefined behaviour: shapes [2] and [1] differ
func.func @copy(%a: memref<?xi8>, %b: memref<?xi8>) -> memref<?xi8> {
  memref.copy %a, %b : memref<?xi8> to memref<?xi8> // <-
  return %b : memref<?xi8>
}

// What was copied without having been written is not written either.
// EVAL @copy_unwritten() == poison
func.func @copy_unwritten() -> memref<2xi8> {
  %a = memref.alloc() : memref<2xi8>
  %b = memref.alloc() : memref<2xi8>
  memref.copy %a, %b : memref<2xi8> to memref<2xi8>
  return %b : memref<2xi8>
}

memref.global "private" @counter : memref<1xi32> = dense<5>
memref.global "private" constant @table : memref<3xi32> = dense<[10, 20, 30]>

func.func @count() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %m = memref.get_global @counter : memref<1xi32>
  %x = memref.load %m[%c0] : memref<1xi32>
  %next = arith.addi %x, %c1 : i32
  memref.store %next, %m[%c0] : memref<1xi32>
  return %x : i32
}

// EVAL @globals() == 5 : i32, 6 : i32, 30 : i32
func.func @globals() -> (i32, i32, i32) {
  %c2 = arith.constant 2 : index
  %a = call @count() : () -> i32
  %b = call @count() : () -> i32
  %t = memref.get_global @table : memref<3xi32>
  %x = memref.load %t[%c2] : memref<3xi32>
  return %a, %b, %x : i32, i32, i32
}

memref.global "private" constant @far : memref<2x2xi32, strided<[5, 2], offset: 1>> = dense<[[1, 2], [3, 4]]>

// EVAL @global_with_gaps() == 3 : i32, 5 : index
func.func @global_with_gaps() -> (i32, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.get_global @far : memref<2x2xi32, strided<[5, 2], offset: 1>>
  %x = memref.load %m[%c1, %c0] : memref<2x2xi32, strided<[5, 2], offset: 1>>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<2x2xi32, strided<[5, 2], offset: 1>> -> memref<i32>, index, index, index, index, index
  return %x, %strides#0 : i32, index
}

// FAIL @write_constant(): 'memref.store' op undefined behaviour: a constant buffer is written to
func.func @write_constant() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %t = memref.get_global @table : memref<3xi32>
  memref.store %c1, %t[%c0] : memref<3xi32> // <-
  return
}

// EVAL @atomic(&dense<[5]> : tensor<1xi32>, 3 : i32) == 5 : i32, 8 : i32, dense<[16]> : tensor<1xi32>
func.func @atomic(%m: memref<1xi32>, %x: i32) -> (i32, i32, memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %a = memref.atomic_rmw addi %x, %m[%c0] : (i32, memref<1xi32>) -> i32
  %b = memref.generic_atomic_rmw %m[%c0] : memref<1xi32> {
  ^bb0(%old: i32):
    %new = arith.addi %old, %old : i32
    memref.atomic_yield %new : i32
  }
  return %a, %b, %m : i32, i32, memref<1xi32>
}

// EVAL @realloc(&dense<[1, 2]> : tensor<2xi8>) == 2 : i8
func.func @realloc(%m: memref<2xi8>) -> i8 {
  %c1 = arith.constant 1 : index
  %r = memref.realloc %m : memref<2xi8> to memref<4xi8>
  %x = memref.load %r[%c1] : memref<4xi8>
  return %x : i8
}

// FAIL @same_object(&dense<1> : tensor<2xi8>): 'memref.distinct_objects' op undefined behaviour: two operands are views of one buffer
func.func @same_object(%m: memref<2xi8>) {
  %a, %b = memref.distinct_objects %m, %m : memref<2xi8>, memref<2xi8> // <-
  return
}

// FAIL @no_dimension(&dense<1> : tensor<2xi8>, 1 : index): undefined behaviour: dimension 1 of a memref of rank 1
func.func @no_dimension(%m: memref<2xi8>, %i: index) -> index {
  %n = memref.dim %m, %i : memref<2xi8> // <-
  return %n : index
}
